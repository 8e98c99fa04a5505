"""The encoding `otlp_proto`: protobuf `ExportTraceServiceRequest`, and `ExportLogsServiceRequest` for content events.

The two have the same outer shape, so each item says itself what it is: a span has its id in field 1, a log record
has a time there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from monitor.protocols import Wanted
from monitor.traces.decode.envelope import Envelope, Frame, enclosed, first_field, is_log
from monitor.traces.decode.ids import trace_hex
from monitor.traces.decode.later import Later
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

        Spans of traces that `wanted` refuses are not parsed; others need not be read at once: parts.
        """
        check_size(value)
        if not value:
            return Decoded()
        tally = Tally()
        envelope = Envelope(value)
        tally.left_out("unknown_field", envelope.strange)
        numbers = range(len(envelope)) if wanted is None else envelope.among(wanted)
        later = Later(wanted, len(value))
        read: bytes | None = None
        resource: Mapping[str, AttributeValue] = {}
        for frame, chosen in envelope.items(tally.chose(numbers, len(envelope))):
            items = list(chosen) if wanted is None else _sift(chosen, frame, later)
            if not items:
                continue
            if frame.resource is not read:
                read = frame.resource
                resource, repaired = self._resource(read)
                tally.repairer.count += repaired
            name = read_scope(frame.scope, tally.repairer)
            for item in items:
                is_span = envelope.has_ids or first_field(item) or not is_log(item)
                try:
                    if is_span:
                        tally.add_span(read_span(item, resource, name, tally), wanted)
                    else:
                        tally.add_log(read_log(item, tally), wanted)
                except UnusableError as error:
                    tally.skip(error.reason)
        tally.parts.extend(later.parts(enclosed))
        return tally.result()

    def _resource(self, data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
        return self._remembered(data) if len(data) <= _REMEMBERED_BYTES else _resource(data)


def _sift(items: Iterable[bytes], frame: Frame, later: Later) -> Sequence[bytes]:
    """The items to read at once."""
    return [item for item in items if not later.keeps(trace_hex(first_field(item)), frame, item)]


def _resource(data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
    """A resource's attributes, and how many of its texts were repaired."""
    repairer = Repairer()
    attributes = read_resource(data, repairer)
    return attributes, repairer.count
