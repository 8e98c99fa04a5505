"""The encoding `otlp_proto`: protobuf `ExportTraceServiceRequest`, and `ExportLogsServiceRequest` for content events.

The two have the same outer shape, so each item says itself what it is: a span has its id in field 1, a log record
has a time there.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from monitor.traces.decode.envelope import ID_MARK, Envelope, id_marks, is_log, peek_trace_id
from monitor.traces.decode.ids import TRACE_ID_BYTES
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.proto_items import read_log, read_resource, read_scope, read_span
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.text import Repairer
from monitor.wire import AttributeValue, Decoded

_ID_AT = len(ID_MARK)
_MARK_BYTES = _ID_AT + TRACE_ID_BYTES
_REMEMBERED = 128
_REMEMBERED_BYTES = 4096


class OtlpProto:
    """Decoder of OTLP protobuf. Remembers the last 128 resources of up to 4 KB: a service sends the same each time."""

    name = "otlp_proto"

    def __init__(self) -> None:
        self._remembered = lru_cache(_REMEMBERED)(_resource)

    def decode(self, value: bytes, wanted: Callable[[str], bool] | None = None) -> Decoded:
        """Spans and span events of one request. Raises DecodeError when not one item of it can be understood.

        Spans of traces that `wanted` refuses are not parsed.
        """
        check_size(value)
        if not value:
            return Decoded()
        tally = Tally()
        envelope = Envelope(value)
        for number, chosen in _chosen(envelope.items, wanted, tally).items():
            frame = envelope.frame(number)
            resource, repaired = self._resource(frame.resource)
            tally.repairer.count += repaired
            name = read_scope(frame.scope, tally.repairer)
            for item, trace_id in chosen:
                _read(item, trace_id, resource, name, tally, wanted)
        return tally.result()

    def _resource(self, data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
        return self._remembered(data) if len(data) <= _REMEMBERED_BYTES else _resource(data)


def _chosen(
    scopes: Sequence[Sequence[bytes]], wanted: Callable[[str], bool] | None, tally: Tally
) -> Mapping[int, Sequence[tuple[bytes, bytes]]]:
    """The items to read, each with its trace id, by the number of their scope; those that nobody wants are counted.

    An item without a usable id is among them, to be counted or to turn out a log record.
    """
    items = [item for scope in scopes for item in scope]
    tally.items = len(items)
    if wanted is None:
        return {number: [(item, peek_trace_id(item)) for item in scope] for number, scope in enumerate(scopes) if scope}
    marks, choice = id_marks(items), _Choice(wanted)
    choice.ask(set(marks))
    chosen: dict[int, list[tuple[bytes, bytes]]] = {}
    ends = list(itertools.accumulate(map(len, scopes)))
    for at in [at for at, mark in enumerate(marks) if choice.answers[mark]]:
        trace_id = peek_trace_id(items[at])
        if choice.is_wanted(trace_id):
            chosen.setdefault(bisect_right(ends, at), []).append((items[at], trace_id))
    tally.unwanted = tally.items - sum(map(len, chosen.values()))
    return chosen


class _Choice:
    """Asks once for each trace of a record whether it is wanted. `answers` are by mark, see `id_marks`."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self.answers: dict[bytes, bool] = {}

    def ask(self, marks: Iterable[bytes]) -> None:
        """Find the answers for marks. Without a usable id in its mark an item has to be looked at by itself."""
        for mark in marks:
            has_id = mark[:_ID_AT] == ID_MARK and len(mark) == _MARK_BYTES
            self.answers[mark] = not has_id or self._wanted(mark[_ID_AT:].hex())

    def is_wanted(self, trace_id: bytes) -> bool:
        """The answer for an item that was looked at; one without a usable id is wanted."""
        if len(trace_id) != TRACE_ID_BYTES:
            return True
        mark = ID_MARK + trace_id
        if mark not in self.answers:
            self.ask((mark,))
        return self.answers[mark]


def _read(
    item: bytes,
    trace_id: bytes,
    resource: Mapping[str, AttributeValue],
    scope: str,
    tally: Tally,
    wanted: Callable[[str], bool] | None,
) -> None:
    try:
        if trace_id or not is_log(item):
            tally.spans.append(read_span(item, resource, scope, tally))
            return
        event = read_log(item, tally)
    except UnusableError as error:
        tally.skip(error.reason)
        return
    if wanted is None or wanted(event.trace_id):
        tally.logs.append(event)
    else:
        tally.unwanted += 1
        tally.unwanted_logs += 1


def _resource(data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
    """A resource's attributes, and how many of its texts were repaired."""
    repairer = Repairer()
    attributes = read_resource(data, repairer)
    return attributes, repairer.count
