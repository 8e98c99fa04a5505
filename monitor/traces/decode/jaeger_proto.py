"""The encoding `jaeger_proto`: one protobuf span of Jaeger's model in a record.

Field numbers: `proto/api_v2/model.proto` of jaeger-idl.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from monitor.protocols import Wanted
from monitor.traces.decode.declare import BOOL, BYTES, DOUBLE, INT32, INT64, STRING, Field, declare
from monitor.traces.decode.envelope import first_field
from monitor.traces.decode.ids import span_hex, wide_trace_hex
from monitor.traces.decode.jaeger import JaegerSpan, Log, Pair, Reference, to_resource, to_span
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.wire_format import WireError, parse
from monitor.traces.text import Repairer
from monitor.wire import AttributeValue, Decoded, Span

_REMEMBERED = 128
_REMEMBERED_BYTES = 4096
_REFUSED = Decoded(unwanted_spans=1)
_CHILD_OF = 0
_VALUES = ("v_str", "v_bool", "v_int64", "v_float64", "v_binary")
"""Where a tag's value stands, by its type's number."""

_MODEL = declare(
    "ragmon.jaeger",
    {
        "KeyValue": (
            Field("key", 1, STRING),
            Field("v_type", 2, INT32),
            Field("v_str", 3, STRING),
            Field("v_bool", 4, BOOL),
            Field("v_int64", 5, INT64),
            Field("v_float64", 6, DOUBLE),
            Field("v_binary", 7, BYTES),
        ),
        "Time": (Field("seconds", 1, INT64), Field("nanos", 2, INT32)),
        "Log": (Field("timestamp", 1, "Time"), Field("fields", 2, "KeyValue", repeated=True)),
        "Reference": (Field("trace_id", 1, BYTES), Field("span_id", 2, BYTES), Field("ref_type", 3, INT32)),
        "Process": (Field("service_name", 1, STRING), Field("tags", 2, "KeyValue", repeated=True)),
        "Span": (
            Field("trace_id", 1, BYTES),
            Field("span_id", 2, BYTES),
            Field("operation_name", 3, STRING),
            Field("references", 4, "Reference", repeated=True),
            Field("flags", 5, INT32),
            Field("start_time", 6, "Time"),
            Field("duration", 7, "Time"),
            Field("tags", 8, "KeyValue", repeated=True),
            Field("logs", 9, "Log", repeated=True),
            Field("process", 10, BYTES),
        ),
    },
)
_SPAN, _PROCESS = _MODEL["Span"], _MODEL["Process"]


class JaegerProto:
    """Decoder of Jaeger protobuf. Remembers the last 128 processes of up to 4 KB: each span repeats its own."""

    name = "jaeger_proto"

    def __init__(self) -> None:
        self._remembered = lru_cache(_REMEMBERED)(_resource)

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """The span of one record; it is not parsed when its trace is refused. Raises DecodeError."""
        check_size(value)
        if not value:
            return Decoded()
        trace_id = wide_trace_hex(first_field(value)) if wanted is not None else None
        if wanted is not None and trace_id is not None and not wanted(trace_id):
            return _REFUSED
        tally = Tally()
        tally.items = 1
        try:
            tally.add_span(self._read(value, tally), wanted)
        except UnusableError as error:
            tally.skip(error.reason)
        return tally.result()

    def _read(self, value: bytes, tally: Tally) -> Span:
        try:
            message = parse(_SPAN, value, tally.repairer)
        except WireError:
            reason = "unreadable_span"
            raise UnusableError(reason) from None
        process = message.process
        resource, repaired = self._remembered(process) if len(process) <= _REMEMBERED_BYTES else _resource(process)
        tally.repairer.count += repaired
        raw = JaegerSpan(
            trace_id=wide_trace_hex(message.trace_id),
            span_id=span_hex(message.span_id),
            name=tally.repairer.parsed(message.operation_name),
            references=[_reference(item) for item in message.references],
            start_ns=_nanoseconds(message.start_time),
            duration_ns=_nanoseconds(message.duration),
            tags=_pairs(message.tags, tally.repairer),
            logs=[Log(_nanoseconds(log.timestamp), [*_pairs(log.fields, tally.repairer)]) for log in message.logs],
            resource=resource,
            flags=message.flags,
        )
        return to_span(raw, tally)


def _resource(data: bytes) -> tuple[Mapping[str, AttributeValue], int]:
    """A process as a resource, and how many of its texts were repaired; empty when it cannot be read."""
    repairer = Repairer()
    try:
        process = parse(_PROCESS, data, repairer)
    except WireError:
        return {}, 0
    return to_resource(repairer.parsed(process.service_name), _pairs(process.tags, repairer)), repairer.count


def _pairs(tags: Iterable[Any], repairer: Repairer) -> Iterator[Pair]:
    for tag in tags:
        kind = tag.v_type
        value = getattr(tag, _VALUES[kind]) if 0 <= kind < len(_VALUES) else None
        yield repairer.parsed(tag.key), repairer.parsed(value) if isinstance(value, str) else value


def _reference(message: Any) -> Reference:  # noqa: ANN401 - a class made at run time
    return Reference(wide_trace_hex(message.trace_id), span_hex(message.span_id), message.ref_type == _CHILD_OF)


def _nanoseconds(time: Any) -> int:  # noqa: ANN401 - a class made at run time
    nanoseconds: int = time.seconds * 10**9 + time.nanos
    return nanoseconds
