"""Feedback is joined with verdicts once, whichever comes first, and changes no quality number."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.config.settings import BoardSettings
from monitor.feedback import Feedback, HeardFeedback
from monitor.quality.board import Board
from monitor.quality.feedback import FeedbackBoard
from monitor.quality.memory import VerdictMemory
from monitor.quality.windows import WindowPlan
from monitor.records import Verdict
from monitor.snapshot import FeedbackTotals, Sentiment, SliceKey
from tests.fakes import SECOND
from tests.growth import grows_linearly
from tests.monitor.quality.verdicts import NOW, SAMPLE, failed, scored

ALL = SliceKey("all", "all")
SETTINGS = BoardSettings(windows=(300.0, 3600.0))
HOUR = 3600 * SECOND
_numbers = itertools.count()


def heard(number: int | None = None, *, weight: int = 1, **said: object) -> HeardFeedback:
    """A person's thumb down on the sample's trace, with an id of its own."""
    given_ns = {"given_ns": NOW} if "given_ns" not in said else {}
    fields = {"negative": True} | ({} if "response_id" in said else {"trace_id": SAMPLE.trace_id}) | given_ns | said
    identifier = f"f{next(_numbers) if number is None else number}"
    return HeardFeedback(identifier, Feedback("thumb", **fields), weight)  # type: ignore[arg-type] # the test names real fields


def board_of(*lines: Verdict | HeardFeedback, live: bool = True) -> Board:
    board = Board(SETTINGS)
    for line in lines:
        give(board, line, live=live)
    return board


def give(board: Board, line: Verdict | HeardFeedback, now_ns: int = NOW, *, live: bool = True) -> bool:
    if isinstance(line, Verdict):
        return board.add(line, now_ns, live=live)
    return board.hear(line, now_ns, live=live)


def totals(board: Board, now_ns: int = NOW) -> FeedbackTotals:
    return board.snapshot(now_ns).feedback


def joined(board: Board, key: SliceKey = ALL, now_ns: int = NOW) -> list[tuple[str, bool, int, int]]:
    """Sentiment, whether a person's, how many and their weight, in one slice."""
    found = [item for item in totals(board, now_ns).joined if item.slice == key]
    return [(item.sentiment, item.human, item.count, item.weight) for item in found]


def left_out(board: Board) -> dict[str, int]:
    return {reason: count for reason, count in totals(board).left_out.items() if count}


DOWN = [("negative", True, 1, 1)]


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"response_id": "r-1"},
        {"span_id": SAMPLE.request_id},
        {"span_id": "0" * 16},
        {"trace_id": "e" * 32, "response_id": "r-1"},
    ],
)
def test_feedback_is_joined_by_trace_span_or_reply_before_and_after_the_verdict(said: dict[str, Any]) -> None:
    verdict, feedback = scored(0.5, response_id="r-1"), heard(**said)
    assert joined(board_of(verdict, feedback)) == DOWN
    assert joined(board_of(feedback, verdict)) == DOWN


def test_feedback_on_a_request_without_a_verdict_is_heard_and_not_joined() -> None:
    board = board_of(scored(0.5, response_id="r-1"), heard(trace_id="e" * 32), heard(response_id="r-2"))
    assert totals(board).joined == ()
    assert [(item.sentiment, item.count) for item in totals(board).heard] == [(Sentiment.NEGATIVE, 2)]


def test_feedback_counts_in_the_slices_of_its_request_by_what_it_says_and_by_whom() -> None:
    verdict = scored(0.5, app="shop", language="zh", weight=100)
    said = [heard(), heard(negative=False), heard(negative=None, human=False), heard(weight=10)]
    board = board_of(verdict, *said)
    want = [("negative", True, 2, 1100), ("positive", True, 1, 100), ("unrated", False, 1, 100)]
    assert joined(board) == want
    assert joined(board, SliceKey("app", "shop")) == want
    assert joined(board, SliceKey("language", "zh")) == want


def test_each_feedback_counts_once_whatever_the_verdicts_and_deliveries() -> None:
    verdicts = [scored(0.5), failed(evaluation="safety.harm"), scored(1.0, judge="llm", weight=10)]
    board = board_of(*verdicts, heard(7), heard(7), *verdicts, heard(7))
    assert (joined(board), left_out(board)) == (DOWN, {"duplicate": 2})


def test_the_weight_is_that_of_the_judge_that_saw_most_requests() -> None:
    board = board_of(scored(0.5, judge="llm", weight=100), scored(0.5, weight=10), heard())
    assert joined(board) == [("negative", True, 1, 10)]


def test_of_several_requests_of_a_trace_the_named_one_counts_else_the_first() -> None:
    verdicts = [scored(0.5, request_id="a" * 16, app="first"), scored(0.5, request_id="b" * 16, app="second")]
    board = board_of(*verdicts, heard(span_id="b" * 16))
    assert (joined(board, SliceKey("app", "second")), joined(board, SliceKey("app", "first"))) == (DOWN, [])
    assert joined(board_of(*verdicts, heard()), SliceKey("app", "first")) == DOWN


def test_history_is_known_but_not_counted_and_what_joins_later_is() -> None:
    board = board_of(scored(0.5), heard(1), heard(2, trace_id="e" * 32), live=False)
    board.mark_caught_up()
    assert totals(board) == FeedbackTotals(left_out=dict.fromkeys(totals(board).left_out, 0))
    give(board, heard(1))  # known
    give(board, heard(3))
    give(board, scored(0.5, trace_id="e" * 32))  # number 2 waited for it
    assert joined(board) == [("negative", True, 2, 2)]
    assert [item.count for item in totals(board).heard] == [1]


def test_what_left_the_longest_window_is_forgotten() -> None:
    board = board_of(scored(0.5), heard(1, trace_id="e" * 32))
    later = NOW + 2 * HOUR
    board.advance(later)
    give(board, heard(2, given_ns=later), later)
    give(board, scored(0.5, trace_id="e" * 32, end_ns=later), later)
    assert joined(board, now_ns=later) == []


@pytest.mark.parametrize("given_ns", [0, 1, NOW - 10**18, NOW + 10**18, 2**80])
def test_a_wrong_clock_loses_no_feedback_and_counts_none_twice(given_ns: int) -> None:
    board = board_of(scored(0.5), heard(1, given_ns=given_ns), heard(1, given_ns=given_ns))
    assert (joined(board), left_out(board)) == (DOWN, {"duplicate": 1})
    board.advance(NOW + 2 * HOUR)
    give(board, heard(1, given_ns=given_ns), NOW + 2 * HOUR)
    assert left_out(board) == {"duplicate": 1}  # forgotten with its window, whatever its time said


@pytest.mark.parametrize(
    "odd",
    [
        heard(trace_id=None),
        heard(trace_id=""),
        heard(trace_id="x" * 300),
        heard(response_id="x" * 300),
        heard(weight=0),
        heard(weight=10**12),
        heard(weight=True),
        replace(heard(), feedback_id=""),
        replace(heard(), feedback_id="x" * 300),
    ],
)
def test_feedback_that_makes_no_sense_is_refused(odd: HeardFeedback) -> None:
    board = board_of(scored(0.5), odd)
    assert (totals(board).heard, left_out(board)) == ((), {"refused": 1})


LINES = st.lists(
    st.one_of(
        st.builds(
            lambda number, trace, weight: scored(
                0.5, verdict_id=f"v{number}", trace_id=f"t{trace}", response_id=f"r{trace}", weight=weight
            ),
            st.integers(0, 8),
            st.integers(0, 3),
            st.just(5),
        ),
        st.builds(
            lambda number: heard(
                number,
                trace_id=f"t{number % 5}" if number % 2 else None,
                response_id=None if number % 2 else f"r{number % 5}",
                negative=[True, False, None][number % 3],
            ),
            st.integers(0, 30),
        ),
    ),
    max_size=25,
)


@settings(max_examples=150)
@given(LINES.flatmap(lambda lines: st.tuples(st.just(lines), st.permutations(lines))))
def test_the_order_and_the_number_of_deliveries_change_nothing(
    both: tuple[list[Verdict | HeardFeedback], list[Verdict | HeardFeedback]],
) -> None:
    def unordered(board: Board) -> FeedbackTotals:
        return replace(totals(board), left_out={})

    lines, shuffled = both
    # a verdict id has one request, whatever the draw
    lines, shuffled = _consistent(lines), _consistent(shuffled, like=lines)
    assert unordered(board_of(*shuffled, *lines)) == unordered(board_of(*lines))


def _consistent(
    lines: list[Verdict | HeardFeedback], like: list[Verdict | HeardFeedback] | None = None
) -> list[Verdict | HeardFeedback]:
    first: dict[str, Verdict] = {}
    for line in like or lines:
        if isinstance(line, Verdict):
            first.setdefault(line.verdict_id, line)
    return [first[line.verdict_id] if isinstance(line, Verdict) else line for line in lines]


@given(LINES)
def test_no_feedback_changes_a_quality_number(lines: list[Verdict | HeardFeedback]) -> None:
    quiet = board_of(*(line for line in lines if isinstance(line, Verdict))).snapshot(NOW)
    assert replace(board_of(*lines).snapshot(NOW), feedback=quiet.feedback) == quiet


def test_a_flood_is_bounded_in_everything_that_it_fills() -> None:
    board = FeedbackBoard(WindowPlan((300.0, 3600.0)), names=50, feedback=1000, waiting=100)
    for number in range(3000):
        forged = heard(trace_id=f"forged{number}", response_id=f"r{number}", span_id=f"s{number}")
        board.hear(forged, NOW, live=True)
        board.judged(scored(0.0, trace_id=f"t{number}"), (ALL,), live=True)
    assert (len(board._ids), len(board._waiting), len(board._index)) == (1000, 100, 50)
    assert len(board._by_name) == 300
    assert board.totals().left_out == {"duplicate": 0, "refused": 0, "too_many": 2000, "forgotten": 900}


def test_a_flood_on_one_request_takes_time_in_proportion() -> None:
    def flood(count: int) -> Callable[[], object]:
        board = FeedbackBoard(WindowPlan((300.0,)), waiting=count)
        lines = [heard() for _ in range(count)]

        def hear() -> None:
            for line in lines:
                board.hear(line, NOW, live=True)
            board.judged(SAMPLE, (ALL,), live=True)
            assert board.totals().joined[0].count == count

        return hear

    assert grows_linearly(flood, 2000)


def test_a_process_without_a_board_lets_feedback_go() -> None:
    assert not VerdictMemory(SETTINGS).hear(heard(), NOW)
