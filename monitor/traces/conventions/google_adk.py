"""Google's Agent Development Kit: OTel GenAI, with each model call's request and response as JSON of its own.

Contents are written unless `ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS` is false; then the JSON is an empty object. Newer
versions wrap a span of OTel GenAI in that of each call, often without contents.
"""

from __future__ import annotations

from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.documents import read_result
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    DOCUMENTS,
    OUTPUT,
    PROMPT,
    RESULT,
    SESSION_ID,
    Convention,
    Message,
    Role,
    attribute,
    says,
)
from monitor.traces.values import as_json, as_mapping
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
    if semconv.OPERATION in attributes or semconv.REQUEST_MODEL not in attributes:
        return None
    return Role.MODEL if SESSION in attributes or REQUEST in attributes else None


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    """The contents that a model was given; the instructions stand in its configuration, in the language's spelling."""
    request = as_mapping(value)
    config = as_mapping(request.get("config"))
    instructions = config.get("system_instruction", config.get("systemInstruction"))
    return read_prompt({"contents": request.get("contents"), "system_instruction": instructions})


def _reply(value: AttributeValue) -> Message | None:
    return read_reply(as_mapping(value).get("content"))


def _returned(value: AttributeValue) -> AttributeValue:
    """What a tool gave back; what is no object stands under `result`."""
    read = as_json(value)
    if isinstance(read, dict) and read.keys() == {"result"}:
        read = read["result"]
    return None if read in ({}, _UNKNOWN) else read


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
    facts=(says(SESSION_ID, texted(SESSION)),),
    contents=_CONTENTS,
    is_json=lambda _span, key: key in _CONTENTS,
    shows=_shows,
)
"""Spans of agents, model calls and tools, of the kit in any language."""
