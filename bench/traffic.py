"""Traces as a service sends them: many from a few, as each copy gets a trace id of its own.

A large one has about 10 KB (six spans, five passages, an answer of four sentences of which some are not supported), a
small one about 1 KB (three spans, one short passage). A batch is what a Collector makes of the exports of many
requests: one message with one resource for each of them.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import SpanKind, Tracer

Shape = Literal["keyed", "batches", "json"]
PER_BATCH = 100
_TEMPLATES = 50
_OPERATION = "gen_ai.operation.name"
_WORDS = """
    ferry harbour ticket crossing bicycle passenger deck office quay departure arrival weather storm lighthouse
    captain saloon coffee island bridge season summer winter price discount child adult group luggage locker key
    counter website message notice refund delay hour minute morning evening weekend holiday map path shore boat
    """.split()  # noqa: SIM905 - a list of words reads best as words


class _Kept(SpanProcessor):
    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(span)


@dataclass(frozen=True, slots=True)
class _Template:
    """One trace; `json` is its part of `resourceSpans`."""

    trace_id: bytes
    proto: bytes
    json: str


class Traffic:
    """Records of one shape: `keyed` by trace id, or keyless `batches` of 100 traces, or such batches as OTLP `json`."""

    def __init__(self, seed: int, *, small: bool = False) -> None:
        self._rng = random.Random(seed)
        self._small = small
        self._templates = [self._template() for _ in range(_TEMPLATES)]

    @property
    def mean_bytes(self) -> float:
        """Mean size of a trace in OTLP protobuf."""
        return sum(len(template.proto) for template in self._templates) / len(self._templates)

    def records(self, count: int, shape: Shape = "keyed") -> Iterator[tuple[bytes | None, bytes]]:
        """Key (32 hex characters) and value of each record; every trace in them is one of its own."""
        for number in range(count):
            if shape == "keyed":
                fresh = self._rng.randbytes(16)
                yield fresh.hex().encode(), self._proto(number, fresh)
            else:
                numbers = range(number * PER_BATCH, (number + 1) * PER_BATCH)
                yield None, self._batch(numbers) if shape == "batches" else self._json_batch(numbers)

    def _batch(self, numbers: range) -> bytes:
        return b"".join(self._proto(number, self._rng.randbytes(16)) for number in numbers)

    def _json_batch(self, numbers: range) -> bytes:
        groups = []
        for number in numbers:
            template = self._templates[number % len(self._templates)]
            groups.append(template.json.replace(template.trace_id.hex(), self._rng.randbytes(16).hex()))
        return f'{{"resourceSpans":[{",".join(groups)}]}}'.encode()

    def _proto(self, number: int, trace_id: bytes) -> bytes:
        template = self._templates[number % len(self._templates)]
        return template.proto.replace(template.trace_id, trace_id)

    def _template(self) -> _Template:
        kept = _Kept()
        provider = TracerProvider(
            resource=Resource.create({"service.name": "bench", "service.version": "1.0.0"}), shutdown_on_exit=False
        )
        provider.add_span_processor(kept)
        self._ask(provider.get_tracer("bench"))
        assert kept.spans[0].context is not None  # noqa: S101 - for the type checker
        trace_id = kept.spans[0].context.trace_id.to_bytes(16, "big")
        request = encode_spans(kept.spans)
        (group,) = MessageToDict(request)["resourceSpans"]
        return _Template(trace_id, request.SerializeToString(), json.dumps(_hex_ids(group), separators=(",", ":")))

    def _ask(self, tracer: Tracer) -> None:
        """One request of the service."""
        passages = [self._text(1)] if self._small else [self._text(11) for _ in range(5)]
        question = self._sentence().replace(".", "?")
        answer = passages[0] if self._small else " ".join([*passages[0].split(". ")[:3], self._sentence()])
        operation = _OPERATION
        with tracer.start_as_current_span("invoke_workflow ask", attributes={operation: "invoke_workflow"}) as entry:
            entry.set_attribute("gen_ai.input.messages", _messages("user", question))
            with tracer.start_as_current_span("retrieval", attributes={operation: "retrieval"}) as span:
                span.set_attribute("gen_ai.retrieval.query.text", question)
                found = [{"id": f"d{n}", "score": 1 - n / 10, "content": text} for n, text in enumerate(passages)]
                span.set_attribute("gen_ai.retrieval.documents", json.dumps(found))
                self._search(tracer)
            with tracer.start_as_current_span("chat m-1", kind=SpanKind.CLIENT, attributes={operation: "chat"}) as span:
                span.set_attributes({"gen_ai.request.model": "m-1", "gen_ai.response.model": "m-1-2026"})
                span.set_attributes({"gen_ai.usage.input_tokens": 800, "gen_ai.usage.output_tokens": 60})
                if not self._small:
                    span.set_attribute("gen_ai.input.messages", _messages("user", "\n".join([*passages, question])))
                    with tracer.start_as_current_span("POST", kind=SpanKind.CLIENT) as call:
                        call.set_attributes({"http.request.method": "POST", "http.response.status_code": 200})
                span.set_attribute("gen_ai.output.messages", _messages("assistant", answer))
            if not self._small:
                entry.set_attribute("gen_ai.output.messages", _messages("assistant", answer))

    def _search(self, tracer: Tracer) -> None:
        if self._small:
            return
        with tracer.start_as_current_span("embeddings", attributes={_OPERATION: "embeddings"}):
            pass
        with tracer.start_as_current_span("SELECT documents", kind=SpanKind.CLIENT) as query:
            query.set_attributes({"db.system": "postgresql", "db.operation": "SELECT", "server.port": 5432})

    def _text(self, sentences: int) -> str:
        return " ".join(self._sentence() for _ in range(sentences))

    def _sentence(self) -> str:
        words = self._rng.choices(_WORDS, k=self._rng.randrange(6, 14))
        return f"{' '.join(words).capitalize()} {self._rng.randrange(100)}."


def _messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def _hex_ids(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """OTLP/JSON has its ids as hex, protobuf's own JSON form has base64."""
    if isinstance(part, list):
        return [_hex_ids(item) for item in part]
    if not isinstance(part, dict):
        return part
    ids = {"traceId", "spanId", "parentSpanId"}
    return {key: base64.b64decode(value).hex() if key in ids else _hex_ids(value) for key, value in part.items()}
