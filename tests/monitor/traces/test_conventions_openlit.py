from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.openlit import OPENLIT
from monitor.traces.reading import Document, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.spans import ANSWER, PROMPT, QUESTION, extract, messages, only, span, told

OWN: dict[str, AttributeValue] = {"telemetry.sdk.name": "openlit"}
OPEN = {"id": "d-1", "content": "Open."}


def _told(role: Role | None = None, **attributes: AttributeValue) -> dict[str, object]:
    values = {f"gen_ai.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return told(OPENLIT, span("a", attributes=OWN | values), role)


@pytest.mark.parametrize(
    ("name", "attributes", "role"),
    [
        ("workflow RunnableSequence", {"gen_ai.operation.name": "invoke_workflow"}, Role.CHAIN),
        ("workflow RunnableSequence", {"gen_ai.operation.name": "framework"}, Role.CHAIN),
        (
            "pipeline",
            {"gen_ai.operation.name": "framework", "gen_ai.framework.pipeline.component_count": 3},
            Role.CHAIN,
        ),
        ("document_split", {"gen_ai.operation.name": "framework"}, Role.STEP),
        ("retrieval Keyword", {"gen_ai.operation.name": "retrieval"}, Role.RETRIEVER),
        ("retrieval Keyword", {"gen_ai.operation.name": "retrieve"}, Role.RETRIEVER),
        (
            "query",
            {"gen_ai.operation.name": "retrieval", "gen_ai.framework.query.type": "query_engine"},
            Role.CHAIN,
        ),
        ("query", {"gen_ai.operation.name": "retrieval", "gen_ai.completion": "Now"}, Role.CHAIN),
        ("document_load", {"gen_ai.operation.name": "retrieval", "gen_ai.system": "llama_index"}, Role.STEP),
        (
            "x",
            {
                "gen_ai.operation.name": "retrieval",
                "gen_ai.system": "llama_index",
                "gen_ai.framework.query.type": "retriever",
            },
            Role.RETRIEVER,
        ),
        ("tool search", {"gen_ai.operation.name": "tools"}, Role.TOOL),
        ("workflow x", {"gen_ai.operation.name": "workflow x"}, Role.CHAIN),
        ("retrieval x", {"gen_ai.operation.name": "retrieval x"}, Role.RETRIEVER),
        ("chat x", {"gen_ai.operation.name": "chat x"}, Role.MODEL),
        ("chat m", {"gen_ai.operation.name": "chat"}, Role.MODEL),
        ("GET faq", {"gen_ai.operation.name": "vectordb"}, None),
        ("x", {}, None),
    ],
)
def test_the_operation_gives_the_role(name: str, attributes: dict[str, AttributeValue], role: Role | None) -> None:
    assert OPENLIT.role(span("a", name=name, attributes=OWN | attributes)) is role
    assert OPENLIT.role(span("a", name=name, attributes=attributes, scope="openlit.instrumentation.x")) is role
    assert OPENLIT.role(span("a", name=name, attributes=attributes)) is None


def test_a_workflows_input_and_output_are_json_text() -> None:
    assert _told(Role.CHAIN, workflow__input='"When?"', workflow__output='"Now"') == {
        "question": "When?",
        "answer": "Now",
    }
    asked = json.dumps({"question": "When?"})
    replied = json.dumps({"answer": "Now", "context": [OPEN]})
    assert _told(Role.CHAIN, workflow__input=asked, workflow__output=replied) == {
        "question": "When?",
        "answer": "Now",
        "documents": (Document("Open.", "d-1"),),
    }


def test_what_was_cut_is_no_text() -> None:
    assert _told(Role.CHAIN, workflow__input='{"question": "Whe', workflow__output='"No') == {}


def test_a_pipelines_question_is_taken_unless_it_fills_the_limit() -> None:
    def asked(text: str) -> object:
        components = {"retriever": {"query": text}, "prompt_builder": {"question": text}}
        return _told(Role.CHAIN, framework__pipeline__input_data=json.dumps(components)).get("question")

    assert asked("When?") == "When?"
    assert asked("w" * 100) is None


def test_no_document_is_an_empty_result_and_samples_are_none() -> None:
    assert _told(Role.RETRIEVER, retrieval__document_count=0) == {"documents": ()}
    assert _told(Role.RETRIEVER, retrieval__document_count=3, retrieval__documents="Open.; Late.") == {}


def test_a_tools_output_is_its_result() -> None:
    assert _told(Role.TOOL, tool__output="Rain.") == {"result": "Rain."}
    assert _told(Role.TOOL, tool__output=json.dumps([OPEN])) == {"documents": (Document("Open.", "d-1"),)}


def test_facts_are_read() -> None:
    assert _told(session__id="s", request__user="u", framework__error__type="TimeoutError") == {
        "session_id": "s",
        "user_id": "u",
        "failure": "TimeoutError",
    }


def _chat(**attributes: AttributeValue) -> Span:
    held: dict[str, AttributeValue] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    return span(
        "m", "root", 5, attributes=OWN | held | {f"gen_ai.{k.replace('__', '.')}": v for k, v in attributes.items()}
    )


def test_an_older_langchain_request_is_read_from_its_prompt() -> None:
    """Its retriever shows samples of the first documents only, cut."""
    retriever: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "retrieve",
        "gen_ai.retrieval.query": QUESTION,
        "gen_ai.retrieval.documents": "Riders are; Open",
        "gen_ai.retrieval.document_count": 2,
    }
    request = only(
        extract(
            span(
                "root",
                name="workflow RunnableSequence",
                attributes=OWN
                | {
                    "gen_ai.operation.name": "framework",
                    "gen_ai.workflow.input": json.dumps({"input": QUESTION}),
                    "gen_ai.workflow.output": json.dumps(ANSWER),
                },
            ),
            span("r", "root", 1, attributes=OWN | retriever),
            _chat(prompt=f"system: You help.\nuser: {PROMPT}", completion=ANSWER),
        )
    )
    assert (request.question, request.answer, request.convention) == (QUESTION, ANSWER, "openlit")
    assert request.contexts_source is ContextsSource.PROMPT
    assert [passage.text for passage in request.contexts] == ["Riders are sixteen or older.\n---\nOpen daily."]


def test_where_inputs_were_lost_the_filled_in_variables_tell_the_question() -> None:
    """Version 1.35 writes the name of the span as its operation, and no input."""
    filled = json.dumps({"context": "Open daily.", "question": QUESTION})
    root: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "workflow RunnableSequence",
        "gen_ai.workflow.output": json.dumps(ANSWER),
    }
    model: dict[str, AttributeValue] = {"gen_ai.operation.name": "chat M", "gen_ai.completion": ANSWER}
    request = only(
        extract(
            span("root", name="workflow RunnableSequence", attributes=OWN | root),
            span(
                "v",
                "root",
                1,
                name="workflow RunnableSequence",
                attributes=OWN | root | {"gen_ai.workflow.output": filled},
            ),
            span("r", "v", 2, attributes=OWN | {"gen_ai.operation.name": "retrieval RunnableSequence"}),
            span("m", "root", 5, attributes=OWN | model),
        )
    )
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [passage.text for passage in request.contexts] == ["Open daily."]


def test_a_failure_counts_although_the_status_was_overwritten() -> None:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "framework",
        "gen_ai.workflow.input": json.dumps(QUESTION),
        "gen_ai.framework.error.type": "TimeoutError",
    }
    root = span("root", name="workflow x", attributes=OWN | attributes)
    request = only(extract(root, span("r", "root", 1, attributes=OWN | {"gen_ai.operation.name": "retrieval"})))
    assert request.error is not None
    assert (request.error.type, request.answer) == ("TimeoutError", None)


def test_contents_that_are_turned_off_are_hidden() -> None:
    hit = SpanEvent("db.query.result", 1, {"db.query.result.document": "Secret."})
    store = span("q", "root", 1, attributes={"db.system": "marqo", "db.operation": "search"}, events=(hit,))
    request = only(extract(span("root"), store, _chat()))
    assert (request.redacted, request.contexts) == (True, ())
    shown = only(extract(span("root"), store, _chat(input__messages=messages("user", "Secret. Question: When?"))))
    assert (shown.redacted, [passage.text for passage in shown.contexts]) == (False, ["Secret."])
