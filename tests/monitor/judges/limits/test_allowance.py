from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from monitor.config import judges as judge_settings
from monitor.config.prices import Price
from monitor.judges.cascade import Cascade
from monitor.judges.limits.allowance import USED, Allowance
from monitor.judges.panel import PanelMember
from monitor.judges.reasons import Reason
from monitor.records import Usage
from tests.fakes import ScriptedJudge

DAY_S = 86_400.0
HOUR_S = 3_600.0
CALL_S = 8.0
ESTIMATE = Usage(1, 6000, 1500, 0.012)
"""What a call may cost; most cost less than half of it."""


def allowance(**limits: float) -> Allowance:
    prices = {"m": Price(input=1, output=4)}
    return Allowance(
        judge_settings.LlmJudge.model_validate({"base_url": "https://j", "model": "m", "prices": prices} | limits)
    )


@dataclass
class Run:
    """What came of a stretch of synthetic traffic."""

    requests: int = 0
    estimated: float = 0.0
    skipped: int = 0
    spent: list[tuple[float, float]] = field(default_factory=list)

    @property
    def cost(self) -> float:
        return sum(cost for _, cost in self.spent)

    def most_in(self, seconds: float) -> float:
        """The most that any stretch of this length cost."""
        most, total, oldest = 0.0, 0.0, 0
        for at, cost in self.spent:
            total += cost
            while self.spent[oldest][0] <= at - seconds:
                total -= self.spent[oldest][1]
                oldest += 1
            most = max(most, total)
        return most


@dataclass
class Purse:
    """A Spender at a time that is told."""

    judge: Allowance
    now: float = 0.0

    def slowdown(self) -> float:
        return self.judge.slowdown(self.now)

    def heard(self, usage: Usage, age_s: float) -> None:
        self.judge.heard(usage, age_s, self.now)


def simulate(  # the knobs of a simulation
    judge: Allowance,
    traffic: Callable[[float], float],
    *,
    begin: float = 0.0,
    end: float = DAY_S,
    one_in: int = 2,
    seed: int = 1,
    dear: float = 0.0,
    doubt: float = 0.0,
) -> Run:
    """Sampled requests at `traffic(time)` a second, judged for `CALL_S` each; a share `dear` costs ten times.

    A share `doubt` goes through a cascade that asks about all of them.
    """
    rng, run, now = random.Random(seed), Run(), begin
    purse = Purse(judge)
    member = PanelMember(ScriptedJudge(), one_in, purse, Cascade("cheap", frozenset(["faithfulness"]), (0.2, 0.6), 1))
    under_way: list[tuple[float, float]] = []
    while True:
        now += min(rng.expovariate(traffic(now)), 60.0)
        while under_way and under_way[0][0] <= min(now, end):
            over, cost = heapq.heappop(under_way)
            judge.settle(ESTIMATE, Usage(1, 3000, 400, cost), over)
            run.spent.append((over, cost))
        if now >= end:
            return run
        run.requests += 1
        purse.now = now
        k = member.uncertain_one_in_now if doubt and rng.random() < doubt else member.one_in_now
        if rng.random() * k >= 1:
            continue
        run.estimated += k
        if judge.wait(ESTIMATE, now).seconds > 0:
            run.skipped += 1
            continue
        judge.hold(ESTIMATE)
        cost = rng.lognormvariate(math.log(0.004), 0.5)
        heapq.heappush(under_way, (now + CALL_S, min(0.012, cost) * (10 if rng.random() < dear else 1)))


def steady(_now: float) -> float:
    return 0.3


def daily(now: float) -> float:
    return 0.2 + 0.18 * math.sin(2 * math.pi * now / DAY_S)


def bursty(now: float) -> float:
    return 20.0 if now % 21_600 < 120 else 0.15


@pytest.mark.parametrize("traffic", [steady, daily, bursty])
@pytest.mark.parametrize("limits", [{"cost_per_day": 10.0}, {"cost_per_hour": 0.4}, {"cost_per_day": 3.0}])
def test_over_a_day_what_is_spent_stays_below_the_limit_and_uses_more_than_half_of_it(
    traffic: Callable[[float], float], limits: dict[str, float]
) -> None:
    run = simulate(allowance(**limits), traffic)
    cap, period_s = (limits["cost_per_day"], DAY_S) if "cost_per_day" in limits else (limits["cost_per_hour"], HOUR_S)
    assert run.most_in(period_s) <= cap
    assert run.cost > 0.5 * cap * DAY_S / period_s
    assert run.skipped == 0


@pytest.mark.parametrize("traffic", [steady, daily, bursty])
def test_the_weights_add_up_to_the_requests(traffic: Callable[[float], float]) -> None:
    runs = [simulate(allowance(cost_per_hour=0.4), traffic, end=8 * HOUR_S, seed=seed) for seed in range(16)]
    ratios = [run.estimated / run.requests for run in runs]
    mean = sum(ratios) / len(ratios)
    error = (sum((ratio - mean) ** 2 for ratio in ratios) / (len(ratios) - 1) / len(ratios)) ** 0.5
    assert error < 0.05
    assert abs(mean - 1.0) < 3.5 * error


@pytest.mark.parametrize("traffic", [steady, daily, bursty])
@pytest.mark.parametrize("doubt", [0.3, 1.0])
def test_in_a_cascade_what_is_spent_stays_below_the_limit_and_the_weights_add_up(
    traffic: Callable[[float], float], doubt: float
) -> None:
    run = simulate(allowance(cost_per_day=3.0), traffic, doubt=doubt)
    assert 1.5 < run.cost < 3.0
    assert run.skipped == 0
    assert run.estimated == pytest.approx(run.requests, rel=0.35)


def test_demand_below_the_limit_is_met_in_full() -> None:
    judge = allowance(cost_per_day=1000.0)
    run = simulate(judge, steady)
    assert len(run.spent) == pytest.approx(run.requests / 2, rel=0.02)
    assert judge.slowdown(DAY_S) == 1


def test_a_flood_does_not_end_judging_for_the_day() -> None:
    """Hundreds of times what can be paid: still judged in every two hours, and nothing is left out."""
    run = simulate(allowance(cost_per_day=1.0), lambda _: 1.0, one_in=1)
    assert ({int(at // (2 * HOUR_S)) for at, _ in run.spent}, run.skipped) == ({*range(12)}, 0)
    assert 0.5 < run.cost <= 1.0


def test_a_model_at_ten_times_the_price_is_paid_for_what_it_is() -> None:
    run = simulate(allowance(cost_per_day=20.0), steady, dear=0.3)
    assert 10.0 < run.cost <= 20.0
    assert len(run.spent) < 0.5 * len(simulate(allowance(cost_per_day=20.0), steady).spent)
    assert run.skipped == 0


def test_after_a_restart_it_goes_on_as_if_nothing_had_been() -> None:
    """What was spent is told again, in the order of nobody, with the age that it has."""
    first = allowance(cost_per_day=10.0, cost_per_hour=1.0)
    before = simulate(first, steady, end=DAY_S / 2)
    second, now = allowance(cost_per_day=10.0, cost_per_hour=1.0), DAY_S / 2
    for at, cost in random.Random(5).sample(before.spent, len(before.spent)):
        second.heard(Usage(1, 3000, 400, cost), now - at, now)
    assert second.slowdown(now) == pytest.approx(first.slowdown(now))
    used = [[fill.used for fill in judge.fills(now)] for judge in (first, second)]
    assert used[0] == pytest.approx(used[1])
    after = simulate(second, steady, begin=now, end=1.5 * DAY_S, seed=2)
    whole = Run(spent=before.spent + after.spent)
    assert whole.most_in(DAY_S) <= 10.0
    assert whole.most_in(HOUR_S) <= 1.0
    assert after.cost > 5.0


def test_two_replicas_that_hear_of_each_other_keep_one_limit() -> None:
    judges = [allowance(cost_per_hour=2.0) for _ in range(2)]
    rng, spent = random.Random(3), []
    now = 0.0
    while now < 4 * HOUR_S:
        now += rng.expovariate(2.0)
        mine, other = rng.sample(judges, 2)
        if rng.random() * math.ceil(mine.slowdown(now)) < 1 and mine.wait(ESTIMATE, now).seconds == 0:
            mine.hold(ESTIMATE)
            usage = Usage(1, 3000, 400, 0.004)
            mine.settle(ESTIMATE, usage, now)
            other.heard(usage, 0.0, now)
            spent.append((now, 0.004))
    run = Run(spent=spent)
    assert run.most_in(HOUR_S) <= 2.0
    assert run.cost > 4 * 2.0 * 0.5


def test_the_last_resort_is_that_no_call_passes_a_limit_of_money() -> None:
    judge = allowance(cost_per_hour=0.03)
    judge.heard(Usage(1, 0, 0, 0.02), 60.0, HOUR_S)
    wait = judge.wait(ESTIMATE, HOUR_S)
    assert (wait.seconds, wait.reason) == (math.inf, Reason.OVER_BUDGET)
    assert judge.wait(ESTIMATE, 2 * HOUR_S + 60).seconds == 0


def test_a_server_that_counts_more_than_a_call_may_cost_does_not_pass_the_limit_either() -> None:
    purse, spent = allowance(cost_per_hour=1), 0.0
    estimate, usage = Usage(1, 100, 100, 0.01), Usage(1, 9000, 9000, 0.04)
    purse.hold(estimate)
    purse.settle(estimate, usage, 0.0)
    spent += usage.cost
    while purse.wait(estimate, 0.0).seconds == 0:
        flight = 0
        while flight < 4 and purse.wait(estimate, 0.0).seconds == 0:
            purse.hold(estimate)
            flight += 1
        for _ in range(flight):
            purse.settle(estimate, usage, 0.0)
            spent += usage.cost
    assert 0.9 < spent <= 1.0


def test_one_absurd_count_costs_a_period_and_no_more() -> None:
    purse, estimate = allowance(cost_per_hour=1), Usage(1, 100, 100, 0.01)
    purse.hold(estimate)
    purse.settle(estimate, Usage(1, 9_000_000, 9_000_000, 45.0), 0.0)
    assert purse.wait(estimate, 60.0) == (math.inf, Reason.OVER_BUDGET, "cost_per_hour")
    assert purse.wait(estimate, HOUR_S + 61.0).seconds == 0


@pytest.mark.parametrize(
    ("limits", "period_s"),
    [({"cost_per_day": 5.0}, DAY_S), ({"cost_per_hour": 1.0}, HOUR_S), ({"tokens_per_minute": 200_000.0}, 300.0)],
)
def test_one_absurd_count_lowers_the_rate_no_longer_either(limits: dict[str, float], period_s: float) -> None:
    """A minute's limit lets more stand in the bucket, and so takes five to forget."""
    purse, estimate = allowance(**limits), Usage(1, 2000, 300, 0.005)
    absurd = Usage(1, 2000, 10_000_000, 100.0)
    purse.hold(estimate)
    purse.settle(estimate, absurd, 10.0)
    assert purse.slowdown(11.0) > 1e8
    told_again = allowance(**limits)
    told_again.heard(absurd, 20.0, 30.0)
    later = 10.0 + period_s * 1.02
    for judge in (purse, told_again):
        assert (judge.slowdown(later), judge.wait(estimate, later).seconds) == (1.0, 0.0)


def test_calls_under_way_are_counted_at_what_they_may_cost_until_they_are_over() -> None:
    judge = allowance(cost_per_hour=0.03)
    for _ in range(2):
        assert judge.wait(ESTIMATE, 0.0).seconds == 0
        judge.hold(ESTIMATE)
    assert 0 < judge.wait(ESTIMATE, 0.0).seconds < 5
    judge.settle(ESTIMATE, Usage(1, 10, 10, 0.001), 1.0)
    assert judge.wait(ESTIMATE, 1.0).seconds == 0


@pytest.mark.parametrize(
    ("limits", "calls"), [({"requests_per_minute": 30.0}, 30), ({"tokens_per_minute": 75_000.0}, 10)]
)
def test_a_call_that_a_minute_has_no_room_for_waits_until_it_has(limits: dict[str, float], calls: int) -> None:
    judge, now = allowance(**limits), 100.0
    made: list[float] = []
    while len(made) < 3 * calls:
        wait = judge.wait(ESTIMATE, now)
        assert wait.reason is Reason.RATE_LIMITED
        if wait.seconds == 0:
            judge.hold(ESTIMATE)
            judge.settle(ESTIMATE, ESTIMATE, now)
            made.append(now)
        now += wait.seconds
    assert all(made[index + calls] - made[index] >= 60 for index in range(len(made) - calls))
    assert made[-1] - made[0] <= 2 * 61 + 2


def test_limits_of_a_minute_lower_the_rate_as_well() -> None:
    judge = allowance(requests_per_minute=60.0)
    run = simulate(judge, lambda _: 5.0, end=HOUR_S / 2, one_in=1)
    assert 0.5 * 60 < len(run.spent) / 30 <= 60
    assert run.skipped < 0.02 * len(run.spent)


def test_the_strictest_limit_decides() -> None:
    judge = allowance(cost_per_hour=10.0, cost_per_day=10.0)
    judge.heard(Usage(1, 0, 0, 2.0), 0.0, 100.0)
    alone = allowance(cost_per_hour=10.0)
    alone.heard(Usage(1, 0, 0, 2.0), 0.0, 100.0)
    assert judge.slowdown(100.0) >= alone.slowdown(100.0) > 1
    assert judge.slowdown(100.0 + HOUR_S) > alone.slowdown(100.0 + HOUR_S) == 1


def test_without_limits_nothing_is_held_back() -> None:
    judge = allowance()
    judge.settle(ESTIMATE, Usage(1, 10**7, 10**7, 1e9), 0.0)
    assert (judge.slowdown(0.0), judge.wait(ESTIMATE, 0.0).seconds, judge.fills(0.0)) == (1.0, 0.0, ())


def test_in_the_long_run_the_share_of_the_limit_is_what_is_documented() -> None:
    run = simulate(allowance(cost_per_hour=0.5), steady, one_in=1)
    assert run.cost / 24 / 0.5 == pytest.approx(USED, rel=0.1)
