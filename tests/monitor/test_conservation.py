"""Every record is counted out exactly once, whatever the judges and the consumer group do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.records import RagTrace
from monitor.stages.verdicts import verdict_id
from monitor.wire import RawRecord
from tests import virtual_time
from tests.fakes import FakeSource, ScriptedJudge
from tests.monitor.streams import (
    Rig,
    carrier,
    entry,
    exhaust,
    hanging,
    idle,
    live,
    otlp,
    plain,
    plain_topic,
    record,
    retrieval,
    run,
    said,
    tps,
)
from tests.virtual_time import VirtualClock

REGION = 1 << 56


@dataclass(frozen=True)
class Item:
    """One record of a random stream, and what has to become of it."""

    value: bytes | None
    trace_ids: tuple[str, ...] = ()
    """The requests that it brings, or helps to bring."""
    said_of: str = ""
    """The request that it only speaks of."""
    carrier: str = ""
    """The trace of its own that it speaks in."""
    poison: bool = False
    key: bytes | None = None


@dataclass
class Stream:
    """A random stream: `sampled` and `unsampled` are all its requests."""

    records: list[RawRecord]
    items: dict[tuple[int, int], Item]
    one_in: int
    delays: dict[str, float] = field(default_factory=dict)

    def sampled(self, trace_id: str) -> bool:
        return int(trace_id[-14:], 16) >= REGION - REGION // self.one_in

    def heard(self, item: Item) -> bool:
        """Whether the item is feedback on a request that may have been sampled, in a trace that is looked at."""
        return bool(item.said_of) and self.sampled(item.said_of) and (not item.carrier or self.sampled(item.carrier))

    @property
    def traces(self) -> set[str]:
        return {trace_id for item in self.items.values() for trace_id in item.trace_ids}

    def undone(self, rig: Rig, partition: int) -> int | None:
        """The lowest offset whose effect is not durable."""
        buried = {letter.position[1:3] for letter in rig.dead_letters.items}
        judged = rig.judged()
        said_of = {item.feedback.trace_id for item in rig.feedback.items}
        return min(
            (
                offset
                for (number, offset), item in self.items.items()
                if number == partition
                and (
                    (item.poison and (number, offset) not in buried)
                    or (self.heard(item) and item.said_of not in said_of)
                    or any(self.sampled(trace_id) and trace_id not in judged for trace_id in item.trace_ids)
                )
            ),
            default=None,
        )


def _two_forms(trace_id: str, other: str) -> dict[str, list[Item]]:
    """Records that hold more than one request."""
    spans = [span for name in (trace_id, other) for span in (entry(name), retrieval(name))]
    return {
        "array": [Item(b"[" + plain(trace_id) + b"," + plain(other) + b"]", (trace_id, other))],
        "shared": [Item(otlp(*spans), (trace_id, other))],
    }


def forms(trace_id: str, other: str) -> dict[str, list[Item]]:
    """The records of one happening, by its kind; some have the trace id as key, as the Collector writes it."""
    key, own = trace_id.encode(), (trace_id,)
    return _two_forms(trace_id, other) | {
        "plain": [Item(plain(trace_id), own)],
        "keyed plain": [Item(plain(trace_id), own, key=key)],
        "whole": [Item(otlp(entry(trace_id), retrieval(trace_id)), own, key=key)],
        "split": [Item(otlp(retrieval(trace_id)), own, key=key), Item(otlp(entry(trace_id)), own, key=key)],
        "said": [Item(said(trace_id), said_of=trace_id)],
        "keyed said": [Item(said(trace_id), said_of=trace_id, key=key)],
        "carrier": [Item(otlp(carrier(other, trace_id)), said_of=trace_id, carrier=other, key=other.encode())],
        "said of": [Item(plain(trace_id), own), Item(said(trace_id), said_of=trace_id)],
        "no request": [Item(otlp(idle(trace_id)))],
        "poison": [Item(b"\xff no encoding at all", poison=True)],
        "empty": [Item(b"")],
        "tombstone": [Item(None, key=key)],
    }


KINDS = tuple(forms("1" * 32, "2" * 32))


@st.composite
def random_streams(draw: st.DrawFn) -> Stream:
    """Requests in all forms on several partitions, some records twice, the judge fast on some and slow on others."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    partitions = draw(st.integers(1, 3))
    items: dict[tuple[int, int], Item] = {}
    ends = [0] * partitions
    stream = Stream([], items, draw(st.sampled_from([1, 2, 4])))
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=20)):
        trace_id, other = rng.randbytes(16).hex(), rng.randbytes(16).hex()
        partition = rng.randrange(partitions)
        brought = forms(trace_id, other)[kind]
        for item in brought + [item for item in brought if rng.random() < 0.2]:
            items[partition, ends[partition]] = item
            stream.records.append(record(item.value, ends[partition], partition, item.key))
            ends[partition] += 1 + (rng.random() < 0.1)  # a compacted topic has holes
        stream.delays |= {name: rng.choice([0.0, 0.5, 2.0, 7.0]) for name in (trace_id, other)}
    return stream


def judge_of(stream: Stream) -> ScriptedJudge:
    async def score(trace: RagTrace) -> float:
        await asyncio.sleep(stream.delays[trace.trace_id])
        return 1.0

    return ScriptedJudge(score)


def sampling(one_in: int) -> Mapping[str, Any]:
    off = dict.fromkeys(("negative_feedback", "error", "empty_retrieval", "safety_hit"), 0)
    return {"sampling": {"base": f"1/{one_in}", "content_share": 1} | off}


def commits_checked(rig: Rig, stream: Stream) -> None:
    """No commit passes a record whose effect is not durable."""
    offsets = rig.pipeline.committable()
    for tp, offset in offsets.items():
        undone = stream.undone(rig, tp.partition)
        assert undone is None or offset <= undone, (tp, offset, undone)


def wired(stream: Stream, source: FakeSource, clock: VirtualClock) -> Rig:
    rig = Rig(source, clock, [judge_of(stream)], {**sampling(stream.one_in), "judging": {"workers": 2, "queue": 4}})

    def check() -> None:
        rig.check()
        commits_checked(rig, stream)

    source.check = check
    return rig


def all_accounted_for(rig: Rig, stream: Stream) -> None:
    wanted = {trace_id for trace_id in stream.traces if stream.sampled(trace_id)}
    assert rig.judged() == wanted
    assert {case.trace.trace_id for case in rig.cases.items} == wanted
    said_of = {item.said_of for item in stream.items.values() if stream.heard(item)}
    assert {item.feedback.trace_id for item in rig.feedback.items} == said_of
    assert {letter.position[1:3] for letter in rig.dead_letters.items} == {
        place for place, item in stream.items.items() if item.poison
    }
    assert rig.source.committed == rig.source.ends


@settings(max_examples=150, deadline=None)
@given(random_streams(), st.sampled_from([0.0, 0.7, 3.0]), st.integers(1, 4))
def test_every_request_ends_in_exactly_one_outcome_and_no_commit_runs_ahead(
    stream: Stream, pace: float, per_poll: int
) -> None:
    async def main(clock: VirtualClock) -> Rig:
        rig = wired(stream, FakeSource(stream.records, pace=pace, per_poll=per_poll), clock)
        await rig.pipeline.run(asyncio.Event())
        rig.check()
        return rig

    rig = virtual_time.run(main)
    all_accounted_for(rig, stream)
    assert len({verdict.verdict_id for verdict in rig.verdicts.items}) == len(rig.judged())


REBALANCES = st.lists(st.tuples(st.sampled_from([0.0, 0.3, 2.5, 6.0]), st.booleans()), max_size=5)


def rebalanced(make: Callable[[VirtualClock], Rig], rebalances: Sequence[tuple[float, bool]]) -> Rig:
    """A run until everything is committed, with rebalances (seconds before each, whether in order) in between."""

    async def main(clock: VirtualClock) -> Rig:
        rig = make(clock)
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(rig.pipeline.run(stop))
            await asyncio.sleep(0)
            for wait, in_order in rebalances:
                await asyncio.sleep(wait)
                every = tuple(rig.source.logs)
                await (rig.source.revoke(every) if in_order else rig.source.lose(every))
                await asyncio.sleep(wait / 2)
                await rig.source.assign(every)
            async with asyncio.timeout(600):
                await rig.source.done.wait()
            stop.set()
        rig.check()
        return rig

    return virtual_time.run(main)


def endless(stream: Stream) -> FakeSource:
    return FakeSource(stream.records, pace=0.2, per_poll=2, endless=True)


@settings(max_examples=150, deadline=None)
@given(random_streams(), REBALANCES)
def test_no_rebalance_loses_a_request(stream: Stream, rebalances: list[tuple[float, bool]]) -> None:
    rig = rebalanced(lambda clock: wired(stream, endless(stream), clock), rebalances)
    all_accounted_for(rig, stream)


@settings(max_examples=100, deadline=None)
@given(random_streams(), REBALANCES)
def test_what_a_budget_leaves_out_is_counted_and_committed(
    stream: Stream, rebalances: list[tuple[float, bool]]
) -> None:
    """Also what waits unread meanwhile, whole or in parts."""

    def make(clock: VirtualClock) -> Rig:
        slowed = {"sampling": sampling(stream.one_in)["sampling"] | {"budget_per_minute": 1}}
        rig = Rig(endless(stream), clock, [judge_of(stream)], slowed)
        exhaust(rig.pipeline.intake)
        return rig

    rig = rebalanced(make, rebalances)
    assert rig.source.committed == rig.source.ends
    assert rig.judged() <= {trace_id for trace_id in stream.traces if stream.sampled(trace_id)}


def test_fc_023_nothing_is_committed_past_a_slow_record_and_a_restart_reads_it_again() -> None:
    names = [f"r{number}" for number in range(1, 11)]
    topic = [record(plain(name), offset) for offset, name in enumerate(names, 1)]
    source = FakeSource(topic, endless=True)

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(30)
        assert len(rig.verdicts.items) == 9
        assert rig.source.committed == {tps()[0]: 5}

    first = live(source, act, hanging("r5"), judging={"workers": 10, "deadline": 3600})
    assert source.committed == {tps()[0]: 5}
    again = FakeSource([item for item in topic if item.offset >= 5])
    second = run(again)
    assert again.committed == again.ends
    ids = {verdict.verdict_id for verdict in [*first.verdicts.items, *second.verdicts.items]}
    assert ids == {verdict_id(name, "", "faithfulness", "0123456789ab") for name in names}


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 5), min_size=6, max_size=18).map(lambda more: [*range(6), *more]).flatmap(st.permutations)
)
def test_records_that_come_again_in_any_order_change_no_id(order: list[int]) -> None:
    values = [plain(f"p{number}") for number in range(3)]
    values += [otlp(entry(id_), retrieval(id_)) for id_ in ("1" * 32, "2" * 32, "3" * 32)]
    once = run(FakeSource([record(value, offset) for offset, value in enumerate(values)]))
    again = run(FakeSource([record(values[number], offset) for offset, number in enumerate(order)], pace=0.4))
    assert {item.verdict_id for item in again.verdicts.items} == {item.verdict_id for item in once.verdicts.items}
    assert {item.case_id for item in again.cases.items} == {item.case_id for item in once.cases.items}


def test_what_stands_in_the_verdict_log_is_neither_judged_nor_written_again() -> None:
    known = {verdict_id("a", "", "faithfulness", "0123456789ab")}
    judge = ScriptedJudge()

    async def main(clock: VirtualClock) -> Rig:
        source = FakeSource(plain_topic(["a", "b"]))
        rig = Rig(source, clock, [judge], judged_before=lambda name, _end_ns: name in known)
        await rig.pipeline.run(asyncio.Event())
        return rig

    rig = virtual_time.run(main)
    assert [trace.trace_id for trace in judge.asked] == ["b"]
    assert [case.trace.trace_id for case in rig.cases.items] == ["b"]
    assert rig.dropped("judge") == {"already_judged": 1}
    assert rig.source.committed == rig.source.ends


def test_a_request_with_one_missing_verdict_is_judged_again() -> None:
    known = {verdict_id("a", "", "faithfulness", "0123456789ab")}
    judge = ScriptedJudge(evaluations=("faithfulness", "safety.harm"))

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(FakeSource(plain_topic(["a"])), clock, [judge], judged_before=lambda name, _end_ns: name in known)
        await rig.pipeline.run(asyncio.Event())
        return rig

    assert len(virtual_time.run(main).verdicts.items) == 2
