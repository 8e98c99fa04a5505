"""`ragmon extract` over the captures: what ragmon understands of them, one JSON object a line."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from monitor.records import RagTrace, RequestError
from tests.monitor.streams import entry, otlp, plain, retrieval
from tests.monitor.terminal import ragmon, spawn
from tests.monitor.traces.captures import FOLDER, NAMES, faults, load

FIELDS = {
    *("trace_id", "question", "answer", "contexts", "model", "response_model", "error", "session_id", "user_id"),
    *("feedback", "adjusted_count", "contexts_source", "truncated", "redacted"),
}


def extract(*arguments: str | Path) -> list[dict[str, Any]]:
    ended = ragmon("extract", *arguments)
    assert (ended.code, ended.err != "") == (0, not ended.out)
    return [json.loads(line) for line in ended.out.splitlines()]


def request_of(row: Mapping[str, Any]) -> RagTrace:
    """The request that a row describes."""
    message = (row["error"] or "").removeprefix(f"{row['error_type']}: ")
    error = None if row["error"] is None else RequestError(row["error_type"], row["error_stage"], message)
    return msgspec.convert({**row, "error": msgspec.to_builtins(error), "feedback": row["all_feedback"]}, RagTrace)


@pytest.mark.parametrize("name", NAMES)
def test_a_capture_gives_the_rows_that_the_program_run_implies(name: str) -> None:
    files = [*FOLDER.glob(f"{name}.pb"), *FOLDER.glob(f"{name}.[0-9].pb"), *FOLDER.glob(f"{name}.logs.pb")]
    rows = extract(*sorted(files))
    expected = load(name).expected
    assert len(rows) == len(expected["requests"])
    assert all(row.keys() >= FIELDS for row in rows)
    requests = [request_of(row) for row in rows]
    assert faults([expected], requests, ()) == []


def test_a_row_holds_plain_values_for_people_and_scripts(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    feedback = [{"name": "user", "score": 0}, {"name": "other", "label": "good"}]
    path.write_bytes(plain("a", error="TimeoutError: too slow", feedback=feedback) + b"\n" + plain("b"))
    first, second = extract(path)
    assert (first["error"], first["error_type"], first["error_stage"]) == (
        "TimeoutError: too slow",
        "TimeoutError",
        "request",
    )
    assert (first["feedback"]["name"], len(first["all_feedback"])) == ("user", 2)
    assert (second["error"], second["feedback"], second["all_feedback"]) == (None, None, [])
    assert second["contexts"] == [{"text": "Answer b.", "id": None, "score": None, "kind": "document", "source": None}]


def test_traces_without_a_request_are_no_silence(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(otlp(entry("0" * 31 + "1")) + b"\n" + otlp(entry("0" * 31 + "2")))
    ended = ragmon("extract", path)
    told = "ragmon: no request in 2 traces; --explain says why\n"
    assert (ended.code, ended.out, ended.err) == (0, "", told)


def test_feedback_that_comes_later_joins_its_request(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    later = json.dumps({"trace_id": "a", "feedback": {"score": 0, "comment": "wrong"}}).encode()
    path.write_bytes(later + b"\n" + plain("a") + b"\n" + plain("b"))
    first, second = extract(path)
    assert (first["feedback"]["comment"], second["feedback"]) == ("wrong", None)


def test_a_trace_may_lie_in_several_files(tmp_path: Path) -> None:
    name = "1" * 32
    (tmp_path / "1.json").write_bytes(otlp(retrieval(name)))
    (tmp_path / "2.json").write_bytes(otlp(entry(name)))
    (row,) = extract(tmp_path)
    assert (row["question"], len(row["contexts"])) == (f"Question {name}?", 1)


@pytest.mark.parametrize(
    ("suffix", "compress"), [("", bytes), (".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress)]
)
def test_compressed_files_are_read(tmp_path: Path, suffix: str, compress: Any) -> None:  # noqa: ANN401 - a table
    path = tmp_path / f"plain.jsonl{suffix}"
    path.write_bytes(compress(plain("a")))
    assert [row["trace_id"] for row in extract(path)] == ["a"]


def test_standard_input_is_read() -> None:
    ended = spawn("extract", "-", stdin=plain("a") + b"\n" + plain("b"))
    assert (ended.code, [json.loads(line)["trace_id"] for line in ended.out.splitlines()]) == (0, ["a", "b"])


def test_ctrl_c_ends_it_while_nobody_writes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-m", "monitor", "extract", str(pipe)], stderr=subprocess.PIPE) as process:
        writer = os.open(pipe, os.O_WRONLY)  # returns once it reads
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        os.close(writer)
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_what_cannot_be_read_is_told_the_rest_is_done_and_the_exit_code_is_1(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(plain("a") + b"\nnot json\n" + plain("b"))
    (tmp_path / "2.pb").write_bytes(b"\xff\xff")
    (tmp_path / "3.jsonl.gz").write_bytes(gzip.compress(plain("c") * 3)[:40])
    (tmp_path / "4.jsonl").write_bytes(plain("d"))
    ended = ragmon("extract", tmp_path, tmp_path / "nosuch.pb")
    assert ended.code == 1
    assert [json.loads(line)["trace_id"] for line in ended.out.splitlines()] == ["a", "b", "d"]
    where = [line.removeprefix(f"{tmp_path}/").partition(": ")[0] for line in ended.told]
    assert where == ["2.pb", "3.jsonl.gz", "nosuch.pb", "1.jsonl line 2"]
    assert "1.jsonl line 2: is not JSON: the first byte is 0x6e" in ended.told[-1]


def test_very_many_failures_are_told_shortly(tmp_path: Path) -> None:
    unlike = b"\n".join(bytes([first]) for first in range(0x80, 0x80 + 30))
    (tmp_path / "1.jsonl").write_bytes(plain("a") + b"\n" + unlike)
    ended = ragmon("extract", tmp_path)
    assert (ended.code, len(ended.told), ended.told[-1]) == (1, 21, "and 10 more")


@pytest.mark.parametrize(
    ("content", "told"), [(b"", "the file is empty"), (b"\n \n", "the file holds nothing but blank lines")]
)
def test_a_file_without_any_record_is_told_in_one_line(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "1.jsonl").write_bytes(content)
    ended = ragmon("extract", tmp_path / "1.jsonl")
    assert (ended.code, ended.out, ended.told) == (2, "", [f"{tmp_path}/1.jsonl: {told}"])


def test_the_name_of_a_file_is_told_so_that_no_terminal_obeys_it(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31m\n\u202eb.jsonl").write_bytes(b"")
    (told,) = ragmon("extract", tmp_path).told
    assert told == f"{tmp_path}/a\\x1b[31m\\n\\u202eb.jsonl: the file is empty"
    (told,) = ragmon("judge", "--evaluation", "faithfulness", tmp_path / "b\x1b[31m").told
    assert told == f"{tmp_path}/b\\x1b[31m: cannot be read (No such file or directory)"


def test_lines_with_the_same_failure_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(plain("a") + b"\nnot json" * 30 + b"\n" + plain("b") + b"\nnot json")
    ended = ragmon("extract", tmp_path)
    assert (ended.code, len(ended.out.splitlines())) == (1, 2)
    assert ended.told == [f"{tmp_path}/1.jsonl line 2-31,33: is not JSON: the first byte is 0x6e"]


def test_input_of_which_nothing_is_understood_is_wrong_as_a_whole_and_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(plain("a") + b"\n" + plain("b"))
    (tmp_path / "2.pb").write_bytes(b"\xff\xff")
    ended = ragmon("extract", "--encoding", "otlp_json", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert [line.removeprefix(f"{tmp_path}/").partition(": ")[0] for line in ended.told] == [
        "2.pb",
        "1.jsonl line 1-2",
    ]


@pytest.mark.parametrize("content", [b"hello garbage", b"\xff" * 50])
def test_a_file_of_which_nothing_is_understood_is_told_with_what_to_try(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "garbage.pb"
    file.write_bytes(content)
    *_, last = ragmon("extract", file).told
    assert last.startswith("nothing was understood; name what the records are with --encoding, docs/")


_OWN = b'{"q": "Why?", "a": "So."}\n'
_UTF_16 = '{"trace_id": "a"}'.encode("utf-16")


@pytest.mark.parametrize(
    ("name", "content", "hint"),
    [
        ("garbage.pb", b"hello garbage", "name what the records are with --encoding, docs/encodings.md says"),
        ("own.json", _OWN, "source.plain_fields says where JSON of your own has its fields"),
        ("own.jsonl", _OWN * 2, "source.plain_fields says where JSON of your own has its fields"),
        ("over-lines.jsonl", b'{\n"trace_id": "a",\n"question": "b"\n}\n', "write one JSON object a line"),
        ("wide.jsonl", _UTF_16, ""),
        ("metrics.json", b'{"resourceMetrics": []}', ""),
        ("broken.jsonl", b'{"trace_id": nul}\n' * 2, ""),
    ],
)
@pytest.mark.parametrize("command", [("extract",), ("extract", "--explain"), ("replay",)])
def test_each_command_says_what_to_try_unless_the_reason_does(
    tmp_path: Path, command: tuple[str, ...], name: str, content: bytes, hint: str
) -> None:
    (tmp_path / name).write_bytes(content)
    ended = ragmon(*command, tmp_path / name)
    told = [line for line in ended.told if line.startswith("nothing was understood; ")]
    assert (ended.code, len(told)) == (2, bool(hint))
    assert not hint or told[0].startswith(f"nothing was understood; {hint}")
    assert not hint or ";" not in told[0].removeprefix("nothing was understood;")


def test_a_damaged_archive_and_a_missing_file_are_no_question_of_the_encoding(tmp_path: Path) -> None:
    file = tmp_path / "cut.pb.gz"
    file.write_bytes(gzip.compress(b"x" * 1000)[:15])
    assert [len(ragmon("extract", path).told) for path in (file, tmp_path / "nowhere")] == [1, 1]


def test_who_named_the_encoding_is_not_told_to_name_it(tmp_path: Path) -> None:
    file = tmp_path / "garbage.pb"
    file.write_bytes(b"hello garbage")
    assert len(ragmon("extract", "--encoding", "otlp_proto", file).told) == 1
