"""Reading only what is wanted gives what reading everything and choosing afterwards gives, whatever the writer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from monitor.errors import DecodeError
from monitor.protocols import Decoder
from monitor.traces.decode.otlp_json import OtlpJson
from monitor.traces.decode.otlp_proto import OtlpProto
from monitor.wire import Decoded
from tests.monitor.traces.decode.encoders import blob
from tests.monitor.traces.decode.odd_protobuf import fields_of
from tests.monitor.traces.decode.wishes import Wish, only

TRACES = [bytes([number]) * 16 for number in (1, 2, 3, 0xAA)]
TEXT = st.text(max_size=8)


@dataclass(frozen=True, slots=True)
class Item:
    """A span or log record, and how its writer orders the fields: a permutation drawn for each."""

    message: Message
    order: str
    seed: int


def written(item: Item) -> bytes:
    data: bytes = item.message.SerializeToString()
    fields = fields_of(data)
    match item.order:
        case "descending":
            fields.reverse()
        case "any":
            fields.sort(key=lambda field: crc32(field, item.seed))
        case _:
            pass
    return b"".join(fields)


def attributes(texts: Sequence[str]) -> list[KeyValue]:
    return [KeyValue(key=text, value=AnyValue(string_value=text)) for text in texts]


# ids are among the texts of attributes too, where they must not be taken for the span's own
spans = st.builds(
    lambda trace, span, parent, texts, code, flags: Span(
        trace_id=trace,
        span_id=span,
        parent_span_id=parent,
        name="".join(texts),
        attributes=[
            *attributes(texts),
            KeyValue(key="id", value=AnyValue(bytes_value=b"\x0a\x10" + TRACES[0])),
        ],
        links=[Span.Link(trace_id=TRACES[1], span_id=b"12345678")] if flags else (),
        status=Status(code=code),
        flags=flags,
        end_time_unix_nano=1,
    ),
    st.sampled_from([*TRACES, *TRACES, b"", b"short", b"\0" * 16]),
    st.sampled_from([b"12345678", b"abcdefgh", b""]),
    st.sampled_from([b"", b"12345678"]),
    st.lists(TEXT, max_size=2),
    st.sampled_from([0, 2]),
    st.sampled_from([0, 0x300]),
)
records = st.builds(
    lambda trace: LogRecord(trace_id=trace, span_id=b"12345678", time_unix_nano=5, event_name="gen_ai.choice"),
    st.sampled_from(TRACES),
)
items = st.builds(
    Item, spans | spans | spans | records, st.sampled_from(["ascending", "descending", "any"]), st.integers(0, 99)
)
groups = st.lists(st.lists(items, max_size=6), max_size=4)
wishes = st.sets(st.sampled_from([trace.hex() for trace in TRACES]))


def proto(drawn: Sequence[Sequence[Item]], broken: bytes) -> bytes:
    """A request of one resource and scope for each group; `broken` is one more item of the first."""
    out = b""
    for number, group in enumerate(drawn):
        scope = blob(1, InstrumentationScope(name=f"scope {number}").SerializeToString())
        scope += b"".join(blob(2, written(item)) for item in group)
        scope += blob(2, broken) if broken and number == 0 else b""
        resource = Resource(attributes=attributes([f"resource {number}"]))
        out += blob(1, blob(1, resource.SerializeToString()) + blob(2, scope))
    return out


def as_json(item: Item) -> str:
    """A span as JSON; out of order, the id does not stand first."""
    span = item.message
    assert isinstance(span, Span)
    fields = {
        "traceId": span.trace_id.hex().upper() if item.seed % 2 else span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "parentSpanId": span.parent_span_id.hex(),
        "name": span.name,
        "attributes": [{"key": a.key, "value": {"stringValue": a.value.string_value}} for a in span.attributes],
        "links": [{"traceId": link.trace_id.hex(), "spanId": link.span_id.hex()} for link in span.links],
        "endTimeUnixNano": "1",
    }
    names = list(fields) if item.order == "ascending" else list(fields)[::-1]
    return json.dumps({name: fields[name] for name in names}, indent=1 if item.order == "any" else None)


def otlp_json(drawn: Sequence[Sequence[Item]], broken: str) -> bytes:
    made = []
    for number, group in enumerate(drawn):
        texts = [as_json(item) for item in group if isinstance(item.message, Span)]
        texts += [broken] if broken and number == 0 else []
        resource = json.dumps({"attributes": [{"key": "r", "value": {"stringValue": f"{number}"}}]})
        scope = f'{{"scope": {{"name": "{number}"}}, "spans": [{",".join(texts)}]}}'
        made.append(f'{{"resource": {resource}, "scopeSpans": [{scope}]}}')
    return f'{{"resourceSpans": [{",".join(made)}]}}'.encode()


def outcome(decoder: Decoder, value: bytes, wanted: Wish | None) -> Decoded:
    """What is read; nothing for a record that is refused as a whole."""
    try:
        return decoder.decode(value, wanted)
    except DecodeError:
        return Decoded()


def agrees(decoder: Decoder, value: bytes, traces: set[str]) -> None:
    wish = only(*traces)
    whole, some = outcome(decoder, value, None), outcome(decoder, value, wish)
    assert some.spans == tuple(span for span in whole.spans if span.trace_id in traces)
    assert some.logs == tuple(log for log in whole.logs if log.trace_id in traces)
    assert {span.trace_id for span in whole.spans} <= wish.asked
    assert outcome(decoder, value, Wish(lambda _: True)) == whole


@given(groups, wishes, st.sampled_from([b"", b"\xff", b"\x0a\x10\x01", b"\x0a\x10" + TRACES[0] + b"\x12\x7f"]))
def test_protobuf_in_any_order_of_fields(drawn: list[list[Item]], wish: set[str], broken: bytes) -> None:
    agrees(OtlpProto(), proto(drawn, broken), wish)


@given(groups, wishes, st.sampled_from(["", "5", '"text"', "{}", '{"traceId": 5}', '{"traceId":"\\u0000"}']))
def test_json_in_any_order_of_keys(drawn: list[list[Item]], wish: set[str], broken: str) -> None:
    agrees(OtlpJson(), otlp_json(drawn, broken), wish)


@given(st.lists(spans, max_size=8), wishes)
def test_what_the_library_itself_writes(drawn: list[Span], wish: set[str]) -> None:
    group = ResourceSpans(scope_spans=[ScopeSpans(spans=drawn)])
    agrees(OtlpProto(), ExportTraceServiceRequest(resource_spans=[group]).SerializeToString(), wish)


def test_a_resource_of_many_scopes_takes_linear_time() -> None:
    """Minutes, if each scope looked through its whole group again, or had the resource read again."""
    count = 20_000
    item = written(Item(Span(trace_id=TRACES[0], span_id=b"12345678"), "ascending", 0))
    resource = blob(1, Resource(attributes=attributes(["x" * 500_000])).SerializeToString())
    value = blob(1, resource + blob(2, blob(2, item)) * count)
    assert len(OtlpProto().decode(value).spans) == count
    scope = f'{{"spans": [{{"traceId": "{TRACES[0].hex()}", "spanId": "{"1" * 16}"}}]}}'
    entry = json.dumps({"attributes": [{"key": "x", "value": {"stringValue": "x" * 500_000}}]})
    text = f'{{"resourceSpans": [{{"resource": {entry}, "scopeSpans": [{", ".join([scope] * count)}]}}]}}'
    assert len(OtlpJson().decode(text.encode()).spans) == count
