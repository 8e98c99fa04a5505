"""OTLP/JSON in the forms that others than the Collector write: each gives what the same request gives in protobuf."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from monitor.errors import DecodeError
from monitor.traces.decode import make_decoder
from monitor.wire import Decoded
from tests.monitor.traces.decode.samples import LOG_CAPTURES, SPAN_CAPTURES, SPAN_ID, TRACE_ID
from tests.monitor.traces.decode.wishes import only

CAPTURES = [*SPAN_CAPTURES, *LOG_CAPTURES]
Writer = Callable[[TracesData | LogsData], str]


def hex_ids(text: str) -> str:
    """Protobuf's JSON with the ids of OTLP/JSON."""
    return re.sub(
        r'("(?:traceId|spanId|parentSpanId)": ?)"([^"]+)"',
        lambda found: f'{found[1]}"{base64.b64decode(found[2]).hex()}"',
        text,
    )


WRITERS: dict[str, Writer] = {
    "protobuf's mapping": lambda message: MessageToJson(message, indent=None),
    "of many lines": MessageToJson,
    "its own names": lambda message: MessageToJson(message, indent=None, preserving_proto_field_name=True),
    "its own names, of many lines": lambda message: MessageToJson(message, preserving_proto_field_name=True),
    "numbers of enums": lambda message: MessageToJson(message, indent=None, use_integers_for_enums=True),
    "hex ids": lambda message: hex_ids(MessageToJson(message, indent=None)),
}
SHELLS: dict[str, Callable[[str], str]] = {
    "array": lambda text: f"[{text}]",
    "array of many lines": lambda text: f"[\n  {text}\n]\n",
    "behind a blank line": lambda text: f"\n{text}\n",
    "frame": lambda text: f"\0\0\0\0\1{text}",
    "marked": lambda text: f"\ufeff{text}",
    "framed and marked": lambda text: f"\0\0\0\0\1\ufeff{text}",
    "Tempo": lambda text: re.sub(r'"resourceSpans"(?=\s*:)', '"batches"', text, count=1),
    "Tempo's trace": lambda text: f'{{"trace": {text}, "metrics": {{}}}}',
}


@cache
def messages() -> list[TracesData | LogsData]:
    spans = [TracesData.FromString(path.read_bytes()) for path in SPAN_CAPTURES]
    return [*spans, *(LogsData.FromString(path.read_bytes()) for path in LOG_CAPTURES)]


@cache
def wanted() -> list[Decoded]:
    return [make_decoder("otlp_proto").decode(path.read_bytes()) for path in CAPTURES]


@pytest.mark.parametrize("writer", WRITERS)
def test_every_capture_is_the_same_from_every_writer(writer: str) -> None:
    decoder = make_decoder("auto")

    for message, want in zip(messages(), wanted(), strict=True):
        assert same(decoder.decode(WRITERS[writer](message).encode()), want)


def same(got: Decoded, want: Decoded) -> bool:
    """JSON has no fields that OTLP does not have, so nothing is left out of it."""
    return (got.spans, got.logs) == (want.spans, want.logs)


FORMS = [
    (writer, shell) for writer in WRITERS for shell in SHELLS if not ("Tempo" in shell and writer.startswith("its own"))
]


@pytest.mark.parametrize(("writer", "shell"), FORMS)
def test_what_stands_around_a_document_changes_nothing(writer: str, shell: str) -> None:
    value = SHELLS[shell](WRITERS[writer](messages()[0])).encode()

    for encoding in ("auto", "otlp_json"):
        assert same(make_decoder(encoding).decode(value), wanted()[0])


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\n\n"])
def test_documents_one_behind_the_other_are_read_together(writer: str, line_end: str) -> None:
    texts = [WRITERS[writer](message) for message in messages()]
    decoder = make_decoder("auto")
    want = Decoded(
        spans=tuple(span for one in wanted() for span in one.spans),
        logs=tuple(log for one in wanted() for log in one.logs),
    )

    assert same(decoder.decode(line_end.join(texts).encode()), want)
    assert same(decoder.decode(f"[{', '.join(texts)}]".encode()), want)


def test_of_many_documents_only_the_wanted_spans_are_read() -> None:
    texts = [MessageToJson(message, indent=None) for message in messages()[:3]]
    trace_id = wanted()[1].spans[0].trace_id

    some = make_decoder("auto").decode("\n".join(texts).encode(), only(trace_id))

    assert some.spans == tuple(one for want in wanted()[:3] for one in want.spans if one.trace_id == trace_id)


def go_span() -> dict[str, Any]:
    """As `json.Marshal` of Go writes the types that are generated from protobuf."""
    return {
        "trace_id": base64.b64encode(TRACE_ID).decode(),
        "span_id": base64.b64encode(SPAN_ID).decode(),
        "name": "ask",
        "kind": 3,
        "start_time_unix_nano": 1790000000000000001,
        "end_time_unix_nano": 1790000000000000002,
        "attributes": [
            {"key": "text", "value": {"Value": {"StringValue": '"trace_id": 1'}}},
            {"key": "whole", "value": {"Value": {"IntValue": 7}}},
            {"key": "list", "value": {"Value": {"ArrayValue": {"values": [{"Value": {"BoolValue": True}}, {}]}}}},
            {"key": "map", "value": {"Value": {"KvlistValue": {"values": [{"key": "k", "value": {"Value": None}}]}}}},
            {"key": "bytes", "value": {"Value": {"BytesValue": "AP8="}}},
            {"key": "unset", "value": {}},
        ],
        "status": {"code": 2},
    }


def test_the_types_of_go_are_read_with_their_values() -> None:
    value = json.dumps({"resource_spans": [{"scope_spans": [{"spans": [go_span()]}]}]}).encode()

    (span,) = make_decoder("auto").decode(value).spans

    assert (span.trace_id, span.span_id, span.kind, span.start_ns) == (
        TRACE_ID.hex(),
        SPAN_ID.hex(),
        3,
        1790000000000000001,
    )
    assert span.attributes == {
        "text": '"trace_id": 1',
        "whole": 7,
        "list": [True, None],
        "map": {},
        "bytes": b"\x00\xff",
    }


def test_names_in_texts_are_no_keys() -> None:
    """Only keys are read under other names: texts stay as they are, with quotes, colons and backslashes."""
    said = '{"trace_id": "x", "span_id" : 1, \\"trace_id\\": 2}\\'
    span = {**go_span(), "name": said, "attributes": [{"key": "trace_id", "value": {"string_value": said}}]}
    odd = {**span, 'a"trace_id': "no id of it", "links": None}
    value = json.dumps({"resource_spans": [{"scope_spans": [{"spans": [odd]}]}]}).encode()

    (read,) = make_decoder("auto").decode(value).spans

    assert (read.trace_id, read.name, read.attributes) == (TRACE_ID.hex(), said, {"trace_id": said})


@pytest.mark.parametrize(
    ("number", "want"),
    [("1.79e18", 1790000000000000000), ("1790000000000000000.0", 1790000000000000000), ("5.5", 0), ("-1e3", 0)],
)
def test_a_time_may_be_a_number_with_an_exponent(number: str, want: int) -> None:
    span = f'{{"traceId": "{TRACE_ID.hex()}", "spanId": "{SPAN_ID.hex()}", "startTimeUnixNano": {number}}}'
    value = f'{{"resourceSpans": [{{"scopeSpans": [{{"spans": [{span}]}}]}}]}}'.encode()

    assert [read.start_ns for read in make_decoder("auto").decode(value).spans] == [want]


@pytest.mark.parametrize("writer", [writer for writer in WRITERS if not writer.startswith("its own")])
def test_what_a_request_has_one_of_is_read_by_itself(writer: str) -> None:
    decoder = make_decoder("auto")
    found = []
    for message in messages():
        (groups,) = json.loads(WRITERS[writer](message)).values()
        found += [decoder.decode(json.dumps(group).encode()) for group in groups]

    assert [span for one in found for span in one.spans] == [span for one in wanted() for span in one.spans]
    assert [log for one in found for log in one.logs] == [log for one in wanted() for log in one.logs]


DOCUMENT = MessageToJson(
    TracesData.FromString(SPAN_CAPTURES[0].read_bytes()), indent=None, preserving_proto_field_name=True
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{DOCUMENT}\n{DOCUMENT[:-1]}", "bad_json"),
        (f"{DOCUMENT}{DOCUMENT}", "bad_json"),
        (f"{DOCUMENT}\n5", "bad_json"),
        (f"[{DOCUMENT}, 5]", "wrong_type"),
        (f"[[{DOCUMENT}]]", "wrong_type"),
        (f"[{DOCUMENT}", "bad_json"),
        ('[{"resourceSpans": []}]', "no_spans"),
        ('{"batches": []}', "no_spans"),
        ('{"trace": {"resourceSpans": []}}', "no_spans"),
        ('{"batches": 5}', "unknown_encoding"),
        ('{"trace": {"resourceSpans": 5}}', "unknown_encoding"),
        ('{"trace": "of a plain record"}', "unknown_encoding"),
    ],
)
def test_what_is_no_such_form_is_a_decode_error(text: str, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        make_decoder("auto").decode(text.encode())
    assert caught.value.kind == kind


def test_a_plain_record_may_have_keys_of_tempo() -> None:
    text = '{"trace_id": "t", "question": "q", "batches": [1], "trace": {"batches": []}}'

    assert [one.trace_id for one in make_decoder("auto").decode(text.encode()).requests] == ["t"]


@pytest.mark.parametrize("text", [" " * 10**6, "[" + " " * 10**6, "{" + "\n" * 10**6, "}\n" * 10**5, '{"_' * 10**5])
def test_blanks_and_line_ends_by_the_million_take_no_time(text: str) -> None:
    begun = time.process_time()

    with pytest.raises(DecodeError):
        make_decoder("auto").decode(text.encode())
    with pytest.raises(DecodeError):
        make_decoder("otlp_json").decode(b'{"resource_spans": ' + text.encode())

    assert time.process_time() - begun < 2
