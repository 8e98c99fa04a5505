from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.pydantic_ai import PYDANTIC_AI
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanStatus
from tests.monitor.traces.spans import ANSWER, PROMPT, QUESTION, extract, only, span, told

SCOPE = "pydantic-ai"
MADE_UP = "01a22869-f0a9-713b-b8b4-ca197bcb8991"
RETRY = "Validation feedback:\nNot a number.\n\nFix the errors and try again."
FOUND = [{"id": "d-1", "text": "Riders are sixteen or older.", "score": 0.9}, {"id": "d-2", "text": "Open daily."}]
READ = (Document("Riders are sixteen or older.", "d-1", 0.9), Document("Open daily.", "d-2"))
CALL = {"id": "c-1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


def said(role: str, *texts: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": text} for text in texts]}


def calls() -> dict[str, object]:
    return {"role": "assistant", "parts": [{"type": "tool_call", "id": "c-1", "name": "search", "arguments": "{}"}]}


def gave(role: str = "user") -> dict[str, object]:
    return {"role": role, "parts": [{"type": "tool_call_response", "id": "c-1", "name": "search", "result": FOUND}]}


def run(messages: Sequence[object], **attributes: AttributeValue) -> Span:
    """The span of an agent's run in versions from 2."""
    held: dict[str, AttributeValue] = {
        "agent_name": "helpdesk",
        "model_name": "chat-1",
        "pydantic_ai.all_messages": json.dumps(messages),
        **attributes,
    }
    return span("agent", name="agent run", attributes=held, scope=SCOPE)


@pytest.mark.parametrize(
    ("name", "attributes", "role"),
    [
        ("agent run", {"agent_name": "a", "model_name": "m"}, Role.CHAIN),
        ("a run", {"all_messages_events": "[]"}, Role.CHAIN),
        ("running tool", {"gen_ai.tool.name": "s", "tool_response": "x"}, Role.TOOL),
        ("running output function", {"gen_ai.tool.name": "s", "tool_response": "x"}, Role.STEP),
        (
            "execute_tool s",
            {
                "gen_ai.tool.name": "s",
                "gen_ai.operation.name": "execute_tool",
                "logfire.msg": "running output function: s",
            },
            Role.STEP,
        ),
        ("execute_tool s", {"gen_ai.tool.name": "s", "gen_ai.operation.name": "execute_tool"}, None),
        ("chat m", {"gen_ai.operation.name": "chat", "logfire.span_type": "pending_span"}, Role.STEP),
        ("chat m", {"gen_ai.operation.name": "chat", "logfire.span_type": "span"}, None),
        ("running 2 tools", {"tools": ["s", "t"]}, None),
        ("chat", {"events": '[{"event.name": "gen_ai.user.message", "content": "x"}]'}, Role.MODEL),
        ("other", {"events": '[{"name": "x"}]'}, None),
        ("Chat", {"request_data": '{"messages": []}', "logfire.msg": "x"}, Role.MODEL),
        ("Embedding Creation", {"request_data": '{"input": "x"}', "logfire.msg": "x"}, Role.STEP),
        ("Chat", {"request_data": '{"messages": []}'}, None),
    ],
)
def test_the_attributes_give_the_role(name: str, attributes: dict[str, AttributeValue], role: Role | None) -> None:
    assert PYDANTIC_AI.role(span("a", name=name, attributes=attributes, scope=SCOPE)) is role


def test_an_agents_name_alone_says_nothing_in_other_scopes() -> None:
    assert PYDANTIC_AI.role(span("a", attributes={"agent_name": "a"})) is None


@pytest.mark.parametrize(
    ("messages", "start", "question"),
    [
        ([said("user", QUESTION), calls(), gave(), said("assistant", ANSWER)], None, QUESTION),
        ([said("user", QUESTION), calls(), gave("tool"), said("assistant", ANSWER)], None, QUESTION),
        (
            [said("system", "Help."), said("user", "Hi"), said("assistant", "Yes?"), said("user", QUESTION)],
            None,
            QUESTION,
        ),
        ([said("user", "Hi"), said("assistant", "Yes?"), said("user", QUESTION), said("assistant", "x")], 2, QUESTION),
        ([said("user", QUESTION), said("assistant", "x"), said("user", RETRY), said("assistant", "y")], None, QUESTION),
        ([said("user", "Hi"), said("user", QUESTION), said("assistant", "x"), said("user", "Again")], 1, QUESTION),
        ([said("user", QUESTION)], 99, QUESTION),
        ([said("user", PROMPT), said("assistant", ANSWER)], None, QUESTION),
        ([{"role": "user", "parts": [{"type": "text"}]}], None, None),
    ],
)
def test_the_question_is_what_the_user_typed_in_this_run(
    messages: list[object], start: int | None, question: str | None
) -> None:
    index: dict[str, AttributeValue] = {} if start is None else {"pydantic_ai.new_message_index": start}
    assert told(PYDANTIC_AI, run(messages, **index), Role.CHAIN).get("question") == question


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        ("Now.", "Now."),
        ("[1] Now.", "[1] Now."),
        ('{"answer": "Now.", "sources": ["d-1"]}', "Now."),
        ('{"city": "Paris"}', None),
        (None, ANSWER),
    ],
)
def test_the_answer_is_the_result_else_the_models_last_words(result: str | None, answer: str | None) -> None:
    ended = said("assistant", ANSWER) if result is None else calls()
    attributes: dict[str, AttributeValue] = {} if result is None else {"final_result": result}
    assert told(PYDANTIC_AI, run([said("user", "x"), ended], **attributes), Role.CHAIN).get("answer") == answer


def test_a_run_that_ends_with_a_tool_has_no_answer() -> None:
    for ended in (calls(), gave(), said("user", "x")):
        assert "answer" not in told(PYDANTIC_AI, run([said("assistant", "I look."), ended]), Role.CHAIN)


def event(name: str, /, **held: object) -> dict[str, object]:
    return {"event.name": f"gen_ai.{name}", "gen_ai.message.index": 0, "gen_ai.system": "openai", **held}


ASKED = [
    event("system.message", role="system", content="Use the search tool."),
    event("user.message", role="user", content=QUESTION),
]
SEARCHED = [
    event("assistant.message", role="assistant", tool_calls=[CALL]),
    event("tool.message", role="tool", id="c-1", name="search", content=FOUND),
]


def old_chat(span_id: str, at: int, asked: Sequence[object], message: Mapping[str, object]) -> Span:
    """A model call of version 1, with its events in an attribute."""
    held: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "chat-1",
        "model_request_parameters": "{}",
        "gen_ai.usage.input_tokens": 10,
        "events": json.dumps([*asked, event("choice", index=0, message=message)]),
    }
    return span(span_id, "agent", at, attributes=held, scope=SCOPE)


def test_the_first_version_wrote_events_into_attributes() -> None:
    thinking = {"role": "assistant", "content": [{"kind": "thinking", "text": "Hm"}, {"kind": "text", "text": ANSWER}]}
    everything = [*ASKED, *SEARCHED, event("assistant.message", role="assistant", content=ANSWER)]
    agent = span(
        "agent",
        attributes={
            "agent_name": "helpdesk",
            "model_name": "chat-1",
            "all_messages_events": json.dumps(everything),
            "final_result": ANSWER,
            "gen_ai.usage.input_tokens": 20,
        },
        scope=SCOPE,
    )
    tools = span("tools", "agent", 3, attributes={"tools": ["search"], "logfire.msg": "running 1 tool"}, scope=SCOPE)
    returned: dict[str, AttributeValue] = {"gen_ai.tool.name": "search", "tool_response": json.dumps(FOUND)}
    tool = span("tool", "tools", 4, attributes={**returned, "tool_arguments": "{}"}, scope=SCOPE)
    first = old_chat("c1", 1, ASKED, {"role": "assistant", "tool_calls": [CALL]})
    last = old_chat("c2", 9, [*ASKED, *SEARCHED], thinking)
    assert told(PYDANTIC_AI, last, Role.MODEL) == {
        "prompt": (
            Message("system", "Use the search tool."),
            Message("user", QUESTION),
            Message("assistant", "", calls_tool=True),
            Message("tool", "", results=("Riders are sixteen or older.", "Open daily.")),
        ),
        "output": Message("assistant", ANSWER),
    }
    request = only(extract(agent, first, tools, tool, last))
    assert (request.question, request.answer, request.input_tokens) == (QUESTION, ANSWER, 20)
    assert [(passage.id, passage.score) for passage in request.contexts] == [("d-1", 0.9), ("d-2", None)]
    assert (request.contexts_source, request.convention) == (ContextsSource.SPAN, "pydantic_ai")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (json.dumps(FOUND), {"documents": READ}),
        ("Riders are sixteen.", {"result": "Riders are sixteen."}),
        ("[]", {"documents": ()}),
    ],
)
def test_a_tools_response_is_documents_or_text(response: str, expected: dict[str, object]) -> None:
    tool = span("a", attributes={"gen_ai.tool.name": "s", "tool_response": response}, scope=SCOPE)
    assert told(PYDANTIC_AI, tool, Role.TOOL) == expected


def current(span_id: str, at: int, messages: Sequence[object], reply: object, *, parent: str = "agent") -> Span:
    """A model call of the current version."""
    held: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.conversation.id": MADE_UP,
        "gen_ai.input.messages": json.dumps(messages),
        "gen_ai.output.messages": json.dumps([reply]),
        "logfire.span_type": "span",
    }
    return span(span_id, parent, at, attributes=held, scope=SCOPE)


def test_a_function_that_makes_the_answer_is_no_evidence() -> None:
    """Its result is the answer: judged against that, every answer would be supported."""
    agent = run([said("user", QUESTION), calls()], final_result='{"answer": "Anyone."}')
    output: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "final_result",
        "gen_ai.tool.call.result": '"Anyone."',
        "logfire.msg": "running output function: final_result",
    }
    search: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.result": json.dumps(FOUND),
    }
    request = only(
        extract(
            agent,
            current("c1", 1, [said("user", QUESTION)], calls()),
            span("t1", "agent", 3, attributes=search, scope=SCOPE),
            current("c2", 5, [said("user", QUESTION), calls(), gave()], calls()),
            span("t2", "agent", 8, attributes=output, scope=SCOPE),
        )
    )
    assert (request.question, request.answer) == (QUESTION, "Anyone.")
    assert [passage.id for passage in request.contexts] == ["d-1", "d-2"]


def test_pending_spans_of_logfire_hide_no_model_call() -> None:
    """They stand below the span that they announce, without its results."""
    agent = run([said("user", PROMPT), said("assistant", ANSWER)], final_result=ANSWER)
    chat = current("chat", 2, [said("user", PROMPT)], said("assistant", ANSWER))
    pending = span(
        "pending",
        "chat",
        2,
        attributes={"gen_ai.operation.name": "chat", "logfire.span_type": "pending_span", "gen_ai.request.model": "m"},
        scope=SCOPE,
    )
    request = only(extract(agent, chat, pending))
    assert (request.question, request.answer, request.model) == (QUESTION, ANSWER, "chat-1")
    assert request.contexts_source is ContextsSource.PROMPT


@pytest.mark.parametrize(("conversation", "session"), [("thread-7", "thread-7"), (MADE_UP, None)])
def test_only_a_conversation_that_the_application_named_is_a_session(conversation: str, session: str | None) -> None:
    named = run([said("user", "x")], **{"gen_ai.conversation.id": conversation})
    assert told(PYDANTIC_AI, named).get("session_id") == session


def test_metadata_of_a_run_says_who_asked() -> None:
    metadata = {"session_id": "s-1", "user_id": "u-1", "tenant": "t-1", "prompt_version": 3, "knowledge_base": "faq"}
    assert told(PYDANTIC_AI, run([said("user", "x")], metadata=json.dumps(metadata))) == {
        "session_id": "s-1",
        "user_id": "u-1",
        "tenant": "t-1",
        "prompt_version": "3",
        "knowledge_base": "faq",
    }


def client(span_id: str, at: int, *, stream: bool = False, **attributes: AttributeValue) -> Span:
    """A client's call as Logfire itself records it."""
    request = {"model": "chat-1", "messages": [{"role": "user", "content": PROMPT}], "stream": stream}
    held: dict[str, AttributeValue] = {"request_data": json.dumps(request), "logfire.msg": "Chat", **attributes}
    return span(span_id, "http", at, name="Chat Completion with {request_data[model]!r}", attributes=held)


def test_logfires_own_spans_of_clients() -> None:
    response = {"message": {"role": "assistant", "content": ANSWER}, "usage": {"prompt_tokens": 9, "output_tokens": 2}}
    call = client("a", 1, response_data=json.dumps(response))
    assert told(PYDANTIC_AI, call, Role.MODEL) == {
        "prompt": (Message("user", PROMPT),),
        "output": Message("assistant", ANSWER),
    }
    assert told(PYDANTIC_AI, call) == {"model": "chat-1", "input_tokens": 9, "output_tokens": 2}
    request = only(extract(span("http", kind=2), call))
    assert (request.question, request.answer) == (QUESTION, ANSWER)


def test_a_stream_of_a_client_is_one_request() -> None:
    """Logfire ends the span when the stream begins, and logs the whole of it beside the span when it ends."""
    log = client("b", 9, stream=True, response_data=json.dumps({"combined_chunk_content": ANSWER, "chunk_count": 3}))
    opened = client("a", 1, stream=True)
    request = only(extract(span("http", kind=2), opened, log))
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    broken = span("a", "http", 1, attributes=opened.attributes, status=SpanStatus.ERROR)
    assert only(extract(span("http", kind=2), broken)).error is not None


def test_evaluators_are_left_out_with_the_judges_calls() -> None:
    evaluator = span(
        "agent", attributes={"evaluator_name": "LLMJudge"}, name="evaluator: LLMJudge", scope="pydantic-evals"
    )
    judge = current("c", 1, [said("user", PROMPT)], said("assistant", "pass"))
    assert dict(extract(evaluator, judge).dropped) == {"evaluator": 1}


def test_cut_messages_give_no_wrong_question() -> None:
    cut = json.dumps([said("user", "Hi"), said("assistant", "Yes?"), said("user", QUESTION)])[:-30]
    held = run([], **{"pydantic_ai.all_messages": cut})
    assert PYDANTIC_AI.is_json(held, "pydantic_ai.all_messages")
    assert told(PYDANTIC_AI, held, Role.CHAIN).get("question") in {None, QUESTION}


def test_contents_that_are_left_out_hide_the_trace() -> None:
    """Switched off by `include_content=False`: messages keep their frames."""
    empty: dict[str, object] = {"role": "user", "parts": [{"type": "text"}]}
    asked = [{key: value for key, value in one.items() if key != "content"} for one in ASKED]
    old = old_chat("c", 1, asked, {"role": "assistant"})
    for hidden in (run([empty]), old, current("c", 1, [empty], {"role": "assistant", "parts": [{"type": "text"}]})):
        assert PYDANTIC_AI.hides(hidden)
    for shown in (run([said("user", '{"type":"text"}')]), old_chat("c", 1, ASKED, {"role": "assistant"})):
        assert not PYDANTIC_AI.hides(shown)
    tool: dict[str, AttributeValue] = {"gen_ai.tool.name": "search", "gen_ai.operation.name": "execute_tool"}
    request = only(extract(run([empty]), span("t", "agent", 1, attributes=tool, scope=SCOPE), old))
    assert (request.redacted, request.question, request.answer) == (True, None, None)


def test_a_run_whose_call_failed_shows_what_the_call_was_given() -> None:
    """The failed call itself shows nothing, and is no plain chat."""
    model: dict[str, AttributeValue] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "chat-1"}
    broken = span("c", "agent", 1, attributes=model, scope=SCOPE, status=SpanStatus.ERROR)
    ended = run([said("system", "Be brief."), said("user", PROMPT)])
    request = only(extract(replace(ended, status=SpanStatus.ERROR), broken))
    assert (request.question, request.answer, request.contexts_source) == (QUESTION, None, ContextsSource.PROMPT)
    assert request.error is not None


def test_a_run_with_its_answer_was_given_what_its_calls_show() -> None:
    assert "prompt" not in told(PYDANTIC_AI, run([said("user", PROMPT), said("assistant", ANSWER)]), Role.CHAIN)


def test_the_reply_of_a_call_of_responses_is_the_last_message() -> None:
    """Logfire 3 has no choice there; a conversation that ends with the user got none."""
    turns = [("user", "Hi"), ("assistant", "Yes?"), ("user", QUESTION), ("assistant", ANSWER)]
    events = [{"event.name": f"gen_ai.{role}.message", "role": role, "content": text} for role, text in turns]
    answered = span(
        "c", attributes={"events": json.dumps(events), "logfire.msg": "Responses API"}, scope="logfire.openai"
    )
    read = told(PYDANTIC_AI, answered, Role.MODEL)
    assert read["output"] == Message("assistant", ANSWER)
    assert read["prompt"] == (Message("user", "Hi"), Message("assistant", "Yes?"), Message("user", QUESTION))
    failed = span("c", attributes={"events": json.dumps(events[:3]), "logfire.msg": "Responses API"})
    assert "output" not in told(PYDANTIC_AI, failed, Role.MODEL)
