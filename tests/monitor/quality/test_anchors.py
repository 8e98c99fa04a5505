"""Anchors: each row against its own first score under the same fingerprint, and in no other number."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from monitor.comparisons import AnchorScores
from monitor.config.settings import BoardSettings
from monitor.quality.anchors import AnchorBook, run_of
from monitor.quality.board import Board
from monitor.quality.memory import VerdictMemory
from monitor.records import Verdict
from tests.fakes import SECOND
from tests.monitor.quality.verdicts import NOW, failed, scored

HOUR = 3600 * SECOND
SETTINGS = BoardSettings(windows=(300.0, 7 * 86400.0))


def anchor(row: str, run: int, score: float, **more: object) -> Verdict:
    end_ns = NOW - 100 * HOUR + run * HOUR
    return scored(score, trace_id=row, request_id=str(run), end_ns=end_ns, anchor=True, **more)


def scores_of(*verdicts: Verdict) -> AnchorScores:
    book = AnchorBook()
    for verdict in verdicts:
        book.add(verdict)
    (found,) = book.scores()
    return found


def test_in_the_first_run_there_is_a_mean_and_no_change() -> None:
    found = scores_of(anchor("a", 1, 1.0), anchor("b", 1, 0.5))
    assert (found.rows, found.mean, found.compared, found.change, found.spread) == (2, 0.75, 0, None, None)


def test_each_row_is_compared_with_its_own_first_score() -> None:
    first = [anchor("a", 1, 1.0), anchor("b", 1, 0.0)]
    found = scores_of(*first, anchor("a", 2, 0.75, baseline=1.0), anchor("b", 2, 0.25, baseline=0.0))
    assert (found.rows, found.mean, found.compared, found.spread) == (2, 0.5, 2, 0.25)
    assert found.change is not None
    assert found.change.value == 0


def test_the_first_run_counts_for_ever_as_each_verdict_carries_its_score() -> None:
    runs = [anchor("a", 2, 0.9, baseline=1.0), anchor("a", 3, 0.6, baseline=1.0)]
    assert scores_of(*runs) == scores_of(anchor("a", 1, 1.0), *runs)
    assert scores_of(*runs).spread == pytest.approx(0.4)


def test_a_second_verdict_without_a_baseline_is_compared_with_the_first_one() -> None:
    found = scores_of(anchor("a", 1, 1.0), anchor("a", 2, 0.5))
    assert (found.compared, found.spread) == (1, 0.5)


def test_the_order_of_the_verdicts_does_not_matter() -> None:
    verdicts = [anchor(row, run, run / 10, baseline=0.1 if run > 1 else None) for row in "abc" for run in range(1, 6)]
    expected = scores_of(*verdicts)
    for seed in range(20):
        assert scores_of(*random.Random(seed).sample(verdicts, len(verdicts))) == expected
    for order in itertools.permutations(verdicts[:4]):
        assert scores_of(*order) == scores_of(*verdicts[:4])


def test_the_numbers_are_calibrated_when_the_whole_newest_run_is() -> None:
    first = [anchor("a", 1, 1.0), anchor("b", 1, 0.5)]
    begun = anchor("a", 2, 1.0, calibrated=True)
    assert not scores_of(*first).calibrated
    assert scores_of(*first, begun).calibrated
    assert not scores_of(*first, begun, anchor("b", 2, 0.5)).calibrated
    assert scores_of(*first, begun, anchor("b", 2, 0.5, calibrated=True)).calibrated


def test_fingerprints_have_first_runs_of_their_own() -> None:
    book = AnchorBook()
    book.add(anchor("a", 1, 1.0))
    book.add(anchor("a", 2, 0.2, fingerprint="ba9876543210"))
    assert [(one.fingerprint, one.change) for one in book.scores()] == [("0123456789ab", None), ("ba9876543210", None)]
    assert book.first("faithfulness", "embedded", "0123456789ab", "a") == 1.0
    assert book.first("faithfulness", "embedded", "ba9876543210", "a") == 0.2
    assert book.first("faithfulness", "embedded", "ba9876543210", "b") is None


def test_a_row_that_is_judged_no_more_leaves_the_numbers() -> None:
    old = [anchor("gone", run, 0.0) for run in (1, 2)]
    found = scores_of(*old, *(anchor("a", run, 1.0) for run in (1, 2, 3, 4)))
    assert (found.rows, found.mean) == (1, 1.0)


def test_a_row_that_failed_in_the_newest_run_counts_for_one_more() -> None:
    lost = replace(failed(), trace_id="b", request_id="2", anchor=True)
    found = scores_of(anchor("a", 1, 1.0), anchor("b", 1, 0.5), anchor("a", 2, 1.0), lost)
    assert (found.rows, found.mean) == (2, 0.75)


def test_a_drift_beyond_chance_is_seen_and_noise_is_not() -> None:
    rng = random.Random(9)
    first = [anchor(f"r{n}", 1, rng.choice([0.5, 1.0])) for n in range(100)]

    def later(drift: float) -> AnchorScores:
        noisy = [min(1.0, max(0.0, one.score - drift + rng.gauss(0, 0.05))) for one in first if one.score is not None]
        return scores_of(*first, *(anchor(one.trace_id, 2, score) for one, score in zip(first, noisy, strict=True)))

    calm, drifted = later(0.0).change, later(0.1).change
    assert calm is not None
    assert drifted is not None
    assert calm.lower < 0 < calm.upper
    assert drifted.upper < 0


def told_within(runs: int, *, shift: float, rows: int, seed: int) -> bool:
    """Whether the change of a judge that wavers by a quarter one time in four leaves zero after any of the runs."""
    rng = random.Random(seed)
    book = AnchorBook()
    truth = [rng.choice([0.0, 0.25, 0.5, 0.75, 1.0]) for _ in range(rows)]
    for run in range(1, runs + 2):
        for row, score in enumerate(truth):
            step = rng.choice([0.0] * 6 + [-0.25, 0.25]) - (shift if run > 1 else 0.0)
            book.add(anchor(f"r{row}", run, min(1.0, max(0.0, score + step))))
        change = book.scores()[0].change
        if change is not None and not change.lower <= 0 <= change.upper:
            return True
    return False


def test_a_judge_that_wavers_and_does_not_move_is_left_alone_for_a_month_of_daily_looks() -> None:
    assert not any(told_within(30, shift=0.0, rows=100, seed=seed) for seed in range(20))


@pytest.mark.parametrize(("shift", "rows"), [(0.1, 150), (0.05, 300)])
def test_a_judge_that_wavers_and_moves_is_told_within_a_week(shift: float, rows: int) -> None:
    assert sum(told_within(7, shift=shift, rows=rows, seed=seed) for seed in range(20)) >= 17


@pytest.mark.parametrize(("text", "run"), [("7", 7), ("", 0), ("x", 0), ("-1", 0), ("9" * 40, 0), ("²", 0)])
def test_a_run_is_a_number(text: str, run: int) -> None:
    assert run_of(replace(scored(1.0), request_id=text)) == run


# ------------------------------------------------------------------------------------------------------- on the board


def test_anchors_are_in_no_quality_number() -> None:
    traffic = [scored(0.5) for _ in range(40)]
    alone, beside = Board(SETTINGS), Board(SETTINGS)
    for verdict in traffic:
        alone.add(verdict, NOW)
        beside.add(verdict, NOW)
    beside.add(anchor("a", 1, 0.0), NOW)
    beside.add(anchor("a", 1, 0.0, shadow_of="embedded", judge="llm"), NOW)
    taken = beside.snapshot(NOW)
    assert replace(taken, anchors=()) == alone.snapshot(NOW)
    assert [one.judge for one in taken.anchors] == ["embedded", "llm"]


@pytest.mark.parametrize("kept", [VerdictMemory, Board])
def test_whoever_reads_the_topic_knows_the_first_scores(kept: type[VerdictMemory | Board]) -> None:
    memory = kept(SETTINGS)
    verdict = anchor("a", 1, 0.75)
    assert memory.add(verdict, NOW, live=False)
    assert not memory.add(verdict, NOW, live=False)
    assert memory.anchors.first("faithfulness", "embedded", "0123456789ab", "a") == 0.75
    assert memory.judges == frozenset()


def test_what_left_the_longest_window_is_forgotten() -> None:
    board = Board(SETTINGS)
    board.add(anchor("a", 1, 0.75), NOW)
    assert len(board.snapshot(NOW).anchors) == 1
    assert board.snapshot(NOW + 8 * 24 * HOUR).anchors == ()


@pytest.mark.parametrize("baseline", [-0.1, 1.5, float("nan"), True, "1"])
def test_an_anchor_with_an_impossible_first_score_is_refused(baseline: object) -> None:
    board = Board(SETTINGS)
    assert not board.add(anchor("a", 1, 0.75, baseline=baseline), NOW)
    assert board.snapshot(NOW).refused == 1
