"""The board and time: lateness, history, what leaves the windows, and clocks that jump."""

from __future__ import annotations

import pytest

from monitor.config.settings import BoardSettings
from monitor.quality.board import Board
from monitor.snapshot import SliceKey
from tests.fakes import SECOND
from tests.monitor.quality.boards import ALL, WINDOWS, board_of, window
from tests.monitor.quality.verdicts import NOW, scored


def test_history_goes_into_the_windows_and_not_into_the_totals() -> None:
    board = board_of(scored(0.2), live=False)
    board.mark_caught_up()
    board.add(scored(0.7), NOW)

    snapshot = board.snapshot(NOW)

    assert window(snapshot).n == 2
    assert [(total.slice, total.buckets[-1], total.sum) for total in snapshot.totals] == [
        (ALL, 1, 0.7),
        (SliceKey("app", "shop"), 1, 0.7),
    ]
    assert snapshot.totals[0].exemplars == ()


def test_a_snapshot_says_whether_the_history_was_read() -> None:
    board = Board(WINDOWS)

    assert not board.snapshot(NOW).caught_up
    board.mark_caught_up()
    assert (board.snapshot(NOW).caught_up, board.snapshot(NOW).shows_quality) == (True, True)


@pytest.mark.parametrize("age_s", [301, -4000, 10**9])
def test_what_is_too_old_or_too_far_ahead_is_counted_as_late(age_s: int) -> None:
    verdict = scored(1.0, end_ns=NOW - age_s * SECOND)
    board = Board(BoardSettings(windows=(60.0, 280.0), lateness=300.0))

    assert not board.add(verdict, NOW)
    snapshot = board.snapshot(NOW)
    assert (snapshot.late, snapshot.windows) == (1, ())
    assert not board.seen(verdict.verdict_id, verdict.end_ns)


def test_history_older_than_the_windows_is_normal() -> None:
    board = Board(WINDOWS)

    assert not board.add(scored(1.0, end_ns=NOW - 9000 * SECOND), NOW, live=False)
    assert board.snapshot(NOW).late == 0


def test_a_verdict_slightly_ahead_of_our_clock_counts_when_its_time_has_come() -> None:
    board = board_of(scored(1.0, end_ns=NOW + 299 * SECOND))

    assert window(board.snapshot(NOW)).n == 0
    assert window(board.snapshot(NOW + 299 * SECOND)).n == 1


def test_a_series_that_has_run_out_of_all_windows_is_gone_and_frees_its_place() -> None:
    board = Board(BoardSettings(windows=(60.0,), slice_values=1))
    board.add(scored(1.0, app="old"), NOW)
    board.add(scored(1.0, app="new"), NOW)
    assert window(board.snapshot(NOW), SliceKey("app", "other")).n == 1

    later = NOW + 100 * SECOND
    empty = board.snapshot(later)
    board.add(scored(1.0, app="new", end_ns=later), later)

    assert (empty.windows, empty.totals) == ((), ())
    assert window(board.snapshot(later), SliceKey("app", "new")).n == 1


def test_ids_are_remembered_as_long_as_their_verdict_could_be_counted_again() -> None:
    """At every moment: a redelivered verdict is a duplicate or late, never counted twice."""
    verdict = scored(1.0, end_ns=NOW)
    board = board_of(verdict)

    for seconds in range(0, 4000, 7):
        board.advance(NOW + seconds * SECOND)
        assert not board.add(verdict, NOW + seconds * SECOND)
    assert not board.seen(verdict.verdict_id, verdict.end_ns)


def test_a_board_that_reads_back_to_its_horizon_equals_one_that_ran_all_the_time() -> None:
    verdicts = [scored(0.5, end_ns=NOW - age * SECOND) for age in range(5000, 0, -13)]
    old = Board(WINDOWS)
    for verdict in verdicts:
        old.add(verdict, verdict.end_ns)
        old.advance(verdict.end_ns)

    started = Board(WINDOWS)
    for verdict in verdicts:
        if verdict.end_ns >= NOW - started.horizon_s * SECOND:
            started.add(verdict, NOW, live=False)

    assert started.snapshot(NOW).windows == old.snapshot(NOW).windows


@pytest.mark.parametrize("jump_s", [7200, 9 * 86400])
def test_a_clock_that_jumped_ahead_and_back_leaves_a_board_that_works(jump_s: int) -> None:
    board = board_of(*(scored(1.0) for _ in range(100)), configured=BoardSettings())
    board.snapshot(NOW + jump_s * SECOND)
    ahead = board.add(scored(1.0, end_ns=NOW + jump_s * SECOND), NOW + jump_s * SECOND)
    board.snapshot(NOW)

    counted = [board.add(scored(0.0, end_ns=NOW), NOW + SECOND) for _ in range(50)]
    after = board.snapshot(NOW + SECOND)

    assert ahead
    assert all(counted)
    assert after.taken_ns == NOW + SECOND
    shortest, longest = window(after, window_s=300.0), window(after, window_s=604_800.0)
    assert shortest.n >= 50
    assert longest.n == shortest.n + (100 if jump_s == 7200 else 0)
    later = board.snapshot(NOW + (jump_s + 8 * 86400) * SECOND)
    assert later.windows == ()


def test_what_was_counted_before_the_clock_jumped_two_hours_is_still_a_duplicate() -> None:
    known = scored(1.0)
    board = board_of(known, configured=BoardSettings())
    board.snapshot(NOW + 7200 * SECOND)

    assert not board.add(known, NOW)
    assert board.snapshot(NOW).duplicates == 1


def test_time_that_goes_back_within_the_lateness_stands_still() -> None:
    board = board_of(scored(1.0))
    first = board.snapshot(NOW + 10 * SECOND)

    assert board.snapshot(NOW) == first


def test_a_week_of_a_verdict_a_minute_fills_four_windows_and_at_most_a_bucket_more() -> None:
    board = board_of(*(scored(1.0, end_ns=NOW - 60 * n * SECOND) for n in range(10_080)), configured=BoardSettings())

    counts = {stats.window_s: stats.n for stats in board.snapshot(NOW).windows if stats.slice == ALL}

    assert list(counts) == [300, 3600, 86400, 604800]
    assert all(length // 60 <= n <= length // 60 + length // 3600 + 1 for length, n in counts.items())
