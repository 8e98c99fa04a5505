"""The parts of a JSON record, each raw text until it is read: a bad one costs only itself."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from monitor.errors import DecodeError
from monitor.traces.decode.json_text import read_json, without_nul
from monitor.traces.decode.tally import Tally, UnusableError

T = TypeVar("T")


def typed(decoder: msgspec.json.Decoder[T], raw: msgspec.Raw, tally: Tally, reason: str) -> T:
    """One part read. Raises UnusableError with the given reason."""
    try:
        return read_json(decoder, without_nul(bytes(raw), tally.repairer), tally.repairer)
    except DecodeError:
        raise UnusableError(reason) from None
