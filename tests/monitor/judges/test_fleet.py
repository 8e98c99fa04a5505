from __future__ import annotations

from dataclasses import dataclass, field, replace

from monitor.judges.fleet import Fleet
from monitor.judges.panel import PanelMember
from monitor.records import Outcome, Usage, Verdict
from tests.fakes import SECOND, FakeClock, ScriptedJudge

VERDICT = Verdict(
    verdict_id="v1",
    trace_id="t1",
    request_id="",
    evaluation="faithfulness",
    judge="dear",
    fingerprint="f" * 12,
    calibrated=False,
    outcome=Outcome.SCORED,
    reason="",
    score=1.0,
    label="",
    weight=1,
    probability=1.0,
    policies=("base",),
    end_ns=0,
    judged_ns=FakeClock().now_ns() - 30 * SECOND,
    calls=2,
    input_tokens=1000,
    output_tokens=100,
    cost=0.25,
)
SPENT = (Usage(2, 1000, 100, 0.25), 30.0)


@dataclass
class Purse:
    """A Spender that remembers what it heard."""

    said: list[tuple[Usage, float]] = field(default_factory=list)

    def slowdown(self) -> float:
        return 2.5

    def heard(self, usage: Usage, age_s: float) -> None:
        self.said.append((usage, age_s))


def fleet() -> tuple[Fleet, Purse]:
    purse = Purse()
    members = [PanelMember(ScriptedJudge(name="dear"), 4, purse), PanelMember(ScriptedJudge(name="free"), 1)]
    return Fleet(members, FakeClock()), purse


def test_what_a_verdict_of_another_replica_or_of_the_history_cost_is_told_with_its_age() -> None:
    others, purse = fleet()
    others.hear(VERDICT)
    assert purse.said == [SPENT]


def test_own_verdicts_that_come_back_are_not_charged_again() -> None:
    others, purse = fleet()
    others.writes([VERDICT])
    others.writes([VERDICT])  # the first write was not confirmed
    others.hear(VERDICT)
    assert purse.said == []
    others.hear(VERDICT)  # the same request judged once more, by another replica
    assert purse.said == [SPENT]


def test_verdicts_without_a_call_and_of_judges_without_limits_are_nothing_to_a_purse() -> None:
    others, purse = fleet()
    for verdict in (replace(VERDICT, calls=0, cost=0.0), replace(VERDICT, judge="free"), replace(VERDICT, judge="x")):
        others.writes([verdict])
        others.hear(verdict)
    assert purse.said == []


def test_what_makes_no_sense_does_not_count() -> None:
    others, purse = fleet()
    for wrong in ({"cost": float("nan")}, {"cost": float("inf")}, {"cost": -1.0}, {"input_tokens": -5}):
        others.hear(replace(VERDICT, **wrong))
    assert purse.said == []


def test_a_slowdown_divides_the_share_of_the_sample() -> None:
    judge = ScriptedJudge(name="dear")
    assert [PanelMember(judge, 4, Purse()).one_in_now, PanelMember(judge, 4).one_in_now] == [10, 4]
