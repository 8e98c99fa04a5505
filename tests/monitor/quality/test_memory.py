"""What a judge remembers of the verdict topic is what a board remembers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.config.settings import BoardSettings
from monitor.quality.board import Board
from monitor.quality.memory import VerdictMemory
from tests.fakes import SECOND
from tests.monitor.quality.verdicts import NOW, scored

SETTINGS = BoardSettings(windows=(300.0, 3600.0), lateness=300.0)

# the id of a verdict, its age in seconds, how far the clock moves, whether it is live, whether a snapshot is taken
STEPS = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.integers(-400, 4000),
        st.sampled_from([0, 1, 60, 299, 1800, 5000, -200, -301, -9000]),
        st.booleans(),
        st.booleans(),
    ),
    max_size=40,
)


@given(STEPS)
def test_it_knows_the_verdicts_that_a_board_knows_whatever_the_clock_does(
    steps: list[tuple[str, int, int, bool, bool]],
) -> None:
    board, memory, now = Board(SETTINGS), VerdictMemory(SETTINGS), NOW
    asked = []
    for name, age, moved, live, looked in steps:
        now += moved * SECOND
        verdict = scored(0.5, verdict_id=name, end_ns=now - age * SECOND)
        assert memory.add(verdict, now, live=live) == board.add(verdict, now, live=live)
        asked.append((name, verdict.end_ns))
        if looked:
            ours, theirs = memory.snapshot(now), board.snapshot(now)
            assert (ours.taken_ns, ours.duplicates, ours.late) == (theirs.taken_ns, theirs.duplicates, theirs.late)
    assert [memory.seen(*pair) for pair in asked] == [board.seen(*pair) for pair in asked]
    assert memory.horizon_s == board.horizon_s


def test_its_snapshot_says_that_the_history_was_read_and_holds_no_quality() -> None:
    memory = VerdictMemory(SETTINGS)
    memory.add(scored(0.5), NOW)
    assert not memory.snapshot(NOW).caught_up
    memory.mark_caught_up()
    snapshot = memory.snapshot(NOW)
    assert snapshot.caught_up
    assert (snapshot.windows, snapshot.totals, snapshot.worst, snapshot.shows_quality) == ((), (), (), False)
