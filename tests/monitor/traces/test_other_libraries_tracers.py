"""Requests of tracers that have keys of their own for what a function was given and returned: CozeLoop, Langtrace."""

from __future__ import annotations

import json

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import FILLED, LISTED, OPEN, RIDERS, RIGHT, Told, dotted, dropped, one, told
from tests.monitor.traces.spans import ANSWER, QUESTION, span

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
