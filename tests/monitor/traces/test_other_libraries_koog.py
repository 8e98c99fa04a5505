"""Requests of Koog (Kotlin) in its revisions: messages as events, these packed into one attribute, messages as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from monitor.traces.conventions.otel_events import asked_in_events, choices
from monitor.traces.reading import Message
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.library_spans import FILLED, LISTED, OPEN, RIDERS, RIGHT, Told, dropped, one, told
from tests.monitor.traces.spans import ANSWER, QUESTION, failed, span

FROM_PROMPT = Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")
QUOTED = 'It says "as of sixteen":\nand no more.'
_CALL = json.dumps([{"function": {"name": "search", "arguments": '{"query":"age"}'}, "id": "c-1", "type": "function"}])


def _flat(**held: str) -> dict[str, AttributeValue]:
    return dict(held)


def _packed(**held: str) -> dict[str, AttributeValue]:
    return {"body": json.dumps(held)}


def _unescaped(**held: str) -> dict[str, AttributeValue]:
    return {"body": "{" + ",".join(f'"{key}":"{value}"' for key, value in held.items()) + "}"}


def _event(name: str, held: Mapping[str, AttributeValue]) -> SpanEvent:
    return SpanEvent(f"gen_ai.{name}", 5, {"gen_ai.system": "openai", **held})


def _call(span_id: str, parent: str, at: int, *events: SpanEvent, **more: AttributeValue) -> Span:
    named: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 3,
    }
    return span(span_id, parent, at, attributes=named | more, events=events, scope="ai.koog")


def _run(**told_by_agent: AttributeValue) -> list[Span]:
    """What stands around the calls: the agent is created, invoked, and walks over its nodes."""
    invoked: dict[str, AttributeValue] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "r-1"}
    shown = {f"gen_ai.{key}.messages": value for key, value in told_by_agent.items()}
    return [
        span("c", attributes={"gen_ai.operation.name": "create_agent", "gen_ai.agent.id": "helper"}),
        span("a", "c", attributes=invoked | shown),
        span("n1", "a", 1, attributes={"koog.node.name": "nodeLLMRequest"}),
        span("n2", "a", 5, attributes={"koog.node.name": "nodeExecuteTool"}),
    ]


def _tool(**more: AttributeValue) -> Span:
    named: dict[str, AttributeValue] = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search"}
    return span("t", "n2", 6, attributes=named | more)


@pytest.mark.parametrize("held", [_flat, _packed, _unescaped])
def test_the_reply_stands_in_an_event_of_the_assistant(held: Callable[..., dict[str, AttributeValue]]) -> None:
    events = (
        _event("system.message", held(role="system", content="Help.")),
        _event("user.message", held(role="user", content=FILLED)),
        _event("assistant.message", held(role="assistant", content=ANSWER)),
    )
    request = one(*_run(), _call("m", "n1", 2, *events))
    assert (told(request), request.input_tokens, request.session_id) == (FROM_PROMPT, 10, "r-1")


def test_what_a_body_quotes_without_escaping_is_text() -> None:
    """The first versions put quotation marks around a text and left those in it as they were."""
    events = (
        _event("user.message", _unescaped(role="user", content=QUOTED)),
        _event("tool.message", _unescaped(content=QUOTED, id="c-1")),
        _event("choice", {"body": f'{{"index":0,"message":{{"role":"assistant","content":"{QUOTED}"}}}}'}),
    )
    read = _call("m", "", 0, *events)
    assert asked_in_events(read) == (Message("user", QUOTED), Message("tool", "", results=(QUOTED,)))
    assert list(choices(read)) == [Message("assistant", QUOTED)]


def _turns() -> tuple[Span, Span]:
    """Two calls around one of a tool: what was called stands in a choice, also where it is history."""
    begin = (
        _event("system.message", _flat(role="system", content="Help.")),
        _event("user.message", _flat(role="user", content=QUESTION)),
    )
    called = _event("choice", _flat(role="tool", tool_calls=_CALL, finish_reason="tool_calls"))
    given = _event("tool.message", _flat(role="tool", content=json.dumps(LISTED), id="c-1"))
    reply = _event("assistant.message", _flat(role="assistant", content=ANSWER))
    return _call("m1", "n1", 2, *begin, called), _call("m2", "n1", 8, *begin, called, given, reply)


def test_a_tool_shows_its_result_as_a_value() -> None:
    first, second = _turns()
    shown = {"input.value": '{"query": "age"}', "output.value": json.dumps(LISTED)}
    assert told(one(*_run(), first, _tool(**shown), second)) == RIGHT


def test_a_tool_that_shows_nothing_is_read_from_the_events_of_the_next_call() -> None:
    first, second = _turns()
    assert told(one(*_run(), first, _tool(), second)) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "prompt")


def test_a_choice_before_a_later_message_is_a_turn_of_the_prompt() -> None:
    first, second = _turns()
    asked = asked_in_events(second) or ()
    assert [(message.role, message.calls_tool) for message in asked] == [
        ("system", False), ("user", False), ("assistant", True), ("tool", False),
    ]  # fmt: skip
    assert [message.calls_tool for message in choices(first)] == [True]
    assert [message.text for message in choices(second)] == [ANSWER]


def test_choices_in_front_of_all_messages_are_still_the_reply() -> None:
    """Log records may come without times."""
    events = (_event("choice", _flat(message=ANSWER)), _event("user.message", _flat(content=FILLED)))
    assert told(one(_call("m", "", 0, *events))) == FROM_PROMPT


# ------------------------------------------------------------------------------------------------------ since 0.6


def _said(*messages: tuple[str, object]) -> str:
    """Messages by the names that the roles have in Kotlin."""
    return json.dumps(
        [
            {"role": role, "parts": [{"type": "text", "content": part}] if isinstance(part, str) else part}
            for role, part in messages
        ]
    )


_ASKED = (("System", "Help."), ("User", QUESTION))
_CALLED = ("Tool", [{"type": "tool_call", "id": "c-1", "name": "search", "arguments": {"query": "age"}}])
_GIVEN = ("Tool", [{"type": "tool_call_response", "id": "c-1", "result": json.dumps(LISTED)}])
_REPLIED = ("Assistant", ANSWER)


def _newer(span_id: str, at: int, asked: str, reply: str) -> Span:
    shown = {
        "gen_ai.input.messages": asked,
        "gen_ai.output.messages": reply,
        "system_instructions": '[{"type": "text", "content": "Help."}]',
        "koog.event.id": span_id,
    }
    return _call(span_id, "n1", at, **shown)


def test_an_agent_lists_all_its_messages_by_the_names_of_roles_in_kotlin() -> None:
    request = one(
        *_run(input=_said(("System", "Help.")), output=_said(*_ASKED, _CALLED, _GIVEN, _REPLIED)),
        _newer("m1", 2, _said(*_ASKED), _said(_CALLED)),
        _tool(**{"gen_ai.tool.call.result": json.dumps(json.dumps(LISTED))}),
        _newer("m2", 8, _said(*_ASKED, _CALLED, _GIVEN), _said(_REPLIED)),
    )
    assert told(request) == RIGHT


def test_a_prompt_alone_holds_the_context() -> None:
    call = _newer("m", 2, _said(("System", "Help."), ("User", FILLED)), _said(_REPLIED))
    assert told(one(*_run(), call)) == FROM_PROMPT


def test_a_chat_is_no_request() -> None:
    assert dropped(*_run(), _newer("m", 2, _said(*_ASKED), _said(_REPLIED))) == {"plain_chat": 1}


def test_contents_are_hidden_unless_koog_is_told_to_be_verbose() -> None:
    hidden = "HIDDEN:non-empty"
    call = _call("m", "n1", 2, **{"gen_ai.input.messages": hidden, "gen_ai.output.messages": hidden})
    request = one(*_run(), call, _tool(**{"gen_ai.tool.call.result": hidden}))
    assert (request.redacted, request.question, request.answer) == (True, None, None)


def test_a_failed_call_says_the_class_of_its_error() -> None:
    attributes = {"gen_ai.operation.name": "chat", "error.type": "java.io.IOException"}
    call = span("m", "n1", 2, attributes=attributes, **failed("gone"))
    request = one(*_run(), _tool(**{"gen_ai.tool.call.result": json.dumps(LISTED)}), call)
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("java.io.IOException", "generation")
