"""What `ragmon calibrate` says of the label in force, which is decided by other rules than the threshold and 0.5."""

from __future__ import annotations

from pathlib import Path

from tests.monitor.offline.judging import BAD, GOOD, row
from tests.monitor.offline.labelled import OWN, jsonl
from tests.monitor.terminal import ragmon

EMBEDDED = {"name": "embedded", "fingerprint": OWN}


def said_of(*arguments: str | Path) -> str:
    ended = ragmon("calibrate", *arguments)
    assert ended.code == 0, ended.err
    return " ".join(ended.out.split())


def of_label(said: str) -> list[str]:
    """The title and the counts of bad and good answers in the table of the label in force."""
    _, _, table = said.partition("Flagged if the label in force is ")
    title, _, cells = table.partition(" of bad ")
    return [title, *(word for word in cells.partition("Flagged")[0].split() if "/" in word)]


def line(number: int, score: float, judge: dict[str, str], label: str, *pieces: float) -> dict[str, object]:
    """A line of `ragmon judge`."""
    evidence = [{"text": "x", "score": piece} for piece in pieces]
    ended = {"outcome": "scored", "score": score, "label": label, "evidence": evidence}
    return {"id": f"r{number}", "evaluation": "faithfulness", "judge": judge, **ended}


def test_the_label_of_the_worst_sentence_has_rates_of_its_own(tmp_path: Path) -> None:
    """Bad answers of a good sentence beside an invented one have a mean above 0.5, and are called unfaithful."""
    mixed = [row(2 * n, label=0) | {"answer": f"{GOOD[n % 3]} {GOOD[0]} {BAD[n % 3]}"} for n in range(6)]
    right = [row(2 * n + 1, label=1) for n in range(6)]
    said = said_of(jsonl(tmp_path / "labels.jsonl", *mixed, *right))
    assert of_label(said) == ["unfaithful: the worst sentence is below 0.400", "6/6", "6/6"]
    assert "0/6" in said.partition("the score is below 0.5")[2]


def test_the_bound_of_a_calibration_in_force_is_that_of_the_label(tmp_path: Path) -> None:
    """Also of verdicts that were given before it was, and carry another label."""
    judged = [line(n, 0.9, EMBEDDED, "faithful", 0.9 if n % 2 else 0.6) for n in range(60)]
    rows = jsonl(tmp_path / "judged.jsonl", *(one | {"score": 0.7 + n % 2 / 10} for n, one in enumerate(judged)))
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": n % 2} for n in range(60)))
    assert of_label(said_of(labels, "--rows", rows, "--out", tmp_path / "c.json"))[1:] == ["0/30", "30/30"]
    (tmp_path / "ragmon.yaml").write_text("calibration_files: [c.json]\n")
    title = "unfaithful: the worst sentence is below 0.750; fitted before, maybe to these labels"
    assert of_label(said_of(labels, "--rows", rows, "-c", tmp_path / "ragmon.yaml")) == [title, "30/30", "30/30"]


def test_verdicts_of_another_fingerprint_are_taken_by_the_label_that_they_carry(tmp_path: Path) -> None:
    other = {"name": "embedded", "fingerprint": "aaaaaaaaaaaa"}
    judged = [line(n, 0.8, other, "unfaithful" if n % 4 == 0 else "faithful", 0.6) for n in range(12)]
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": n % 2} for n in range(12)))
    said = said_of(labels, "--rows", jsonl(tmp_path / "judged.jsonl", *judged))
    assert of_label(said) == ["unfaithful", "3/6", "6/6"]
    assert "Warning: 50% of the bad answers are called bad by the label; the others are not found." in said


def test_without_a_label_that_says_good_or_bad_nothing_is_said_of_one(tmp_path: Path) -> None:
    other = {"name": "embedded", "fingerprint": "aaaaaaaaaaaa"}
    judged = [line(n, n % 2, other, "harm.pii" if n % 2 else "") for n in range(12)]
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": n % 2} for n in range(12)))
    assert "label in force" not in said_of(labels, "--rows", jsonl(tmp_path / "judged.jsonl", *judged))
