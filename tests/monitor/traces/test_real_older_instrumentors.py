"""What real runs of older and rarer instrumentation packages showed, in the form in which their spans were written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from monitor.traces.literals import printed_argument
from monitor.wire import AttributeValue
from tests.monitor.traces.library_spans import (
    FILLED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    dropped,
    model,
    oi,
    oi_documents,
    oi_messages,
    oi_model,
    one,
    said,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, span

BOTH = f"{RIDERS}\n{OPEN}"
IN_PROMPT = Told(QUESTION, ANSWER, (BOTH,), "prompt")


def body(asked: Mapping[str, object], replied: Mapping[str, object], **more: AttributeValue) -> Any:  # noqa: ANN401 - a span
    """A model call that only has the bodies of request and response."""
    named = {"llm.invocation_parameters": json.dumps({"model": "chat-1"})}
    call = oi("LLM", "m", asked=asked, returned=replied)
    return replace(call, attributes={**call.attributes, **named, **more})


CHOICES = {"id": "c-9", "model": "chat-1-may", "choices": [{"message": {"role": "assistant", "content": ANSWER}}]}
OUTPUT = {
    "id": "r-9",
    "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}],
}


@pytest.mark.parametrize(
    ("asked", "replied"),
    [
        ({"model": "chat-1", "prompt": FILLED}, {"choices": [{"text": ANSWER, "index": 0}]}),
        ({"model": "chat-1", "messages": [{"role": "user", "content": FILLED}]}, CHOICES),
        ({"model": "chat-1", "input": FILLED, "instructions": "Be short."}, OUTPUT),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": FILLED}]}]}, OUTPUT),
        (
            {"contents": [{"role": "user", "parts": [{"text": FILLED}]}]},
            {"candidates": [{"content": {"role": "model", "parts": [{"text": ANSWER}]}}]},
        ),
    ],
)
def test_bodies_of_calls_are_read_where_their_messages_are_not_recorded(
    asked: dict[str, object], replied: dict[str, object]
) -> None:
    assert told(one(body(asked, replied))) == IN_PROMPT


def test_a_response_tells_its_id() -> None:
    """A thumb that names it finds its request."""
    request = one(body({"messages": [{"role": "user", "content": FILLED}]}, CHOICES))
    assert request.response_id == "c-9"


def test_what_a_chain_returns_is_no_response() -> None:
    chain = oi("CHAIN", "a", asked=QUESTION, returned={"id": "x", "model": "y", "answer": ANSWER})
    found = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    assert one(chain, found).response_id is None


def test_the_requested_and_the_answering_model_have_keys_of_their_own() -> None:
    names = {
        "llm.request.model_name": "chat-1",
        "llm.response.model_name": "chat-1-may",
        "llm.model_name": "chat-1-may",
    }
    call = oi_model("m", "", 0, [("user", FILLED)], ANSWER)
    request = one(replace(call, attributes={**call.attributes, **names}))
    assert (request.model, request.response_model) == ("chat-1", "chat-1-may")


# ---------------------------------------------------------------------------------------------------------------- tools


def searched(result: object) -> Told:
    """A request of an agent whose tool gave this back."""
    entry = oi("AGENT", "a", asked=QUESTION, returned=ANSWER)
    return told(
        one(entry, oi("TOOL", "t", "a", 1, returned=result, tool__name="search"), oi_model("m", "a", 2, [], ANSWER))
    )


def test_a_tool_may_return_passages_as_plain_texts() -> None:
    assert searched([RIDERS, "骑行者必须年满十六周岁。"]).contexts == (RIDERS, "骑行者必须年满十六周岁。")


@pytest.mark.parametrize("result", [["north", "south"], [RIDERS, "d-2"], [1, 2], [RIDERS], [RIDERS, None]])
def test_other_lists_are_one_result(result: list[object]) -> None:
    assert len(searched(result).contexts) == 1


# ------------------------------------------------------------------------------------------------------------- Haystack


def printed(role: str, content: str) -> str:
    """A message of Haystack as Python prints it."""
    return f"ChatMessage(_role=<ChatRole.{role.upper()}: '{role}'>, _content=[{content}], _name=None, _meta={{}})"


def haystack_call(*, shown: int = 3) -> Any:  # noqa: ANN401 - a span
    """A second model call of Haystack's agent: the tool's message is shown without its text."""
    texts = [
        printed("user", f"TextContent(text='{QUESTION}')"),
        printed("assistant", "ToolCall(tool_name='search', arguments={'query': 'age'}, id='c-1', extra=None)"),
        printed("tool", f"ToolCallResult(result={BOTH!r}, origin=ToolCall(tool_name='search'), error=False)"),
    ]
    call = oi_model("m", "", 0, [("user", QUESTION), ("assistant", "call:search")], ANSWER)
    given = {"input.value": json.dumps({"messages": texts[:shown]}), "input.mime_type": "application/json"}
    role = {"llm.input_messages.2.message.role": "tool"}
    return replace(call, attributes={**call.attributes, **given, **role})


def test_a_tools_result_is_read_from_the_printed_messages() -> None:
    assert told(one(haystack_call())) == IN_PROMPT


def test_printed_messages_that_are_not_the_same_say_nothing() -> None:
    assert dropped(haystack_call(shown=2)) == {"plain_chat": 1}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Result(result='It\\'s\\nopen', error=False)", "It's\nopen"),
        ('Result(result="It\'s open")', "It's open"),
        ("Result(result=Text('x'))", None),
        ("Result(result='cut", None),
        ("Result(results='x')", None),
        ("", None),
    ],
)
def test_the_argument_of_a_printed_object(text: str, wanted: str | None) -> None:
    assert printed_argument(text, "result") == wanted


def test_a_pipelines_input_has_an_argument_for_each_component() -> None:
    """Traceloop's instrumentation of Haystack 2."""
    called = {"args": [], "kwargs": {"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}}}
    attributes = {
        "traceloop.span.kind": "workflow",
        "traceloop.entity.name": "haystack_pipeline",
        "traceloop.entity.input": json.dumps(called),
        "traceloop.entity.output": json.dumps(
            {"llm": {"replies": [{"_role": "assistant", "_content": [{"text": ANSWER}]}]}}
        ),
    }
    found = oi("RETRIEVER", "r", "w", 1, **oi_documents())
    assert told(one(span("w", attributes=attributes), found)) == RIGHT._replace(model=None)


# --------------------------------------------------------------------------------------------------- structured answers

HANDED = {"answer": ANSWER, "sure": True}


@pytest.mark.parametrize(
    "reply",
    [
        {"role": "assistant", "parts": [{"type": "tool_call", "name": "Answer", "arguments": HANDED}]},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "Answer", "input": HANDED}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": "Answer", "arguments": json.dumps(HANDED)}}]},
    ],
)
def test_a_structured_answer_is_handed_to_a_tool(reply: dict[str, object]) -> None:
    request = one(model("m", "", 0, said(("user", FILLED)), json.dumps([reply])))
    assert told(request) == IN_PROMPT


def test_a_structured_answer_is_handed_to_a_tool_in_flattened_messages() -> None:
    handed = {"llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": json.dumps(HANDED)}
    call = oi_model("m", "", 0, [("user", FILLED)], "call:Answer")
    assert told(one(replace(call, attributes={**call.attributes, **handed}))) == IN_PROMPT


def test_a_retriever_inside_one_that_was_asked_the_question_was_asked_something_else() -> None:
    outer = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    inner = oi("RETRIEVER", "s", "r", 3, asked="minimum age of riders", **oi_documents())
    rewrite = oi_model("m", "r", 2, [("user", QUESTION)], "minimum age of riders")
    request = one(oi("CHAIN", "a", asked=QUESTION, returned=ANSWER), outer, rewrite, inner)
    assert (request.question, request.search_query) == (QUESTION, "minimum age of riders")


def test_an_agents_structured_answer_stands_beside_its_messages() -> None:
    calls = {
        "lc": 1,
        "id": ["AIMessage"],
        "kwargs": {"type": "ai", "content": "", "tool_calls": [{"name": "Answer", "args": {}}]},
    }
    entry = oi("CHAIN", "a", asked=QUESTION, returned={"messages": [calls], "structured_response": HANDED})
    found = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    assert one(entry, found).answer == ANSWER


# ------------------------------------------------------------------------------------------------------------ Traceloop


def batched(span_id: str, parent: str, at: int, **more: AttributeValue) -> Any:  # noqa: ANN401 - a span
    """A run of a LangChain batch, as Traceloop writes it: below the run that started before it."""
    attributes = {
        "traceloop.span.kind": "workflow",
        "traceloop.entity.name": "RunnableSequence",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": span_id,
        "traceloop.entity.input": json.dumps({"inputs": f"{QUESTION} {span_id}", "kwargs": {}}),
        "traceloop.entity.output": json.dumps({"outputs": f"{ANSWER} {span_id}"}),
    }
    return span(span_id, parent, at, attributes=attributes | more)


def test_the_runs_of_a_batch_are_requests_of_their_own() -> None:
    runs = [batched("a", "", 0), batched("b", "a", 1), batched("c", "b", 2)]
    found = [oi("RETRIEVER", f"r{run.span_id}", run.span_id, 3, asked=QUESTION, **oi_documents()) for run in runs]
    requests = extract(*runs, *found).requests
    assert [request.question for request in requests] == [f"{QUESTION} {run.span_id}" for run in runs]
    assert [request.answer for request in requests] == [f"{ANSWER} {run.span_id}" for run in runs]


@pytest.mark.parametrize("more", [{"gen_ai.task.parent.id": "a"}, {"traceloop.entity.name": "rewrite"}])
def test_a_run_inside_another_one_is_a_part_of_it(more: dict[str, AttributeValue]) -> None:
    inner = batched("b", "a", 1, **more)
    found = oi("RETRIEVER", "r", "b", 2, asked=QUESTION, **oi_documents())
    assert one(batched("a", "", 0), inner, found).answer == f"{ANSWER} a"


def test_documents_stand_among_the_parts_of_a_numbered_prompt() -> None:
    source = {"type": "text", "media_type": "text/plain", "data": RIDERS}
    parts = [{"type": "document", "source": source, "title": "riders.md"}, {"type": "text", "text": QUESTION}]
    attributes = {
        "llm.request.type": "completion",
        "gen_ai.request.model": "chat-1",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": json.dumps(parts),
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": ANSWER,
    }
    assert told(one(span("m", attributes=attributes))) == Told(QUESTION, ANSWER, (RIDERS,), "span")


def test_messages_of_tools_without_any_text_stay_empty() -> None:
    call = oi_model("m", "", 0, [("user", QUESTION)], ANSWER)
    call = replace(
        call, attributes={**call.attributes, **oi_messages("llm.input_messages", [("user", QUESTION), ("tool", "")])}
    )
    assert dropped(call) == {"plain_chat": 1}
