"""`ragmon calibrate` as a user has it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporters.dataset import DeltaSampleSet
from monitor.calibration import encode, load
from monitor.judges import embedded
from monitor.records import (
    Case,
    Decision,
    DecisionKind,
    Evidence,
    JudgeIdentity,
    Judgement,
    Outcome,
    Position,
    RagTrace,
    TopicPartition,
)
from monitor.verdicts import verdict_id
from tests.judge_server import JudgeServer
from tests.monitor.terminal import Ended, ragmon, spawn

PASSAGES = ["The desk closes at 18:00. Parking is free for guests. Breakfast is served until ten."]
GOOD = ("The desk closes at 18:00.", "Parking is free for guests.", "Breakfast is served until ten.")
BAD = ("Purple dragons sing forty songs.", "The pool has nine golden slides.", "Helicopters land hourly nearby.")


OWN = embedded.identity_of("embedded").fingerprint


def row(number: int, **more: object) -> dict[str, object]:
    answers = GOOD if number % 2 else BAD
    answer = answers[number % 3]
    return {"id": f"r{number}", "question": "What?", "contexts": PASSAGES, "answer": answer, **more}


def rows(n: int, *, right: bool = True) -> list[dict[str, object]]:
    return [row(number, label=(number % 2 if right else int(number % 4 > 1))) for number in range(n)]


def jsonl(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return path


def figures(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def calibrated(path: Path, *lines: object, options: tuple[str | Path, ...] = ()) -> dict[str, Any]:
    return figures(ragmon("calibrate", jsonl(path / "labels.jsonl", *lines), "--json", *options))


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


def test_what_joined_lines_say_of_themselves_is_content_too_and_stays_out_of_the_file(tmp_path: Path) -> None:
    private = "Ann owes 500 euros"
    judged = [
        {**verdict(0, None), "reason": private, "language": private},
        {**verdict(1, 0.5), "language": "zh-Hant-TW"},
        {**verdict(2, 0.4), "language": private},
    ]
    labels = [{"id": f"r{n}", "label": n % 2, "annotator": private, "language": private} for n in range(3)]
    content = calibrated(tmp_path, *labels, options=("--rows", jsonl(tmp_path / "judged.jsonl", *judged)))
    assert private not in json.dumps(content)
    assert (content["no_score"], sorted(content["languages"])) == ({"judge_error:other": 1}, ["und", "zh"])


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
    assert [line.removeprefix(f"{tmp_path}/").partition(":")[0] for line in ended.told] == ["c.json", "missing.json"]


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


def test_a_candidate_beside_the_judge_in_force_can_be_calibrated_by_its_name(tmp_path: Path) -> None:
    config = tmp_path / "ragmon.yaml"
    config.write_text(
        "judges: [{type: scanner}, {type: embedded}, {type: embedded, name: next, shadow_of: embedded}]\n"
    )
    found = calibrated(tmp_path, *rows(60), options=("--judge", "next", "-c", config))
    assert (found["judge"], found["threshold_on"], found["calibrated"]) == ("next", "worst", True)


# --------------------------------------------------------------------------------------------------------- not enough


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


def verdict(number: int, score: float | None, fingerprint: str = "aaaaaaaaaaaa") -> dict[str, object]:
    """A line of `ragmon judge`; without a score the judge timed out."""
    ended = {"outcome": "judge_error", "reason": "timeout"} if score is None else {"outcome": "scored", "reason": ""}
    judge = {"name": "embedded", "fingerprint": fingerprint}
    return {"id": f"r{number}", "evaluation": "faithfulness", "score": score, "judge": judge, **ended}


def test_rates_with_which_flags_mean_little_and_a_threshold_of_chance_are_warned_of(tmp_path: Path) -> None:
    rng = random.Random(3)
    scores = [round(rng.random(), 3) for _ in range(80)]
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, score) for n, score in enumerate(scores)))
    given = [int(score >= 0.5) if n % 3 else n % 2 for n, score in enumerate(scores)]
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": label} for n, label in enumerate(given)))
    made = figures(ragmon("calibrate", labels, "--rows", judged, "--json"))
    held_out, half = made["overall"]["rates"]
    said = " ".join(ragmon("calibrate", labels, "--rows", judged).out.split())
    for rates, rule in ((held_out, "below the threshold"), (half, "below 0.5")):
        assert (f"of the bad answers are {rule}; the others" in said) == (rates["sensitivity"]["value"] < 0.7)
        assert (f"of the good answers are {rule}, too" in said) == (rates["specificity"]["value"] < 0.7)
    worse = held_out["balanced_accuracy"]["value"] < half["balanced_accuracy"]["value"]
    assert ("will not be put in force" in said) == worse
    assert (worse, held_out["sensitivity"]["value"] < 0.7 <= half["sensitivity"]["value"]) == (True, True)


def test_labels_of_a_half_are_counted_as_good_and_said(tmp_path: Path) -> None:
    halves = [row(n, label=0.5 if n < 4 else n % 2) for n in range(60)]
    labels = jsonl(tmp_path / "labels.jsonl", *halves)
    said = " ".join(ragmon("calibrate", labels).out.split())
    assert "labels of 0.5, which count as good: 4" in said
    assert "labels of 0.5" not in ragmon("calibrate", jsonl(tmp_path / "whole.jsonl", *rows(60))).out


def test_few_bad_answers_bound_the_correlation_and_that_is_said(tmp_path: Path) -> None:
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, n / 60) for n in range(60)))
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": int(n > 2)} for n in range(60)))
    said = " ".join(ragmon("calibrate", labels, "--rows", judged).out.split())
    assert (
        "no, Spearman's correlation 0.378 is below 0.7; in the best order these scores and labels reach 0.378" in said
    )
    assert "label more answers of the rarer kind, or in grades" in said


def test_answers_without_a_score_are_counted_with_the_reason(tmp_path: Path) -> None:
    silent = {**row(1, label=1), "id": "x", "answer": "Hello! How can I help you?"}
    lost = {**row(1, label=0), "id": "y", "contexts": []}
    found = calibrated(tmp_path, *rows(10), silent, lost, {**row(3), "id": "z", "label": ""})
    assert found["no_score"] == {"not_scorable:no_claims": 1, "not_scorable:no_context": 1}
    assert (found["overall"]["n"], found["overall"]["missing_bad"], found["overall"]["missing_good"]) == (10, 0, 0)
    assert "without a label: 1" in ragmon("calibrate", tmp_path / "labels.jsonl").out


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


# --------------------------------------------------------------------------------------------------------------- judges


def llm(path: Path, server: JudgeServer) -> Path:
    config = path / "llm.yaml"
    config.write_text(
        f"judges: [{{type: embedded}}, {{type: llm, base_url: '{server.url}', model: m, allow_private: true}}]\n"
    )
    return config


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


def test_verdicts_that_a_judge_failed_to_give_bound_the_rates(tmp_path: Path) -> None:
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, n % 2 if n < 50 else None) for n in range(60)))
    labels = [{"id": f"r{n}", "label": n % 2} for n in range(60)]
    ended = ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *labels, {"id": "?", "label": 1}), "--rows", judged)
    said = " ".join(ended.out.split())
    assert "labelled, but without a score: 10 judge_error:timeout, 1 not_found" in said
    assert "With the 10 missing verdicts (below_half): sensitivity 0.83 to 1.00, specificity 0.83 to 1.00." in said
    assert f"the configured judge is {OWN}: these figures do not count for it" in said


def test_scores_of_two_fingerprints_are_not_mixed(tmp_path: Path) -> None:
    judged = [verdict(n, n % 2, "aaaaaaaaaaaa" if n < 8 else OWN) for n in range(12)]
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": n % 2} for n in range(12)))
    found = figures(ragmon("calibrate", labels, "--rows", jsonl(tmp_path / "judged.jsonl", *judged), "--json"))
    assert (found["fingerprint"], found["overall"]["n"], found["no_score"]) == (OWN, 4, {"other_fingerprint": 8})


# ------------------------------------------------------------------------------------------------------------- joining


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (['{"id": "r1", "answer": "x"}', "{"], ":2: is not JSON"),
        (['{"id": "r1", "answer": "x"}', '{"id": "r1", "answer": "y"}'], ":2: the answer 'r1' stands here again"),
        (
            ['{"id":"r1","evaluation":"faithfulness","outcome":"scored","score":7}'],
            ":1: is no line of `ragmon judge`: ",
        ),
        (
            ['{"id":"r1","evaluation":"faithfulness","outcome":"scored","score":1,"evidence":[{"text":"x"}]}'],
            ":1: is no line of `ragmon judge`: Object missing required field `score`",
        ),
        (
            ['{"id":"r1","evaluation":"faithfulness","outcome":"scored","score":1,"judge":{"name":"x y"}}'],
            ":1: is a verdict without its judge",
        ),
        (['{"id": "other", "answer": "x"}'], ": holds none of the labelled answers; `id` joins them"),
        (
            [
                '{"id":"r1","evaluation":"faithfulness","outcome":"scored","score":1,"judge":{"name":"llm","fingerprint":"aaaaaaaaaaaa"}}'
            ],
            ": was judged by llm, not by embedded; name it with --judge",
        ),
    ],
)
def test_rows_that_cannot_be_joined_are_told(tmp_path: Path, lines: list[str], told: str) -> None:
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    labels = jsonl(tmp_path / "labels.jsonl", {"id": "r1", "label": 1})
    ended = ragmon("calibrate", labels, "--rows", tmp_path / "rows.jsonl")
    assert ended.code == 2
    assert told in ended.err


def case(number: int) -> Case:
    who = JudgeIdentity("embedded", OWN)
    score = 0.9 if number % 2 else 0.2
    evidence = (Evidence("a", score + 0.05), Evidence("b", score - 0.05))
    given = Judgement("faithfulness", who, Outcome.SCORED, score=score, evidence=evidence)
    trace = RagTrace(f"t{number}", "s", "Q", "A", language="zh", end_ns=10**18)
    missed = replace(given, judge=JudgeIdentity("llm", "x"), outcome=Outcome.SKIPPED, score=None, reason="rate")
    decision = Decision(DecisionKind.SAMPLED, 1.0, 1, ("base",))
    return Case(f"c{number}", trace, decision, (missed, given), (), "r", "base", Position("t", 0, number), 0)


def name_of(one: Case, by: str) -> str:
    if by == "verdict_id":
        return verdict_id(one.trace.trace_id, "s", "faithfulness", OWN)
    return one.trace.trace_id if by == "trace_id" else one.case_id


@pytest.mark.parametrize("by", ["case_id", "trace_id", "verdict_id", "id"])
def test_labels_of_harvested_cases_are_joined_with_their_verdicts(tmp_path: Path, by: str) -> None:
    cases = [case(n) for n in range(60)]
    DeltaSampleSet(str(tmp_path / "cases")).append(cases, {TopicPartition("rag.cases", 0): 60})
    lines = [{by: name_of(one, by), "label": n % 2} for n, one in enumerate(cases)]
    found = calibrated(tmp_path, *lines, options=("--cases", tmp_path / "cases"))
    assert (found["overall"]["n"], found["calibrated"], list(found["languages"])) == (60, True, ["zh"])
    assert found["threshold"] == pytest.approx((0.15 + 0.85) / 2)


def test_verdicts_of_a_shadow_are_joined_by_ids_of_their_own(tmp_path: Path) -> None:
    def beside(one: Case) -> Case:
        judged = [replace(item, judge=replace(item.judge, shadow_of="other")) for item in one.judgements]
        return replace(one, judgements=tuple(judged))

    cases = [beside(case(n)) for n in range(60)]
    DeltaSampleSet(str(tmp_path / "cases")).append(cases, {TopicPartition("rag.cases", 0): 60})
    names = [verdict_id(one.trace.trace_id, "s", "faithfulness", f"{OWN}/embedded") for one in cases]
    lines = [{"verdict_id": name, "label": n % 2} for n, name in enumerate(names)]
    assert calibrated(tmp_path, *lines, options=("--cases", tmp_path / "cases"))["overall"]["n"] == 60


def test_a_trace_id_of_several_requests_names_none_of_them(tmp_path: Path) -> None:
    two = [case(1), replace(case(2), trace=replace(case(1).trace, request_id="other"))]
    DeltaSampleSet(str(tmp_path / "cases")).append(two, {TopicPartition("rag.cases", 0): 2})
    ended = ragmon("calibrate", jsonl(tmp_path / "l", {"trace_id": "t1", "label": 1}), "--cases", tmp_path / "cases")
    assert (ended.code, ended.told) == (
        2,
        [f"{tmp_path}/cases: 't1' stands for several requests; name them by case_id"],
    )


def test_a_sample_set_that_is_not_there_is_told(tmp_path: Path) -> None:
    ended = ragmon("calibrate", jsonl(tmp_path / "l", {"id": "c1", "label": 1}), "--cases", tmp_path / "none")
    assert (ended.code, ended.told) == (2, [f"{tmp_path}/none: no sample set here yet"])


# ------------------------------------------------------------------------------------------------------------- printing


def test_several_languages_and_annotators_are_shown_within_80_columns(tmp_path: Path) -> None:
    zh = {"question": "何时？", "contexts": ["前台晚上六点关门。停车免费。"]}
    more: list[dict[str, object]] = [
        {
            **zh,
            "id": f"z{n}",
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
