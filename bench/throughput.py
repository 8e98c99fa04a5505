"""How many traces a second one core of the judge role takes in, each beside a bare loop of the same Kafka client.

    python bench/throughput.py [--client aiokafka|librdkafka ...] [--shape keyed|batches|json ...] [--size 10 1]
        [--rows bare budget ...] [--rounds 1] [--traces 200000] [--warm 0.5] [--broker kafka|tansu] [--profile FILE]

By default each client, shape of records, size of trace (KB) and row, sampled at 1/100. A broker in
a process of its own holds the records (`traffic.py`); each row reads all of them in a fresh process (`consumers.py`).
Rows: `bare`, the client and nothing else; `budget`, with 60 judged requests a minute and triggers that see 1/10000 of
the traces; `triggers`, the same with triggers that see 1/100, so that every sampled trace is looked into (not among
the default rows); `all`, as `budget` with `traffic: all`; `judged`, without a budget: all of the 1 % is judged.
The clock starts when a share of the records (`--warm`) has passed, as a budget has no say before; not so in `judged`,
where what is judged late would count twice.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from consumers import Job, Result, measure
from traffic import PER_BATCH, Traffic

from monitor.demo.broker import local_broker

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "kafka" / "kafka"
PARTITIONS = 4
MOST_BYTES = 4 << 20
SMALL_TIMES = 4
"""So many more small traces: librdkafka has fetched up to 64 MB before the clock starts."""
ROWS: Mapping[str, Mapping[str, Any]] = {
    "bare": {"bare": True},
    "budget": {"budget": 60.0, "content_share": 10_000},
    "triggers": {"budget": 60.0},
    "all": {"budget": 60.0, "content_share": 10_000, "traffic": "all"},
    "judged": {},
}
HEAD = f"{'':42} {'traces/s/core':>13} {'us a trace':>10} {'of bare':>8} {'judged':>7} {'peak MB':>8} {'grown MB':>8}"


async def fill(address: str, topic: str, traffic: Traffic, records: int, shape: Any) -> None:  # noqa: ANN401 - a Shape
    """Write the records over all partitions of a new topic."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    large = {"max.message.bytes": str(MOST_BYTES)}
    await admin.create_topics([NewTopic(topic, PARTITIONS, 1, topic_configs=large)])
    await admin.close()
    producer = AIOKafkaProducer(
        bootstrap_servers=address, linger_ms=20, max_batch_size=256 << 10, max_request_size=MOST_BYTES
    )
    await producer.start()
    for number, (key, value) in enumerate(traffic.records(records, shape)):
        await producer.send(topic, value, key, partition=number % PARTITIONS)
    await producer.stop()


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


def line(name: str, results: Sequence[Result], bare: Sequence[Result], traces: int, bare_traces: int) -> str:
    """One line of the table: medians; the ratio is that of CPU times a trace in the same round."""
    cpu = statistics.median(result.cpu_s for result in results)
    judged = round(statistics.median(result.judged for result in results))
    peak, grown = max(result.peak_mb for result in results), max(result.grown_mb for result in results)
    ratios = [
        before.cpu_s / bare_traces / (result.cpu_s / traces) for before, result in zip(bare, results, strict=False)
    ]
    ratio = f"{statistics.median(ratios):.2f}" if ratios else ""
    speed = f"{traces / cpu:>13,.0f} {cpu / traces * 1e6:>10.2f} {ratio:>8}"
    return f"{name:42} {speed} {judged:>7,} {peak:>8.0f} {grown:>8.0f}"


def compare(options: Any, address: str, topic: str, cell: str, client: str, records: int) -> None:  # noqa: ANN401 - argparse
    """The rows of one client on one topic."""
    warm = {row: 0 if row == "judged" else int(records * options.warm) for row in ("bare", *options.rows)}
    traces = {row: (records - passed) * (1 if "keyed" in topic else PER_BATCH) for row, passed in warm.items()}
    found: dict[str, list[Result]] = {row: [] for row in options.rows}
    for number in range(options.rounds):
        for row, results in found.items():
            job = Job(
                brokers=address,
                topic=topic,
                records=records,
                warm=warm[row],
                group=f"{topic}-{client}-{row}-{number}",
                client=client,  # type: ignore[arg-type]  # one of the choices
                idempotence=options.broker == "kafka",
                profile=options.profile if row != "bare" else "",
                **ROWS[row],
            )
            results.append(measure(job))
    for row, results in found.items():
        bare = found["bare"] if row != "bare" and "bare" in found else []
        print(line(f"{client}, {cell}: {row}", results, bare, traces[row], traces["bare"]), flush=True)


def main() -> None:
    """Fill each topic, compare on it, print as it goes."""
    options = _options()
    print(
        f"{options.traces:,} traces a topic, {PARTITIONS} partitions, {options.broker}, 1/100, {options.rounds} rounds"
    )
    print(HEAD, flush=True)
    with broker(options.broker) as address:
        for size in options.size:
            traffic = Traffic(options.seed, small=size == 1)
            for shape in options.shape:
                topic = f"{shape}-{size}"
                traces = options.traces * (SMALL_TIMES if size == 1 else 1)
                records = traces if shape == "keyed" else traces // PER_BATCH
                asyncio.run(fill(address, topic, traffic, records, shape))
                for client in options.client:
                    compare(options, address, topic, f"{shape}, {traffic.mean_bytes / 1000:.1f} KB", client, records)


def _options() -> Any:  # noqa: ANN401 - argparse
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    clients, shapes = ("aiokafka", "librdkafka"), ("keyed", "batches", "json")
    parser.add_argument("--client", nargs="+", choices=clients, default=clients)
    parser.add_argument("--shape", nargs="+", choices=shapes, default=shapes)
    parser.add_argument("--size", nargs="+", type=int, choices=(10, 1), default=(10, 1), help="KB of a trace")
    parser.add_argument("--rows", nargs="+", choices=tuple(ROWS), default=("bare", "budget", "all", "judged"))
    parser.add_argument("--traces", type=int, default=200_000)
    parser.add_argument("--warm", type=float, default=0.5, help="share of the traces before the clock starts")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--broker", choices=("kafka", "tansu"), default="kafka")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", default="", help="write cProfile data of the last judge role to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
