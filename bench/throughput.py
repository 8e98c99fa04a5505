"""How many traces a second one core of the judge role takes in, as a ratio to a bare aiokafka loop.

    python bench/throughput.py [--broker kafka|tansu] [--records 100000] [--rounds 3] [--rate 100]
        [--content-share 100] [--budget 60] [--keyless] [--client aiokafka|librdkafka]

A broker in a process of its own holds the records. In turn a bare consumer (`getmany`, count, nothing else) and the
judge role of ragmon (embedded judge and scanners as configured by default) read all of them, each in a fresh process
with the same fetch settings; the judge role once more with a budget of judged requests a minute, as an operator would
set one: there the cost of taking traces in stands apart from the cost of judging. What counts is the CPU time of that
process, all threads, from the first records until the last request is judged and its verdicts are confirmed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import cProfile
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from traffic import Traffic

from monitor.app import Monitor
from monitor.demo.broker import local_broker
from monitor.settings import Kafka, Sampling, Settings, SourceSettings, Topics, Web
from monitor.sources.supervisor import SupervisedSource
from monitor.wire import Batch

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "kafka" / "kafka"
TOPIC = "bench"
PARTITIONS = 4
CODE = {"bare": "bare loop", "judge": "judge role", "budget": "with a budget"}


@dataclass(frozen=True, slots=True)
class Job:
    """What one consumer process has to do."""

    brokers: str
    records: int
    rate: int
    content_share: int
    idempotence: bool
    group: str
    client: str
    budget: float = 0.0
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

    def __init__(self) -> None:
        self.seen = 0
        self._began = (0.0, 0.0, 0.0)

    def saw(self, count: int) -> None:
        """Count records that came."""
        if self.seen == 0 and count:
            self._began = (time.process_time(), time.monotonic(), _resident_mb())
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
        source=SourceSettings(topics=(TOPIC,), group=job.group, start="earliest", client=job.client),
        sampling=Sampling(base=f"1/{job.rate}", content_share=f"1/{job.content_share}", budget_per_minute=job.budget),
        topics=Topics(verdicts=f"{job.group}.verdicts", cases=f"{job.group}.cases", dead_letters=f"{job.group}.dead"),
        web=Web(host="127.0.0.1", port=0),
    )


async def read_bare(job: Job) -> Result:
    """The bare loop, with the fetch settings of our source."""
    settings = settings_for(job).source
    consumer = AIOKafkaConsumer(
        TOPIC,
        bootstrap_servers=job.brokers,
        group_id=job.group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        isolation_level="read_committed",
        max_partition_fetch_bytes=settings.fetch_bytes,
        fetch_max_wait_ms=250,
    )
    await consumer.start()
    meter = Meter()
    while meter.seen < job.records:
        fetched = await consumer.getmany(timeout_ms=250, max_records=settings.poll_records)
        meter.saw(sum(len(records) for records in fetched.values()))
    result = meter.result()
    await consumer.stop()
    return result


async def read_judging(job: Job) -> Result:
    """The judge role, whole: what is measured ends when nothing is held by any stage any more."""
    meter, stop = Meter(), asyncio.Event()
    original = SupervisedSource.poll

    async def poll(source: SupervisedSource) -> Sequence[Batch]:
        batches = await original(source)
        meter.saw(sum(len(batch.records) for batch in batches))
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


def work(kind: str, job: Job) -> None:
    """The consumer process: run, print the result."""
    read = read_bare if kind == "bare" else read_judging
    profile = cProfile.Profile()
    if job.profile:
        profile.enable()
    result = asyncio.run(read(job))
    if job.profile:
        profile.disable()
        profile.dump_stats(job.profile)
    sys.stdout.write(json.dumps(asdict(result)) + "\n")


def measure(kind: str, job: Job) -> Result:
    """One run in a fresh process."""
    command = [sys.executable, __file__, "--worker", kind, json.dumps(asdict(job))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return Result(**json.loads(done.stdout.splitlines()[-1]))


async def fill(address: str, records: int, *, keyless: bool, seed: int) -> float:
    """Write the records over all partitions; gives the mean size of a value."""
    traffic = Traffic(seed)
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    await admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1)])
    await admin.close()
    producer = AIOKafkaProducer(bootstrap_servers=address, linger_ms=20, max_batch_size=256 << 10)
    await producer.start()
    for number, (key, value) in enumerate(traffic.records(records)):
        await producer.send(TOPIC, value, None if keyless else key, partition=number % PARTITIONS)
    await producer.stop()
    return traffic.mean_bytes


@contextlib.contextmanager
def broker(kind: str) -> Iterator[str]:
    """A broker for the length of the block; gives its address."""
    if kind == "tansu":
        with local_broker() as address:
            yield address
        return
    with tempfile.TemporaryDirectory() as folder:
        started = subprocess.run(
            [SCRIPT, "start", f"{folder}/kafka", "29092"], stdout=subprocess.PIPE, text=True, check=True
        )
        try:
            yield started.stdout.split()[-1]
        finally:
            subprocess.run([SCRIPT, "stop", f"{folder}/kafka"], check=True)


def row(name: str, results: Sequence[Result], records: int) -> str:
    """One line of the table: medians."""
    cpu = statistics.median(result.cpu_s for result in results)
    wall = statistics.median(result.wall_s for result in results)
    peak = max(result.peak_mb for result in results)
    grown = max(result.grown_mb for result in results)
    speeds = f"{records / cpu:>11,.0f} {cpu / records * 1e6:>7.1f} {records / wall:>10,.0f}"
    return f"{name:14} {speeds} {peak:>8.0f} {grown:>8.0f}"


def main() -> None:
    """Run the rounds, print the table."""
    options = _options()
    if options.worker:
        kind, text = options.worker
        work(kind, Job(**json.loads(text)))
        return
    found: dict[str, list[Result]] = {kind: [] for kind in CODE}
    with broker(options.broker) as address:
        size = asyncio.run(fill(address, options.records, keyless=options.keyless, seed=options.seed))
        for number in range(options.rounds):
            for kind, results in found.items():
                job = Job(
                    brokers=address,
                    records=options.records,
                    rate=options.rate,
                    content_share=options.content_share or options.rate,
                    idempotence=options.broker == "kafka",
                    group=f"{kind}-{number}",
                    client=options.client,
                    budget=options.budget if kind == "budget" else 0.0,
                    profile=options.profile if kind == "judge" else "",
                )
                results.append(measure(kind, job))
    keys = "without keys" if options.keyless else "keyed by trace id"
    print(f"{options.records:,} traces of {size / 1000:.1f} KB {keys}, {PARTITIONS} partitions, {options.broker};")
    share = options.content_share or options.rate
    print(f"by {options.client}, sampled 1/{options.rate}, triggers on 1/{share}; median of {options.rounds} rounds")
    print(f"{'':14} {'per s, core':>11} {'us CPU':>7} {'per s wall':>10} {'peak MB':>8} {'grown MB':>8}")
    for kind, results in found.items():
        print(row(CODE[kind], results, options.records))
    for kind in ("judge", "budget"):
        ratios = [bare.cpu_s / judge.cpu_s for bare, judge in zip(found["bare"], found[kind], strict=True)]
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"{CODE[kind]} / bare loop: {spread}; {found[kind][-1].judged:,} requests judged")


def _options() -> Any:  # noqa: ANN401 - argparse
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--broker", choices=("kafka", "tansu"), default="kafka")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=int, default=100, help="k of the rate 1/k at which requests are judged")
    parser.add_argument("--content-share", type=int, help="k of the share 1/k that triggers see; default: as --rate")
    parser.add_argument("--budget", type=float, default=60.0, help="judged requests a minute in the row with a budget")
    parser.add_argument("--client", choices=("aiokafka", "librdkafka"), default="aiokafka", help="of the judge role")
    parser.add_argument("--keyless", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", default="", help="write cProfile data of the judge role to this file")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
