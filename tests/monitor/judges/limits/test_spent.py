from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from monitor.judges.limits.spent import BINS, Spent

PERIOD_S = 3600.0
BIN_S = PERIOD_S / BINS
LEAK = 0.5

events = st.lists(st.tuples(st.floats(0, 3 * PERIOD_S), st.floats(0, 100)), max_size=60)


def after(amounts: list[tuple[float, float]], now: float) -> Spent:
    spent = Spent(PERIOD_S, LEAK)
    for at, amount in amounts:
        spent.add(at, amount, at)
    spent.total(now)
    return spent


def bucket(amounts: list[tuple[float, float]], now: float) -> float:
    """A leaky bucket, told of each amount at its time."""
    level, then = 0.0, 0.0
    for at, amount in sorted(amounts):
        level = max(0.0, level - LEAK * (at - then)) + amount
        then = at
    return max(0.0, level - LEAK * (now - then))


@given(events, st.floats(0, PERIOD_S))
def test_the_total_is_the_sum_of_the_period_and_at_most_a_bin_more(
    amounts: list[tuple[float, float]], later: float
) -> None:
    amounts.sort()
    now = (amounts[-1][0] if amounts else 0.0) + later
    total = after(amounts, now).total(now)
    least = sum(amount for at, amount in amounts if at > now - PERIOD_S)
    most = sum(amount for at, amount in amounts if at >= now - PERIOD_S - BIN_S - 1e-6)
    assert least - 1e-6 <= total <= most + 1e-6


@given(events, st.floats(0, PERIOD_S))
def test_the_level_is_that_of_a_leaky_bucket_but_for_what_leaks_in_a_bin(
    amounts: list[tuple[float, float]], later: float
) -> None:
    amounts.sort()
    now = (amounts[-1][0] if amounts else 0.0) + later
    level = after(amounts, now).level(now)
    exact = bucket(amounts, now)
    assert exact - LEAK * BIN_S - 1e-6 <= level <= exact + LEAK * BIN_S + 1e-6


@given(events, st.randoms(use_true_random=False))
def test_the_order_in_which_amounts_become_known_does_not_matter(
    amounts: list[tuple[float, float]], rng: random.Random
) -> None:
    now = 3 * PERIOD_S
    shuffled = rng.sample(amounts, len(amounts))
    results = []
    for order in (amounts, shuffled):
        spent = Spent(PERIOD_S, LEAK)
        for at, amount in order:
            spent.add(at, amount, now)
        results.append((spent.total(now), spent.level(now)))
    assert results[0] == pytest.approx(results[1])


@example([(0.0, 1.6975906779103624), (60.0, 63.0), (180.0, 0.0)], 0.0, 0.0)
@given(events, st.floats(0, 200), st.floats(0, 10))
def test_after_the_wait_there_is_room_and_a_bin_before_there_is_none(
    amounts: list[tuple[float, float]], room: float, later: float
) -> None:
    amounts.sort()
    now = (amounts[-1][0] if amounts else 0.0) + later
    spent = after(amounts, now)
    wait_s = spent.wait_s(room, now)
    if wait_s == 0:
        assert spent.total(now) <= room
    else:
        assert spent.total(now) > room
        assert spent.total(now + wait_s * (1 - 1e-9) - BIN_S if wait_s > BIN_S else now) > room
        assert spent.total(now + wait_s + 1e-6) <= room + 1e-9


def test_there_is_never_less_than_no_room() -> None:
    assert Spent(PERIOD_S, LEAK).wait_s(-0.1, 5.0) == float("inf")


def test_long_idle_times_leave_nothing() -> None:
    spent = after([(10.0, 1000.0)], 10.0)
    assert spent.level(10.0) == pytest.approx(1000.0, abs=LEAK * BIN_S)
    assert (spent.total(10.0 + 1e6), spent.level(10.0 + 1e6)) == (0.0, 0.0)


@given(events, st.randoms(use_true_random=False))
def test_a_bucket_that_is_full_stays_full_whatever_is_poured_in_and_the_total_counts_all(
    amounts: list[tuple[float, float]], rng: random.Random
) -> None:
    now, most = 3 * PERIOD_S, 50.0
    bounded, whole = Spent(PERIOD_S, LEAK, most), Spent(PERIOD_S, LEAK)
    for at, amount in rng.sample(amounts, len(amounts)):
        bounded.add(at, amount, now)
        whole.add(at, amount, now)
    assert bounded.total(now) == pytest.approx(whole.total(now))
    assert bounded.level(now) <= min(most, whole.level(now))
    assert bounded.level(now + most / LEAK) == 0


def test_what_is_older_than_the_period_still_stands_in_the_bucket() -> None:
    spent = after([(0.0, 10_000.0)], PERIOD_S + 2 * BIN_S)
    assert spent.total(PERIOD_S + 2 * BIN_S) == 0
    assert spent.level(PERIOD_S + 2 * BIN_S) == pytest.approx(10_000 - LEAK * (PERIOD_S + 2 * BIN_S))
