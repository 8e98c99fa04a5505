"""Haystack's own tracer, 2.x and 3.x: `haystack.pipeline.*`, `haystack.component.*` and `haystack.agent.*`.

A span is told by its name and its component's class. Content tags are there only with content tracing on, but for the
pipeline's input, which is always there. A missing value is written as empty text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    count_of,
    member,
)
from monitor.traces.documents import hands_documents, read_documents, read_result
from monitor.traces.exchange import read_answering, read_prompt, read_reply
from monitor.traces.messages import read_messages
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    TENANT,
    USER_ID,
    VARIABLES,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    says,
)
from monitor.traces.shapes import answer_of, query_in, question_of
from monitor.traces.values import as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

COMPONENT: Final = "haystack.component.type"
COMPONENT_INPUT: Final = "haystack.component.input"
COMPONENT_OUTPUT: Final = "haystack.component.output"
PIPELINE_INPUT: Final = "haystack.pipeline.input_data"
PIPELINE_OUTPUT: Final = "haystack.pipeline.output_data"
PIPELINE_METADATA: Final = "haystack.pipeline.metadata"
AGENT_INPUT: Final = "haystack.agent.input"
AGENT_OUTPUT: Final = "haystack.agent.output"
CALL_INPUT: Final = "haystack.agent.step.llm.input"
CALL_OUTPUT: Final = "haystack.agent.step.llm.output"
TOOL_OUTPUT: Final = "haystack.agent.step.tool.output"

_INPUTS = (PIPELINE_INPUT, AGENT_INPUT, CALL_INPUT, COMPONENT_INPUT)
_OUTPUTS = (PIPELINE_OUTPUT, AGENT_OUTPUT, CALL_OUTPUT, TOOL_OUTPUT, COMPONENT_OUTPUT)
_OPERATIONS: Mapping[str, Role] = {
    "haystack.pipeline.run": Role.CHAIN,
    "haystack.async_pipeline.run": Role.CHAIN,
    "haystack.agent.run": Role.CHAIN,
    "haystack.agent.step": Role.STEP,
    "haystack.agent.step.llm": Role.MODEL,
    "haystack.agent.step.tool": Role.TOOL,
}
_ENDINGS = (
    ("WebSearch", Role.RETRIEVER),
    ("Retriever", Role.RETRIEVER),
    ("DocumentJoiner", Role.RERANKER),
    ("ToolInvoker", Role.TOOL),
    ("Evaluator", Role.EVALUATOR),
    ("Agent", Role.CHAIN),
)
_PROMPT_BUILDER: Final = "PromptBuilder"
_TEMPLATES = frozenset({"template", "template_variables"})
_RESULTS: Final = "tool_messages"


def _role(span: Span) -> Role | None:
    """By the component's class, else by the span's name."""
    component = span.attributes.get(COMPONENT)
    if not isinstance(component, str) or not component:
        return _OPERATIONS.get(span.name)
    for ending, role in _ENDINGS:
        if component.endswith(ending):
            return role
    if "Ranker" in component:
        return Role.RERANKER
    if "Generator" in component and "Image" not in component:
        return Role.MODEL
    return Role.CHAIN if component == "LLM" else _role_of_other(span)


def _role_of_other(span: Span) -> Role:
    """A component of the application's own that finds documents for a query, or chooses among some."""
    asked = as_mapping(span.attributes.get(COMPONENT_INPUT))
    if "query" not in asked or read_documents(span.attributes.get(COMPONENT_OUTPUT)) is None:
        return Role.STEP
    return Role.RERANKER if hands_documents(list(asked.values())) else Role.RETRIEVER


def _first(span: Span, keys: tuple[str, ...]) -> AttributeValue:
    """The first of the keys that holds something. None when it was cut."""
    for key in keys:
        value = span.attributes.get(key)
        if value is not None and value != "":
            read = as_json(value)
            return None if isinstance(read, str) and key != TOOL_OUTPUT and read[:1] in {"{", "["} else read
    return None


def _asked(span: Span) -> AttributeValue:
    return _first(span, _INPUTS)


def _given(span: Span) -> AttributeValue:
    return _first(span, _OUTPUTS)


def _answer(span: Span) -> str | None:
    """Of an agent the last message, of a pipeline the only reply."""
    given = _given(span)
    return answer_of({"": given}) if isinstance(given, dict) and "messages" in given else answer_of(given)


def _result(span: Span) -> tuple[tuple[Document, ...] | None, str | None]:
    """What a tool gave back, or all that the tools that were invoked together gave."""
    given = _given(span)
    if isinstance(given, dict) and _RESULTS in given:
        messages: tuple[Message, ...] = read_messages(given[_RESULTS]) or ()
        results = [result for message in messages for result in message.results]
        return read_result(results[0]) if len(results) == 1 else (None, "\n".join(results) or None)
    return read_result(given)


def _variables(span: Span) -> Mapping[str, str] | None:
    """What fills a prompt template: its variables that are text."""
    component = span.attributes.get(COMPONENT)
    if not isinstance(component, str) or not component.endswith(_PROMPT_BUILDER):
        return None
    given = as_mapping(span.attributes.get(COMPONENT_INPUT))
    variables = {**given, **as_mapping(given.get("template_variables"))}
    return {
        name: text for name, text in variables.items() if isinstance(text, str) and text and name not in _TEMPLATES
    } or None


def _meta(span: Span) -> Mapping[str, AttributeValue]:
    """What the reply's metadata says: chat generators have it in the message, others beside it."""
    given = _given(span)
    read = given if isinstance(given, dict) else {}
    first = next(iter(as_list(read.get("replies"))), None)
    held = as_mapping(first)
    beside = next(iter(as_list(read.get("meta"))), None)
    return as_mapping(held.get("meta", held.get("_meta"))) or as_mapping(beside)


def _tokens(*names: str) -> Rule[int]:
    where = f"{COMPONENT_OUTPUT}: usage.{names[0]}"
    return Rule(where, lambda span: count_of(as_mapping(_meta(span).get("usage")), *names))


_FOUND = says(DOCUMENTS, Rule(COMPONENT_OUTPUT, lambda span: read_documents(_given(span))))
_QUERY = says(QUERY, Rule(COMPONENT_INPUT, lambda span: query_in(_asked(span))))

HAYSTACK = Convention(
    name="haystack",
    version="3",
    heads=frozenset({"haystack"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, Rule(f"{PIPELINE_INPUT}, {AGENT_INPUT}", lambda span: question_of(_asked(span)))),
            says(ANSWER, Rule(f"{PIPELINE_OUTPUT}, {AGENT_OUTPUT}", _answer)),
        ),
        Role.MODEL: (
            says(PROMPT, Rule(COMPONENT_INPUT, lambda span: read_prompt(_asked(span)))),
            says(OUTPUT, Rule(COMPONENT_OUTPUT, lambda span: read_reply(_given(span)))),
        ),
        Role.RETRIEVER: (_QUERY, _FOUND),
        Role.RERANKER: (_QUERY, _FOUND),
        Role.TOOL: (
            says(DOCUMENTS, Rule(TOOL_OUTPUT, lambda span: _result(span)[0])),
            says(RESULT, Rule(TOOL_OUTPUT, lambda span: _result(span)[1])),
        ),
        Role.STEP: (says(VARIABLES, Rule(COMPONENT_INPUT, _variables)),),
    },
    facts=(
        says(MODEL, Rule(COMPONENT_OUTPUT, lambda span: read_answering(_given(span)).model)),
        says(SESSION_ID, member(PIPELINE_METADATA, *SESSION_NAMES)),
        says(USER_ID, member(PIPELINE_METADATA, *USER_NAMES)),
        says(TENANT, member(PIPELINE_METADATA, *TENANT_NAMES)),
        says(APP_VERSION, member(PIPELINE_METADATA, *APP_VERSION_NAMES, "version")),
        says(PROMPT_VERSION, member(PIPELINE_METADATA, *PROMPT_NAMES)),
        says(KNOWLEDGE_BASE, member(PIPELINE_METADATA, *KNOWLEDGE_BASE_NAMES)),
        says(INPUT_TOKENS, _tokens("prompt_tokens", "input_tokens")),
        says(OUTPUT_TOKENS, _tokens("completion_tokens", "output_tokens")),
    ),
    contents=(*_INPUTS, *_OUTPUTS),
    is_json=lambda _span, key: key in {*_INPUTS, *_OUTPUTS} and key != TOOL_OUTPUT,
)
"""Spans of pipelines, components and agents."""
