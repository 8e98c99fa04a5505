"""Requests of frameworks and clients without a capture, as the instrumentations of OpenLLMetry write them."""

from __future__ import annotations

import json

import pytest

from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import (
    CALLED,
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    answered,
    dotted,
    dropped,
    model,
    one,
    said,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, failed, span

FOUND = f"{RIDERS}\n{OPEN}"


def _entity(
    kind: str,
    span_id: str,
    parent: str = "",
    at: int = 0,
    asked: object = None,
    returned: object = None,
    **more: AttributeValue,
) -> Span:
    values = {"traceloop.entity.input": asked, "traceloop.entity.output": returned}
    held: dict[str, AttributeValue] = {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in values.items()
        if value is not None
    }
    return span(span_id, parent, at, attributes={"traceloop.span.kind": kind} | held | dotted(**more))


def _numbered(
    span_id: str, parent: str, at: int, prompt: str = FILLED, reply: str = ANSWER, **more: AttributeValue
) -> Span:
    """A model call of the older versions, whatever the provider."""
    attributes = dotted(
        llm__request__type="chat",
        gen_ai__request__model="chat-1",
        gen_ai__usage__prompt_tokens=10,
        gen_ai__usage__completion_tokens=3,
    )
    contents: dict[str, AttributeValue] = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": prompt,
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": reply,
    }
    return span(span_id, parent, at, attributes=attributes | contents | dotted(**more))


# ---------------------------------------------------------------------------------------------------------- frameworks


def test_a_crew_says_its_result_in_words_of_its_own() -> None:
    reply = f"Thought: I know it.\nFinal Answer: {ANSWER}"
    request = one(
        span("k", name="crewai.workflow", attributes=dotted(gen_ai__system="crewai", crewai__crew__result=ANSWER)),
        _entity("task", "x", "k", 1, returned=ANSWER, crewai__task__description="Answer."),
        _entity("agent", "a", "x", 2, crewai__agent__role="Support"),
        span("l", "a", 3, name="chat-1.llm", attributes=dotted(gen_ai__request__model="chat-1")),
        _numbered("m", "l", 4, reply=reply),
    )
    assert (told(request), request.input_tokens) == (Told(QUESTION, ANSWER, (FOUND,), "prompt"), 10)


def test_an_agno_agent_has_no_span_for_its_model() -> None:
    request = one(
        _entity(
            "agent",
            "a",
            asked=QUESTION,
            returned=ANSWER,
            gen_ai__system="agno",
            gen_ai__request__model="chat-1",
            gen_ai__usage__input_tokens=20,
            gen_ai__usage__output_tokens=6,
        ),
        _entity("tool", "t", "a", 1, asked='{"query": "age"}', returned=json.dumps(LISTED)),
    )
    assert told(request) == RIGHT
    assert (request.input_tokens, request.output_tokens) == (20, 6)


def test_agents_of_openai_by_openllmetry() -> None:
    request = one(
        _entity("workflow", "k", gen_ai__workflow__name="Agent Workflow"),
        _entity("agent", "a", "k", 1, gen_ai__agent__name="helper"),
        model("m1", "a", 2, said(("user", QUESTION)), said(("assistant", CALLED)), llm__request__type="chat"),
        _entity("tool", "t", "a", 3, gen_ai__tool__name="search", returned=json.dumps(LISTED)),
        model(
            "m2",
            "a",
            4,
            said(("user", QUESTION), ("assistant", CALLED), ("tool", answered(json.dumps(LISTED)))),
            said(("assistant", ANSWER)),
            llm__request__type="chat",
        ),
    )
    assert (told(request), request.request_id, request.input_tokens) == (RIGHT, "k", 20)


@pytest.mark.parametrize("name", ["question", "ask", "q", "text", "prompt"])
def test_a_decorated_function_may_call_its_question_anything(name: str) -> None:
    called = {"args": [], "kwargs": {name: QUESTION, "session_id": "s-1", "language": "en"}}
    request = one(
        _entity("workflow", "k", asked=called, returned=json.dumps(ANSWER)),
        _entity(
            "task",
            "r",
            "k",
            1,
            asked={"args": [QUESTION], "kwargs": {}},
            returned=LISTED,
            traceloop__entity__name="retrieve",
        ),
    )
    assert told(request) == RIGHT._replace(model=None)


# ------------------------------------------------------------------------------------------------------- model clients


@pytest.mark.parametrize("system", ["AWS", "Cohere", "Google", "Ollama", "TogetherAI", "Replicate", "Watsonx", "Groq"])
def test_numbered_prompts_are_read_whatever_the_provider(system: str) -> None:
    request = one(span("http", kind=2), _numbered("m", "http", 1, gen_ai__system=system))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "prompt")


def test_a_failed_client_is_an_error_of_the_generation() -> None:
    asked = _numbered("m", "http", 1).attributes
    broken = {key: value for key, value in asked.items() if "completion" not in key}
    error = dotted(error__type="ThrottlingException")
    request = one(span("http", kind=2), span("m", "http", 1, attributes=broken | error, **failed("slow down")))
    assert request.error is not None
    assert (request.error.type, request.error.stage, request.answer) == ("ThrottlingException", "generation", None)


def test_coheres_reranker_names_documents_by_number() -> None:
    prompts = {f"gen_ai.prompt.{n}.content": text for n, text in enumerate((OPEN, RIDERS, QUESTION))}
    chosen = {"gen_ai.completion.0.content": "Doc 1, Score: 0.97"}
    ranked = dotted(llm__request__type="rerank", gen_ai__prompt__2__role="user")
    request = one(
        span("http", kind=2),
        span("e", "http", 1, name="cohere.rerank", attributes={**ranked, **prompts, **chosen}),
        _numbered("m", "http", 2, f"Context:\n{RIDERS}\n\nQuestion: {QUESTION}"),
    )
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, 0.97),), "span")


# ------------------------------------------------------------------------------------------------------- vector stores


def _store(system: str, operation: str, *events: SpanEvent, name: str = "", **more: AttributeValue) -> Span:
    attributes = dotted(db__system=system, db__operation=operation, **more)
    return span("r", "http", 1, name=name or f"{system}.{operation}", attributes=attributes, events=events)


def _hit(event: str, number: int, text: str | None, score: float) -> SpanEvent:
    held: dict[str, AttributeValue] = {f"{event}.id": f"d-{number}", f"{event}.score": score}
    return SpanEvent(event, number, held if text is None else held | {f"{event}.metadata": json.dumps({"text": text})})


def test_hits_of_pinecone_are_documents() -> None:
    hits = (_hit("db.query.result", 1, RIDERS, 0.9), _hit("db.query.result", 2, OPEN, 0.5))
    request = one(span("http", kind=2), _store("pinecone", "query", *hits), _numbered("m", "http", 2))
    assert told(request) == RIGHT


@pytest.mark.parametrize(
    ("system", "operation", "name"),
    [
        ("qdrant", "query_points", "qdrant.query_points"),
        ("weaviate", "near_text", "db.weaviate.query.get"),
        ("milvus", "search", "milvus.search"),
        ("lancedb", "search", "lancedb.search"),
        ("marqo", "search", "marqo.search"),
        ("chroma", "query", "chroma.query"),
    ],
)
def test_a_store_that_shows_no_hits_leaves_the_context_to_the_prompt(system: str, operation: str, name: str) -> None:
    request = one(span("http", kind=2), _store(system, operation, name=name), _numbered("m", "http", 2))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "prompt")


@pytest.mark.parametrize("system", ["qdrant", "milvus", "lancedb", "chroma", "pinecone"])
def test_a_store_that_is_filled_is_no_request(system: str) -> None:
    stored = span("u", "http", 1, name=f"{system}.add", attributes=dotted(db__system=system, db__operation="add"))
    embedded = span("e", "http", 0, attributes=dotted(llm__request__type="embedding", gen_ai__request__model="e-1"))
    assert dropped(stored, embedded) == {"ingestion": 1}
