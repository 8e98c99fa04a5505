"""What the process says of itself: the lag of its loop, its queues, its judges, sums that do not add up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from logging import INFO, WARNING

from monitor.accounting import Accounting
from monitor.config.settings import Settings
from monitor.health import LoopLag, RecordsTold, Vitals
from monitor.operational import Operational, SourceState
from monitor.records import TopicPartition
from monitor.sources.kafka_events import SourceVitals
from tests import virtual_time
from tests.fakes import FakeClock, FakeSource
from tests.monitor.streams import Rig
from tests.virtual_time import VirtualClock

SPANS, CASES = TopicPartition("otlp_spans", 0), TopicPartition("rag.cases", 0)


@dataclass
class StubSource:
    """The source of one partition that is three records behind."""

    partition: TopicPartition
    trouble: str | None = None

    def problem(self) -> str | None:
        return self.trouble

    def lag(self) -> Mapping[TopicPartition, int]:
        return {self.partition: 3}

    def vitals(self) -> SourceVitals:
        return SourceVitals(1, 0.5, 9.0)


NONE_COME = "no records can come just now"


def test_the_lag_is_how_much_later_than_asked_for_the_loop_comes_back() -> None:
    class LateClock(VirtualClock):
        """The loop is held up for a second, once."""

        late = 0.0

        def monotonic(self) -> float:
            return super().monotonic() + self.late

    async def main(clock: VirtualClock) -> list[float]:
        late = LateClock(clock._selector)
        lag = LoopLag(late)
        seen = [lag.longest()]
        task = asyncio.create_task(lag.run())
        await asyncio.sleep(0.25)
        seen.append(lag.longest())
        late.late = 1.0
        await asyncio.sleep(1)
        seen.append(lag.longest())
        await asyncio.sleep(31)
        seen.append(lag.longest())
        task.cancel()
        return seen

    before, calm, held_up, later = virtual_time.run(main)
    assert before == 0.0
    assert max(calm, later) < 0.001
    assert 0.99 < held_up < 1.01


def test_a_process_without_a_source_tells_what_it_has() -> None:
    clock = FakeClock()
    vitals = Vitals(Settings(), clock, Counter(), Accounting(), LoopLag(clock))
    assert vitals.take() == Operational(started_ns=clock.now_ns())


def test_what_keeps_the_harvester_is_told_beside_the_source_and_only_where_there_is_one() -> None:
    clock = FakeClock()
    vitals = Vitals(Settings(), clock, Counter(), Accounting(), LoopLag(clock))
    before = vitals.take()
    reason: list[str | None] = ["the disk is full"]
    vitals.harvests(lambda: reason[0], StubSource(CASES))
    stuck = vitals.take()
    reason[0] = None
    assert (before.harvest_problem, stuck.harvest_problem, vitals.take().harvest_problem) == (
        None,
        "the disk is full",
        "",
    )
    assert stuck.source.problem == ""


def test_each_role_tells_of_its_own_source_and_that_of_the_judge_speaks_for_the_process() -> None:
    clock = FakeClock()
    vitals = Vitals(Settings(), clock, Counter(), Accounting(), LoopLag(clock))
    vitals.harvests(lambda: None, StubSource(CASES))
    harvester = vitals.take()
    vitals.judges(Rig(FakeSource([]), clock).pipeline, StubSource(SPANS))
    vitals.waits = lambda: "the history is read"
    both = vitals.take()
    cases = SourceState("harvest", "", 1, {CASES: 3}, 0.5, 9.0)
    spans = SourceState("judge", "the history is read", 1, {SPANS: 3}, 0.5, 9.0)
    assert (harvester.sources, harvester.source.up) == ((cases,), True)
    assert (both.sources, both.source.up) == ((spans, cases), False)


def test_only_a_process_that_judges_has_a_budget() -> None:
    clock = FakeClock()
    settings = Settings.model_validate({"sampling": {"budget_per_minute": 60}})
    vitals = Vitals(settings, clock, Counter(), Accounting(), LoopLag(clock))
    vitals.harvests(lambda: None, StubSource(CASES))
    before = vitals.take().budget_per_minute
    vitals.judges(Rig(FakeSource([]), clock).pipeline, StubSource(SPANS))
    assert (before, vitals.take().budget_per_minute) == (None, 60)


def test_what_happened_is_told_by_its_name_and_rebuilds_apart() -> None:
    clock = FakeClock()
    events = Counter(rebuild=2, rebalance=3, commit_failed=0)
    taken = Vitals(Settings(), clock, events, Accounting(), LoopLag(clock)).take()
    assert (taken.rebuilds, taken.events) == (2, {"rebalance": 3, "commit_failed": 0})


def test_sums_that_do_not_add_up_are_told_and_every_holder_is_asked() -> None:
    clock, accounting = FakeClock(), Accounting()
    vitals = Vitals(Settings(), clock, Counter(), accounting, LoopLag(clock))
    accounting.stage("judge").received(3)
    accounting.stage("harvest").received(2)

    def held(**number: int) -> Mapping[str, int]:
        return number

    vitals.count_in(lambda: held(judge=3))
    assert [line.partition(":")[0] for line in vitals.take().conservation] == ["harvest"]
    vitals.count_in(lambda: held(harvest=2))
    assert vitals.take().conservation == ()


def test_what_a_start_waits_for_is_a_warning_only_once_it_has_lasted() -> None:
    told = RecordsTold(100.0)
    seen = [
        told.line(problem, 100.0 + seconds)
        for seconds, problem in [
            (0, "the history is read"),
            (1, "the history is read"),
            (2, "the group shares out"),
            (29.9, "the group shares out"),
            (30, "the group shares out"),
            (31, "the group shares out"),
            (32, "no such topic"),
            (33, ""),
            (34, ""),
        ]
    ]
    assert seen == [
        (INFO, "no records can come yet", {"why": "the history is read"}),
        None,
        (INFO, "no records can come yet", {"why": "the group shares out"}),
        None,
        (WARNING, NONE_COME, {"why": "the group shares out"}),
        None,
        (WARNING, NONE_COME, {"why": "no such topic"}),
        (INFO, "records can come", {"ends": NONE_COME}),
        None,
    ]


def test_once_records_could_come_a_problem_is_a_warning_at_once() -> None:
    told = RecordsTold(100.0)
    assert told.line("", 101.0) is None
    warning = (WARNING, NONE_COME, {"why": "no broker answers"})
    over = (INFO, "records can come", {"ends": NONE_COME})
    assert [told.line(problem, 102.0) for problem in ("no broker answers", "", "no broker answers")] == [
        warning,
        over,
        warning,
    ]
