"""Requests of voice agents (LiveKit, Pipecat), of Fiddler's and Basalt's SDKs, of Langflow, and of gateways."""

from __future__ import annotations

import json

import pytest

from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import FILLED, LISTED, OPEN, RIDERS, RIGHT, Told, dotted, dropped, one, told
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, span

FROM_PROMPT = Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")
FOUND = json.dumps(LISTED)

# ------------------------------------------------------------------------------------------------------------- LiveKit


def _item(role: str, text: str) -> dict[str, object]:
    return {"id": f"item-{role}", "type": "message", "role": role, "content": [text], "interrupted": False}


_CALL: dict[str, object] = {
    "type": "function_call",
    "call_id": "c-1",
    "name": "search",
    "arguments": '{"query": "age"}',
}
_GAVE: dict[str, object] = {
    "type": "function_call_output",
    "call_id": "c-1",
    "name": "search",
    "output": FOUND,
    "is_error": False,
}


def _step(key: str, span_id: str, at: int, items: list[dict[str, object]], reply: str) -> list[Span]:
    """A node, and the call of the model below it, which has events of OpenTelemetry."""
    context = json.dumps({"items": items})
    said = [
        (f"gen_ai.{item['role']}.message", {"content": "\n".join(texts)})
        for item in items
        if isinstance(texts := item.get("content"), list)
    ]
    said += [("gen_ai.choice", {"role": "assistant", "content": reply})] if reply else []
    events = tuple(SpanEvent(name, at, dict(held)) for name, held in said)
    asked = dotted(gen_ai__operation__name="chat", gen_ai__request__model="chat-1", gen_ai__usage__input_tokens=10)
    shown = {f"lk.{key}chat_ctx": context, f"lk.{key}response.text": reply}
    return [
        span(span_id, "t", at, name="llm_node", attributes=shown),
        span(span_id + "r", span_id, at, name="llm_request", attributes=asked, events=events),
    ]


def _turn(key: str, *, searches: bool = True) -> list[Span]:
    """A turn of a conversation: a function is called, and its result answered from."""
    asked = [_item("system", "Help."), _item("user", QUESTION)]
    shown = {f"lk.{key}user_input": QUESTION, f"lk.{key}response.text": ANSWER}
    tool: dict[str, AttributeValue] = {"lk.function_tool.name": "search", f"lk.{key}function_tool.output": FOUND}
    steps: list[dict[str, object]] = [_CALL, _GAVE] if searches else []
    search = [*_step(key, "n1", 3, asked, ""), span("f", "t", 4, name="function_tool", attributes=tool)]
    return [
        span("s", name="agent_session", attributes={"lk.room_sid": "RM_1"}),
        span("u", "s", 1, name="user_turn", attributes={f"lk.{key}user_transcript": QUESTION}),
        span("e", "s", 2, name="eou_detection", attributes={f"lk.{key}chat_ctx": json.dumps({"items": asked})}),
        span("t", "s", 3, name="agent_turn", attributes=shown),
        *(search if searches else []),
        *_step(key, "n2", 5, [*asked, *steps], ANSWER),
        span("v", "t", 9, name="tts_node", attributes={f"lk.{key}input_text": ANSWER}),
    ]


@pytest.mark.parametrize("key", ["", "pii."])
def test_a_turn_of_a_livekit_agent(key: str) -> None:
    request = one(*_turn(key))
    assert (told(request), request.session_id, request.request_id) == (RIGHT, "RM_1", "t")


def test_a_turn_of_a_livekit_agent_that_called_nothing_is_no_request() -> None:
    assert dropped(*_turn("", searches=False)) == {"plain_chat": 1}


@pytest.mark.parametrize("role", ["assistant", "user"])
def test_what_was_looked_up_for_a_livekit_agent_stands_before_the_users_words(role: str) -> None:
    """The form that LiveKit's documentation gives to copy."""
    earlier = [_item("system", "Help."), _item("user", "Hello!"), _item("assistant", "Hello, how can I help?")]
    added = _item(role, f"Additional information relevant to the user's next message: {RIDERS}\n{OPEN}")
    request = one(*_step("", "n", 1, [*earlier, added, _item("user", QUESTION)], ANSWER))
    assert told(request) == FROM_PROMPT


def test_what_a_livekit_agent_said_before_is_no_context() -> None:
    said = _item("assistant", f"{RIDERS}\n{OPEN}")
    assert dropped(*_step("", "n", 1, [_item("user", "Hello!"), said, _item("user", QUESTION)], ANSWER)) == {
        "plain_chat": 1,
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- Pipecat


def _heard(span_id: str, at: int, messages: list[dict[str, object]], reply: str) -> Span:
    named = dotted(gen_ai__operation__name="chat", gen_ai__request__model="chat-1", gen_ai__usage__input_tokens=10)
    held: dict[str, AttributeValue] = {"input": json.dumps(messages), "output": reply, "stream": True}
    return span(span_id, "t", at, name="llm", scope="pipecat", attributes=named | held)


def _conversation() -> list[Span]:
    asked: dict[str, AttributeValue] = {"conversation.id": "c-1", "conversation.type": "voice"}
    return [
        span("k", name="conversation", scope="pipecat.turn", attributes=asked),
        span("t", "k", name="turn", scope="pipecat.turn", attributes={"turn.number": 1, "conversation.id": "c-1"}),
        span("s", "t", 1, name="stt", scope="pipecat", attributes={"transcript": QUESTION, "is_final": True}),
    ]


def test_a_turn_of_pipecat_has_its_contents_under_plain_keys() -> None:
    system: dict[str, object] = {"role": "system", "content": "Help."}
    request = one(*_conversation(), _heard("m", 2, [system, {"role": "user", "content": FILLED}], ANSWER))
    assert (told(request), request.session_id) == (FROM_PROMPT, "c-1")


def test_what_a_function_of_pipecat_gave_stands_in_the_next_prompt() -> None:
    asked: list[dict[str, object]] = [{"role": "user", "content": QUESTION}]
    function = {"name": "search", "arguments": "{}"}
    called: dict[str, object] = {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }
    gave: dict[str, object] = {"role": "tool", "tool_call_id": "c", "content": f"{RIDERS}\n{OPEN}"}
    request = one(*_conversation(), _heard("m1", 2, asked, ""), _heard("m2", 4, [*asked, called, gave], ANSWER))
    assert (request.question, request.answer, [one.text for one in request.contexts]) == (
        QUESTION, ANSWER, [f"{RIDERS}\n{OPEN}"],
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- Fiddler


def _typed(kind: str, span_id: str, parent: str, at: int, **more: AttributeValue) -> Span:
    return span(span_id, parent, at, attributes={"fiddler.span.type": kind} | dotted(**more))


def _messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


_SERIALISED = json.dumps(
    [
        {
            "lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"],
            "kwargs": {"id": one["id"], "page_content": one["text"], "metadata": {"score": one["score"]}},
        }
        for one in LISTED
    ]
)  # fmt: skip
_MODEL = _typed(
    "llm", "m", "k", 3,
    gen_ai__request__model="chat-1", gen_ai__llm__input__user=FILLED, gen_ai__llm__output=ANSWER,
    gen_ai__input__messages=_messages("user", FILLED), gen_ai__output__messages=_messages("assistant", ANSWER),
)  # fmt: skip


def _searched(found: str, name: str = "VectorStoreRetriever") -> Span:
    return _typed(
        "tool", "r", "k", 2, gen_ai__tool__name=name, gen_ai__tool__input=QUESTION, gen_ai__tool__output=found
    )


def test_a_chain_of_langgraph_by_fiddler() -> None:
    """Its chains say nothing, and its retrievers have the type of tools."""
    request = one(_typed("chain", "k", "", 0), _searched(_SERIALISED), _MODEL)
    assert (told(request), request.convention) == (RIGHT, "fiddler")


def test_a_retriever_by_fiddler_that_found_nothing() -> None:
    assert told(one(_typed("chain", "k", "", 0), _searched("[]"), _MODEL)) == Told(QUESTION, ANSWER, (), "span")


def test_decorated_functions_by_fiddler() -> None:
    root = _typed(
        "chain", "k", "", 0,
        gen_ai__llm__input__user=json.dumps({"question": QUESTION}), gen_ai__llm__output=ANSWER,
        fiddler__session__user__user_id="u-1", fiddler__session__user__environment="prod", service__version="2.1",
    )  # fmt: skip
    call = _typed("llm", "m", "k", 3, gen_ai__llm__input__user=FILLED, gen_ai__llm__output=ANSWER)
    request = one(root, call)
    assert (request.question, request.answer, request.contexts_source.value) == (QUESTION, ANSWER, "prompt")
    assert (request.user_id, request.environment, request.app_version) == ("u-1", "prod", "2.1")


def test_the_context_of_a_call_may_stand_beside_its_prompt() -> None:
    call = _typed("llm", "m", "", 3, gen_ai__llm__input__user=QUESTION, gen_ai__llm__output=ANSWER)
    beside = {"gen_ai.llm.context": f"{RIDERS}\n{OPEN}"}
    request = one(span("m", attributes={**call.attributes, **beside}))
    assert told(request) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "span", None)


# ------------------------------------------------------------------------------------------------------------ gateways


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ([{"role": "user", "content": FILLED}], {"role": "assistant", "content": ANSWER}),
        ([{"role": "user", "content": FILLED}], [{"role": "assistant", "content": ANSWER}]),
        (
            {"model": "chat-1", "messages": [{"role": "user", "content": FILLED}]},
            {"id": "r-1", "choices": [{"index": 0, "message": {"role": "assistant", "content": ANSWER}}]},
        ),
    ],
)
def test_cloudflares_gateway_and_chatwoot_write_json_in_keys_of_their_own(asked: object, reply: object) -> None:
    held = {"gen_ai.prompt_json": json.dumps(asked), "gen_ai.completion_json": json.dumps(reply)}
    named = dotted(gen_ai__request__model="chat-1", gen_ai__model__provider="openai", gen_ai__usage__input_tokens=10)
    request = one(span("m", attributes=named | held))
    assert (told(request), request.input_tokens) == (FROM_PROMPT, 10)


def test_json_of_a_gateway_that_was_cut_is_no_text() -> None:
    asked = json.dumps([{"role": "user", "content": FILLED}])
    held: dict[str, AttributeValue] = {"gen_ai.prompt_json": asked[:40], "gen_ai.completion_json": '{"role": "assis'}
    extracted = extract(span("m", attributes=held), plain_chat=True)
    assert [(request.question, request.answer) for request in extracted.requests] == [(None, None)]


# -------------------------------------------------------------------------------------------------------------- Basalt


def _observed(kind: str, span_id: str, parent: str, at: int, asked: object, gave: object, **more: str) -> Span:
    """A function of a kind, its values as JSON, but for texts."""
    values = {"basalt.span.input": asked, "basalt.span.output": gave}
    held = {key: value if isinstance(value, str) else json.dumps(value) for key, value in values.items()}
    return span(span_id, parent, at, attributes={"basalt.span.kind": kind} | held | dotted(**more))


@pytest.mark.parametrize("found", [LISTED, []])
def test_a_request_of_basalt(found: list[dict[str, object]]) -> None:
    prompt = {"basalt__prompt__slug": "helpdesk", "basalt__prompt__version": "3"}
    request = one(
        _observed("function", "k", "", 0, {"question": QUESTION}, ANSWER, basalt__user__id="u-1"),
        _observed("retrieval", "r", "k", 1, QUESTION, found, basalt__retrieval__query=QUESTION),
        _observed("generation", "m", "k", 2, FILLED, ANSWER, gen_ai__request__model="chat-1", **prompt),
    )
    assert told(request) == (RIGHT if found else Told(QUESTION, ANSWER, (), "span"))
    assert (request.user_id, request.prompt_version, request.convention) == ("u-1", "helpdesk:3", "basalt")


# ------------------------------------------------------------------------------------------------------------ Langflow


def _component(kind: str, span_id: str, at: int, asked: dict[str, object], gave: dict[str, object]) -> Span:
    """A component of a flow, by its exporter for Phoenix: what it was given and gave, by name."""
    held = {"openinference.span.kind": kind, "input.value": json.dumps(asked), "output.value": json.dumps(gave)}
    types = {"input.mime_type": "application/json", "output.mime_type": "application/json"}
    return span(span_id, "flow", at, attributes=held | types)


@pytest.mark.parametrize("found", [[{"text": RIDERS, "source": "a"}, {"text": OPEN, "source": "b"}], []])
def test_a_flow_of_langflow(found: list[dict[str, object]]) -> None:
    whole = {"openinference.span.kind": "chain", "input.value": QUESTION, "output.value": ANSWER}
    sought: dict[str, object] = {"search_query": QUESTION, "number_of_results": 2, "collection_name": "kb"}
    request = one(
        span("flow", attributes=whole),
        _component("chain", "in", 1, {"input_value": QUESTION, "sender": "User"}, {"message": QUESTION}),
        _component("embedding", "e", 1, {"model": "e"}, {"embeddings": "OpenAIEmbeddings"}),
        _component("retriever", "r", 2, sought, {"search_results": found, "dataframe": found}),
        _component("chain", "p", 3, {"context": f"{RIDERS}\n{OPEN}", "question": QUESTION}, {"prompt": FILLED}),
        _component("llm", "m", 4, {"input_value": FILLED, "system_message": ""}, {"text_output": ANSWER}),
        _component("chain", "out", 5, {"input_value": ANSWER, "sender": "Machine"}, {"message": ANSWER}),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN) if found else (), "span", None)
