"""OpenLIT: OpenTelemetry GenAI with additions for frameworks, whose values older versions cut without a sign.

Up to 1.3x a retriever's documents are one text of samples, which is not what it returned; prompts are transcripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions import entities
from monitor.traces.conventions.aws_distro import is_moved
from monitor.traces.conventions.keys import count_of, text_of, texted
from monitor.traces.conventions.otel_events import has_whole
from monitor.traces.conventions.otel_operations import OPERATIONS
from monitor.traces.documents import read_documents, read_result
from monitor.traces.prompts import named_context, named_question
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    FAILURE,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    USER_ID,
    VARIABLES,
    Convention,
    Document,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, question_of
from monitor.traces.values import as_mapping
from monitor.wire import AttributeValue, Span

_SDK: Final = "telemetry.sdk.name"
_NAME: Final = "openlit"
_INPUT: Final = "gen_ai.workflow.input"
_OUTPUT: Final = "gen_ai.workflow.output"
_PIPELINE: Final = "gen_ai.framework.pipeline."
_PIPELINE_INPUT: Final = _PIPELINE + "input_data"
_QUERY_TYPE: Final = "gen_ai.framework.query.type"
_COUNTS = ("gen_ai.retrieval.document_count", "gen_ai.framework.retrieval.count")
_TOOL_OUTPUT: Final = "gen_ai.tool.output"
_MEMBER_LIMIT = 100
"""Characters of each member of a pipeline's input that are kept."""
_CONTENTS = (semconv.INPUT_MESSAGES, semconv.OUTPUT_MESSAGES, semconv.SYSTEM_INSTRUCTIONS, _INPUT, _OUTPUT)
_EVENTS = frozenset(
    {semconv.USER_EVENT, semconv.CHOICE_EVENT, semconv.PROMPT_EVENT, semconv.COMPLETION_EVENT, semconv.DETAILS_EVENT}
)


def _role(span: Span) -> Role | None:
    """By the operation, with OpenLIT's own words for frameworks; 1.35 writes the span's name there."""
    operation = span.attributes.get(semconv.OPERATION)
    if not isinstance(operation, str) or not _is_own(span):
        return None
    match operation.lower().partition(" ")[0]:
        case "retrieval" | "retrieve":
            return _role_of_retrieval(span)
        case "framework" | "workflow":
            return Role.CHAIN if _runs_whole(span) and _filled_in(span) is None else Role.STEP
        case "agent":
            return Role.CHAIN
        case "tools" | "tool":
            return Role.TOOL
        case known:
            return OPERATIONS.get(known)


def _role_of_retrieval(span: Span) -> Role:
    """LlamaIndex's query engines and its loaders of files are written as retrieval, too."""
    kind = span.attributes.get(_QUERY_TYPE)
    if kind == "query_engine" or semconv.WHOLE_COMPLETION in span.attributes:
        return Role.CHAIN
    is_query = kind is not None or "retriev" in span.name.lower() or semconv.WHOLE_PROMPT in span.attributes
    is_llama_index = text_of(span.attributes, semconv.SYSTEM, semconv.PROVIDER) == "llama_index"
    return Role.RETRIEVER if is_query or not is_llama_index else Role.STEP


def _runs_whole(span: Span) -> bool:
    attributes = span.attributes
    return span.name.startswith("workflow ") or any(key.startswith((_INPUT, _OUTPUT, _PIPELINE)) for key in attributes)


def _filled_in(span: Span) -> Mapping[str, str] | None:
    """What a step prepared for a prompt: the only place where versions that lose the inputs show a question."""
    output = as_mapping(entities.decoded(span.attributes.get(_OUTPUT)))
    variables = entities.only_texts(output) or {}
    is_prepared = named_context(variables) is not None and named_question(variables) is not None
    return variables if is_prepared and answer_in(output) is None else None


def _is_own(span: Span) -> bool:
    return span.attributes.get(_SDK) == _NAME or span.scope.startswith(_NAME) or span.resource.get(_SDK) == _NAME


def _question(value: AttributeValue) -> str | None:
    return entities.read_question(entities.decoded(value))


def _answer(value: AttributeValue) -> str | None:
    return entities.read_answer(entities.decoded(value))


def _pipeline_question(value: AttributeValue) -> str | None:
    """What a Haystack pipeline was asked, unless it may have been cut."""
    question = question_of(entities.decoded(value))
    return question if question is not None and len(question) < _MEMBER_LIMIT else None


def _nothing_found(span: Span) -> tuple[Document, ...] | None:
    return () if count_of(span.attributes, *_COUNTS) == 0 and _is_own(span) else None


def _asked(span: Span) -> str | None:
    return text_of(span.attributes, semconv.WHOLE_PROMPT) if _is_own(span) else None


def _listed(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(entities.decoded(value)) or None


def _shows(span: Span) -> bool | None:
    """Contents are written unless they are turned off: a model call without any is a sign of that."""
    if not _is_own(span):
        return None
    has_events = any(event.name in _EVENTS for event in span.events) or is_moved(span)
    if has_events or has_whole(span) or any(key in span.attributes for key in _CONTENTS):
        return True
    operation = span.attributes.get(semconv.OPERATION)
    return False if OPERATIONS.get(str(operation)) is Role.MODEL else None


OPENLIT = Convention(
    name="openlit",
    version="1.45",
    heads=frozenset({"gen_ai"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(_INPUT, _question), attribute(_PIPELINE_INPUT, _pipeline_question)),
            says(ANSWER, attribute(_OUTPUT, _answer)),
            says(DOCUMENTS, attribute(_OUTPUT, _listed), attribute(_INPUT, _listed)),
        ),
        Role.RETRIEVER: (
            says(QUERY, Rule(semconv.WHOLE_PROMPT, _asked, semconv.WHOLE_PROMPT)),
            says(DOCUMENTS, Rule(", ".join(_COUNTS), _nothing_found, _COUNTS)),
        ),
        Role.STEP: (says(VARIABLES, Rule(_OUTPUT, _filled_in, _OUTPUT)),),
        Role.TOOL: (
            says(DOCUMENTS, attribute(_TOOL_OUTPUT, lambda value: read_result(value)[0])),
            says(RESULT, attribute(_TOOL_OUTPUT, lambda value: read_result(value)[1])),
        ),
    },
    facts=(
        says(SESSION_ID, texted("gen_ai.session.id")),
        says(USER_ID, texted("gen_ai.user.id"), texted("gen_ai.request.user")),
        says(FAILURE, texted("gen_ai.framework.error.type")),
    ),
    contents=(_INPUT, _OUTPUT, _PIPELINE_INPUT, _TOOL_OUTPUT),
    is_json=lambda _span, key: key in {_INPUT, _OUTPUT, _PIPELINE_INPUT},
    shows=_shows,
)
"""Spans of OpenLIT's SDKs."""
