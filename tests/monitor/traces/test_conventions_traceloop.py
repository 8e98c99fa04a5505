from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from monitor.traces.conventions.traceloop import TRACELOOP
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue
from tests.monitor.traces.spans import span, told
from tests.monitor.traces.traceloop_spans import NODE, OPEN, entity, ran, run

BUNDLE = {"query_str": "When?", "embedding": None}


def _role(attributes: Mapping[str, AttributeValue]) -> Role | None:
    return TRACELOOP.role(span("a", attributes=attributes))


def _told(attributes: Mapping[str, AttributeValue], role: Role | None = None) -> dict[str, object]:
    return told(TRACELOOP, span("a", attributes=attributes), role)


# ---------------------------------------------------------------------------------------------------------------- roles


@pytest.mark.parametrize(
    ("attributes", "role"),
    [
        ({"llm.request.type": "chat"}, Role.MODEL),
        ({"llm.request.type": "completion"}, Role.MODEL),
        ({"llm.request.type": "rerank"}, Role.RERANKER),
        ({"llm.request.type": "embedding", "gen_ai.prompt.0.content": "Open."}, Role.STEP),
        ({"gen_ai.prompt.0.content": "When?"}, Role.MODEL),
        ({"llm.prompts.3.content": "When?"}, Role.MODEL),
        ({"gen_ai.completion.content": "Now"}, Role.MODEL),
        ({"gen_ai.prompt.name": "faq"}, None),
        ({"gen_ai.prompt.variable.question": "When?"}, None),
        ({"traceloop.span.kind": "workflow"}, Role.CHAIN),
        ({"traceloop.span.kind": "agent"}, Role.CHAIN),
        ({"traceloop.span.kind": "tool"}, Role.TOOL),
        ({"traceloop.span.kind": "task"}, None),
        ({"traceloop.span.kind": "unknown"}, None),
        ({"traceloop.span.kind": "workflow", "gen_ai.operation.name": "invoke_agent"}, Role.CHAIN),
        ({"traceloop.span.kind": "task", "gen_ai.operation.name": "vector_db_retrieve"}, Role.RETRIEVER),
        ({"gen_ai.operation.name": "chat"}, None),
    ],
)
def test_operation_request_type_or_kind_gives_the_role(
    attributes: dict[str, AttributeValue], role: Role | None
) -> None:
    assert _role(attributes) is role


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("retrieve", Role.RETRIEVER),
        ("VectorIndexRetriever.task", Role.RETRIEVER),
        ("retrieve_documents", Role.RETRIEVER),
        ("hybrid_search", Role.RETRIEVER),
        ("search", Role.RETRIEVER),
        ("similaritySearch", Role.RETRIEVER),
        ("get_relevant_documents", Role.RETRIEVER),
        ("research", None),
        ("retrieve_user_profile", None),
        ("RetrieverQueryEngine", None),
        ("format_docs", None),
    ],
)
def test_a_task_that_is_named_after_retrieval_retrieves_whatever_it_shows(name: str, role: Role | None) -> None:
    assert _role(entity("task", name)) is role


@pytest.mark.parametrize(
    ("kind", "asked", "returned", "role"),
    [
        ("task", {"str_or_query_bundle": BUNDLE}, [NODE], Role.RETRIEVER),
        ("workflow", {"str_or_query_bundle": "When?"}, [NODE], Role.RETRIEVER),
        ("task", {"nodes": [NODE], "query_bundle": BUNDLE}, [NODE], Role.RERANKER),
        ("task", {"nodes": [NODE], "query": BUNDLE}, {"response": "Now"}, Role.CHAIN),
        ("task", {"query_bundle": BUNDLE}, {"response": "Now", "source_nodes": [NODE]}, Role.CHAIN),
        ("task", {"documents": [NODE]}, [NODE], Role.CHAIN),
        ("task", run("When?"), ran([OPEN]), Role.RETRIEVER),
        ("task", run([OPEN]), ran("Open."), Role.CHAIN),
        ("task", run([OPEN]), ran([OPEN]), Role.CHAIN),
        ("task", run("When?"), ran("When?"), None),
        ("task", run({"input": ""}), ran("Open.") | {"kwargs": {"inputs": [OPEN]}}, Role.CHAIN),
        ("task", run({"input": ""}), ran([OPEN]) | {"kwargs": {"inputs": "When?"}}, Role.RETRIEVER),
        ("task", {"args": ["faq.md"], "kwargs": {}}, [{"id": "d-1", "text": "Open."}], Role.CHAIN),
        ("task", {"text": "Open."}, ["Open."], None),
        ("task", {"ev": {}}, {"tool_name": "weather", "tool_output": {"content": "Rain."}}, Role.TOOL),
    ],
)
def test_a_step_with_documents_is_known_by_what_it_was_asked(
    kind: str, asked: object, returned: object, role: Role | None
) -> None:
    assert _role(entity(kind, asked=asked, returned=returned)) is role


def test_a_step_named_after_reranking_reranks() -> None:
    asked = {"args": ["When?", [{"id": "d-1", "text": "Open."}]], "kwargs": {}}
    attributes = entity("task", "rerank", asked=asked, returned=[{"id": "d-1", "text": "Open."}])
    assert _role(attributes) is Role.RERANKER
    assert _told(attributes, Role.RERANKER) == {"query": "When?", "documents": (Document("Open.", "d-1"),)}


# ------------------------------------------------------------------------------------------------ questions and answers


@pytest.mark.parametrize(
    ("asked", "returned"),
    [
        (run("When?"), ran("Now")),
        (run({"question": "When?"}), ran({"question": "When?", "answer": "Now"})),
        (run({"messages": [["human", "When?"]]}), ran({"messages": [{"type": "ai", "content": "Now"}]})),
        ({"args": ["When?"], "kwargs": {}}, "Now"),
        ({"args": [], "kwargs": {"user_query": "When?"}}, {"answer": "Now", "sources": []}),
        ({"str_or_query_bundle": "When?"}, {"response": "Now", "metadata": {}}),
        ({"message": "When?"}, {"response": "Now"}),
        (
            {"args": [{"retriever": {"query": "When?"}, "prompt_builder": {"question": "When?"}}], "kwargs": {}},
            {"llm": {"replies": ["Now"], "meta": [{}]}},
        ),
        ({"args": [], "kwargs": {"data": {"retriever": {"query": "When?"}}}}, {"llm": {"replies": ["Now"]}}),
    ],
)
def test_question_and_answer_are_read_in_all_forms(asked: object, returned: object) -> None:
    content = _told(entity("workflow", asked=asked, returned=returned), Role.CHAIN)
    assert (content.get("question"), content.get("answer")) == ("When?", "Now")


def test_the_question_of_a_streamed_run_stands_beside_its_output() -> None:
    returned = {"outputs": "Now", "kwargs": {"tags": [], "inputs": "When?"}}
    assert _told(entity("workflow", asked=run({"input": ""}), returned=returned), Role.CHAIN) == {
        "question": "When?",
        "answer": "Now",
    }


def test_the_double_of_an_entitys_values_is_read_where_only_that_arrived() -> None:
    attributes = {"gen_ai.task.input": json.dumps(run("When?")), "gen_ai.task.output": json.dumps(ran("Now"))}
    assert _told(attributes, Role.CHAIN) == {"question": "When?", "answer": "Now"}


def test_llama_indexs_objects_are_json_in_json() -> None:
    said = json.dumps(
        {"response": {"role": "assistant", "blocks": [{"block_type": "text", "text": "Now"}]}, "raw": None}
    )
    attributes = entity("workflow", returned=said)
    scoped = span("a", attributes=attributes, scope="opentelemetry.instrumentation.llamaindex")
    assert told(TRACELOOP, scoped, Role.CHAIN) == {"answer": "Now"}


def test_an_answer_that_looks_like_json_stays_text() -> None:
    said = '{"answer": "Now"}'
    assert _told(entity("workflow", returned=said), Role.CHAIN) == {"answer": said}
    assert _told(entity("workflow", returned=ran(said)), Role.CHAIN) == {"answer": said}


@pytest.mark.parametrize("cut", ['{"inputs": "Whe', '"Whe', '["Whe'])
def test_json_that_breaks_off_is_no_text(cut: str) -> None:
    attributes: dict[str, AttributeValue] = {"traceloop.entity.input": cut, "traceloop.entity.output": cut}
    assert _told(attributes, Role.CHAIN) == {}


def test_a_generators_repr_is_no_answer() -> None:
    assert _told(entity("workflow", returned="<generator object ask at 0x7f>"), Role.CHAIN) == {}


# ----------------------------------------------------------------------------------------------------------- documents


@pytest.mark.parametrize(
    ("returned", "documents"),
    [
        (
            {"documents": [{"page_content": "Open.", "metadata": {"score": 0.6}}], "count": 1},
            (Document("Open.", None, 0.6),),
        ),
        ({"documents": [], "count": 0}, ()),
        ([NODE], (Document("Open.", "d-1", 0.4),)),
        ([], ()),
        (ran({"context": [OPEN]}), (Document("Open.", "d-1", 0.6),)),
        (["Open.", "Late."], (Document("Open."), Document("Late."))),
        ("Open.\n\nLate.", (Document("Open.\n\nLate."),)),
        ({"ids": [["d-1"]], "documents": [["Open."]], "distances": [[0.3]]}, (Document("Open.", "d-1"),)),
        ("<generator object>", None),
        ({"count": 3}, None),
        (None, None),
    ],
)
def test_a_retriever_shows_documents_passages_or_one_text(returned: object, documents: object) -> None:
    content = _told(
        entity("task", "retrieve", asked={"args": ["When?"], "kwargs": {}}, returned=returned), Role.RETRIEVER
    )
    assert content.get("documents") == documents
    assert content.get("query") == "When?"


def test_only_a_retriever_by_name_may_return_a_plain_text() -> None:
    content = _told(entity("task", "Keyword", asked={"query": "When?"}, returned="Open."), Role.RETRIEVER)
    assert content == {"query": "When?"}


@pytest.mark.parametrize(
    ("asked", "returned"),
    [
        (run("When?"), ran({"answer": "Now", "context": [OPEN]})),
        (run([OPEN]), ran("Open.")),
        (run({"input": ""}), ran("Open.") | {"kwargs": {"inputs": [OPEN]}}),
        (run({"question": "When?", "context": [OPEN]}), ran({"answer": "Now"})),
        ({"args": ["When?", [OPEN]], "kwargs": {}}, "Now"),
        ({"args": [], "kwargs": {"question": "When?", "docs": [OPEN]}}, "Now"),
        ({"query": BUNDLE, "nodes": [OPEN]}, {"response": "Now"}),
    ],
)
def test_a_step_shows_the_documents_that_it_returns_or_is_handed(asked: object, returned: object) -> None:
    content = _told(entity("task", asked=asked, returned=returned), Role.CHAIN)
    assert content.get("documents") == (Document("Open.", "d-1", 0.6),)


@pytest.mark.parametrize(
    ("returned", "content"),
    [
        ({"output": "397.8", "kwargs": {}}, {"result": "397.8"}),
        ({"output": [{"id": "d-1", "content": "Open."}]}, {"documents": (Document("Open.", "d-1"),)}),
        (
            {
                "output": {
                    "lc": 1,
                    "id": ["langchain", "schema", "messages", "ToolMessage"],
                    "kwargs": {"content": "Rain."},
                }
            },
            {"result": "Rain."},
        ),
        ("Rain.", {"result": "Rain."}),
        (
            {
                "tool_name": "weather",
                "tool_kwargs": {"city": "x"},
                "tool_output": json.dumps({"tool_name": "weather", "content": "Rain."}),
            },
            {"result": "Rain."},
        ),
        (
            {"tool_name": "weather", "raw_input": {"city": "x"}, "blocks": [{"block_type": "text", "text": "Rain."}]},
            {"result": "Rain."},
        ),
    ],
)
def test_a_tool_gives_documents_or_its_result(returned: object, content: dict[str, object]) -> None:
    assert _told(entity("tool", returned=returned), Role.TOOL) == content


def test_a_template_tells_what_it_was_filled_with() -> None:
    asked = {"inputs": {"context": "Open.", "question": "When?", "n": 3}, "kwargs": {"run_type": "prompt"}}
    attributes = entity("task", "Prompt", asked=asked)
    assert _role(attributes) is Role.STEP
    assert _told(attributes, Role.STEP) == {"variables": {"context": "Open.", "question": "When?"}}


# ---------------------------------------------------------------------------------------------------------- model calls


@pytest.mark.parametrize("prefixes", [("gen_ai.prompt", "gen_ai.completion"), ("llm.prompts", "llm.completions")])
def test_numbered_messages_are_read_in_both_names(prefixes: tuple[str, str]) -> None:
    asked, replied = prefixes
    attributes: dict[str, AttributeValue] = {
        f"{asked}.0.role": "system",
        f"{asked}.0.content": "You help.",
        f"{asked}.2.role": "user",
        f"{asked}.2.content": "When?",
        f"{asked}.3.role": "assistant",
        f"{asked}.3.tool_calls.0.name": "search",
        f"{asked}.4.role": "tool",
        f"{asked}.4.content": "Rain.",
        f"{asked}.4.tool_call_id": "1",
        f"{replied}.0.role": "assistant",
        f"{replied}.0.content": "Now",
        f"{replied}.0.finish_reason": "stop",
    }
    assert _told(attributes, Role.MODEL) == {
        "prompt": (
            Message("system", "You help."),
            Message("user", "When?"),
            Message("assistant", "", calls_tool=True),
            Message("tool", "", results=("Rain.",)),
        ),
        "output": Message("assistant", "Now"),
    }


@pytest.mark.parametrize(
    ("completion", "output"),
    [
        ({"0.content": '""', "0.tool_calls.0.name": "search"}, Message("assistant", "", calls_tool=True)),
        ({"0.content": '[{"type": "text", "text": "Now"}]'}, Message("assistant", "Now")),
        ({"0.content": '"Now" they said'}, Message("assistant", '"Now" they said')),
        ({"0.content": "[1] says so"}, Message("assistant", "[1] says so")),
        ({"0.content": '["a"]'}, Message("assistant", '["a"]')),
        (
            {"0.role": "thinking", "0.content": "Hm", "1.role": "assistant", "1.content": "Now"},
            Message("assistant", "Now"),
        ),
        ({"content": "Now", "role": "assistant"}, Message("assistant", "Now")),
        ({"0.finish_reason": "stop", "0.role": "assistant"}, None),
    ],
)
def test_a_completion_is_text_parts_or_nothing(completion: dict[str, AttributeValue], output: Message | None) -> None:
    attributes = {f"gen_ai.completion.{key}": value for key, value in completion.items()}
    assert _told(attributes, Role.MODEL).get("output") == output


def test_some_providers_text_stands_under_the_role() -> None:
    assert _told({"gen_ai.prompt.0.user": "When?"}, Role.MODEL) == {"prompt": (Message("user", "When?"),)}


def test_the_keys_of_a_haystack_reply_are_not_the_reply() -> None:
    attributes: dict[str, AttributeValue] = {"llm.request.type": "chat", "gen_ai.completion.0.content": "replies"}
    assert told(TRACELOOP, span("a", name="haystack.openai.chat", attributes=attributes), Role.MODEL) == {}
    assert told(TRACELOOP, span("a", attributes=attributes), Role.MODEL) == {"output": Message("assistant", "replies")}


def test_a_reranker_names_documents_of_its_prompt() -> None:
    attributes: dict[str, AttributeValue] = {
        "llm.request.type": "rerank",
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Late.",
        "gen_ai.prompt.1.role": "system",
        "gen_ai.prompt.1.content": "Open.",
        "gen_ai.prompt.2.role": "user",
        "gen_ai.prompt.2.content": "When?",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Doc 1, Score: 0.98",
        "gen_ai.completion.1.role": "assistant",
        "gen_ai.completion.1.content": "Doc 0, Score: 0.1\nLate!",
    }
    assert _told(attributes, Role.RERANKER) == {
        "query": "When?",
        "documents": (Document("Open.", None, 0.98), Document("Late!", None, 0.1)),
    }


def test_facts_are_read() -> None:
    attributes: dict[str, AttributeValue] = {
        "llm.request.model": "m",
        "llm.response.model": "m-1",
        "llm.usage.prompt_tokens": 5,
        "llm.usage.completion_tokens": 7,
        "traceloop.association.properties.session_id": "s-1",
        "traceloop.association.properties.user_id": 17,
        "traceloop.association.properties.tenant_id": "acme",
        "traceloop.prompt.key": "faq",
        "traceloop.prompt.version": 3,
        "traceloop.association.properties.app_version": "3.2",
        "traceloop.association.properties.knowledge_base": "faq",
        "gen_ai.task.status": "failure",
    }
    assert _told(attributes) == {
        "model": "m",
        "response_model": "m-1",
        "input_tokens": 5,
        "output_tokens": 7,
        "session_id": "s-1",
        "user_id": "17",
        "tenant": "acme",
        "prompt_version": "faq:3",
        "app_version": "3.2",
        "knowledge_base": "faq",
        "failure": "failure",
    }
