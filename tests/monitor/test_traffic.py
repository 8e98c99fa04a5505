from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.operational import LATENCY_BOUNDS
from monitor.snapshot import EVERYTHING, SliceKey
from monitor.traffic import Sight, Traffic

sights = st.builds(
    Sight,
    st.none() | st.sampled_from("abcdef"),
    st.none() | st.sampled_from("mn"),
    st.none() | st.floats(0, 1000),
    st.booleans(),
    st.integers(0, 1000),
    st.integers(0, 1000),
    st.booleans(),
    st.booleans(),
)


def counted(items: list[tuple[Sight, int]], values: int = 3) -> dict[SliceKey, tuple[float, ...]]:
    traffic = Traffic(values)
    for sight, weight in items:
        traffic.count(sight, weight)
    return {
        t.slice: (t.requests, t.errors, t.empty_retrievals, t.input_tokens, t.output_tokens, *t.buckets)
        for t in traffic.totals()
    }


@given(st.lists(st.tuples(sights, st.integers(1, 100)), max_size=30))
def test_the_apps_add_up_to_everything_however_many_there_are(items: list[tuple[Sight, int]]) -> None:
    totals = counted(items)
    apps = [numbers for key, numbers in totals.items() if key.dimension == "app"]
    assert len(apps) <= 4  # three, and the rest
    assert tuple(map(sum, zip(*apps, strict=True))) == (totals[EVERYTHING] if items else ())


@given(st.lists(st.tuples(sights, st.integers(1, 100)), max_size=30))
def test_everything_is_the_weighted_sum(items: list[tuple[Sight, int]]) -> None:
    totals = counted(items)[EVERYTHING]
    assert totals[:5] == (
        sum(weight for sight, weight in items if sight.is_request),
        sum(weight for sight, weight in items if sight.failed),
        sum(weight for sight, weight in items if sight.empty),
        sum(weight * sight.input_tokens for sight, weight in items),
        sum(weight * sight.output_tokens for sight, weight in items),
    )
    timed = [(sight.seconds, weight) for sight, weight in items if sight.seconds is not None]
    below = [sum(weight for seconds, weight in timed if seconds <= bound) for bound in LATENCY_BOUNDS]
    assert totals[5:] == (*below, sum(weight for _, weight in timed))


def test_counters_never_go_back_and_a_value_keeps_its_place() -> None:
    items = [(Sight("a", "m", 1.0), 1), (Sight("b", "m", 1.0), 1), (Sight("c", "n", 1.0), 1), (Sight("a", None), 1)]
    before: dict[SliceKey, tuple[float, ...]] = {}
    for n in range(1, len(items) + 1):
        now = counted(items[:n], values=1)
        assert all(key in now and all(map(float.__le__, old, now[key])) for key, old in before.items())
        before = now
    assert set(before) == {EVERYTHING, SliceKey("app", "a"), SliceKey("app", "other"), SliceKey("model", "m")} | {
        SliceKey("model", "other")
    }


@pytest.mark.parametrize(("app", "value"), [(None, "unknown"), ("", "unknown"), ("x" * 500, "x" * 64)])
def test_a_name_is_bounded_and_a_missing_one_is_unknown(app: str | None, value: str) -> None:
    assert SliceKey("app", value) in counted([(Sight(app, None, 1.0), 1)])
