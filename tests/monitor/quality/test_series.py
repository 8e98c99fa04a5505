from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.config.settings import BoardSettings
from monitor.quality.board import Board
from monitor.quality.series import JudgeKey, Series
from monitor.quality.summary import window_stats
from monitor.quality.windows import Ring, WindowPlan
from monitor.snapshot import EVERYTHING, WindowStats
from tests.fakes import SECOND
from tests.monitor.quality.boards import WINDOWS, board_of
from tests.monitor.quality.verdicts import NOW, reading, scored

JUDGE = JudgeKey("faithfulness", "embedded", "0123456789ab")
PLAN = WindowPlan((300.0, 3600.0, 86_400.0))


def full(ring: Ring) -> list[WindowStats]:
    """All numbers computed anew."""
    return [
        window_stats(JUDGE, EVERYTHING, length, tally, calibrated=False)
        for length, tally in zip(PLAN.lengths, ring.windows(), strict=True)
    ]


class Both:
    """A series, and the ring that it should show."""

    def __init__(self) -> None:
        self.series, self.ring = Series(JUDGE, EVERYTHING, PLAN), Ring(PLAN)

    def add(self, score: float, weight: int, now_ns: int, age_s: int = 0) -> None:
        one = reading(score, weight, now_ns - age_s * SECOND)
        self.series.add(one, None, PLAN.tick(now_ns), live=True)
        self.ring.add(one, PLAN.tick(now_ns))

    def filled(self, number: int) -> Both:
        for age in range(number):
            self.add(1.0, 1, NOW, age)
        return self

    def at(self, now_ns: int) -> tuple[list[WindowStats], list[WindowStats]]:
        """What the series shows, and the numbers computed anew."""
        self.series.advance(PLAN.tick(now_ns))
        self.ring.advance(PLAN.tick(now_ns))
        return self.series.windows(now_ns, calibrated=False), full(self.ring)


@given(st.integers(0, 2**32), st.integers(0, 800), st.sampled_from([0.1, 1.0, 4.0, 70.0]))
@settings(deadline=None, max_examples=6)
def test_each_window_is_that_of_a_moment_at_most_a_300th_of_its_length_and_10_s_ago(
    seed: int, number: int, step_s: float
) -> None:
    rng, both = random.Random(seed), Both().filled(number)
    known: list[tuple[int, list[WindowStats]]] = []
    now = NOW
    for _ in range(30):
        for _ in range(rng.randrange(3)):
            both.add(rng.choice((0.0, 0.4, 1.0)), rng.choice((1, 10)), now, rng.randrange(400))
        shown, anew = both.at(now)
        known.append((now, anew))
        for index, length in enumerate(PLAN.lengths):
            recent = [numbers[index] for at, numbers in known if now - at <= min(length / 300, 10) * SECOND]
            assert shown[index] in recent
        now += round(rng.random() * 2 * step_s * SECOND)


def test_one_verdict_among_many_waits_for_the_turn_of_a_long_window() -> None:
    both = Both().filled(1000)
    before, _ = both.at(NOW)

    both.add(0.0, 1, NOW + SECOND)
    shown, anew = both.at(NOW + SECOND)
    later, anew_later = both.at(NOW + 13 * SECOND)

    assert shown[1] == before[1] != anew[1]
    assert shown[0] == anew[0]
    assert later == anew_later


@pytest.mark.parametrize(("number", "weight"), [(200, 1), (1000, 10)])
def test_what_makes_more_than_a_300th_of_a_window_is_shown_at_once(number: int, weight: int) -> None:
    both = Both().filled(number)
    both.at(NOW)

    both.add(0.0, weight, NOW)
    shown, anew = both.at(NOW)

    assert shown == anew


def test_series_have_their_turns_at_different_times() -> None:
    """Or all windows of a length would be computed in the same second."""
    keys = [JudgeKey(f"evaluation_{number}", "embedded", "f") for number in range(50)]
    firsts = {
        next(s for s in range(13) if series._turn(1, NOW + s * SECOND) != series._turn(1, NOW))
        for series in (Series(key, EVERYTHING, PLAN) for key in keys)
    }
    assert len(firsts) > 8


def test_a_snapshot_is_the_same_whether_or_not_it_was_prepared() -> None:
    verdicts = [scored(0.1 * (n % 10), app=f"app{n % 3}") for n in range(40)]
    prepared, other = board_of(*verdicts), board_of(*verdicts)

    steps = sum(1 for _ in prepared.prepare(NOW))

    assert steps == 1 + 3 + 1  # everything, three apps, one language
    assert prepared.snapshot(NOW) == other.snapshot(NOW)
    assert list(prepared.prepare(NOW)) == []


def test_verdicts_may_come_between_the_steps_of_preparing() -> None:
    board = board_of(*[scored(0.5, app=f"app{n % 3}") for n in range(40)])
    for number, _ in enumerate(board.prepare(NOW)):
        board.add(scored(1.0, app=f"new{number}"), NOW)
        board.advance(NOW + 3600 * SECOND)

    fresh = Board(BoardSettings(windows=WINDOWS.windows))
    assert board.snapshot(NOW + 8000 * SECOND).windows == fresh.snapshot(NOW + 8000 * SECOND).windows == ()
