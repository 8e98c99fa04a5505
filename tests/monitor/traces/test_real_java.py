"""What real runs of libraries in Java and Go showed: each test has the spans in the form that they wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.traces.conventions.genkit import GENKIT
from monitor.traces.conventions.google_adk import GOOGLE_ADK
from monitor.traces.conventions.quarkus import QUARKUS
from monitor.traces.prompts import context_block
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import (
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    Told,
    dotted,
    oi,
    oi_messages,
    one,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, span
from tests.monitor.traces.spans import told as found_in

BOTH = f"{RIDERS}\n\n{OPEN}"

# ------------------------------------------------------------------------------------------------------------ Spring AI


def spring(kind: str, span_id: str, parent: str, at: int, **more: Any) -> Span:  # noqa: ANN401 - any attribute
    return span(span_id, parent, at, attributes={"spring.ai.kind": kind} | dotted(**more))


CLIENT = spring("chat_client", "client", "", 0)
STORE = {"db.operation.name": "query", "db.system": "simple"}


def test_a_query_that_a_model_made_up_is_no_question_where_contents_are_hidden() -> None:
    """The advisor that rewrites the question calls a model first."""
    rewrite = span("r", "client", 1, attributes={"gen_ai.operation.name": "chat", "gen_ai.request.model": "chat-1"})
    query = spring("vector_store", "q", "client", 20, **STORE, db__vector__query__content="age of riders")
    call = span("c", "client", 40, attributes={"gen_ai.operation.name": "chat", "gen_ai.request.model": "chat-1"})
    request = one(CLIENT, rewrite, query, call)
    assert (request.question, request.search_query) == (None, "age of riders")
    assert one(CLIENT, query, call).question == "age of riders"


def test_the_model_of_an_embedding_is_not_the_one_that_answered() -> None:
    """A stream's model call may stand in another trace."""
    query = spring("vector_store", "q", "", 1, **STORE, db__vector__query__content=QUESTION)
    named = dotted(gen_ai__operation__name="embedding", gen_ai__request__model="embed-1", gen_ai__response__model="e-1")
    request = one(query, span("e", "q", 2, attributes=named))
    assert (request.question, request.model, request.response_model) == (QUESTION, None, None)


RULED = f"Context information is below.\n\n---------------------\n{BOTH}\n---------------------\n\nQuery: {QUESTION}"


@pytest.mark.parametrize(
    ("text", "context"),
    [
        (f'Be brief.", "{RULED}', BOTH),
        (f'Be brief.", "{FILLED}', f"{RIDERS}\n{OPEN}"),
        (f'Say "yes", "no" or "Context:\n{RIDERS}', None),
        ('Be brief.", "' + RULED.replace(OPEN, 'Open", "daily.'), None),
    ],
)
def test_a_context_between_quotation_marks_is_read_where_its_frame_is_whole(text: str, context: str | None) -> None:
    assert context_block((Message("", text),)) == context


# ----------------------------------------------------------------------------------------------------------- Google ADK


@pytest.mark.parametrize("instructions", ["Be brief.", {"parts": [{"text": "Be brief."}]}])
def test_the_kit_for_javascript_and_java_spells_the_instructions_in_one_word(instructions: object) -> None:
    request = {
        "contents": [{"role": "user", "parts": [{"text": QUESTION}]}],
        "config": {"systemInstruction": instructions},
    }
    call = span("m", attributes={"gcp.vertex.agent.llm_request": json.dumps(request)})
    prompt = (Message("system", "Be brief."), Message("user", QUESTION))
    assert found_in(GOOGLE_ADK, call, Role.MODEL) == {"prompt": prompt}


# ------------------------------------------------------------------------------------------ OpenInference's LangChain4j


def java(name: str, text: str) -> str:
    """A message of LangChain4j as Java prints it."""
    return f'{name} {{ name = null, contents = [TextContent {{ text = "{text}" }}], attributes = {{}} }}'


@pytest.mark.parametrize(
    "asked", ["Execution Started", {"userMessage": java("UserMessage", QUESTION), "invocationContext": "X{a=1}"}]
)
def test_a_service_of_langchain4j_says_neither_question_nor_answer(asked: object) -> None:
    """The messages in the input are the texts; flattened they are printed."""
    service = oi("AGENT", "s", asked=asked, returned="Execution Completed", llm__system="langchain4j")
    flat = oi_messages("llm.input_messages", [("user", java("UserMessage", FILLED))])
    replied = oi_messages("llm.output_messages", [("assistant", ANSWER)])
    call = oi("LLM", "m", "s", 1, asked=[{"role": "user", "content": FILLED}], llm__model_name="chat-1")
    request = one(service, span("m", "s", 1, attributes=dict(call.attributes) | flat | replied))
    assert told(request) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


# -------------------------------------------------------------------------------------------------------------- Quarkus


def quarkus(prompt: str, span_id: str = "m", at: int = 0, **more: Any) -> Span:  # noqa: ANN401 - any field
    """A model call of LangChain4j in Quarkus, which has a name and no operation."""
    named = dotted(gen_ai__request__model="chat-1", gen_ai__prompt=prompt, gen_ai__completion=more.pop("reply", ANSWER))
    return span(span_id, "", at, attributes=named, scope="io.quarkus.opentelemetry", **more)


AUGMENTED = f"{QUESTION}\n\nAnswer using the following information:\n{BOTH}"


@pytest.mark.parametrize(
    ("prompt", "messages"),
    [
        (QUESTION, [("user", QUESTION)]),
        (f"Be brief.\n{QUESTION}", [("", "Be brief."), ("user", QUESTION)]),
        (AUGMENTED, [("user", AUGMENTED)]),
        (f"Be brief.\nBe kind.\n{AUGMENTED}", [("", "Be brief.\nBe kind."), ("user", AUGMENTED)]),
        (f"Be brief.\n{FILLED}", [("user", f"Be brief.\n{FILLED}")]),
        ("Be brief.\nTell me.", [("", "Be brief.\nTell me.")]),
    ],
)
def test_of_the_texts_of_a_prompt_the_last_line_that_asks_is_the_users(
    prompt: str, messages: list[tuple[str, str]]
) -> None:
    read = found_in(QUARKUS, quarkus(prompt), Role.MODEL)
    assert read == {"prompt": tuple([Message(role, text) for role, text in messages])}


def test_what_stands_as_json_behind_a_message_without_text_is_a_tools_result() -> None:
    prompt = f"{QUESTION}\nnull\n{json.dumps(BOTH)}\n{json.dumps(LISTED)}"
    listed = json.dumps(LISTED)
    called = Message("assistant", "", calls_tool=True)
    results = [Message("tool", "", results=(one,)) for one in (BOTH, listed)]
    asked = Message("user", QUESTION)
    assert found_in(QUARKUS, quarkus(prompt), Role.MODEL) == {"prompt": (asked, called, *results)}


def test_a_question_after_the_answer_to_an_earlier_one_is_the_last() -> None:
    prompt = f'When?\nnull\n"At nine."\nIt opens at nine.\n{QUESTION}'
    before = 'When?\nnull\n"At nine."\nIt opens at nine.'
    assert found_in(QUARKUS, quarkus(prompt), Role.MODEL) == {
        "prompt": (Message("", before), Message("user", QUESTION))
    }


def test_a_call_with_an_exception_failed_though_it_has_no_status() -> None:
    thrown = SpanEvent("exception", 3, {"exception.type": "RateLimitException", "exception.message": "slow down"})
    request = one(quarkus(AUGMENTED, events=(thrown,)))
    assert request.error is not None
    assert (request.question, request.error.type) == (QUESTION, "RateLimitException")


def test_another_scopes_prompt_is_not_split() -> None:
    other = span("m", attributes={"gen_ai.prompt": f"Be brief.\n{QUESTION}", "gen_ai.request.model": "chat-1"})
    assert found_in(QUARKUS, other, Role.MODEL) == {}


# -------------------------------------------------------------------------------------------------- Google ADK for Java


def test_the_kit_for_java_writes_the_event_with_a_tools_result_and_counts_in_the_response() -> None:
    answered = {"functionResponse": {"id": "c", "name": "search", "response": {"documents": LISTED}}}
    event = {"id": "e-1", "author": "shop", "content": {"role": "user", "parts": [answered]}}
    attributes = {"gcp.vertex.agent.tool_response": json.dumps(event), "gcp.vertex.agent.llm_request": "{}"}
    tool = span("t", attributes=attributes)
    assert GOOGLE_ADK.role(tool) is Role.TOOL
    assert found_in(GOOGLE_ADK, tool, Role.TOOL) == {
        "documents": (Document(RIDERS, "d-1", 0.9), Document(OPEN, "d-2", 0.5))
    }
    response: AttributeValue = {
        "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 2},
        "modelVersion": "g-2",
    }
    call = span("m", attributes={"gcp.vertex.agent.llm_response": json.dumps(response)})
    assert found_in(GOOGLE_ADK, call) == {"response_model": "g-2", "input_tokens": 7, "output_tokens": 2}


@pytest.mark.parametrize("count", [0, 2])
def test_an_event_of_several_results_or_none_is_no_single_one(count: int) -> None:
    event = {"content": {"parts": [{"functionResponse": {"response": {"documents": LISTED}}}] * count}}
    tool = span("t", attributes={"gcp.vertex.agent.tool_response": json.dumps(event)})
    assert "documents" not in found_in(GOOGLE_ADK, tool, Role.TOOL)


# ---------------------------------------------------------------------------------------------- tokens of Spring AI 1.x


def test_calls_of_one_advisor_count_the_tokens_of_those_before_them() -> None:
    """A model that is called again with a tool's result says the sum so far; calls of two advisors do not."""
    query = spring("vector_store", "q", "client", 1, **STORE, db__vector__query__content=QUESTION)
    advisors = [spring("advisor", "x", "client", 2), spring("advisor", "y", "client", 50)]

    def called(span_id: str, parent: str, at: int, tokens: str) -> Span:
        named = dotted(
            gen_ai__operation__name="chat", gen_ai__request__model="chat-1", gen_ai__usage__input_tokens=tokens
        )
        return span(span_id, parent, at, attributes=named)

    calls = [called("a", "x", 3, "42"), called("b", "x", 20, "84"), called("c", "y", 51, "10")]
    request = one(CLIENT, query, *advisors, *calls)
    assert request.input_tokens == 84 + 10


# -------------------------------------------------------------------------------------------------------- Genkit for Go


@pytest.mark.parametrize(
    ("output", "found"), [({"documents": None}, {"documents": ()}), ({"documents": "x"}, {}), ({}, {})]
)
def test_genkit_for_go_says_null_for_no_documents(output: object, found: dict[str, object]) -> None:
    kept = {"genkit:type": "action", "genkit:metadata:subtype": "retriever", "genkit:output": json.dumps(output)}
    assert found_in(GENKIT, span("q", attributes=kept), Role.RETRIEVER) == found
