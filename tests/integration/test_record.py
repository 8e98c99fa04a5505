"""`ragmon record` against the quick broker: what is in the topic is in the file, and nothing else happens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import signal
import stat
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from monitor.config.settings import Settings
from monitor.errors import InputError
from monitor.offline import record as command
from tests.brokers import Message, Tansu, create_topic, free_ports, produce, read_all, run, unique, until
from tests.integration.recorded import produce_again, records_of
from tests.integration.recording import contents, produce_contents, record, recorded, recording, there, unfinished
from tests.monitor.terminal import ragmon

WIRE = Path(__file__).parents[1] / "data" / "wire"
ODD = [
    Message(b"plain", b"key", 0, [("name", b"text"), ("name", b"again")]),
    Message(b"\xff\x00\xfe", b"\xff\xfe", 1, [("bytes", b"\xff"), ("text", b"t")]),
    Message(None, b"tombstone", 2),
    Message(b"", None, 0),
    Message(b"x" * 300_000, "键🙂\0".encode(), 1),
]
"""Records that a careless form would lose or change."""


def topic_with(broker: Tansu, messages: list[Message], partitions: int = 3) -> str:
    topic = unique("topic")

    async def go() -> None:
        await create_topic(broker, topic, partitions)
        for compression in (None, "gzip", "snappy", "lz4", "zstd"):
            await produce(broker, topic, messages, compression=compression)

    run(go())
    return topic


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst"])
def test_every_record_is_written_as_it_is(tansu: Tansu, tmp_path: Path, name: str) -> None:
    topic = topic_with(tansu, ODD)
    out = tmp_path / name
    ended = record(tansu, topic, out)
    assert (ended.code, ended.out) == (0, "")
    assert ended.told[0] == f"{5 * len(ODD)} records of {topic} are in {out}"
    assert ended.told[1].startswith(f"warning: {out} holds what users wrote")
    assert len(ended.told) == 2
    records = recorded(out)
    assert contents(records) == run(there(tansu, topic))
    for partition in range(3):
        offsets = [item.offset for item in records if item.partition == partition]
        assert offsets == list(range(len(offsets)))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_is_recorded_and_produced_again_gives_the_same_records_and_requests(tansu: Tansu, tmp_path: Path) -> None:
    first, again = tmp_path / "first.jsonl.gz", tmp_path / "again.jsonl.zst"
    topics = unique("topic"), unique("topic")

    async def fill(topic: str, records: Any) -> None:  # noqa: ANN401 - of either form
        await create_topic(tansu, topic, 3)
        await (produce_again if isinstance(records[0], dict) else produce_contents)(tansu, topic, records)

    run(fill(topics[0], records_of("otlp_proto")))
    assert record(tansu, topics[0], first).code == 0
    run(fill(topics[1], contents(recorded(first))))
    assert record(tansu, topics[1], again).code == 0
    original = contents(recorded(WIRE / "otlp_proto.jsonl.gz"))
    assert contents(recorded(first)) == contents(recorded(again)) == original
    requests = [ragmon("extract", path) for path in (WIRE / "otlp_proto.jsonl.gz", first, again)]
    assert [ended.code for ended in requests] == [0, 0, 0]
    found = [Counter(_request(line) for line in ended.out.splitlines()) for ended in requests]
    assert found[0].total() > 60
    assert found[0] == found[1] == found[2]


def _request(line: str) -> str:
    """A request; where its records lie does not matter."""
    row = json.loads(line)
    return json.dumps({name: value for name, value in row.items() if "position" not in name}, sort_keys=True)


def test_the_last_records_are_spread_over_the_partitions(tansu: Tansu, tmp_path: Path) -> None:
    sizes = {0: 3, 1: 40, 2: 60}
    messages = [Message(b"%d" % n, None, partition) for partition, size in sizes.items() for n in range(size)]
    topic, out = unique("topic"), tmp_path / "out.jsonl"

    async def fill() -> None:
        await create_topic(tansu, topic, 4)
        await produce(tansu, topic, messages)

    run(fill())
    assert record(tansu, topic, out, "--last", "23").code == 0
    got = [(item.partition, item.offset) for item in sorted(recorded(out), key=lambda item: item.partition)]
    assert got == [(0, n) for n in range(3)] + [(1, n) for n in range(30, 40)] + [(2, n) for n in range(50, 60)]


def test_it_joins_no_group_and_creates_no_topic(tansu: Tansu, tmp_path: Path) -> None:
    topic, missing = topic_with(tansu, ODD), unique("missing")

    async def state() -> tuple[set[str], set[str]]:
        admin = AIOKafkaAdminClient(bootstrap_servers=tansu.address)
        await admin.start()
        try:
            return set(await admin.list_topics()), {name for name, *_ in await admin.list_consumer_groups()}
        finally:
            await admin.close()

    before = run(state())
    assert record(tansu, topic, tmp_path / "out").code == 0
    assert record(tansu, missing, tmp_path / "other").code == 2
    assert run(state()) == before


def test_what_comes_in_a_time_is_written_and_nothing_from_before(tansu: Tansu, tmp_path: Path) -> None:
    topic, out = topic_with(tansu, ODD), tmp_path / "out.jsonl"

    async def go() -> int:
        with recording(tansu, topic, out, "--seconds", "2") as process:
            number = 0
            while process.poll() is None:
                await produce(tansu, topic, [Message(b"new %d" % number, None, number % 3)])
                number += 1
            return process.returncode

    assert run(go()) == 0
    got = recorded(out)
    numbers = [int((item.value or b"").removeprefix(b"new ")) for item in sorted(got, key=lambda item: item.timestamp)]
    assert len(numbers) > 5
    assert numbers == list(range(numbers[0], numbers[-1] + 1))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_keeps_whole_lines(tansu: Tansu, tmp_path: Path, number: int, code: int) -> None:
    topic, out = unique("topic"), tmp_path / "out.jsonl.gz"

    async def go() -> tuple[int, str]:
        await create_topic(tansu, topic, 2)
        with recording(tansu, topic, out, "--seconds", "60") as process:
            sent = 0

            def writing() -> bool:
                file = unfinished(out)
                return file is not None and file.stat().st_size > 50_000

            while not writing():
                assert process.poll() is None
                await produce(tansu, topic, [Message(os.urandom(5000), None, n % 2) for n in range(10)])
                sent += 10
            process.send_signal(number)
            ended = await asyncio.to_thread(process.wait, 20)
            assert process.stderr is not None
            return ended, process.stderr.read().decode()

    ended, told = run(go())
    assert ended == code
    kept = recorded(out)
    assert len(kept) >= 10
    assert f"the {len(kept)} records so far are in {out}" in told
    assert "Traceback" not in told
    assert list(tmp_path.iterdir()) == [out]


def test_a_signal_before_there_is_anything_leaves_nothing(tansu: Tansu, tmp_path: Path) -> None:
    topic, out = unique("topic"), tmp_path / "out.jsonl"

    async def go() -> tuple[int, str]:
        await create_topic(tansu, topic)
        with recording(tansu, topic, out, "--seconds", "60") as process:
            await until(lambda: unfinished(out), "the file is begun")
            process.send_signal(signal.SIGINT)
            ended = await asyncio.to_thread(process.wait, 20)
            assert process.stderr is not None
            return ended, process.stderr.read().decode()

    ended, told = run(go())
    assert (ended, told) == (130, "ragmon: interrupted; nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_wrong_input_and_failures_are_told_in_one_line_and_leave_no_file(tansu: Tansu, tmp_path: Path) -> None:
    topic, empty, out = topic_with(tansu, ODD), unique("empty"), tmp_path / "out.jsonl"
    run(create_topic(tansu, empty, 2))
    (closed,) = free_ports(0)
    elsewhere = Tansu(f"127.0.0.1:{closed}", tansu.process)
    cases = {
        (2, f"topic {topic}x does not exist, or we may not see it; did you mean {topic}?"): (tansu, f"{topic}x", []),
        (1, f"topic {empty} holds no records; nothing was written"): (tansu, empty, []),
        (1, f"topic {empty} got no records in 0.5 s; nothing was written"): (tansu, empty, ["--seconds", "0.5"]),
        (1, f"Kafka cannot be reached: 127.0.0.1:{closed}: connection refused; nothing was written"): (
            elsewhere,
            topic,
            [],
        ),
    }
    for (code, told), (broker, name, arguments) in cases.items():
        ended = record(broker, name, out, *arguments)
        assert (ended.code, ended.out, ended.told) == (code, "", [told])
        assert list(tmp_path.iterdir()) == []


def test_the_configuration_names_the_brokers(tansu: Tansu, tmp_path: Path) -> None:
    topic, config = topic_with(tansu, ODD), tmp_path / "ragmon.yaml"
    config.write_text(f"kafka: {{brokers: ['{tansu.address}']}}\n")
    command = [sys.executable, "-m", "monitor", "record", topic, "--out", str(tmp_path / "out"), "-c", str(config)]
    assert subprocess.run(command, capture_output=True, check=False, timeout=50).returncode == 0
    assert contents(recorded(tmp_path / "out")) == run(there(tansu, topic))


def test_a_terminal_sees_the_progress(tansu: Tansu, tmp_path: Path) -> None:
    topic = topic_with(tansu, ODD)
    arguments = [sys.executable, "-m", "monitor", "record", topic, "--out", str(tmp_path / "out"), "--seconds", "1"]
    master, terminal = pty.openpty()
    done = subprocess.Popen(
        [*arguments, "--brokers", tansu.address], stderr=terminal, env={**os.environ, "TERM": "xterm"}
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal ends
        while data := os.read(master, 4096):
            shown += data
    os.close(master)
    assert done.wait(20) == 1
    assert f"recording {topic}".encode() in shown
    assert b"got no records in 1 s" in shown


def test_the_broker_lists_all_that_was_confirmed(tansu: Tansu, tmp_path: Path) -> None:
    """Tansu lists the end of a partition short of its last batch; the file must not be."""
    topic, out = topic_with(tansu, [Message(b"%d" % n) for n in range(200)], 1), tmp_path / "out"
    assert record(tansu, topic, out, "--last", "100").code == 0
    last = [item.offset for item in run(read_all(tansu, topic))][-100:]
    assert [item.offset for item in recorded(out)] == last


@pytest.mark.parametrize(
    ("topic", "out", "told"),
    [
        ("..", "f", "cannot be the name"),
        ("a b", "f", "cannot be the name"),
        ("t" * 250, "f", "name"),
        ("t", "-", "--out -"),
    ],
)
def test_what_can_never_be_recorded_is_told_before_any_broker_is_asked(topic: str, out: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        command.main(command.Wanted(topic, 1), Path(out), Settings(), force=False, console=None)
