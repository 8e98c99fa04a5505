"""A whole Monitor inside the test's event loop: its settings, its life, and what it wrote to the broker."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from deltalake import DeltaTable
from prometheus_client.parser import text_string_to_metric_families

from exporters.messages import decode_kept, decode_line
from monitor.app import ROLES, Monitor
from monitor.config.settings import Settings
from monitor.demo.service import Service, TraceRecord
from monitor.records import Case, Verdict
from monitor.snapshot import StageCount
from tests.brokers import Broker, Message, read_all, unique

EVALUATIONS = frozenset(
    ("faithfulness", "safety.pii", "safety.secrets", "safety.injection", "safety.fraud", "safety.refusal")
)
"""What the default panel judges."""


def config_for(broker: Broker, folder: Path, **sections: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration as a user would write it: everything is judged, little is waited for, all names are unique."""
    name = unique("e2e")
    config: dict[str, dict[str, Any]] = {
        "kafka": {"brokers": [broker.address], "idempotence": broker.idempotence, "request_timeout": 5},
        "source": {
            "topics": [f"{name}.in"],
            "group": f"{name}.judge",
            "start": "earliest",
            "session_timeout": 2 if not broker.idempotence else 6,
            "rebalance_timeout": 3 if not broker.idempotence else 10,
            "commit_every": 0.5,
            "stall_after": 8,
        },
        "topics": {
            "verdicts": f"{name}.verdicts",
            "cases": f"{name}.cases",
            "dead_letters": f"{name}.dead",
            "partitions": 2,
        },
        "assembly": {"quiet": 0.3, "timeout": 5},
        "sampling": {"base": "1/1", "content_share": "1/1"},
        "judging": {"drain": 5},
        "dataset": {"path": str(folder / name), "group": f"{name}.harvest", "flush_every": 0.5},
        "web": {"host": "127.0.0.1", "port": 0},
    }
    for section, values in sections.items():
        config[section] = config.get(section, {}) | dict(values)
    return config


def settings_for(broker: Broker, folder: Path, **sections: Mapping[str, Any]) -> Settings:
    """`config_for`, checked."""
    return Settings.model_validate(config_for(broker, folder, **sections))


@dataclass
class Running:
    """A running Monitor; a failure of it fails the test that waits."""

    monitor: Monitor
    task: asyncio.Task[None]

    async def until(self, true: Callable[[], object], what: str, within: float = 40.0) -> None:
        """Wait for something; AssertionError with the state of the monitor when it does not come."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while not true():
            if self.task.done():
                self.task.result()
                raise AssertionError(f"the monitor ended before: {what}")
            assert loop.time() < deadline, f"did not happen within {within:.0f} s: {what}; {self.state()}"
            await asyncio.sleep(0.05)

    def stage(self, name: str) -> StageCount:
        """The account of one stage, at most a second old."""
        return next(
            (stage for stage in self.monitor.snapshot.stages if stage.stage == name), StageCount(name, "", 0, 0, {}, 0)
        )

    def dropped(self, stage: str, reason: str) -> int:
        """What one stage let go for a reason."""
        return self.stage(stage).dropped.get(reason, 0)

    def done(self, requests: int) -> bool:
        """Whether so many requests are judged, and nothing is held."""
        judge = self.stage("judge")
        return judge.passed >= requests and not judge.held

    def counted(self, evaluation: str) -> int:
        """Verdicts of an evaluation that the board has heard of."""
        whole = (item for item in self.monitor.snapshot.totals if item.evaluation == evaluation)
        return sum(outcome.count for item in whole if item.slice.dimension == "all" for outcome in item.outcomes)

    def state(self) -> str:
        """For a message."""
        stages = {s.stage: (s.received, s.passed, {k: v for k, v in s.dropped.items() if v}, s.held) for s in self._all}
        return f"{self.monitor.operational.source.problem!r} {stages}"

    @property
    def _all(self) -> Sequence[StageCount]:
        return self.monitor.snapshot.stages

    async def get(self, path: str) -> httpx.Response:
        """Ask the monitor's own web endpoint."""
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.monitor.port}", trust_env=False) as client:
            return await client.get(path)

    async def until_ready(self, within: float = 40.0) -> None:
        """Wait until every role is ready; each notices by itself that a broker is back."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while (said := (await self.get("/readyz")).text) != "ready\n":
            assert loop.time() < deadline, said
            await asyncio.sleep(0.05)


def metric(page: str, name: str, **labels: str) -> list[float]:
    """The values of a metric on a page, of all series that have these labels."""
    return [
        sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]


@contextlib.asynccontextmanager
async def monitoring(settings: Settings, roles: Collection[str] = ROLES) -> AsyncIterator[Running]:
    """A Monitor for the time of a block; it is stopped in good order, and its failure is raised."""
    stop = asyncio.Event()
    monitor = Monitor(settings, roles)
    running = Running(monitor, asyncio.create_task(monitor.run(stop)))
    try:
        yield running
    finally:
        stop.set()
        await running.task


def traffic(count: int, seed: int = 1) -> list[TraceRecord]:
    """Records of the demo's service, one trace each."""
    service = Service(random.Random(seed))
    try:
        return [record for _ in range(count) for record in service.ask()]
    finally:
        service.close()


def messages(records: Iterable[TraceRecord], partitions: int) -> list[Message]:
    """Records spread by their key, as a producer does: all of one trace on one partition."""
    return [Message(record.value, record.key, int(record.key[-4:], 16) % partitions) for record in records]


async def verdicts_in(broker: Broker, settings: Settings) -> list[Verdict]:
    """All verdicts of the topic, in order of partition and offset."""
    lines = [decode_line(record.value) for record in await read_all(broker, settings.topics.verdicts)]
    return [line for line in lines if isinstance(line, Verdict)]


def once(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Each verdict once: a write that timed out may stand in the topic twice."""
    return list({verdict.verdict_id: verdict for verdict in verdicts}.values())


async def cases_in(broker: Broker, settings: Settings) -> list[Case]:
    """All cases of the topic."""
    lines = [decode_kept(record.value) for record in await read_all(broker, settings.topics.cases)]
    return [line for line in lines if isinstance(line, Case)]


def rows_in(settings: Settings) -> list[dict[str, Any]]:
    """All rows of the sample set; empty while there is none."""
    if not (Path(settings.dataset.path) / "_delta_log").is_dir():
        return []
    rows: list[dict[str, Any]] = DeltaTable(settings.dataset.path).to_pyarrow_table().to_pylist()
    return rows
