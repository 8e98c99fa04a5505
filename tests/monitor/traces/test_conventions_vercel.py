from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from monitor.records import ContextsSource, PassageKind
from monitor.traces.conventions.vercel import VERCEL
from monitor.traces.extract import Extracted
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.spans import ANSWER, PROMPT, QUESTION, Fields, extract, failed, only, span, told

CALL: AttributeValue = json.dumps([{"toolCallId": "c-1", "toolName": "search", "input": {"query": "age"}}])


def http() -> Span:
    return span("http", name="POST /api/chat", kind=2)


def outer(operation: str, prompt: Mapping[str, object], *, at: int = 1, **attributes: AttributeValue) -> Span:
    """The span of a call of the SDK."""
    held: dict[str, AttributeValue] = {
        "ai.operationId": operation,
        "ai.model.id": "chat-1",
        "ai.prompt": json.dumps(prompt),
        "ai.telemetry.metadata.sessionId": "s-1",
        **{key.replace("_", "."): value for key, value in attributes.items()},
    }
    return span(f"outer-{at}", "http", at, attributes=held)


def inner(operation: str, messages: object, *, at: int, above: int = 1, **attributes: AttributeValue) -> Span:
    """The span of one step."""
    held: dict[str, AttributeValue] = {
        "ai.operationId": operation,
        "ai.model.id": "chat-1",
        "ai.prompt.messages": json.dumps(messages),
        "gen_ai.request.model": "chat-1",
        **{key.replace("_", "."): value for key, value in attributes.items()},
    }
    return span(f"inner-{at}", f"outer-{above}", at, attributes=held)


def tool(at: int, result: object) -> Span:
    held: dict[str, AttributeValue] = {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "search",
        "ai.toolCall.result": json.dumps(result),
    }
    return span(f"tool-{at}", "outer-1", at, attributes=held)


def typed(role: str, text: str) -> dict[str, object]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


@pytest.mark.parametrize(
    ("operation", "role"),
    [
        ("ai.generateText", Role.MODEL),
        ("ai.generateText.doGenerate", Role.MODEL),
        ("ai.streamText.doStream", Role.MODEL),
        ("ai.streamObject", Role.MODEL),
        ("ai.toolCall", Role.TOOL),
        ("ai.embedMany.doEmbed", Role.STEP),
        ("ai.rerank.doRerank", Role.RERANKER),
        ("ai.generateSpeech", None),
        ("other.generateText", None),
    ],
)
def test_the_operation_gives_the_role(operation: str, role: Role | None) -> None:
    assert VERCEL.role(span("a", attributes={"ai.operationId": operation})) is role
    assert VERCEL.role(span("a", name=operation, attributes={"ai.model.id": "m"})) is role


@pytest.mark.parametrize(
    "prompt",
    [
        {"system": "You help.", "prompt": "When?"},
        {"system": "You help.", "messages": [{"role": "user", "content": "When?"}]},
        {"system": {"role": "system", "content": "You help."}, "messages": [typed("user", "When?")]},
        {"system": "You help.", "prompt": [typed("user", "When?")]},
    ],
)
def test_the_outer_prompt_is_read_in_the_forms_of_all_versions(prompt: Mapping[str, object]) -> None:
    assert told(VERCEL, outer("ai.generateText", prompt), Role.MODEL) == {
        "prompt": (Message("system", "You help."), Message("user", "When?"))
    }


@pytest.mark.parametrize(
    "result",
    [
        {"type": "tool-result", "toolCallId": "c-1", "result": [{"text": "Riders are sixteen."}]},
        {"type": "tool-result", "output": {"type": "json", "value": [{"text": "Riders are sixteen."}]}},
        {"type": "tool-result", "output": {"type": "text", "value": "Riders are sixteen."}},
    ],
)
def test_the_prompt_of_a_later_step_holds_what_a_tool_gave_back(result: object) -> None:
    messages = [
        typed("user", "Who?"),
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c-1"}]},
        {"role": "tool", "content": [result]},
    ]
    assert told(VERCEL, inner("ai.generateText.doGenerate", messages, at=1), Role.MODEL)["prompt"] == (
        Message("user", "Who?"),
        Message("assistant", "", calls_tool=True),
        Message("tool", "", results=("Riders are sixteen.",)),
    )


def test_a_prompt_that_was_cut_is_no_text_of_the_user() -> None:
    cut = span("a", attributes={"ai.operationId": "ai.generateText", "ai.prompt": '{"system":"You help.","prom'})
    assert told(VERCEL, cut, Role.MODEL) == {}
    assert VERCEL.is_json(cut, "ai.prompt")


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"ai.response.text": "Now"}, Message("assistant", "Now")),
        ({"ai.result.text": "Now"}, Message("assistant", "Now")),
        ({"ai.response.text": "", "ai.response.toolCalls": CALL}, Message("assistant", "", calls_tool=True)),
        (
            {"ai.response.text": "I look", "ai.response.toolCalls": CALL},
            Message("assistant", "I look", calls_tool=True),
        ),
        ({"ai.response.object": '{"answer":"Now","sources":[1]}'}, Message("assistant", "Now")),
        ({"ai.response.object": '{"relevant":true}'}, None),
        ({"ai.response.toolCalls": "[]"}, None),
        ({}, None),
    ],
)
def test_the_reply_is_text_a_tool_call_or_the_answer_of_an_object(
    attributes: dict[str, AttributeValue], message: Message | None
) -> None:
    read = span("a", attributes={"ai.operationId": "ai.generateText", **attributes})
    assert told(VERCEL, read, Role.MODEL).get("output") == message


def test_facts_of_all_versions() -> None:
    new: dict[str, AttributeValue] = {
        "ai.operationId": "ai.streamText.doStream",
        "ai.model.id": "chat-1",
        "ai.response.model": "chat-1-05",
        "ai.response.id": "r-1",
        "ai.usage.inputTokens": 9,
        "ai.usage.outputTokens": 3,
        "ai.telemetry.metadata.sessionId": "s-1",
        "ai.telemetry.metadata.userId": "u-1",
        "ai.telemetry.metadata.tenantId": "t-1",
        "ai.telemetry.metadata.promptVersion": 4,
        "ai.telemetry.metadata.knowledgeBase": "faq",
        "ai.telemetry.metadata.appVersion": "2.0",
    }
    assert told(VERCEL, span("a", attributes=new)) == {
        "model": "chat-1",
        "response_model": "chat-1-05",
        "response_id": "r-1",
        "session_id": "s-1",
        "user_id": "u-1",
        "tenant": "t-1",
        "app_version": "2.0",
        "prompt_version": "4",
        "knowledge_base": "faq",
        "input_tokens": 9,
        "output_tokens": 3,
    }
    old: dict[str, AttributeValue] = {
        "ai.usage.promptTokens": 9.0,
        "ai.usage.completionTokens": float("nan"),
        "ai.telemetry.metadata.langfusePrompt": '{"name":"rag","version":7}',
    }
    assert told(VERCEL, span("a", attributes=old)) == {"prompt_version": "rag:7", "input_tokens": 9}


def test_a_stream_that_breaks_off_has_failed_though_its_status_is_unset() -> None:
    broken = {"ai.operationId": "ai.streamText.doStream", "ai.response.finishReason": "error"}
    assert told(VERCEL, span("a", attributes=broken)) == {"failure": "finish reason: error"}


@pytest.mark.parametrize("documents", [["One.", "Two."], [{"id": "1", "text": "One."}, {"id": "2", "text": "Two."}]])
def test_a_ranking_gives_documents_their_order_and_score(documents: list[object]) -> None:
    read = span(
        "a",
        attributes={
            "ai.operationId": "ai.rerank.doRerank",
            "ai.documents": [json.dumps(document) for document in documents],
            "ai.ranking": ['{"index":1,"relevanceScore":0.9}', '{"index":0,"relevanceScore":0.2}'],
        },
    )
    found = told(VERCEL, read, Role.RERANKER)["documents"]
    ids = ("2", "1") if isinstance(documents[0], dict) else (None, None)
    assert found == (Document("Two.", ids[0], 0.9), Document("One.", ids[1], 0.2))


@pytest.mark.parametrize("ranking", [None, ['{"index":5}'], ["{}"], ["[]"]])
def test_a_ranking_that_does_not_fit_says_nothing(ranking: AttributeValue) -> None:
    read = span("a", attributes={"ai.documents": ['"One."'], "ai.ranking": ranking})
    assert told(VERCEL, read, Role.RERANKER) == {}


def stream() -> list[Span]:
    """Retrieval without a span, then a stream."""
    prompt = {"system": "You help.", "prompt": PROMPT}
    messages = [{"role": "system", "content": "You help."}, typed("user", PROMPT)]
    return [
        http(),
        outer("ai.streamText", prompt, ai_response_text=ANSWER),
        inner("ai.streamText.doStream", messages, at=2, ai_response_text=ANSWER, ai_usage_inputTokens=50),
    ]


def test_documents_are_cut_out_of_the_prompt() -> None:
    request = only(extract(*stream()))
    assert (request.request_id, request.question, request.answer) == ("outer-1", QUESTION, ANSWER)
    assert (request.contexts_source, [passage.text for passage in request.contexts]) == (
        ContextsSource.PROMPT,
        ["Riders are sixteen or older.\n---\nOpen daily."],
    )
    assert (request.session_id, request.input_tokens, request.convention) == ("s-1", 50, "vercel_ai")


def test_without_its_outer_span_a_step_is_a_request_of_its_own() -> None:
    """Streams are abandoned: then the outer span may never end."""
    root, _, step = stream()
    request = only(extract(root, step))
    assert (request.request_id, request.question, request.answer) == ("inner-2", QUESTION, ANSWER)


def agent(*results: object) -> Extracted:
    """A model that searches, and answers from what it found."""
    asked = typed("user", QUESTION)
    spans = [http(), outer("ai.generateText", {"prompt": QUESTION}, ai_response_text=ANSWER)]
    for at, result in enumerate(results, start=1):
        spans.append(inner("ai.generateText.doGenerate", [asked], at=at * 10, ai_response_toolCalls=CALL))
        spans.append(tool(at * 10 + 5, result))
    final: list[object] = [asked]
    for result in results:
        final.append({"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c-1", "input": {}}]})
        output = {"type": "json", "value": result}
        final.append({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c-1", "output": output}]})
    spans.append(inner("ai.generateText.doGenerate", final, at=99, ai_response_text=ANSWER))
    return extract(*spans)


def test_an_agents_documents_are_those_of_all_its_searches() -> None:
    first = [{"id": "d-1", "content": "Riders are sixteen or older.", "score": 0.9}]
    second = {"results": [{"id": "d-2", "text": "Open daily."}, *first]}
    request = only(agent(first, second))
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [(passage.id, passage.text, passage.score) for passage in request.contexts] == [
        ("d-1", "Riders are sixteen or older.", 0.9),
        ("d-2", "Open daily.", None),
    ]
    assert request.contexts_source is ContextsSource.SPAN


def test_a_tool_that_gives_text_is_evidence_too() -> None:
    request = only(agent("Riders are sixteen or older."))
    assert [(passage.kind, passage.text) for passage in request.contexts] == [
        (PassageKind.TOOL, "Riders are sixteen or older.")
    ]


def test_an_empty_search_is_an_empty_retrieval() -> None:
    request = only(agent([]))
    assert (request.contexts, request.contexts_source) == ((), ContextsSource.SPAN)


def test_a_call_that_rewrites_the_question_is_no_request_and_no_answer() -> None:
    rewriting = [
        outer("ai.generateText", {"prompt": "Rewrite: And on Sundays?"}, at=1, ai_response_text="Open on Sundays?"),
        inner("ai.generateText.doGenerate", [typed("user", "Rewrite: x")], at=2, ai_response_text="Open on Sundays?"),
    ]
    follow = PROMPT.replace(QUESTION, "And on Sundays?")
    turns = [typed("user", "When?"), typed("assistant", "Daily."), typed("user", follow)]
    answering = [
        outer("ai.streamText", {"messages": turns}, at=50, ai_response_text="Yes."),
        inner("ai.streamText.doStream", turns, at=51, above=50, ai_response_text="Yes."),
    ]
    request = only(extract(http(), *rewriting, *answering))
    assert (request.question, request.answer) == ("And on Sundays?", "Yes.")


def test_a_failed_call_keeps_question_and_contexts() -> None:
    event = SpanEvent("exception", 3, {"exception.type": "AI_APICallError", "exception.message": "no"})
    attributes = outer("ai.generateText", {"prompt": PROMPT}).attributes
    broken_by: Fields = {"events": (event,), **failed("no")}
    broken = span("outer-1", "http", 1, attributes=attributes, **broken_by)
    request = only(extract(http(), broken))
    assert (request.question, request.answer, len(request.contexts)) == (QUESTION, None, 1)
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("AI_APICallError", "generation")


def test_ingestion_is_no_request() -> None:
    embedding = span("a", attributes={"ai.operationId": "ai.embedMany", "ai.values": ['"One."']})
    assert dict(extract(http(), embedding).dropped) == {"ingestion": 1}
