from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.mlflow import MLFLOW, MLFLOW_TRANSLATED
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import (
    ANSWER,
    DOCUMENTS,
    PROMPT,
    QUESTION,
    extract,
    is_hidden,
    messages,
    only,
    span,
    told,
)

SCOPE = "mlflow.tracing.provider"
COMPLETION = {
    "id": "r-1",
    "model": "chat-1-2026",
    "object": "chat.completion",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": ANSWER, "tool_calls": None}}],
}


def mlflow_span(kind: str | None, span_id: str = "a", parent: str = "", at: int = 0, **attributes: object) -> Span:
    """A span as MLflow exports it: each value as JSON; attributes without their prefix, `__` for a dot."""
    values: dict[str, AttributeValue] = {f"mlflow.{k.replace('__', '.')}": json.dumps(v) for k, v in attributes.items()}
    if kind is not None:
        values["mlflow.spanType"] = json.dumps(kind)
    return span(span_id, parent, at, attributes=values, scope=SCOPE)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("CHAT_MODEL", Role.MODEL),
        ("LLM", Role.MODEL),
        ("RETRIEVER", Role.RETRIEVER),
        ("RERANKER", Role.RERANKER),
        ("CHAIN", Role.CHAIN),
        ("AGENT", Role.CHAIN),
        ("UNKNOWN", Role.CHAIN),
        ("our own type", Role.CHAIN),
        ("TOOL", Role.TOOL),
        ("EMBEDDING", Role.STEP),
        ("PARSER", Role.STEP),
        ("GUARDRAIL", Role.GUARDRAIL),
        ("EVALUATOR", Role.EVALUATOR),
        (None, None),
    ],
)
def test_the_type_gives_the_role(kind: str | None, role: Role | None) -> None:
    assert MLFLOW.role(mlflow_span(kind)) is role


def test_a_span_with_inputs_and_no_type_is_a_chain() -> None:
    assert MLFLOW.role(mlflow_span(None, spanInputs={"question": QUESTION})) is Role.CHAIN


def test_a_retriever_that_is_handed_documents_is_a_reranker() -> None:
    inputs = {"query": QUESTION, "documents": DOCUMENTS}
    assert MLFLOW.role(mlflow_span("RETRIEVER", spanInputs=inputs)) is Role.RERANKER


@pytest.mark.parametrize("question", [QUESTION, '{"a": 1}', '"Sixteen" means what?'])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_value_is_unwrapped_once(question: str, wrapped: bool) -> None:  # noqa: FBT001 - a switch
    """Every value is JSON, so a text that looks like JSON is still the user's text."""
    read = told(MLFLOW, mlflow_span("CHAIN", spanInputs={"question": question} if wrapped else question), Role.CHAIN)
    assert read["question"] == question


@pytest.mark.parametrize("cut", ['"Who may ri', '{"question": "Who', "null"])
def test_a_cut_value_is_missing(cut: str) -> None:
    read = span("a", attributes={"mlflow.spanType": '"CHAIN"', "mlflow.spanInputs": cut})
    assert told(MLFLOW, read, Role.CHAIN) == {}
    assert MLFLOW.is_json(read, "mlflow.spanInputs")


def test_a_retriever_gives_query_and_documents() -> None:
    returned = [{"page_content": "Open.", "metadata": {"score": 0.4, "doc_uri": "faq"}, "id": "d-1"}]
    read = told(
        MLFLOW, mlflow_span("RETRIEVER", spanInputs={"text": QUESTION, "k": 3}, spanOutputs=returned), Role.RETRIEVER
    )
    assert read == {"query": QUESTION, "documents": (Document("Open.", "d-1", 0.4, "faq"),)}


def test_llama_index_and_dspy_are_read() -> None:
    bundle = {"str_or_query_bundle": {"query_str": QUESTION, "embedding": None}}
    assert told(MLFLOW, mlflow_span("CHAIN", spanInputs=bundle), Role.CHAIN) == {"question": QUESTION}
    returned = {"response": ANSWER, "source_nodes": [{"node": {"id_": "d-1", "text": "Open."}, "score": 0.9}]}
    assert told(MLFLOW, mlflow_span("CHAIN", spanOutputs=returned), Role.CHAIN) == {
        "answer": ANSWER,
        "documents": (Document("Open.", "d-1", 0.9),),
    }
    passages = mlflow_span("RETRIEVER", spanInputs={"args": [QUESTION]}, spanOutputs={"passages": ["Open."]})
    assert told(MLFLOW, passages, Role.RETRIEVER) == {"query": QUESTION, "documents": (Document("Open."),)}
    marked = "[[ ## answer ## ]]\nNow."
    assert told(MLFLOW, mlflow_span("CHAT_MODEL", spanOutputs=[marked]), Role.MODEL) == {
        "output": Message("assistant", marked)
    }


def test_a_model_is_read_from_a_clients_request_and_response() -> None:
    asked = {"model": "chat-1", "messages": [{"role": "user", "content": PROMPT}]}
    read = told(MLFLOW, mlflow_span("CHAT_MODEL", spanInputs=asked, spanOutputs=COMPLETION), Role.MODEL)
    assert read == {"prompt": (Message("user", PROMPT),), "output": Message("assistant", ANSWER)}


def test_a_tool_gives_its_result() -> None:
    message = {"content": "Rain.", "type": "tool", "name": "weather", "tool_call_id": "1", "status": "success"}
    assert told(MLFLOW, mlflow_span("TOOL", spanOutputs=message), Role.TOOL) == {"result": "Rain."}


def test_a_logged_model_is_a_version_of_the_application() -> None:
    attributes: dict[str, AttributeValue] = {"mlflow.spanType": '"CHAIN"', "mlflow.modelId": '"m-123"'}
    assert told(MLFLOW, span("a", attributes=attributes)) == {"app_version": "m-123"}


@pytest.mark.parametrize(
    ("attributes", "model", "response_model"),
    [
        ({"model": '"chat-1"', "mlflow.llm.model": '"chat-1-2026"'}, "chat-1", "chat-1-2026"),
        ({"model_name": '"chat-1"', "mlflow.llm.model": '"chat-1"'}, "chat-1", None),
        ({"invocation_params": '{"model": "chat-1"}', "mlflow.llm.model": '"chat-1"'}, "chat-1", None),
        ({"metadata": '{"ls_model_name": "chat-1"}'}, "chat-1", None),
        ({"mlflow.llm.model": '"chat-1"'}, "chat-1", None),
        (
            {"model": '"shop/chat-1"', "mlflow.llm.model": '"shop/chat-1"', "mlflow.llm.provider": '"shop"'},
            "chat-1",
            None,
        ),
        ({"model": '"chat-1"', "mlflow.spanOutputs": json.dumps(COMPLETION)}, "chat-1", "chat-1-2026"),
        ({}, None, None),
    ],
)
def test_the_requested_model_is_told_from_the_answering_one(
    attributes: dict[str, AttributeValue], model: str | None, response_model: str | None
) -> None:
    read = told(MLFLOW, span("a", attributes={"mlflow.spanType": '"CHAT_MODEL"', **attributes}))
    assert (read.get("model"), read.get("response_model")) == (model, response_model)


def test_facts_are_read() -> None:
    attributes: dict[str, AttributeValue] = {
        "mlflow.spanType": '"CHAIN"',
        "mlflow.chat.tokenUsage": '{"input_tokens": 5, "output_tokens": 7, "total_tokens": 12}',
        "mlflow.linkedPrompts": '[{"name": "faq", "version": "3"}]',
        "mlflow.traceTag.tenant": "acme",
        "mlflow.traceTag.app_version": "1.4",
        "metadata": '{"thread_id": "t-1", "knowledge_base": "handbook"}',
        "user.id": '"u-1"',
    }
    assert told(MLFLOW, span("a", attributes=attributes)) == {
        "session_id": "t-1",
        "user_id": "u-1",
        "tenant": "acme",
        "app_version": "1.4",
        "prompt_version": "faq:3",
        "knowledge_base": "handbook",
        "input_tokens": 5,
        "output_tokens": 7,
    }


def test_of_several_loaded_prompts_it_is_unknown_which_was_filled() -> None:
    linked = [{"name": "faq", "version": "3"}, {"name": "chat", "version": "1"}]
    assert told(MLFLOW, mlflow_span("CHAIN", linkedPrompts=linked)) == {}


def _request(root: str = "CHAIN") -> tuple[Span, ...]:
    asked = {"model": "chat-1", "messages": [{"role": "user", "content": PROMPT}]}
    return (
        mlflow_span(root, "a", spanInputs={"question": QUESTION}, spanOutputs=ANSWER),
        mlflow_span("RETRIEVER", "b", "a", 1, spanInputs={"query": QUESTION}, spanOutputs=DOCUMENTS),
        mlflow_span("CHAT_MODEL", "c", "a", 2, spanInputs=asked, spanOutputs=COMPLETION),
    )


@pytest.mark.parametrize("root", ["CHAIN", "UNKNOWN"])
def test_a_traced_function_is_a_request(root: str) -> None:
    request = only(extract(*_request(root)))
    assert (request.question, request.answer, request.response_id) == (QUESTION, ANSWER, "r-1")
    assert [passage.id for passage in request.contexts] == ["d-1", "d-2"]


def test_a_root_that_never_ends_leaves_its_steps() -> None:
    request = only(extract(*_request()[1:]))
    assert (request.question, request.answer, len(request.contexts)) == (QUESTION, ANSWER, 2)


def translated(operation: str, span_id: str, parent: str = "", at: int = 0, **more: AttributeValue) -> Span:
    """A span after MLflow's translation; attributes with `__` for a dot."""
    values = {key.replace("__", "."): value for key, value in more.items()}
    return span(span_id, parent, at, attributes={"gen_ai.operation.name": operation, **values}, scope=SCOPE)


@pytest.mark.parametrize(
    ("operation", "role"),
    [
        ("CHAIN", Role.CHAIN),
        ("UNKNOWN", Role.CHAIN),
        ("RETRIEVER", Role.RETRIEVER),
        ("RERANKER", Role.RERANKER),
        ("EVALUATOR", Role.EVALUATOR),
        ("PARSER", Role.STEP),
        ("chat", None),
    ],
)
def test_a_translated_type_gives_the_role(operation: str, role: Role | None) -> None:
    assert MLFLOW_TRANSLATED.role(translated(operation, "a")) is role
    assert MLFLOW_TRANSLATED.role(span("a", attributes={"gen_ai.operation.name": operation})) is None


def test_a_translated_request_has_its_contents_in_the_model_call_only() -> None:
    request = only(
        extract(
            translated("CHAIN", "a"),
            translated("RETRIEVER", "b", "a", 1),
            translated(
                "chat",
                "c",
                "a",
                2,
                model='"chat-1"',
                gen_ai__request__model="chat-1-2026",
                gen_ai__input__messages=messages("user", PROMPT),
                gen_ai__output__messages=messages("assistant", ANSWER),
            ),
        )
    )
    assert (request.question, request.answer, request.model) == (QUESTION, ANSWER, "chat-1")
    assert request.response_model == "chat-1-2026"
    assert request.contexts_source is ContextsSource.PROMPT
    assert [passage.text for passage in request.contexts] == ["Riders are sixteen or older.\n---\nOpen daily."]


def test_llama_indexs_template_arguments_are_what_was_filled_in() -> None:
    given = translated("chat", "a", template_arguments=json.dumps({"query_str": QUESTION, "context_str": "Open."}))
    assert told(MLFLOW_TRANSLATED, given, Role.MODEL) == {"variables": {"query_str": QUESTION, "context_str": "Open."}}


def test_llama_index_shows_all_but_the_reply_in_the_calls_around_the_one_that_answered() -> None:
    filled = json.dumps({"query_str": QUESTION, "context_str": "Riders are sixteen or older."})
    request = only(
        extract(
            translated("CHAIN", "a"),
            translated("RETRIEVER", "b", "a", 1),
            translated("generate_content", "c", "a", 2, template_arguments=filled),
            translated("generate_content", "d", "c", 3),
            translated("chat", "e", "d", 4, gen_ai__input__messages='[{"role": "user", "parts": []}]'),
        )
    )
    assert (request.question, request.answer, request.contexts_source) == (QUESTION, None, ContextsSource.PROMPT)
    assert [passage.text for passage in request.contexts] == ["Riders are sixteen or older."]


def test_models_of_others_are_left_alone() -> None:
    other = span("a", attributes={"gen_ai.request.model": "chat-1", "model": "x"}, scope="shop")
    assert told(MLFLOW_TRANSLATED, other) == {}


def test_a_value_that_a_span_processor_replaced_hides_the_trace() -> None:
    assert is_hidden(mlflow_span("CHAIN", spanInputs="[REDACTED]"))
    assert not is_hidden(mlflow_span("CHAIN", spanInputs=QUESTION))
