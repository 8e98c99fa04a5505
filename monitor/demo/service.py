"""The demo's RAG service: real retrieval, answers composed from the passages, real OpenTelemetry spans.

It follows the OpenTelemetry GenAI conventions and writes its spans as the Collector's Kafka exporter does with
`partition_traces_by_id: true`: one record for each trace and batch, keyed by the trace id as 32 hex characters.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import SpanKind, format_trace_id

from monitor.demo.corpus import DOCUMENTS, INVENTED, Document

_TERM = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]")
_COMMON = frozenset(
    "a an and are as at be by can do does for from how i in is it much my of on or the to what when where".split()  # noqa: SIM905 - a list of words reads best as words
)
_TOP = 3
_MODEL = "demo-composer-1"


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One Kafka record as the Collector writes it."""

    key: bytes
    value: bytes


class Retriever:
    """Ranks the documents by the rarity-weighted terms they share with the question (words; bigrams in Chinese)."""

    def __init__(self, documents: Sequence[Document] = DOCUMENTS) -> None:
        self._documents = [(document, Counter(_terms(document.text))) for document in documents]
        spread = Counter(term for _, terms in self._documents for term in terms)
        self._rarity = {term: math.log(1 + len(documents) / count) for term, count in spread.items()}

    def search(self, question: str) -> list[tuple[Document, float]]:
        """The best documents with their scores, best first; empty when nothing is shared."""
        wanted = set(_terms(question))
        scored = [
            (document, round(sum(self._rarity[term] for term in wanted & terms.keys()) / math.sqrt(len(terms)), 4))
            for document, terms in self._documents
        ]
        return sorted((hit for hit in scored if hit[1] > 0), key=lambda hit: -hit[1])[:_TOP]


class Service:
    """Answers questions; with a chance of `inventing` it says what no document supports.

    A `processor` gets each span as well, for instance one that sends it to a Collector; `close` shuts it down.
    """

    def __init__(self, rng: random.Random, processor: SpanProcessor | None = None) -> None:
        self.inventing = 0.0
        self._rng = rng
        self._retriever = Retriever()
        self._collected = _Collected()
        self._provider = TracerProvider(
            resource=Resource.create({"service.name": "ferry-and-books", "service.version": "1.4.2"}),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(self._collected)
        if processor is not None:
            self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("demo")

    def ask(self, document: Document | None = None) -> list[TraceRecord]:
        """Let one visitor ask; returns the records that the Collector would have written."""
        chosen = document or self._rng.choice(DOCUMENTS)
        question = self._rng.choice(chosen.questions)
        with self._tracer.start_as_current_span(
            "invoke_workflow ask",
            attributes={"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "ask"},
        ) as entry:
            entry.set_attribute("gen_ai.input.messages", _messages("user", question))
            hits = self._retrieve(question)
            answer = self._generate(question, hits)
            entry.set_attribute("gen_ai.output.messages", _messages("assistant", answer))
        return self._collected.take()

    def close(self) -> None:
        """Send what is still to be sent; the service asks nothing afterwards."""
        self._provider.shutdown()

    def _retrieve(self, question: str) -> list[tuple[Document, float]]:
        attributes = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": question}
        with self._tracer.start_as_current_span("retrieval", attributes=attributes) as span:
            hits = self._retriever.search(question)
            found = [{"id": document.id, "score": score, "content": document.text} for document, score in hits]
            span.set_attribute("gen_ai.retrieval.documents", json.dumps(found, ensure_ascii=False))
        return hits

    def _generate(self, question: str, hits: Sequence[tuple[Document, float]]) -> str:
        attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": _MODEL, "gen_ai.response.model": _MODEL}
        with self._tracer.start_as_current_span(f"chat {_MODEL}", kind=SpanKind.CLIENT, attributes=attributes) as span:
            answer = self._compose(question, hits)
            passages = "\n".join(document.text for document, _ in hits)
            span.set_attribute("gen_ai.input.messages", _messages("user", f"{passages}\n\n{question}"))
            span.set_attribute("gen_ai.output.messages", _messages("assistant", answer))
            span.set_attribute("gen_ai.usage.input_tokens", len(_terms(passages)))
            span.set_attribute("gen_ai.usage.output_tokens", len(_terms(answer)))
        return answer

    def _compose(self, question: str, hits: Sequence[tuple[Document, float]]) -> str:
        if not hits:
            return "I am sorry, I could not find anything about that."
        best = hits[0][0]
        sentences = re.findall(r"[^。.]+[。.](?=\s|$|[^0-9])", best.text)
        wanted = set(_terms(question))
        sentences.sort(key=lambda sentence: -len(wanted & set(_terms(sentence))))
        answer = sentences[0].strip() if self._rng.random() < 0.5 else best.text  # noqa: PLR2004 - a fair coin
        if self._rng.random() < self.inventing:
            invented = self._rng.sample(INVENTED[best.language], 2)
            answer = ("" if best.language == "zh" else " ").join(invented)
        return answer


class _Collected(SpanProcessor):
    """Keeps finished spans until they are taken as records."""

    def __init__(self) -> None:
        self._spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self._spans.append(span)

    def take(self) -> list[TraceRecord]:
        spans, self._spans = self._spans, []
        by_trace: dict[int, list[ReadableSpan]] = {}
        for span in spans:
            by_trace.setdefault(span.context.trace_id, []).append(span)
        return [
            TraceRecord(format_trace_id(trace_id).encode(), encode_spans(members).SerializeToString())
            for trace_id, members in by_trace.items()
        ]


def _messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}], ensure_ascii=False)


def _terms(text: str) -> list[str]:
    found = (term.removesuffix("s") for term in _TERM.findall(text.lower()) if term not in _COMMON)
    return list(_with_bigrams(found))


def _with_bigrams(terms: Iterable[str]) -> Iterable[str]:
    previous = ""
    for term in terms:
        chinese = term > "\u3400"
        if chinese and previous > "\u3400":
            yield previous + term
        if not chinese:
            yield term
        previous = term
