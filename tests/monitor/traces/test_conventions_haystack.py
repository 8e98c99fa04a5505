from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource, PassageKind
from monitor.traces.conventions.haystack import HAYSTACK
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import ANSWER, DOCUMENTS, PROMPT, QUESTION, extract, only, span, told

META = {"model": "chat-1-2026", "usage": {"prompt_tokens": 30, "completion_tokens": 4}}
FOUND: list[dict[str, object]] = [
    {"id": "d-1", "content": "Riders are sixteen or older.", "score": 0.9, "blob": None, "meta": {}, "embedding": None},
    {"id": "d-2", "content": "Open daily.", "score": None, "blob": None, "meta": {}, "embedding": None},
]


def chat(role: str, text: str, **more: object) -> dict[str, object]:
    """A chat message as Haystack writes it."""
    return {"role": role, "meta": {}, "name": None, "content": [{"text": text}], **more}


def component(
    kind: str, span_id: str = "b", parent: str = "a", at: int = 1, *, given: object = None, made: object = None
) -> Span:
    """A component's run; contents only where they are given."""
    values: dict[str, AttributeValue] = {"haystack.component.name": "x", "haystack.component.type": kind}
    if given is not None:
        values["haystack.component.input"] = json.dumps(given)
    if made is not None:
        values["haystack.component.output"] = json.dumps(made)
    return span(span_id, parent, at, attributes=values, name="haystack.component.run")


def pipeline(given: object, made: object = None, name: str = "haystack.pipeline.run") -> Span:
    values: dict[str, AttributeValue] = {"haystack.pipeline.input_data": json.dumps(given)}
    if made is not None:
        values["haystack.pipeline.output_data"] = json.dumps(made)
    return span("a", attributes=values, name=name)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("InMemoryBM25Retriever", Role.RETRIEVER),
        ("SentenceWindowRetriever", Role.RETRIEVER),
        ("SerperDevWebSearch", Role.RETRIEVER),
        ("TransformersSimilarityRanker", Role.RERANKER),
        ("LLMRanker", Role.RERANKER),
        ("LostInTheMiddleRanker", Role.RERANKER),
        ("DocumentJoiner", Role.RERANKER),
        ("OpenAIGenerator", Role.MODEL),
        ("AzureOpenAIChatGenerator", Role.MODEL),
        ("DALLEImageGenerator", Role.STEP),
        ("Agent", Role.CHAIN),
        ("LLM", Role.CHAIN),
        ("ToolInvoker", Role.TOOL),
        ("FaithfulnessEvaluator", Role.EVALUATOR),
        ("SentenceTransformersTextEmbedder", Role.STEP),
        ("ChatPromptBuilder", Role.STEP),
        ("AnswerBuilder", Role.STEP),
        ("BranchJoiner", Role.STEP),
        ("DocumentWriter", Role.STEP),
    ],
)
def test_the_components_class_gives_the_role(kind: str, role: Role) -> None:
    assert HAYSTACK.role(component(kind)) is role


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("haystack.pipeline.run", Role.CHAIN),
        ("haystack.async_pipeline.run", Role.CHAIN),
        ("haystack.agent.run", Role.CHAIN),
        ("haystack.agent.step", Role.STEP),
        ("haystack.agent.step.llm", Role.MODEL),
        ("haystack.agent.step.tool", Role.TOOL),
        ("haystack.tracing.auto_enable", None),
    ],
)
def test_else_the_name_does(name: str, role: Role | None) -> None:
    assert HAYSTACK.role(span("a", name=name)) is role


@pytest.mark.parametrize(
    ("given", "made", "role"),
    [
        ({"query": QUESTION}, {"documents": FOUND}, Role.RETRIEVER),
        ({"query": QUESTION}, {"documents": []}, Role.RETRIEVER),
        ({"query": QUESTION, "documents": FOUND}, {"documents": FOUND[:1]}, Role.RERANKER),
        ({"documents": FOUND}, {"documents": FOUND}, Role.STEP),
        ({"query": QUESTION}, {"queries": ["x"]}, Role.STEP),
        (None, None, Role.STEP),
    ],
)
def test_a_component_of_the_applications_own_is_told_by_what_it_takes_and_makes(
    given: object, made: object, role: Role
) -> None:
    assert HAYSTACK.role(component("KeywordSearch", given=given, made=made)) is role


@pytest.mark.parametrize(
    ("given", "question"),
    [
        ({"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}}, QUESTION),
        ({"embedder": {"text": QUESTION}, "prompt": {"question": QUESTION}}, QUESTION),
        ({"retriever": {"query": "age of riders"}, "prompt": {"question": QUESTION}}, None),
        ({"agent": {"messages": [chat("user", QUESTION)]}}, QUESTION),
        ({"agent": {"messages": [{"_role": "user", "_content": [{"text": QUESTION}], "_meta": {}}]}}, QUESTION),
        ({"query": QUESTION}, QUESTION),
        ({"writer": {"documents": []}}, None),
    ],
)
def test_a_pipelines_question_is_the_one_that_its_components_agree_on(given: object, question: str | None) -> None:
    assert told(HAYSTACK, pipeline(given), Role.CHAIN).get("question") == question


@pytest.mark.parametrize(
    ("made", "answer"),
    [
        ({"llm": {"replies": [chat("assistant", ANSWER)]}}, ANSWER),
        ({"llm": {"replies": [ANSWER], "meta": [META]}}, ANSWER),
        ({"answer_builder": {"answers": [{"data": ANSWER, "query": QUESTION}]}, "llm": {"replies": ["Raw."]}}, ANSWER),
        ({"agent": {"messages": [chat("user", QUESTION), chat("assistant", ANSWER)]}}, ANSWER),
        ({"agent": {"messages": [], "last_message": chat("assistant", ANSWER)}}, ANSWER),
        ({"a": {"replies": ["One."]}, "b": {"replies": ["Two."]}}, None),
        ({"retriever": {"documents": FOUND}}, None),
        ({}, None),
    ],
)
def test_a_pipelines_answer_is_the_only_one_it_gives(made: object, answer: str | None) -> None:
    assert told(HAYSTACK, pipeline({}, made), Role.CHAIN).get("answer") == answer


def test_a_retriever_gives_query_and_documents() -> None:
    read = told(
        HAYSTACK,
        component("InMemoryBM25Retriever", given={"query": QUESTION, "top_k": None}, made={"documents": FOUND}),
        Role.RETRIEVER,
    )
    documents = (Document("Riders are sixteen or older.", "d-1", 0.9), Document("Open daily.", "d-2"))
    assert read == {"query": QUESTION, "documents": documents}


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({"messages": [chat("user", PROMPT)], "tools": None}, {"replies": [chat("assistant", ANSWER, meta=META)]}),
        ({"prompt": PROMPT, "system_prompt": None}, {"replies": [ANSWER], "meta": [META]}),
    ],
)
def test_generators_give_prompt_reply_model_and_tokens(given: object, made: object) -> None:
    read = component("OpenAIGenerator", given=given, made=made)
    assert told(HAYSTACK, read, Role.MODEL) == {
        "prompt": (Message("user", PROMPT),),
        "output": Message("assistant", ANSWER),
    }
    assert told(HAYSTACK, read) == {"model": "chat-1-2026", "input_tokens": 30, "output_tokens": 4}


def test_a_prompt_builders_texts_are_variables() -> None:
    given = {
        "question": QUESTION,
        "documents": FOUND,
        "template": "{{ question }}",
        "template_variables": {"tone": "kind"},
    }
    variables = {"question": QUESTION, "tone": "kind"}
    assert told(HAYSTACK, component("PromptBuilder", given=given), Role.STEP) == {"variables": variables}
    assert told(HAYSTACK, component("AnswerBuilder", given={"query": "x"}), Role.STEP) == {}


def test_tools_give_their_results() -> None:
    result = {"tool_call_result": {"result": "Rain.", "origin": {"tool_name": "weather", "arguments": {}}}}
    invoked = component("ToolInvoker", made={"tool_messages": [{"role": "tool", "content": [result]}], "state": {}})
    assert told(HAYSTACK, invoked, Role.TOOL) == {"result": "Rain."}
    step = span("a", name="haystack.agent.step.tool", attributes={"haystack.agent.step.tool.output": "Rain."})
    assert told(HAYSTACK, step, Role.TOOL) == {"result": "Rain."}
    listed = span(
        "a", name="haystack.agent.step.tool", attributes={"haystack.agent.step.tool.output": json.dumps(DOCUMENTS[:1])}
    )
    documents = (Document("Riders are sixteen or older.", "d-1", 0.9),)
    assert told(HAYSTACK, listed, Role.TOOL) == {"documents": documents}


def test_a_pipelines_metadata_may_hold_versions_and_people() -> None:
    metadata = json.dumps({"version": "1.4", "tenant": "acme", "session_id": "s-1", "knowledge_base": "handbook"})
    assert told(HAYSTACK, span("a", attributes={"haystack.pipeline.metadata": metadata})) == {
        "session_id": "s-1",
        "tenant": "acme",
        "app_version": "1.4",
        "knowledge_base": "handbook",
    }


def test_a_pipeline_is_a_request() -> None:
    request = only(
        extract(
            pipeline({"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}}, {}),
            component("InMemoryBM25Retriever", "b", given={"query": QUESTION}, made={"documents": FOUND}),
            component("DocumentJoiner", "c", at=2, given={"documents": [FOUND]}, made={"documents": FOUND}),
            component("LLMRanker", "d", at=3, given={"query": QUESTION}, made={"documents": FOUND[:1]}),
            component(
                "OpenAIChatGenerator",
                "e",
                at=4,
                given={"messages": [chat("user", PROMPT)]},
                made={"replies": [chat("assistant", ANSWER, meta=META)]},
            ),
        )
    )
    assert (request.question, request.answer, request.convention) == (QUESTION, ANSWER, "haystack")
    assert [(passage.id, passage.score) for passage in request.contexts] == [("d-1", 0.9)]


def test_an_agents_tools_are_its_contexts() -> None:
    asked = {"messages": [chat("user", QUESTION)]}
    calls = {"role": "assistant", "content": [{"tool_call": {"tool_name": "search", "arguments": {}}}]}
    request = only(
        extract(
            span("a", name="haystack.agent.run", attributes={"haystack.agent.input": json.dumps(asked)}),
            span("s", "a", name="haystack.agent.step", attributes={"haystack.agent.step": 0}),
            _call("b", 1, asked, calls),
            span(
                "c", "s", 2, name="haystack.agent.step.tool", attributes={"haystack.agent.step.tool.output": "Sixteen."}
            ),
            _call("d", 3, asked, chat("assistant", ANSWER)),
        )
    )
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [(passage.text, passage.kind) for passage in request.contexts] == [("Sixteen.", PassageKind.TOOL)]


def _call(span_id: str, at: int, asked: object, reply: object) -> Span:
    """A model call of an agent."""
    attributes: dict[str, AttributeValue] = {
        "haystack.agent.step.llm.input": json.dumps(asked),
        "haystack.agent.step.llm.output": json.dumps({"replies": [reply]}),
    }
    return span(span_id, "s", at, name="haystack.agent.step.llm", attributes=attributes)


def test_without_content_tracing_only_the_pipelines_input_is_there() -> None:
    root = pipeline({"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}})
    request = only(extract(root, component("InMemoryBM25Retriever"), component("OpenAIGenerator", "c", at=2)))
    assert (request.question, request.answer) == (QUESTION, None)
    assert request.contexts_source is ContextsSource.UNKNOWN


def test_cut_json_is_missing_and_marks_the_request() -> None:
    cut = {"haystack.component.type": "InMemoryBM25Retriever", "haystack.component.output": '{"documents": [{"id": "d'}
    read = span("b", attributes=dict(cut))
    assert told(HAYSTACK, read, Role.RETRIEVER) == {}
    assert HAYSTACK.is_json(read, "haystack.component.output")
