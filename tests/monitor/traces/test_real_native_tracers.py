"""What real runs of libraries that trace themselves showed: each test has the spans in the form that they wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from monitor.traces.prompts import context_block
from monitor.traces.reading import Message
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import (
    CALLED,
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    agent,
    answered,
    dotted,
    filled,
    model,
    oi,
    oi_model,
    one,
    said,
    told,
    tool,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, failed, span

BOTH = f"{RIDERS}\n{OPEN}"
TEXTS = [RIDERS, OPEN]
ASKED = [{"role": "user", "content": FILLED}]
AGENTS = "logfire.openai_agents"
FROM_PROMPT = Told(QUESTION, ANSWER, (BOTH,), "prompt")

# ------------------------------------------------------------------- plain texts that a function under a tracer returns


def langfuse(span_id: str, parent: str, at: int, asked: object, returned: object, **more: AttributeValue) -> Span:
    """An observation under `@observe`, which is a span where nobody says more."""
    kept: dict[str, AttributeValue] = {"langfuse.observation.type": "span"}
    for key, value in (("input", asked), ("output", returned)):
        kept[f"langfuse.observation.{key}"] = value if isinstance(value, str) else json.dumps(value)
    return span(span_id, parent, at, attributes=kept | dotted(**more))


def langsmith(span_id: str, parent: str, at: int, asked: object, returned: object, **more: AttributeValue) -> Span:
    """A run under `@traceable`, which is a chain where nobody says more."""
    kept: dict[str, AttributeValue] = {
        "langsmith.span.kind": "chain",
        "gen_ai.prompt": json.dumps(asked),
        "gen_ai.completion": json.dumps(returned),
    }
    return span(span_id, parent, at, attributes=kept | dotted(**more))


def mlflow(span_id: str, parent: str, at: int, asked: object, returned: object, **more: AttributeValue) -> Span:
    """A span under `@mlflow.trace`, whose type is unknown where nobody says more."""
    kept: dict[str, AttributeValue] = {
        "mlflow.spanType": '"UNKNOWN"',
        "mlflow.spanInputs": json.dumps(asked),
        "mlflow.spanOutputs": json.dumps(returned),
    }
    return span(span_id, parent, at, attributes=kept | dotted(**more))


def _langfuse(found: list[str]) -> list[Span]:
    called = {"args": [QUESTION], "kwargs": {}}
    kind = "generation"
    return [
        langfuse("rag", "", 0, called, ANSWER),
        langfuse("fetch", "rag", 1, called, found),
        langfuse("call", "rag", 2, ASKED, ANSWER, langfuse__observation__type=kind),
    ]


def _langsmith(found: list[str]) -> list[Span]:
    return [
        langsmith("rag", "", 0, {"question": QUESTION}, {"output": ANSWER}),
        langsmith("fetch", "rag", 1, {"query": QUESTION}, {"output": found}),
        langsmith("call", "rag", 2, {"messages": ASKED}, {"output": ANSWER}, langsmith__span__kind="llm"),
    ]


def _mlflow(found: list[str]) -> list[Span]:
    return [
        mlflow("rag", "", 0, {"question": QUESTION}, ANSWER),
        mlflow("fetch", "rag", 1, {"query": QUESTION}, found),
        mlflow("call", "rag", 2, {"messages": ASKED}, ANSWER, mlflow__spanType='"CHAT_MODEL"'),
    ]


@pytest.mark.parametrize("spans", [_langfuse, _langsmith, _mlflow])
def test_plain_texts_that_a_step_returned_are_the_documents_when_a_model_was_given_all_of_them(spans: Any) -> None:  # noqa: ANN401 - a function
    request = one(*spans(TEXTS))
    assert [passage.text for passage in request.contexts] == TEXTS
    assert (request.question, request.answer, request.contexts_source.value) == (QUESTION, ANSWER, "span")


@pytest.mark.parametrize("spans", [_langfuse, _langsmith, _mlflow])
@pytest.mark.parametrize("found", [["How old must a rider be?", OPEN], ["d-1", "d-2"], []])
def test_other_lists_of_a_step_are_none_such_as_queries_or_ids(spans: Any, found: list[str]) -> None:  # noqa: ANN401 - a function
    request = one(*spans(found))
    assert ([passage.text for passage in request.contexts], request.contexts_source.value) == ([BOTH], "prompt")


def test_the_name_of_a_document_may_stand_beside_its_text() -> None:
    found = [{**item, "source": f"{item['id']}.md"} for item in LISTED]
    request = one(
        langfuse("rag", "", 0, {"question": QUESTION}, ANSWER),
        langfuse("find", "rag", 1, QUESTION, found, langfuse__observation__type="retriever"),
        langfuse("call", "rag", 2, ASKED, ANSWER, langfuse__observation__type="generation"),
    )
    assert [passage.source for passage in request.contexts] == ["d-1.md", "d-2.md"]


def test_mlflows_documents_are_named_by_their_uri() -> None:
    found = [{"page_content": RIDERS, "metadata": {"doc_uri": "rules.md", "url": "ftp://rules"}, "id": "d-1"}]
    request = one(
        mlflow("rag", "", 0, {"question": QUESTION}, ANSWER),
        mlflow("find", "rag", 1, {"query": QUESTION}, found, mlflow__spanType='"RETRIEVER"'),
    )
    assert [(passage.id, passage.source) for passage in request.contexts] == [("d-1", "rules.md")]


def test_a_chain_of_openinference_may_return_plain_texts_as_well() -> None:
    request = one(
        oi("CHAIN", "rag", asked={"question": QUESTION}, returned=ANSWER),
        oi("CHAIN", "fetch", "rag", 1, asked=QUESTION, returned=TEXTS),
        oi_model("call", "rag", 2, [("user", FILLED)], ANSWER),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")


# --------------------------------------------------------------------------------------------------------- Logfire


def test_logfire_records_what_functions_were_given_and_returned() -> None:
    request = one(
        span("rag", attributes={"question": QUESTION, "return": ANSWER, "logfire.span_type": "span"}),
        span("retrieve", "rag", 1, attributes={"query": QUESTION, "return": json.dumps(LISTED)}),
        filled("call", "rag", 2),
    )
    assert told(request) == RIGHT


def _turn(span_id: str, at: int, asked: str, reply: str) -> list[Span]:
    """A turn of an agent, which has a span of its own that says nothing of it."""
    call = model(f"{span_id}-call", span_id, at, asked, reply)
    return [span(span_id, "run", at, name="Turn {turn} for agent helper", scope=AGENTS), replace(call, scope=AGENTS)]


def test_an_agent_of_openai_under_logfire_is_one_request_with_its_turns_and_functions() -> None:
    called = {"input": json.dumps({"query": "age"}), "output": BOTH, "logfire.msg": "Function: search"}
    request = one(
        span("trace", name="OpenAI Agents trace: {name}", scope=AGENTS),
        span(
            "run",
            "trace",
            1,
            name="Agent run: {name!r}",
            scope=AGENTS,
            attributes={"logfire.msg": "Agent run: 'helper'"},
        ),
        *_turn("first", 2, said(("user", QUESTION)), said(("assistant", CALLED))),
        span("tool", "first", 3, name="Function: {name}", scope=AGENTS, attributes=called),
        *_turn("second", 5, said(("user", QUESTION), ("tool", answered(BOTH))), said(("assistant", ANSWER))),
    )
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "span")
    assert (request.input_tokens, request.output_tokens) == (20, 6)


# ---------------------------------------------------------------------------------------- contexts that agents insert


def test_documents_that_were_written_into_the_prompt_as_json_are_read_one_by_one() -> None:
    """Agno adds what its knowledge base found as references."""
    written = json.dumps([{"content": RIDERS, "name": "rules.md"}, {"content": OPEN, "name": "hours.md"}], indent=2)
    asked = f"{QUESTION}\n\nUse the following references from the knowledge base if it helps:\n<references>\n{written}"
    request = one(
        oi("AGENT", "a", asked=QUESTION, returned=ANSWER),
        oi_model("m", "a", 1, [("user", f"{asked}\n</references>")], ANSWER),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "prompt")


def test_what_google_adk_says_of_an_agent_is_no_context() -> None:
    system = f'Context:\n{BOTH}\n\nYou are an agent. Your internal name is "helper".'
    assert context_block([Message("system", system), Message("user", QUESTION)]) == BOTH


# ------------------------------------------------------------------------------------------------------- LangSmith


def test_empty_objects_in_all_model_calls_are_langsmiths_hidden_contents() -> None:
    spans = [
        langsmith("rag", "", 0, {}, {}),
        langsmith("find", "rag", 1, {}, {}, langsmith__span__kind="retriever"),
        langsmith("call", "rag", 2, {}, {}, langsmith__span__kind="llm"),
    ]
    assert one(*spans).redacted
    shown = langsmith("call", "rag", 2, {"messages": ASKED}, {"output": ANSWER}, langsmith__span__kind="llm")
    assert not one(*spans[:2], shown).redacted


def test_a_stream_that_its_reader_closed_did_not_fail() -> None:
    """LangSmith records it as a failure of the call and packs the exception into another one."""
    closed = SpanEvent("exception", 3, {"exception.type": "Exception", "exception.message": "GeneratorExit()\n\n"})
    request = one(
        langsmith("rag", "", 0, {"question": QUESTION}, {}),
        langsmith("find", "rag", 1, {"query": QUESTION}, {"documents": []}, langsmith__span__kind="retriever"),
        replace(langsmith("call", "rag", 2, {"messages": ASKED}, {}, langsmith__span__kind="llm"), events=(closed,)),
    )
    assert request.error is None


# ---------------------------------------------------------------------------------------- model calls beside each other


def _streamed(parent: str) -> list[Span]:
    """Logfire's two spans of a streamed call: the second is written when the stream has ended."""
    opened = filled("call", parent, 1, logfire__span_type="span")
    kept = {key: value for key, value in opened.attributes.items() if "output" not in key and "usage" not in key}
    done = filled("log", parent, 5, logfire__span_type="log", gen_ai__response__id="r-1")
    return [replace(opened, attributes=kept), replace(done, end_ns=5)]


def test_the_span_of_a_streamed_reply_beside_that_of_the_call_is_the_same_request() -> None:
    request = one(span("app", name="answer"), *_streamed("app"))
    assert told(request) == FROM_PROMPT
    assert (request.request_id, request.response_id, request.input_tokens) == ("app", "r-1", 10)


def test_a_call_that_is_tried_again_is_one_request_that_did_not_fail() -> None:
    broken = filled("first", "app", 1)
    kept = {key: value for key, value in broken.attributes.items() if "output" not in key}
    request = one(span("app"), replace(broken, attributes=kept, **failed("overloaded")), filled("second", "app", 3))
    assert told(request) == FROM_PROMPT
    assert request.error is None


def test_calls_beside_each_other_that_both_answer_stay_requests_of_their_own() -> None:
    assert len(extract(span("app"), filled("a", "app", 1), filled("b", "app", 3)).requests) == 2
    assert len(extract(span("app"), *_streamed("app"), filled("b", "app", 7)).requests) == 2


# -------------------------------------------------------------------------------------------------- Semantic Kernel


def test_a_prompt_that_is_a_function_gives_back_the_answer_and_no_evidence() -> None:
    printed = f"[ChatMessageContent(inner_content=ChatCompletion(content='{ANSWER}'))]"
    request = one(
        tool("prompt", "", 0, gen_ai__tool__name="RrXOnBIijKAprfwk", gen_ai__tool__call__result=printed),
        tool("search", "prompt", 1, gen_ai__tool__call__result=BOTH),
        filled("call", "prompt", 2),
    )
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "span")


# ----------------------------------------------------------------------------------------- Microsoft Agent Framework


def test_a_context_that_a_provider_added_stands_in_a_message_before_the_users() -> None:
    asked = said(("user", f"Context:\n{BOTH}"), ("user", QUESTION))
    request = one(
        agent("a", gen_ai__input__messages=said(("user", QUESTION))),
        model("m", "a", 1, asked, said(("assistant", ANSWER))),
    )
    assert told(request) == FROM_PROMPT


def test_a_context_of_an_earlier_turn_is_none_of_this_one() -> None:
    turns = [Message("user", f"Context:\n{BOTH}"), Message("assistant", ANSWER), Message("user", "And on Sundays?")]
    assert context_block(turns) is None
    assert context_block([*turns[:1], Message("system", "Be brief."), *turns[2:]]) == BOTH


# ------------------------------------------------------------------------------------------- LiteLLM and LangWatch


def test_litellm_names_the_user_of_a_call() -> None:
    assert one(filled("m", "", 0, llm__request__type="completion", llm__user="u-7")).user_id == "u-7"


def test_litellms_proxy_prints_what_the_client_said_of_its_session() -> None:
    for printed, session in (
        ("{'session_id': 's-1', 'used': False}", "s-1"),
        ("{'session_id': 's-1", None),
        ("", None),
    ):
        sent = {"metadata.requester_metadata": printed}
        call = filled("m", "", 0, llm__request__type="completion")
        assert one(replace(call, attributes={**call.attributes, **sent})).session_id == session


def test_langwatch_has_session_and_user_in_its_metadata() -> None:
    noted = json.dumps({"user_id": "u-7", "thread_id": "s-1", "customer_id": "c-3"})
    root = span("t", attributes={"langwatch.span.type": "span", "metadata": noted})
    call = filled("m", "t", 1, langwatch__span__type="llm")
    request = one(root, call)
    assert (request.user_id, request.session_id, request.tenant) == ("u-7", "s-1", "c-3")
    assert one(span("t", attributes={"metadata": noted}), filled("m", "t", 1)).user_id is None


# ---------------------------------------------------------------------------------------------------------- Mastra


def mastra(
    kind: str, parent: str, at: int, asked: object = None, returned: object = None, **more: AttributeValue
) -> Span:
    """A span of a type, which is also its id, with what stands under the type's own keys."""
    kept: dict[str, AttributeValue] = {"mastra.span.type": kind}
    for side, value in (("input", asked), ("output", returned)):
        if value is not None:
            kept[f"mastra.{kind}.{side}"] = value if isinstance(value, str) else json.dumps(value)
    return span(kind, parent, at, attributes=kept | dotted(**more))


def _mastra(asked: str, step: list[dict[str, str]], *tools: Span) -> list[Span]:
    reply = {"text": ANSWER, "files": [], "reasoning": [], "sources": [], "warnings": []}
    operation = "gen_ai__operation__name"
    inner = model("call", "model_step", 3, "", said(("assistant", ANSWER)), mastra__span__type="model_inference")
    kept = {key: value for key, value in inner.attributes.items() if "input.messages" not in key}
    first = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": [{"type": "text", "text": asked}]}]
    return [
        mastra("agent_run", "", 0, asked, reply, **{operation: "invoke_agent", "mastra__metadata__threadId": "s-1"}),
        mastra("model_generation", "agent_run", 1, {"messages": first}, reply, **{operation: "model_generation"}),
        mastra(
            "model_step", "model_generation", 2, step, {"text": ANSWER, "toolCalls": []}, **{operation: "agent_step"}
        ),
        replace(inner, attributes=kept),
        mastra("model_chunk", "call", 4, None, {"text": ANSWER}, **{operation: "model_chunk"}),
        *tools,
    ]


def test_mastras_inference_has_its_prompt_in_the_step_around_it() -> None:
    request = one(*_mastra(FILLED, [{"role": "system", "content": "Be brief."}, *ASKED]))
    assert told(request) == FROM_PROMPT
    assert (request.session_id, request.input_tokens, request.output_tokens) == ("s-1", 10, 3)


def test_mastras_tools_give_documents_where_the_prompt_only_names_them() -> None:
    step = [{"role": "user", "content": QUESTION}, {"role": "tool", "content": "[tool-result: search]"}]
    result = json.dumps({"documents": LISTED})
    found = tool("t", "model_step", 3, mastra__span__type="tool_call", gen_ai__tool__call__result=result)
    assert told(one(*_mastra(QUESTION, step, found))) == RIGHT


def test_mastras_vector_store_is_a_retriever_when_it_is_asked_and_none_when_it_is_written() -> None:
    asked = mastra("rag_vector_operation", "agent_run", 1, {"query": QUESTION}, {"results": LISTED})
    assert told(one(*_mastra(QUESTION, ASKED, asked))) == RIGHT
    assert extract(mastra("rag_vector_operation", "", 1, {"vectors": 3}, {"count": 3})).requests == ()


def test_documents_that_a_step_of_mastras_workflow_hands_on_are_its_evidence() -> None:
    step = mastra(
        "workflow_step", "workflow_run", 1, {"question": QUESTION}, {"question": QUESTION, "documents": LISTED}
    )
    run = mastra("workflow_run", "", 0, {"question": QUESTION}, {"answer": ANSWER})
    entry, *rest = _mastra(FILLED, ASKED)
    assert told(one(run, step, replace(entry, parent_id="workflow_run", start_ns=2), *rest)) == RIGHT
