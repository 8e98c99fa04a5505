"""`ragmon judge compare` as a user has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporters.messages import encode_verdict
from monitor.records import Verdict
from monitor.sources import recorded
from monitor.wire import RawRecord
from tests.judge_server import JudgeServer
from tests.monitor.offline.judging import config_file, dead_shadow, row, rows_file
from tests.monitor.quality.verdicts import NOW, scored
from tests.monitor.terminal import Ended, ragmon, spawn


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with JudgeServer() as server:
        yield server.url


def figures(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def test_both_judges_judge_the_rows_and_are_compared_row_by_row(tmp_path: Path, url: str) -> None:
    rows = rows_file(tmp_path, map(row, range(40)))
    made = figures(ragmon("judge", "compare", "candidate", rows, "-c", config_file(tmp_path, url), "--json"))
    (found,) = made["comparisons"]
    assert (made["source"], made["incumbent"], made["candidate"]) == ("rows", "embedded", "candidate")
    assert (found["evaluation"], found["requests"], found["pairs"]) == ("faithfulness", 40, 40)
    assert found["difference"]["lower"] <= found["difference"]["value"] <= found["difference"]["upper"]
    assert (found["words"], found["kappa"] > 0.9) == ("label", True)
    assert (found["incumbent"]["calls"], found["incumbent"]["cost"]) == (0, 0)
    assert found["candidate"]["calls"] > 0
    assert found["candidate"]["cost"] > 0
    assert found["candidate"]["latency_s"] > 0
    configured = made["configured"]["faithfulness"]
    assert configured == [found["incumbent"]["fingerprint"], found["candidate"]["fingerprint"]]


def test_rows_that_repeat_each_other_are_no_more_pairs_to_promote_by(tmp_path: Path, url: str) -> None:
    rows = rows_file(tmp_path, [{**row(n % 15), "id": n} for n in range(105)])
    ended = ragmon("judge", "compare", "candidate", rows, "-c", config_file(tmp_path, url))
    assert ended.told == [
        f"{rows}: 90 of 105 rows have the question, passages and answer of an earlier one, and are left out"
    ]
    assert "Fewer than 100 pairs: faithfulness; not enough to promote candidate." in ended.out


def test_the_tables_fit_into_80_columns_and_say_whether_there_are_pairs_enough(tmp_path: Path, url: str) -> None:
    rows, config = rows_file(tmp_path, map(row, range(10))), config_file(tmp_path, url)
    ended = spawn("judge", "compare", "candidate", rows, "-c", config)
    assert (ended.code, ended.err) == (0, "")
    assert "Fewer than 100 pairs: faithfulness; not enough to promote candidate." in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80
    assert "…" not in ended.out


def test_why_there_is_no_score_is_said_and_no_price_is_no_cost_of_0(tmp_path: Path) -> None:
    ended = spawn(
        "judge", "compare", "gpt", rows_file(tmp_path, map(row, range(6))), "-c", dead_shadow(tmp_path, retries=2)
    )
    assert ended.code == 1
    assert "ragmon: no request has a score of both gpt and embedded" in ended.err.splitlines()
    assert ended.err.count("ragmon: gpt: no connection to http://127.0.0.1:") == 1
    assert "(judges[1].base_url)" in ended.err
    assert "faithfulness by gpt, without a score: " in ended.out
    assert "judge_error{connect}" in ended.out
    rows = [line.split() for line in ended.out.splitlines() if line.strip().startswith("faithfulness ")]
    assert [cells[4:6] for cells in rows if cells[1] in {"embedded", "gpt"}] == [["·", "0"], ["·", "·"]]


def test_the_file_holds_what_is_printed_and_no_content(tmp_path: Path, url: str) -> None:
    rows, config, out = rows_file(tmp_path, map(row, range(10))), config_file(tmp_path, url), tmp_path / "c.json"
    printed = ragmon("judge", "compare", "candidate", rows, "-c", config, "--out", out, "--json")
    assert out.read_text() == printed.out
    assert "Parking" not in printed.out
    again = ragmon("judge", "compare", "candidate", rows, "-c", config, "--out", out)
    assert (again.code, "exists already" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nobody", "ROWS"], "nobody: there is no such judge; configured are embedded, candidate"),
        (["embedded", "ROWS"], "embedded: runs beside no other judge; configure it with `shadow_of`, or name the"),
        (["embedded", "ROWS", "--beside", "x"], "--beside x: there is no such other judge; configured are embedded"),
        (["candidate"], "ROWS, --verdicts: give one of them"),
        (["candidate", "ROWS", "--verdicts", "x"], "ROWS, --verdicts: give one of them"),
        (["candidate", "--verdicts", "ROWS"], "ROWS:1: is no recorded record; make the file with `ragmon record`"),
        (["candidate", "/nowhere"], "/nowhere: cannot be read (No such file or directory)"),
    ],
)
def test_wrong_input_is_told_and_ends_with_2(arguments: list[str], told: str, tmp_path: Path, url: str) -> None:
    rows, config = rows_file(tmp_path, [row(1)]), config_file(tmp_path, url)
    given = [argument.replace("ROWS", str(rows)) for argument in arguments]
    ended = ragmon("judge", "compare", *given, "-c", config)
    assert (ended.code, len(ended.told)) == (2, 1)
    assert ended.told[0].startswith(told.replace("ROWS:", f"{rows}:"))


# ------------------------------------------------------------------------------------------------------------ verdicts


def both(number: int, difference: float, **more: object) -> list[Verdict]:
    incumbent = scored(0.5, trace_id=f"t{number}", request_id="", end_ns=NOW + number)
    shadow = replace(incumbent, judge="candidate", fingerprint="ba9876543210", shadow_of="embedded")
    return [replace(shadow, score=0.5 + difference, **more), incumbent]  # type: ignore[arg-type] # real fields


def topic(folder: Path, verdicts: list[Verdict], *others: bytes) -> Path:
    values = [*map(encode_verdict, verdicts), *others]
    file = folder / "verdicts.jsonl"
    lines = [recorded.encode(RawRecord("v", 0, n, b"k", value, 0, ())) for n, value in enumerate(values)]
    file.write_bytes(b"".join(lines))
    return file


def test_verdicts_in_production_are_compared_by_request(tmp_path: Path, url: str) -> None:
    verdicts = [one for number in range(20) for one in both(number, 0.25)]
    alone = both(99, 0.5)[0]
    feedback = b'{"schema":"ragmon.feedback/1"}'
    file = topic(tmp_path, [*verdicts, *verdicts[:4], alone], feedback)
    made = figures(
        ragmon("judge", "compare", "candidate", "--verdicts", file, "-c", config_file(tmp_path, url), "--json")
    )
    (found,) = made["comparisons"]
    assert (made["source"], found["requests"], found["pairs"]) == ("shadow", 20, 20)
    assert found["difference"]["value"] == pytest.approx(0.25)


def test_of_several_fingerprints_the_newest_is_compared_and_the_others_are_told(tmp_path: Path, url: str) -> None:
    old = [one for number in range(5) for one in both(number, 0.5, fingerprint="000000000000")]
    new = [one for number in range(5, 8) for one in both(number, 0.25)]
    ended = ragmon(
        "judge",
        "compare",
        "candidate",
        "--verdicts",
        topic(tmp_path, [*old, *new]),
        "-c",
        config_file(tmp_path, url),
        "--json",
    )
    assert figures(ended)["comparisons"][0]["pairs"] == 3
    assert ended.told == ["faithfulness: 5 requests were judged by other fingerprints, and do not count"]


def test_a_recording_of_a_judge_as_it_was_is_not_about_the_judge_as_it_is(tmp_path: Path, url: str) -> None:
    config = config_file(tmp_path, url)
    file, out = topic(tmp_path, [one for number in range(100) for one in both(number, 0.25)]), tmp_path / "c.json"
    assert ragmon("judge", "compare", "candidate", "--verdicts", file, "-c", config, "--out", out).code == 0
    ended = ragmon("judge", "promote", "candidate", "-c", config, "--comparison", out)
    assert ended.code == 2
    assert "faithfulness: embedded changed since (another model, prompt, parameter or version)" in ended.told[0]


def test_without_a_request_in_common_nothing_is_compared(tmp_path: Path, url: str) -> None:
    file = topic(tmp_path, [both(1, 0.0)[0], both(2, 0.0)[1]])
    ended = ragmon("judge", "compare", "candidate", "--verdicts", file, "-c", config_file(tmp_path, url))
    assert (ended.code, ended.told) == (1, ["candidate and embedded judged no request in common"])


def test_a_record_that_is_no_verdict_is_told_with_its_line(tmp_path: Path, url: str) -> None:
    file = topic(tmp_path, both(1, 0.0), b'{"schema":"ragmon.verdict/1","score":7}')
    ended = ragmon("judge", "compare", "candidate", "--verdicts", file, "-c", config_file(tmp_path, url))
    assert ended.code == 2
    assert ended.told[0].startswith(f"{file}:3: cannot be read: ")


def test_a_file_in_the_place_of_the_candidate_is_told(tmp_path: Path, url: str) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("")
    ended = ragmon("judge", "compare", rows, "-c", config_file(tmp_path, url))
    assert ended.code == 2
    assert ended.told == [
        f"ROWS, --verdicts: give one of them; {rows} was taken for the name of the candidate, which comes first"
    ]


def test_a_file_without_a_row_is_told(tmp_path: Path, url: str) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n")
    ended = ragmon("judge", "compare", "candidate", rows, "-c", config_file(tmp_path, url))
    assert (ended.code, ended.told) == (2, [f"{rows}: has no row"])


def test_an_empty_recording_is_wrong_input(tmp_path: Path, url: str) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    ended = ragmon(
        "judge", "compare", "candidate", "--verdicts", tmp_path / "empty.jsonl", "-c", config_file(tmp_path, url)
    )
    told = f"{tmp_path}/empty.jsonl: is empty; make the file with `ragmon record` of the verdicts"
    assert (ended.code, ended.out, ended.told) == (2, "", [told])
