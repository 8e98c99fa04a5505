from __future__ import annotations

from copy import deepcopy
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.tally import Reading, Tally
from monitor.quality.windows import Ring, WindowPlan
from tests.fakes import SECOND
from tests.monitor.quality.verdicts import NOW, reading, tally_of

PLAN = WindowPlan((300.0, 3600.0, 86400.0, 604800.0))
SMALL = WindowPlan((60.0, 600.0, 1700.0))
NOW_TICK = PLAN.tick(NOW)
READINGS = st.lists(
    st.builds(
        lambda score, weight, age: reading(score, weight, NOW - age * SECOND),
        st.none() | st.sampled_from([0.0, 1 / 3, 0.5, 1.0]),
        st.sampled_from([1, 10, 100]),
        st.integers(-60, 1700),
    ),
    max_size=30,
)


def sums(ring: Ring) -> list[Tally]:
    return [deepcopy(tally) for tally in ring.windows()]


def fed(plan: WindowPlan, readings: list[Reading], now_ns: int = NOW) -> Ring:
    ring = Ring(plan)
    for one in readings:
        ring.add(one, plan.tick(now_ns))
    return ring


def test_the_default_windows_have_buckets_of_a_sixtieth() -> None:
    assert PLAN.tick_ns == 5 * SECOND
    assert [tier.grain * PLAN.tick_ns // SECOND for tier in PLAN.tiers] == [5, 60, 1440, 10080]
    assert [tier.length * PLAN.tick_ns // SECOND for tier in PLAN.tiers] == [300, 3600, 86400, 604800]


@given(st.lists(st.floats(0, 10**7), min_size=1, max_size=6))
def test_any_lengths_give_nested_buckets_of_at_most_a_sixtieth_of_the_window(lengths: list[float]) -> None:
    plan = WindowPlan(lengths)

    grains = [tier.grain for tier in plan.tiers]
    assert all(coarse % fine == 0 for fine, coarse in pairwise(grains))
    for tier, length in zip(plan.tiers, plan.lengths, strict=True):
        assert tier.length * plan.tick_ns >= length * SECOND
        assert tier.grain * plan.tick_ns <= length * SECOND / 60


@given(READINGS)
def test_a_window_holds_all_of_its_span_and_at_most_one_bucket_more(readings: list[Reading]) -> None:
    windows = sums(fed(SMALL, readings))

    for tier, length, tally in zip(SMALL.tiers, SMALL.lengths, windows, strict=True):
        slack_ns = (tier.grain + 1) * SMALL.tick_ns
        past = [one for one in readings if one.end_ns <= NOW]
        inner = [one for one in past if one.end_ns > NOW - length * SECOND]
        outer = [one for one in readings if NOW - length * SECOND - slack_ns < one.end_ns < NOW + SMALL.tick_ns]
        held = sum(count for count, _ in tally.outcomes.counts.values())
        assert len(inner) <= held <= len(outer)


@given(READINGS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(readings: list[Reading], random: object) -> None:
    shuffled = list(readings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random

    assert sums(fed(SMALL, shuffled)) == sums(fed(SMALL, readings))


@given(READINGS, st.lists(st.integers(0, 1800), max_size=6))
def test_ageing_step_by_step_gives_what_a_late_start_gives(readings: list[Reading], stops: list[int]) -> None:
    """A replica that ran all the time equals one that read the history just now."""
    old, later = Ring(SMALL), NOW + 1800 * SECOND
    for one in sorted(readings, key=lambda one: one.end_ns):
        old.add(one, SMALL.tick(NOW))
    for stop in sorted(stops):
        old.advance(SMALL.tick(NOW + stop * SECOND))
        list(old.windows())  # sums made on the way must not go stale
    old.advance(SMALL.tick(later))

    assert sums(old) == sums(fed(SMALL, readings, later))


@given(READINGS, st.lists(st.tuples(st.integers(0, 900), st.booleans()), max_size=8))
def test_an_unchanged_version_means_an_unchanged_window(readings: list[Reading], steps: list[tuple[int, bool]]) -> None:
    ring, arrivals = Ring(SMALL), iter(readings)
    known: dict[tuple[int, int], Tally] = {}
    for after, arrives in sorted(steps):
        ring.advance(SMALL.tick(NOW + after * SECOND))
        one = next(arrivals, None) if arrives else None
        if one is not None:
            ring.add(one, SMALL.tick(NOW))
        for index, tally in enumerate(sums(ring)):
            assert known.setdefault((index, ring.versions[index]), tally) == tally


def test_a_verdict_that_ages_moves_through_the_windows_and_leaves() -> None:
    ring = fed(PLAN, [reading(end_ns=NOW)])

    def held() -> list[int]:
        return [tally.scores.moments.count for tally in sums(ring)]

    seen = []
    for seconds in (0, 299, 400, 3599, 4000, 86399, 90000, 604799, 700000):
        ring.advance(PLAN.tick(NOW + seconds * SECOND))
        seen.append(held())
    assert seen == [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [0, 1, 1, 1],
        [0, 1, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
    ]
    assert len(ring) == 0


def test_a_verdict_from_the_future_waits_for_its_time() -> None:
    ring = fed(PLAN, [reading(end_ns=NOW + 60 * SECOND)])

    assert [tally.scores.moments.count for tally in sums(ring)] == [0, 0, 0, 0]
    ring.advance(PLAN.tick(NOW + 60 * SECOND))
    assert [tally.scores.moments.count for tally in sums(ring)] == [1, 1, 1, 1]


def test_what_is_older_than_the_longest_window_is_not_taken() -> None:
    ring = Ring(PLAN)

    assert not ring.add(reading(end_ns=NOW - 700_000 * SECOND), NOW_TICK)
    assert len(ring) == 0


def test_time_that_goes_back_changes_nothing() -> None:
    ring = fed(PLAN, [reading(end_ns=NOW)])
    before = sums(ring)

    ring.advance(NOW_TICK - 1000)

    assert sums(ring) == before


def test_a_ring_that_was_moved_back_counts_in_its_shortest_window_again() -> None:
    ring = fed(PLAN, [])
    ring.advance(NOW_TICK + 10_000)
    ring.go_back(NOW_TICK)

    assert ring.add(reading(end_ns=NOW), NOW_TICK)
    assert sums(ring)[0] == tally_of([reading(end_ns=NOW)])


def test_one_week_of_steady_traffic_needs_few_buckets() -> None:
    ring = fed(PLAN, [reading(end_ns=NOW - age * 61 * SECOND) for age in range(9_900)])

    assert len(ring) <= 4 * 62


@given(READINGS, READINGS)
def test_merging_tallies_is_counting_everything_in_one(ours: list[Reading], theirs: list[Reading]) -> None:
    left, right = tally_of(ours), tally_of(theirs)
    before = deepcopy(right)

    assert left.merge(right) == tally_of(ours + theirs)
    assert right == before


def test_lengths_that_would_be_published_as_the_same_are_one_window() -> None:
    assert WindowPlan((300.4, 3600.0, 300.0, 0.0)).lengths == (1, 300, 3600)


def test_without_lengths_there_is_no_plan() -> None:
    with pytest.raises(IndexError):
        WindowPlan(())
