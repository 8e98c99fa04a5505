"""`ragmon dataset` on a real table."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.dataset import DeltaSampleSet
from exporters.dataset_feedback import DeltaFeedbackSet
from monitor.feedback import Feedback, HeardFeedback
from monitor.offline.dataset import Draw
from monitor.records import Case, Decision, DecisionKind, JudgeIdentity, Judgement, Outcome, Passage, Position, RagTrace
from monitor.records import TopicPartition as Tp
from tests.monitor.terminal import ragmon

TRACE = RagTrace(
    "t", "r", "Wann?", "Um 18:00 \U0001f642.", (Passage("Bis 18:00.", "k1", 0.5),), language="de", end_ns=10**18
)
JUDGE = JudgeIdentity("embedded", "0123456789ab")
JUDGED = Judgement("faithfulness", JUDGE, Outcome.SCORED, score=1.0)
MISSED = Judgement("safety.pii", JUDGE, Outcome.SKIPPED, "queue_full")
CASE = Case(
    "c1",
    TRACE,
    Decision(DecisionKind.SAMPLED, 0.1, 10, ("base",)),
    (JUDGED, MISSED),
    (),
    "r",
    "base",
    Position("t", 0, 0),
    0,
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two versions: one case, then two more."""
    path = tmp_path_factory.mktemp("set") / "cases"
    sample_set = DeltaSampleSet(str(path))
    sample_set.append([CASE], {Tp("rag.cases", 0): 1})
    sample_set.append(
        [replace(CASE, case_id=name, harvest_reason="error") for name in ("c2", "c3")], {Tp("rag.cases", 0): 3}
    )
    return path


def test_show_prints_the_versions_and_what_the_newest_holds(table: Path) -> None:
    ended = ragmon("dataset", "show", table)
    assert (ended.code, ended.err) == (0, "")
    rows = [line.split("│")[1:-1] for line in ended.out.splitlines() if "│" in line]
    cells = {tuple(cell.strip() for cell in row) for row in rows}
    assert "3 cases" in ended.out
    assert {
        ("language", "de", "3"),
        ("harvest reason", "base", "1"),
        ("harvest reason", "error", "2"),
        ("verdict", "faithfulness: scored", "3"),
        ("verdict", "safety.pii: skipped (queue_full)", "3"),
        ("day", "2001-09-09", "3"),
    } <= cells


def test_export_writes_the_cases_as_json_lines(table: Path) -> None:
    ended = ragmon("dataset", "export", table)
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.code, ended.err) == (0, "")
    assert sorted(row["case_id"] for row in rows) == ["c1", "c2", "c3"]
    assert {(row["answer"], row["contexts"][0]["text"], row["weight"]) for row in rows} == {
        (TRACE.answer, "Bis 18:00.", 10)
    }
    assert [item["score"] for item in rows[0]["judgements"]] == [1.0, None]


def heard(number: int, **said: object) -> HeardFeedback:
    fields = {"label": f"l{number}", "given_ns": number} | said
    return HeardFeedback(f"f{number}", Feedback("thumb", **fields))  # type: ignore[arg-type] # the test names real fields


@pytest.fixture(scope="module")
def with_feedback(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two requests of one trace, one of another, and what was said of them."""
    path = tmp_path_factory.mktemp("set") / "cases"
    inline = Feedback("thumb", label="with it", negative=True)
    traces = [
        replace(TRACE, request_id="r1", response_id="c-1", feedback=(inline,)),
        replace(TRACE, request_id="r2"),
        replace(TRACE, trace_id="u", response_id="c-3"),
    ]
    cases = [replace(CASE, case_id=f"c{number}", trace=trace) for number, trace in enumerate(traces, 1)]
    DeltaSampleSet(str(path)).append(cases, {Tp("rag.cases", 0): 3})
    said = [
        heard(5, trace_id="t", span_id="r2", negative=False),
        heard(4, trace_id="t", span_id="elsewhere", carrier_trace_id="x", comment="slow"),
        heard(3, response_id="c-3", negative=True),
        heard(2, trace_id="unknown", response_id="unknown"),
        heard(1, trace_id="t", span_id="r1", label="with it", negative=True),
    ]
    DeltaFeedbackSet(str(path)).append(said, {Tp("rag.cases", 0): 3})
    return path


def test_export_gives_each_case_all_that_was_said_of_it(with_feedback: Path) -> None:
    ended = ragmon("dataset", "export", with_feedback)
    rows = {row["case_id"]: row["feedback"] for row in map(json.loads, ended.out.splitlines())}
    assert (ended.code, ended.err) == (0, "")
    labels = {case_id: [said["label"] for said in feedback] for case_id, feedback in rows.items()}
    assert labels == {"c1": ["with it", "l4"], "c2": ["l5"], "c3": ["l3"]}
    assert rows["c1"][1] == {
        "name": "thumb",
        "score": None,
        "label": "l4",
        "comment": "slow",
        "negative": None,
        "human": True,
        "given_ns": 4,
        "feedback_id": "f4",
    }
    assert rows["c1"][0].keys() == rows["c1"][1].keys()


def test_of_several_cases_that_feedback_could_mean_the_one_judged_first_has_it(tmp_path: Path) -> None:
    """As on the board: what counts once there is exported once."""
    path = str(tmp_path / "cases")
    times = {"later": 20, "first": 10, "last": 30}
    cases = [
        replace(CASE, case_id=name, judged_ns=time, trace=replace(TRACE, trace_id=name, response_id="shared"))
        for name, time in times.items()
    ]
    DeltaSampleSet(path).append(cases, {Tp("rag.cases", 0): 3})
    said = [heard(1, response_id="shared"), heard(2, response_id="shared", trace_id="last")]
    DeltaFeedbackSet(path).append(said, {Tp("rag.cases", 0): 3})
    rows = map(json.loads, ragmon("dataset", "export", path).out.splitlines())
    assert {row["case_id"]: [said["label"] for said in row["feedback"]] for row in rows} == {
        "later": [],
        "first": ["l1"],
        "last": ["l2"],
    }


def test_show_counts_what_was_said_and_what_of_it_is_joined(with_feedback: Path) -> None:
    out = ragmon("dataset", "show", with_feedback).out
    cells = {tuple(cell.strip() for cell in line.split("│")[1:-1]) for line in out.splitlines() if "│" in line}
    assert ("feedback", "negative", "1") in cells
    assert "5 feedback that came later" in out
    assert {("negative", "2"), ("positive", "1"), ("unrated", "1"), ("none", "1")} <= cells


def test_an_older_version_can_be_exported(table: Path) -> None:
    versions = [
        len(ragmon("dataset", "export", table, "--version", str(number)).out.splitlines()) for number in (0, 1, 2)
    ]
    assert versions == [0, 1, 3]


def test_a_version_that_does_not_exist_is_told(table: Path) -> None:
    ended = ragmon("dataset", "export", table, "--version", "99")
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert ended.told[0].endswith("version 99 cannot be read; there are 0 to 2")


def _lost(part: Path) -> None:
    part.unlink()


def _damaged(part: Path) -> None:
    part.write_bytes(b"no rows")


@pytest.mark.parametrize("harm", [_lost, _damaged])
@pytest.mark.parametrize("of", ["cases", "feedback"])
@pytest.mark.parametrize("command", ["show", "export"])
def test_a_table_whose_files_are_gone_or_damaged_is_one_line_and_nothing_is_printed(
    command: str, of: str, harm: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "cases"
    DeltaSampleSet(str(path)).append([CASE], {Tp("rag.cases", 0): 1})
    DeltaFeedbackSet(str(path)).append([heard(1, trace_id="t")], {Tp("rag.cases", 0): 1})
    harmed = path if of == "cases" else tmp_path / "cases-feedback"
    for part in harmed.rglob("*.parquet"):
        harm(part)
    ended = ragmon("dataset", command, path)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert ended.told[0].startswith(f"{harmed}: cannot be read (")
    assert ".parquet" in ended.told[0]


def test_a_table_of_something_else_is_told(table: Path, tmp_path: Path) -> None:
    DeltaFeedbackSet(str(tmp_path / "cases")).append([heard(1, trace_id="t")], {Tp("rag.cases", 0): 1})
    beside = tmp_path / "cases-feedback"
    for command in ("show", "export"):
        ended = ragmon("dataset", command, beside)
        told = f"{beside}: is a table of something else: it has no column `case_id`"
        assert (ended.code, ended.out, ended.told) == (2, "", [told])
    ended = ragmon("dataset", "export", "--version", "7", table)
    assert ended.told == [f"{table}: version 7 cannot be read; there are 0 to 2"]


def test_a_sample_is_drawn_at_random_by_its_seed_and_stays_in_the_order_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "cases"
    cases = [replace(CASE, case_id=f"c{number}") for number in range(40)]
    DeltaSampleSet(str(path)).append(cases, {Tp("rag.cases", 0): 40})

    def drawn(*options: str) -> list[str]:
        ended = ragmon("dataset", "export", path, *options)
        assert ended.code == 0, ended.err
        return [json.loads(line)["case_id"] for line in ended.out.splitlines()]

    everything = drawn()
    some = drawn("--sample", "10")
    assert (len(some), some) == (10, [name for name in everything if name in some])
    assert some == drawn("--sample", "10", "--seed", "0")
    assert some != drawn("--sample", "10", "--seed", "1")
    assert drawn("--sample", "99") == everything


def test_each_case_is_as_likely_to_be_drawn() -> None:
    names = [f"c{number}" for number in range(10)]
    times = Counter(name for seed in range(3000) for name in Draw(3, seed).among(names))
    assert all(abs(times[name] - 900) < 5 * math.sqrt(3000 * 0.3 * 0.7) for name in names)
