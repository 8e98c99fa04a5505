from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.limits.retry import ALLOWANCE, CAP_S, SAVED_AT_MOST, Gate, RetryBudget, delay_s


@given(st.floats(0, 1), st.lists(st.booleans(), max_size=400))
def test_retries_stay_within_their_share_of_the_calls(share: float, events: list[bool]) -> None:
    budget, calls, retries = RetryBudget(share), 0, 0
    for is_call in events:
        if is_call:
            budget.earn()
            calls += 1
        else:
            retries += budget.spend()
    allowance = ALLOWANCE if share > 0 else 0
    assert retries <= share * calls + allowance + 1e-9


def test_a_quiet_time_does_not_save_up_a_storm() -> None:
    budget = RetryBudget(0.1)
    for _ in range(100_000):
        budget.earn()
    assert sum(budget.spend() for _ in range(1000)) == SAVED_AT_MOST


def test_a_share_of_nothing_allows_nothing() -> None:
    budget = RetryBudget(0.0)
    budget.earn()
    assert not budget.spend()


@given(st.integers(0, 50), st.floats(0, 60), st.integers())
def test_the_delay_is_never_before_the_wish_and_jittered_up_to_the_cap(attempt: int, wish: float, seed: int) -> None:
    delay = delay_s(attempt, wish, random.Random(seed))
    assert wish <= delay <= wish + min(CAP_S, 0.5 * 2**attempt)


def test_the_jitter_is_full() -> None:
    rng = random.Random(1)
    delays = [delay_s(2, 0.0, rng) for _ in range(2000)]
    assert (min(delays) < 0.05, max(delays) > 1.95, 0.9 < sum(delays) / 2000 < 1.1) == (True, True, True)


def test_the_gate_keeps_the_latest_wish() -> None:
    gate = Gate()
    gate.close_until(10.0)
    gate.close_until(5.0)
    assert [gate.wait_s(now) for now in (0.0, 9.0, 10.0, 11.0)] == [10.0, 1.0, 0.0, 0.0]
