from __future__ import annotations

import asyncio
import base64
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from monitor.records import TopicPartition
from monitor.sources.files import _is_message
from monitor.sources.replay import ReplaySource
from monitor.wire import Batch, Record
from tests.brokers import run
from tests.integration.listeners import Listener

DATA = Path(__file__).parents[2] / "data"
CAPTURES = DATA / "traces"
WIRE = DATA / "wire"
REQUEST = b"\x0a\x02\x12\x00"
"""An OTLP request with one empty part."""


async def read(source: ReplaySource) -> list[Batch]:
    batches: list[Batch] = []
    await source.start(Listener())
    while not source.exhausted():
        batches += await source.poll()
    await source.stop()
    return batches


def replay(*paths: Path | str, **options: int | str) -> tuple[list[Record], list[tuple[str, str]]]:
    source = ReplaySource([str(path) for path in paths], **options)  # type: ignore[arg-type]
    records = [record for batch in run(read(source)) for record in batch.records]
    return records, list(source.failures())


def values(*paths: Path | str) -> list[bytes | None]:
    records, failures = replay(*paths)
    assert failures == []
    return [record.value for record in records]


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def varint(number: int) -> bytes:
    result = bytearray()
    while number > 0x7F:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*result, number])


def test_every_capture_is_one_record_as_it_is() -> None:
    for path in sorted(CAPTURES.glob("*.pb")):
        assert values(path) == [path.read_bytes()], path.name


def test_a_json_document_is_one_record() -> None:
    (path,) = CAPTURES.glob("*.otlp.json")
    assert values(path) == [path.read_bytes().strip()]


def test_a_folder_gives_its_traces_in_order_and_names_what_holds_none() -> None:
    records, failures = replay(CAPTURES)
    names = [str(path) for pattern in ("*.pb", "*.otlp.json") for path in CAPTURES.glob(pattern)]
    assert [record.topic for record in records] == sorted(names)
    assert sorted(path for path, _ in failures) == sorted(str(path) for path in CAPTURES.glob("*.expected.json"))
    assert {reason for _, reason in failures} == {
        "a JSON object without the keys resourceSpans, resourceLogs or trace_id"
    }


@pytest.mark.parametrize("name", ["otlp_proto", "otlp_proto_nokey", "otlp_json"])
def test_recorded_kafka_records_come_with_key_offset_and_bytes(name: str) -> None:
    path = WIRE / f"{name}.jsonl.gz"
    with gzip.open(path) as lines:
        expected = [json.loads(line) for line in lines]
    records, failures = replay(path)
    assert failures == []
    assert [(r.partition, r.offset, r.key, r.value, r.timestamp) for r in records] == [
        (
            line["partition"],
            line["offset"],
            None if line["key"] is None else line["key"].encode(),
            base64.b64decode(line["value"]),
            line["timestamp"],
        )
        for line in expected
    ]


@given(st.lists(st.integers(0, 300), min_size=1, max_size=5))
def test_requests_that_follow_their_lengths_are_taken_apart(sizes: list[int]) -> None:
    requests = [b"\x0a" + varint(size) + b"\x22" * size for size in sizes]
    framed = b"".join(varint(len(request)) + request for request in requests)
    path = write(Path(os.environ["TMPDIR"]) / "framed.pb", framed)
    if framed[0] != 0x0A:  # a first request of exactly ten bytes looks like field 1
        assert values(path) == requests


@pytest.fixture(autouse=True)
def _scratch(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("replay")))


@given(st.binary(max_size=40))
def test_a_protobuf_walk_ends_on_any_bytes(value: bytes) -> None:
    assert _is_message(value) in {True, False}


def test_json_lines_are_records_and_blank_lines_are_not(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", '\n{"trace_id": "a"}\n  \r\n{"bad\n{"trace_id": "b"}')
    assert values(path) == [b'{"trace_id": "a"}', b'{"bad', b'{"trace_id": "b"}']


def test_a_document_over_many_lines_is_one_record(tmp_path: Path) -> None:
    text = json.dumps([{"trace_id": "a", "question": "?"}], indent=2)
    assert values(write(tmp_path / "x.json", text)) == [text.encode()]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lambda data: zstandard.compress(data) * 2])
def test_compression_is_told_by_the_first_bytes_not_by_the_name(tmp_path: Path, pack: object) -> None:
    content = b"".join(b'{"trace_id": "%d"}\n' % number for number in range(5000))
    packed = pack(content)  # type: ignore[operator]
    got = values(write(tmp_path / "x.jsonl", packed))
    assert len(got) in {5000, 10_000}
    assert set(got) == {line.strip() for line in content.splitlines()}


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_cut_off_file_gives_what_it_holds_and_says_so(tmp_path: Path, pack: object) -> None:
    lines = b"".join(b'{"trace_id": "%s"}\n' % os.urandom(16).hex().encode() for _ in range(20_000))
    packed: bytes = pack(lines)  # type: ignore[operator]
    records, failures = replay(write(tmp_path / "x.jsonl", packed[: len(packed) // 2]))
    assert 1000 < len(records) < 20_000
    assert [(path, "cut off" in reason) for path, reason in failures] == [(str(tmp_path / "x.jsonl"), True)]


def test_one_bad_file_among_many_does_not_cost_the_others(tmp_path: Path) -> None:
    bad: Mapping[str, bytes] = {
        "empty.pb": b"",
        "text.json": b"no JSON at all",
        "noise.pb": b"\xff\xfe\xfd",
        "text.pb": b"\x0atext",
        "cut.pb": varint(len(REQUEST)) + REQUEST + varint(500) + REQUEST,
        "blank.json": b" \n ",
        "other.json": b'{"name": "something else"}',
        "missing.pb": b"",
    }
    for name, content in bad.items():
        write(tmp_path / name, content)
    (tmp_path / "missing.pb").unlink()
    good = write(tmp_path / "zz.pb", REQUEST)
    records, failures = replay(*(tmp_path / name for name in bad), good)
    assert [record.value for record in records] == [REQUEST, REQUEST]
    assert [Path(path).name for path, _ in failures] == list(bad)
    assert dict(failures)[str(tmp_path / "cut.pb")] == "request 1 is cut off (after 1 records)"
    assert all(reason for _, reason in failures)


def test_a_line_or_document_above_the_cap_is_left_out_with_its_place(tmp_path: Path) -> None:
    long = "x" * 3000
    lines = write(tmp_path / "a.jsonl", f'{{"trace_id": "1"}}\n{{"trace_id": "{long}"}}\n{{"trace_id": "2"}}\n')
    document = write(tmp_path / "b.json", f'{{\n"trace_id": "{long}"}}')
    message = write(tmp_path / "c.pb", b"\x0a" + varint(3000) + b"x" * 3000)
    records, failures = replay(lines, document, message, max_bytes=1000)
    assert [record.value for record in records] == [b'{"trace_id": "1"}', b'{"trace_id": "2"}']
    assert failures[0] == (str(lines), "line 2 has more than 1000 bytes and is left out")
    assert [path for path, _ in failures] == [str(lines), str(document), str(message)]


def test_offsets_go_up_even_where_recordings_were_joined(tmp_path: Path) -> None:
    line = '{"partition": %d, "offset": %d, "value": %s}\n'
    text = line % (0, 5, '"YQ=="') + line % (1, 0, "null") + line % (0, 5, '"Yg=="') + '{"partition": 0}\n'
    records, failures = replay(write(tmp_path / "x.jsonl", text))
    assert [(r.partition, r.offset, r.value) for r in records] == [(0, 5, b"a"), (1, 0, None), (0, 6, b"b")]
    assert [reason.split(":")[0] for _, reason in failures] == ["line 4 is no recorded Kafka record"]


def test_a_byte_order_mark_before_recorded_records_costs_none_also_where_recordings_were_joined(tmp_path: Path) -> None:
    line = '\ufeff{"partition": 0, "offset": %d, "value": "YQ=="}\r\n'
    assert values(write(tmp_path / "x.jsonl", line % 0 + line % 1)) == [b"a", b"a"]


def test_batches_are_consecutive_records_of_one_assigned_partition() -> None:
    async def go() -> None:
        listener, source = Listener(), ReplaySource([str(WIRE / "otlp_proto.jsonl.gz")])
        await source.start(listener)
        while not source.exhausted():
            for batch in await source.poll():
                assert {TopicPartition(r.topic, r.partition) for r in batch.records} == {batch.partition}
                assert batch.next_offset == batch.records[-1].offset + 1
                assert batch.partition in listener.assignment
        await source.stop()

    run(go())


def test_a_paused_source_delivers_nothing_until_it_is_resumed() -> None:
    async def go() -> None:
        source = ReplaySource([str(CAPTURES)])
        await source.start(Listener())
        source.pause()
        assert (await source.poll(), source.exhausted()) == ((), False)
        source.resume()
        assert len(await source.poll()) == 1
        await source.stop()
        await source.stop()
        assert source.exhausted()

    run(go())


def test_a_folder_without_traces_is_told(tmp_path: Path) -> None:
    write(tmp_path / "README.md", "nothing here")
    assert replay(tmp_path) == ([], [(str(tmp_path), "no file with a known suffix is in there")])


def test_a_folder_that_may_not_be_looked_into_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a.pb", REQUEST)
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    if os.access(locked, os.R_OK):
        pytest.skip("nothing is forbidden to root")
    records, failures = replay(tmp_path)
    assert ([record.value for record in records], failures) == ([REQUEST], [(str(locked), "permission denied")])
    assert replay(locked, locked / "x.pb") == (
        [],
        [(str(locked), "permission denied"), (str(locked / "x.pb"), "permission denied")],
    )


SCRIPT = """
import asyncio, sys
from monitor.sources.replay import ReplaySource
from tests.monitor.sources.test_replay import read
source = ReplaySource(["-"])
batches = asyncio.run(read(source))
print(sum(len(batch.records) for batch in batches), source.failures())
"""


def test_standard_input_is_read_as_a_file_is() -> None:
    data = gzip.compress(b'{"trace_id": "a"}\n' * 3)
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=data, capture_output=True, check=True, timeout=30)
    assert done.stdout == b"3 ()\n"


def test_stopping_does_not_wait_for_standard_input() -> None:
    async def go(read_end: int) -> None:
        source = ReplaySource(["-"])
        await source.start(Listener())
        poll = asyncio.create_task(source.poll())
        await asyncio.sleep(0)
        await source.stop()
        assert await poll == ()
        os.close(read_end)

    read_end, write_end = os.pipe()
    saved = sys.stdin
    with os.fdopen(os.dup(read_end)) as replaced:
        sys.stdin = replaced
        try:
            run(go(read_end), 5)
        finally:
            sys.stdin = saved
    os.close(write_end)


def test_a_named_pipe_is_read_and_stopping_does_not_wait_for_its_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def stop_without_writer() -> None:
        source = ReplaySource([str(pipe)])
        await source.start(Listener())
        poll = asyncio.create_task(source.poll())
        await asyncio.sleep(0)
        await source.stop()
        assert await poll == ()

    run(stop_without_writer(), 5)
    line = b'{"trace_id": "a"}\n'
    with subprocess.Popen(["/bin/sh", "-c", f"printf '%s' '{line.decode()}' > {pipe}"]):
        assert values(pipe) == [line.strip()]


def test_zeros_without_end_are_no_requests(tmp_path: Path) -> None:
    (tmp_path / "zeros.pb").write_bytes(bytes(100_000))
    records, failures = replay(tmp_path / "zeros.pb")
    assert len(records) == 1000
    assert [reason.partition(",")[0] for _, reason in failures] == ["1001 requests in a row are empty"]


# ---------------------------------------------------------------------------------------------------- other encodings


def test_a_file_of_one_jaeger_span_is_one_record(tmp_path: Path) -> None:
    """Its fields are not all of a length, as those of an OTLP request are."""
    span = b"\x0a\x10" + bytes(range(16)) + b"\x12\x08" + bytes(range(8)) + b"\x28\x01"

    assert values(write(tmp_path / "span.pb", span)) == [span]


def test_a_plain_record_with_keys_of_its_own_is_told_by_the_key_of_its_trace_id(tmp_path: Path) -> None:
    path = write(tmp_path / "record.json", '{\n"request": {"id": "t"}\n}')

    assert len(replay(path, plain_key="request.id")[0]) == 1
    assert "or trace_id" in replay(path)[1][0][1]
