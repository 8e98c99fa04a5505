"""The encoding `zipkin_proto`: a list of protobuf spans in a record.

Field numbers: `zipkin.proto` of zipkin-api.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError as ProtobufError

from monitor.errors import DecodeError
from monitor.protocols import Wanted
from monitor.traces.decode.declare import BOOL, BYTES, FIXED64, INT32, STRING, UINT64, Field, declare
from monitor.traces.decode.envelope import first_field
from monitor.traces.decode.ids import parent_hex, span_hex, wide_trace_hex
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.wire_format import WireError, parse
from monitor.traces.decode.zipkin import Annotation, ZipkinSpan, to_span
from monitor.wire import Decoded, Span

_KINDS = ("", "client", "server", "producer", "consumer")

_MODEL = declare(
    "ragmon.zipkin",
    {
        "Endpoint": (Field("service_name", 1, STRING),),
        "Annotation": (Field("timestamp", 1, FIXED64), Field("value", 2, STRING)),
        "Tag": (Field("key", 1, STRING), Field("value", 2, STRING)),
        "Span": (
            Field("trace_id", 1, BYTES),
            Field("parent_id", 2, BYTES),
            Field("id", 3, BYTES),
            Field("kind", 4, INT32),
            Field("name", 5, STRING),
            Field("timestamp", 6, FIXED64),
            Field("duration", 7, UINT64),
            Field("local_endpoint", 8, "Endpoint"),
            Field("remote_endpoint", 9, "Endpoint"),
            Field("annotations", 10, "Annotation", repeated=True),
            Field("tags", 11, "Tag", repeated=True),  # a map there: the same wire format
            Field("shared", 13, BOOL),
        ),
        "Head": (Field("trace_id", 1, BYTES),),
        "Heads": (Field("spans", 1, "Head", repeated=True),),
        "List": (Field("spans", 1, BYTES, repeated=True),),
    },
)
_HEADS, _LIST, _SPAN = _MODEL["Heads"], _MODEL["List"], _MODEL["Span"]


class ZipkinProto:
    """Decoder of Zipkin protobuf."""

    name = "zipkin_proto"

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """The spans of one record. Raises DecodeError when not one of them can be understood.

        Spans of traces that `wanted` refuses are not parsed.
        """
        check_size(value)
        if not value:
            return Decoded()
        tally = Tally()
        ids = _ids(value)
        numbers = tally.chosen(ids, wanted, wide_trace_hex)
        items = _LIST.FromString(value).spans if numbers else ()
        for number in numbers:
            try:
                tally.add_span(_read(items[number], tally), wanted)
            except UnusableError as error:
                tally.skip(error.reason)
        return tally.result()


def _ids(value: bytes) -> list[bytes]:
    """What each span of a list has as its trace id. Raises DecodeError."""
    try:
        return [head.trace_id for head in _HEADS.FromString(value).spans]
    except ProtobufError:  # by one broken span
        pass
    try:
        return [first_field(item) for item in _LIST.FromString(value).spans]
    except ProtobufError:
        kind = "not_protobuf"
        raise DecodeError(kind, "the bytes are no list of Zipkin spans") from None


def _read(data: bytes, tally: Tally) -> Span:
    try:
        message = parse(_SPAN, data, tally.repairer)
    except WireError:
        reason = "unreadable_span"
        raise UnusableError(reason) from None
    text = tally.repairer.parsed
    raw = ZipkinSpan(
        trace_id=wide_trace_hex(message.trace_id),
        span_id=span_hex(message.id),
        parent_id=parent_hex(message.parent_id),
        name=text(message.name),
        kind=_KINDS[message.kind] if 0 <= message.kind < len(_KINDS) else "",
        start_ns=message.timestamp * 1000,
        duration_ns=message.duration * 1000,
        service=text(message.local_endpoint.service_name),
        peer=text(message.remote_endpoint.service_name),
        tags={text(tag.key): text(tag.value) for tag in message.tags},
        annotations=[Annotation(item.timestamp * 1000, text(item.value)) for item in message.annotations],
        shared=message.shared,
    )
    return to_span(raw, tally)
