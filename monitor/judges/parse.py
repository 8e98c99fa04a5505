"""The text of a judge's reply to the one JSON object that is its verdict.

Strict JSON comes first. Only when that fails is the text searched and repaired, and then the result says so. What is
never done: take a verdict out of a thought, out of an echo of the judged text, out of a fragment, or one of two.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import json_repair

from monitor.errors import JudgeRejected
from monitor.judges.reasons import Reason

PARSER = 1
"""Version of the rules of this module, part of every LLM judge's fingerprint: raise it when a reply
may read differently."""

MAX_DEPTH = 32
MAX_DIGITS = 18
MAX_OBJECTS = 16
MAX_GUESSED = 16_384
"""Characters beyond which nothing is guessed: json-repair takes its time on the event loop."""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_STRING = r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'  # an unclosed string runs to the end: one pass over any text
_TOKEN = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_THOUGHT_END = re.compile(r"</\s*(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_THOUGHT_START = re.compile(r"<\s*(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_STRING_OR_LITERAL = re.compile(rf"{_STRING}|\b(?:True|False|None)\b", re.DOTALL)
_ESCAPE = re.compile(r'\\(?:["\\/nrt]|[bf](?![A-Za-z])|u[0-9a-fA-F]{4}|(?P<illegal>))')
_CONTROL = re.compile(r"[\x00-\x1f]")
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LATEX = {"\x08": "\\b", "\x0c": "\\f"}
_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A verdict object, and whether the text had to be repaired or searched to get it."""

    value: Mapping[str, Json]
    repaired: bool


class _AmbiguousError(ValueError):
    """The text says two things at once; no repair may choose between them."""


class _BadNumberError(ValueError):
    """NaN, Infinity, or a number that no verdict has."""


def parse_verdict(text: str, keys: frozenset[str], judged: Sequence[str] = ()) -> Parsed:
    """The one object in `text` that has all `keys`.

    `judged` are the texts that the judge was shown, the prompt's own data block among them: an object that stands in
    one of them is an echo and never a verdict. Raises JudgeRejected: `parse` for no object, a fragment, duplicate keys
    or two different verdicts; `invalid_score` for a number that JSON does not have.
    """
    echoes = [_squeezed(shown) for shown in judged]
    try:
        spoken = _without_thoughts(text)
        for candidate in (text, spoken):
            whole = _whole(candidate)
            if whole is not None and keys <= whole.keys() and not _is_echo(candidate, echoes):
                return Parsed(whole, repaired=False)
        return Parsed(_only_one(_found(spoken, keys, echoes)), repaired=True)
    except _BadNumberError:
        raise JudgeRejected(Reason.INVALID_SCORE) from None
    except _AmbiguousError as error:
        _reject(str(error))


def strict_json(text: str) -> Json:
    r"""JSON as the standard has it: no NaN, no Infinity, no duplicate keys, no huge numbers, bounded depth.

    Lone surrogates and control characters in strings become U+FFFD; a form feed or backspace becomes the `\f` or `\b`
    that it was written as (LaTeX's `\frac`, `\beta`: nobody means the control). Raises ValueError.
    """
    _check_depth(text)
    value: Json = json.loads(
        text,
        object_pairs_hook=_object,
        parse_constant=_bad_number,
        parse_float=_finite,
        parse_int=_integer,
    )
    return _clean(value)


def choice(value: Json, options: Mapping[str, float]) -> tuple[str, float]:
    """The option that `value` names, and its score. Case and surrounding blanks do not count.

    Raises JudgeRejected (`parse`) for anything else: a word that was not offered is no verdict.
    """
    word = str(value).lower() if isinstance(value, bool) else value
    found = word.strip().lower() if isinstance(word, str) else ""
    if found not in options:
        _reject("verdict")
    return found, options[found]


def number(value: Json, low: float, high: float) -> float:
    """A finite number in [`low`, `high`]; a boolean is none. Raises JudgeRejected (`invalid_score`)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise JudgeRejected(Reason.INVALID_SCORE)
    return float(value)


def repair_syntax(text: str) -> str:
    r"""The slips that models make, undone: Python's literals outside strings, illegal escapes and raw controls in them.

    A backslash that starts no legal escape is kept as a backslash, and so is the one of LaTeX's `\frac` and `\beta`.
    """
    return _STRING_OR_LITERAL.sub(_repair_piece, text)


def _reject(detail: str) -> NoReturn:
    raise JudgeRejected(Reason.PARSE, detail)


# ------------------------------------------------------------------------------------------------------- strict JSON


def _whole(text: str) -> dict[str, Json] | None:
    """The object that is the whole text, or None when the text is not strict JSON of one object."""
    try:
        value = strict_json(text.strip().removeprefix("\ufeff"))
    except (_AmbiguousError, _BadNumberError):
        raise
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        msg = "duplicate_key"
        raise _AmbiguousError(msg)
    return value


def _bad_number(text: str) -> NoReturn:
    raise _BadNumberError(text)


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _bad_number("")


def _integer(text: str) -> int:
    return int(text) if len(text.lstrip("-")) <= MAX_DIGITS else _bad_number("")


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


def _check_depth(text: str) -> None:
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token[0] in "{[") - (token[0] in "}]")
        if depth > MAX_DEPTH:
            msg = "too_deep"
            raise _AmbiguousError(msg)


# --------------------------------------------------------------------------------------------------- search and repair


def _without_thoughts(text: str) -> str:
    """What follows the last thought; an unfinished thought hides everything after it."""
    ends = list(_THOUGHT_END.finditer(text))
    if ends:
        text = text[ends[-1].end() :]
    start = _THOUGHT_START.search(text)
    return text if start is None else text[: start.start()]


def _found(text: str, keys: frozenset[str], echoes: Sequence[str]) -> Iterator[dict[str, Json]]:
    for count, piece in enumerate(_objects(text)):
        if count == MAX_OBJECTS:
            msg = "too_many_objects"
            raise _AmbiguousError(msg)
        if _is_echo(piece, echoes):
            continue
        value = _lenient(piece)
        if value is not None and keys <= value.keys():
            yield value


def _only_one(values: Iterator[dict[str, Json]]) -> dict[str, Json]:
    first = next(values, None)
    if first is None:
        _reject("no_verdict")
    if any(other != first for other in values):
        _reject("two_verdicts")
    return first


def _objects(text: str) -> Iterator[str]:
    """The outermost `{...}` of a text, each with all its brackets closed; one that stays open is an error."""
    position = 0
    while (start := text.find("{", position)) >= 0:
        end = _closing(text, start)
        if end is None:
            _reject("fragment")
        yield text[start:end]
        position = end


def _closing(text: str, start: int) -> int | None:
    """The end of the object that begins at `start`, or None when its brackets do not close in order."""
    open_brackets: list[str] = []
    for token in _TOKEN.finditer(text, start):
        match token[0]:
            case "{" | "[":
                open_brackets.append(token[0])
            case "}" | "]":
                if not open_brackets or open_brackets.pop() + token[0] not in ("{}", "[]"):
                    return None
                if not open_brackets:
                    return token.end()
            case _:
                pass
    return None


def _lenient(piece: str) -> dict[str, Json] | None:
    repaired = repair_syntax(piece)
    for text in (piece, repaired):
        value = _whole(text)
        if value is not None:
            return value
    return _guessed(repaired)


def _guessed(piece: str) -> dict[str, Json] | None:
    """The last resort, for missing commas and stray quotes. It may neither merge nor invent a key."""
    if len(piece) > MAX_GUESSED:
        return None
    try:
        guess = json_repair.loads(piece, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    rewritten = strict_json(json.dumps(guess))
    if not isinstance(rewritten, dict):
        return None
    for key in _all_keys(rewritten):
        written = len(re.findall(rf"(?<!\\)\b{re.escape(key)}\b[\"']?\s*:", piece))
        if written != _count_key(rewritten, key):
            msg = "unclear_keys"
            raise _AmbiguousError(msg)
    return rewritten


def _all_keys(value: Json) -> frozenset[str]:
    match value:
        case list():
            return frozenset().union(*map(_all_keys, value))
        case dict():
            return frozenset(value).union(*map(_all_keys, value.values()))
        case _:
            return frozenset()


def _count_key(value: Json, key: str) -> int:
    match value:
        case list():
            return sum(_count_key(item, key) for item in value)
        case dict():
            return (key in value) + sum(_count_key(item, key) for item in value.values())
        case _:
            return 0


def _repair_piece(match: re.Match[str]) -> str:
    piece = match[0]
    if piece in _LITERALS:
        return _LITERALS[piece]
    return _CONTROL.sub(lambda control: f"\\u{ord(control[0]):04x}", _ESCAPE.sub(_repair_escape, piece))


def _repair_escape(match: re.Match[str]) -> str:
    return "\\\\" if match["illegal"] is not None else match[0]


def _is_echo(piece: str, echoes: Sequence[str]) -> bool:
    squeezed = _squeezed(piece)
    return any(squeezed in echo for echo in echoes)


def _squeezed(text: str) -> str:
    return _BLANK.sub("", text)
