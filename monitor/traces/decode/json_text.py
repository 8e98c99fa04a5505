"""One way to read JSON of a record: typed, bounded, with broken texts repaired; every failure is a DecodeError."""

from __future__ import annotations

import re
from typing import NoReturn, TypeVar

import msgspec

from monitor.errors import DecodeError
from monitor.traces.text import Repairer

T = TypeVar("T")

BOM = b"\xef\xbb\xbf"
"""Byte-order mark of UTF-8."""
_NUL = b"\\u0000"
_MOST_OBJECTS = 100_000
_BOUNDARY = re.compile(rb"\n(?:(?<=\}\n)|(?<=\}\r\n))\s*\{")
"""Between two objects. JSON has no bare line feed in a text, and no objects side by side without a comma."""


def fit_json(value: bytes, repairer: Repairer) -> bytes:
    """The value without byte-order mark and NUL; other repairs are made when a parse fails."""
    return without_nul(value.removeprefix(BOM), repairer)


def without_nul(value: bytes, repairer: Repairer) -> bytes:
    """The value with each escaped NUL replaced and counted. The look for one costs as much as a parse."""
    return repairer.json(value) if _NUL in value else value


def as_array(value: bytes) -> bytes | None:
    """JSON objects that follow each other, each on a new line, as an array; None for a value that is no such thing.

    Of more than 100,000 objects it is no JSON.
    """
    text = value.removeprefix(BOM).lstrip()
    return b"[" + _BOUNDARY.sub(b",{", text, _MOST_OBJECTS) + b"]" if _is_several(text) else None


def _is_several(text: bytes) -> bool:
    return text.startswith(b"{") and _BOUNDARY.search(text) is not None


def read_json(decoder: msgspec.json.Decoder[T], value: bytes, repairer: Repairer) -> T:
    """Decode JSON text; lone surrogates and invalid UTF-8 are repaired and counted, of equal keys the last wins.

    Raises DecodeError: `bad_json` (also for NaN), `wrong_type` with the path of the key, `too_deep`.
    """
    try:
        return decoder.decode(value)
    except (msgspec.DecodeError, RecursionError) as error:
        if not isinstance(error, msgspec.ValidationError | RecursionError) and not _is_several(value):
            repaired = repairer.json(value)
            if repaired != value:
                return _read_repaired(decoder, repaired)
        _refuse(error)


def read_whole(value: bytes, repairer: Repairer) -> object:
    """Decode JSON text of no known shape; halves of characters are repaired and counted, invalid UTF-8 is refused.

    Raises msgspec.DecodeError, UnicodeDecodeError or RecursionError.
    """
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        value.decode()
        repaired = repairer.json(value)
        if repaired == value:
            raise
    return msgspec.json.decode(repaired)


def _read_repaired(decoder: msgspec.json.Decoder[T], value: bytes) -> T:
    try:
        return decoder.decode(value)
    except (msgspec.DecodeError, RecursionError) as error:
        _refuse(error)


def _refuse(error: Exception) -> NoReturn:
    match error:
        case RecursionError():
            kind, detail = "too_deep", "nested too deep"
        case msgspec.ValidationError():
            kind, detail = "wrong_type", str(error)  # types and a path, no content
        case _:
            kind, detail = "bad_json", str(error)
    raise DecodeError(kind, detail) from None
