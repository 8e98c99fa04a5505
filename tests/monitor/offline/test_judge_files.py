"""`ragmon judge`: what its files may be: packed, with a byte order mark, cut off, without a row."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from monitor.offline.lines import MAX_LINE
from tests.monitor.terminal import Ended, ragmon

GOOD = {"id": 1, "question": "When?", "contexts": ["The desk closes at 18:00."], "answer": "The desk closes at 18:00."}


def told(ended: Ended, key: str) -> list[object]:
    """One field of each verdict."""
    return [json.loads(line)[key] for line in ended.out.splitlines()]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_is_read_as_a_plain_one(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "rows.jsonl.packed"
    path.write_bytes(pack(json.dumps(GOOD).encode()))
    ended = ragmon("judge", "--evaluation", "faithfulness", path)
    assert (ended.code, told(ended, "label")) == (0, ["faithful"])


def test_a_byte_order_mark_before_the_first_row_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    ended = ragmon("judge", "--evaluation", "faithfulness", file)
    assert (ended.code, told(ended, "label")) == (0, ["faithful"])


def test_a_packed_file_that_is_cut_off_is_told_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode() + b"\n")[:-4])
    ended = ragmon("judge", "--evaluation", "faithfulness", path)
    assert ended.code == 2
    assert ended.told[-1].partition(" ")[2].startswith("the input is damaged here: ")


def test_a_line_that_is_too_long_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b" " * (2 * MAX_LINE + 5) + b"\n" + json.dumps(GOOD).encode())
    ended = ragmon("judge", "--evaluation", "faithfulness", path)
    assert ended.told == [f"{path}:1: has more than {MAX_LINE} bytes"]
    assert told(ended, "reason") == ["unreadable_row", ""]


@pytest.mark.parametrize("content", [b"", b"\n \n", gzip.compress(b"", mtime=0)], ids=["empty", "blank", "packed"])
def test_a_file_without_a_row_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    ended = ragmon("judge", "--evaluation", "faithfulness", path)
    assert (ended.code, ended.out, ended.told) == (2, "", [f"{path}: has no row"])
