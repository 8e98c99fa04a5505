"""Traces as a service sends them, about 10 KB each: many from a few, as each copy gets a trace id of its own."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import SpanKind

_TEMPLATES = 50
_PASSAGES = 5
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


class Traffic:
    """Keyed records: six spans, five passages, an answer of four sentences of which some are not supported."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._templates = [self._template() for _ in range(_TEMPLATES)]

    @property
    def mean_bytes(self) -> float:
        """Mean size of a record's value."""
        return sum(len(value) for _, value in self._templates) / len(self._templates)

    def records(self, count: int) -> Iterator[tuple[bytes, bytes]]:
        """Key (32 hex characters) and value of each record; every one is a trace of its own."""
        for number in range(count):
            old, value = self._templates[number % len(self._templates)]
            fresh = self._rng.randbytes(16)
            yield fresh.hex().encode(), value.replace(old, fresh)

    def _template(self) -> tuple[bytes, bytes]:
        kept = _Kept()
        provider = TracerProvider(
            resource=Resource.create({"service.name": "bench", "service.version": "1.0.0"}), shutdown_on_exit=False
        )
        provider.add_span_processor(kept)
        tracer = provider.get_tracer("bench")
        passages = [self._text(11) for _ in range(_PASSAGES)]
        question = self._sentence().replace(".", "?")
        answer = " ".join([*passages[0].split(". ")[:3], self._sentence()])
        operation = "gen_ai.operation.name"
        with tracer.start_as_current_span("invoke_workflow ask", attributes={operation: "invoke_workflow"}) as entry:
            entry.set_attribute("gen_ai.input.messages", _messages("user", question))
            with tracer.start_as_current_span("retrieval", attributes={operation: "retrieval"}) as span:
                span.set_attribute("gen_ai.retrieval.query.text", question)
                found = [{"id": f"d{n}", "score": 1 - n / 10, "content": text} for n, text in enumerate(passages)]
                span.set_attribute("gen_ai.retrieval.documents", json.dumps(found))
                with tracer.start_as_current_span("embeddings", attributes={operation: "embeddings"}):
                    pass
                with tracer.start_as_current_span("SELECT documents", kind=SpanKind.CLIENT) as query:
                    query.set_attributes({"db.system": "postgresql", "db.operation": "SELECT", "server.port": 5432})
            with tracer.start_as_current_span("chat m-1", kind=SpanKind.CLIENT, attributes={operation: "chat"}) as span:
                span.set_attributes({"gen_ai.request.model": "m-1", "gen_ai.response.model": "m-1-2026"})
                span.set_attribute("gen_ai.input.messages", _messages("user", "\n".join([*passages, question])))
                span.set_attribute("gen_ai.output.messages", _messages("assistant", answer))
                with tracer.start_as_current_span("POST", kind=SpanKind.CLIENT) as call:
                    call.set_attributes({"http.request.method": "POST", "http.response.status_code": 200})
            entry.set_attribute("gen_ai.output.messages", _messages("assistant", answer))
        trace_id = kept.spans[0].context.trace_id.to_bytes(16, "big")
        return trace_id, encode_spans(kept.spans).SerializeToString()

    def _text(self, sentences: int) -> str:
        return " ".join(self._sentence() for _ in range(sentences))

    def _sentence(self) -> str:
        words = self._rng.choices(_WORDS, k=self._rng.randrange(6, 14))
        return f"{' '.join(words).capitalize()} {self._rng.randrange(100)}."


def _messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])
