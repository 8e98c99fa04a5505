from __future__ import annotations

from dataclasses import replace

from exporters.judge_points import FLOOR
from exporters.pages import page_points
from exporters.points import Guard
from monitor.comparisons import AnchorScores, Comparison
from monitor.operational import Operational
from tests.exporters.samples import NOW_NS, SECOND, anchors, shadow, snapshot


def shown(
    *shadows: Comparison, told: tuple[AnchorScores, ...] = (), caught_up: bool = True
) -> dict[tuple[str, ...], float]:
    taken = replace(snapshot(), shadows=shadows, anchors=told, caught_up=caught_up)
    points = page_points(Guard(10_000), taken, Operational())
    return {
        (point.metric.prometheus, *point.labels): point.value
        for point in points
        if point.metric.name.startswith(("ragmon.shadow.", "ragmon.judge.anchor."))
        and isinstance(point.value, float | int)
    }


WHO = ("faithfulness", "llm", "ba9876543210", "false", "embedded")


def test_a_candidate_is_shown_with_both_judges_and_the_interval_of_the_difference() -> None:
    assert shown(shadow()) == {
        ("ragmon_shadow_pairs", *WHO): 200,
        ("ragmon_shadow_difference", *WHO): -0.1,
        ("ragmon_shadow_difference_lower", *WHO): -0.15,
        ("ragmon_shadow_difference_upper", *WHO): -0.05,
        ("ragmon_shadow_kappa", *WHO): 0.61,
        ("ragmon_shadow_spearman", *WHO): 0.9,
        ("ragmon_shadow_cost", *WHO, "candidate"): 4.1 / 205,
        ("ragmon_shadow_cost", *WHO, "incumbent"): 0.0,
        ("ragmon_shadow_latency_seconds", *WHO, "candidate"): 1.5,
        ("ragmon_shadow_latency_seconds", *WHO, "incumbent"): 0.002,
    }


def test_below_the_floor_only_the_number_of_pairs_is_shown() -> None:
    assert shown(shadow(pairs=FLOOR - 1)) == {("ragmon_shadow_pairs", *WHO): FLOOR - 1}


def test_beside_an_incumbent_that_changed_the_newest_comparison_is_shown_and_nothing_collides() -> None:
    newest = shadow(pairs=50)
    assert shown(newest, shadow(pairs=1000)) == shown(newest)


def test_while_history_is_read_nothing_is_shown() -> None:
    assert shown(shadow(), told=(anchors(),), caught_up=False) == {}


JUDGE = ("faithfulness", "embedded", "0123456789ab", "false")
FIRST = {
    ("ragmon_judge_anchor_rows", *JUDGE): 120,
    ("ragmon_judge_anchor_score", *JUDGE): 0.7,
    ("ragmon_judge_anchor_run_timestamp_seconds", *JUDGE): NOW_NS / SECOND,
}


def test_anchors_are_shown_with_the_change_since_their_first_run() -> None:
    assert shown(told=(anchors(),)) == FIRST | {
        ("ragmon_judge_anchor_change", *JUDGE): -0.08,
        ("ragmon_judge_anchor_change_lower", *JUDGE): -0.12,
        ("ragmon_judge_anchor_change_upper", *JUDGE): -0.04,
        ("ragmon_judge_anchor_spread", *JUDGE): 0.1,
    }


def test_in_the_first_run_there_is_no_change() -> None:
    assert shown(told=(anchors(None),)) == FIRST


def test_points_of_judges_say_whether_the_judge_is_calibrated() -> None:
    known = shadow()
    told = shown(
        replace(known, candidate=replace(known.candidate, calibrated=True)),
        told=(replace(anchors(), calibrated=True),),
    )
    assert {name[4] for name in told} == {"true"}


def test_a_candidate_that_was_calibrated_since_is_shown_once() -> None:
    known = shadow()
    calibrated = replace(known, candidate=replace(known.candidate, calibrated=True))
    assert shown(calibrated, known) == shown(calibrated)
