"""`ragmon calibrate` of other judges than the one in force, and by the labels of one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from monitor.calibration import encode, load
from tests.judge_server import JudgeServer
from tests.monitor.offline.labelled import calibrated, figures, jsonl, llm, rows
from tests.monitor.terminal import ragmon


def test_a_candidate_beside_the_judge_in_force_can_be_calibrated_by_its_name(tmp_path: Path) -> None:
    config = tmp_path / "ragmon.yaml"
    config.write_text(
        "judges: [{type: scanner}, {type: embedded}, {type: embedded, name: next, shadow_of: embedded}]\n"
    )
    found = calibrated(tmp_path, *rows(60), options=("--judge", "next", "-c", config))
    assert (found["judge"], found["threshold_on"], found["calibrated"]) == ("next", "worst", True)


def test_an_llm_judge_is_bound_to_the_snapshot_that_its_server_names(tmp_path: Path) -> None:
    with JudgeServer() as server:
        config = llm(tmp_path, server)
        found = calibrated(tmp_path, *rows(60), options=("--judge", "llm", "-c", config, "--out", tmp_path / "c.json"))
        said = ragmon("calibrate", tmp_path / "labels.jsonl", "--judge", "llm", "-c", config).out
        config.write_text(config.read_text() + "calibration_files: [c.json]\n")
        judged = ragmon(
            "judge", "--evaluation", "faithfulness", "--judge", "llm", "-c", config, tmp_path / "labels.jsonl"
        )
    assert (found["judge"], found["threshold_on"], found["calibrated"]) == ("llm", "score", True)
    assert found["fingerprint"] != found["configured"]
    assert f"until its first answer after a start the judge is {found['configured']}, and not" in said
    verdicts = [json.loads(line)["judge"] for line in judged.out.splitlines()]
    assert {(one["fingerprint"], one["calibrated"]) for one in verdicts} == {(found["fingerprint"], True)}


def test_a_server_that_puts_another_model_behind_the_name_is_told_on_standard_error(tmp_path: Path) -> None:
    with JudgeServer() as server:
        config, labels = llm(tmp_path, server), jsonl(tmp_path / "labels.jsonl", *rows(3))
        calibrated(tmp_path, *rows(3), options=("--judge", "llm", "-c", config, "--out", tmp_path / "c.json"))
        file = load(tmp_path / "c.json")
        (tmp_path / "c.json").write_bytes(encode(replace(file, fingerprint="aaaaaaaaaaaa")))
        config.write_text(config.read_text() + "calibration_files: [c.json]\n")
        ended = ragmon("judge", "--evaluation", "faithfulness", "--judge", "llm", "-c", config, labels)
    assert [line.partition(";")[0] for line in ended.told] == [
        "a judge scores under another fingerprint than it was calibrated for"
    ]
    assert {json.loads(line)["judge"]["calibrated"] for line in ended.out.splitlines()} == {False}


def test_the_output_of_a_judge_serves_as_labels_and_does_not_count_as_people(tmp_path: Path) -> None:
    plain = jsonl(tmp_path / "rows.jsonl", *rows(60))
    with JudgeServer() as server:
        judged = ragmon("judge", "--evaluation", "faithfulness", "--judge", "llm", "-c", llm(tmp_path, server), plain)
    labels = tmp_path / "judged.jsonl"
    labels.write_text(judged.out)
    found = figures(ragmon("calibrate", labels, "--rows", plain, "--json"))
    assert (found["labels_by"], found["reference"]["name"], found["overall"]["n"]) == ("judge", "llm", 60)
    assert (found["calibrated"], found["uncalibrated"]) == (False, "labels_of_a_judge")
    assert "no, the labels are a judge's" in ragmon("calibrate", labels, "--rows", plain).out
