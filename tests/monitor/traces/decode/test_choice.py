"""Reading only what is wanted gives what a whole reading has of it, however a record is written, in every encoding.

`test_wanted.py` has this for usual writers and large records; here records are as odd as their format allows.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from monitor.errors import DecodeError
from monitor.traces.decode import make_decoder
from monitor.wire import Decoded
from tests.monitor.traces.decode.encoders import blob
from tests.monitor.traces.decode.odd_protobuf import written
from tests.monitor.traces.decode.wishes import Wish, only

TRACES = [bytes([number]) * 16 for number in (1, 2, 0xAB)]
SPAN_IDS = [b"12345678", b"abcdefgh"]
IDS = st.sampled_from([*TRACES, *TRACES, *TRACES, bytes(16), b"shortid8", b""])
WISHES = st.sets(st.sampled_from([*(trace.hex() for trace in TRACES), b"shortid8".hex().rjust(32, "0")]), min_size=1)
FRAMES = st.sampled_from([b"", b"\0\0\0\0\1\0"])
"""Of a schema registry, with the index of the first message type."""
PARTS = ("bad_trace_id", "bad_span_id", "unreadable_span", "too_deep")


def outcome(encoding: str, value: bytes, wish: Wish | None) -> Decoded | None:
    try:
        return make_decoder(encoding).decode(value, wish)
    except DecodeError:
        return None


def agrees(encoding: str, value: bytes, traces: set[str]) -> None:
    """The spans, log records and requests of these traces are read, no others, and none is missing from the count."""
    whole = outcome(encoding, value, None)
    some = outcome(encoding, value, only(*traces))
    every = outcome(encoding, value, Wish(lambda _: True))
    assert every == whole
    kept, found = some or Decoded(), whole or Decoded()
    assert kept.spans == tuple(span for span in found.spans if span.trace_id in traces)
    assert kept.logs == tuple(log for log in found.logs if log.trace_id in traces)
    assert kept.requests == tuple(request for request in found.requests if request.trace_id in traces)
    if whole is not None and not whole.logs:
        assert some is not None
        assert parts_of(some) == parts_of(whole)
    for now in (frozenset[str](), frozenset([min(traces)])):
        parted = outcome(encoding, value, Wish(traces.__contains__, now.__contains__))
        assert_whole(encoding, parted or Decoded(), kept, now)


def assert_whole(encoding: str, parted: Decoded, kept: Decoded, now: Collection[str]) -> None:
    """What need not be read at once is in parts, which have together with what was read all that is wanted."""
    if parted.parts:
        assert parted.logs == kept.logs
        assert {span.trace_id for span in parted.spans} <= set(now)
        read = [outcome(encoding, part.value, None) or Decoded() for part in parted.parts]
        for part, decoded in zip(parted.parts, read, strict=True):
            assert part.spans == parts_of(decoded) or not decoded.spans
            assert {span.trace_id for span in decoded.spans} <= {part.trace_id}
        spans = [span for decoded in (parted, *read) for span in decoded.spans]
        assert sorted(spans, key=repr) == sorted(kept.spans, key=repr)
        assert parted.unwanted_spans == kept.unwanted_spans
    else:
        assert parted == kept


def parts_of(decoded: Decoded) -> int:
    skipped = sum(decoded.skipped.get(reason, 0) for reason in PARTS)
    return len(decoded.spans) + decoded.unwanted_spans + len(decoded.requests) + decoded.unwanted_requests + skipped


# ------------------------------------------------------------------------------------------------------------- protobuf

LINK = blob(2, SPAN_IDS[0]) + blob(1, TRACES[0])
"""Ends with a trace's id, as a span does whose writer descends."""
MORE = [
    *(blob(1, trace) for trace in TRACES),
    *(blob(1, trace) for trace in TRACES),
    blob(1, b""),
    blob(13, LINK),
    blob(9, blob(1, TRACES[1])),
    blob(5, b"\xff"),
    blob(15, b""),
]

otlp_spans = st.builds(
    lambda trace, span, code, flags, name: Span(
        trace_id=trace,
        span_id=span,
        name=name,
        links=[Span.Link(trace_id=TRACES[0], span_id=SPAN_IDS[0])] if flags else (),
        status=Status(code=code) if code else None,
        flags=flags,
        end_time_unix_nano=1,
    ).SerializeToString(),
    IDS,
    st.sampled_from([*SPAN_IDS, *SPAN_IDS, b""]),
    st.sampled_from([0, 2]),
    st.sampled_from([0, 0x101]),
    st.sampled_from(["", "name", "n" * 130]),
)
otlp_logs = st.builds(
    lambda trace, time: LogRecord(
        trace_id=trace, span_id=SPAN_IDS[0], time_unix_nano=time, observed_time_unix_nano=7, event_name="gen_ai.choice"
    ).SerializeToString(),
    IDS,
    st.sampled_from([0, 5]),
)
broken = st.sampled_from([b"\xff", b"\x0a\x10\x01", blob(1, TRACES[0]) + b"\x12\x7f", b"", b"\x0b"])
odd_spans = otlp_spans.flatmap(lambda data: written(data, *MORE))
otlp_items = st.one_of(odd_spans, odd_spans, otlp_logs.flatmap(written), broken)


def shells(number: int, content: st.SearchStrategy[bytes], *others: bytes) -> st.SearchStrategy[bytes]:
    """A message of such a field, any number of times, among others."""
    plain = st.lists(content, max_size=4).map(lambda parts: b"".join(blob(number, part) for part in parts))
    return plain.flatmap(lambda data: written(data + b"".join(others)))


RESOURCE = blob(1, blob(1, blob(1, b"service.name") + blob(2, blob(1, b"app"))))
SCOPE = blob(1, blob(1, b"scope"))
otlp_scopes = shells(2, otlp_items, SCOPE)
otlp_requests = shells(1, shells(2, otlp_scopes, RESOURCE) | shells(1000, otlp_scopes, RESOURCE))


@given(otlp_requests, WISHES, FRAMES, st.sampled_from(["otlp_proto", "auto"]))
def test_otlp_protobuf(value: bytes, wish: set[str], frame: bytes, encoding: str) -> None:
    agrees(encoding, frame + value, wish)


@given(st.lists(odd_spans, min_size=1, max_size=5), WISHES)
def test_the_spans_of_one_scope_in_protobuf(items: list[bytes], wish: set[str]) -> None:
    agrees("otlp_proto", blob(1, blob(2, b"".join(blob(2, item) for item in items))), wish)


jaeger_spans = st.builds(
    lambda trace, span: b"".join(
        [blob(1, trace), blob(2, span), blob(3, b"name"), blob(4, LINK), blob(8, blob(1, b"k") + blob(3, b"v"))]
    ),
    IDS,
    st.sampled_from([*SPAN_IDS, b""]),
)
zipkin_spans = st.builds(
    lambda trace, span: b"".join([blob(1, trace), blob(3, span), blob(5, b"name"), blob(11, blob(1, TRACES[1]))]),
    IDS,
    st.sampled_from([*SPAN_IDS, b""]),
)


@given(jaeger_spans.flatmap(lambda data: written(data, *MORE)) | broken, WISHES, FRAMES)
def test_jaeger_protobuf(value: bytes, wish: set[str], frame: bytes) -> None:
    agrees("jaeger_proto", frame + value, wish)
    agrees("auto", frame + value, wish)


@given(shells(1, zipkin_spans.flatmap(lambda data: written(data, *MORE)) | broken), WISHES, FRAMES)
def test_zipkin_protobuf(value: bytes, wish: set[str], frame: bytes) -> None:
    agrees("zipkin_proto", frame + value, wish)
    agrees("auto", frame + value, wish)


# ----------------------------------------------------------------------------------------------------------------- JSON

BLANKS = st.sampled_from(["", "", "", " ", "\n\t ", "\r\n"])
ODD = st.sampled_from(
    [
        ("\\u006eame", '"x"'),
        ("unknown", json.dumps({"traceId": TRACES[0].hex(), "traceID": TRACES[0].hex()})),
        ("traceIds", "[1, {}]"),
        ("traceid", f'"{TRACES[0].hex()}"'),
        ("\\ud800", '"\\udfff"'),
        ("name", '"\\ud83d"'),
        ("name", '"\\u0000"'),
        ("name", "5"),
        ("\\u0000", "null"),
    ]
)
"""More keys of a span."""
Pairs = Sequence[tuple[str, str]]


def text_of(pairs: Pairs, blanks: Sequence[str]) -> str:
    """A JSON object with these keys, which may repeat, and blanks between all its parts."""
    before, after, *_ = blanks
    inner = ",".join(f'{before}"{key}"{after}:{before}{value}{after}' for key, value in pairs)
    return f"{{{inner or before}}}"


def objects(pairs: Pairs, *keys: str) -> st.SearchStrategy[str]:
    """The object in any order of its keys, with others; `keys` may come twice, or be spelled with escapes."""
    values = st.sampled_from(
        [*(f'"{trace.hex()}"' for trace in TRACES), f'"{TRACES[2].hex().upper()}"', "null", '""', "7", '"\\u0000"']
    )
    names = st.sampled_from([*keys, *(f"\\u{ord(key[0]):04x}{key[1:]}" for key in keys)])
    more = st.lists(st.tuples(names, values) | ODD, max_size=2)
    orders = more.flatmap(lambda found: st.permutations([*pairs, *found]) | st.just([*pairs, *found]))
    return st.builds(text_of, st.just(pairs) | orders, st.tuples(BLANKS, BLANKS))


def as_pairs(fields: Mapping[str, object]) -> Pairs:
    return [(key, json.dumps(value)) for key, value in fields.items()]


def base64_of(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


hexes = st.builds(lambda raw, upper: raw.hex().upper() if upper else raw.hex(), IDS, st.booleans())
span_hexes = st.sampled_from(["1" * 16, "A" * 16, "", "0" * 16])
starts = st.sampled_from([b"", b"\xef\xbb\xbf", b"\n "])


def json_spans(
    trace: str, span: str, traces: st.SearchStrategy[str] = hexes, spans: st.SearchStrategy[str] = span_hexes
) -> st.SearchStrategy[Pairs]:
    return st.builds(lambda *ids: as_pairs({trace: ids[0], span: ids[1], "name": "n"}), traces, spans)


def usual(pairs: Pairs) -> str:
    return text_of(pairs, ("", " "))


no_spans = st.sampled_from(["5", "{}", "null"])
otlp_spans_of_any_writer = json_spans("traceId", "spanId").flatmap(
    lambda pairs: st.just(usual(pairs)) | objects(pairs, "traceId").map(lambda text: f'{{"unknown": 0,{text[1:]}')
)
"""A writer that begins with the id, as usual ones do, is asked for it once a record, see the next."""
otlp_spans_of_a_template = st.builds(
    lambda key, trace, span: usual([("traceId", f'"{"f" * 32}"'), ("spanId", span), (key, trace)]),
    st.sampled_from(["traceId", "trace\\u0049d"]),
    st.sampled_from([*(f'"{trace.hex()}"' for trace in TRACES), "null"]),
    span_hexes.map(json.dumps),
)
"""The writer sets its own id behind that of a template, in each span."""
base64_traces = IDS.map(base64_of) | IDS.map(lambda raw: base64_of(raw).rstrip("=").replace("/", "_"))
otlp_spans_of_protobuf = json_spans(
    "traceId", "spanId", IDS.map(base64_of), st.sampled_from([*SPAN_IDS, bytes(8)]).map(base64_of)
).map(usual)
"""As protobuf's own JSON mapping has it."""
otlp_spans_of_any_in_base64 = json_spans("traceId", "spanId", base64_traces | hexes).map(usual)
otlp_writers = st.sampled_from(
    [
        otlp_spans_of_any_writer | no_spans,
        otlp_spans_of_a_template,
        otlp_spans_of_protobuf,
        otlp_spans_of_protobuf | no_spans,
        otlp_spans_of_any_in_base64,
    ]
)


def own_names(text: str) -> str:
    """The record in protobuf's own names."""
    return re.sub(r'"([a-z]+(?:[A-Z][a-z]+)+)"(?=\s*:)', lambda key: re.sub("([A-Z])", r"_\1", key[0]).lower(), text)


def documents(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """A record of these documents: one by itself or as Tempo wraps it, several as an array or each on a new line."""
    shapes = [f"[{','.join(texts)}]", "\n".join(texts), "\r\n".join(texts) + "\r\n", f" [\n{', '.join(texts)}\n]"]
    if len(texts) == 1:
        batches = texts[0].replace('"resourceSpans"', '"batches"')
        shapes += [texts[0], texts[0], batches, f'{{"trace": {texts[0]}}}', f'{{"trace": {batches}, "status": "x"}}']
        groups = re.fullmatch(r'\{"resourceSpans": \[(\{"resource": .*)\]\}', texts[0], re.DOTALL)
        shapes += [groups[1]] if groups and '{"resource": ' not in groups[1][1:] else []  # one by itself
    return st.sampled_from(shapes)


@st.composite
def otlp_json(draw: st.DrawFn) -> bytes:
    """A record of one writer."""
    writer = draw(otlp_writers)
    count = draw(st.sampled_from([1, 1, 1, 2, 3]))
    text = draw(documents([draw(otlp_document(writer)) for _ in range(count)]))
    return (own_names(text) if draw(st.booleans()) else text).encode()


@st.composite
def otlp_document(draw: st.DrawFn, writer: st.SearchStrategy[str]) -> str:
    spans = st.lists(writer, max_size=4)
    today, old = ("scopeSpans", "scope"), ("instrumentationLibrarySpans", "instrumentationLibrary")
    groups = []
    for _ in range(draw(st.integers(0, 3))):
        list_name, scope_name = draw(st.sampled_from([today, old]))
        scope = f'{{"{scope_name}": {{"name": "s"}}, "spans": [{",".join(draw(spans))}]}}'
        groups.append(f'{{"resource": {{}}, "{list_name}": [{scope}]}}')
    return f'{{"resourceSpans": [{",".join(groups)}]}}'


@given(otlp_json(), WISHES, FRAMES | starts)
def test_otlp_json(value: bytes, wish: set[str], start: bytes) -> None:
    agrees("otlp_json", start + value, wish)
    agrees("auto", start + value, wish)
    assert outcome("auto", start + value, None) == outcome("otlp_json", start + value, None)


log_records = st.builds(
    lambda *ids: {"timeUnixNano": "5", "traceId": ids[0], "spanId": ids[1], "eventName": "gen_ai.choice"},
    hexes,
    span_hexes,
).flatmap(lambda found: objects(as_pairs(found), "traceId"))


@given(st.lists(log_records, max_size=4), WISHES, st.sampled_from(["scopeLogs", "instrumentationLibraryLogs"]))
def test_log_records_in_json(records: list[str], wish: set[str], name: str) -> None:
    agrees("otlp_json", f'{{"resourceLogs": [{{"{name}": [{{"logRecords": [{",".join(records)}]}}]}}]}}'.encode(), wish)


jaeger_ids = hexes | st.sampled_from(["AQEBAQEBAQEBAQEBAQEBAQ==", "1", "AQEBAQEBAQE="])
jaeger_objects = st.builds(
    lambda key, trace, span: {key: trace, "spanID": span, "operationName": "n", "tags": []},
    st.sampled_from(["traceId", "traceID"]),
    jaeger_ids,
    span_hexes,
).flatmap(lambda found: objects(as_pairs(found), "traceId", "traceID"))
jaeger_records = st.one_of(
    jaeger_objects,
    st.lists(jaeger_objects, max_size=3).map(lambda spans: f"[{','.join(spans)}]"),
    st.lists(jaeger_objects, max_size=3).map("\n".join),
    st.lists(jaeger_objects, max_size=3).map(
        lambda spans: f'[{{"spans": [{",".join(spans)}]}}, {",".join(spans) or 5}]'
    ),
    st.lists(jaeger_objects, max_size=3).map(lambda spans: f'{{"spans": [{",".join(spans)}]}}'),
    st.lists(jaeger_objects, max_size=3).map(lambda spans: f'{{"data": [{{"spans": [{",".join(spans)}]}}]}}'),
    jaeger_objects.map(lambda text: text.removesuffix("}") + ', "spans": null}'),
)


@given(jaeger_records, WISHES, FRAMES | starts)
def test_jaeger_json(text: str, wish: set[str], start: bytes) -> None:
    agrees("jaeger_json", start + text.encode(), wish)
    agrees("auto", start + text.encode(), wish)


zipkin_objects = json_spans("traceId", "id").flatmap(lambda pairs: objects(pairs, "traceId")) | no_spans
zipkin_records = st.one_of(
    zipkin_objects,
    st.lists(zipkin_objects, max_size=4).map(lambda spans: f"[{','.join(spans)}]"),
    st.lists(zipkin_objects, max_size=4).map("\n".join),
)


@given(zipkin_records, WISHES, FRAMES | starts)
def test_zipkin_json(text: str, wish: set[str], start: bytes) -> None:
    agrees("zipkin_json", start + text.encode(), wish)
    agrees("auto", start + text.encode(), wish)


plain_objects = st.builds(lambda trace: {"trace_id": trace, "question": "q"}, hexes).flatmap(
    lambda found: objects(as_pairs(found), "trace_id")
)


plain_lists = st.lists(plain_objects, max_size=3)
plain_values = plain_objects | plain_lists.map(lambda found: f"[{','.join(found)}]") | plain_lists.map("\r\n".join)


@given(plain_values, WISHES)
def test_plain_records(text: str, wish: set[str]) -> None:
    agrees("plain", text.encode(), wish)
    agrees("auto", text.encode(), wish)
