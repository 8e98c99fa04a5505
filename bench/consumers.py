"""The consumer processes that `throughput.py` compares: a bare loop of a Kafka client, and ragmon's judge role.

Each reads a topic once in a fresh process. What counts is the CPU time of that process, all threads, from the first
records on; for the judge role until its last request is judged and its verdicts are confirmed.
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from aiokafka import AIOKafkaConsumer

from monitor import garbage
from monitor.app import Monitor
from monitor.building import build_connection
from monitor.clock import SystemClock
from monitor.config.settings import Assembly, Kafka, Sampling, Settings, SourceSettings, Topics, Web
from monitor.sources.supervisor import SupervisedSource
from monitor.wire import Batch

_FILL_S = 0.1  # how long ragmon's own librdkafka source lets a poll fill


@dataclass(frozen=True, slots=True)
class Job:
    """What one consumer process has to do. Rates are the k of 1/k."""

    brokers: str
    topic: str
    records: int
    group: str
    client: Literal["aiokafka", "librdkafka"]
    idempotence: bool = True
    rate: int = 100
    content_share: int = 100
    budget: float = 0.0
    traffic: Literal["all", "sampled", "off"] = "sampled"
    quiet: float = 0.2
    """Seconds; a run is over in a few, and the budget must have its say before that."""
    warm: int = 0
    """Records before the clock starts."""
    bare: bool = False
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What it took."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    grown_mb: float
    judged: int = 0


class Meter:
    """Measures from the first records on."""

    def __init__(self, warm: int) -> None:
        self.seen = 0
        self._warm = warm
        self._began = (0.0, 0.0, 0.0)

    def saw(self, count: int) -> None:
        """Count records that came."""
        if self.seen <= self._warm < self.seen + count:
            self._began = (time.process_time(), time.monotonic(), _resident_mb())
            self.started = self.seen
        self.seen += count

    def result(self, judged: int = 0) -> Result:
        """What it took until now."""
        cpu, wall, resident = self._began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return Result(time.process_time() - cpu, time.monotonic() - wall, peak, peak - resident, judged)


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def settings_for(job: Job) -> Settings:
    """The judge role as a fleet would run it: the defaults, but for the rates."""
    return Settings(
        kafka=Kafka(brokers=(job.brokers,), idempotence=job.idempotence),
        source=SourceSettings(topics=(job.topic,), group=job.group, start="earliest", client=job.client),
        sampling=Sampling(base=f"1/{job.rate}", content_share=f"1/{job.content_share}", budget_per_minute=job.budget),
        assembly=Assembly(quiet=job.quiet),
        traffic=job.traffic,
        topics=Topics(verdicts=f"{job.group}.verdicts", cases=f"{job.group}.cases", dead_letters=f"{job.group}.dead"),
        web=Web(host="127.0.0.1", port=0),
    )


async def read_aiokafka(job: Job) -> Result:
    """The bare loop of aiokafka, with the fetch settings of our source."""
    settings = settings_for(job).source
    consumer = AIOKafkaConsumer(
        job.topic,
        bootstrap_servers=job.brokers,
        group_id=job.group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        isolation_level="read_committed",
        max_partition_fetch_bytes=settings.fetch_bytes,
        fetch_max_wait_ms=250,
    )
    await consumer.start()
    meter = Meter(job.warm)
    while meter.seen < job.records:
        fetched = await consumer.getmany(timeout_ms=250, max_records=settings.poll_records)
        meter.saw(sum(len(records) for records in fetched.values()))
    result = meter.result()
    await consumer.stop()
    return result


def read_librdkafka(job: Job) -> Result:
    """The bare loop of librdkafka, with the options of our source."""
    from confluent_kafka import Consumer  # noqa: PLC0415 - an extra: may be missing

    from monitor.sources.librdkafka.options import consumer_options  # noqa: PLC0415 - same

    settings = settings_for(job)
    options = consumer_options(build_connection(settings), settings.source, SystemClock())
    consumer = Consumer({**options, "auto.offset.reset": "earliest", "enable.partition.eof": False})
    consumer.subscribe([job.topic])
    meter = Meter(job.warm)
    while meter.seen < job.records:
        meter.saw(len(consumer.consume(settings.source.poll_records, _FILL_S)))
    result = meter.result()
    consumer.close()
    return result


async def read_judging(job: Job) -> Result:
    """The judge role, whole: what is measured ends when nothing is held by any stage any more."""
    meter, stop = Meter(job.warm), asyncio.Event()
    original = SupervisedSource.poll

    async def poll(source: SupervisedSource) -> Sequence[Batch]:
        batches = await original(source)
        meter.saw(sum(batch.unwanted + len(batch.records) for batch in batches))
        return batches

    SupervisedSource.poll = poll  # type: ignore[method-assign, assignment]  # the only way to see the first records without a cost
    monitor = Monitor(settings_for(job), ("judge",))
    running = asyncio.create_task(monitor.run(stop))
    while not _finished(monitor, job.records):
        await asyncio.wait({running}, timeout=0.2)
        if running.done():
            running.result()
    judged = next(stage.passed for stage in monitor.snapshot.stages if stage.stage == "judge")
    result = meter.result(judged)
    stop.set()
    await running
    return result


def _finished(monitor: Monitor, records: int) -> bool:
    stages = {stage.stage: stage for stage in monitor.snapshot.stages}
    if "source" not in stages or stages["source"].received < records:
        return False
    return stages["sample"].passed == stages["judge"].received and not any(stage.held for stage in stages.values())


def measure(job: Job) -> Result:
    """One run in a fresh process."""
    command = [sys.executable, __file__, json.dumps(asdict(job))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return Result(**json.loads(done.stdout.splitlines()[-1]))


def _read(job: Job) -> Result:
    if not job.bare:
        return asyncio.run(read_judging(job))
    return asyncio.run(read_aiokafka(job)) if job.client == "aiokafka" else read_librdkafka(job)


def _work(arguments: dict[str, Any]) -> None:
    job = Job(**arguments)
    profile = cProfile.Profile()
    if not job.bare:
        garbage.settle()  # as the command does
    if job.profile:
        profile.enable()
    result = _read(job)
    if job.profile:
        profile.disable()
        profile.dump_stats(job.profile)
    sys.stdout.write(json.dumps(asdict(result)) + "\n")


if __name__ == "__main__":
    _work(json.loads(sys.argv[1]))
