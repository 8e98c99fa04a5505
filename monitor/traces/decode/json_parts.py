"""The parts of a JSON record, each raw text until it is read: a bad one costs only itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from monitor.errors import DecodeError
from monitor.protocols import Wanted
from monitor.traces.decode.json_text import fit_json, read_json, without_nul
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.wire import Span

T = TypeVar("T")
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def read_spans(
    value: bytes,
    wanted: Wanted | None,
    tally: Tally,
    peek: Callable[[msgspec.Raw], str | None],
    read: Callable[[msgspec.Raw], Span],
) -> None:
    """The spans of a record that holds a list of them, or one. `peek` tells the trace id, `read` the span.

    `read` raises UnusableError for what is left out. Raises DecodeError.
    """
    text = fit_json(value, tally.repairer)
    one = text.lstrip()[:1] == b"{"
    spans = [msgspec.Raw(text)] if one else read_json(_LIST, text, tally.repairer)
    for number in tally.chosen(spans, wanted, peek):
        try:
            tally.add_span(read(spans[number]), wanted)
        except UnusableError as error:
            tally.skip(error.reason)


def typed(decoder: msgspec.json.Decoder[T], raw: msgspec.Raw, tally: Tally, reason: str) -> T:
    """One part read. Raises UnusableError with the given reason."""
    try:
        return read_json(decoder, without_nul(bytes(raw), tally.repairer), tally.repairer)
    except DecodeError:
        raise UnusableError(reason) from None
