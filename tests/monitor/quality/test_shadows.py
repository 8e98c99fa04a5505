"""Candidates on the board: compared with their incumbent, and in no other number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from monitor.config.settings import BoardSettings
from monitor.quality.board import Board
from monitor.quality.shadows import MAX_PAIRS, Shadows
from monitor.records import Verdict
from monitor.snapshot import Snapshot
from tests.fakes import SECOND
from tests.monitor.quality.verdicts import NOW, scored

SETTINGS = BoardSettings(windows=(300.0, 3600.0))


def both(number: int, one: float, other: float, end_ns: int = NOW) -> tuple[Verdict, Verdict]:
    """A candidate's and its incumbent's verdict on one request, in the order in which they are written."""
    incumbent = scored(one, trace_id=f"t{number}", request_id="", end_ns=end_ns, verdict_id=f"i{number}")
    shadow = replace(incumbent, judge="llm", fingerprint="ba9876543210", shadow_of="embedded", score=other)
    return replace(shadow, verdict_id=f"c{number}"), incumbent


def board_of(verdicts: Iterator[Verdict] | list[Verdict]) -> Board:
    board = Board(SETTINGS)
    board.mark_caught_up()
    for verdict in verdicts:
        board.add(verdict, NOW)
    return board


def history() -> list[Verdict]:
    rng = random.Random(5)
    return [one for number in range(60) for one in both(number, rng.choice([0, 0.5, 1]), rng.choice([0, 1]))]


def without_shadows(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, shadows=())


def test_no_number_of_the_incumbent_or_of_the_board_takes_a_shadow() -> None:
    verdicts = history()
    counting = [verdict for verdict in verdicts if not verdict.shadow_of]
    beside, alone = board_of(verdicts).snapshot(NOW), board_of(counting).snapshot(NOW)
    assert without_shadows(beside) == alone
    assert {window.judge for window in beside.windows} == {"embedded"}


def test_a_candidate_is_compared_on_the_requests_that_both_judged() -> None:
    verdicts = [*both(1, 1.0, 0.5), *both(2, 0.5, 0.5), both(3, 0.0, 1.0)[0]]
    (found,) = board_of(verdicts).snapshot(NOW).shadows
    assert (found.incumbent.judge, found.candidate.judge, found.requests, found.pairs) == ("embedded", "llm", 2, 2)
    assert found.difference is not None
    assert found.difference.value == -0.25


def test_a_verdict_told_twice_is_compared_once() -> None:
    verdicts = list(both(1, 1.0, 0.5))
    board = board_of([*verdicts, *verdicts])
    assert board.snapshot(NOW).shadows[0].requests == 1
    assert board.snapshot(NOW).duplicates == 2


def test_the_order_of_requests_does_not_matter() -> None:
    pairs = [both(number, number % 3 / 2, number % 2, NOW - number * SECOND) for number in range(100)]
    shuffled = random.Random(2).sample(pairs, len(pairs))
    one, other = (board_of([v for p in order for v in p]).snapshot(NOW).shadows for order in (pairs, shuffled))
    assert one == other


def test_what_left_the_longest_window_is_compared_no_more() -> None:
    board = board_of(list(both(1, 1.0, 0.0)))
    assert len(board.snapshot(NOW).shadows) == 1
    assert board.snapshot(NOW + 3700 * SECOND).shadows == ()


def test_the_newest_requests_count_and_memory_is_bounded() -> None:
    shadows = Shadows()
    for number in range(MAX_PAIRS + 900):
        for verdict in both(number, 1.0, 0.0 if number < 900 else 1.0, NOW + number):
            shadows.add(verdict)
    (found,) = shadows.comparisons()
    assert found.pairs == MAX_PAIRS
    assert found.difference is not None
    assert found.difference.value == 0


def test_incumbents_that_wait_for_a_candidate_that_is_gone_do_not_pile_up() -> None:
    shadows = Shadows()
    for verdict in both(0, 1.0, 1.0):
        shadows.add(verdict)
    for number in range(1, 5000):
        shadows.add(both(number, 1.0, 1.0)[1])
    assert shadows.comparisons()[0].requests == 1
    shadows.forget(NOW)
    assert shadows.comparisons() == ()
