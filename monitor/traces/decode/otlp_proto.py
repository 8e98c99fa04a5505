"""The encoding `otlp_proto`: protobuf `ExportTraceServiceRequest`, and `ExportLogsServiceRequest` for content events.

The two have the same outer shape, so each item says itself what it is: a span has its id in field 1, a log record
has a time there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from monitor.protocols import Wanted
from monitor.traces.decode.envelope import Envelope, is_log, peek_trace_id
from monitor.traces.decode.ids import TRACE_ID_BYTES
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.proto_items import read_log, read_resource, read_scope, read_span
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.text import Repairer
from monitor.wire import AttributeValue, Decoded

_REMEMBERED = 128
_REMEMBERED_BYTES = 4096


class OtlpProto:
    """Decoder of OTLP protobuf. Remembers the last 128 resources of up to 4 KB: a service sends the same each time."""

    name = "otlp_proto"

    def __init__(self) -> None:
        self._remembered = lru_cache(_REMEMBERED)(_resource)

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """Spans and span events of one request. Raises DecodeError when not one item of it can be understood.

        Spans of traces that `wanted` refuses are not parsed.
        """
        check_size(value)
        if not value:
            return Decoded()
        tally = Tally()
        envelope = Envelope(value)
        read: bytes | None = None
        resource: Mapping[str, AttributeValue] = {}
        for scope, numbers in groupby(_chosen(envelope, wanted, tally), envelope.scope_of):
            frame = envelope.frame(scope)
            if frame.resource is not read:
                read = frame.resource
                resource, repaired = self._resource(read)
                tally.repairer.count += repaired
            name = read_scope(frame.scope, tally.repairer)
            for number in numbers:
                _read(envelope.item(number), resource, name, tally, wanted)
        return tally.result()

    def _resource(self, data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
        return self._remembered(data) if len(data) <= _REMEMBERED_BYTES else _resource(data)


def _chosen(envelope: Envelope, wanted: Wanted | None, tally: Tally) -> Sequence[int]:
    """The numbers of the items to read; those that nobody wants are counted.

    An item without a usable id is among them, to be counted or to turn out a log record.
    """
    if wanted is None:
        return tally.chose(range(len(envelope)), len(envelope))
    chosen = []
    for number in envelope.among(wanted):
        trace_id = peek_trace_id(envelope.item(number))
        if len(trace_id) != TRACE_ID_BYTES or wanted(trace_id.hex()):
            chosen.append(number)
    return tally.chose(chosen, len(envelope))


def _read(
    item: bytes,
    resource: Mapping[str, AttributeValue],
    scope: str,
    tally: Tally,
    wanted: Wanted | None,
) -> None:
    try:
        if peek_trace_id(item) or not is_log(item):
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
