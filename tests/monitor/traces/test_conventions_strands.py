from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.strands import STRANDS
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent, SpanStatus
from tests.monitor.traces.spans import ANSWER, QUESTION, Fields, extract, failed, only, role_by, span, told

SCOPE = "strands.telemetry.tracer"
DETAILS = "gen_ai.client.inference.operation.details"
FOUND = [{"id": "d-1", "text": "Riders are sixteen or older."}, {"id": "d-2", "text": "Open daily."}]
CALL = {"toolUse": {"name": "search", "toolUseId": "t-1", "input": {"query": "age"}}}


def event(name: str, at: int, **attributes: str) -> SpanEvent:
    return SpanEvent(name, at, dict(attributes))


def parts(blocks: Iterable[Mapping[str, object]]) -> list[object]:
    """The blocks of Bedrock as the newer convention spells them."""
    found: list[object] = []
    for block in blocks:
        match block:
            case {"text": text}:
                found.append({"type": "text", "content": text})
            case {"toolUse": {"name": name}}:
                found.append({"type": "tool_call", "name": name, "id": "t-1", "arguments": {}})
            case {"toolResult": {"content": content}}:
                found.append({"type": "tool_call_response", "id": "t-1", "response": content})
            case _:
                raise ValueError(block)
    return found


class Writer:
    """Writes spans as Strands does. `latest`: with the switch `gen_ai_latest_experimental`."""

    def __init__(self, *, latest: bool) -> None:
        self.latest = latest

    def span(self, name: str, parent: str, at: int, operation: str | None, *events: SpanEvent, **more: str) -> Span:
        attributes: dict[str, AttributeValue] = {"gen_ai.event.start_time": "2026-01-01T00:00:00+00:00", **more}
        if operation is not None:
            attributes["gen_ai.operation.name"] = operation
            attributes["gen_ai.provider.name" if self.latest else "gen_ai.system"] = "strands-agents"
        fields: Fields = {"scope": SCOPE, "events": events, "status": SpanStatus.OK}
        return span(name, parent, at, attributes=attributes, **fields)

    def asked(self, at: int, *messages: tuple[str, list[Mapping[str, object]]]) -> list[SpanEvent]:
        if self.latest:
            said = [{"role": role, "parts": parts(blocks)} for role, blocks in messages]
            return [SpanEvent(DETAILS, at, {"gen_ai.input.messages": json.dumps(said)})]
        return [
            event(
                "gen_ai.tool.message" if "toolResult" in blocks[0] else f"gen_ai.{role}.message",
                at,
                content=json.dumps(blocks),
            )
            for role, blocks in messages
        ]

    def said(self, at: int, blocks: list[Mapping[str, object]] | str, role: str = "assistant") -> SpanEvent:
        if not self.latest:
            return event("gen_ai.choice", at, message=blocks if isinstance(blocks, str) else json.dumps(blocks))
        listed = [{"text": blocks}] if isinstance(blocks, str) else blocks
        return SpanEvent(DETAILS, at, {"gen_ai.output.messages": json.dumps([{"role": role, "parts": parts(listed)}])})

    def tool(self, name: str, parent: str, at: int, content: list[Mapping[str, object]]) -> Span:
        """A tool's span: its arguments and its result stand in events."""
        if self.latest:
            call = [{"role": "tool", "parts": [{"type": "tool_call", "name": "search", "arguments": {}}]}]
            result = [{"role": "tool", "parts": [{"type": "tool_call_response", "id": "t-1", "response": content}]}]
            events = (
                SpanEvent(DETAILS, at, {"gen_ai.input.messages": json.dumps(call)}),
                SpanEvent(DETAILS, at + 1, {"gen_ai.output.messages": json.dumps(result)}),
            )
        else:
            events = (
                event("gen_ai.tool.message", at, role="tool", content='{"query": "age"}', id="t-1"),
                event("gen_ai.choice", at + 1, message=json.dumps(content), id="t-1"),
            )
        return self.span(name, parent, at, "execute_tool", *events, **{"gen_ai.tool.name": "search"})

    def chat(
        self,
        name: str,
        parent: str,
        at: int,
        prompt: list[SpanEvent],
        reply: list[Mapping[str, object]],
    ) -> Span:
        more = {"gen_ai.request.model": "chat-1", "gen_ai.usage.input_tokens": "10", "gen_ai.usage.prompt_tokens": "10"}
        return self.span(name, parent, at, "chat", *prompt, self.said(at + 1, reply), **more)

    def agent(self, *results: list[Mapping[str, object]]) -> list[Span]:
        """An agent that searches in one cycle after the other, and answers in the last."""
        user: tuple[str, list[Mapping[str, object]]] = ("user", [{"text": QUESTION}])
        history = [user]
        root = self.span("agent", "", 0, "invoke_agent", *self.asked(0, user), self.said(90, ANSWER + "\n"))
        spans = [root]
        for number, content in enumerate(results):
            at = 1 + number * 10
            result: Mapping[str, object] = {"toolResult": {"toolUseId": "t-1", "content": content}}
            cycle = f"cycle-{number}"
            closing = self.said(at + 8, [result], "user") if self.latest else self.said(at + 8, [CALL])
            loop = {"event_loop.cycle_id": cycle}
            spans += [
                self.span(cycle, "agent", at, None, *self.asked(at, *history), closing, **loop),
                self.chat(f"chat-{number}", cycle, at + 1, self.asked(at, *history), [CALL]),
                self.tool(f"tool-{number}", cycle, at + 5, content),
            ]
            history += [("assistant", [CALL]), ("user", [result])]
        last: list[SpanEvent] = self.asked(80, *history)
        loop = {"event_loop.cycle_id": "last"}
        spans.append(self.span("last", "agent", 80, None, *last, **loop))
        spans.append(self.chat("chat-last", "last", 81, last, [{"text": ANSWER}]))
        return spans


both = pytest.mark.parametrize("latest", [False, True])


@both
@pytest.mark.parametrize(
    "content",
    [
        [{"text": json.dumps(FOUND)}],
        [{"text": str(FOUND)}],
        [{"json": {"results": FOUND}}],
        [{"text": json.dumps(FOUND, indent=1)}],
    ],
)
def test_an_agents_documents_are_its_tools_results(latest: bool, content: list[Mapping[str, object]]) -> None:  # noqa: FBT001 - a switch
    """Tools give text or JSON; what they return is printed as Python prints it."""
    request = only(extract(*Writer(latest=latest).agent(content)))
    assert (request.request_id, request.question, request.answer) == ("agent", QUESTION, ANSWER)
    assert [(passage.id, passage.text) for passage in request.contexts] == [
        ("d-1", "Riders are sixteen or older."),
        ("d-2", "Open daily."),
    ]
    assert (request.contexts_source, request.model, request.input_tokens) == (ContextsSource.SPAN, "chat-1", 20)


@both
def test_several_searches_are_united(latest: bool) -> None:  # noqa: FBT001 - a switch
    request = only(extract(*Writer(latest=latest).agent([{"text": json.dumps(FOUND[:1])}], [{"text": str(FOUND)}])))
    assert [passage.id for passage in request.contexts] == ["d-1", "d-2"]


@both
def test_text_from_a_tool_is_one_passage(latest: bool) -> None:  # noqa: FBT001 - a switch
    request = only(extract(*Writer(latest=latest).agent([{"text": "Score: 0.9\nContent: Riders are sixteen."}])))
    assert [passage.text for passage in request.contexts] == ["Score: 0.9\nContent: Riders are sixteen."]


@both
def test_without_the_agents_span_the_cycles_are_one_request(latest: bool) -> None:  # noqa: FBT001 - a switch
    _, *rest = Writer(latest=latest).agent([{"text": json.dumps(FOUND)}])
    request = only(extract(*rest))
    assert (request.question, request.answer, len(request.contexts)) == (QUESTION, ANSWER, 2)


@both
def test_a_filled_prompt_is_no_question(latest: bool) -> None:  # noqa: FBT001 - a switch
    writer = Writer(latest=latest)
    asked = writer.asked(0, ("user", [{"text": f"Context:\nRiders are sixteen.\n\nQuestion: {QUESTION}"}]))
    agent = writer.span("agent", "", 0, "invoke_agent", *asked, writer.said(9, ANSWER))
    request = only(extract(agent, writer.chat("chat", "agent", 1, asked, [{"text": ANSWER}])))
    assert (request.question, request.contexts[0].text) == (QUESTION, "Riders are sixteen.")
    assert request.contexts_source is ContextsSource.PROMPT


@both
def test_a_follow_up_keeps_the_users_last_words(latest: bool) -> None:  # noqa: FBT001 - a switch
    """An agent's span is given the new message only, its model calls the whole conversation."""
    writer = Writer(latest=latest)
    new = writer.asked(0, ("user", [{"text": "And on Sundays?"}]))
    turns = writer.asked(
        1,
        ("user", [{"text": QUESTION}]),
        ("assistant", [{"text": ANSWER}]),
        ("user", [{"text": "And on Sundays?"}]),
    )
    agent = writer.span("agent", "", 0, "invoke_agent", *new, writer.said(9, "Yes."))
    loop = writer.span("cycle", "agent", 1, None, *turns, **{"event_loop.cycle_id": "c"})
    tool = writer.tool("tool", "cycle", 2, [{"text": json.dumps(FOUND)}])
    request = only(extract(agent, loop, tool, writer.chat("chat", "cycle", 5, turns, [{"text": "Yes."}])))
    assert (request.question, request.answer) == ("And on Sundays?", "Yes.")


@both
def test_a_failed_model_call_is_an_error_of_the_generation(latest: bool) -> None:  # noqa: FBT001 - a switch
    writer = Writer(latest=latest)
    agent, cycle, chat, tool, *_ = writer.agent([{"text": json.dumps(FOUND)}])
    thrown = SpanEvent("exception", 99, {"exception.type": "ModelThrottledException"})
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "chat-1"}
    fields: Fields = {"scope": SCOPE, "events": (thrown,), **failed("slow down")}
    broken = span("b", "cycle-0", 60, attributes=attributes, **fields)
    fields["events"] = agent.events[:1]
    above = span("agent", "", 0, attributes=agent.attributes, **fields)
    request = only(extract(above, cycle, chat, tool, broken))
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("ModelThrottledException", "generation")
    assert (request.question, request.answer, len(request.contexts)) == (QUESTION, None, 2)


def test_contents_may_stand_in_attributes() -> None:
    held: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.output.messages": json.dumps(
            [{"role": "tool", "parts": [{"type": "tool_call_response", "response": [{"text": json.dumps(FOUND)}]}]}]
        ),
    }
    agent = Writer(latest=True).agent([{"text": "x"}])
    spans = [one for one in agent if one.name != "tool-0"]
    request = only(extract(*spans, span("tool-0", "cycle-0", 6, attributes=held, scope=SCOPE)))
    assert [passage.id for passage in request.contexts] == ["d-1", "d-2"]


@pytest.mark.parametrize(
    ("name", "attributes", "role"),
    [
        ("execute_event_loop_cycle", {"event_loop.cycle_id": "c"}, Role.STEP),
        ("execute_agent_loop_cycle", {"agent_loop.cycle_id": "c"}, Role.STEP),
        ("invoke_swarm", {"gen_ai.system": "strands-agents", "gen_ai.operation.name": "invoke_swarm"}, Role.CHAIN),
        ("chat", {"gen_ai.system": "strands-agents", "gen_ai.operation.name": "chat"}, None),
        ("Model invoke", {"gen_ai.system": "strands-agents", "agent.name": "a"}, Role.MODEL),
        ("Tool: search", {"gen_ai.system": "strands-agents", "tool.name": "search"}, Role.TOOL),
        ("a", {"gen_ai.system": "strands-agents", "agent.name": "a"}, Role.CHAIN),
        ("Model invoke", {"gen_ai.system": "openai"}, None),
        ("chat", {"event_loop.cycle_id": "c", "gen_ai.operation.name": "chat"}, None),
    ],
)
def test_only_spans_of_strands_without_a_standard_operation_get_a_role(
    name: str, attributes: dict[str, AttributeValue], role: Role | None
) -> None:
    assert role_by(STRANDS, span("a", name=name, attributes=attributes)) is role


def test_the_first_versions_had_contents_in_attributes() -> None:
    ours: dict[str, AttributeValue] = {"gen_ai.system": "strands-agents"}
    asked = json.dumps([{"role": "user", "content": [{"text": QUESTION}]}])
    model = span(
        "m",
        "a",
        5,
        name="Model invoke",
        attributes={**ours, "gen_ai.prompt": asked, "gen_ai.completion": json.dumps([{"text": ANSWER}])},
    )
    agent = span(
        "a",
        attributes={**ours, "agent.name": "a", "gen_ai.prompt": QUESTION, "gen_ai.completion": ANSWER + "\n"},
    )
    tool = span("t", "a", 2, attributes={**ours, "tool.name": "s", "tool.result": json.dumps([{"text": str(FOUND)}])})
    assert told(STRANDS, model, Role.MODEL) == {"output": Message("assistant", ANSWER)}
    assert told(STRANDS, tool, Role.TOOL) == {
        "documents": (Document("Riders are sixteen or older.", "d-1"), Document("Open daily.", "d-2"))
    }
    request = only(extract(agent, model, tool))
    assert (request.question, request.answer, len(request.contexts)) == (QUESTION, ANSWER, 2)
    assert request.convention == "strands"
