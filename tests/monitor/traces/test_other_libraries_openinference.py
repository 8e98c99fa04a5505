"""Requests of libraries without a capture, as the instrumentors of OpenInference write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.records import PassageKind
from monitor.wire import Span, SpanEvent, SpanStatus
from tests.monitor.traces.library_spans import (
    FILLED,
    JSON,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    dotted,
    dropped,
    oi,
    oi_documents,
    oi_messages,
    oi_model,
    one,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, failed, span

SYSTEM = ("system", "You help.")
FOUND = f"{RIDERS}\n{OPEN}"
BY_TOOL = Told(QUESTION, ANSWER, (FOUND,), "span")


def _asked_twice(found: str = FOUND, parent: str = "a") -> list[Span]:
    """The model calls of an agent: one for a tool, and one with what that gave back."""
    return [
        oi_model("m1", parent, 2, [SYSTEM, ("user", QUESTION)], "call:search"),
        oi_model("m2", parent, 6, [SYSTEM, ("user", QUESTION), ("assistant", "call:search"), ("tool", found)], ANSWER),
    ]


def test_a_crew_is_asked_by_its_inputs_and_answers_in_raw() -> None:
    output = {"raw": ANSWER, "pydantic": None, "tasks_output": [{"raw": ANSWER, "agent": "Support"}]}
    request = one(
        oi("CHAIN", "k", asked={"question": QUESTION}, returned=output, crew_key="k-1"),
        oi("AGENT", "a", "k", 1, asked='{"agent": "Agent(role=Support)", "context": ""}', returned=output),
        *_asked_twice(),
        oi("TOOL", "t", "a", 4, asked='{"tool_string": "search"}', returned=FOUND, tool__name="search"),
    )
    assert told(request) == BY_TOOL
    assert (request.input_tokens, request.output_tokens, request.request_id) == (20, 6, "k")


def test_an_agent_that_thinks_aloud_answers_behind_its_last_mark() -> None:
    reply = f"Thought: I now know it.\nFinal Answer: {ANSWER}"
    request = one(
        oi("AGENT", "k"),
        oi("TOOL", "t", "k", 1, returned=RIDERS, tool__name="search"),
        oi_model("m", "k", 2, [SYSTEM, ("user", QUESTION)], reply),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS,), "span")


def test_what_goes_through_the_tool_for_the_final_answer_is_no_evidence() -> None:
    """smolagents calls its answer a tool; its arguments are JSON that no type announces."""
    called = {"task": QUESTION, "stream": False, "reset": True, "images": None, "additional_args": None}
    request = one(
        oi("AGENT", "a", asked=json.dumps(called), returned=ANSWER, smolagents__task=QUESTION),
        *_asked_twice(),
        oi("TOOL", "t", "a", 3, asked='{"kwargs": {"query": "age"}}', returned=FOUND, tool__name="retriever"),
        oi("TOOL", "f", "a", 8, asked=json.dumps({"args": [ANSWER]}), returned=ANSWER, tool__name="final_answer"),
    )
    assert told(request) == BY_TOOL


def test_a_crew_without_inputs_is_asked_by_its_task() -> None:
    task = f"\nCurrent Task: {QUESTION}\n\nThis is the expected criteria for your final answer: One sentence."
    request = one(
        oi("CHAIN", "k", returned={"raw": ANSWER}),
        oi("TOOL", "t", "k", 1, returned=RIDERS, tool__name="search"),
        oi_model("m", "k", 2, [SYSTEM, ("user", task)], f"Thought: I know it.\nFinal Answer: {ANSWER}"),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS,), "span")


def test_a_streamed_run_of_smolagents_ends_its_log_with_the_answer() -> None:
    logged = f"Execution logs:\nsearching\nLast output from code snippet:\n{ANSWER}"
    request = one(
        oi("AGENT", "a", asked=json.dumps({"task": QUESTION, "stream": True}), returned=logged),
        *_asked_twice(),
        oi("TOOL", "t", "a", 4, returned=FOUND, tool__name="search"),
    )
    assert told(request) == BY_TOOL


def test_a_failed_step_of_an_agent_that_went_on_is_no_failure() -> None:
    broken = oi("TOOL", "t0", "a", 3, tool__name="retriever")
    request = one(
        oi("AGENT", "a", asked=json.dumps({"task": QUESTION}), returned=ANSWER),
        *_asked_twice(),
        span("t0", "a", 3, attributes=broken.attributes, **failed("no index")),
        oi("TOOL", "t", "a", 4, returned=FOUND, tool__name="retriever"),
    )
    assert (told(request), request.error) == (BY_TOOL, None)


def test_an_agno_agent_has_plain_text_where_its_type_says_json() -> None:
    hits = [{"content": RIDERS, "name": "faq", "meta_data": {"page": 1}}, {"content": OPEN, "name": "faq"}]
    request = one(
        oi("AGENT", "a", asked=QUESTION, returned=ANSWER, output__mime_type=JSON, session__id="s-1", user__id="u-1"),
        *_asked_twice(json.dumps(hits)),
        oi(
            "TOOL", "t", "a", 4, asked='{"query": "age"}', returned=json.dumps(hits), tool__name="search_knowledge_base"
        ),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")
    assert (request.session_id, request.user_id) == ("s-1", "u-1")


def test_beeai_tells_the_tool_that_ends_a_run_from_those_that_search() -> None:
    request = one(
        oi("AGENT", "a", asked=QUESTION, returned=ANSWER, output__mime_type="text/plain"),
        oi_model("m1", "a", 1, [SYSTEM, ("user", QUESTION)], "call:search"),
        oi("TOOL", "t", "a", 2, asked='{"query": "age"}', returned=FOUND, tool__name="search"),
        oi_model("m2", "a", 3, [SYSTEM, ("user", QUESTION), ("tool", FOUND)], "call:final_answer"),
        oi("TOOL", "f", "a", 4, returned="Message has been sent", tool__name="final_answer"),
    )
    assert told(request) == BY_TOOL


def test_a_team_of_autogen_is_given_a_task() -> None:
    history = [{"source": "user", "content": QUESTION, "type": "TextMessage"}]
    request = one(
        oi(
            "CHAIN",
            "a",
            asked=json.dumps({"task": QUESTION, "cancellation_token": None}),
            returned={"messages": history},
        ),
        *_asked_twice(),
        oi("TOOL", "t", "a", 4, asked='{"args": {"query": "age"}}', returned=FOUND, tool__name="search"),
    )
    assert told(request) == BY_TOOL


def _content(role: str, **part: object) -> dict[str, object]:
    return {"role": role, "parts": [part]}


def test_an_adk_runner_wraps_question_answer_and_results_in_contents() -> None:
    asked = {"user_id": "u-1", "session_id": "s-1", "new_message": _content("user", text=QUESTION), "run_config": None}
    returned = {"id": "c-1", "name": "search", "response": {"result": LISTED}}
    event = {"content": _content("model", text=ANSWER), "invocation_id": "e-1", "author": "helper"}
    request = one(
        oi("CHAIN", "k", asked=asked, session__id="s-1", user__id="u-1"),
        oi("AGENT", "a", "k", 1, returned=event),
        *_asked_twice(json.dumps(returned["response"])),
        oi("TOOL", "t", "m1", 3, asked={"query": "age"}, returned=returned, tool__name="search"),
    )
    assert told(request) == RIGHT
    assert (request.session_id, request.user_id, request.truncated) == ("s-1", "u-1", False)


def test_agents_of_openai_have_values_in_their_model_calls_only() -> None:
    request = one(
        oi("AGENT", "w"),
        oi("AGENT", "a", "w", 1, llm__system="openai"),
        *_asked_twice(json.dumps(LISTED)),
        oi("TOOL", "t", "a", 4, asked={"query": "age"}, returned=json.dumps(LISTED), tool__name="search"),
    )
    assert told(request) == RIGHT
    assert request.request_id == "w"


# ------------------------------------------------------------------------------------------------------------- Bedrock


def _bedrock(**more: Any) -> Span:  # noqa: ANN401 - any attribute
    """A call that retrieves and generates at once."""
    configured = {"knowledgeBaseConfiguration": {"knowledgeBaseId": "kb-7", "modelArn": "chat-1"}}
    return oi(
        "RETRIEVER",
        "b",
        "http",
        1,
        asked=QUESTION,
        input__mime_type="text/plain",
        llm__model_name="chat-1",
        llm__invocation_parameters=json.dumps({"retrieveAndGenerateConfiguration": configured, "sessionId": "s-1"}),
        **more,
    )


def test_retrieval_and_generation_in_one_call_is_a_request() -> None:
    request = one(span("http", kind=2), _bedrock(returned=ANSWER, output__mime_type="text/plain", **oi_documents()))
    assert told(request) == RIGHT
    assert (request.knowledge_base, request.request_id, request.error) == ("kb-7", "b", None)


def test_an_answer_without_citations_is_no_document() -> None:
    request = one(span("http", kind=2), _bedrock(returned="I do not know.", output__mime_type="text/plain"))
    assert told(request) == Told(QUESTION, "I do not know.", (), "unknown")


def test_a_retrieval_beside_a_converse_call_is_one_request() -> None:
    request = one(
        span("http", kind=2),
        oi(
            "RETRIEVER",
            "r",
            "http",
            1,
            asked=QUESTION,
            llm__invocation_parameters='{"knowledgeBaseId": "kb-7"}',
            **oi_documents(),
        ),
        oi_model("m", "http", 2, [SYSTEM, ("user", FILLED)], ANSWER),
    )
    assert (told(request), request.knowledge_base) == (RIGHT, "kb-7")


def test_a_failed_knowledge_base_is_an_error_of_the_retrieval() -> None:
    event = SpanEvent("exception", 1, {"exception.type": "ThrottlingException", "exception.message": "slow down"})
    asked = oi("RETRIEVER", "r", asked=QUESTION).attributes
    request = one(
        span("http", kind=2), span("r", "http", 1, attributes=asked, events=(event,), status=SpanStatus.ERROR)
    )
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("ThrottlingException", "retrieval")
    assert told(request) == Told(QUESTION, None, (), "unknown", None)


# ------------------------------------------------------------------------------------------------------ model clients


@pytest.mark.parametrize(
    "more",
    [
        {"asked": {"messages": [{"role": "user", "content": FILLED}]}, "returned": ANSWER},
        {"asked": {"model": "chat-1", "contents": [_content("user", text=FILLED)]}, "returned": {"candidates": []}},
    ],
)
def test_a_lone_client_shows_all_in_its_messages(more: dict[str, Any]) -> None:
    """LiteLLM, Mistral, Google GenAI, Groq, Anthropic, VertexAI."""
    messages = oi_messages("llm.input_messages", [("user", FILLED)])
    messages |= oi_messages("llm.output_messages", [("assistant", ANSWER)])
    request = one(oi("LLM", "m", **messages, **more, llm__model_name="chat-1"))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "prompt")


def test_values_without_messages_and_types_are_prompt_and_reply() -> None:
    """Older LiteLLM, and spans by hand."""
    request = one(oi("LLM", "m", asked=FILLED, returned=ANSWER, llm__model_name="chat-1"))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "prompt")


def test_several_texts_of_one_message_are_all_read() -> None:
    start = "llm.input_messages.0.message.contents"
    asked: dict[str, Any] = {
        f"{start}.0.message_content.text": RIDERS,
        f"{start}.1.message_content.text": f"Question: {QUESTION}",
    }
    request = one(
        oi("RETRIEVER", "r", "", 1, **oi_documents(LISTED[:1])),
        oi("LLM", "m", "", 2, **{**asked, "llm.input_messages.0.message.role": "user"}, returned=ANSWER),
    )
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1", 0.9),), "span", None)


# ------------------------------------------------------------------------------------------------------- spans by hand


@pytest.mark.parametrize("returned", [json.dumps(LISTED), LISTED, {"documents": LISTED}])
def test_a_retriever_by_hand_may_show_documents_as_its_output_only(returned: object) -> None:
    request = one(
        oi("CHAIN", "k", asked=QUESTION, returned=ANSWER),
        oi("RETRIEVER", "r", "k", 1, asked=QUESTION, returned=returned),
        oi("LLM", "m", "k", 2, asked=FILLED, returned=ANSWER, llm__model_name="chat-1"),
    )
    assert told(request) == RIGHT


def test_a_retriever_by_hand_may_show_one_text() -> None:
    request = one(oi("CHAIN", "k", asked=QUESTION, returned=ANSWER), oi("RETRIEVER", "r", "k", 1, returned=FOUND))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "span", None)


def test_one_span_may_tell_question_answer_and_documents() -> None:
    request = one(oi("CHAIN", "k", asked=QUESTION, returned=ANSWER, **oi_documents()))
    assert told(request) == RIGHT._replace(model=None)


def test_a_chain_that_shows_a_question_and_an_answer_only_is_no_rag_request() -> None:
    assert dropped(oi("CHAIN", "k", asked=QUESTION, returned=ANSWER)) == {"no_request": 1}


def test_an_empty_retrieval_by_hand_is_known_to_be_empty() -> None:
    request = one(
        oi("CHAIN", "k", asked=QUESTION, returned="I do not know."),
        oi("RETRIEVER", "r", "k", 1, asked=QUESTION, returned=[]),
        oi_model("m", "k", 2, [("user", QUESTION)], "I do not know."),
    )
    assert told(request) == Told(QUESTION, "I do not know.", (), "span")


def test_one_masked_value_hides_a_crew() -> None:
    masked = "__REDACTED__"
    request = one(
        oi("CHAIN", "k", asked=masked, returned=masked),
        oi("AGENT", "a", "k", 1, asked=masked),
        *_asked_twice(),
        oi("TOOL", "t", "a", 4, returned=FOUND, tool__name="search"),
    )
    assert told(request) == Told(None, None, (), "unknown")
    assert request.redacted


def test_versions_stand_in_the_free_metadata() -> None:
    held = {"prompt_version": "7", "app_version": "2.1", "knowledge_base": "faq", "tenant": "acme"}
    request = one(
        oi("CHAIN", "k", asked=QUESTION, returned=ANSWER, metadata=json.dumps(held)),
        oi("RETRIEVER", "r", "k", 1, **oi_documents()),
        oi_model("m", "k", 2, [("user", FILLED)], ANSWER),
    )
    assert (request.prompt_version, request.app_version, request.knowledge_base, request.tenant) == (
        "7",
        "2.1",
        "faq",
        "acme",
    )


def test_a_guardrails_own_model_call_is_not_the_answer() -> None:
    check = dotted(openinference__span__kind="GUARDRAIL", input__value=QUESTION, output__value="pass")
    request = one(
        oi("CHAIN", "k", asked=QUESTION),
        oi("RETRIEVER", "r", "k", 1, **oi_documents()),
        oi_model("m", "k", 2, [("user", FILLED)], ANSWER),
        span("g", "k", 3, attributes=check),
        oi_model("c", "g", 4, [("user", f"Is this fine? {ANSWER}")], "yes"),
    )
    assert told(request) == RIGHT


def test_a_tools_result_that_is_a_passage_keeps_its_kind() -> None:
    request = one(
        oi("AGENT", "a", asked=QUESTION, returned=ANSWER),
        *_asked_twice(),
        oi("TOOL", "t", "a", 4, returned=FOUND, tool__name="search"),
    )
    assert [passage.kind for passage in request.contexts] == [PassageKind.TOOL]
