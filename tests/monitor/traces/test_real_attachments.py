"""What real runs showed of documents that are handed to the model beside its messages or among their parts."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from tests.monitor.traces.library_spans import (
    OPEN,
    RIDERS,
    Told,
    dropped,
    model,
    oi_model,
    one,
    said,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION


def parts_of_anthropic(key: str) -> list[dict[str, object]]:
    """Documents as parts of a message, before the question."""
    source = {"type": "text", "media_type": "text/plain", "data": RIDERS}
    found: dict[str, object] = {
        "type": "search_result",
        "source": "open.md",
        "content": [{"type": "text", "text": OPEN}],
    }
    question: dict[str, object] = {"type": "text", key: QUESTION}
    return [{"type": "document", "title": "riders.md", "source": source}, found, question]


def blob(text: str) -> dict[str, object]:
    """A text file in a message after OpenTelemetry."""
    content = base64.b64encode(text.encode()).decode()
    return {"type": "blob", "modality": "document", "mime_type": "text/plain", "content": content}


def test_documents_stand_among_the_parts_of_a_message() -> None:
    asked = json.dumps([{"role": "user", "parts": parts_of_anthropic("content")}])
    request = one(model("m", "", 0, asked, said(("assistant", ANSWER))))
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")
    assert [passage.source for passage in request.contexts] == ["riders.md", "open.md"]


@pytest.mark.parametrize("event", [False, True])
def test_documents_stand_among_the_parts_of_a_message_as_text_files(*, event: bool) -> None:
    """In an event they are bytes."""
    files: list[dict[str, Any]] = [blob(RIDERS), blob(OPEN)]
    if event:
        files = [{**file, "content": text.encode()} for file, text in zip(files, (RIDERS, OPEN), strict=True)]
    messages = [{"role": "user", "parts": [*files, {"type": "text", "content": QUESTION}]}]
    asked: Any = messages if event else json.dumps(messages)
    assert told(one(model("m", "", 0, asked, said(("assistant", ANSWER))))) == Told(
        QUESTION, ANSWER, (RIDERS, OPEN), "span"
    )


@pytest.mark.parametrize(
    "part",
    [
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}},
        {"type": "document", "source": {"type": "url", "url": "u"}},
        {"type": "blob", "modality": "document", "mime_type": "text/plain", "content": "no base64!"},
        {"type": "blob", "modality": "document", "mime_type": "application/pdf", "content": "JVBERi0="},
        {"type": "blob", "modality": "image", "mime_type": "image/png", "content": "JVBERi0="},
        {"type": "document"},
    ],
)
def test_documents_without_a_text_are_none(part: dict[str, object]) -> None:
    asked = json.dumps([{"role": "user", "parts": [part, {"type": "text", "content": QUESTION}]}])
    assert dropped(model("m", "", 0, asked, said(("assistant", ANSWER)))) == {"plain_chat": 1}


def test_openinference_writes_documents_in_the_place_of_a_text() -> None:
    call = oi_model("m", "", 0, [], ANSWER)
    kept = {}
    for at, part in enumerate(parts_of_anthropic("text")):
        prefix = f"llm.input_messages.0.message.contents.{at}.message_content"
        kept[f"{prefix}.type"] = str(part["type"])
        kept[f"{prefix}.text"] = str(part["text"]) if "text" in part else json.dumps(part)
    call = replace(call, attributes={**call.attributes, "llm.input_messages.0.message.role": "user", **kept})
    assert told(one(call)) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")


def test_cohere_takes_documents_as_a_parameter() -> None:
    documents: list[object] = [
        {"id": "d-1", "data": {"text": RIDERS, "title": "riders.md"}},
        {"text": OPEN, "id": "d-2"},
    ]
    call = oi_model("m", "", 0, [("user", QUESTION)], ANSWER)
    parameters = json.dumps({"documents": [*documents, "Bring a helmet."]})
    call = replace(call, attributes={**call.attributes, "llm.invocation_parameters": parameters})
    request = one(call)
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1"), (OPEN, "d-2"), "Bring a helmet."), "span")
    assert request.contexts[0].source == "riders.md"


@pytest.mark.parametrize("key", ["gen_ai.data_source.id", "aws.bedrock.knowledge_base.id"])
def test_a_call_that_names_a_knowledge_base_is_no_plain_chat(key: str) -> None:
    """What the service found is not on the wire."""
    call = model("m", "", 0, said(("user", QUESTION)), said(("assistant", ANSWER)))
    request = one(replace(call, attributes={**call.attributes, key: "kb-1"}))
    assert told(request) == Told(QUESTION, ANSWER, (), "unknown")
    assert request.knowledge_base == "kb-1"
