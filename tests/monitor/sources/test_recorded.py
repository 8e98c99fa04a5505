"""The line form of recorded Kafka records: what is written is read again without loss."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.sources import recorded
from monitor.wire import RawRecord
from tests.monitor.sources.test_replay import replay, write

WIRE = Path(__file__).parents[2] / "data" / "wire"

records = st.builds(
    RawRecord,
    topic=st.just("t"),
    partition=st.integers(0, 2**31 - 1),
    offset=st.integers(0, 2**63 - 1),
    key=st.none() | st.binary() | st.text().map(str.encode),
    value=st.none() | st.binary(),
    timestamp=st.integers(-1, 2**62),
    headers=st.lists(st.tuples(st.text(), st.binary() | st.text().map(str.encode))).map(tuple),
)


@given(records)
def test_a_record_comes_back_as_it_was(record: RawRecord) -> None:
    line = recorded.encode(record)
    assert line.index(b"\n") == len(line) - 1
    assert recorded.is_recorded(line)
    assert recorded.decode(line, "t") == record


@pytest.mark.parametrize("path", sorted(WIRE.glob("*.jsonl.gz")), ids=lambda path: path.name)
def test_a_line_has_the_keys_and_the_order_of_earlier_recordings(path: Path) -> None:
    for line in gzip.decompress(path.read_bytes()).splitlines():
        again = recorded.encode(recorded.decode(line, "t"))
        assert list(json.loads(again).items()) == list(json.loads(line).items())


def test_bytes_that_are_no_text_are_written_in_base64() -> None:
    record = RawRecord("t", 0, 7, b"\xff\x00", b"", 5, (("a", b"text"), ("b", b"\xfe")))
    assert json.loads(recorded.encode(record)) == {
        "partition": 0,
        "offset": 7,
        "key": None,
        "key_base64": "/wA=",
        "headers": [],
        "headers_base64": [["a", "dGV4dA=="], ["b", "/g=="]],
        "timestamp": 5,
        "value": "",
    }


def test_a_null_header_is_written_as_null_and_read_as_empty() -> None:
    nothing: bytes = None  # type: ignore[assignment]  # what the client gives, against the protocol's type
    for other in (b"text", b"\xff"):
        line = recorded.encode(RawRecord("t", 0, 0, None, None, 0, (("a", nothing), ("b", other))))
        assert recorded.decode(line, "t").headers == (("a", b""), ("b", other))
        assert b'["a",null]' in line


def test_the_replay_source_reads_keys_and_headers_of_bytes(tmp_path: Path) -> None:
    record = RawRecord("t", 3, 9, b"\xff", b"value", 5, (("a", b"\xfe"),))
    got, failures = replay(write(tmp_path / "x.jsonl", recorded.encode(record)))
    assert failures == []
    assert [(r.partition, r.offset, r.key, r.value, r.timestamp, r.headers) for r in got] == [
        (3, 9, b"\xff", b"value", 5, (("a", b"\xfe"),))
    ]


@pytest.mark.parametrize(
    "fields",
    ['"value": "no base64!"', '"value": 7', '"value": null, "key_base64": "x"', '"value": null, "headers": [["a"]]'],
)
def test_a_line_that_cannot_be_read_is_told_and_the_others_are_read(tmp_path: Path, fields: str) -> None:
    good = recorded.encode(RawRecord("t", 0, 1, None, b"a")).decode()
    path = write(tmp_path / "x.jsonl", f'{good}{{"partition": 0, "offset": 2, {fields}}}\n{good}')
    got, failures = replay(path)
    assert [record.value for record in got] == [b"a", b"a"]
    assert [reason.partition(":")[0] for _, reason in failures] == ["line 2 is no recorded Kafka record"]


def test_a_value_of_the_largest_size_fits_in_its_line(tmp_path: Path) -> None:
    line = recorded.encode(RawRecord("t", 0, 0, b"k" * 32, b"x" * 1000))
    assert len(line) > 1000
    got, failures = replay(write(tmp_path / "x.jsonl", line), max_bytes=1000)
    assert (failures, [len(record.value or b"") for record in got]) == ([], [1000])


def test_a_broken_document_that_begins_like_a_recording_is_not_read_beyond_the_cap(tmp_path: Path) -> None:
    text = '{"partition": "' + "x" * 1500 + "\n" + "y" * 100_000
    _, failures = replay(write(tmp_path / "x.json", text), max_bytes=1000)
    assert [reason.partition(";")[0] for _, reason in failures] == ["one value of more than 1000 bytes"]
