"""A judge and answers of its own family: marked, skipped, or refused at start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.building_judges import build_panel, self_judging
from monitor.clock import SystemClock
from monitor.config.settings import Settings
from monitor.errors import ConfigError
from monitor.records import Outcome, RagTrace
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, chat, judge_all, judge_one

OWN = replace(TRACE, model="prod-chat", response_model="qwen2.5-7b-instruct")


def served(trace: RagTrace, **changes: object) -> tuple[Outcome, str, tuple[str, ...]]:
    judged = judge_one(chat("supported", model="qwen-max-2025"), trace=trace, model="qwen-max", **changes)
    return judged.outcome, judged.reason, judged.flags


@pytest.mark.parametrize(
    ("policy", "trace", "ended"),
    [
        ("mark", OWN, (Outcome.SCORED, "", ("self_judged",))),
        ("mark", TRACE, (Outcome.SCORED, "", ())),
        ("mark", replace(TRACE, model="gpt-4o"), (Outcome.SCORED, "", ())),
        ("allow", OWN, (Outcome.SCORED, "", ())),
        ("refuse", OWN, (Outcome.SKIPPED, "self_judged", ("self_judged",))),
        ("refuse", replace(TRACE, model="gpt-4o"), (Outcome.SCORED, "", ())),
    ],
)
def test_an_answer_of_the_judges_own_family_is_treated_as_configured(
    policy: str, trace: RagTrace, ended: tuple[Outcome, str, tuple[str, ...]]
) -> None:
    assert served(trace, self_judging=policy) == ended


def test_what_is_skipped_costs_no_call_and_what_cannot_be_judged_is_not_called_skipped() -> None:
    transport = ScriptedTransport(chat("supported"))
    judged, _ = judge_all(transport, [OWN, replace(OWN, answer="")], model="qwen-max", self_judging="refuse")
    assert [item.outcome for item in judged] == [Outcome.SKIPPED, Outcome.NOT_SCORABLE]
    assert transport.requests == []


def test_the_model_that_really_judges_counts_not_only_the_requested_one() -> None:
    transport = ScriptedTransport(chat("supported", model="qwen-max-2025"))
    judged, _ = judge_all(transport, [OWN] * 2, model="best-judge")
    assert [item.flags for item in judged] == [("self_judged",)] * 2


def test_a_judge_that_learns_only_from_the_reply_of_whose_family_it_is_gives_no_score() -> None:
    """What the one call cost is counted all the same, and the next request costs none."""
    transport = ScriptedTransport(chat("supported", model="qwen-max-2025"))
    judged, _ = judge_all(transport, [OWN] * 2, model="best-judge", self_judging="refuse")
    assert [(item.outcome, item.reason, item.score, item.flags) for item in judged] == [
        (Outcome.SKIPPED, "self_judged", None, ("self_judged",))
    ] * 2
    assert [item.usage.calls for item in judged] == [1, 0]
    assert len(transport.requests) == 1


def test_an_answer_given_again_is_marked_by_the_model_of_its_own_request() -> None:
    transport = ScriptedTransport(chat("supported"))
    judged, _ = judge_all(transport, [TRACE, OWN], model="qwen-max", reuse=10)
    assert [item.flags for item in judged] == [(), ("reused", "self_judged")]


def configured(policy: str) -> Settings:
    judge = {"type": "llm", "model": "gpt-4.1", "base_url": "https://j.example/v1", "self_judging": policy}
    return Settings.model_validate({"judges": [judge], "service_models": ["claude-sonnet-4", "o3"]})


def test_a_judge_that_must_not_judge_its_own_family_does_not_start_beside_such_a_model() -> None:
    with pytest.raises(ConfigError) as refused:
        build_panel(configured("refuse"), SystemClock())
    (problem,) = refused.value.problems
    assert problem.startswith("judges[0].model: gpt-4.1 is of the family of one of the service_models")


@pytest.mark.parametrize(("policy", "lines"), [("mark", 1), ("allow", 0)])
def test_a_judge_that_is_marked_is_told_at_start(policy: str, lines: int) -> None:
    assert len(self_judging(configured(policy))) == lines
