"""The search for the last N records of a topic whose offsets have gaps."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from monitor.kafka_client.topic import Offsets
from monitor.offline.last import LastRecords, fair_shares
from monitor.records import TopicPartition

Topic = Mapping[TopicPartition, tuple[Offsets, list[int]]]


@st.composite
def topics(draw: st.DrawFn, *, gaps: bool = True) -> Topic:
    """Partitions with the offsets of their records; without `gaps` every offset is one."""
    topic = {}
    for number in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, 50))
        end = begin + draw(st.integers(0, 3000))
        if gaps:
            step = draw(st.sampled_from([1, 2, 7, 900]))
            records = [offset for offset in range(begin, end, step) if offset % 11 or step > 7]
        else:
            records = list(range(begin, end))
        topic[TopicPartition("t", number)] = (Offsets(begin, end), records)
    return topic


def find(topic: Topic, wanted: int) -> tuple[Mapping[TopicPartition, list[int]], int, int]:
    """The records found, how often windows were asked for, and how many offsets were looked at."""
    search = LastRecords(wanted, {tp: offsets for tp, (offsets, _) in topic.items()})
    turns = looked_at = 0
    while windows := search.windows():
        turns += 1
        for tp, window in windows.items():
            looked_at += window.end - window.begin
            inside = [offset for offset in topic[tp][1] if window.begin <= offset < window.end]
            for first in range(0, len(inside), 500):
                search.saw(tp, inside[first : first + 500])
    found = {}
    for tp, part in search.ranges().items():
        assert part.end == topic[tp][0].end
        found[tp] = [offset for offset in topic[tp][1] if part.begin <= offset]
    return found, turns, looked_at


@given(topics(), st.integers(1, 2000))
def test_the_last_records_are_found_whatever_is_missing_between_them(topic: Topic, wanted: int) -> None:
    found, _, _ = find(topic, wanted)
    there = {tp: len(records) for tp, (_, records) in topic.items()}
    counts = {tp: len(found.get(tp, ())) for tp in topic}
    assert sum(counts.values()) == min(wanted, sum(there.values()))
    not_exhausted = [count for tp, count in counts.items() if count < there[tp]]
    assert all(count <= min(not_exhausted) + 1 for count in counts.values()) if not_exhausted else True


@given(topics(gaps=False), st.integers(1, 2000))
def test_without_gaps_one_look_is_enough_and_shows_nothing_else(topic: Topic, wanted: int) -> None:
    found, turns, looked_at = find(topic, wanted)
    assert turns <= 1
    assert looked_at == sum(map(len, found.values())) == min(wanted, sum(len(records) for _, records in topic.values()))


def test_few_records_among_many_offsets_are_found_in_few_looks() -> None:
    tp = TopicPartition("t", 0)
    found, turns, _ = find({tp: (Offsets(0, 1_000_000), [0, 5, 10])}, 2)
    assert (found, turns <= 12) == ({tp: [5, 10]}, True)


def test_shares_are_equal_but_for_partitions_that_have_less() -> None:
    a, b, c = (TopicPartition("t", number) for number in range(3))
    assert fair_shares(10, {a: 2, b: 100, c: 100}) == {a: 2, b: 4, c: 4}
    assert fair_shares(11, {a: 2, b: 100, c: 100}) == {a: 2, b: 4, c: 5}
    assert fair_shares(1000, {a: 2, b: 3, c: 0}) == {a: 2, b: 3, c: 0}
    assert fair_shares(2, {a: 9, b: 9, c: 9}) == {a: 0, b: 1, c: 1}
    assert fair_shares(5, {}) == {}
