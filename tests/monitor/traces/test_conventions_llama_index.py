"""LlamaIndex's own package for OpenTelemetry: everything is in events."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.llama_index import LLAMA_INDEX
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent, SpanStatus
from tests.monitor.traces.library_spans import FILLED, LISTED, RIGHT, dropped, one
from tests.monitor.traces.library_spans import told as request_told
from tests.monitor.traces.spans import ANSWER, QUESTION, span, told

TRACER = "llamaindex.opentelemetry.tracer"
NODES = [
    {
        "node": {"id_": one["id"], "text": one["text"], "metadata": {}},
        "score": one["score"],
        "class_name": "NodeWithScore",
    }
    for one in LISTED
]
BLOCKS = [{"block_type": "text", "text": ANSWER}]


def _event(name: str, **members: AttributeValue) -> SpanEvent:
    held = {key.replace("__", "."): value for key, value in members.items()}
    return SpanEvent(name, 1, {"class_name": name, "timestamp": '"2026-11-30"', **held})


def _spoken(span_id: str, parent: str, at: int, *events: SpanEvent, scope: str = TRACER) -> Span:
    return span(span_id, parent, at, events=events, scope=scope)


def _asked(text: str) -> str:
    return json.dumps([{"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": text}]}])


ROOT = _spoken(
    "r",
    "",
    0,
    _event("QueryStartEvent", query=QUESTION),
    _event("QueryEndEvent", query__query_str=QUESTION, response__response=ANSWER),
)
SEARCH = _spoken(
    "k",
    "r",
    1,
    _event("RetrievalStartEvent", str_or_query_bundle__query_str=QUESTION, str_or_query_bundle__embedding="null"),
    _event("RetrievalEndEvent", str_or_query_bundle__query_str=QUESTION, nodes=json.dumps(NODES)),
)
CALL = _spoken(
    "m",
    "r",
    3,
    _event("LLMChatStartEvent", messages=_asked(FILLED), model_dict__model_name="chat-1"),
    _event(
        "LLMChatEndEvent",
        messages=_asked(FILLED),
        response__message__role="assistant",
        response__message__blocks=json.dumps(BLOCKS),
        response__raw__model="chat-1-2026",
        response__raw__id="c-1",
        response__raw__usage__prompt_tokens=10,
        response__raw__usage__completion_tokens=3,
    ),
)


def test_a_query() -> None:
    request = one(ROOT, SEARCH, CALL)
    assert request_told(request) == RIGHT
    assert (request.response_model, request.response_id, request.input_tokens) == ("chat-1-2026", "c-1", 10)
    assert request.convention == "llama_index"


def test_a_search_that_found_nothing() -> None:
    nothing = _spoken("k", "r", 1, _event("RetrievalEndEvent", str_or_query_bundle=QUESTION, nodes=[]))
    request = one(ROOT, nothing)
    assert (request.contexts, request.contexts_source.value, request.answer) == ((), "span", ANSWER)


def test_a_reranker_chose() -> None:
    chosen = _event("ReRankEndEvent", nodes=json.dumps(NODES[1:]))
    ranked = _spoken("j", "r", 2, _event("ReRankStartEvent", query__query_str=QUESTION), chosen)
    assert [one.id for one in one(ROOT, SEARCH, ranked, CALL).contexts] == ["d-2"]


def test_a_completion_is_a_prompt_of_text() -> None:
    events = (
        _event("LLMCompletionStartEvent", prompt=FILLED, model_dict__model_name="text-1"),
        _event("LLMCompletionEndEvent", prompt=FILLED, response__text=ANSWER),
    )
    read = _spoken("m", "r", 3, *events)
    assert told(LLAMA_INDEX, read, Role.MODEL) == {
        "prompt": (Message("user", FILLED),),
        "output": Message("assistant", ANSWER),
    }
    assert told(LLAMA_INDEX, read) == {"model": "text-1"}


def test_the_result_of_an_agent_was_printed() -> None:
    printed = (
        "StopEvent(result=AgentOutput(response=ChatMessage(role=<MessageRole.ASSISTANT: 'assistant'>, "
        f"blocks=[TextBlock(block_type='text', text={ANSWER!r})]), tool_calls=[]))"
    )
    ended = _spoken("r", "", 0, _event("workflow.output", output=printed))
    assert told(LLAMA_INDEX, ended, Role.CHAIN) == {"answer": ANSWER}
    assert told(LLAMA_INDEX, _spoken("r", "", 0, _event("workflow.output", output="StopEvent()")), Role.CHAIN) == {}


def test_a_stream_leaves_no_answer() -> None:
    begun = _spoken("m", "r", 3, _event("LLMChatStartEvent", messages=_asked(FILLED)))
    root = _spoken("r", "", 0, _event("QueryStartEvent", query=QUESTION), _event("QueryEndEvent", query=QUESTION))
    assert one(root, SEARCH, begun).answer is None


def test_a_failed_call() -> None:
    thrown = SpanEvent("exception", 2, {"exception.type": "openai.APIError", "exception.message": "503"})
    begun = _event("LLMChatStartEvent", messages=_asked(FILLED), model_dict__model_name="chat-1")
    broken = span("m", "r", 3, events=(begun, thrown), scope=TRACER, status=SpanStatus.ERROR)
    root = span("r", events=(_event("QueryStartEvent", query=QUESTION),), scope=TRACER, status=SpanStatus.ERROR)
    request = one(root, SEARCH, broken)
    assert request.error is not None
    assert (request.question, request.error.type, request.error.stage) == (QUESTION, "openai.APIError", "generation")


def test_a_lone_call_is_a_chat() -> None:
    assert dropped(_spoken("m", "", 0, _event("LLMChatStartEvent", messages=_asked("Hello.")))) == {"plain_chat": 1}


@pytest.mark.parametrize("scope", ["", "app"])
def test_events_of_others_are_none_of_its(scope: str) -> None:
    other = _spoken("k", "", 0, _event("RetrievalEndEvent", nodes=json.dumps(NODES)), scope=scope)
    assert LLAMA_INDEX.role(other) is None
    assert told(LLAMA_INDEX, other, Role.RETRIEVER) == {}


def test_documents_with_their_ids_and_scores() -> None:
    assert told(LLAMA_INDEX, SEARCH, Role.RETRIEVER)["documents"] == (
        Document("Riders are sixteen or older.", "d-1", 0.9),
        Document("Open daily.", "d-2", 0.5),
    )
