from __future__ import annotations

from exporters.pages import page_points
from exporters.points import Guard, Histogram, Labels
from monitor.operational import LATENCY_BOUNDS, Operational, TrafficCount
from tests.exporters.samples import snapshot, traffic

Shown = dict[tuple[str, Labels], float | Histogram]


def shown(counted: TrafficCount) -> Shown:
    points = page_points(Guard(10_000), snapshot(), Operational(traffic=counted))
    return {(p.metric.name, p.labels): p.value for p in points if p.metric.owner == "traffic"}


def test_every_number_stands_by_slice_and_says_what_it_is_based_on() -> None:
    points = shown(traffic())
    for (name, labels), expected in {
        ("requests", ("all", "all")): 300,
        ("requests", ("app", "shop")): 200,
        ("requests", ("app", "wiki")): 100,
        ("requests", ("model", "m-1")): 200,
        ("errors", ("all", "all")): 100,
        ("errors", ("app", "wiki")): 0,
        ("empty_retrievals", ("app", "wiki")): 100,
    }.items():
        assert points[f"ragmon.traffic.{name}", (*labels, "sampled")] == expected
    assert points["ragmon.traffic.tokens", ("app", "shop", "sampled", "input")] == 12_000
    assert points["ragmon.traffic.tokens", ("app", "shop", "sampled", "output")] == 3000


def test_latencies_above_the_last_bound_are_in_the_count_and_in_no_bucket() -> None:
    value = shown(traffic())["ragmon.traffic.duration", ("all", "all", "sampled")]
    assert isinstance(value, Histogram)
    assert dict(zip(value.bounds, value.buckets, strict=True)) == {
        bound: 200 if bound >= 1 else 100 for bound in LATENCY_BOUNDS
    }
    assert (value.count, value.over, value.sum) == (300, 100, 100 * (0.7 + 700 + 0.05))


def test_a_histogram_adds_what_lies_above_its_bounds() -> None:
    both = Histogram((1, 2), 3.0, bounds=(1.0, 2.0), over=1) + Histogram((0, 1), 9.0, bounds=(1.0, 2.0), over=2)
    assert both == Histogram((1, 3), 12.0, bounds=(1.0, 2.0), over=3)
    assert both.count == 6


def test_traffic_that_is_not_counted_is_absent() -> None:
    assert shown(TrafficCount()) == {}
