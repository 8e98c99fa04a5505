from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.sampling.budget import Budget

STEP_S = 0.5


@dataclass
class Run:
    judged_base: int = 0
    judged_triggers: int = 0
    requests: int = 0
    estimate: int = 0

    @property
    def judged(self) -> int:
        return self.judged_base + self.judged_triggers


def simulate(
    budget: Budget,
    traffic: Callable[[float], float],
    seconds: float,
    *,
    base: int = 10,
    triggered: float = 0.0,
    seed: int = 1,
) -> Run:
    """Requests at `traffic(time)` a second; a share `triggered` of them is wanted at the rate 1/1, all at 1/`base`."""
    rng, run, carry = random.Random(seed), Run(), 0.0
    for step in range(int(seconds / STEP_S)):
        now = step * STEP_S
        budget.tick(now)
        carry += traffic(now) * STEP_S * rng.uniform(0.5, 1.5)
        for _ in range(int(carry)):
            carry -= 1
            run.requests += 1
            r = rng.random()
            by_base = budget.slowed(base, base=True)
            by_trigger = budget.slowed(1, base=False) if rng.random() < triggered else 10**9
            kept_by_base, kept = r < 1 / by_base, r < 1 / min(by_base, by_trigger)
            if kept:
                run.estimate += min(by_base, by_trigger)
                run.judged_base += kept_by_base
                run.judged_triggers += not kept_by_base
                budget.judged(now, base=int(kept_by_base), triggers=int(not kept_by_base))
    return run


def constant(_now: float) -> float:
    return 40.0


def bursty(now: float) -> float:
    return 200.0 if now % 120 < 10 else 5.0


def falling(now: float) -> float:
    return max(5.0, 150.0 - now / 20)


@pytest.mark.parametrize("traffic", [constant, bursty, falling])
@pytest.mark.parametrize("triggered", [0.0, 0.3])
@pytest.mark.parametrize("per_minute", [20.0, 60.0])
def test_in_the_long_run_the_budget_is_kept_and_used(
    traffic: Callable[[float], float], triggered: float, per_minute: float
) -> None:
    minutes = 40
    run = simulate(Budget(per_minute, 0.6), traffic, minutes * 60, triggered=triggered)
    assert 0.5 * per_minute < run.judged / minutes <= 1.1 * per_minute


@pytest.mark.parametrize("traffic", [constant, bursty, falling])
def test_estimates_stay_unbiased_while_the_rate_moves(traffic: Callable[[float], float]) -> None:
    runs = [simulate(Budget(60.0, 0.6), traffic, 600, triggered=0.2, seed=seed) for seed in range(12)]
    ratios = [run.estimate / run.requests for run in runs]
    mean = sum(ratios) / len(ratios)
    error = (sum((ratio - mean) ** 2 for ratio in ratios) / (len(ratios) - 1) / len(ratios)) ** 0.5
    assert error < 0.05
    assert abs(mean - 1.0) < 3.5 * error


def test_the_base_sample_gets_its_share_whatever_the_triggers_want() -> None:
    run = simulate(Budget(60.0, 0.6), constant, 2400, triggered=0.9)
    assert run.judged_base / 40 > 0.9 * 0.6 * 60
    assert run.judged_triggers / 40 > 0.9 * 0.4 * 60


def test_what_the_triggers_leave_is_used_by_the_base_sample() -> None:
    run = simulate(Budget(60.0, 0.6), constant, 2400, triggered=0.0)
    assert run.judged / 40 > 0.9 * 60


def test_demand_well_below_the_budget_is_met_in_full() -> None:
    budget = Budget(600.0, 0.6)
    run = simulate(budget, lambda _now: 10.0, 600)
    assert run.judged == pytest.approx(run.requests / 10, rel=0.15)
    assert budget.slowed(10, base=True) == 10


def test_rates_recover_after_a_burst() -> None:
    budget = Budget(60.0, 0.6)
    budget.judged(0.0, base=200)
    assert budget.slowed(10, base=True) > 1000
    budget.tick(200.0)
    assert budget.slowed(10, base=True) == 10


def test_a_burst_never_cuts_off() -> None:
    budget = Budget(1.0, 0.6)
    budget.judged(0.0, base=10**9, triggers=10**9)
    assert (budget.slowed(100, base=True), budget.slowed(1, base=False)) == (10**9, 10**9)


def test_without_a_budget_rates_stay_as_configured() -> None:
    budget = Budget(0.0, 0.6)
    budget.judged(0.0, base=10**6, triggers=10**6)
    assert (budget.slowed(100, base=True), budget.slowed(1, base=False), budget.slowed(0, base=False)) == (100, 1, 0)


def test_time_that_goes_back_changes_nothing() -> None:
    budget = Budget(60.0, 0.6)
    budget.judged(100.0, base=50)
    slowed = budget.slowed(10, base=True)
    budget.tick(50.0)
    budget.tick(100.0)
    assert budget.slowed(10, base=True) == slowed


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 20), st.integers(0, 20)), max_size=40), st.floats(1, 600))
def test_rates_only_fall_below_the_configured_ones(steps: list[tuple[float, int, int]], per_minute: float) -> None:
    budget, now = Budget(per_minute, 0.6), 0.0
    for passed, base, triggers in steps:
        now += passed
        budget.judged(now, base=base, triggers=triggers)
        assert 100 <= budget.slowed(100, base=True) <= 10**9
        assert 1 <= budget.slowed(1, base=False) <= 10**9
