"""`ragmon judge` on rows that bring what is right for them, and with a golden file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.monitor.terminal import Ended, ragmon

ROW = {
    "id": 1,
    "question": "How long is the warranty?",
    "contexts": [{"text": "Returns are free.", "id": "returns.md"}, {"text": "It lasts 2 years.", "id": "warranty.md"}],
    "answer": "The warranty lasts two years.",
}


def judge(folder: Path, evaluation: str, *rows: dict[str, object], golden: tuple[str, ...] = ()) -> Ended:
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    options: tuple[str | Path, ...] = ()
    if golden:
        (folder / "golden.jsonl").write_text("\n".join(golden), encoding="utf-8")
        config = folder / "ragmon.yaml"
        config.write_text(f"judges: [{{type: reference, golden: {folder / 'golden.jsonl'}}}]\n", encoding="utf-8")
        options = ("--config", config)
    return ragmon("judge", "--evaluation", evaluation, path, *options)


def verdicts(ended: Ended) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ended.out.splitlines()]


@pytest.mark.parametrize(
    ("evaluation", "score"),
    [
        ("correctness", 1.0),
        ("context_recall", 1.0),
        ("hit_at_k", 1.0),
        ("mrr", 0.5),
        ("exact_match", 0.0),
        ("f1", 2 / 3),
    ],
)
def test_rows_bring_their_references(tmp_path: Path, evaluation: str, score: float) -> None:
    right = {**ROW, "reference": "Five years", "references": ["Two years"], "sources": ["Warranty.pdf"]}
    ended = judge(tmp_path, evaluation, right, {**ROW, "id": 2})
    first, second = verdicts(ended)
    assert (ended.code, ended.err) == (0, "")
    assert (first["score"], first["judge"]["calibrated"]) == (pytest.approx(score, abs=0.06), False)
    assert (second["outcome"], second["reason"]) == ("not_scorable", "no_reference")


def test_a_reference_that_is_no_text_is_told_with_its_line(tmp_path: Path) -> None:
    ended = judge(tmp_path, "f1", ROW, {**ROW, "reference": {"text": "2 years"}})
    assert ended.code == 1
    assert ended.told == [f"{tmp_path}/rows.jsonl:2: reference is neither a text nor a list of texts"]


def test_the_golden_file_knows_the_questions_of_other_rows(tmp_path: Path) -> None:
    golden = json.dumps({"question": "how long is the WARRANTY", "reference": "2 years"})
    ended = judge(tmp_path, "f1", ROW, {**ROW, "reference": "The warranty lasts two years"}, golden=(golden,))
    assert [line["score"] for line in verdicts(ended)] == [pytest.approx(2 / 3), 1.0]


def test_a_bad_golden_file_is_told_whole_and_ends_with_2(tmp_path: Path) -> None:
    ended = judge(tmp_path, "correctness", ROW, golden=("{", '{"question": "Q"}'))
    assert ended.code == 2
    where = f"{tmp_path}/ragmon.yaml: judges[0].golden: {tmp_path}/golden.jsonl"
    assert [line.partition(": is not JSON")[0] for line in ended.told] == [
        f"{where}:1",
        f"{where}:2: has no reference, references, sources or passages",
    ]
    assert ragmon("check-config", tmp_path / "ragmon.yaml").code == 2


def test_a_low_score_says_what_it_comes_from(tmp_path: Path) -> None:
    wrong = {**ROW, "answer": "The warranty lasts forty years and covers theft."}
    elsewhere = {**wrong, "contexts": ["Returns are free."]}
    found = verdicts(
        judge(tmp_path, "faithfulness", ROW, {**wrong, "contexts": ["The warranty lasts 2 years."]}, elsewhere)
    )
    assert [line["cause"] for line in found] == ["", "generation", "retrieval"]
    assert found[2]["cause_evidence"] == "first relevant passage: none of 1, by the question's words"


def test_extract_explains_which_requests_have_a_reference(tmp_path: Path) -> None:
    golden = {"question": "How long is the warranty?", "reference": "2 years"}
    (tmp_path / "golden.jsonl").write_text(json.dumps(golden), encoding="utf-8")
    config, records = tmp_path / "ragmon.yaml", tmp_path / "records.jsonl"
    config.write_text(f"judges: [{{type: reference, golden: {tmp_path}/golden.jsonl, evaluations: [f1]}}]\n")
    asked = ("How long is the WARRANTY", "How long is the guarantee?")
    records.write_text("".join(json.dumps({"trace_id": "t", "question": q, "answer": "A."}) + "\n" for q in asked))
    ended = ragmon("extract", "--explain", "--json", "--config", config, records)
    assert [row["evaluations"][0]["reason"] for row in map(json.loads, ended.out.splitlines())] == ["", "no_reference"]
