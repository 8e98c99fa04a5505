"""The parts of a JSON record, each raw text until it is read: a bad one costs only itself, an unwanted one nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from monitor.errors import DecodeError
from monitor.traces.decode.json_text import read_json, without_nul
from monitor.traces.decode.tally import Tally, UnusableError

T = TypeVar("T")


def chosen(
    items: Iterable[msgspec.Raw],
    tally: Tally,
    wanted: Callable[[str], bool] | None,
    peek: Callable[[msgspec.Raw], str | None],
) -> Iterator[msgspec.Raw]:
    """The items to read, by the trace id that `peek` sees; one whose id cannot be told is among them, to be counted."""
    for item in items:
        tally.items += 1
        trace_id = peek(item) if wanted is not None else None
        if wanted is None or trace_id is None or wanted(trace_id):
            yield item
        else:
            tally.unwanted += 1


def typed(decoder: msgspec.json.Decoder[T], raw: msgspec.Raw, tally: Tally, reason: str) -> T:
    """One part read. Raises UnusableError with the given reason."""
    try:
        return read_json(decoder, without_nul(bytes(raw), tally.repairer), tally.repairer)
    except DecodeError:
        raise UnusableError(reason) from None
