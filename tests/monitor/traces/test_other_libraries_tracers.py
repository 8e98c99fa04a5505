"""Requests of tracers that have keys of their own for what a function was given and returned: CozeLoop, Langtrace."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.langtrace import LANGTRACE
from monitor.traces.reading import Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import FILLED, LISTED, OPEN, RIDERS, RIGHT, Told, dotted, dropped, one, told
from tests.monitor.traces.spans import ANSWER, QUESTION, span
from tests.monitor.traces.spans import told as found_in

# ------------------------------------------------------------------------------------------------------------ CozeLoop


def _coze(
    kind: str, span_id: str, parent: str, at: int, asked: object, returned: object, **more: AttributeValue
) -> Span:
    """A span of a type: text as it is, other values as JSON."""
    values = {"cozeloop.input": asked, "cozeloop.output": returned}
    held = {key: value if isinstance(value, str) else json.dumps(value) for key, value in values.items()}
    return span(span_id, parent, at, attributes={"cozeloop.span_type": kind} | held | dotted(**more))


def _coze_model(parent: str = "k", reply: str = ANSWER, **more: AttributeValue) -> Span:
    asked = {"messages": [{"role": "user", "parts": [{"type": "text", "text": FILLED}]}]}
    returned = {"choices": [{"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": reply}}]}
    named = dotted(llm__model_name="chat-1", gen_ai__provider__name="doubao", gen_ai__usage__input_tokens=10)
    return _coze("model", "m", parent, 4, asked, returned, **named, **more)


_FOUND = {"documents": [{"id": one["id"], "content": one["text"], "score": one["score"]} for one in LISTED]}


def test_a_request_of_cozeloop() -> None:
    prompt = {"cozeloop.prompt_key": "helpdesk", "cozeloop.prompt_version": "0.0.3"}
    request = one(
        _coze("custom", "k", "", 0, QUESTION, ANSWER, session__id="s-1", user__id="u-1", deployment_env="prod"),
        _coze("prompt_hub", "p", "k", 1, {"prompt_key": "helpdesk"}, {"prompts": []}, **prompt),
        _coze("retriever", "r", "k", 2, {"query": QUESTION}, _FOUND),
        _coze_model(),
    )
    assert told(request) == RIGHT
    assert (request.session_id, request.user_id, request.environment) == ("s-1", "u-1", "prod")
    assert (request.prompt_version, request.input_tokens, request.convention) == ("helpdesk:0.0.3", 10, "cozeloop")


def test_a_retriever_of_cozeloop_that_found_nothing() -> None:
    request = one(
        _coze("graph", "k", "", 0, {"question": QUESTION}, {"answer": ANSWER}),
        _coze("retriever", "r", "k", 2, {"query": QUESTION}, {"documents": []}),
        _coze_model(),
    )
    assert told(request) == Told(QUESTION, ANSWER, (), "span")


def test_a_status_of_cozeloop_tells_of_a_failure() -> None:
    request = one(
        _coze("custom", "k", "", 0, QUESTION, ""),
        _coze("retriever", "r", "k", 2, {"query": QUESTION}, _FOUND),
        _coze_model(reply="", cozeloop__status_code=-1, error__type="rate limited"),
    )
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("rate limited", "generation")


def test_spans_of_others_may_be_given_a_type_by_hand() -> None:
    """As CozeLoop's own examples do with the span around an agent that another library traces."""
    root = span("k", attributes={"cozeloop.span_type": "custom"})
    assert dropped(root, _coze_model(reply="Hello.", **{"cozeloop.input": "Hi"})) == {"plain_chat": 1}
    assert told(one(root, _coze_model())) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


# ----------------------------------------------------------------------------------------------------------- Langtrace


def _langtrace(span_id: str, parent: str, at: int, **more: AttributeValue) -> Span:
    service = dotted(langtrace__sdk__name="langtrace-python-sdk", langtrace__service__type="framework")
    return span(span_id, parent, at, attributes=service | dotted(**more))


def _chained(task: str, span_id: str, parent: str, at: int, asked: object, returned: object) -> Span:
    """A method of LangChain: its arguments are a list, those of a runnable an object."""
    values: dict[str, AttributeValue] = {"langchain.inputs": json.dumps(asked, indent=2), "langchain.metadata": "{}"}
    shown = returned if isinstance(returned, str) else json.dumps(returned, indent=2)
    return _langtrace(span_id, parent, at, langchain__task__name=task, **values, langchain__outputs=shown)


_MESSAGES = [{"content": FILLED, "type": "human"}]
_RESULT = {"generations": [[{"text": ANSWER, "type": "ChatGeneration", "message": ANSWER}]], "type": "LLMResult"}
_REPLY = {"content": ANSWER, "response_metadata": {"model_name": "chat-1-2025"}, "type": "ai"}


def _client(parent: str, *, replied: bool) -> Span:
    """The call of the client below the methods: its reply is not recorded where LangChain reads the raw response."""
    asked = json.dumps([{"content": FILLED, "role": "user"}])
    reply = json.dumps([{"role": "assistant", "content": ANSWER}])
    events = [SpanEvent("gen_ai.content.prompt", 5, {"gen_ai.prompt": asked})]
    events += [SpanEvent("gen_ai.content.completion", 6, {"gen_ai.completion": reply})] if replied else []
    named = dotted(langtrace__service__type="llm", gen_ai__operation__name="chat", gen_ai__request__model="chat-1")
    return span("m", parent, 6, attributes=named, events=tuple(events), name="openai.chat.completions.create")


def _langchain(found: list[dict[str, object]]) -> list[Span]:
    """A chain as the SDK shows it: three methods of the model around the call of its client, and one that asks none."""
    joined = "\n".join(str(one["page_content"]) for one in found)
    return [
        span("root", name="rag"),
        _chained("runnable", "k", "root", 0, {"input": QUESTION}, ANSWER),
        _chained("runnable", "p", "k", 1, {"input": QUESTION}, {"context": joined, "question": QUESTION}),
        _chained("runnablepassthrough", "q", "p", 1, {"input": QUESTION}, QUESTION),
        _chained("retriever", "r", "p", 2, [QUESTION, {}], found),
        _chained("runnable", "j", "p", 3, {}, joined),
        _chained("chatmodel", "m1", "k", 4, [{"messages": _MESSAGES}, {}], _REPLY),
        _chained("chatmodel", "m2", "m1", 5, [[{"messages": _MESSAGES}]], _RESULT),
        _chained("chatmodel", "m3", "m2", 6, [[_MESSAGES]], _RESULT),
        _chained("chatmodel", "m4", "m3", 6, [], {"model": "chat-1", "_type": "openai-chat"}),
        _client("m3", replied=False),
        _chained("stroutputparser", "o", "k", 9, {"input": ANSWER}, ANSWER),
    ]


def test_a_chain_of_langchain_by_langtrace() -> None:
    found = [{"id": one["id"], "page_content": one["text"], "metadata": {"score": one["score"]}} for one in LISTED]
    request = one(*_langchain(found))
    assert told(request) == RIGHT
    assert (request.convention, request.response_model) == ("langtrace", "chat-1-2025")


def test_a_retriever_of_langchain_by_langtrace_that_found_nothing() -> None:
    assert told(one(*_langchain([]))) == Told(QUESTION, ANSWER, (), "span")


@pytest.mark.parametrize("asked", [[{"messages": _MESSAGES}, {}], [[{"messages": _MESSAGES}]], [[_MESSAGES]], [FILLED]])
def test_methods_of_a_model_show_prompt_and_reply_at_any_depth(asked: list[object]) -> None:
    read = _chained("chatmodel", "m", "", 0, asked, _RESULT)
    assert found_in(LANGTRACE, read, Role.MODEL) == {
        "prompt": (Message("user", FILLED),),
        "output": Message("assistant", ANSWER),
    }


def test_a_query_engine_of_llama_index_by_langtrace_says_nothing_itself() -> None:
    engine = _langtrace("k", "", 0, llamaindex__task__name="query")
    assert told(one(engine, _client("k", replied=True))) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


@pytest.mark.parametrize(
    ("asked", "returned", "given"),
    [
        ("embedchain.inputs", "embedchain.outputs", json.dumps([QUESTION])),
        ("neo4j_graphrag.query_text", "neo4j_graphrag.answer", QUESTION),
        ("agno.agent.inputs", "agno.agent.response_content", json.dumps({"args": [QUESTION], "kwargs": {}})),
        ("dspy.signature.args", "dspy.signature.result", str({"question": QUESTION})),
    ],
)
def test_what_other_frameworks_were_given_and_returned(asked: str, returned: str, given: str) -> None:
    """The search inside shows no text: what was found is in the prompt."""
    request = one(
        _langtrace("k", "", 0, **{asked: given, returned: ANSWER}),
        _langtrace("r", "k", 1, neo4j__retriever__query_text=QUESTION, neo4j__retriever__items_count=2),
        _client("k", replied=False),
    )
    assert told(request) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


def _store(system: str, operation: str, *events: SpanEvent, **more: AttributeValue) -> Span:
    named = {"langtrace.service.type": "vectordb", "db.system": system, "db.operation": operation}
    return span("r", "root", 1, attributes=named | dotted(**more), events=events)


def _hit(name: str, prefix: str = "", **held: AttributeValue) -> SpanEvent:
    return SpanEvent(name, 2, {prefix + key: value for key, value in held.items()})


_ENTITIES = [json.dumps({"text": text}) for text in (RIDERS, OPEN)]
_OBJECTS = [{"content": RIDERS, "uuid": "d-1"}, {"content": OPEN, "uuid": "d-2"}]


@pytest.mark.parametrize(
    "search",
    [
        _store(
            "pinecone",
            "query",
            _hit("db.query.match", "db.query.match.", id="d-1", score=0.9, metadata={"text": RIDERS}),
            _hit("db.query.match", "db.query.match.", id="d-2", score=0.5, metadata={"text": OPEN}),
        ),
        _store(
            "milvus",
            "search",
            _hit("db.search.match", id="d-1", distance="0.1", entity=_ENTITIES[0]),
            _hit("db.search.match", id="d-2", distance="0.5", entity=_ENTITIES[1]),
        ),
        _store(
            "mongodb",
            "aggregate",
            _hit("db.query.match", _id="d-1", text=RIDERS),
            _hit("db.query.match", _id="d-2", text=OPEN),
            db__index="vectors",
        ),
        _store(
            "chromadb",
            "query",
            _hit("db.chroma.query.result", id="d-1", distance=0.1, document=RIDERS),
            _hit("db.chroma.query.result", id="d-2", distance=0.5, document=OPEN),
            db__query=json.dumps({"query_texts": [QUESTION], "n_results": 2}),
        ),
        _store(
            "weaviate",
            "query",
            SpanEvent("db.response", 2, {"db.response": json.dumps(_OBJECTS)}),
            db__query=json.dumps({"query": QUESTION}),
        ),
    ],
    ids=lambda search: str(search.attributes["db.system"]),
)
def test_stores_by_langtrace_show_what_they_found(search: Span) -> None:
    request = one(span("root", name="rag"), search, _client("root", replied=True))
    assert [(passage.text, passage.id) for passage in request.contexts] == [(RIDERS, "d-1"), (OPEN, "d-2")]
    assert (request.question, request.answer, request.contexts_source.value) == (QUESTION, ANSWER, "span")


def test_an_aggregation_without_vectors_is_no_retrieval() -> None:
    profile = _store("mongodb", "aggregate", _hit("db.query.match", _id="u-1", text="A customer since May."))
    asked = json.dumps([{"role": "user", "content": "Write a greeting for Ada."}])
    call = span("m", "root", 6, attributes={"gen_ai.operation.name": "chat", "gen_ai.prompt": asked})
    assert dropped(span("root"), profile, call) == {"plain_chat": 1}
