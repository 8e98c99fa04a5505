"""Rules of the board's and the harvester's roles over doubles, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.accounting import Accounting
from monitor.config.settings import BoardSettings, Dataset
from monitor.errors import DecodeError
from monitor.feedback import Feedback, HeardFeedback
from monitor.quality.board import Board
from monitor.records import Case, Decision, DecisionKind, Position, RagTrace, Verdict
from monitor.roles import BoardRole, HarvestRole
from monitor.wire import RawRecord
from tests import virtual_time
from tests.fakes import FakeClock, FakeFeedbackSet, FakeSampleSet, FakeSource
from tests.monitor.quality.verdicts import scored
from tests.monitor.streams import TOPIC, tps
from tests.virtual_time import VirtualClock

POSITION = Position("rag.requests", 0, 0)


def case(name: str) -> Case:
    trace = RagTrace(name, "", "Q", "A")
    return Case(name, trace, Decision(DecisionKind.SAMPLED, 1.0, 1), (), (), "r", "base", POSITION, 0)


def decode(value: bytes) -> Case | HeardFeedback:
    """A case is its id here, and so is feedback, after `!`."""
    if value == b"?":
        raise DecodeError("bad_case", "no case at all")
    if value.startswith(b"!"):
        return HeardFeedback(value.decode(), Feedback("thumb", trace_id="a"))
    return case(value.decode())


def topic(*values: bytes | None, partition: int = 0) -> list[RawRecord]:
    return [RawRecord(TOPIC, partition, offset, None, value) for offset, value in enumerate(values)]


@dataclass
class Harvest:
    """A harvester over doubles."""

    source: FakeSource
    clock: VirtualClock
    table: FakeSampleSet = field(default_factory=FakeSampleSet)
    beside: FakeFeedbackSet = field(default_factory=FakeFeedbackSet)
    accounting: Accounting = field(default_factory=Accounting)
    settings: Dataset = field(default_factory=lambda: Dataset(flush_every=5.0, flush_cases=3))

    def __post_init__(self) -> None:
        self.role = HarvestRole(
            self.source, self.table, self.beside, decode, self.clock, self.settings, self.accounting
        )
        self.source.check = self.check

    def check(self) -> None:
        """The accounts add up, and nothing is committed that the set does not hold."""
        assert self.accounting.problems(self.role.in_flight()) == []
        assert all(offset <= self.table.taken.get(tp, 0) for tp, offset in self.source.committed.items())

    def count(self) -> dict[str, int]:
        stage = self.accounting.stage("harvest").count()
        return {"passed": stage.passed} | {reason: n for reason, n in stage.dropped.items() if n}


def run(harvest_of: Callable[[VirtualClock], Harvest]) -> Harvest:
    async def main(clock: VirtualClock) -> Harvest:
        harvest = harvest_of(clock)
        await harvest.role.run(asyncio.Event())
        harvest.check()
        return harvest

    return virtual_time.run(main)


def live(source: FakeSource, act: Callable[[Harvest], Awaitable[None]], table: FakeSampleSet | None = None) -> Harvest:
    async def main(clock: VirtualClock) -> Harvest:
        harvest = Harvest(source, clock, table or FakeSampleSet())
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(harvest.role.run(stop))
            await act(harvest)
            stop.set()
        harvest.check()
        return harvest

    return virtual_time.run(main)


def test_every_case_is_one_row_and_everything_is_committed_at_the_end() -> None:
    source = FakeSource(topic(b"a", b"b", b"a", b"?", None, b"c", b"d"), per_poll=2)
    with structlog.testing.capture_logs() as lines:
        harvest = run(lambda clock: Harvest(source, clock))
    assert set(harvest.table.rows) == {"a", "b", "c", "d"}
    assert harvest.count() == {"passed": 4, "duplicate": 1, "unreadable": 1, "empty": 1}
    assert source.committed == source.ends
    assert [(line["event"], line["offset"]) for line in lines] == [("left out of the sample set", 3)]


def test_a_case_that_does_not_fit_costs_itself_only() -> None:
    source = FakeSource(topic(b"a", b"odd", b"b", b"c", b"a"))
    with structlog.testing.capture_logs() as lines:
        harvest = run(lambda clock: Harvest(source, clock, FakeSampleSet(unfit=frozenset({"odd"}))))
    assert set(harvest.table.rows) == {"a", "b", "c"}
    assert harvest.count() == {"passed": 3, "duplicate": 1, "unreadable": 1}
    assert source.committed == source.ends
    assert [line["cases"] for line in lines] == [["odd"]]


def test_a_table_that_cannot_be_written_is_tried_again_and_nothing_is_committed_meanwhile() -> None:
    source = FakeSource(topic(b"a", b"b", b"c", b"d"))
    with structlog.testing.capture_logs() as lines:
        harvest = run(lambda clock: Harvest(source, clock, FakeSampleSet(failures=4)))
    assert set(harvest.table.rows) == {"a", "b", "c", "d"}
    assert source.committed == source.ends
    assert len(lines) == 4


def test_a_table_that_cannot_be_written_is_the_harvesters_problem_until_it_can() -> None:
    async def act(harvest: Harvest) -> None:
        seen = [harvest.role.problem()]
        while len(seen) < 3:
            await asyncio.sleep(0.5)
            if harvest.role.problem() != seen[-1]:
                seen.append(harvest.role.problem())
        assert seen == [None, "the sample set cannot be written: the disk is full", None]

    live(FakeSource(topic(b"a", b"b"), endless=True), act, FakeSampleSet(failures=3))


def test_what_the_table_holds_already_is_a_duplicate_though_the_offsets_were_not_committed() -> None:
    """As after a kill between the write and the commit."""
    table = FakeSampleSet({"a": case("a"), "b": case("b")})
    harvest = run(lambda clock: Harvest(FakeSource(topic(b"a", b"b", b"c")), clock, table))
    assert harvest.count() == {"passed": 1, "duplicate": 2}
    assert list(table.rows) == ["a", "b", "c"]


def test_feedback_is_kept_beside_the_cases_once() -> None:
    source = FakeSource(topic(b"a", b"!f", b"b", b"!f", b"!g", b"?"), per_poll=1, pace=2.0)
    harvest = run(lambda clock: Harvest(source, clock))
    assert (set(harvest.table.rows), set(harvest.beside.rows)) == ({"a", "b"}, {"!f", "!g"})
    keep = harvest.accounting.stage("keep").count()
    assert (keep.received, keep.passed, keep.dropped["duplicate"]) == (3, 2, 1)
    assert harvest.count() == {"passed": 2, "unreadable": 1}
    assert source.committed == source.ends


def test_nothing_is_committed_until_both_sets_hold_it() -> None:
    def check(harvest: Harvest) -> None:
        harvest.check()
        for tp, offset in harvest.source.committed.items():
            read = harvest.source.logs[tp][:offset]
            assert {r.value.decode() for r in read if r.value} <= {*harvest.table.rows, *harvest.beside.rows}

    def failing(clock: VirtualClock) -> Harvest:
        source = FakeSource(topic(b"a", b"!f", b"b", b"!g"), per_poll=1, pace=3.0)
        harvest = Harvest(source, clock, beside=FakeFeedbackSet(failures=2))
        source.check = lambda: check(harvest)
        return harvest

    with structlog.testing.capture_logs() as lines:
        harvest = run(failing)
    assert set(harvest.beside.rows) == {"!f", "!g"}
    assert len(lines) == 2


def test_feedback_alone_fills_a_version() -> None:
    source = FakeSource(topic(b"!a", b"!b", b"!c", b"!d"), per_poll=1, pace=1.0, endless=True)

    async def act(harvest: Harvest) -> None:
        await asyncio.sleep(3.5)
        assert len(harvest.beside.rows) == 3

    live(source, act)


def test_a_version_is_written_when_it_is_full_or_due_and_not_for_every_poll() -> None:
    source = FakeSource(topic(*(b"%d" % n for n in range(7))), per_poll=1, pace=1.0, endless=True)

    async def act(harvest: Harvest) -> None:
        await asyncio.sleep(3.5)
        assert len(harvest.table.rows) == 3  # full
        await asyncio.sleep(30)
        assert len(harvest.table.rows) == 7  # due

    live(source, act)


def test_a_revoke_flushes_first_and_the_rest_is_read_again() -> None:
    async def act(harvest: Harvest) -> None:
        await asyncio.sleep(0.1)
        assert harvest.table.rows == {}
        await harvest.source.revoke(tps())
        assert harvest.source.committed == harvest.source.ends
        assert set(harvest.table.rows) == {"a", "b"}

    live(FakeSource(topic(b"a", b"b"), endless=True), act)


def test_a_lost_partition_forgets_what_was_not_written() -> None:
    async def act(harvest: Harvest) -> None:
        await asyncio.sleep(0.1)
        await harvest.source.lose(tps())
        await harvest.source.assign(tps())
        await asyncio.sleep(20)

    harvest = live(FakeSource(topic(b"a", b"b"), endless=True), act)
    assert harvest.count() == {"passed": 2, "revoked": 2}
    assert harvest.source.committed == harvest.source.ends


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"!e", b"!f", b"?", b""]), min_size=1, max_size=15),
    st.lists(st.tuples(st.sampled_from([0.1, 1.0, 4.9]), st.booleans()), max_size=4),
    st.integers(0, 3),
)
def test_whatever_the_group_and_the_disk_do_every_case_is_one_row(
    values: list[bytes], rebalances: list[tuple[float, bool]], failures: int
) -> None:
    async def act(harvest: Harvest) -> None:
        await asyncio.sleep(0)
        for wait, in_order in rebalances:
            await asyncio.sleep(wait)
            every = tuple(harvest.source.logs)
            await (harvest.source.revoke(every) if in_order else harvest.source.lose(every))
            await harvest.source.assign(every)
        async with asyncio.timeout(600):
            await harvest.source.done.wait()

    with structlog.testing.capture_logs():
        harvest = live(FakeSource(topic(*values), per_poll=2, endless=True), act, FakeSampleSet(failures=failures))
    assert {*harvest.table.rows, *harvest.beside.rows} == {value.decode() for value in values} - {"?", ""}
    assert {name for name in harvest.beside.rows if name[0] != "!"} == set()


# -------------------------------------------------------------------------------------------------------------- board


@dataclass
class Log:
    """A verdict log: its history in batches, an empty one for "caught up", then what is put in."""

    history: Sequence[Sequence[Verdict]]
    live: asyncio.Queue[Sequence[Verdict | HeardFeedback]] = field(default_factory=asyncio.Queue)
    since_ns: int = -1

    async def append(self, verdicts: Sequence[Verdict]) -> None:
        await self.live.put(verdicts)

    async def read(self, since_ns: int) -> AsyncGenerator[Sequence[Verdict | HeardFeedback]]:
        self.since_ns = since_ns
        for batch in self.history:
            yield batch
        yield ()
        while True:
            yield await self.live.get()
            self.live.task_done()


def test_the_board_reads_its_longest_window_back_and_knows_what_was_judged_before() -> None:
    clock = FakeClock()
    log = Log([[scored(0.5, verdict_id="old")], [scored(0.7) for _ in range(700)]])
    observed: list[Verdict] = []
    role = BoardRole(log, Board(BoardSettings(windows=(300.0, 3600.0))), clock, observe=observed.append)

    async def main() -> None:
        task = asyncio.create_task(role.run())
        async with asyncio.timeout(10):
            await role.ready.wait()
            before = role.board.snapshot(clock.now_ns(), ())
            assert before.caught_up
            assert sum(item.n for item in before.windows if item.slice.dimension == "all") == 2 * 701
            assert sum(count.count for item in before.totals for count in item.outcomes) == 0
            await log.append([scored(0.1)])
            await log.append([])
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(main())
    after = role.board.snapshot(clock.now_ns(), ())
    assert sum(count.count for item in after.totals if item.slice.dimension == "all" for count in item.outcomes) == 1
    assert role.board.seen("old", scored(0.5).end_ns)
    assert (len(observed), observed[0].verdict_id, observed[-1].score) == (702, "old", 0.1)
    assert log.since_ns <= clock.now_ns() - 3600 * 10**9


def test_the_board_joins_feedback_that_stands_between_the_verdicts() -> None:
    clock = FakeClock()
    said = HeardFeedback("f1", Feedback("thumb", negative=True, trace_id=scored(0.5).trace_id, given_ns=clock.now_ns()))
    log = Log([[scored(0.5)]])
    role = BoardRole(log, Board(BoardSettings(windows=(300.0,))), clock)

    async def main() -> None:
        task = asyncio.create_task(role.run())
        async with asyncio.timeout(10):
            await role.ready.wait()
            await log.live.put([said, scored(0.7), said])
            await log.live.join()
        task.cancel()

    asyncio.run(main())
    feedback = role.board.snapshot(clock.now_ns(), ()).feedback
    assert [item.count for item in feedback.joined if item.slice.dimension == "all"] == [1]
    assert feedback.left_out["duplicate"] == 1
