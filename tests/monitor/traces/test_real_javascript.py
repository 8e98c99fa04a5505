"""What real runs of libraries in JavaScript showed: each test has the spans in the form that they wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.records import RequestError
from monitor.traces.conventions.judgment import JUDGMENT
from monitor.traces.conventions.langwatch import LANGWATCH
from monitor.traces.conventions.vector_stores import VECTOR_STORES
from monitor.traces.conventions.voltagent import VOLTAGENT
from monitor.traces.documents import read_result
from monitor.traces.reading import Document, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import (
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    dotted,
    dropped,
    dumped,
    oi,
    oi_messages,
    one,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, failed, role_by, span
from tests.monitor.traces.spans import told as found_in

BOTH = f"{RIDERS}\n\n{OPEN}"

# ------------------------------------------------------------------------------------------------------------ VoltAgent


def volt(kind: str | None, span_id: str, parent: str = "", at: int = 0, **more: Any) -> Span:  # noqa: ANN401 - any attribute
    """A span of an agent, `helper`, or the agent's own one without a kind."""
    named = dotted(entity__type="agent", entity__name="helper", operation__id="o-1", conversation__id="s-1")
    typed = {} if kind is None else {"span.type": kind}
    return span(span_id, parent, at, attributes=named | typed | dotted(**{key: dumped(it) for key, it in more.items()}))


def volt_model(at: int, **more: Any) -> Span:  # noqa: ANN401 - any attribute
    asked = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    ]
    return volt("llm", f"llm-{at}", "agent", at, llm__model="chat-1", llm__messages=asked, **more)


VOLT_AGENT = volt(None, "agent", input=QUESTION, output=ANSWER, agent__state="completed", ai__model__name="chat-1")


def test_an_agent_that_retrieves_before_it_answers_gives_one_text() -> None:
    retriever = volt("retriever", "search", "agent", 1, input=QUESTION, output=BOTH, retriever__document_count=2)
    request = one(VOLT_AGENT, retriever, volt_model(2))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "span")
    assert (request.convention, request.session_id) == ("voltagent", "s-1")


def test_an_agents_tool_gives_its_documents() -> None:
    assert told(one(VOLT_AGENT, volt_model(1), volt("tool", "search", "agent", 2, output=LISTED))) == RIGHT


def test_a_retriever_that_found_nothing_says_null() -> None:
    empty = volt("retriever", "search", "agent", 1, input=QUESTION, output="null")
    counted = span("search", "agent", 1, attributes={**empty.attributes, "retriever.document_count": 0})
    assert told(one(VOLT_AGENT, counted, volt_model(2))) == Told(QUESTION, ANSWER, (), "span")


def test_the_call_that_names_a_conversation_is_not_the_answer() -> None:
    title = volt_model(9, llm__operation="generateTitle", output="Riding ages")
    quiet = volt(None, "agent", input=QUESTION, agent__state="completed")
    retriever = volt("retriever", "search", "agent", 1, input=QUESTION, output=BOTH)
    assert one(quiet, retriever, volt_model(2), title).answer is None


def test_a_scorer_is_dropped() -> None:
    scorer = span("s", attributes={"span.type": "scorer", "eval.scorer.id": "accuracy"})
    assert dropped(scorer) == {"evaluator": 1}


def test_an_agent_says_which_prompt_it_used_and_how_many_tokens() -> None:
    facts: dict[str, AttributeValue] = {
        "prompt.name": "ask",
        "prompt.version": 3,
        "usage.prompt_tokens": 7,
        "usage.completion_tokens": 2,
    }
    agent = span("a", attributes=dict(VOLT_AGENT.attributes) | facts)
    assert found_in(VOLTAGENT, agent) == {
        "model": "chat-1",
        "session_id": "s-1",
        "prompt_version": "ask:3",
        "input_tokens": 7,
        "output_tokens": 2,
    }


@pytest.mark.parametrize("attributes", [{"entity.type": "agent"}, {"entity.type": "user", "span.type": "llm"}, {}])
def test_spans_with_entities_of_their_own_are_not_taken_for_voltagents(attributes: dict[str, Any]) -> None:
    assert role_by(VOLTAGENT, span("a", attributes=attributes)) is None


# --------------------------------------------------------------------------------------------------------- LangChain.js


def test_a_tool_message_that_langchain_serialised_in_javascript_holds_the_documents() -> None:
    """OpenInference writes it as the only member, `output`."""
    message: dict[str, AttributeValue] = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain_core", "messages", "ToolMessage"],
    }
    kwargs: AttributeValue = {
        "status": "success",
        "content": json.dumps(LISTED),
        "tool_call_id": "c-1",
        "name": "search",
    }
    documents, text = read_result({"output": message | {"kwargs": kwargs}})
    assert (documents, text) == ((Document(RIDERS, "d-1", 0.9), Document(OPEN, "d-2", 0.5)), None)


def observed(kind: str, name: str, parent: str, at: int, asked: object, returned: object) -> Span:
    """An observation of Langfuse's handler for LangChain in JavaScript."""
    values = {"input": asked, "output": returned}
    kept = {f"langfuse.observation.{key}": dumped(value) for key, value in values.items() if value is not None}
    return span(name, parent, at, attributes={"langfuse.observation.type": kind, **kept}, name=name)


def langfuse_rag(found: object) -> tuple[Span, ...]:
    prompt = [{"role": "system", "content": "Context:\n"}, {"role": "user", "content": QUESTION}]
    return (
        observed("span", "RunnableSequence", "", 0, {"input": QUESTION}, ANSWER),
        observed("span", "VectorStoreRetriever", "RunnableSequence", 1, QUESTION, found),
        observed("generation", "ChatOpenAI", "RunnableSequence", 2, prompt, {"role": "assistant", "content": ANSWER}),
    )


def test_langfuses_handler_in_javascript_makes_a_plain_span_of_a_retriever() -> None:
    assert told(one(*langfuse_rag([]))) == Told(QUESTION, ANSWER, (), "span", None)
    assert told(one(*langfuse_rag(LISTED)))[:4] == RIGHT[:4]


def test_a_step_that_is_called_a_retriever_and_is_given_a_state_stays_a_step() -> None:
    step = observed("span", "Retriever", "", 0, {"question": QUESTION}, {"question": QUESTION, "documents": LISTED})
    (request,) = extract(step, *(langfuse_rag(None)[2:])).requests or (None,)
    assert request is None


def test_a_tool_around_the_step_that_shows_the_documents_only_repeats_them() -> None:
    agent = observed("agent", "LangGraph", "", 0, {"messages": [{"role": "user", "content": QUESTION}]}, ANSWER)
    tool = observed("tool", "search", "LangGraph", 1, {"query": QUESTION}, BOTH)
    step = observed("span", "MyClass", "search", 2, QUESTION, LISTED)
    prompt = [{"role": "user", "content": QUESTION}, {"role": "tool", "content": BOTH}]
    call = observed("generation", "ChatOpenAI", "LangGraph", 5, prompt, {"role": "assistant", "content": ANSWER})
    assert told(one(agent, tool, step, call))[:4] == RIGHT[:4]


# -------------------------------------------------------------------------------------------------- tools without spans


def test_documents_that_a_tool_message_lists_as_json_are_told_apart() -> None:
    asked = oi_messages(
        "llm.input_messages", [("user", QUESTION), ("assistant", "call:search"), ("tool", json.dumps(LISTED))]
    )
    replied = oi_messages("llm.output_messages", [("assistant", ANSWER)])
    call = oi("LLM", "m", llm__model_name="chat-1")
    request = one(span("m", attributes=dict(call.attributes) | asked | replied))
    assert told(request) == RIGHT._replace(source="prompt")


# ------------------------------------------------------------------------------------ OpenInference's Anthropic package


def anthropic(body: dict[str, AttributeValue], *messages: dict[str, AttributeValue]) -> Span:
    """A call with its body, and its messages flattened, as the package for JavaScript writes both."""
    flat = {f"llm.input_messages.{at}.message.{key}": it for at, one in enumerate(messages) for key, it in one.items()}
    replied = oi_messages("llm.output_messages", [("assistant", ANSWER)])
    call = oi("LLM", "m", asked=body, llm__model_name="chat-1")
    return span("m", attributes=dict(call.attributes) | flat | replied)


USERS: dict[str, AttributeValue] = {"role": "user", "content": QUESTION}


@pytest.mark.parametrize("system", [f"Context:\n{BOTH}", [{"type": "text", "text": f"Context:\n{BOTH}"}]])
def test_instructions_that_stand_only_in_the_body_of_a_call_belong_to_the_prompt(system: AttributeValue) -> None:
    request = one(anthropic({"system": system, "messages": [USERS]}, USERS))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


def test_documents_that_stand_only_in_the_body_of_a_call_are_handed_to_it() -> None:
    parts: list[AttributeValue] = [{"type": "document", "title": "rules", "source": {"type": "text", "data": RIDERS}}]
    body: dict[str, AttributeValue] = {
        "messages": [{"role": "user", "content": [*parts, {"type": "text", "text": QUESTION}]}]
    }
    assert told(one(anthropic(body, USERS))) == Told(QUESTION, ANSWER, (RIDERS,), "span")


def test_a_users_message_that_answers_a_call_is_a_tools_result() -> None:
    called: dict[str, AttributeValue] = {"role": "assistant", "tool_calls.0.tool_call.function.name": "search"}
    result: dict[str, AttributeValue] = {"role": "user", "tool_call_id": "c-1", "content": BOTH}
    request = one(anthropic({"messages": []}, USERS, called, result))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


# -------------------------------------------------------------------------------------------------------------- Flowise


def test_what_flowise_writes_for_the_output_of_a_flow_is_no_answer() -> None:
    root = oi("CHAIN", "Flowise", asked=QUESTION, returned="[Object]")
    step = oi("CHAIN", "flow", "Flowise", 1, asked=QUESTION, returned={"output": ANSWER})
    call = oi("LLM", "llm", "Flowise", 2, asked=[{"role": "user", "content": FILLED}], returned=ANSWER)
    assert told(one(root, step, call))[:2] == (QUESTION, ANSWER)


# -------------------------------------------------------------------------------------------------------- vector stores


def hits(*metadata: object) -> dict[str, AttributeValue]:
    """What Traceloop's packages for JavaScript write of two hits: numbered attributes, not the events of Python."""
    found: dict[str, AttributeValue] = {"db.system": "Qdrant", "db.vector.query.result.matches_length": 2}
    for at, held in enumerate(metadata or (None, None)):
        found |= {f"db.vector.query.result.{at}.id": f"d-{at + 1}", f"db.vector.query.result.{at}.score": 0.9}
        if held is not None:
            found[f"db.vector.query.result.{at}.metadata"] = json.dumps(held)
    return found


TWO = (Document(RIDERS, "d-1", 0.9, "rules.md"), Document(OPEN, "d-2", 0.9))


def test_hits_of_a_store_in_numbered_attributes_hold_their_texts_as_json() -> None:
    payloads = ({"text": RIDERS, "source": "rules.md"}, {"text": OPEN})
    search = span(
        "q", name="qdrant.search", attributes=hits(*payloads), events=(SpanEvent("qdrant.search.result", 1, {}),)
    )
    assert VECTOR_STORES.role(search) is Role.RETRIEVER
    assert found_in(VECTOR_STORES, search, Role.RETRIEVER) == {"documents": TWO}


def test_hits_of_a_store_in_numbered_attributes_may_have_their_texts_in_an_event_each() -> None:
    events = (
        SpanEvent("pinecone.query.result.1.metadata", 1, {"text": OPEN}),
        SpanEvent("pinecone.query.result.0.metadata", 1, {"text": RIDERS, "source": "rules.md"}),
    )
    search = span("q", name="pinecone.query", attributes=hits(), events=events)
    assert found_in(VECTOR_STORES, search, Role.RETRIEVER) == {"documents": TWO}


def test_a_store_that_counted_no_hits_found_nothing() -> None:
    counted: dict[str, AttributeValue] = {"db.system": "Pinecone", "db.vector.query.result.matches_length": 0}
    assert found_in(VECTOR_STORES, span("q", attributes=counted), Role.RETRIEVER) == {"documents": ()}


# -------------------------------------------------------------------------------------- OpenInference's Bedrock package


def test_a_result_that_stands_only_in_the_body_of_a_call_is_given_back_by_its_tool() -> None:
    parts: AttributeValue = [{"toolResult": {"toolUseId": "c-1", "content": [{"text": BOTH}]}}]
    listed: AttributeValue = [
        USERS,
        {"role": "assistant", "content": [{"toolUse": {}}]},
        {"role": "user", "content": parts},
    ]
    instructions: dict[str, AttributeValue] = {"role": "system", "content": "Be brief."}
    called: dict[str, AttributeValue] = {"role": "assistant", "tool_calls.0.tool_call.function.name": "search"}
    request = one(anthropic({"messages": listed}, instructions, USERS, called, {"role": "user", "tool_call_id": "c-1"}))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


# ------------------------------------------------------------------------------------------------------------ LangWatch


@pytest.mark.parametrize(
    "metrics",
    [
        {"type": "json", "value": {"promptTokens": 7, "completionTokens": 2}},
        {"type": "json", "value": {"prompt_tokens": 7, "completion_tokens": 2, "cost": 0.1}},
        {"prompt_tokens": 7, "completion_tokens": 2},
    ],
)
def test_langwatch_counts_tokens_in_its_metrics(metrics: object) -> None:
    call = span("m", attributes={"langwatch.span.type": "llm", "langwatch.metrics": json.dumps(metrics)})
    assert found_in(LANGWATCH, call) == {"input_tokens": 7, "output_tokens": 2}


# ------------------------------------------------------------------------------------- OpenInference's Claude Agent SDK


def test_an_agent_that_failed_after_its_tool_is_a_request_without_model_spans() -> None:
    """Nor has it an answer: what stands for its output are the errors."""
    asked = oi("AGENT", "a", asked=QUESTION, returned=["boom"])
    failing = span("a", attributes=asked.attributes, **failed("Result error: error_during_execution"))
    request = one(failing, oi("TOOL", "t", "a", 1, returned=LISTED, tool__name="search"))
    assert request.error is not None
    assert told(request)[:3] == (QUESTION, None, RIGHT.contexts)


# ------------------------------------------------------------------------------------------------------------- Judgment


def judged(kind: str | None, span_id: str, parent: str, at: int, asked: object, returned: object) -> Span:
    """A function that judgeval observes."""
    kept: dict[str, AttributeValue] = {"judgment.input": dumped(asked), "judgment.output": dumped(returned)}
    return span(span_id, parent, at, attributes=kept | ({} if kind is None else {"judgment.span_kind": kind}))


@pytest.mark.parametrize("kind", ["agent", "function", None])
def test_judgeval_names_the_arguments_of_a_function(kind: str | None) -> None:
    messages = [{"role": "user", "content": FILLED}]
    request = one(
        judged(kind, "ask", "", 0, {"q": QUESTION, "k": 3}, ANSWER),
        judged("retriever", "search", "ask", 1, {"query": QUESTION}, LISTED),
        judged("llm", "llm", "ask", 2, {"messages": messages}, ANSWER),
    )
    assert (told(request)[:4], request.convention) == (RIGHT[:4], "judgment")


def test_judgeval_has_cached_tokens_apart() -> None:
    facts: dict[str, AttributeValue] = {
        "judgment.usage.non_cached_input_tokens": 5,
        "judgment.usage.cache_read_input_tokens": 2,
        "judgment.usage.output_tokens": 3,
        "judgment.llm.model": "chat-1",
        "judgment.session_id": "s-1",
        "judgment.customer_user_id": "u-7",
        "judgment.customer_id": "acme",
    }
    assert found_in(JUDGMENT, span("m", attributes=facts)) == {
        "model": "chat-1",
        "session_id": "s-1",
        "user_id": "u-7",
        "tenant": "acme",
        "input_tokens": 7,
        "output_tokens": 3,
    }


def test_other_functions_of_judgeval() -> None:
    tool = judged("tool", "search", "", 0, {"query": QUESTION}, BOTH)
    assert found_in(JUDGMENT, tool, Role.TOOL) == {"result": BOTH}
    assert JUDGMENT.role(span("s", attributes={"judgment.session_id": "s-1"})) is None
    cut = judged("agent", "ask", "", 0, '{"q": "Who may', '["a')
    assert found_in(JUDGMENT, cut, Role.CHAIN) == {}


# --------------------------------------------------------------------------------------------------------------- Mastra

BROKEN = json.dumps({"type": "error", "error": {"name": "AI_APICallError", "message": "overloaded"}})


def test_mastra_has_the_error_of_a_stream_in_a_piece_of_it_alone() -> None:
    """In 0.24; the call and the step around it are fine."""
    asked = json.dumps({"messages": [{"role": "user", "content": [{"type": "text", "text": FILLED}]}]})
    call = span("m", attributes={"mastra.span.type": "model_generation", "gen_ai.prompt": asked, "output": "{}"})
    piece = span("x", "m", 1, attributes={"mastra.span.type": "model_chunk", "output": BROKEN})
    error = RequestError("AI_APICallError", "generation", "AI_APICallError: overloaded")
    assert one(call, piece).error == error
    assert one(call, span("x", "m", 1, attributes={"mastra.span.type": "model_chunk", "output": "Any"})).error is None


def test_openinference_has_it_as_the_output_of_a_call() -> None:
    """As Mastra's exporter for Arize translates it."""
    asked = oi_messages("llm.input_messages", [("user", FILLED)])
    request = one(oi("LLM", "m", **asked, returned={"text": ""}), oi("LLM", "x", "m", 1, returned=BROKEN))
    assert request.error == RequestError("AI_APICallError", "generation", "AI_APICallError: overloaded")
