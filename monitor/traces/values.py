"""The one reader of attribute values: text, numbers, and JSON in strings. Never raises; None means "nothing usable".

A structured attribute arrives as an array or kvlist from some SDKs and as JSON text from most libraries, and some
values are JSON in JSON; both forms give the same object here. Only text that begins like JSON is parsed, and text that
does not parse stays text: a user's question may begin with a brace.
"""

from __future__ import annotations

import json
import math
import re

import msgspec

from monitor.traces.text import Repairer, repair
from monitor.wire import AttributeValue

MAX_UNWRAPS = 3
"""Layers of JSON in JSON that libraries are seen to write."""
MAX_DEPTH = 64
"""Nesting of a parsed value at most; a deeper one stays text."""

_BLANKS = " \t\r\n"
_JSON_START = re.compile(
    r'\s*(?:"|\{\s*(?:["}]|\Z)|\[\s*(?:[\[{"\]0-9-]|true|false|null|(?:t|tr|tru|f|fa|fal|fals|n|nu|nul)?\Z))'
)
_BEGINNINGS = frozenset('"{[')
_WRITTEN = re.compile(r'\s*(?:\{|\[\s*[\[{])\s*"')
"""How objects, lists of objects and lists of lists begin."""
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[\]{}]', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NUMBERS = (int, float)
_MAX_INT = 2**63 - 1
_MAX_NUMBER_CHARS = 64


def as_text(value: AttributeValue) -> str | None:
    """Text as it is (JSON text is not unwrapped), numbers and bools as JSON spells them, structures as JSON text.

    Bytes are read as UTF-8. None stays None: "not on the wire".
    """
    match value:
        case None:
            return None
        case str():
            return repair(value)
        case bytes():
            return Repairer().utf8(value)
        case bool() | int() | float() | list() | dict():
            return _to_json(value)


def as_json(value: AttributeValue, layers: int = MAX_UNWRAPS) -> AttributeValue:
    """The object that a value stands for: JSON text is unwrapped up to 3 times, anything else is returned as it is.

    `layers`: unwrap so many times at most, where the convention says how often a value was encoded.

    Only the value itself is unwrapped; read the members of a list or mapping with this reader again. NaN and numbers
    too large for a float become None. Text that is cut, no JSON, or nested too deep stays text.
    """
    if not isinstance(value, str):
        return value  # the usual case, as members are read with this, too
    for _ in range(layers):
        if not isinstance(value, str):
            return value
        text = value.strip(_BLANKS)
        if not text or text[0] not in '{["':
            return value
        parsed = _parse(text)
        if parsed is None:
            return value
        value = parsed
    return value


def as_member(value: AttributeValue) -> AttributeValue:
    """A member of an object that was already unwrapped: text inside it is text, even when it looks like JSON."""
    return value if isinstance(value, str) else as_json(value)


def as_list(value: AttributeValue) -> list[AttributeValue]:
    """The list that a value stands for; empty when it stands for no list."""
    read = as_json(value)
    return read if isinstance(read, list) else []


def as_mapping(value: AttributeValue) -> dict[str, AttributeValue]:
    """The mapping that a value stands for; empty when it stands for no mapping."""
    read = as_json(value)
    return read if isinstance(read, dict) else {}


def as_float(value: AttributeValue) -> float | None:
    """A finite number, also from text such as `0.83` or `"0.83"`; None for bools, NaN, infinities and other text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None  # the usual case
    if isinstance(value, str):
        value = value.strip(_BLANKS + '"')
        if len(value) > _MAX_NUMBER_CHARS or _NUMBER.fullmatch(value) is None:
            return None
    elif isinstance(value, bool) or not isinstance(value, _NUMBERS):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the largest float
        return None
    return number if math.isfinite(number) else None


def as_int(value: AttributeValue) -> int | None:
    """A whole number within 64 bits, also from text or from a float without fraction; else None."""
    if isinstance(value, str):
        text = value.strip(_BLANKS + '"')
        if len(text) <= _MAX_NUMBER_CHARS and re.fullmatch(r"[+-]?\d+", text, re.ASCII):
            value = int(text)
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) <= _MAX_INT else None
    number = as_float(value)
    if number is None or not number.is_integer() or abs(number) > _MAX_INT:
        return None
    return int(number)


def as_bool(value: AttributeValue) -> bool | None:
    """A truth value: a bool, 0 or 1, or the words true and false in any case; else None."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False, "1": True, "0": False}.get(value.strip(_BLANKS + '"').lower())
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


def looks_cut(text: str) -> bool:
    """Whether the text begins like JSON and ends before it is closed: an attribute length limit cut it.

    Prose such as `[1] According to ...` is not cut; neither is JSON that is wrong in another way.
    """
    if _JSON_START.match(text) is None or _is_json(text):
        return False
    depth = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word[0] == '"':
            if not _closed(word):
                return True
        elif word in "[{":
            depth += 1
        else:
            depth -= 1
        if depth == 0:
            return False  # the first value is complete; what follows is not ours to judge
    return True


def looks_damaged(text: str) -> bool:
    """Whether the text was JSON once: it was cut, or a program's object or list in it does not parse any more."""
    if text.lstrip()[:1] not in _BEGINNINGS or _is_json(text):
        return False
    return looks_cut(text) or (_WRITTEN.match(text) is not None and as_json(text, layers=1) is text)


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return False
    return True


def _closed(word: str) -> bool:
    """Whether a string token has its closing quote (an escaped one is none)."""
    body = word[1:-1]
    return len(word) > 1 and word[-1] == '"' and (len(body) - len(body.rstrip("\\"))) % 2 == 0


def _to_json(value: AttributeValue) -> str:
    try:
        return repair(msgspec.json.encode(value).decode())
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return repair(str(value))


def _parse(text: str) -> AttributeValue:
    """The value of JSON text; None when it is none (JSON's null counts as none too: there is nothing in it)."""
    try:
        value: AttributeValue = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        value = _parse_leniently(text)
    if _too_deep(value, text):
        return None
    return _without_nul(value) if "\\" in text and "\\u0000" in text else value  # the former is found far sooner


def _parse_leniently(text: str) -> AttributeValue:
    """What Python's own writer emits and JSON forbids: NaN, half surrogates, raw line breaks in strings."""
    try:
        value: AttributeValue = json.loads(
            Repairer().json(repair(text).encode()),
            parse_constant=_nothing,
            parse_float=_finite,
            strict=False,
        )
    except (ValueError, RecursionError):  # ValueError also for an integer of thousands of digits
        return None
    return value


def _nothing(_constant: str) -> None:
    """NaN and infinities stand for "no number"."""


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _without_nul(value: AttributeValue) -> AttributeValue:
    """A parsed value with its texts and keys repaired."""
    match value:
        case str():
            return repair(value)
        case list():
            return [_without_nul(item) for item in value]
        case dict():
            return {repair(key): _without_nul(item) for key, item in value.items()}
        case _:
            return value


def _too_deep(value: AttributeValue, text: str) -> bool:
    """Whether a value parsed from `text` is nested deeper than MAX_DEPTH; only suspicious texts are walked."""
    if len(text) <= 2 * MAX_DEPTH or not _has_many_brackets(text):
        return False  # the usual case: all that opens has to close
    level: list[AttributeValue] = [value]
    for _ in range(MAX_DEPTH):
        level = [child for item in level for child in _children(item) if isinstance(child, list | dict)]
        if not level:
            return False
    return True


def _has_many_brackets(text: str) -> bool:
    """Whether so many open that a value may be too deep. A few in a long text are found far sooner than counted."""
    found = 0
    for bracket in "[{":
        at = text.find(bracket)
        while at >= 0 and found <= MAX_DEPTH:
            found += 1
            at = text.find(bracket, at + 1)
    return found > MAX_DEPTH


def _children(value: AttributeValue) -> list[AttributeValue]:
    match value:
        case list():
            return value
        case dict():
            return list(value.values())
        case _:
            return []
