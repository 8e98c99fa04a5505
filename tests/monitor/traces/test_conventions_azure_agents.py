"""The agents of Azure AI: a request in several calls of the service."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.azure_agents import AZURE_AGENTS
from monitor.traces.reading import Document, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import OPEN, RIDERS, dropped, one
from tests.monitor.traces.spans import ANSWER, QUESTION, span, told


def _event(name: str, **content: object) -> SpanEvent:
    return SpanEvent(f"gen_ai.{name}", 1, {"gen_ai.event.content": json.dumps(content)})


def _spoken(text: str) -> dict[str, object]:
    return {"text": {"value": text}}


def _called(operation: str, at: int, *events: SpanEvent, **more: AttributeValue) -> Span:
    attributes: dict[str, AttributeValue] = {"gen_ai.system": "az.ai.agents", "gen_ai.operation.name": operation}
    named = {key.replace("__", "."): value for key, value in more.items()}
    return span(operation, "app", at, attributes=attributes | named, events=events)


APP = span("app", name="POST /ask")
ASKED = _called("create_message", 1, _event("user.message", content=QUESTION), gen_ai__thread__id="t-1")
STREAMED = _called(
    "process_thread_run",
    2,
    _event("system.message", content="Be brief."),
    _event("assistant.message", content=_spoken(ANSWER)),
    gen_ai__request__model="chat-1",
)
SEARCHED = {
    "id": "c-1",
    "type": "file_search",
    "file_search": {
        "results": [
            {"file_id": "f-1", "file_name": "rules.md", "score": 0.9, "content": [{"type": "text", "text": RIDERS}]},
            {"file_id": "f-2", "file_name": "hours.md", "score": 0.5, "content": [{"type": "text", "text": OPEN}]},
        ]
    },
}
DOCUMENTS = (Document(RIDERS, "f-1", 0.9, "rules.md"), Document(OPEN, "f-2", 0.5, "hours.md"))


def test_the_question_stands_in_the_call_before_the_run() -> None:
    gave = _called("submit_tool_outputs", 3, _event("tool.message", content=RIDERS, id="c-1"))
    request = one(APP, ASKED, STREAMED, gave)
    assert (request.question, request.answer, request.session_id, request.model) == (QUESTION, ANSWER, "t-1", "chat-1")
    assert [(one.kind.value, one.text) for one in request.contexts] == [("tool", RIDERS)]


def test_what_a_search_in_files_found_stands_in_the_listed_steps() -> None:
    run = _called("start_thread_run", 2, gen_ai__request__model="chat-1")
    steps = _called("list_run_steps", 3, _event("run_step.tool_calls", tool_calls=[SEARCHED]))
    answers = _called("list_messages", 4, _event("assistant.message", content=_spoken(ANSWER)))
    request = one(APP, ASKED, run, steps, answers)
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [(one.text, one.id, one.source) for one in request.contexts] == [
        (RIDERS, "f-1", "rules.md"),
        (OPEN, "f-2", "hours.md"),
    ]


def test_a_run_that_searched_shows_it_itself() -> None:
    run = _called("process_thread_run", 2, _event("assistant.message", tool_calls=[SEARCHED]))
    assert told(AZURE_AGENTS, run, Role.MODEL)["documents"] == DOCUMENTS


def test_of_several_listed_answers_none_is_taken() -> None:
    both = (_event("assistant.message", content=_spoken(text)) for text in ("Yes.", "No."))
    assert "stated_answer" not in told(AZURE_AGENTS, _called("list_messages", 4, *both))


def test_of_two_questions_in_one_trace_none_is_taken() -> None:
    again = span("again", "app", 1, attributes=ASKED.attributes, events=(_event("user.message", content="And dogs?"),))
    gave = _called("submit_tool_outputs", 3, _event("tool.message", content=RIDERS, id="c-1"))
    assert one(APP, ASKED, again, STREAMED, gave).question is None


def test_a_run_without_evidence_is_a_chat() -> None:
    assert dropped(APP, ASKED, STREAMED) == {"plain_chat": 1}


@pytest.mark.parametrize("operation", ["create_message", "process_thread_run", "list_messages"])
def test_spans_of_others_are_none_of_its(operation: str) -> None:
    held = {"gen_ai.system": "openai", "gen_ai.operation.name": operation}
    other = span("x", attributes=held, events=(_event("user.message", content=QUESTION),))
    assert AZURE_AGENTS.role(other) is None
    assert told(AZURE_AGENTS, other) == {}
