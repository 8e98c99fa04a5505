"""Langtrace's spans of frameworks: what a method was called with and returned, under keys of the framework.

Its spans of model clients follow OpenTelemetry, those of vector stores `db.*`. LangChain's methods call each other:
several spans stand for one call of a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from monitor.traces.conventions.keys import names_retrieval, text_of
from monitor.traces.conventions.recorded import Recorded, decoded
from monitor.traces.exchange import read_answering, read_prompt, read_reply
from monitor.traces.literals import read_literal
from monitor.traces.reading import OUTPUT, PROMPT, RESPONSE_MODEL, Convention, Message, Role, Rule, says
from monitor.wire import AttributeValue, Span

SERVICE_TYPE: Final = "langtrace.service.type"
_FRAMEWORK: Final = "framework"
_LANGCHAIN_TASK: Final = "langchain.task.name"
_LLAMAINDEX_TASK: Final = "llamaindex.task.name"
_GRAPH_TASK: Final = "langgraph.task.name"


class _Pair(NamedTuple):
    """The keys of what a method was called with and of what it returned."""

    asked: str
    returned: str


_PAIRS: Final = (
    _Pair("langchain.inputs", "langchain.outputs"),
    _Pair("llamaindex.inputs", "llamaindex.outputs"),
    _Pair("embedchain.inputs", "embedchain.outputs"),
    _Pair("neo4j_graphrag.query_text", "neo4j_graphrag.answer"),
    _Pair("neo4j.retriever.query_text", "neo4j.retriever.items"),
    _Pair("agno.agent.inputs", "agno.agent.response_content"),
    _Pair("agno.team.inputs", "agno.team.response_content"),
    _Pair("dspy.signature.args", "dspy.signature.result"),
    _Pair("crewai.task.description", "crewai.task.result"),
    _Pair("crewai.crew.inputs", "crewai.crew.result"),
)
_MODELS = frozenset({"chatmodel", "language_model", "generate"})
"""Tasks of all methods of LangChain's models, also of those that call none."""
_TASKS: Mapping[str, Role] = {
    "retriever": Role.RETRIEVER,
    "retrieve_data": Role.RETRIEVER,
    "runnable": Role.CHAIN,
    "query": Role.CHAIN,
    "chat": Role.CHAIN,
}
"""Of LangChain and LlamaIndex; all others prepare something or take it apart."""
_STORE: Final = "vector_store"
_MAX_NESTING = 4


def _value(span: Span, side: str) -> AttributeValue:
    key = _key(span, side)
    if key is None:
        return None
    value = decoded(span, key)
    printed = read_literal(value) if isinstance(value, str) and key == "dspy.signature.args" else None
    return {"args": [], "kwargs": printed} if isinstance(printed, dict) else value


def _key(span: Span, side: str) -> str | None:
    """Where a value of this span stands; None when nowhere."""
    keys = [pair.asked if side == _VALUES.asked else pair.returned for pair in _PAIRS]
    return next((key for key in keys if span.attributes.get(key) is not None), None)


_VALUES: Final = Recorded("FRAMEWORK.inputs", "FRAMEWORK.outputs", _value, is_keyed=False)


def _role(span: Span) -> Role | None:
    """By the task; without one by what the span shows."""
    task = text_of(span.attributes, _LANGCHAIN_TASK, _LLAMAINDEX_TASK, _GRAPH_TASK)
    if task is None:
        return Role.RETRIEVER if "neo4j.retriever.query_text" in span.attributes else _VALUES.role_by_type(span, None)
    if task in _MODELS:
        return Role.MODEL if _prompt(span) and read_reply(_value(span, _VALUES.returned)) else Role.STEP
    if task == _STORE and names_retrieval(span.name):
        return Role.RETRIEVER
    return _TASKS.get(task, Role.STEP)


def _prompt(span: Span) -> tuple[Message, ...] | None:
    """The first argument: messages, or as many lists around them as the method takes prompts and batches."""
    value = _value(span, _VALUES.asked)
    value = value[0] if isinstance(value, list) and value else None
    for _ in range(_MAX_NESTING):
        first = value[0] if isinstance(value, list) and value else None
        if not isinstance(first, list) and not (isinstance(first, dict) and "messages" in first):
            break
        value = first
    return read_prompt(value)


def _model(span: Span) -> str | None:
    return read_answering(_value(span, _VALUES.returned)).model


_TEXTS: Final = {
    **_VALUES.texts(),
    Role.MODEL: (
        says(PROMPT, Rule(_VALUES.asked, _prompt)),
        says(OUTPUT, _VALUES.on_returned(read_reply)),
    ),
}

LANGTRACE = Convention(
    name="langtrace",
    version="3",
    heads=frozenset({"langtrace"}),
    role=_role,
    owns=lambda span: span.attributes.get(SERVICE_TYPE) == _FRAMEWORK,
    texts=_TEXTS,
    facts=(says(RESPONSE_MODEL, Rule("langchain.outputs", _model, "langchain.outputs")),),
    contents=tuple(key for pair in _PAIRS for key in pair),
    is_json=lambda _span, key: key.endswith((".inputs", ".outputs")),
)
"""Spans with `langtrace.service.type`; those of clients and stores are left to their conventions."""
