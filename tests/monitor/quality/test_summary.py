from __future__ import annotations

import pytest

from monitor.quality.summary import window_stats
from monitor.quality.tally import Tally
from monitor.records import Outcome
from monitor.snapshot import OutcomeCount, SliceKey, WindowStats
from tests.monitor.quality.verdicts import reading, tally_of

STATISTICS = ("mean", "es10", "p01", "p05", "p10", "below_half", "bounds")


def stats_of(tally: Tally) -> WindowStats:
    return window_stats(("faithfulness", "embedded", "f"), SliceKey("all", "all"), 300, tally, calibrated=False)


def shown(stats: WindowStats) -> set[str]:
    return {name for name in STATISTICS if getattr(stats, name) is not None}


@pytest.mark.parametrize(
    ("n", "names"),
    [
        (0, set()),
        (1, set()),
        (29, set()),
        (30, {"mean", "es10", "p10", "below_half", "bounds"}),
        (59, {"mean", "es10", "p10", "below_half", "bounds"}),
        (60, {"mean", "es10", "p10", "below_half", "bounds", "p05"}),
        (299, {"mean", "es10", "p10", "below_half", "bounds", "p05"}),
        (300, set(STATISTICS)),
    ],
)
def test_a_statistic_below_its_floor_is_absent(n: int, names: set[str]) -> None:
    assert shown(stats_of(tally_of([reading(1.0, weight=3)] * n))) == names


def test_few_heavy_cases_among_many_light_ones_do_not_reach_the_floor() -> None:
    stats = stats_of(tally_of([reading(1.0, weight=1000)] * 20 + [reading(1.0)] * 500))

    assert (stats.n, shown(stats)) == (520, set())
    assert stats.n_eff > 0
    assert 20 < stats.n_equal < 30


def test_verdicts_of_equal_weight_are_as_many_as_they_are_whatever_their_scores() -> None:
    alike = stats_of(tally_of([reading(0.95, weight=3)] * 15))
    assert (alike.n, alike.n_equal, shown(alike)) == (15, 15.0, set())
    assert alike.n_eff > 30


def test_nothing_at_all_is_shown_as_nothing() -> None:
    stats = stats_of(Tally())

    assert stats.n_equal == 0.0
    assert (stats.n, stats.n_eff, stats.weight, stats.missing_ratio, stats.last_end_ns) == (0, 0.0, 0, None, None)
    assert stats.outcomes == ()


def test_failing_verdicts_leave_the_numbers_unchanged_and_raise_the_missing_ratio() -> None:
    sound = [reading(0.5), *[reading(1.0)] * 299, reading(0.0, weight=2)]
    failing = [reading(None, weight=4)] * 25

    before, after = stats_of(tally_of(sound)), stats_of(tally_of(sound + failing))

    same = ("n", "n_eff", "weight", "mean", "es10", "p01", "p05", "p10", "below_half", "last_end_ns")
    assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]
    assert (before.missing_ratio, after.missing_ratio) == (0.0, 100 / 402)
    assert after.bounds is not None
    assert before.bounds is not None
    assert after.bounds.lower < before.bounds.lower
    assert after.bounds.upper >= before.bounds.upper
    assert after.bounds.value == before.bounds.value


def test_a_judge_that_never_answers_has_a_missing_ratio_of_one_and_no_mean() -> None:
    stats = stats_of(tally_of([reading(None, weight=10)] * 40))

    assert (stats.missing_ratio, stats.mean, stats.bounds) == (1.0, None, None)
    assert stats.outcomes == (OutcomeCount(Outcome.JUDGE_ERROR, "timeout", 40, 400),)
