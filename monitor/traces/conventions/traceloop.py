"""OpenLLMetry of Traceloop, in all its versions: `traceloop.*` entities beside model spans.

Up to about 0.4x a model span holds numbered messages (see `indexed.py`); later ones follow OpenTelemetry GenAI. The
LangChain part had no retriever spans then: documents are only seen in what steps return or are handed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions import entities, indexed
from monitor.traces.conventions.aws_distro import is_moved
from monitor.traces.conventions.entities import INPUTS, OUTPUTS
from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    count_of,
    counted,
    named,
    prompt_version,
    text_of,
    texted,
)
from monitor.traces.conventions.otel_operations import OPERATIONS
from monitor.traces.documents import read_documents, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.literals import read_literal
from monitor.traces.messages import read_messages
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    FAILURE,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESPONSE_MODEL,
    RESULT,
    SESSION_ID,
    STATED_ANSWER,
    STATED_QUESTION,
    TENANT,
    USER_ID,
    VARIABLES,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    T,
    attribute,
    says,
)
from monitor.traces.shapes import question_in
from monitor.traces.values import as_mapping
from monitor.wire import AttributeValue, Span

_KIND: Final = "traceloop.span.kind"
_NAME: Final = "traceloop.entity.name"
_TEMPLATE_VARIABLES: Final = "traceloop.prompt.template_variables"
_REQUEST_TYPE: Final = "llm.request.type"
_PROPERTIES: Final = "traceloop.association.properties."
_OF_CLIENT: Final = "metadata.requester_metadata"
_OWN_MARKS: Final = frozenset(
    {_KIND, _REQUEST_TYPE, "llm.is_streaming", "gen_ai.is_streaming", "traceloop.workflow.name"}
)
"""Attributes that nobody else sets."""
_RUN_ID: Final = "gen_ai.agent.id"
_PARENT_RUN_ID: Final = "gen_ai.task.parent.id"
_CREW_RESULT: Final = "crewai.crew.result"
_CREW_TASK: Final = "crewai.task.description"
"""What the agents are told to do: of several tasks none is the question."""
_PROMPT_KEY: Final = "traceloop.prompt.key"
_PROMPT_VERSIONS: Final = tuple(f"traceloop.prompt.version{suffix}" for suffix in ("", "_name", "_hash"))
_MESSAGES: Final = (semconv.INPUT_MESSAGES, semconv.OUTPUT_MESSAGES)
_OF_OTHERS: Final = (
    semconv.OI_INPUT,
    semconv.OI_OUTPUT,
    "langfuse.observation.input",
    "langfuse.observation.output",
)
"""Where LiteLLM has the contents of a call when it writes for Arize, Weave or Langfuse, beside Traceloop's facts."""
_CONTENTS: Final = (*INPUTS, *OUTPUTS, *_MESSAGES, semconv.SYSTEM_INSTRUCTIONS, *_OF_OTHERS)
_CONTENT_EVENTS = frozenset({semconv.USER_EVENT, semconv.CHOICE_EVENT, semconv.DETAILS_EVENT})

_REQUEST_TYPES: Mapping[str, Role] = {
    "chat": Role.MODEL,
    "completion": Role.MODEL,
    "rerank": Role.RERANKER,
    "embedding": Role.STEP,
}
_PASSAGES = r"(?:documents?|docs|contexts?|chunks|passages|nodes|knowledge(?:_base)?)"
_RETRIEVES = re.compile(
    rf"(?:[Rr]etriev(?:e|er|al)|(?:^|[^A-Za-z])search|[a-z]Search)(?:_(?:relevant_)?{_PASSAGES})?$"
    rf"|^(?:get|fetch|find)_relevant_{_PASSAGES}$"
)
"""Names of steps that retrieve, as their authors give them: `VectorIndexRetriever`, `retrieve`, `search_documents`."""
_QUERY_BUNDLES = ("str_or_query_bundle", "query_bundle", "qb")
"""LlamaIndex's arguments for a query."""
_PIECES_SCOPE = ".google_generativeai"
_MADE_UP_REPLIES = frozenset({"replies", "meta"})
"""The keys of a Haystack generator's output, which its instrumentation takes for the replies."""


def _role(span: Span) -> Role | None:
    """By the operation, where OpenTelemetry GenAI knows it; else by request type, kind and contents."""
    attributes = span.attributes
    operation = attributes.get(semconv.OPERATION)
    known = OPERATIONS.get(operation.lower()) if isinstance(operation, str) else None
    if known is not None and known is not Role.STEP:
        return known if _is_own(span) else None
    requested = _role_of_request(span)
    if requested is not None:
        return requested
    match attributes.get(_KIND):
        case "workflow" | "agent":
            return Role.RETRIEVER if _is_search(span) else Role.CHAIN
        case "tool":
            return Role.TOOL
        case "task":
            return _role_of_task(span)
        case _:
            return Role.MODEL if indexed.is_indexed(span) or _is_bare_call(span) else None


def _is_bare_call(span: Span) -> bool:
    """Whether it is a call of a model that only shows the bodies of request and response (SageMaker)."""
    return semconv.REQUEST_MODEL in span.attributes and any(key in span.attributes for key in (*INPUTS, *OUTPUTS))


def _role_of_request(span: Span) -> Role | None:
    """By the request type; LiteLLM writes the name of its function there."""
    request = str(span.attributes.get(_REQUEST_TYPE)).lower()
    return _REQUEST_TYPES.get(request) or OPERATIONS.get(request)


def _is_own(span: Span) -> bool:
    return not _OWN_MARKS.isdisjoint(span.attributes)


def _is_search(span: Span) -> bool:
    """Whether a whole run is nothing but a retriever's: by name or argument, and by the documents that it returns."""
    returned = entities.returned(span)
    is_listing = isinstance(returned, list) and read_documents(returned) is not None
    return is_listing and (_retrieves(span) or _takes_query(span))


def _role_of_task(span: Span) -> Role | None:
    if indexed.is_indexed(span) or any(key in span.attributes for key in _MESSAGES):
        return Role.MODEL
    if _is_template(span):
        return Role.STEP
    if _retrieves(span):
        return Role.RETRIEVER
    return Role.TOOL if entities.is_tool_result(entities.returned(span)) else _role_by_documents(span)


def _role_by_documents(span: Span) -> Role | None:
    """Of a task that says no more of itself than its values."""
    given, handed = entities.documents_given(span), entities.documents_handed(span)
    if _handed_nothing(span) is not None:
        return Role.RERANKER
    if given and isinstance(entities.returned(span), list):
        if "rerank" in _name(span).lower() or (handed and _takes_query(span)):
            return Role.RERANKER
        if not handed and (_takes_query(span) or _is_run_on_question(span)):
            return Role.RETRIEVER
    return Role.CHAIN if given or handed else None


def _handed_nothing(span: Span) -> tuple[Document, ...] | None:
    """The empty list of nodes beside a query: LlamaIndex shows no retriever that found nothing, but what comes next."""
    arguments = as_mapping(entities.input_of(span))
    return () if "query" in arguments and arguments.get("nodes") == [] else None


def _name(span: Span) -> str:
    return (text_of(span.attributes, _NAME) or span.name).removesuffix(".task").removesuffix(".workflow")


def _retrieves(span: Span) -> bool:
    return _RETRIEVES.search(_name(span)) is not None


def _takes_query(span: Span) -> bool:
    arguments = as_mapping(entities.input_of(span))
    return any(key in arguments for key in _QUERY_BUNDLES)


def _is_run_on_question(span: Span) -> bool:
    """Whether LangChain ran it on a question. A decorated function with a text may as well load a file."""
    return question_in(entities.run_inputs(span)) is not None


def _is_template(span: Span) -> bool:
    run = as_mapping(as_mapping(entities.input_of(span)).get("kwargs"))
    return run.get("run_type") == "prompt" or _name(span).endswith("PromptTemplate")


def _found(span: Span) -> tuple[Document, ...] | None:
    returned = entities.returned(span)
    return read_retrieved(returned) if _retrieves(span) else read_documents(returned)


def _filled_in(span: Span) -> Mapping[str, str] | None:
    """What a prompt template was filled with."""
    return entities.only_texts(as_mapping(entities.run_inputs(span))) if _is_template(span) else None


def _reply(span: Span) -> Message | None:
    reply = indexed.read_reply(span)
    is_made_up = reply is not None and reply.text in _MADE_UP_REPLIES and span.name.startswith("haystack.")
    return None if is_made_up else reply


def _last_piece(span: Span) -> Message | None:
    """No text, where the reply is only the last piece of a stream, as the instrumentation of Gemini records it.

    It has fewer characters than the whole reply has tokens. Thoughts are not among those.
    """
    if not span.scope.endswith(_PIECES_SCOPE):
        return None
    reply = next(iter(read_messages(span.attributes.get(semconv.OUTPUT_MESSAGES)) or ()), None)
    tokens = count_of(span.attributes, semconv.OUTPUT_TOKENS) or 0
    is_piece = reply is not None and not reply.calls_tool and 0 < len(reply.text) < tokens
    return Message("assistant") if is_piece else None


def _clients_session(span: Span) -> str | None:
    """What a client of LiteLLM's proxy sent as metadata of its request, which is printed as Python does."""
    printed = span.attributes.get(_OF_CLIENT)
    return text_of(as_mapping(read_literal(printed)), *SESSION_NAMES) if isinstance(printed, str) else None


def _failure(value: AttributeValue) -> str | None:
    return value if isinstance(value, str) and value in {"failure", "error"} else None


def _shows(span: Span) -> bool | None:
    """Contents are written unless `TRACELOOP_TRACE_CONTENT` is false: a model call without any is a sign of that."""
    if not _is_own(span):
        return None
    attributes = span.attributes
    if any(key in attributes for key in _CONTENTS) or indexed.is_indexed(span):
        return True
    if any(event.name in _CONTENT_EVENTS for event in span.events) or is_moved(span):
        return True
    is_model = Role.MODEL in {_role_of_request(span), OPERATIONS.get(str(attributes.get(semconv.OPERATION)))}
    return False if is_model else None


def _runs_beside(span: Span, parent: Span) -> bool:
    """Whether both are runs of one LangChain batch: they start before the first one ends, each below the last."""
    if any(one.attributes.get(_KIND) != "workflow" or one.scope != span.scope for one in (span, parent)):
        return False
    names = {text_of(one.attributes, _NAME) for one in (span, parent)}
    return len(names) == 1 and _RUN_ID in span.attributes and _PARENT_RUN_ID not in span.attributes


def _each(keys: tuple[str, ...], read: Callable[[AttributeValue], T | None]) -> tuple[Rule[T], ...]:
    return tuple(_entity(key, read) for key in keys)


def _entity(key: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule(key, lambda span: read(entities.value_at(span, key)), key)


_QUESTIONS = (*_each(INPUTS, entities.read_question), *_each(OUTPUTS, entities.read_late_question))

TRACELOOP = Convention(
    name="traceloop",
    version="0.62",
    heads=frozenset({"traceloop", "llm", "gen_ai"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, *_QUESTIONS),
            says(ANSWER, *_each(OUTPUTS, entities.read_answer)),
            says(
                DOCUMENTS,
                Rule(OUTPUTS[0], entities.documents_given, OUTPUTS),
                Rule(INPUTS[0], entities.documents_handed, INPUTS),
            ),
        ),
        Role.MODEL: (
            says(PROMPT, Rule("gen_ai.prompt.N", indexed.read_prompt, indexed.KEYS), *_each(INPUTS, read_prompt)),
            says(DOCUMENTS, Rule("gen_ai.prompt.N", indexed.read_attached, indexed.KEYS)),
            says(
                OUTPUT,
                Rule("gen_ai.completion.N", _reply, indexed.KEYS),
                Rule("the last piece of a stream", _last_piece, semconv.OUTPUT_MESSAGES),
                *_each(OUTPUTS, read_reply),
            ),
            says(VARIABLES, attribute(_TEMPLATE_VARIABLES, lambda value: entities.only_texts(as_mapping(value)))),
        ),
        Role.RETRIEVER: (says(QUERY, *_QUESTIONS), says(DOCUMENTS, Rule(OUTPUTS[0], _found, OUTPUTS))),
        Role.RERANKER: (
            says(QUERY, Rule("gen_ai.prompt.N", indexed.read_ranked_query), *_QUESTIONS),
            says(
                DOCUMENTS,
                Rule("gen_ai.completion.N", indexed.read_ranked),
                Rule(OUTPUTS[0], _found, OUTPUTS),
                Rule(INPUTS[0], _handed_nothing, INPUTS),
            ),
        ),
        Role.TOOL: (
            says(DOCUMENTS, *_each(OUTPUTS, lambda value: entities.read_tool(value)[0])),
            says(RESULT, *_each(OUTPUTS, lambda value: entities.read_tool(value)[1])),
        ),
        Role.STEP: (says(VARIABLES, Rule(INPUTS[0], _filled_in, (*INPUTS, *OUTPUTS))),),
    },
    facts=(
        says(MODEL, texted("llm.request.model")),
        says(RESPONSE_MODEL, texted("llm.response.model")),
        says(
            SESSION_ID,
            *named(_PROPERTIES, (*SESSION_NAMES, "chat_id")),
            Rule(f"{_OF_CLIENT}: {', '.join(SESSION_NAMES)}", _clients_session, _OF_CLIENT),
        ),
        says(USER_ID, *named(_PROPERTIES, USER_NAMES), texted("llm.user")),
        says(TENANT, *named(_PROPERTIES, (*TENANT_NAMES, "organization_id", "org_id"))),
        says(APP_VERSION, *named(_PROPERTIES, APP_VERSION_NAMES)),
        says(
            PROMPT_VERSION,
            prompt_version(_PROMPT_KEY, *_PROMPT_VERSIONS),
            *named(_PROPERTIES, PROMPT_NAMES),
        ),
        says(KNOWLEDGE_BASE, *named(_PROPERTIES, KNOWLEDGE_BASE_NAMES)),
        says(INPUT_TOKENS, counted("llm.usage.prompt_tokens")),
        says(OUTPUT_TOKENS, counted("llm.usage.completion_tokens")),
        says(STATED_QUESTION, texted(_CREW_TASK)),
        says(STATED_ANSWER, texted(_CREW_RESULT)),
        says(FAILURE, attribute("gen_ai.task.status", _failure)),
    ),
    contents=(*INPUTS, *OUTPUTS, _TEMPLATE_VARIABLES, _CREW_RESULT, _CREW_TASK, *indexed.CONTENTS),
    is_json=lambda _span, key: key in {*INPUTS, *OUTPUTS, _TEMPLATE_VARIABLES},
    marks=(*_OWN_MARKS, *INPUTS, *OUTPUTS, *indexed.KEYS),
    shows=_shows,
    runs_beside=_runs_beside,
)
"""Spans of the OpenLLMetry instrumentations and of the Traceloop SDK's decorators."""
