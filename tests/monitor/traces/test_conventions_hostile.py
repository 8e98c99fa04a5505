"""No value under a key that a convention reads makes it raise, whatever role the span is taken for."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.conventions.openlit import OPENLIT
from monitor.traces.conventions.otel_genai import OTEL_GENAI
from monitor.traces.conventions.traceloop import TRACELOOP
from monitor.traces.conventions.vector_stores import VECTOR_STORES
from monitor.traces.reading import FACTS, TEXTS, Role
from monitor.wire import AttributeValue, SpanEvent
from tests.monitor.traces.spans import span

_OURS = (TRACELOOP, OPENLIT, OTEL_GENAI, VECTOR_STORES)
_KEYS = (
    "traceloop.span.kind", "traceloop.entity.name", "traceloop.entity.input", "traceloop.entity.output",
    "traceloop.prompt.template_variables", "llm.request.type", "gen_ai.prompt.0.role", "gen_ai.prompt.0.content",
    "gen_ai.completion.0.content", "gen_ai.completion.content", "gen_ai.prompt", "gen_ai.completion",
    "gen_ai.operation.name", "gen_ai.span.kind", "gen_ai.workflow.input", "gen_ai.workflow.output",
    "gen_ai.framework.pipeline.input_data", "gen_ai.retrieval.documents", "gen_ai.retrieval.document_count",
    "gen_ai.system", "gen_ai.framework.query.type", "gen_ai.task.status", "telemetry.sdk.name",
    "db.system", "db.operation", "db.query.text", "db.response.returned_rows",
    "db.response.output", "db.vector.query.content",
)  # fmt: skip
_EVENTS = ("db.query.result", "db.search.result", "gen_ai.content.prompt", "gen_ai.user.message", "gen_ai.choice")
_FIELDS = ("db.query.result.metadata", "db.search.result.entity", "gen_ai.prompt", "gen_ai.event.content", "message")
_WORDS = st.sampled_from(
    (
        "task", "workflow", "tool", "retrieve", "chat", "rerank", "framework", "retrieval", "openlit", "chroma",
        "query", "inputs", "outputs", "output", "kwargs", "args", "documents", "nodes", "query_bundle", "tool_name",
        "tool_output", "content", "role", "messages", "id", "text", "Doc 0, Score: x", "texts=['a'", "{'a': [1",
        '{"a": ', "\x00\ud83d",
    )
)  # fmt: skip
_VALUES: st.SearchStrategy[AttributeValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORDS | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=8,
)
_HELD = _VALUES | _VALUES.map(lambda value: json.dumps(value, default=str)) | _VALUES.map(repr)


@given(
    attributes=st.dictionaries(st.sampled_from(_KEYS), _HELD, max_size=6),
    event=st.builds(SpanEvent, st.sampled_from(_EVENTS), st.just(1), st.dictionaries(st.sampled_from(_FIELDS), _HELD)),
    scope=st.sampled_from(("", "openlit", "opentelemetry.instrumentation.llamaindex")),
)
def test_reading_never_raises(attributes: dict[str, AttributeValue], event: SpanEvent, scope: str) -> None:
    read = span("a", attributes=attributes, events=(event,), scope=scope)
    for convention in _OURS:
        assert convention.role(read) in {None, *Role}
        assert convention.shows(read) in {None, True, False}
        for role in Role:
            for field in (*TEXTS, *FACTS):
                for rule in convention.rules(role, field):
                    rule.read(read)
