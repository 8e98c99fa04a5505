"""The composition root: settings to running roles. It alone decides who stands behind each Protocol.

`Monitor.run` builds everything (what must be freed goes on a clean-up stack), then runs the roles and their helpers in
one task group until it is told to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from exporters.kafka import EVENTS as LOG_EVENTS
from exporters.kafka import KafkaCaseLog, KafkaDeadLetters, KafkaFeedbackLog, KafkaVerdictLog
from exporters.kafka_writer import KafkaWriter
from exporters.messages import decode_kept
from exporters.otlp import OtlpExport
from exporters.prometheus import SnapshotCollector, build_registry
from exporters.web import MetricsPage, WebServer, bind, build_app, not_ready, paused_judges
from monitor.accounting import Accounting
from monitor.building import build_connection, build_intake, build_source
from monitor.building_judges import build_calibrations, build_panel, self_judging
from monitor.clock import SystemClock
from monitor.config.loading import check_secrets
from monitor.config.settings import Settings
from monitor.errors import ConfigError, SinkError
from monitor.health import LoopLag, RecordsTold, Vitals
from monitor.history import History
from monitor.judges.fleet import Fleet
from monitor.operational import Operational
from monitor.pipeline import Pipeline
from monitor.promotion import load_promotions
from monitor.protocols import Clock
from monitor.quality.board import Board
from monitor.quality.memory import VerdictMemory
from monitor.records import Case, Verdict
from monitor.roles import BoardRole, HarvestRole
from monitor.snapshot import Snapshot
from monitor.sources.kafka_events import EVENTS as SOURCE_EVENTS
from monitor.sources.supervisor import STOPPED
from monitor.stages.anchors import Anchors, load_anchors
from monitor.stages.telling import AnnouncedVerdicts, ObservedCases

log = structlog.get_logger(__name__)

ROLES = ("judge", "board", "harvest")
_SNAPSHOT_S = 1.0
_RETRY_S = 2.0


def _ignore(_item: object) -> None:
    """For a process that shows no cases and sends no events."""


@dataclass(slots=True)
class Monitor:
    """One process: its roles, its endpoints, and what it knows of itself."""

    settings: Settings
    roles: Collection[str] = ROLES
    observe_case: Callable[[Case], None] = _ignore
    """Called with each case once it is durable (the demo shows the worst ones)."""
    clock: Clock = field(default_factory=SystemClock)
    port: int = 0
    """Port of the endpoints, once they are bound."""
    snapshot: Snapshot = field(
        default_factory=lambda: Snapshot(0, (), (), (), (), caught_up=False, shows_quality=False)
    )
    """As of the last second. Made on the event loop, read on any thread."""
    operational: Operational = field(default_factory=Operational)
    """As of the last second, like `snapshot`."""

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set, then drain. Raises ConfigError before anything starts; else only for defects."""
        async with contextlib.AsyncExitStack() as cleanup:
            process = _Process(self, cleanup)
            await process.build()
            async with asyncio.TaskGroup() as group:
                helpers = [group.create_task(job, name=name) for name, job in process.helpers().items()]
                try:
                    await process.work(stop)
                    process.take_snapshot()
                finally:
                    for task in helpers:
                        task.cancel()


class _Process:
    """What a running Monitor is made of."""

    def __init__(self, owner: Monitor, cleanup: contextlib.AsyncExitStack) -> None:
        settings, clock = owner.settings, owner.clock
        self._owner, self._settings, self._clock, self._cleanup = owner, settings, clock, cleanup
        self._accounting = Accounting()
        self._events = Counter(dict.fromkeys((*SOURCE_EVENTS, *LOG_EVENTS), 0))
        self._connection = build_connection(settings)
        rates = build_calibrations(settings).rates()
        board = Board(settings.board, rates) if "board" in owner.roles else VerdictMemory(settings.board)
        self._writer = KafkaWriter(self._connection, settings.topics, board.horizon_s, clock)
        self._verdicts = KafkaVerdictLog(self._connection, settings.topics, self._writer, count=self._count)
        self._board = BoardRole(self._verdicts, board, clock)
        self._lag = LoopLag(clock)
        self._vitals = Vitals(settings, clock, self._events, self._accounting, self._lag)
        self._records_told = RecordsTold(clock.monotonic())
        self._emit: Callable[[Verdict], None] = _ignore
        self._pipeline: Pipeline | None = None
        self._history: History | None = None
        self._anchors: Anchors | None = None
        self._harvest: HarvestRole | None = None
        self._web: WebServer | None = None

    async def build(self) -> None:
        """Check the settings and build the roles; nothing is started. Raises ConfigError."""
        if problems := check_secrets(self._settings):
            raise ConfigError(problems)
        await self._writer.start()
        self._cleanup.push_async_callback(self._writer.stop)
        self._build_otlp()
        if "judge" in self._owner.roles:
            self._build_judge()
        if "harvest" in self._owner.roles:
            self._build_harvest()
        self._build_web()

    def helpers(self) -> dict[str, Coroutine[Any, Any, None]]:
        """What runs as long as the roles do."""
        jobs = {"writer": self._connect_writer(), "snapshots": self._take_snapshots(), "lag": self._lag.run()}
        if self._follows:
            jobs["board"] = self._board.run()
        if self._anchors is not None:
            jobs["anchors"] = self._judge_anchors(self._anchors)
        if self._web is not None:
            jobs["web"] = self._web.run()
        return jobs

    @property
    def _follows(self) -> bool:
        """Whether the verdict topic is read: the harvester does not need it."""
        return bool({"judge", "board"} & set(self._owner.roles))

    async def work(self, stop: asyncio.Event) -> None:
        """Run the roles; returns when `stop` is set and all have drained."""
        async with asyncio.TaskGroup() as group:
            if self._harvest is not None:
                group.create_task(self._harvest.run(stop), name="harvest")
            if self._pipeline is not None and self._history is not None:
                await self._history.wait(stop, self._pipeline.panel)
                group.create_task(self._pipeline.run(stop), name="judge")
            await stop.wait()

    def take_snapshot(self) -> None:
        """Renew what the exporters show."""
        now = self._vitals.take()
        if now.source.problem != STOPPED and (
            line := self._records_told.line(now.source.problem, self._clock.monotonic())
        ):
            log.log(line.level, line.event, **line.said)
        self._owner.operational = now
        self._owner.snapshot = self._board.board.snapshot(self._clock.now_ns(), self._accounting.counts())

    # ------------------------------------------------------------------------------------------------------- building

    def _build_otlp(self) -> None:
        if self._settings.otlp.endpoint is None:
            return
        owner = self._owner
        otlp = OtlpExport(
            self._settings.otlp,
            lambda: owner.snapshot,
            lambda: owner.operational,
            self._clock,
            self._settings.web.max_series,
        )
        self._cleanup.push_async_callback(asyncio.to_thread, otlp.close)
        self._emit = otlp.emit
        self._vitals.export_failures = otlp.failures

    def _build_judge(self) -> None:
        settings, clock, count = self._settings, self._clock, self._count
        dead_letters = KafkaDeadLetters(settings.topics, self._writer, count=count)
        panel = build_panel(settings, clock)
        self._cleanup.push_async_callback(panel.close)
        if stale := build_calibrations(settings).warnings([member.judge for member in panel.members]):
            log.warning("calibrations do not count", why=stale)
        self._history = History(self._board, self._verdicts.problem, load_promotions(settings.promotions))
        if related := self_judging(settings):
            log.warning("judges judge models of their own family", why=related)
        intake = build_intake(settings, self._accounting)
        source = build_source(
            self._connection,
            settings.source,
            clock,
            dead_letters=dead_letters,
            presample=None if intake.watch.counts_all else intake.presample,
            count=count,
        )
        fleet = Fleet(panel.members, clock)
        self._board.observe = fleet.hear
        self._pipeline = Pipeline(
            source=source,
            intake=intake,
            panel=panel,
            verdicts=AnnouncedVerdicts(self._verdicts, fleet.writes, self._emit),
            cases=ObservedCases(KafkaCaseLog(settings.topics, self._writer, count=count), self._owner.observe_case),
            feedback=KafkaFeedbackLog(settings.topics, self._writer),
            dead_letters=dead_letters,
            judged_before=self._board.board.seen,
            clock=clock,
            settings=settings.judging,
            commit_every_s=settings.source.commit_every,
        )
        self._build_anchors(self._pipeline)
        self._vitals.judges(self._pipeline, source)
        self._vitals.waits = self._history.why_not_judging
        self._vitals.count_in(self._pipeline.in_flight)

    def _build_anchors(self, pipeline: Pipeline) -> None:
        if self._settings.anchors is None:
            return
        self._anchors = Anchors(
            rows=load_anchors(self._settings.anchors),
            every_s=self._settings.anchors_every,
            deadline_s=self._settings.judging.deadline,
            panel=pipeline.panel,
            redactor=pipeline.intake.chooser.redactor,
            verdicts=pipeline.verdicts,
            book=self._board.board.anchors,
            judged_before=pipeline.judged_before,
            busy=lambda: pipeline.waiting() > 0,
            clock=self._clock,
            rng=random.Random(),  # noqa: S311 - an order, no secret
        )

    def _build_harvest(self) -> None:
        # pyarrow is large; only a harvester needs it
        from exporters.dataset import DeltaSampleSet  # noqa: PLC0415 - see above
        from exporters.dataset_feedback import DeltaFeedbackSet  # noqa: PLC0415 - see above

        settings = self._settings
        cases = {"topics": (settings.topics.cases,), "pattern": None, "group": settings.dataset.group}
        source = build_source(
            self._connection,
            settings.source.model_copy(update={**cases, "start": "earliest"}),
            self._clock,
            count=self._count,
        )
        table = DeltaSampleSet(settings.dataset.path)
        feedback = DeltaFeedbackSet(settings.dataset.path)
        table.check()
        feedback.check()
        self._harvest = HarvestRole(
            source, table, feedback, decode_kept, self._clock, settings.dataset, self._accounting
        )
        self._vitals.count_in(self._harvest.in_flight)
        self._vitals.harvests(self._harvest.problem, source)

    def _build_web(self) -> None:
        owner, web, stale_s = self._owner, self._settings.web, self._settings.source.stall_after
        registry = build_registry(SnapshotCollector(lambda: owner.snapshot, lambda: owner.operational, web.max_series))
        page = MetricsPage(registry, self._clock)
        self._cleanup.callback(page.close)

        def reasons() -> Sequence[str]:
            reading = bool({"judge", "harvest"} & set(owner.roles))
            return not_ready(
                owner.snapshot,
                owner.operational,
                source=reading,
                board=self._follows,
                stale_s=stale_s,
                troubles={
                    "judge": None if self._pipeline is None else self._writer.problem(stale_s),
                    "board": None if owner.snapshot.caught_up else self._verdicts.problem(),
                    "harvest": None if self._harvest is None else self._harvest.problem(),
                },
            )

        made = build_app(page, reasons, lambda: paused_judges(owner.operational))
        self._web = WebServer(made, bind(web.host, web.port))
        owner.port = self._web.port

    # -------------------------------------------------------------------------------------------------------- running

    def _count(self, event: str, number: int) -> None:
        self._events[event] += number

    async def _connect_writer(self) -> None:
        """At once, as this creates our topics: the board and the harvester cannot read those that do not exist yet."""
        while True:
            try:
                return await self._writer.connect()
            except SinkError as error:
                log.warning("nothing can be written yet; trying again until it can", why=str(error))
                await asyncio.sleep(_RETRY_S)

    async def _judge_anchors(self, anchors: Anchors) -> None:
        await self._board.ready.wait()  # earlier runs and their scores are known then
        await anchors.run()

    async def _take_snapshots(self) -> None:
        while True:
            for _ in self._board.board.prepare(self._clock.now_ns()):
                await asyncio.sleep(0)  # numbers of many windows take time, and heartbeats live on this loop
            self.take_snapshot()
            await asyncio.sleep(_SNAPSHOT_S)
