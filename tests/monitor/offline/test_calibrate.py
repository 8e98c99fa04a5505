"""`ragmon calibrate` as a user has it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from monitor.calibration import load
from tests.judge_server import JudgeServer
from tests.monitor.offline.judging import row
from tests.monitor.offline.labelled import OWN, calibrated, figures, jsonl, llm, rows
from tests.monitor.terminal import ragmon, spawn


def test_rows_with_labels_are_judged_and_compared(tmp_path: Path) -> None:
    found = calibrated(tmp_path, *rows(60))
    assert (found["calibrated"], found["uncalibrated"], found["labels_by"], found["overall"]["n"]) == (
        True,
        "",
        "people",
        60,
    )
    assert found["fingerprint"] == found["configured"] == OWN
    assert found["threshold_on"] == "worst"
    assert 0.1 < found["threshold"] < 0.95
    assert [rates["rule"] for rates in found["overall"]["rates"]] == ["threshold", "below_half"]
    assert [rates["balanced_accuracy"]["value"] for rates in found["overall"]["rates"]] == [1.0, 1.0]
    assert found["overall"]["kappa"] == 1.0
    assert list(found["languages"]) == ["en"]


def test_the_order_of_the_rows_changes_nothing(tmp_path: Path) -> None:
    lines = rows(40, right=False)
    shuffled = random.Random(3).sample(lines, len(lines))
    first, second = calibrated(tmp_path, *lines), calibrated(tmp_path, *shuffled)
    assert {**first, "made": ""} == {**second, "made": ""}


def test_the_file_holds_no_content_and_no_ids_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    out = tmp_path / "calibration.json"
    ended = ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *rows(60)), "--out", out)
    assert (ended.code, out.stat().st_mode & 0o777) == (0, 0o600)
    content = out.read_text()
    assert not any(word in content for word in ("desk", "dragons", "What", "r1", "labels.jsonl"))
    assert load(out).calibrated
    again = ragmon("calibrate", tmp_path / "labels.jsonl", "--out", out)
    assert (again.code, again.told) == (
        2,
        [f"--out {out}: exists already; give another name, or --force to replace it"],
    )
    assert ragmon("calibrate", tmp_path / "labels.jsonl", "--out", out, "--force").code == 0


def test_a_file_in_force_is_on_every_verdict_and_survives_calibrating_again(tmp_path: Path) -> None:
    labels, out, config = jsonl(tmp_path / "labels.jsonl", *rows(60)), tmp_path / "c.json", tmp_path / "ragmon.yaml"
    ragmon("calibrate", labels, "--out", out)
    config.write_text("calibration_files: [c.json]\n")
    first = json.loads(ragmon("judge", "--evaluation", "faithfulness", labels, "-c", config).out.splitlines()[0])
    assert first["judge"]["calibrated"]
    assert first["judge"]["fingerprint"] != load(out).fingerprint
    judged = tmp_path / "judged.jsonl"
    judged.write_text(ragmon("judge", "--evaluation", "faithfulness", labels, "-c", config).out)
    for more in ((), ("--rows", judged)):
        again = figures(ragmon("calibrate", labels, "-c", config, "--json", *more))
        assert {**again, "made": ""} == {**json.loads(out.read_text()), "made": ""}
    described = ragmon("check-config", config)
    assert f"labels  {out}: faithfulness by embedded is calibrated by 60 labels" in described.out.splitlines()


def test_a_broken_calibration_file_is_told_when_the_configuration_is_checked(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text("{}")
    (tmp_path / "ragmon.yaml").write_text("calibration_files: [c.json, missing.json]\n")
    ended = ragmon("check-config", tmp_path / "ragmon.yaml")
    assert ended.code == 2
    assert [line.split(": ")[:3] for line in ended.told] == [
        [f"{tmp_path}/ragmon.yaml", "calibration_files", f"{tmp_path}/{file}"] for file in ("c.json", "missing.json")
    ]


def test_a_calibration_of_another_judge_is_told_and_does_not_count(tmp_path: Path) -> None:
    labels, out, config = jsonl(tmp_path / "labels.jsonl", *rows(60)), tmp_path / "c.json", tmp_path / "ragmon.yaml"
    ragmon("calibrate", labels, "--out", out)
    out.write_text(out.read_text().replace(OWN, "aaaaaaaaaaaa"))
    config.write_text("calibration_files: [c.json]\n")
    told = "it does not count; run `ragmon calibrate` again"
    assert told in ragmon("check-config", config).out
    ended = ragmon("judge", "--evaluation", "faithfulness", labels, "-c", config)
    assert [line.endswith(told) for line in ended.told] == [True]
    first = json.loads(ended.out.splitlines()[0])
    assert (first["judge"]["fingerprint"], first["judge"]["calibrated"]) == (OWN, False)


@pytest.mark.parametrize(
    ("lines", "reason", "words"),
    [
        (rows(49), "few_labels", "no, it takes 50 labelled answers with a score, not 49"),
        (rows(1), "few_labels", "no, it takes 50 labelled answers with a score, not 1"),
        (rows(60, right=False), "low_correlation", "no, Spearman's correlation"),
        ([row(2 * n + 1, label=1) for n in range(60)], "no_correlation", "no, all labels or all scores are the same"),
    ],
    ids=["49", "one", "labels at random", "one kind only"],
)
def test_what_is_missing_for_a_calibration_is_said_in_words(
    tmp_path: Path, lines: list[dict[str, object]], reason: str, words: str
) -> None:
    found = calibrated(tmp_path, *lines)
    assert (found["calibrated"], found["uncalibrated"]) == (False, reason)
    said = ragmon("calibrate", tmp_path / "labels.jsonl").out
    assert words in " ".join(said.split())
    assert "nan" not in said.lower()


@pytest.mark.parametrize(("labels", "is_in_force"), [(40, False), (60, True)])
def test_a_threshold_of_too_few_labels_is_shown_and_not_put_in_force(
    tmp_path: Path, labels: int, *, is_in_force: bool
) -> None:
    said = " ".join(ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *rows(labels))).out.split())
    assert "fitted here" in said
    told = "The threshold will not be put in force: 50 labelled answers are the least for one."
    assert (told in said) is not is_in_force


def test_labels_of_a_half_are_counted_as_good_and_said(tmp_path: Path) -> None:
    halves = [row(n, label=0.5 if n < 4 else n % 2) for n in range(60)]
    labels = jsonl(tmp_path / "labels.jsonl", *halves)
    said = " ".join(ragmon("calibrate", labels).out.split())
    assert "labels of 0.5, which count as good: 4" in said
    assert "labels of 0.5" not in ragmon("calibrate", jsonl(tmp_path / "whole.jsonl", *rows(60))).out


def test_answers_without_a_score_are_counted_with_the_reason(tmp_path: Path) -> None:
    silent = {**row(1, label=1), "id": "x", "answer": "Hello! How can I help you?"}
    lost = {**row(1, label=0), "id": "y", "contexts": []}
    found = calibrated(tmp_path, *rows(10), silent, lost, {**row(3), "id": "z", "label": ""})
    assert found["no_score"] == {"not_scorable:no_claims": 1, "not_scorable:no_context": 1}
    assert (found["overall"]["n"], found["overall"]["missing_bad"], found["overall"]["missing_good"]) == (10, 0, 0)
    assert "without a label: 1" in ragmon("calibrate", tmp_path / "labels.jsonl").out


@pytest.mark.parametrize("key", ["answer", "contexts"])
def test_answers_that_lack_a_key_are_wrong_input(tmp_path: Path, key: str) -> None:
    lacking = {name: value for name, value in row(1, label=1).items() if name != key}
    assert ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", lacking)).code == 2


def test_without_any_score_there_is_an_error_and_no_file(tmp_path: Path) -> None:
    labels = jsonl(tmp_path / "labels.jsonl", {**row(1, label=1), "contexts": []})
    ended = ragmon("calibrate", labels, "--out", tmp_path / "c.json")
    assert ended.code == 1
    assert ended.told == ["none of the 1 labelled answers has a score: not_scorable:no_context 1"]
    assert not (tmp_path / "c.json").exists()


def test_a_bad_file_is_told_line_by_line_and_nothing_is_judged(tmp_path: Path) -> None:
    with JudgeServer() as server:
        labels = jsonl(tmp_path / "labels.jsonl", row(1, label=1), row(2, label="perhaps"), row(3))
        ended = ragmon("calibrate", labels, "--judge", "llm", "-c", llm(tmp_path, server), "--out", tmp_path / "c.json")
        asked = len(server.bodies)
    assert (ended.code, asked, [line.removeprefix(f"{labels}:")[0] for line in ended.told]) == (2, 0, ["2", "3"])
    assert list(tmp_path.glob("*c.json*")) == []


def test_rows_and_cases_together_are_refused(tmp_path: Path) -> None:
    ended = ragmon("calibrate", tmp_path / "x", "--rows", "a", "--cases", "b")
    assert (ended.code, ended.told) == (2, ["--rows, --cases: give one of them"])


def test_several_languages_and_annotators_are_shown_within_80_columns(tmp_path: Path) -> None:
    zh = {"contexts": ["前台晚上六点关门。停车免费。"]}
    more: list[dict[str, object]] = [
        {
            **zh,
            "id": f"z{n}",
            "question": f"{n}号何时？",
            "answer": "前台晚上六点关门。" if n % 2 else "泳池有九个金色滑梯。",
            "label": "忠实" if n % 2 else "不忠实",
        }
        for n in range(20)
    ]
    lines = [
        {**one, "annotator": name, "label": 0.5 if name == "bob" and index % 10 == 0 else one["label"]}
        for index, one in enumerate(rows(60) + more)
        for name in ("ann", "bob")
    ]
    ended = ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *lines))
    assert (ended.code, ended.err) == (0, "")
    assert max(map(len, ended.out.splitlines())) <= 80
    shown = ended.out.splitlines()
    assert [line.split()[:2] for line in shown if line.startswith((" all", " en", " zh"))][:3] == [
        ["all", "80"],
        ["en", "60"],
        ["zh", "20"],
    ]
    assert "On its own zh would not be calibrated: 20 labelled answers." in shown
    assert any(line.startswith("Krippendorff's alpha of 2 annotators on 80 answers: ordinal 0.9") for line in shown)


@pytest.mark.slow
def test_labels_come_from_standard_input_too(tmp_path: Path) -> None:
    content = jsonl(tmp_path / "labels.jsonl", *rows(6)).read_bytes()
    assert figures(spawn("calibrate", "-", "--json", stdin=content))["overall"]["n"] == 6


def test_the_same_answer_under_new_ids_is_one_answer_for_floors_folds_and_intervals(tmp_path: Path) -> None:
    once, again = rows(15), [{**one, "id": f"{one['id']}-{time}"} for time in range(7) for one in rows(15)]
    plain, repeated = calibrated(tmp_path, *once), calibrated(tmp_path, *again)
    assert (repeated["calibrated"], repeated["uncalibrated"], repeated["repeated"]) == (False, "few_labels", 90)
    same = ("overall", "threshold", "languages", "uncalibrated")
    assert [repeated[key] for key in same] == [plain[key] for key in same]
    said = " ".join(ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *again)).out.split())
    assert "against 15 labels of people" in said
    assert "with the question, passages and answer of another one, and counted with it as one: 90" in said


def test_labels_of_one_answer_under_several_ids_are_a_mean_by_annotator(tmp_path: Path) -> None:
    same = [
        {**row(1), "id": name, "annotator": who, "label": label}
        for name, who, label in (("a", "ann", 1), ("b", "ann", 0), ("c", "bob", 0), ("d", "bob", 0))
    ]
    found = calibrated(tmp_path, *same, row(2, label=1))
    half = found["overall"]["rates"][1]
    assert (found["overall"]["n"], half["bad"], half["good"], found["repeated"]) == (2, 1, 1, 3)
    assert (found["raters"]["annotators"], found["raters"]["answers"]) == (2, 1)


def test_another_question_or_order_of_passages_is_another_answer(tmp_path: Path) -> None:
    one = row(1, label=1)
    others = [{**one, "id": "q", "question": "Else?"}, {**one, "id": "p", "contexts": one["contexts"][::-1]}]  # type: ignore[index]  # a list
    blank = {**one, "id": "b", "answer": f" {one['answer']}\n"}
    found = calibrated(tmp_path, one, *others, blank)
    assert (found["overall"]["n"], found["repeated"]) == (3, 1)


def test_a_file_that_does_not_make_the_judge_calibrated_is_not_recommended(tmp_path: Path) -> None:
    def ends(*lines: object) -> str:
        out = tmp_path / "calibration.json"
        said = ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *lines), "--out", out, "--force").out
        return flat(said).partition("writtento")[2].removeprefix(flat(out))

    def flat(text: object) -> str:  # a terminal breaks lines anywhere in a long path
        return "".join(str(text).split())

    assert ends(*rows(60)) == flat("; name it in calibration_files, for every role")
    none = "for the record; named in calibration_files it would not make the judge calibrated"
    assert ends(*rows(20)) == flat(none)
    blurred = [{**one, "label": 1} if number % 5 == 0 else one for number, one in enumerate(rows(60))]
    blurred = [{**one, "label": 0} if number % 5 == 1 else one for number, one in enumerate(blurred)]
    assert ends(*blurred) == flat(f"{none}, yet put its threshold in force")
