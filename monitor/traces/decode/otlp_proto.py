"""The encoding `otlp_proto`: protobuf `ExportTraceServiceRequest`, and `ExportLogsServiceRequest` for content events.

The two have the same outer shape, so each item says itself what it is: a span has its id in field 1, a log record
has a time there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from monitor.traces.decode.envelope import ID_MARK, id_marks, is_log, peek_trace_id, scopes
from monitor.traces.decode.ids import TRACE_ID_BYTES
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.proto_items import read_log, read_resource, read_scope, read_span
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.text import Repairer
from monitor.wire import AttributeValue, Decoded

_ID_AT = len(ID_MARK)
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
        choice = _Choice(wanted)
        for scope in scopes(value):
            chosen = choice.of(scope.items)
            tally.items += len(scope.items)
            tally.unwanted += len(scope.items) - len(chosen)
            if chosen:
                resource, repaired = self._resource(scope.group.resource)
                tally.repairer.count += repaired
                name = read_scope(scope.holder.scope, tally.repairer)
                for item, trace_id in chosen:
                    _read(item, trace_id, resource, name, tally, wanted)
        return tally.result()

    def _resource(self, data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
        return self._remembered(data) if len(data) <= _REMEMBERED_BYTES else _resource(data)


class _Choice:
    """Asks once for each trace of a record whether it is wanted, before its spans are parsed."""

    def __init__(self, wanted: Callable[[str], bool] | None) -> None:
        self._wanted = wanted
        self._answers: dict[bytes, bool] = {}  # by mark; without a usable id in it, the item is looked at by itself

    def of(self, items: Sequence[bytes]) -> Sequence[tuple[bytes, bytes]]:
        """The items to read, each with its trace id.

        An item without a usable id is among them, to be counted or to turn out a log record.
        """
        if self._wanted is None:
            return [(item, peek_trace_id(item)) for item in items]
        answers, marks = self._answers, id_marks(items)
        distinct = set(marks)
        for mark in distinct.difference(answers):
            has_id = mark[:_ID_AT] == ID_MARK and len(mark) == _ID_AT + TRACE_ID_BYTES
            answers[mark] = not has_id or self._wanted(mark[_ID_AT:].hex())
        if not any(map(answers.__getitem__, distinct)):
            return ()
        return [
            (item, trace_id)
            for item, mark in zip(items, marks, strict=True)
            if answers[mark] and self._is_wanted(trace_id := peek_trace_id(item))
        ]

    def _is_wanted(self, trace_id: bytes) -> bool:
        mark = ID_MARK + trace_id
        answer = self._answers.get(mark)
        if answer is None:
            unusable = len(trace_id) != TRACE_ID_BYTES
            answer = self._answers[mark] = unusable or self._wanted is None or self._wanted(trace_id.hex())
        return answer


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


def _resource(data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
    """A resource's attributes, and how many of its texts were repaired."""
    repairer = Repairer()
    attributes = read_resource(data, repairer)
    return attributes, repairer.count
