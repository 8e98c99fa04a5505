from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import span, told

JSON = "application/json"


def _content(kind: str, role: Role, **attributes: AttributeValue) -> dict[str, object]:
    values = {key.replace("__", "."): value for key, value in attributes.items()}
    return told(OPENINFERENCE, span("a", attributes={"openinference.span.kind": kind} | values), role)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("LLM", Role.MODEL),
        ("retriever", Role.RETRIEVER),
        ("RERANKER", Role.RERANKER),
        ("CHAIN", Role.CHAIN),
        ("AGENT", Role.CHAIN),
        ("TOOL", Role.TOOL),
        ("EMBEDDING", Role.STEP),
        ("EVALUATOR", Role.EVALUATOR),
        ("UNKNOWN", None),
        (3, None),
    ],
)
def test_the_kind_gives_the_role(kind: AttributeValue, role: Role | None) -> None:
    assert OPENINFERENCE.role(span("a", attributes={"openinference.span.kind": kind})) is role


def test_text_stays_text_unless_its_type_says_json() -> None:
    asked = '{"question": "When?"}'
    plain = _content("CHAIN", Role.CHAIN, input__value=asked, input__mime_type="text/plain", output__value="[1] Now")
    assert (plain.get("question"), plain.get("answer")) == (asked, "[1] Now")
    untyped = _content("CHAIN", Role.CHAIN, input__value='[{"id": 1}]', output__value='{"total": 1}')
    assert (untyped.get("question"), untyped.get("answer")) == ('[{"id": 1}]', '{"total": 1}')
    typed = _content("CHAIN", Role.CHAIN, input__value=asked, input__mime_type=JSON)
    assert typed.get("question") == "When?"


def test_an_object_in_a_known_shape_needs_no_type() -> None:
    """Spans written by hand name none."""
    content = _content("CHAIN", Role.CHAIN, input__value='{"question": "When?"}', output__value='{"answer": "Now"}')
    assert (content.get("question"), content.get("answer")) == ("When?", "Now")


def test_json_that_was_cut_is_no_text() -> None:
    content = _content(
        "CHAIN",
        Role.CHAIN,
        input__value='{"question": "Whe',
        input__mime_type=JSON,
        output__value='{"answer": "No',
        output__mime_type=JSON,
    )
    assert content == {}


def test_a_chain_shows_the_documents_that_it_was_handed() -> None:
    handed = json.dumps([{"id": "d-1", "page_content": "Open.", "type": "Document"}])
    content = _content("CHAIN", Role.CHAIN, input__value=handed, input__mime_type=JSON, output__value="Open.")
    assert (content.get("documents"), content.get("answer")) == ((Document("Open.", "d-1"),), "Open.")


def test_documents_may_start_at_any_number_and_have_gaps() -> None:
    attributes = {f"retrieval.documents.{n}.document.content": str(n) for n in (11, 7, 9)}
    content = told(
        OPENINFERENCE, span("a", attributes={"openinference.span.kind": "RETRIEVER"} | attributes), Role.RETRIEVER
    )
    assert content.get("documents") == (Document("7"), Document("9"), Document("11"))


def test_ids_and_scores_are_completed_from_metadata_and_output() -> None:
    output = {"documents": [{"id": "d-1", "page_content": "Open.", "metadata": {"score": 0.2}}]}
    content = _content(
        "RETRIEVER",
        Role.RETRIEVER,
        input__value="When?",
        output__value=json.dumps(output),
        output__mime_type=JSON,
        retrieval__documents__0__document__content="Open.",
        retrieval__documents__0__document__metadata='{"score": 0.6, "relevance_score": 0.9}',
    )
    assert content == {"query": "When?", "documents": (Document("Open.", "d-1", 0.9),)}


@pytest.mark.parametrize(
    ("attributes", "documents"),
    [
        ({"retrieval__documents": []}, ()),
        ({"output__value": "[]", "output__mime_type": JSON}, ()),
        ({"output__value": '["<NodeWithScore(id_=d-1)>"]', "output__mime_type": JSON}, None),
        ({}, None),
    ],
)
def test_an_empty_result_is_told_from_none(attributes: dict[str, AttributeValue], documents: object) -> None:
    assert _content("RETRIEVER", Role.RETRIEVER, **attributes).get("documents") == documents


def test_a_model_is_read_from_its_flattened_messages() -> None:
    content = _content(
        "LLM",
        Role.MODEL,
        llm__input_messages__0__message__role="user",
        llm__input_messages__0__message__contents__0__message_content__text="When?",
        llm__input_messages__1__message__role="tool",
        llm__input_messages__1__message__content="Rain.",
        llm__output_messages__0__message__role="assistant",
        llm__output_messages__0__message__tool_calls__0__tool_call__id="1",
    )
    assert content.get("prompt") == (Message("user", "When?"), Message("tool", "", results=("Rain.",)))
    assert content.get("output") == Message("assistant", "", calls_tool=True)


def test_a_model_without_messages_is_read_from_its_values() -> None:
    asked = json.dumps({"messages": [{"role": "user", "content": "When?"}]})
    content = _content("LLM", Role.MODEL, input__value=asked, input__mime_type=JSON, output__value="assistant: Now.")
    assert (content.get("prompt"), content.get("output")) == ((Message("user", "When?"),), Message("assistant", "Now."))


def test_a_tools_message_is_its_text() -> None:
    output = json.dumps({"type": "tool", "data": {"content": "Rain.", "tool_call_id": "1"}})
    assert _content("TOOL", Role.TOOL, output__value=output, output__mime_type=JSON) == {"result": "Rain."}


def test_template_variables_are_those_that_are_text() -> None:
    variables = json.dumps({"context": "Open.", "n": 3})
    assert _content("PROMPT", Role.STEP, llm__prompt_template__variables=variables).get("variables") == {
        "context": "Open."
    }


@pytest.mark.parametrize(
    ("named", "asked", "facts"),
    [
        ("m-1", "m", {"model": "m", "response_model": "m-1"}),
        ("m", "m", {"model": "m"}),
        ("m-1", None, {"model": "m-1"}),
        (None, "m", {"model": "m"}),
    ],
)
def test_the_requested_model_is_told_from_the_answering_one(
    named: str | None, asked: str | None, facts: dict[str, object]
) -> None:
    parameters = json.dumps({"model": asked})
    attributes: dict[str, AttributeValue] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": named,
        "llm.invocation_parameters": parameters,
    }
    assert told(OPENINFERENCE, span("a", attributes=attributes)) == facts


def test_spans_of_other_conventions_are_left_alone() -> None:
    assert told(OPENINFERENCE, span("a", attributes={"input.value": "x"}), Role.CHAIN) == {}


def _call(scope: str = "openinference.instrumentation.openai", dropped: int = 0, **more: AttributeValue) -> Span:
    """A call whose package left the messages out that it was given, and not its whole input."""
    attributes: dict[str, AttributeValue] = {
        "openinference.span.kind": "LLM",
        "input.value": json.dumps({"messages": [{"role": "user", "content": "Who may ride?"}]}),
        "input.mime_type": "application/json",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "Anyone.",
    }
    named = {key.replace("__", "."): value for key, value in more.items()}
    return span("m", attributes=attributes | named, scope=scope, dropped_attributes=dropped)


def test_messages_that_were_left_out_on_purpose_hide_the_trace() -> None:
    assert OPENINFERENCE.hides(_call())


@pytest.mark.parametrize(
    "shown",
    [
        _call(llm__input_messages__0__message__content="Who may ride?"),
        _call(llm__prompts__0__prompt__text="Who may ride?"),
        _call(input__value="{}"),
        _call(input__mime_type="text/plain"),
        _call(dropped=3),
        _call(scope="my.own"),
        _call(openinference__span__kind="CHAIN"),
    ],
)
def test_calls_that_may_well_be_without_those_messages_hide_nothing(shown: Span) -> None:
    assert not OPENINFERENCE.hides(shown)


@pytest.mark.parametrize(
    "response",
    [
        {"id": "r-1", "model": "m-2026", "content": [{"type": "text", "text": "Open."}]},
        {"generations": [[{"message": {"kwargs": {"response_metadata": {"model_name": "m-2026", "id": "r-1"}}}}]]},
    ],
)
def test_a_clients_response_tells_who_answered(response: object) -> None:
    attributes: dict[str, AttributeValue] = {
        "llm.model_name": "m",
        "output.value": json.dumps(response),
        "output.mime_type": JSON,
    }
    for kind, told_of in (("LLM", {"response_model": "m-2026", "response_id": "r-1"}), ("CHAIN", {})):
        read = told(OPENINFERENCE, span("a", attributes={"openinference.span.kind": kind, **attributes}))
        assert read == {"model": "m", **told_of}


@pytest.mark.parametrize("name", ["knowledge_base", "knowledge_base_version", "kb_version", "kb_id"])
def test_metadata_tell_the_knowledge_base(name: str) -> None:
    attributes: dict[str, AttributeValue] = {"openinference.span.kind": "CHAIN", "metadata": json.dumps({name: "kb-3"})}
    assert told(OPENINFERENCE, span("a", attributes=attributes)) == {"knowledge_base": "kb-3"}
