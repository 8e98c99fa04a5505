from __future__ import annotations

import random
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from monitor.records import Position, TopicPartition
from monitor.sources.offsets import OffsetLedger

TP = TopicPartition("traces", 0)


def position(offset: int, generation: int = 1, tp: TopicPartition = TP) -> Position:
    return Position(tp.topic, tp.partition, offset, generation)


def ledger() -> OffsetLedger:
    result = OffsetLedger()
    result.assign(TP)
    return result


def test_nothing_can_be_committed_before_the_first_batch() -> None:
    offsets = ledger()
    offsets.hold(position(7))
    assert offsets.committable() == {}


def test_without_holds_the_position_is_committed() -> None:
    offsets = ledger()
    offsets.fetched(TP, 12)
    assert offsets.committable() == {TP: 12}


def test_a_hold_beyond_the_position_does_not_move_the_commit_past_the_position() -> None:
    offsets = ledger()
    offsets.fetched(TP, 5)
    offsets.hold(position(9))
    assert offsets.committable() == {TP: 5}


def test_fc_023_a_slow_record_keeps_the_commit_at_its_offset() -> None:
    offsets = ledger()
    for offset in range(1, 11):
        offsets.hold(position(offset))
    offsets.fetched(TP, 11)
    for offset in (10, 1, 2, 3, 4, 6, 9, 7, 8):
        offsets.release(position(offset))
    assert offsets.committable() == {TP: 5}

    offsets.release(position(5))
    assert offsets.committable() == {TP: 11}


def test_a_record_with_two_requests_is_held_until_both_are_done() -> None:
    offsets = ledger()
    offsets.hold(position(3), count=2)
    offsets.fetched(TP, 4)
    offsets.release(position(3))
    assert offsets.committable() == {TP: 3}
    offsets.release(position(3))
    assert offsets.committable() == {TP: 4}


def test_a_release_of_an_older_generation_changes_nothing() -> None:
    offsets = ledger()
    offsets.hold(position(3))
    offsets.fetched(TP, 9)
    assert offsets.assign(TP) == 2
    offsets.hold(position(3, generation=2))
    offsets.fetched(TP, 5)
    offsets.release(position(3, generation=1))
    assert offsets.committable() == {TP: 3}


def test_a_hold_of_an_older_generation_changes_nothing() -> None:
    offsets = ledger()
    offsets.assign(TP)
    offsets.hold(position(0, generation=1))
    offsets.fetched(TP, 2)
    assert offsets.committable() == {TP: 2}


def test_a_dropped_partition_is_not_committed() -> None:
    offsets = ledger()
    offsets.fetched(TP, 9)
    offsets.drop(TP)
    offsets.drop(TP)
    offsets.hold(position(3))
    offsets.release(position(3))
    offsets.fetched(TP, 10)
    assert offsets.committable() == {}
    assert offsets.generation(TP) == 2  # what is still under way is stale at once
    assert offsets.assign(TP) == 3


def test_a_partition_that_was_never_assigned_has_generation_zero() -> None:
    assert OffsetLedger().generation(TP) == 0


def test_partitions_do_not_touch_each_other() -> None:
    other = TopicPartition("traces", 1)
    offsets = ledger()
    offsets.assign(other)
    offsets.hold(position(2))
    offsets.hold(position(6, tp=other))
    offsets.fetched(TP, 8)
    offsets.fetched(other, 8)
    offsets.release(position(2))
    assert offsets.committable() == {TP: 8, other: 6}


def test_a_position_never_goes_back_within_a_generation() -> None:
    offsets = ledger()
    offsets.fetched(TP, 9)
    offsets.fetched(TP, 4)
    assert offsets.committable() == {TP: 9}


def test_released_entries_do_not_pile_up_behind_one_that_is_stuck() -> None:
    offsets = ledger()
    offsets.hold(position(0))
    for offset in range(1, 20_000):
        offsets.hold(position(offset))
        offsets.release(position(offset))
    offsets.fetched(TP, 20_000)
    assert offsets.committable() == {TP: 0}
    assert len(offsets._partitions[TP].order) < 100


@given(st.lists(st.integers(0, 50), max_size=60, unique=True), st.randoms(use_true_random=False))
def test_the_order_of_releases_is_irrelevant(held: list[int], rng: random.Random) -> None:
    done = [offset for offset in held if rng.random() < 0.7]
    results = []
    for _ in range(3):
        offsets = ledger()
        for offset in held:
            offsets.hold(position(offset))
        offsets.fetched(TP, 51)
        rng.shuffle(done)
        for offset in done:
            offsets.release(position(offset))
        results.append(offsets.committable())
    assert results == [{TP: min(set(held) - set(done), default=51)}] * 3


@dataclass
class Model:
    """The ledger's rule in its plainest form: a multiset of open offsets and a position."""

    open: dict[int, int] = field(default_factory=dict)
    position: int | None = None

    def committable(self) -> dict[TopicPartition, int]:
        if self.position is None:
            return {}
        return {TP: min([*self.open, self.position])}


@given(st.randoms(use_true_random=False))
def test_commits_never_pass_a_held_offset_and_never_go_back(rng: random.Random) -> None:
    offsets, model, last = ledger(), Model(), 0
    for _ in range(rng.randint(1, 40)):
        if model.open and rng.random() < 0.5:
            offset = rng.choice(sorted(model.open))
            offsets.release(position(offset))
            model.open[offset] -= 1
            if not model.open[offset]:
                del model.open[offset]
        else:
            first = model.position or 0
            size = rng.randint(0, 6)
            for offset in range(first, first + size):
                if count := rng.randint(0, 2):
                    offsets.hold(position(offset), count)
                    model.open[offset] = count
            model.position = first + size
            offsets.fetched(TP, model.position)
        committable = offsets.committable()
        assert committable == model.committable()
        assert committable.get(TP, 0) >= last
        last = committable.get(TP, 0)
