"""Captures, field cases and small OTLP messages for the decoder tests."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans
from opentelemetry.proto.trace.v1.trace_pb2 import Span as ProtoSpan

DATA = Path(__file__).parents[3] / "data"
TRACES = DATA / "traces"

SPAN_CAPTURES = sorted(path for path in TRACES.glob("*.pb") if not path.name.endswith(".logs.pb"))
LOG_CAPTURES = sorted(TRACES.glob("*.logs.pb"))

TRACE_ID = bytes.fromhex("0123456789abcdef0123456789abcdef")
SPAN_ID = bytes.fromhex("00f067aa0ba902b7")


def wire(name: str) -> list[bytes]:
    """The values of a file of recorded Kafka records."""
    with gzip.open(DATA / "wire" / f"{name}.jsonl.gz", "rt") as lines:
        return [base64.b64decode(json.loads(line)["value"]) for line in lines]


@cache
def _cases() -> dict[str, dict[str, Any]]:
    lines = (DATA / "field-cases.jsonl").read_text().splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def case_values(case_id: str) -> list[bytes | None]:
    """The record values of a field case, as bytes on the wire."""
    values: list[bytes | None] = []
    for record in _cases()[case_id]["input"]["records"]:
        if "value_base64" in record:
            values.append(base64.b64decode(record["value_base64"]))
        else:
            values.append(None if record["value"] is None else json.dumps(record["value"]).encode())
    return values


def case_bytes(case_id: str) -> list[bytes]:
    """As `case_values`, for cases without tombstones."""
    return [value for value in case_values(case_id) if value is not None]


def proto_span(**fields: Any) -> ProtoSpan:  # noqa: ANN401 - fields of a generated class
    """A small span; ids and name are set unless given."""
    return ProtoSpan(**{"trace_id": TRACE_ID, "span_id": SPAN_ID, "name": "ask", **fields})


def request(*spans: ProtoSpan) -> bytes:
    """An export request of these spans."""
    return ExportTraceServiceRequest(
        resource_spans=[ResourceSpans(scope_spans=[ScopeSpans(spans=spans)])]
    ).SerializeToString()


def attribute(key: str, value: AnyValue) -> KeyValue:
    """One attribute."""
    return KeyValue(key=key, value=value)
