"""Requests of frameworks without a capture that trace themselves: gen_ai revisions, and keys of their own."""

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
    agent,
    answered,
    dotted,
    dropped,
    filled,
    model,
    one,
    said,
    told,
    tool,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, failed, span

FOUND = f"{RIDERS}\n{OPEN}"
FROM_PROMPT = Told(QUESTION, ANSWER, (FOUND,), "prompt")
BY_TOOL = Told(QUESTION, ANSWER, (RIDERS,), "span")

# --------------------------------------------------------------------------------------------------- proxy of LiteLLM


def _proxied(call: str, **more: AttributeValue) -> Span:
    """A call through the proxy, which names its own functions as operations."""
    names = dotted(gen_ai__operation__name=call, llm__request__type=call, llm__is_streaming="False")
    return filled("m", "p", 2, **names, gen_ai__response__id="r-1", gen_ai__response__model="chat-1-2026", **more)


_PROXY = (
    span("p", "gone", 0, name="Received Proxy Server Request", kind=2),
    span("auth", "p", 1, name="auth", attributes={"service": "auth"}),
    span("raw", "m", 3, name="raw_gen_ai_request", attributes={"llm.openai.messages": "[{'role': 'user'}]"}),
)


@pytest.mark.parametrize(
    "call", ["completion", "acompletion", "atext_completion", "aresponses", "anthropic_messages", "another_word"]
)
def test_the_proxys_function_is_a_model_call_whatever_its_name(call: str) -> None:
    request = one(*_PROXY, _proxied(call))
    assert told(request) == FROM_PROMPT
    assert (request.response_model, request.response_id, request.input_tokens) == ("chat-1-2026", "r-1", 10)


def test_a_call_through_the_proxy_belongs_to_the_application_above_it() -> None:
    found = dotted(openinference__span__kind="RETRIEVER", retrieval__documents=json.dumps(LISTED))
    request = one(
        span("k", attributes=dotted(openinference__span__kind="CHAIN", input__value=QUESTION, output__value=ANSWER)),
        span("r", "k", 1, attributes=found),
        span("p", "k", 2, name="Received Proxy Server Request", kind=2),
        _proxied("acompletion"),
    )
    assert (told(request), request.request_id, request.output_tokens) == (RIGHT, "k", 3)


@pytest.mark.parametrize(("call", "reason"), [("aembedding", "ingestion"), ("acompletion", "hidden_content")])
def test_the_proxys_other_calls_are_no_requests(call: str, reason: str) -> None:
    silent = dotted(llm__request__type=call, gen_ai__request__model="chat-1", llm__is_streaming="False")
    assert dropped(*_PROXY, span("m", "p", 2, attributes=silent)) == {reason: 1}


# ----------------------------------------------------------------------------------------------------- Semantic Kernel


def _kernel(span_id: str, parent: str, at: int, asked: str, reply: str) -> Span:
    """A connector's span: contents in the oldest events, tokens under names that nobody else uses."""
    attributes = dotted(
        gen_ai__operation__name="chat.completions",
        gen_ai__request__model="chat-1",
        gen_ai__response__prompt_tokens=10,
        gen_ai__response__completion_tokens=3,
    )
    events = (
        SpanEvent("gen_ai.content.prompt", 1, {"gen_ai.prompt": asked}),
        SpanEvent("gen_ai.content.completion", 2, {"gen_ai.completion": reply}),
    )
    return span(span_id, parent, at, attributes=attributes, events=events)


@pytest.mark.parametrize("speaker", ["assistant", "Assistant"])
def test_a_kernel_function_shows_all_in_its_events(speaker: str) -> None:
    """In Python and in .NET."""
    asked = json.dumps([{"role": "system", "content": "Answer."}, {"role": "user", "content": FILLED}])
    reply = json.dumps([{"role": speaker, "content": ANSWER, "tool_calls": []}])
    request = one(span("f", name="Ask-Answer"), _kernel("m", "f", 1, asked, reply))
    assert (told(request), request.input_tokens, request.output_tokens) == (FROM_PROMPT, 10, 3)


def test_newer_kernels_log_each_message_as_text() -> None:
    """Log records that belong to the span stand among its events."""
    events = (
        SpanEvent("gen_ai.user.message", 1, {}, json.dumps({"role": "user", "content": FILLED})),
        SpanEvent(
            "gen_ai.choice", 2, {}, json.dumps({"message": {"role": "assistant", "content": ANSWER}, "index": 0})
        ),
    )
    called = dotted(gen_ai__operation__name="chat.streaming_completions", gen_ai__request__model="chat-1")
    assert told(one(span("m", attributes=called, events=events))) == FROM_PROMPT


def test_a_printed_class_of_an_error_is_its_name() -> None:
    called = dotted(gen_ai__operation__name="chat.completions", error__type="<class 'openai.RateLimitError'>")
    found = dotted(gen_ai__operation__name="retrieval", gen_ai__retrieval__documents=json.dumps(LISTED))
    request = one(span("k"), span("r", "k", 1, attributes=found), span("m", "k", 2, attributes=called, **failed()))
    assert request.error is not None
    assert request.error.type == "openai.RateLimitError"


def test_results_of_tools_that_show_nothing_stand_in_the_next_prompt() -> None:
    asked: list[dict[str, object]] = [{"role": "system", "content": "Help."}, {"role": "user", "content": QUESTION}]
    call = {"role": "assistant", "content": "", "tool_calls": [{"id": "c-1", "function": {"name": "search"}}]}
    given = {"role": "tool", "content": RIDERS, "tool_call_id": "c-1"}
    request = one(
        agent("a"),
        _kernel("m1", "a", 1, json.dumps(asked), json.dumps([call])),
        tool("t", "a", 2),
        _kernel(
            "m2", "a", 3, json.dumps([*asked, call, given]), json.dumps([{"role": "assistant", "content": ANSWER}])
        ),
    )
    assert told(request) == BY_TOOL._replace(source="prompt")
    assert request.input_tokens == 20


# ------------------------------------------------------------------------------------------- Microsoft Agent Framework


@pytest.mark.parametrize("above", ["a", "m1"])
def test_an_agent_of_the_agent_framework(above: str) -> None:
    spoken = said(("assistant", CALLED), ("tool", answered(RIDERS)), ("assistant", ANSWER))
    request = one(
        agent(
            "a",
            gen_ai__input__messages=said(("user", QUESTION)),
            gen_ai__output__messages=spoken,
            gen_ai__conversation__id="t-1",
            gen_ai__usage__input_tokens=20,
            gen_ai__response__finish_reasons='["stop"]',
        ),
        model("m1", "a", 1, said(("user", QUESTION)), said(("assistant", CALLED))),
        tool("t", above, 2, gen_ai__tool__call__result=RIDERS),
        model(
            "m2",
            "a",
            3,
            said(("user", QUESTION), ("assistant", CALLED), ("tool", answered(RIDERS))),
            said(("assistant", ANSWER)),
        ),
    )
    assert told(request) == BY_TOOL
    assert (request.session_id, request.input_tokens, request.output_tokens) == ("t-1", 20, 6)


def test_a_context_provider_writes_a_heading_without_a_colon() -> None:
    asked = said(("system", f"## Additional Context\n{RIDERS}"), ("user", QUESTION))
    request = one(
        agent(
            "a", gen_ai__input__messages=said(("user", QUESTION)), gen_ai__output__messages=said(("assistant", ANSWER))
        ),
        model("m", "a", 1, asked, said(("assistant", ANSWER))),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS,), "prompt")


def test_a_failed_agent_is_an_error_of_the_generation() -> None:
    request = one(
        agent("a", gen_ai__input__messages=said(("user", QUESTION))),
        tool("t", "a", 1, gen_ai__tool__call__result=RIDERS),
        span(
            "m",
            "a",
            2,
            attributes=dotted(gen_ai__operation__name="chat", gen_ai__request__model="chat-1", error__type="APIError"),
            **failed("gone"),
        ),
    )
    assert request.error is not None
    assert (request.error.type, request.error.stage, request.answer) == ("APIError", "generation", None)


# ------------------------------------------------------------------------------------------------- Google's own tracing

_GEMINI = dotted(gen_ai__operation__name="generate_content", gen_ai__system="gemini", gen_ai__request__model="chat-1")


@pytest.mark.parametrize(
    ("user", "reply"),
    [
        (
            {"content": {"parts": [{"text": FILLED}], "role": "user"}},
            {"index": 0, "content": {"parts": [{"text": ANSWER}], "role": "model"}, "finish_reason": "STOP"},
        ),
        (
            {"content": [{"text": FILLED}], "role": "user"},
            {"index": 0, "message": {"content": [{"text": ANSWER}], "role": "model"}, "finish_reason": "stop"},
        ),
    ],
)
def test_the_bodies_of_events_hold_geminis_contents(user: AttributeValue, reply: AttributeValue) -> None:
    """The instrumentations of google-genai and of Vertex AI."""
    events = (
        SpanEvent("gen_ai.system.message", 1, {}, {"content": "Answer."}),
        SpanEvent("gen_ai.user.message", 2, {}, user),
        SpanEvent("gen_ai.choice", 3, {}, reply),
    )
    assert told(one(span("m", attributes=_GEMINI, events=events))) == FROM_PROMPT


_SCOPE = "gcp.vertex.agent"
_ASKED = {"parts": [{"text": QUESTION}], "role": "user"}
_CALL = {"parts": [{"function_call": {"name": "search", "args": {}}}], "role": "model"}
_GIVEN = {"parts": [{"function_response": {"name": "search", "response": {"result": LISTED}}}], "role": "user"}
_REPLY = {"parts": [{"text": ANSWER}], "role": "model"}


def _call_llm(span_id: str, parent: str, at: int, contents: list[object], reply: object) -> Span:
    attributes = dotted(
        gen_ai__system=_SCOPE,
        gen_ai__request__model="chat-1",
        gen_ai__usage__input_tokens=10,
        gen_ai__usage__output_tokens=3,
        gcp__vertex__agent__session_id="s-1",
        gcp__vertex__agent__llm_request="{}",
        gcp__vertex__agent__llm_response="{}",
    )
    if contents:
        request = {"model": "chat-1", "config": {"system_instruction": "Help."}, "contents": contents}
        attributes["gcp.vertex.agent.llm_request"] = json.dumps(request)
        attributes["gcp.vertex.agent.llm_response"] = json.dumps({"content": reply})
    return span(span_id, parent, at, name="call_llm", scope=_SCOPE, attributes=attributes)


def _adk(*calls: Span, result: object, **invoked: AttributeValue) -> list[Span]:
    returned = dotted(gcp__vertex__agent__tool_response=json.dumps(result), gcp__vertex__agent__llm_request="{}")
    return [
        span("k", name="invocation", scope=_SCOPE),
        span("a", "k", 1, name="invoke_agent helper", scope=_SCOPE, attributes=dotted(**invoked)),
        tool("t", "m1", 3, **{key.replace(".", "__"): value for key, value in returned.items()}),
        *calls,
    ]


@pytest.mark.parametrize("invoked", [{}, {"gen_ai__operation__name": "invoke_agent"}])
def test_agents_of_the_adk_keep_requests_and_responses_as_json(invoked: dict[str, AttributeValue]) -> None:
    request = one(
        *_adk(
            _call_llm("m1", "a", 2, [_ASKED], _CALL),
            _call_llm("m2", "a", 4, [_ASKED, _CALL, _GIVEN], _REPLY),
            result={"result": LISTED},
            **invoked,
        )
    )
    assert told(request) == RIGHT
    assert (request.session_id, request.input_tokens, request.redacted) == ("s-1", 20, False)


def test_a_call_whose_inner_span_is_silent_speaks_for_it() -> None:
    """Newer versions have a span of OpenTelemetry inside."""
    inner = [span(f"g{n}", f"m{n}", 5, attributes=_GEMINI | {"gcp.vertex.agent.event_id": "e"}) for n in (1, 2)]
    request = one(
        *_adk(
            _call_llm("m1", "a", 2, [_ASKED], _CALL),
            _call_llm("m2", "a", 4, [_ASKED, _CALL, _GIVEN], _REPLY),
            result={"result": LISTED},
        ),
        *inner,
    )
    assert (told(request), request.input_tokens, request.output_tokens) == (RIGHT, 20, 6)


def test_an_adk_agent_without_contents_hides_them() -> None:
    calls = (_call_llm("m1", "a", 2, [], None), _call_llm("m2", "a", 4, [], None))
    request = one(*_adk(*calls, result={}, gen_ai__operation__name="invoke_agent"))
    assert told(request) == Told(None, None, (), "unknown")
    assert request.redacted


def test_what_merges_several_tools_is_no_tool() -> None:
    merged = tool(
        "x", "a", 5, gen_ai__tool__name="(merged tools)", gcp__vertex__agent__tool_response='{"again": "twice"}'
    )
    calls = (_call_llm("m1", "a", 2, [_ASKED], _CALL), _call_llm("m2", "a", 6, [_ASKED, _CALL, _GIVEN], _REPLY))
    assert told(one(*_adk(*calls, result={"result": LISTED}), merged)) == RIGHT


# ------------------------------------------------------------------------------------------------ Rig, Quarkus, Azure


def test_an_agent_of_rig_tells_prompt_and_completion_as_texts() -> None:
    request = one(
        agent("a", gen_ai__prompt=QUESTION, gen_ai__completion=ANSWER, gen_ai__system_instructions="Help."),
        model("m1", "a", 1, '[{"role": "user", "content": [{"type": "text", "text": "Who may ride?"}]}]', "[]"),
        tool("t", "a", 2, gen_ai__tool__call__result=json.dumps(LISTED)),
        model(
            "m2", "a", 3, said(("user", QUESTION)), json.dumps([{"role": "assistant", "content": [{"text": ANSWER}]}])
        ),
    )
    assert told(request) == RIGHT


def test_a_service_of_quarkus_tells_the_filled_prompt() -> None:
    called = dotted(
        gen_ai__operation__name="completion",
        gen_ai__request__model="chat-1",
        gen_ai__prompt=FILLED,
        gen_ai__completion=ANSWER,
        gen_ai__usage__prompt_tokens=10,
    )
    request = one(span("s", name="langchain4j.aiservices.Bot.ask"), span("m", "s", 1, attributes=called))
    assert (told(request), request.input_tokens) == (FROM_PROMPT, 10)


def test_a_call_that_failed_in_quarkus_leaves_its_status_unset() -> None:
    called = dotted(gen_ai__operation__name="chat", gen_ai__request__model="chat-1", gen_ai__prompt=FILLED)
    event = SpanEvent("exception", 1, {"exception.type": "dev.langchain4j.RateLimitException"})
    request = one(
        span("s", name="langchain4j.aiservices.Bot.ask"), span("m", "s", 1, attributes=called, events=(event,))
    )
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("dev.langchain4j.RateLimitException", "generation")


def test_azures_inference_client_packs_messages_into_events() -> None:
    def event(name: str, **held: object) -> SpanEvent:
        return SpanEvent(name, 1, {"gen_ai.event.content": json.dumps(held)})

    events = (
        event("gen_ai.system.message", role="system", content="Answer."),
        event("gen_ai.user.message", role="user", content=FILLED),
        event("gen_ai.choice", message={"content": ANSWER}, finish_reason="stop", index=0),
    )
    called = dotted(gen_ai__operation__name="chat", gen_ai__system="az.ai.inference", gen_ai__request__model="chat-1")
    assert told(one(span("m", attributes=called, events=events))) == FROM_PROMPT
