"""Rules of the judge role when partitions come and go."""

from __future__ import annotations

import asyncio

import pytest

from monitor.wire import Batch
from tests import virtual_time
from tests.fakes import FakeSource
from tests.monitor.streams import (
    Rig,
    entry,
    live,
    otlp,
    plain,
    plain_topic,
    record,
    retrieval,
    slow,
    tps,
)
from tests.virtual_time import VirtualClock

REGION = 1 << 56


def test_a_revoked_partition_has_its_running_judgements_finished_and_committed_and_the_queued_ones_abandoned() -> None:
    judge = slow(3)

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(1)
        await rig.source.revoke(tps())

    rig = live(FakeSource(plain_topic("abcd"), endless=True), act, judge, judging={"workers": 2})
    assert rig.judged() == {"a", "b"}
    assert [trace.trace_id for trace in judge.asked] == ["a", "b"]
    assert rig.dropped("judge") == {"revoked": 2}
    assert rig.source.committed == {tps()[0]: 2}


def test_a_judgement_that_takes_too_long_does_not_hold_up_the_group_and_moves_nothing_afterwards() -> None:
    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(1)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await rig.source.revoke(tps())
        assert loop.time() - began == pytest.approx(5, abs=0.1)
        await rig.source.assign(tps())
        await asyncio.sleep(0.5)
        before = rig.pipeline.committable()
        await asyncio.sleep(8)  # the old judgement ends, the new one does not
        assert rig.pipeline.committable() == before == {tps()[0]: 0}
        await asyncio.sleep(20)
        assert rig.source.committed == rig.source.ends

    rig = live(FakeSource(plain_topic("a"), endless=True), act, slow(10))
    assert len({verdict.verdict_id for verdict in rig.verdicts.items}) == 1


def test_partitions_that_stay_are_judged_on_in_a_rebalance() -> None:
    topic = [*plain_topic("ab"), record(plain("c"), 0, 1), record(plain("d"), 1, 1)]

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(0.5)
        await rig.source.revoke(tps(1))
        await asyncio.sleep(20)

    rig = live(FakeSource(topic, endless=True), act, slow(1), judging={"workers": 1})
    assert {"a", "b"} <= rig.judged()
    assert "d" not in rig.judged()
    assert rig.source.committed[tps(0)[0]] == 2


def test_open_traces_of_a_lost_partition_are_forgotten_and_read_again() -> None:
    id_ = "1" * 32
    topic = [record(otlp(retrieval(id_)), 0), record(otlp(entry(id_)), 1)]

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(1)
        await rig.source.lose(tps())
        assert rig.pipeline.in_flight()["assemble"] == 0
        await rig.source.assign(tps())
        await asyncio.sleep(20)

    rig = live(FakeSource(topic, endless=True), act)
    assert rig.judged() == {id_}
    assert rig.dropped("assemble") == {"revoked": 2}
    assert rig.source.committed == rig.source.ends


@pytest.mark.parametrize("again", [False, True])
def test_a_batch_that_is_on_its_way_through_intake_when_its_partition_goes_is_left(again: bool) -> None:  # noqa: FBT001 - a table
    """The rest would be opened with positions that nobody waits for, and its records, read again, be late for it."""
    batch = Batch(tps()[0], [record(otlp(entry(f"{n:032x}"), retrieval(f"{n:032x}")), n) for n in range(1, 61)], 61)

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(FakeSource([]), clock)
        await rig.pipeline.assigned(tps()[:1])
        items = rig.pipeline.intake.take(batch, 1, 0.0, 0)
        next(items)
        assert 0 < rig.pipeline.in_flight()["assemble"] < 2 * 60  # it breathes in the midst of the batch
        await (rig.pipeline.lost(tps()) if again else rig.pipeline.revoked(tps()))
        if again:
            await rig.pipeline.assigned(tps()[:1])
        assert list(items) == []
        assert list(rig.pipeline.intake.take(batch, 1, 0.0, 0)) == []
        rig.check()
        return rig

    rig = virtual_time.run(main)
    assert rig.pipeline.in_flight()["assemble"] == 0
    assert rig.pipeline.committable() == ({} if again else {tps()[0]: 1})
