"""Requests of Rig (Rust), of Llama Stack's own tracer, of tRPC-Agent-Go, and what Respan and Bifrost add."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import (
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    agent,
    dropped,
    model,
    one,
    said,
    told,
    tool,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, span

# ----------------------------------------------------------------------------------------------------------------- Rig


def _file(document: Mapping[str, object]) -> str:
    """A document as Rig writes it."""
    return f"<file id: {document['id']}>\n{document['text']}\n</file>\n"


_ASKED = {"role": "user", "content": [{"type": "text", "text": QUESTION}]}
_OWN = {
    "role": "user",
    "content": [
        {"type": "document", "data": {"type": "string", "value": _file(one)}, "media_type": "txt"} for one in LISTED
    ],
}
_AS_TEXT = {"role": "user", "content": [{"type": "text", "text": _file(one)} for one in LISTED]}
_TEXT = [{"type": "text", "text": ANSWER}]


@pytest.mark.parametrize(
    "reply",
    [
        [{"index": 0, "message": {"role": "assistant", "content": _TEXT, "tool_calls": []}, "finish_reason": "stop"}],
        _TEXT,
        {"role": "assistant", "content": _TEXT},
        [{"content": {"parts": [{"text": ANSWER}], "role": "model"}, "finishReason": "STOP"}],
        [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}], "finish_reason": "unknown"}],
    ],
    ids=["OpenAI", "Anthropic", "Cohere", "Gemini", "OpenTelemetry"],
)
def test_rig_writes_replies_in_the_shape_of_their_provider(reply: object) -> None:
    call = model("m", "a", 1, json.dumps([_OWN, _ASKED]), json.dumps(reply))
    assert told(one(agent("a"), call)) == Told(QUESTION, ANSWER, ((RIDERS, "d-1"), (OPEN, "d-2")), "span")


def test_rigs_documents_may_be_texts_of_the_prompt() -> None:
    call = model("m", "a", 1, json.dumps([_AS_TEXT, _ASKED]), said(("assistant", ANSWER)))
    assert told(one(agent("a"), call)) == Told(QUESTION, ANSWER, (f"{RIDERS}\n\n{OPEN}",), "prompt")


def test_rigs_tools_give_documents() -> None:
    found = tool("t", "a", 2, gen_ai__tool__call__result=json.dumps(LISTED))
    called = json.dumps([{"type": "tool_use", "id": "c-1", "name": "search", "input": {}}])
    first = model("m1", "a", 1, json.dumps([_ASKED]), called)
    assert told(one(agent("a"), first, found, model("m2", "a", 3, json.dumps([_ASKED]), json.dumps(_TEXT)))) == RIGHT


@pytest.mark.parametrize("operation", ["chat_streaming", "interactions", "interactions_streaming"])
def test_rigs_other_operations_are_model_calls(operation: str) -> None:
    named = {"gen_ai.operation.name": operation}
    call = model("m", "a", 1, json.dumps([_OWN, _ASKED]), json.dumps(_TEXT), **named)
    assert one(agent("a"), call).answer == ANSWER


def test_a_reply_that_is_cut_is_in_no_shape() -> None:
    call = model("m", "a", 1, json.dumps([_OWN, _ASKED]), json.dumps(_TEXT)[:30])
    request = one(agent("a"), call)
    assert (request.answer, request.truncated) == (None, True)


# --------------------------------------------------------------------------------------------------------- Llama Stack


def _stacked(span_id: str, parent: str, at: int, step: str = "", /, **held: AttributeValue) -> Span:
    return span(span_id, parent, at, name=step or span_id, attributes={"__ttl__": 604800, **held})


def _provided(span_id: str, parent: str, at: int, method: str, asked: Mapping[str, object], gave: object) -> Span:
    """A call of a provider: each argument is printed, then all of them, then what came back."""
    arguments = str({name: str(value) for name, value in asked.items()})
    shown: dict[str, AttributeValue] = {"__method__": method, "__args__": arguments, "output": str(gave)}
    return _stacked(span_id, parent, at, "", __autotraced__=True, **shown)


_TURN = {"agent_id": "a-1", "session_id": "s-1", "messages": [{"role": "user", "content": QUESTION}], "stream": True}
_CHUNKS = [{"content": one["text"], "metadata": {"document_id": one["id"]}, "embedding": None} for one in LISTED]
_SCORES = [one["score"] for one in LISTED]
_STREAM = "<async_generator object InferenceRouter.stream_tokens_and_compute_metrics at 0x7f>"


def _step(span_id: str, at: int, asked: object, content: str, *calls: object) -> list[Span]:
    """An inference of an agent, and the streamed calls below it."""
    shown = {"input": json.dumps(asked), "output": json.dumps({"content": content, "tool_calls": calls})}
    called = {"model_id": "chat-1", "messages": asked, "stream": True}
    return [
        _stacked(span_id, "k", at, "inference", **shown),
        _provided(span_id + "r", span_id, at, "chat_completion", called, _STREAM),
        _provided(span_id + "p", span_id + "r", at, "chat_completion", called, _STREAM),
    ]


def _turn(search: Span, *inside: Span) -> list[Span]:
    """A turn of an agent: it calls its search, and answers from what that gave."""
    asked = [{"role": "system", "content": "Help."}, {"role": "user", "content": QUESTION, "context": None}]
    call = {"call_id": "c-1", "tool_name": "knowledge_search", "arguments": {"query": QUESTION}}
    given = {"role": "tool", "call_id": "c-1", "content": [{"type": "text", "text": f"{RIDERS}\n{OPEN}"}]}
    executed = {"tool_name": "knowledge_search", "input": json.dumps({"role": "assistant", "tool_calls": [call]})}
    return [
        _stacked(
            "k", "", 0, "/v1/agents/a-1/session/s-1/turn",
            __root__=True, request=json.dumps(_TURN), turn_id="t-1", session_id="s-1",
        ),
        _stacked("g", "k", 1, "run_shields", input=str([json.dumps(asked[1])]), output="no shields"),
        *_step("i1", 2, asked, "", call),
        _stacked("t", "k", 3, "tool_execution", **executed, output=json.dumps(given)),
        search, *inside,
        *_step("i2", 8, [*asked, given], ANSWER),
    ]  # fmt: skip


def test_a_turn_of_an_agent_of_llama_stack() -> None:
    metadata = {"chunks": [one["text"] for one in LISTED], "document_ids": ["d-1", "d-2"], "scores": _SCORES}
    found = {"content": [{"type": "text", "text": "Result 1"}], "metadata": metadata}
    search = _provided("q", "t", 4, "query", {"content": QUESTION, "vector_db_ids": ["kb"]}, found)
    inside = _provided(
        "c", "q", 5, "query_chunks", {"vector_db_id": "kb", "query": QUESTION}, {"chunks": _CHUNKS, "scores": _SCORES}
    )
    request = one(*_turn(search, inside))
    assert told(request) == RIGHT
    assert (request.session_id, request.convention) == ("s-1", "llama_stack")


def _by_hand(chunks: list[dict[str, object]], scores: list[object]) -> list[Span]:
    reply = {"completion_message": {"role": "assistant", "content": ANSWER, "stop_reason": "end_of_turn"}}
    asked = {"model_id": "chat-1", "messages": [{"role": "user", "content": FILLED}], "stream": False}
    sought = {"vector_db_id": "kb", "query": QUESTION}
    return [
        span("root", name="rag"),
        _provided("c", "root", 1, "query_chunks", sought, {"chunks": chunks, "scores": scores}),
        _provided("m", "root", 2, "chat_completion", asked, reply),
    ]


def test_calls_of_providers_by_hand() -> None:
    """A client that does retrieval and generation itself, in one trace."""
    assert told(one(*_by_hand(_CHUNKS, _SCORES))) == RIGHT


def test_a_search_of_llama_stack_that_found_nothing() -> None:
    assert told(one(*_by_hand([], []))) == Told(QUESTION, ANSWER, (), "span")


def test_chats_and_ingestion_of_llama_stack_are_no_requests() -> None:
    asked = [{"role": "user", "content": QUESTION}]
    turn = {"request": json.dumps(_TURN), "turn_id": "t-1"}
    assert dropped(_stacked("k", "", 0, **turn), *_step("i", 2, asked, ANSWER)) == {"plain_chat": 1}
    assert dropped(_provided("w", "", 0, "insert_chunks", {"chunks": _CHUNKS}, "")) == {"ingestion": 1}


# ------------------------------------------------------------------------------------------------------- tRPC-Agent-Go


def _choices(**message: object) -> str:
    return json.dumps([{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}])


def test_a_runner_of_trpc_agent_go() -> None:
    """What an agent and its calls replied stands in the choices of the client."""
    asked = json.dumps([{"role": "system", "content": "Help."}, {"role": "user", "content": QUESTION}])
    function = {"name": "knowledge_search", "arguments": "e30="}
    found = {"documents": LISTED, "message": "found 2"}
    runner: dict[str, AttributeValue] = {
        "trpc.go.agent.runner.input": QUESTION,
        "trpc.go.agent.runner.output": ANSWER,
        "trpc.go.agent.runner.session_id": "s-1",
        "trpc.go.agent.runner.user_id": "u-1",
    }
    answered = {"gen_ai.input.messages": asked, "gen_ai.output.messages": _choices(content=ANSWER)}
    request = one(
        span("k", attributes=runner),
        span("a", "k", attributes={"gen_ai.operation.name": "invoke_agent", "trpc.go.agent.event_id": "e", **answered}),
        model("m1", "a", 1, asked, _choices(content="", tool_calls=[{"id": "c-1", "function": function}])),
        tool("t", "a", 2, gen_ai__tool__call__result=json.dumps(found)),
        model("m2", "a", 3, asked, _choices(content=ANSWER)),
    )
    assert told(request) == RIGHT
    assert (request.session_id, request.user_id, request.request_id) == ("s-1", "u-1", "k")


def test_an_agent_of_trpc_agent_go_without_a_runner() -> None:
    asked = json.dumps([{"role": "user", "content": QUESTION}])
    reply = json.dumps({"id": "r-1", "choices": [{"index": 0, "message": {"role": "assistant", "content": ANSWER}}]})
    held = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.input.messages": asked,
        "trpc.go.agent.llm_response": reply,
    }
    request = one(span("a", attributes=held), tool("t", "a", 2, gen_ai__tool__call__result=json.dumps(LISTED)))
    assert (request.question, request.answer, len(request.contexts)) == (QUESTION, ANSWER, 2)


# ----------------------------------------------------------------------------------------------------- Respan, Bifrost


@pytest.mark.parametrize("brand", ["respan", "keywordsai"])
def test_respan_says_who_asked(brand: str) -> None:
    said_besides = {
        f"{brand}.threads.thread_identifier": "s-1",
        f"{brand}.customer_params.customer_identifier": "u-1",
        f"{brand}.environment": "prod",
    }
    values = {
        "traceloop.entity.input": json.dumps({"args": [QUESTION], "kwargs": {}}),
        "traceloop.entity.output": ANSWER,
    }
    request = one(
        span("k", attributes={"traceloop.span.kind": "workflow", **values, **said_besides}),
        model("m", "k", 1, said(("user", FILLED)), said(("assistant", ANSWER))),
    )
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert (request.session_id, request.user_id, request.environment) == ("s-1", "u-1", "prod")


def test_bifrost_has_the_instructions_as_one_text() -> None:
    asked, reply = [{"role": "user", "content": QUESTION}], [{"role": "assistant", "content": ANSWER}]
    instructions = {"gen_ai.request.instructions": f"Answer from it.\n\nContext:\n{RIDERS}\n{OPEN}"}
    call = model("m", "", 1, json.dumps(asked), json.dumps(reply), **instructions)
    assert told(one(call)) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")
