"""Google's Agent Development Kit: OTel GenAI, with each model call's request and response as JSON of its own.

Contents are written unless `ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS` is false; then the JSON is an empty object. Newer
versions wrap a span of OTel GenAI in that of each call, often without contents.
"""

from __future__ import annotations

from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, counted, text_of, texted
from monitor.traces.documents import read_result
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    DOCUMENTS,
    INPUT_TOKENS,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    RESPONSE_MODEL,
    RESULT,
    SESSION_ID,
    Convention,
    Message,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.values import as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

REQUEST: Final = "gcp.vertex.agent.llm_request"
RESPONSE: Final = "gcp.vertex.agent.llm_response"
RETURNED: Final = "gcp.vertex.agent.tool_response"
SESSION: Final = "gcp.vertex.agent.session_id"

_MERGED: Final = "(merged tools)"
_UNKNOWN: Final = "<not specified>"
_CONTENTS = (REQUEST, RESPONSE, RETURNED)


def _role(span: Span) -> Role | None:
    """A model call, which names no operation of its own; what repeats several tools. All else is left to OTel."""
    attributes = span.attributes
    if attributes.get(semconv.TOOL_NAME) == _MERGED:
        return Role.STEP
    if semconv.OPERATION in attributes:
        return None
    if semconv.REQUEST_MODEL not in attributes:
        return Role.TOOL if RETURNED in attributes else None
    return Role.MODEL if SESSION in attributes or REQUEST in attributes else None


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    """The contents that a model was given; the instructions stand in its configuration, in the language's spelling."""
    request = as_mapping(value)
    config = as_mapping(request.get("config"))
    instructions = config.get("system_instruction", config.get("systemInstruction"))
    return read_prompt({"contents": request.get("contents"), "system_instruction": instructions})


def _reply(value: AttributeValue) -> Message | None:
    return read_reply(as_mapping(value).get("content"))


def _responses(event: AttributeValue) -> list[dict[str, AttributeValue]]:
    """What tools gave back, in the event that Java writes as a whole; empty for anything else."""
    content = as_mapping(event).get("content") if isinstance(event, dict) else None
    parts = [as_mapping(part) for part in as_list(as_mapping(content).get("parts"))] if content is not None else []
    return [as_mapping(part["functionResponse"]) for part in parts if "functionResponse" in part]


def _returned(value: AttributeValue) -> AttributeValue:
    """What a tool gave back; what is no object stands under `result`."""
    read = as_json(value)
    if responses := _responses(read):
        read = responses[0].get("response") if len(responses) == 1 else None
    if isinstance(read, dict) and read.keys() == {"result"}:
        read = read["result"]
    return None if read in ({}, _UNKNOWN) else read


def _answering(value: AttributeValue) -> str | None:
    return text_of(as_mapping(value), "modelVersion", "model_version")


def _used(*names: str) -> Rule[int]:
    """Tokens of one side, where no attribute of their own has them (Java), in the language's spelling."""

    def read(value: AttributeValue) -> int | None:
        response = as_mapping(value)
        return count_of(as_mapping(response.get("usageMetadata", response.get("usage_metadata"))), *names)

    return attribute(RESPONSE, read)


def _shows(span: Span) -> bool | None:
    """Whether a model call shows what went through it."""
    attributes = span.attributes
    if any(as_mapping(attributes.get(key)) for key in _CONTENTS) or semconv.INPUT_MESSAGES in attributes:
        return True
    return False if _role(span) is Role.MODEL and text_of(attributes, semconv.REQUEST_MODEL) is not None else None


GOOGLE_ADK = Convention(
    name="google_adk",
    version="2",
    heads=frozenset({"gcp"}),
    role=_role,
    texts={
        Role.MODEL: (says(PROMPT, attribute(REQUEST, _prompt)), says(OUTPUT, attribute(RESPONSE, _reply))),
        Role.TOOL: (
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_result(_returned(value))[0])),
            says(RESULT, attribute(RETURNED, lambda value: read_result(_returned(value))[1])),
        ),
    },
    facts=(
        says(SESSION_ID, texted(SESSION)),
        says(RESPONSE_MODEL, attribute(RESPONSE, _answering)),
        says(INPUT_TOKENS, counted(semconv.INPUT_TOKENS), _used("promptTokenCount", "prompt_token_count")),
        says(OUTPUT_TOKENS, counted(semconv.OUTPUT_TOKENS), _used("candidatesTokenCount", "candidates_token_count")),
    ),
    contents=_CONTENTS,
    is_json=lambda _span, key: key in _CONTENTS,
    shows=_shows,
)
"""Spans of agents, model calls and tools, of the kit in any language."""
