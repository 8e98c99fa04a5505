"""Monocle: what stands in its events."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.monocle import MONOCLE
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent, SpanStatus
from tests.monitor.traces.library_spans import FILLED, OPEN, RIDERS, one
from tests.monitor.traces.spans import ANSWER, QUESTION, span, told

CUT = f"{RIDERS} {OPEN} And"[:30] + "..."


def _event(name: str, **held: AttributeValue) -> SpanEvent:
    return SpanEvent(name, 1, held)


def _traced(
    kind: str, span_id: str = "x", parent: str = "", at: int = 0, *events: SpanEvent, broken: bool = False
) -> Span:
    attributes: dict[str, AttributeValue] = {"monocle_apptrace.version": "0.8", "span.type": kind}
    model = {"entity.1.type": "inference.openai", "entity.2.name": "chat-1", "entity.2.type": "model.llm.chat-1"}
    attributes |= model if kind.startswith("inference") else {}
    status = SpanStatus.ERROR if broken else SpanStatus.OK
    return span(span_id, parent, at, attributes=attributes, events=events, status=status)


def _asked(*messages: dict[str, str]) -> SpanEvent:
    return _event("data.input", input=[json.dumps(one) for one in messages])


def _said(text: str) -> SpanEvent:
    return _event("data.output", response=json.dumps({"assistant": text}))


CALL = (
    _asked({"system": "Answer."}, {"user": FILLED}),
    _said(ANSWER),
    _event("metadata", prompt_tokens=10, completion_tokens=3),
)


def test_a_request_whose_retriever_was_cut_takes_the_text_from_the_prompt() -> None:
    found = (_event("data.input", input=QUESTION), _event("data.output", response=CUT))
    request = one(
        _traced("workflow", "r"),
        _traced("retrieval", "k", "r", 1, *found),
        _traced("inference.framework", "m", "r", 2, *CALL),
        _traced("inference.modelapi", "n", "m", 3),
    )
    assert (request.question, request.answer, request.model) == (QUESTION, ANSWER, "chat-1")
    assert (request.contexts_source.value, [one.text for one in request.contexts]) == ("prompt", [f"{RIDERS}\n{OPEN}"])
    assert (request.input_tokens, request.output_tokens) == (10, 3)


@pytest.mark.parametrize(
    ("response", "documents"),
    [(CUT, (Document(),)), (RIDERS, (Document(RIDERS),)), ("", ())],
)
def test_what_a_retriever_found(response: str, documents: tuple[Document, ...]) -> None:
    found = _traced("retrieval", "k", "", 0, _event("data.output", response=response))
    assert told(MONOCLE, found, Role.RETRIEVER) == {"documents": documents}


def test_messages_have_their_role_as_key() -> None:
    assert told(MONOCLE, _traced("inference", "m", "", 0, *CALL), Role.MODEL) == {
        "prompt": (Message("system", "Answer."), Message("user", FILLED)),
        "output": Message("assistant", ANSWER),
    }


def test_the_error_of_a_failed_call_is_no_reply() -> None:
    broken = _traced("inference", "m", "", 0, CALL[0], _said("Error code: 500"), broken=True)
    assert "output" not in told(MONOCLE, broken, Role.MODEL)


def test_the_turn_of_an_agent() -> None:
    turn = _traced(
        "agentic.turn", "r", "", 0, _event("data.input", input=[QUESTION]), _event("data.output", response=ANSWER)
    )
    assert told(MONOCLE, turn, Role.CHAIN) == {"question": QUESTION, "answer": ANSWER}
