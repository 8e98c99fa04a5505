"""JSON exactly as the standard has it, from whoever wrote it: no NaN, no duplicate keys, no bomb."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import NoReturn
from unicodedata import normalize

MAX_DEPTH = 32
MAX_DIGITS = 18

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

STRING = r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
"""A JSON string as a regular expression. An unclosed one runs to the end, so that any text takes one pass."""
TOKEN = re.compile(rf"{STRING}|[{{}}\[\]]", re.DOTALL)
"""A string, or a bracket outside strings."""

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LATEX = {"\x08": "\\b", "\x0c": "\\f"}


class AmbiguousError(ValueError):
    """The text says two things at once; no repair may choose between them."""


class BadNumberError(ValueError):
    """NaN, Infinity, or a number that no verdict has."""


def strict_json(text: str, *, odd_numbers: bool = False) -> Json:
    r"""JSON as the standard has it: no NaN, no Infinity, no duplicate keys, no huge numbers, bounded depth.

    With `odd_numbers` such a number is null instead of an error.

    Lone surrogates and control characters in strings become U+FFFD; a form feed or backspace becomes the `\f` or `\b`
    that it was written as (LaTeX's `\frac`, `\beta`: nobody means the control). Raises ValueError.
    """
    check_depth(text)
    value: Json = json.loads(
        text,
        object_pairs_hook=_object,
        parse_constant=_null if odd_numbers else _bad_number,
        parse_float=_finite_or_null if odd_numbers else _finite,
        parse_int=_integer_or_null if odd_numbers else _integer,
    )
    return _clean(value)


def strict_object(text: str) -> dict[str, Json] | None:
    """The object that is the whole text, or None when the text is not strict JSON of one object."""
    try:
        value = strict_json(text.strip().removeprefix("\ufeff"))
    except (AmbiguousError, BadNumberError):
        raise
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def refuse_twins(value: Json, keys: frozenset[str]) -> None:
    """Raise AmbiguousError where one of some lower-case keys, however deep, stands twice: as `score` and `Score`."""
    for one in objects_in(value):
        alike = [name for name in map(folded, one) if name in keys]
        if len(set(alike)) < len(alike):
            msg = "duplicate_key"
            raise AmbiguousError(msg)


def objects_in(value: Json) -> Iterator[dict[str, Json]]:
    """Each object of a value, however deep: the value itself if it is one, and an object before those inside it."""
    match value:
        case list():
            for item in value:
                yield from objects_in(item)
        case dict():
            yield value
            for item in value.values():
                yield from objects_in(item)
        case _:
            pass


def keys_in(value: Json) -> Iterator[str]:
    """The keys of all objects of a value, each as often as it stands there."""
    return itertools.chain.from_iterable(objects_in(value))


def folded(text: str) -> str:
    """A key or a word without what does not tell it from another: case, width and blanks around it."""
    return normalize("NFKC", text).strip().casefold()


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        msg = "duplicate_key"
        raise AmbiguousError(msg)
    return value


def _bad_number(text: str) -> NoReturn:
    raise BadNumberError(text)


def _finite(text: str) -> float:
    """The number, and no whole one that it only rounds to: 4.9999999999999999999 is no 5."""
    value = float(text)
    if not math.isfinite(value) or (value.is_integer() and not _is_exactly(text, value)):
        _bad_number("")
    return value


def _is_exactly(text: str, value: float) -> bool:
    try:
        return Decimal(text) == value
    except InvalidOperation:  # an exponent that no number has
        return False


def _integer(text: str) -> int:
    return int(text) if len(text.lstrip("-")) <= MAX_DIGITS else _bad_number("")


def _null(_: str) -> None:
    return None


def _finite_or_null(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _integer_or_null(text: str) -> int | None:
    return int(text) if len(text.lstrip("-")) <= MAX_DIGITS else None


def _clean(value: Json) -> Json:
    match value:
        case str():
            return _clean_text(value)
        case list():
            return [_clean(item) for item in value]
        case dict():
            return {_clean_text(key): _clean(item) for key, item in value.items()}
        case _:
            return value


def _clean_text(text: str) -> str:
    return _UNFIT.sub(lambda match: _LATEX.get(match[0], "\ufffd"), text)


def check_depth(text: str) -> None:
    """Raise AmbiguousError for a text of JSON that is nested deeper than any verdict."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for token in TOKEN.finditer(text):
        depth += (token[0] in "{[") - (token[0] in "}]")
        if depth > MAX_DEPTH:
            msg = "too_deep"
            raise AmbiguousError(msg)
