"""Contents that AWS's distribution of OpenTelemetry moved into log records, in the form that real runs wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from monitor.traces.conventions.aws_distro import AWS_DISTRO, is_moved
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import FILLED, OPEN, RIDERS, RIGHT, Told, dotted, dropped, one, said, told
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, only, span
from tests.monitor.traces.spans import told as found_in

LANGCHAIN: Final = "openinference.instrumentation.langchain"
OPENAI: Final = "opentelemetry.instrumentation.openai.v1"
STRANDS: Final = "strands.telemetry.tracer"
BODY: Final = json.dumps(
    {"messages": [[{"lc": 1, "id": ["HumanMessage"], "kwargs": {"content": "the body of the call"}}]]}
)
BOTH: Final = f"{RIDERS}\n{OPEN}"

Said = list[tuple[str, Any]]


def moved(scope: str, span_id: str, parent: str, at: int, asked: Said, gave: Said, **more: AttributeValue) -> Span:
    """A span whose contents came in a log record, as `assemble` joins it."""
    sides = {"input": asked, "output": gave}
    body: dict[str, AttributeValue] = {
        side: {"messages": [{"role": role, "content": content} for role, content in listed]}
        for side, listed in sides.items()
        if listed
    }
    event = SpanEvent(scope, at, {"event.name": scope}, body)
    return span(span_id, parent, at, attributes=dotted(**more), scope=scope, events=(event,))


def oi(kind: str, span_id: str, parent: str, at: int, asked: AttributeValue, gave: AttributeValue, *more: Said) -> Span:
    """A span of OpenInference; `more` are the messages on either side that stood apart from the values."""
    listed: list[Said] = [[("user", asked)], [("assistant", gave)]]
    for side, beside in zip(listed, more, strict=False):
        side.extend(beside)
    return moved(LANGCHAIN, span_id, parent, at, *listed, openinference__span__kind=kind)


def test_a_chain_of_langchain_is_read_from_its_log_records() -> None:
    found = {"documents": [{"id": "d-1", "page_content": RIDERS, "metadata": {"score": 0.9}}]}
    listed = oi("RETRIEVER", "r", "a", 1, QUESTION, json.dumps(found))
    listed = replace(listed, attributes={**listed.attributes, "retrieval.documents.0.document.content": RIDERS})
    call = oi(
        "LLM",
        "m",
        "a",
        2,
        BODY,
        '{"generations": []}',
        [("system", FILLED), ("user", QUESTION)],
        [("assistant", ANSWER)],
    )
    call = replace(
        call, attributes={**call.attributes, "llm.model_name": "chat-1", "llm.input_messages.0.message.role": "user"}
    )
    request = one(oi("CHAIN", "a", "", 0, json.dumps({"question": QUESTION}), ANSWER), listed, call)
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1", 0.9),), "span")


def test_the_body_of_a_call_is_read_where_nothing_stood_beside_it() -> None:
    reply = {"generations": [[{"text": ANSWER, "message": {"content": ANSWER, "type": "ai"}}]]}
    body = {"messages": [{"role": "user", "content": FILLED}]}
    request = one(oi("LLM", "m", "", 0, json.dumps(body), json.dumps(reply)))
    assert (request.question, request.answer, request.contexts[0].text) == (QUESTION, ANSWER, BOTH)


def test_messages_of_opentelemetry_are_one_text_of_the_record() -> None:
    """Without the record a call of Traceloop's would hide its contents."""
    named: dict[str, AttributeValue] = {
        "gen_ai__operation__name": "chat",
        "gen_ai__request__model": "chat-1",
        "gen_ai__is_streaming": False,
    }
    call = moved(
        OPENAI, "m", "", 0, [("user", said(("user", FILLED)))], [("assistant", said(("assistant", ANSWER)))], **named
    )
    assert told(one(call)) == Told(QUESTION, ANSWER, (BOTH,), "prompt")
    assert dropped(replace(call, events=())) == {"hidden_content": 1}


def _strands(operation: str, span_id: str, parent: str, at: int, asked: Said, gave: Said) -> Span:
    return moved(
        STRANDS, span_id, parent, at, asked, gave, gen_ai__operation__name=operation, gen_ai__request__model="chat-1"
    )


def test_events_of_strands_are_objects_in_the_record() -> None:
    listed = [{"id": "d-1", "text": RIDERS, "score": 0.9}, {"id": "d-2", "text": OPEN, "score": 0.5}]
    words = [
        ("system", {"content": '[{"text": "Be brief."}]'}),
        ("user", {"content": json.dumps([{"text": QUESTION}])}),
    ]
    called = {
        "finish_reason": "tool_use",
        "message": '[{"toolUse": {"toolUseId": "c-1", "name": "search", "input": {}}}]',
    }
    result = {"message": json.dumps([{"text": json.dumps(listed)}]), "id": "c-1"}
    request = one(
        _strands(
            "invoke_agent",
            "a",
            "",
            0,
            [*words],
            [("assistant", {"message": f"{ANSWER}\n", "finish_reason": "end_turn"})],
        ),
        _strands("chat", "b", "a", 1, [*words], [("assistant", called)]),
        _strands("execute_tool", "c", "a", 2, [("tool", {"role": "tool", "content": "{}"})], [("assistant", result)]),
    )
    assert told(request) == RIGHT


def test_instructions_in_parts_are_no_documents() -> None:
    asked: Said = [("system", '[{"type": "text", "content": "Be brief."}]'), ("user", said(("user", FILLED)))]
    agent = _strands("invoke_agent", "a", "", 0, asked, [("assistant", said(("assistant", ANSWER)))])
    call = _strands("chat", "b", "a", 1, asked, [("assistant", said(("assistant", ANSWER)))])
    assert told(one(agent, call)) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


def test_an_event_of_another_name_or_shape_is_no_such_record() -> None:
    held = moved(OPENAI, "m", "", 0, [("user", QUESTION)], [])
    assert is_moved(held)
    assert not is_moved(replace(held, scope="shop"))
    other = replace(held, events=(SpanEvent(OPENAI, 0, {}, {"input": QUESTION}),))
    assert not is_moved(other)
    assert found_in(AWS_DISTRO, other) == {}


def test_a_span_keeps_what_it_says_itself() -> None:
    session = moved(
        OPENAI,
        "m",
        "",
        0,
        [("user", FILLED)],
        [("assistant", ANSWER)],
        gen_ai__operation__name="chat",
        session__id="s-1",
    )
    assert only(extract(session)).session_id == "s-1"
