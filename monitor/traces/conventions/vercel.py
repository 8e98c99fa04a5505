"""Vercel AI SDK, versions 3.3 to 6: `ai.*` on an outer span for the call and on an inner one for each step.

There is no span for retrieval: documents stand in the prompt, or are what a tool gave back. Version 7 writes plain
`gen_ai.*` unless its older tracer is asked for, which writes these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    counted,
    named,
    text_of,
    texted,
    versioned,
)
from monitor.traces.documents import read_documents, read_result
from monitor.traces.exchange import read_prompt
from monitor.traces.messages import read_messages
from monitor.traces.reading import (
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
    RESPONSE_ID,
    RESPONSE_MODEL,
    RESULT,
    SESSION_ID,
    TENANT,
    USER_ID,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in
from monitor.traces.values import as_float, as_int, as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

OPERATION: Final = "ai.operationId"
ASKED: Final = "ai.prompt"
ASKED_MESSAGES: Final = "ai.prompt.messages"
TEXTS: Final = ("ai.response.text", "ai.result.text")
OBJECTS: Final = ("ai.response.object", "ai.result.object")
CALLS: Final = ("ai.response.toolCalls", "ai.result.toolCalls")
RETURNED: Final = "ai.toolCall.result"
HANDED: Final = "ai.documents"
RANKING: Final = "ai.ranking"
FINISHES: Final = ("ai.response.finishReason", "ai.finishReason")
METADATA: Final = ("ai.telemetry.metadata.", "ai.settings.context.")

_ROLES: Mapping[str, Role] = {
    "generateText": Role.MODEL,
    "streamText": Role.MODEL,
    "generateObject": Role.MODEL,
    "streamObject": Role.MODEL,
    "toolCall": Role.TOOL,
    "rerank": Role.RERANKER,
    "embed": Role.STEP,
    "embedMany": Role.STEP,
}
"""By the second part of the operation: `generateText` of `ai.generateText.doGenerate`."""
_SESSIONS = (*SESSION_NAMES, "sessionId", "conversationId", "threadId", "chatId")
_USERS = (*USER_NAMES, "userId")
_TENANTS = (*TENANT_NAMES, "tenantId")
_APP_VERSIONS = (*APP_VERSION_NAMES, "appVersion")
_PROMPTS = (*PROMPT_NAMES, "promptVersion")
_KNOWLEDGE_BASES = (*KNOWLEDGE_BASE_NAMES, "knowledgeBase", "knowledgeBaseVersion", "knowledgeBaseId")
_JSON_KEYS = frozenset({ASKED, ASKED_MESSAGES, RETURNED, *OBJECTS, *CALLS})


def _role(span: Span) -> Role | None:
    """By the operation; version 3 has it in the name of the span only."""
    operation = text_of(span.attributes, OPERATION) or span.name
    head, _, rest = operation.partition(".")
    return _ROLES.get(rest.partition(".")[0]) if head == "ai" else None


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    """What the application asked: `{system, prompt | messages}`. None when it was cut."""
    read = as_json(value)
    return read_prompt(read) if isinstance(read, dict) else None


def _reply(span: Span) -> Message | None:
    """The text of a reply, and whether it calls a tool; of an object its answer, where it has one."""
    text = text_of(span.attributes, *TEXTS)
    calls = any(as_list(span.attributes.get(key)) for key in CALLS)
    if text is None and not calls:
        held = (as_json(span.attributes.get(key)) for key in OBJECTS)
        text = next((found for one in held if isinstance(one, dict) and (found := answer_in(one)) is not None), None)
        if text is None:
            return None
    return Message("assistant", text or "", calls_tool=calls)


def _ranked(span: Span) -> tuple[Document, ...] | None:
    """The documents in the order of the ranking; None when either is not recorded, or they do not fit."""
    if span.attributes.get(RANKING) is None or span.attributes.get(HANDED) is None:
        return None
    handed = [_document(item) for item in as_list(span.attributes[HANDED])]
    ranked = []
    for item in as_list(span.attributes[RANKING]):
        rank = as_mapping(item)
        at = as_int(rank.get("index", rank.get("originalIndex")))
        document = handed[at] if at is not None and 0 <= at < len(handed) else None
        if document is None:
            return None
        score = as_float(rank.get("relevanceScore", rank.get("score")))
        ranked.append(replace(document, score=score))
    return tuple(ranked)


def _document(item: AttributeValue) -> Document | None:
    read = as_json(item)
    if isinstance(read, str):
        return Document(read)
    return next(iter(read_documents([read]) or ()), None)


def _failure(span: Span) -> str | None:
    """A stream that breaks off leaves the status as it was."""
    return "finish reason: error" if text_of(span.attributes, *FINISHES) == "error" else None


def _metadata(names: tuple[str, ...]) -> tuple[Rule[str], ...]:
    return tuple([rule for prefix in METADATA for rule in named(prefix, names)])


def _langfuse_prompt(value: AttributeValue) -> str | None:
    """The prompt that Langfuse's own examples put into the metadata."""
    prompt = as_mapping(value)
    return versioned(text_of(prompt, "name"), text_of(prompt, "version"))


VERCEL = Convention(
    name="vercel_ai",
    version="6",
    heads=frozenset({"ai"}),
    role=_role,
    texts={
        Role.MODEL: (
            says(PROMPT, attribute(ASKED_MESSAGES, read_messages), attribute(ASKED, _prompt)),
            says(OUTPUT, Rule(f"{TEXTS[0]}, {CALLS[0]}, {OBJECTS[0]}", _reply)),
        ),
        Role.TOOL: (
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_result(value)[0])),
            says(RESULT, attribute(RETURNED, lambda value: read_result(value)[1])),
        ),
        Role.RERANKER: (says(DOCUMENTS, Rule(f"{HANDED}, {RANKING}", _ranked)),),
    },
    facts=(
        says(MODEL, texted("ai.model.id")),
        says(RESPONSE_MODEL, texted("ai.response.model")),
        says(RESPONSE_ID, texted("ai.response.id")),
        says(SESSION_ID, *_metadata(_SESSIONS)),
        says(USER_ID, *_metadata(_USERS)),
        says(TENANT, *_metadata(_TENANTS)),
        says(APP_VERSION, *_metadata(_APP_VERSIONS)),
        says(
            PROMPT_VERSION,
            *_metadata(_PROMPTS),
            *(attribute(f"{prefix}langfusePrompt", _langfuse_prompt) for prefix in METADATA),
        ),
        says(KNOWLEDGE_BASE, *_metadata(_KNOWLEDGE_BASES)),
        says(INPUT_TOKENS, counted("ai.usage.inputTokens"), counted("ai.usage.promptTokens")),
        says(OUTPUT_TOKENS, counted("ai.usage.outputTokens"), counted("ai.usage.completionTokens")),
        says(FAILURE, Rule(FINISHES[0], _failure)),
    ),
    contents=(ASKED, *TEXTS, *OBJECTS, *CALLS, RETURNED, HANDED, RANKING),
    is_json=lambda _span, key: key in _JSON_KEYS,
)
"""Spans with `ai.operationId`."""
