"""Requests of platforms that export spans with keys of their own: Dify, LangWatch, Genkit."""

from __future__ import annotations

import json

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import (
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    dropped,
    oi,
    oi_model,
    one,
    said,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, failed, span

UNKNOWING = "I do not know."

# ---------------------------------------------------------------------------------------------------------------- Dify


def _node(span_id: str, at: int, kind: str, asked: object, returned: object, **more: AttributeValue) -> Span:
    """A node of a workflow."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.framework": "dify",
        "gen_ai.span.kind": kind,
        "node.type": span_id,
        "input.value": json.dumps(asked),
        "output.value": json.dumps(returned),
    }
    named = {key.replace("__", "."): value for key, value in more.items()}
    return span(span_id, "k", at, attributes=attributes | named)


def _dify(found: list[dict[str, object]], reply: str) -> list[Span]:
    shown = [{"document": {"content": one["text"], "id": one["id"], "score": one["score"]}} for one in found]
    asked = said(("system", "Use:\n" + "\n".join(str(one["text"]) for one in found)), ("user", QUESTION))
    listed: dict[str, AttributeValue] = {"retrieval__document": json.dumps(shown)} if shown else {}
    result = [{"content": one["text"], "metadata": {"score": one["score"]}} for one in found]
    return [
        span("k", name="dify.app", attributes={"dify.app_id": "app-1"}),
        _node("start", 1, "TASK", {"sys.query": QUESTION}, {"sys.query": QUESTION}),
        _node("search", 2, "RETRIEVER", {"query": QUESTION}, {"result": result}, retrieval__query=QUESTION, **listed),
        _node(
            "llm",
            3,
            "LLM",
            {"#sys.query#": QUESTION},
            {"text": reply},
            gen_ai__request__model="chat-1",
            gen_ai__usage__input_tokens=10,
            gen_ai__input__messages=asked,
            gen_ai__output__messages=said(("assistant", reply)),
        ),
        _node("answer", 4, "TASK", {"#llm.text#": reply}, {"answer": reply}),
    ]


def test_a_workflow_of_dify() -> None:
    request = one(*_dify(list(LISTED), ANSWER))
    assert (told(request), request.input_tokens, request.request_id) == (RIGHT, 10, "k")


def test_a_workflow_of_dify_that_found_nothing() -> None:
    assert told(one(*_dify([], UNKNOWING))) == Told(QUESTION, UNKNOWING, (), "span")


def _message(*beside: Span) -> list[Span]:
    """A message of a chat as Dify shows it to Phoenix: what belongs to it hangs below one span without contents."""
    prompt = [("system", f"<context>\n{RIDERS}\n{OPEN}\n</context>"), ("user", QUESTION)]
    return [
        span("k", attributes={"openinference.span.kind": "CHAIN", "dify_trace_id": "m-1"}, name="Dify"),
        oi("CHAIN", "message", "k", 1, asked=QUESTION, returned=ANSWER),
        oi_model("llm", "message", 2, prompt, ANSWER),
        *beside,
    ]


def _of(entity: str) -> dict[str, str]:
    return {"metadata": json.dumps({"trace_entity_type": entity, "tenant_id": "t-1"})}


CHECKED = oi("TOOL", "check", "k", 1, asked={}, returned={"flagged": False, "query": QUESTION}, **_of("moderation"))
SUGGESTED = ["What does it cost to ride?", "Is it open?"]
NEXT = oi("TOOL", "next", "k", 5, asked=[], returned=SUGGESTED, **_of("suggested_question"))


def test_a_message_of_dify_with_what_it_calls_tools() -> None:
    found = [{"page_content": one["text"], "metadata": {"doc_id": one["id"], "score": one["score"]}} for one in LISTED]
    search = oi("RETRIEVER", "dataset_retrieval", "k", 1, asked=QUESTION, returned={"documents": found})
    request = one(*_message(search, CHECKED, NEXT))
    assert told(request) == RIGHT


def test_a_check_and_further_questions_are_no_evidence() -> None:
    request = one(*_message(CHECKED, NEXT))
    assert told(request) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


def test_passages_of_one_document_of_dify() -> None:
    held = [{"content": text, "metadata": {"document_id": "doc-1", "segment_id": text[:4]}} for text in (RIDERS, OPEN)]
    search = oi("RETRIEVER", "knowledge-retrieval", "k", 1, asked={"query": QUESTION}, returned={"result": held})
    assert [one.text for one in one(*_message(search)).contexts] == [RIDERS, OPEN]


# ----------------------------------------------------------------------------------------------------------- LangWatch


def _text(value: str) -> str:
    return json.dumps({"type": "text", "value": value})


def _chat(role: str, text: str) -> str:
    return json.dumps({"type": "chat_messages", "value": [{"role": role, "content": text}]})


def _watched(
    span_id: str, parent: str, at: int, kind: str, asked: str | None = None, returned: str | None = None, **more: str
) -> Span:
    values = {"langwatch.input": asked, "langwatch.output": returned}
    attributes: dict[str, AttributeValue] = {key: value for key, value in values.items() if value is not None}
    named = {f"langwatch.{key.replace('__', '.')}": value for key, value in more.items()}
    return span(span_id, parent, at, attributes={"langwatch.span.type": kind} | attributes | named)


_CHUNKS = json.dumps([{"document_id": "d-1", "content": RIDERS}, {"document_id": "d-2", "content": OPEN}])


@pytest.mark.parametrize("key", ["rag__contexts", "contexts", "rag_contexts"])
@pytest.mark.parametrize("chunks", [_CHUNKS, json.dumps({"type": "json", "value": json.loads(_CHUNKS)})])
def test_a_workflow_of_langwatch(key: str, chunks: str) -> None:
    request = one(
        _watched("k", "", 0, "workflow", _text(QUESTION), _text(ANSWER), thread__id="s-1", user__id="u-1"),
        _watched("r", "k", 1, "rag", _text(QUESTION), None, **{key: chunks}),
        _watched("m", "k", 2, "llm", _chat("user", FILLED), _chat("assistant", ANSWER)),
    )
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1"), (OPEN, "d-2")), "span", None)
    assert (request.session_id, request.user_id, request.convention) == ("s-1", "u-1", "langwatch")


def test_a_rag_span_that_answers_is_the_request() -> None:
    request = one(
        _watched("k", "", 0, "rag", _text(QUESTION), _text(ANSWER), rag__contexts=_CHUNKS),
        _watched("m", "k", 2, "llm", _chat("user", FILLED), _chat("assistant", ANSWER)),
    )
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1"), (OPEN, "d-2")), "span", None)


def test_an_evaluation_of_langwatch_is_no_request() -> None:
    judged = _watched("e", "", 0, "evaluation", _text(QUESTION), _text("passed"))
    assert dropped(judged, _watched("m", "e", 1, "llm", _chat("user", FILLED), _chat("assistant", "passed"))) == {
        "evaluator": 1
    }


# -------------------------------------------------------------------------------------------------------------- Genkit


def _action(span_id: str, parent: str, at: int, kind: str, asked: object, returned: object, name: str = "x") -> Span:
    attributes: dict[str, AttributeValue] = {
        "genkit:type": "action",
        "genkit:metadata:subtype": kind,
        "genkit:name": name,
        "genkit:input": json.dumps(asked),
        "genkit:state": "success",
    }
    shown = {} if returned is None else {"genkit:output": json.dumps(returned)}
    return span(span_id, parent, at, scope="genkit-tracer", attributes=attributes | shown)


def _document(text: str, name: str, score: float) -> dict[str, object]:
    return {"content": [{"text": text}], "metadata": {"id": name, "score": score}}


_FOUND = {"documents": [_document(RIDERS, "d-1", 0.9), _document(OPEN, "d-2", 0.5)]}
_SEARCH = _action("r", "k", 1, "retriever", {"query": {"content": [{"text": QUESTION}]}, "options": {"k": 2}}, _FOUND)


def _generated(reply: str, *parts: str) -> Span:
    asked = {"messages": [{"role": "user", "content": [{"text": text} for text in parts]}], "config": {}}
    returned = {
        "message": {"role": "model", "content": [{"text": reply}]},
        "usage": {"inputTokens": 10, "outputTokens": 3},
    }
    return _action("m", "k", 3, "model", asked, returned, "googleai/chat-1")


def test_a_flow_of_genkit() -> None:
    context = f"\n\nUse the following information to complete your task:\n\n- [0]: {RIDERS}\n- [1]: {OPEN}\n\n"
    request = one(
        _action("k", "", 0, "flow", {"question": QUESTION}, ANSWER), _SEARCH, _generated(ANSWER, QUESTION, context)
    )
    assert told(request) == RIGHT
    assert (request.input_tokens, request.output_tokens, request.convention) == (10, 3, "genkit")


def test_a_flow_of_genkit_that_found_nothing() -> None:
    nothing = _action("r", "k", 1, "retriever", {"query": QUESTION}, {"documents": []})
    request = one(_action("k", "", 0, "flow", QUESTION, UNKNOWING), nothing, _generated(UNKNOWING, QUESTION))
    assert told(request) == Told(QUESTION, UNKNOWING, (), "span")


def test_a_failed_retriever_of_genkit() -> None:
    broken = _action("r", "k", 1, "retriever", {"query": QUESTION}, None)
    attributes = {**broken.attributes, "genkit:state": "error"}
    request = one(
        span("k", attributes=_action("k", "", 0, "flow", QUESTION, None).attributes, **failed("no index")),
        span("r", "k", 1, attributes=attributes),
    )
    assert request.error is not None
    assert (request.error.stage, request.question, request.answer) == ("retrieval", QUESTION, None)


def test_a_tool_of_genkit_may_search() -> None:
    called = [{"role": "user", "content": [{"text": QUESTION}]}]
    request = one(
        _action("k", "", 0, "flow", QUESTION, ANSWER),
        _action("t", "k", 1, "tool", {"query": "age"}, LISTED, "search"),
        _generated(ANSWER, QUESTION),
        _action("g", "k", 2, "util", {"messages": called}, None),
    )
    assert told(request) == RIGHT


@pytest.mark.parametrize(("kind", "reason"), [("embedder", "ingestion"), ("indexer", "ingestion")])
def test_an_ingestion_with_genkit_is_no_request(kind: str, reason: str) -> None:
    assert dropped(_action("k", "", 0, kind, {"documents": []}, {})) == {reason: 1}


# -------------------------------------------------------------------------------------------------- Laminar, Braintrust

_CALLS = [{"query": QUESTION, "k": 2}, [QUESTION, 2]]
"""By name as in Python, by place as in JavaScript."""


def _recorded(kind: str, span_id: str, parent: str, at: int, asked: object, returned: object, platform: str) -> Span:
    keys = {
        "laminar": ("lmnr.span.input", "lmnr.span.output"),
        "braintrust": ("braintrust.input_json", "braintrust.output_json"),
    }
    types = {
        "laminar": {"lmnr.span.type": {"llm": "LLM", "tool": "TOOL", "score": "EVALUATOR"}.get(kind, "DEFAULT")},
        "braintrust": {"braintrust.span_attributes": json.dumps({"type": kind})},
    }
    attributes: dict[str, AttributeValue] = dict(types[platform])
    values = zip(keys[platform], (asked, returned), strict=True)
    shown = {key: json.dumps(value) for key, value in values if value is not None}
    return span(span_id, parent, at, name={"r": "retrieve"}.get(span_id, span_id), attributes=attributes | shown)


@pytest.mark.parametrize("platform", ["laminar", "braintrust"])
@pytest.mark.parametrize("call", _CALLS)
def test_decorated_functions_of_laminar_and_braintrust(platform: str, call: object) -> None:
    asked = [{"role": "user", "content": FILLED}]
    reply = [{"index": 0, "message": {"role": "assistant", "content": ANSWER}}]
    request = one(
        _recorded("task", "k", "", 0, call, ANSWER, platform),
        _recorded("function", "r", "k", 1, call, LISTED, platform),
        _recorded("llm", "m", "k", 2, asked, reply, platform),
    )
    assert told(request) == RIGHT._replace(model=None)
    assert request.convention == platform


@pytest.mark.parametrize("platform", ["laminar", "braintrust"])
def test_a_retrieving_function_that_returned_nothing(platform: str) -> None:
    request = one(
        _recorded("task", "k", "", 0, {"question": QUESTION}, UNKNOWING, platform),
        _recorded("function", "r", "k", 1, {"query": QUESTION}, [], platform),
    )
    assert told(request) == Told(QUESTION, UNKNOWING, (), "span", None)


@pytest.mark.parametrize("platform", ["laminar", "braintrust"])
def test_a_tool_that_searches_and_a_score(platform: str) -> None:
    request = one(
        _recorded("task", "k", "", 0, {"question": QUESTION}, ANSWER, platform),
        _recorded("tool", "t", "k", 1, {"query": "age"}, LISTED, platform),
        _recorded("llm", "m", "k", 2, [{"role": "user", "content": QUESTION}], ANSWER, platform),
        _recorded("score", "s", "k", 3, {"output": ANSWER}, {"score": 1}, platform),
    )
    assert told(request) == RIGHT._replace(model=None)


def test_what_braintrust_says_of_a_model_call() -> None:
    call = _recorded("llm", "m", "r", 1, [{"role": "user", "content": FILLED}], ANSWER, "braintrust")
    held = {
        "braintrust.metadata": '{"model": "chat-1"}',
        "braintrust.metrics": '{"prompt_tokens": 10, "completion_tokens": 3}',
    }
    request = one(span("m", attributes={**call.attributes, **held}))
    assert told(request) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")
    assert (request.input_tokens, request.output_tokens) == (10, 3)
