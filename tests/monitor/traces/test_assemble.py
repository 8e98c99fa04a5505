from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config.settings import Assembly
from monitor.records import Position, TopicPartition
from monitor.traces.assemble import Added, Assembler
from monitor.wire import Assembled, CloseReason, LogEvent, Span, SpanEvent

SETTINGS = Assembly(quiet=2.0, timeout=30.0)
REMOTE = 0x300
HERE, THERE = TopicPartition("otlp_spans", 0), TopicPartition("otlp_spans", 1)


def at(offset: int, partition: TopicPartition = HERE) -> Position:
    return Position(*partition, offset)


def span(span_id: str, parent_id: str = "", trace_id: str = "t", **fields: object) -> Span:
    base = Span(trace_id, span_id, parent_id, name=span_id, start_ns=ord(span_id[0]), end_ns=1000)
    return replace(base, **fields)  # type: ignore[arg-type]  # a test's own choice of fields


def log(span_id: str, name: str, time_ns: int = 1, trace_id: str = "t") -> LogEvent:
    return LogEvent(trace_id, span_id, SpanEvent(name, time_ns, {"k": name}, {"content": name}))


def ids(assembled: Assembled) -> list[str]:
    return [part.span_id for part in assembled.spans]


# ------------------------------------------------------------------------------------------------------------- closing


def test_a_complete_trace_closes_after_the_quiet_time() -> None:
    assembler = Assembler(SETTINGS)

    added = assembler.add([span("root"), span("child", "root")], [], at(7), 10.0)

    assert added == Added(held=frozenset({"t"}))
    assert assembler.due(11.9) == []
    (closed,) = assembler.due(12.0)
    assert (closed.trace_id, ids(closed), closed.positions, closed.reason) == (
        "t",
        ["child", "root"],
        (at(7),),
        CloseReason.QUIET,
    )
    assert (assembler.due(100.0), assembler.open_traces, assembler.open_spans, assembler.held_bytes) == ([], 0, 0, 0)


def test_every_further_span_starts_the_quiet_time_again() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("root")], [], at(0), 0.0)
    assembler.add([span("child", "root")], [], at(1), 1.5)

    assert assembler.due(3.0) == []
    assert [ids(closed) for closed in assembler.due(3.5)] == [["child", "root"]]


@pytest.mark.parametrize(
    ("spans", "complete"),
    [
        ([span("root")], True),
        ([span("a", "gone", flags=REMOTE)], True),
        ([span("a", "gone", flags=0x100)], False),
        ([span("child", "root")], False),
        ([span("root"), span("orphan", "gone")], False),
        ([span("b", "a"), span("a", "b")], False),
        ([span("root"), span("other root"), span("child", "root")], True),
        ([span("a", "gone", flags=REMOTE), span("b", "a")], True),
    ],
)
def test_a_trace_is_complete_with_a_top_and_every_local_parent(spans: list[Span], complete: bool) -> None:  # noqa: FBT001 - a table
    assembler = Assembler(SETTINGS)

    assembler.add(spans, [], at(0), 0.0)

    due_at = 2.0 if complete else 30.0
    assert assembler.due(due_at - 0.1) == []
    (closed,) = assembler.due(due_at)
    assert closed.reason is (CloseReason.QUIET if complete else CloseReason.TIMEOUT)


def test_a_late_orphan_takes_a_trace_out_of_the_quiet_and_its_parent_brings_it_back() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("root")], [], at(0), 0.0)
    assembler.add([span("leaf", "middle")], [], at(1), 1.0)

    assert assembler.due(10.0) == []

    assembler.add([span("middle", "root")], [], at(2), 10.0)

    assert [ids(closed) for closed in assembler.due(12.0)] == [["leaf", "middle", "root"]]


def test_the_timeout_counts_from_the_first_span_and_outruns_the_quiet_time() -> None:
    assembler = Assembler(SETTINGS)
    for second in range(30):
        assembler.add([span("root"), span(f"{second:02}", "root")], [], at(second), float(second))

    (closed,) = assembler.due(30.0)

    assert (closed.reason, len(closed.spans)) == (CloseReason.TIMEOUT, 31)


def test_flush_gives_every_open_trace() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("a", "gone"), span("b", trace_id="u")], [], at(0), 0.0)

    assert [(closed.trace_id, closed.reason) for closed in assembler.flush()] == [
        ("t", CloseReason.FLUSHED),
        ("u", CloseReason.FLUSHED),
    ]
    assert assembler.flush() == []


# ------------------------------------------------------------------------------------------------ late and duplicates


def test_a_span_of_a_closed_trace_is_late_counted_and_not_held() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("root")], [], at(0), 0.0)
    assembler.due(2.0)

    added = assembler.add([span("late", "root"), span("x", trace_id="u")], [log("root", "e")], at(1), 3.0)

    assert added == Added(held=frozenset({"u"}), late=1, duplicates=0, late_logs=1)
    assert assembler.decided("t")
    assert not assembler.decided("u")


def test_what_the_caller_refused_is_late_too() -> None:
    assembler = Assembler(SETTINGS)
    assembler.remember("t")

    assert assembler.add([span("root")], [], at(0), 0.0) == Added(held=frozenset(), late=1)


def test_the_cache_of_decided_traces_forgets_the_least_recently_used() -> None:
    assembler = Assembler(SETTINGS.model_copy(update={"decided_cache": 2}))
    assembler.remember("a")
    assembler.remember("b")
    assert assembler.decided("a")

    assembler.remember("c")

    assert [assembler.decided(trace_id) for trace_id in "abc"] == [True, False, True]


def test_of_two_spans_with_one_id_the_fuller_is_kept() -> None:
    poor, rich = span("root", attributes={"a": 1}), span("root", attributes={"a": 1, "b": 2})
    for first, second in itertools.permutations([poor, rich]):
        assembler = Assembler(SETTINGS)
        assembler.add([first], [], at(0), 0.0)

        added = assembler.add([second], [], at(1), 0.0)

        assert added == Added(held=frozenset({"t"}), duplicates=1)
        (closed,) = assembler.flush()
        assert closed.spans == (rich,)


def test_a_fuller_duplicate_may_name_another_parent() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("a", "gone")], [], at(0), 0.0)
    assembler.add([span("a", attributes={"k": 1})], [], at(1), 0.0)

    assert [closed.reason for closed in assembler.due(2.0)] == [CloseReason.QUIET]


def test_the_same_record_again_is_not_held_twice() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("root")], [], at(0), 0.0)
    taken = assembler.held_bytes

    assert assembler.add([span("root")], [], at(0), 0.5) == Added(held=frozenset(), duplicates=1)
    assert assembler.held_bytes == taken > 0
    (closed,) = assembler.flush()
    assert closed.positions == (at(0),)


def test_a_record_of_several_traces_is_held_once_by_each() -> None:
    assembler = Assembler(SETTINGS)

    added = assembler.add([span("a"), span("b", trace_id="u"), span("c", "a")], [], at(0), 0.0)

    assert added.held == frozenset({"t", "u"})


def test_a_record_without_parts_holds_nothing() -> None:
    assert Assembler(SETTINGS).add([], [], at(0), 0.0) == Added(held=frozenset())


# ---------------------------------------------------------------------------------------------------------------- logs


def test_log_events_join_the_events_of_their_span_once_and_in_time() -> None:
    own = SpanEvent("own", 5, {})
    assembler = Assembler(SETTINGS)
    assembler.add([], [log("root", "later", 9), log("root", "first", 3)], at(0), 0.0)
    assembler.add([span("root", events=(own,))], [log("root", "later", 9), log("nowhere", "x")], at(1), 0.0)

    (closed,) = assembler.due(2.0)

    assert closed.spans[0].events == (own, log("root", "first", 3).event, log("root", "later", 9).event)


def test_logs_alone_wait_for_their_span_until_the_timeout() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([], [log("root", "e")], at(0), 0.0)

    assert assembler.due(29.9) == []
    assert [(closed.spans, closed.positions) for closed in assembler.due(30.0)] == [((), (at(0),))]


# -------------------------------------------------------------------------------------------------------------- bounds


def test_beyond_the_bound_on_traces_the_oldest_is_taken_as_it_is() -> None:
    assembler = Assembler(SETTINGS.model_copy(update={"max_traces": 2}))
    for offset, trace_id in enumerate("abc"):
        assembler.add([span("x", "gone", trace_id=trace_id)], [], at(offset), float(offset))

    assert (assembler.open_traces, assembler.open_spans) == (2, 3)
    (closed,) = assembler.due(2.0)
    assert (closed.trace_id, closed.reason, closed.positions) == ("a", CloseReason.EVICTED, (at(0),))
    assert (assembler.open_spans, assembler.due(30.9)) == (2, [])
    assert assembler.decided("a")


def test_beyond_the_bound_on_bytes_the_oldest_go_until_there_is_room() -> None:
    one = Assembler(SETTINGS)
    one.add([span("x", "gone", trace_id="a")], [], at(0), 0.0)
    assembler = Assembler(SETTINGS.model_copy(update={"max_bytes": 5 * one.held_bytes // 2}))
    for offset, trace_id in enumerate("abc"):
        assembler.add([span("x", "gone", trace_id=trace_id)], [], at(offset), 0.0)
    assert [closed.trace_id for closed in assembler.due(0.0)] == ["a"]
    assert assembler.held_bytes == 2 * one.held_bytes

    assembler.add([span("x", "gone", trace_id="d", name="long" * one.held_bytes)], [], at(3), 0.0)

    assert assembler.open_traces == 0
    assert [closed.trace_id for closed in assembler.due(0.0)] == ["b", "c", "d"]
    assert assembler.held_bytes == 0


def test_evicted_traces_count_until_they_are_given_out() -> None:
    """They are in memory all the same: whoever takes them out where it is crowded stays inside the bound."""
    one = Assembler(SETTINGS)
    one.add([span("x", "gone", trace_id="a")], [], at(0), 0.0)
    size = one.held_bytes
    assembler = Assembler(SETTINGS.model_copy(update={"max_bytes": 5 * size // 2}))
    for offset, trace_id in enumerate("abc"):
        assert not assembler.crowded
        assembler.add([span("x", "gone", trace_id=trace_id)], [], at(offset), 0.0)
    assert (assembler.held_bytes, assembler.crowded) == (3 * size, True)

    assert [closed.trace_id for closed in assembler.due(0.0)] == ["a"]
    assert (assembler.held_bytes, assembler.crowded) == (2 * size, False)


def test_every_closed_trace_is_counted_by_why() -> None:
    assembler = Assembler(SETTINGS.model_copy(update={"max_traces": 3}))
    for offset, trace_id in enumerate("abcd"):
        assembler.add([span("x", "" if trace_id == "b" else "gone", trace_id=trace_id)], [], at(offset), 0.0)
    assembler.due(SETTINGS.timeout - 0.5)
    assert assembler.closed == {"quiet": 1, "timeout": 0, "evicted": 1, "flushed": 0}
    assembler.due(SETTINGS.timeout)
    assembler.add([span("x", "gone", trace_id="e")], [], at(5), 2 * SETTINGS.timeout)
    assembler.flush()
    assert assembler.closed == {"quiet": 1, "timeout": 2, "evicted": 1, "flushed": 1}


def test_evicted_traces_of_a_partition_that_is_taken_away_take_no_memory() -> None:
    assembler = Assembler(SETTINGS.model_copy(update={"max_traces": 1}))
    for offset, trace_id in enumerate("ab"):
        assembler.add([span("x", "gone", trace_id=trace_id)], [], at(offset), 0.0)
    held = assembler.held_bytes

    assembler.drop([TopicPartition(at(0).topic, at(0).partition)])

    assert held > 0
    assert (assembler.held_bytes, assembler.open_spans, assembler.due(0.0)) == (0, 0, [])


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 4), st.floats(0, 3)), max_size=300))
def test_bounds_hold_and_every_span_comes_out_exactly_once(steps: list[tuple[int, int, float]]) -> None:
    assembler = Assembler(Assembly(quiet=2, timeout=5, max_traces=10, max_bytes=1 << 20, decided_cache=50))
    taken, given_out, refused, now = 0, 0, 0, 0.0
    for offset, (trace, number, wait) in enumerate(steps):
        now += wait
        added = assembler.add([span(f"{number}", "0" if number else "", f"{trace}")], [], at(offset), now)
        taken, refused = taken + 1, refused + added.late + added.duplicates
        given_out += sum(len(closed.spans) for closed in assembler.due(now))
        assert assembler.due(now) == []
        assert assembler.open_traces <= 10
        assert assembler.held_bytes <= 1 << 20
        assert taken == given_out + refused + assembler.open_spans
        assert len(assembler._decided._traces) <= 50
    given_out += sum(len(closed.spans) for closed in assembler.flush())
    assert (taken, assembler.open_spans, assembler.held_bytes) == (given_out + refused, 0, 0)


def test_many_open_traces_cost_no_more_per_call_than_one() -> None:
    """`due` looks at the head of each queue only: nothing is due, so nothing is touched."""
    assembler = Assembler(SETTINGS.model_copy(update={"max_traces": 200_000}))
    opened = [span("x", "gone", trace_id=str(number)) for number in range(30_000)]
    for offset, part in enumerate(opened):
        assembler.add([part], [], at(offset), 0.0)

    for _ in range(30_000):
        assert assembler.due(29.0) == []


# ---------------------------------------------------------------------------------------------------------- revocation


def test_traces_of_a_revoked_partition_are_forgotten_and_start_anew() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("root", trace_id="u")], [], at(0, THERE), 0.0)
    left = assembler.held_bytes
    assembler.add([span("root"), span("a", "root")], [], at(0, HERE), 0.0)

    assert assembler.drop([HERE]) == 2
    assert (assembler.open_traces, assembler.open_spans, assembler.held_bytes) == (1, 1, left)
    assert [closed.trace_id for closed in assembler.due(2.0)] == ["u"]
    assert not assembler.decided("t")
    assert assembler.add([span("root")], [], at(0, HERE), 3.0).held == {"t"}


def test_a_trace_over_two_partitions_keeps_its_spans_and_the_position_that_is_left() -> None:
    assembler = Assembler(SETTINGS)
    assembler.add([span("root")], [], at(0, HERE), 0.0)
    assembler.add([span("a", "root")], [], at(5, THERE), 0.0)

    assert assembler.drop([HERE]) == 0
    assert [(ids(closed), closed.positions) for closed in assembler.due(2.0)] == [(["a", "root"], (at(5, THERE),))]


def test_evicted_traces_of_a_revoked_partition_are_not_given_out() -> None:
    assembler = Assembler(SETTINGS.model_copy(update={"max_traces": 1}))
    assembler.add([span("root")], [], at(0, HERE), 0.0)
    assembler.add([span("root", trace_id="u")], [], at(0, THERE), 0.0)

    assert assembler.drop([HERE]) == 1
    assert assembler.due(0.0) == []
    assert assembler.open_spans == 1


def test_a_closed_trace_of_a_revoked_partition_is_taken_again_unless_it_is_settled() -> None:
    """Its record was not committed and comes again: taken for late, it would be committed and lost."""
    assembler = Assembler(SETTINGS)
    for trace_id in ("open", "settled"):
        assembler.add([span("root", trace_id=trace_id)], [], at(0), 0.0)
    assembler.due(2.0)
    assembler.remember("settled")

    assembler.drop([HERE])

    assert (assembler.decided("open"), assembler.decided("settled")) == (False, True)
