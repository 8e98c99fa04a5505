"""Agents side by side are requests of their own, unless they work on one question together."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monitor.wire import AttributeValue, Span, SpanStatus
from tests.monitor.traces.spans import chat, extract, messages, only, span

ASKED = ("When does the glacier tour start?", "Where must dogs stay?", "How much are crampons?")
TOLD = ("It starts at half past seven.", "They must stay at the valley station.", "They are 12 francs.")


def _agent(
    at: int, parent: str, asked: str | None = None, told: str | None = None, *, prompt: str = "", tool: bool = True
) -> list[Span]:
    """An agent that uses a tool and answers; `asked` and `told` stand in its own span where they are given."""
    attributes: dict[str, AttributeValue] = {"gen_ai.operation.name": "invoke_agent"}
    if asked is not None:
        attributes["gen_ai.input.messages"] = messages("user", asked)
    if told is not None:
        attributes["gen_ai.output.messages"] = messages("assistant", told)
    base = at * 100 + 10
    found = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.result": json.dumps([{"content": f"It is {at}."}]),
    }
    search = [span(f"t{at}", f"g{at}", base + 1, attributes=found)] if tool else []
    call = chat(f"c{at}", f"g{at}", base + 2, prompt or ASKED[at], TOLD[at])
    return [span(f"g{at}", parent, base, attributes=attributes), *search, call]


def _above(attributes: dict[str, AttributeValue]) -> Span:
    return replace(span("j", attributes=attributes), end_ns=9_999)


def _entries(*spans: Span) -> list[str]:
    return [request.request_id for request in extract(*spans).requests]


@pytest.mark.parametrize("stated", [True, False])
@pytest.mark.parametrize(
    "above",
    [
        {},
        {"http.request.method": "POST"},
        {"gen_ai.operation.name": "invoke_workflow"},
        {"openinference.span.kind": "CHAIN"},
    ],
)
def test_agents_below_what_only_runs_them_are_requests(above: dict[str, AttributeValue], stated: bool) -> None:  # noqa: FBT001 - a column of the table
    runs = [_agent(n, "j", ASKED[n] if stated else None, TOLD[n] if stated else None) for n in range(3)]
    requests = extract(_above(above), *(one for run in runs for one in run)).requests
    assert [(one.question, one.answer, one.contexts[0].text) for one in requests] == [
        (ASKED[n], TOLD[n], f"It is {n}.") for n in range(3)
    ]


@pytest.mark.parametrize(("key", "role"), [("gen_ai.input.messages", "user"), ("gen_ai.output.messages", "assistant")])
def test_agents_below_one_that_says_question_or_answer_are_its_parts(key: str, role: str) -> None:
    supervisor = _above({"gen_ai.operation.name": "invoke_agent", key: messages(role, "A day on the glacier.")})
    parts = [one for n in range(3) for one in _agent(n, "j", ASKED[n], TOLD[n])]
    assert _entries(supervisor, *parts) == ["j"]


def test_agents_that_were_asked_the_same_work_together() -> None:
    parts = [one for n in range(3) for one in _agent(n, "j", ASKED[0], TOLD[n])]
    assert _entries(_above({}), *parts) == ["j"]


@pytest.mark.parametrize("tool", [True, False])
def test_an_agent_that_goes_on_with_anothers_answer_is_part_of_its_request(tool: bool) -> None:  # noqa: FBT001 - a column of the table
    writer = _agent(1, "j", "Write it down: " + TOLD[0], TOLD[1], tool=tool)
    assert _entries(_above({}), *_agent(0, "j", ASKED[0], TOLD[0]), *writer) == ["j"]


def test_agents_that_are_asked_what_a_plan_says_work_on_it() -> None:
    plan = _agent(0, "j", "Plan my day.", f"1. {ASKED[1]} 2. {ASKED[2]}", tool=False)
    steps = [one for n in (1, 2) for one in _agent(n, "j", ASKED[n], TOLD[n])]
    assert _entries(_above({}), *plan, *steps) == ["j"]


def test_an_earlier_answer_in_the_models_own_messages_is_history() -> None:
    turn = _agent(1, "j", ASKED[1], TOLD[1])
    said = [
        {"role": role, "parts": [{"type": "text", "content": text}]}
        for role, text in (("user", ASKED[0]), ("assistant", TOLD[0]), ("user", ASKED[1]))
    ]
    call = replace(turn[-1], attributes={**turn[-1].attributes, "gen_ai.input.messages": json.dumps(said)})
    assert _entries(_above({}), *_agent(0, "j", ASKED[0], TOLD[0]), *turn[:-1], call) == ["g0", "g1"]


def test_a_run_that_failed_has_no_answer() -> None:
    broken = _agent(1, "j", ASKED[1])[0]
    broken = replace(broken, status=SpanStatus.ERROR, status_message="gone")
    requests = extract(
        _above({}), *_agent(0, "j", ASKED[0], TOLD[0]), broken, *_agent(2, "j", ASKED[2], TOLD[2])
    ).requests
    assert [one.request_id for one in requests] == ["g0", "g2"]


def test_agents_whose_parent_was_lost_may_be_parts_of_one_request() -> None:
    parts = [one for n in range(2) for one in _agent(n, "lost", ASKED[n], TOLD[n])]
    assert only(extract(*parts)).truncated
