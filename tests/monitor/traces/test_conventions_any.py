"""What every convention must keep to, whatever a span holds."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.reading import Convention, Role
from monitor.wire import AttributeValue, SpanEvent
from tests.monitor.traces.spans import span

RULES = {
    convention: [
        rule for role in Role for entry in (*convention.texts.get(role, ()), *convention.facts) for rule in entry.rules
    ]
    for convention in CONVENTIONS
}
_KEYS = sorted({key for rules in RULES.values() for rule in rules for key in re.findall(r"\w+(?:\.\w+)+", rule.where)})
_KINDS = ["openinference.span.kind", "langfuse.observation.type", "mlflow.spanType", "langsmith.span.kind", "metadata"]
_WORDS = [
    "retriever", "RETRIEVER", "llm", "chain", "role", "user", "content", "parts", "messages", "args", "documents",
    "replies", "generations", "choices", "output", "id", "text", "meta", "usage", "type", "tool", "message",
]  # fmt: skip

_plain: st.SearchStrategy[AttributeValue] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(_WORDS)
    | st.text(max_size=6)
    | st.binary()
)


def _nested(inner: st.SearchStrategy[AttributeValue]) -> st.SearchStrategy[AttributeValue]:
    mapping: st.SearchStrategy[AttributeValue] = st.dictionaries(st.sampled_from(_WORDS), inner, max_size=3)
    listed: st.SearchStrategy[AttributeValue] = st.lists(inner, max_size=3)
    return mapping | listed


def _as_text(value: AttributeValue) -> str:
    return json.dumps(value, default=str)


_values = st.recursive(_plain, _nested, max_leaves=12)
_written = _values | _values.map(_as_text) | _values.map(_as_text).map(lambda text: text[: len(text) // 2])
_attributes = st.dictionaries(st.sampled_from(_KEYS + _KINDS), _written, min_size=1, max_size=6)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: convention.name)
@settings(max_examples=30)  # for each of the conventions
@given(attributes=_attributes, body=_written)
def test_no_rule_raises_whatever_a_span_holds(
    convention: Convention, attributes: dict[str, AttributeValue], body: AttributeValue
) -> None:
    events = (SpanEvent("exception", 1, attributes), SpanEvent("gen_ai.choice", 2, attributes, body))
    read = span("a", attributes=attributes, events=events, scope="mlflow.tracing.provider", name="haystack.agent.run")
    assert convention.role(read) in {None, *Role}
    assert convention.hides(read) in {True, False}
    for rule in RULES[convention]:
        rule.read(read)
    for key in attributes:
        assert convention.is_json(read, key) in {True, False}


def test_names_are_told_apart() -> None:
    names = [convention.name for convention in CONVENTIONS]
    assert len(set(names)) == len(names)
