"""What libraries are known to leave out, for explanations: the cause beside the gap.

Each was seen in spans that the library wrote. docs/zero-judged.md says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from monitor.records import ContextsSource, RagTrace
from monitor.traces.record import RequestReader
from monitor.traces.tree import Node


class Omission(NamedTuple):
    """Something that the spans of a library never show."""

    scope: str
    """What the name of its instrumentation begins with."""
    field: str
    """Of the record: `question`, `answer` or `contexts`."""
    why: str
    """For a person: the cause, and what to do."""
    convention: str = ""
    """The only convention of its spans that it holds for; empty: for all."""


OMISSIONS: Sequence[Omission] = (
    Omission(
        "opentelemetry.instrumentation.cohere",
        "contexts",
        "Traceloop does not record the parameter `documents` of Cohere's chat: put the documents into the prompt, or "
        "give the retrieval a span",
    ),
    Omission(
        "mlflow.",
        "answer",
        "MLFLOW_ENABLE_OTEL_GENAI_SEMCONV leaves out what chains, retrievers, LlamaIndex and DSPy return: leave it off",
        "mlflow_genai",
    ),
    Omission(
        "openlit.instrumentation.langchain",
        "answer",
        "OpenLIT writes no span for a streamed call of LangChain 0.3, and puts any other into a trace of its own where "
        "no span is around it and the retrieval: start one (`openlit.trace`), do not stream, or take LangChain 1",
    ),
    Omission(
        "agentscope",
        "contexts",
        "AgentScope leaves out of the prompt what its RAGMiddleware puts there in the mode `static`: take the mode "
        "`agentic`, whose tool has a span",
    ),
    Omission(
        "@traceloop/instrumentation-langchain",
        "answer",
        "Traceloop's 0.12 for JavaScript writes only LangChain's sequences, and none that is streamed or in a batch: "
        "take a later version",
    ),
)


def left_out(nodes: Sequence[Node], readers: Sequence[RequestReader], requests: Sequence[RagTrace]) -> Iterator[str]:
    """A sentence for each known omission that explains what a trace lacks: all, where it gave no request."""
    lacking = {name for request in requests for name in _lacking(request)}
    for one in OMISSIONS:
        is_missed = one.field in lacking or not requests
        if is_missed and any(_wrote(one, node) for node in nodes):
            yield f"its {one.field} may be missing because of its library: {one.why}"
    for reader, request in zip(readers, requests, strict=True):
        if not reader.calls.inner and request.answer is None and request.error is None and not request.redacted:
            yield f"request {request.request_id} has no span of a model call: it is in another trace, or is not written"


def _lacking(request: RagTrace) -> Iterator[str]:
    """The texts that are not on the wire, by their names."""
    if request.redacted or request.error is not None:
        return
    if request.question is None:
        yield "question"
    if request.answer is None:
        yield "answer"
    if request.contexts_source is ContextsSource.UNKNOWN:
        yield "contexts"


def _wrote(one: Omission, node: Node) -> bool:
    return node.span.scope.startswith(one.scope) and one.convention in {"", node.convention}
