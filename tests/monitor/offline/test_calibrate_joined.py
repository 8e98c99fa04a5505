"""Labels that `ragmon calibrate` joins with verdicts given before: lines of `ragmon judge`, or harvested cases."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.dataset import DeltaSampleSet
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
from monitor.stages.verdicts import verdict_id
from tests.monitor.offline.judging import row
from tests.monitor.offline.labelled import OWN, calibrated, figures, jsonl
from tests.monitor.terminal import ragmon


def verdict(number: int, score: float | None, fingerprint: str = "aaaaaaaaaaaa") -> dict[str, object]:
    """A line of `ragmon judge`; without a score the judge timed out."""
    ended = {"outcome": "judge_error", "reason": "timeout"} if score is None else {"outcome": "scored", "reason": ""}
    judge = {"name": "embedded", "fingerprint": fingerprint}
    return {"id": f"r{number}", "evaluation": "faithfulness", "score": score, "judge": judge, **ended}


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


def test_few_bad_answers_bound_the_correlation_and_that_is_said(tmp_path: Path) -> None:
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, n / 60) for n in range(60)))
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": int(n > 2)} for n in range(60)))
    said = " ".join(ragmon("calibrate", labels, "--rows", judged).out.split())
    assert (
        "no, Spearman's correlation 0.378 is below 0.7; in the best order these scores and labels reach 0.378" in said
    )
    assert "label more answers of the rarer kind, or in grades" in said


def test_verdicts_that_a_judge_failed_to_give_bound_the_rates(tmp_path: Path) -> None:
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, n % 2 if n < 50 else None) for n in range(60)))
    labels = [{"id": f"r{n}", "label": n % 2} for n in range(60)]
    ended = ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", *labels, {"id": "?", "label": 1}), "--rows", judged)
    said = " ".join(ended.out.split())
    assert "labelled, but without a score: 10 judge_error:timeout, 1 not_found" in said
    assert ended.told == [f"{tmp_path}/labels.jsonl:61: is not in {judged}: '?'"]
    assert "With the 10 missing verdicts (below_half): sensitivity 0.83 to 1.00, specificity 0.83 to 1.00." in said
    assert f"the configured judge is {OWN}: these figures do not count for it" in said


def test_labels_whose_answer_is_nowhere_are_told_with_their_lines_and_the_first_ids(tmp_path: Path) -> None:
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, n % 2) for n in range(12)))
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": n % 2} for n in range(20)))
    ended = ragmon("calibrate", labels, "--rows", judged, "--json")
    ids = "'r12', 'r13', 'r14', 'r15', 'r16' and 3 more"
    assert (ended.code, ended.told) == (0, [f"{labels}:13-20: is not in {judged}: {ids}"])


def test_scores_of_two_fingerprints_are_not_mixed(tmp_path: Path) -> None:
    judged = [verdict(n, n % 2, "aaaaaaaaaaaa" if n < 8 else OWN) for n in range(12)]
    labels = jsonl(tmp_path / "labels.jsonl", *({"id": f"r{n}", "label": n % 2} for n in range(12)))
    found = figures(ragmon("calibrate", labels, "--rows", jsonl(tmp_path / "judged.jsonl", *judged), "--json"))
    assert (found["fingerprint"], found["overall"]["n"], found["no_score"]) == (OWN, 4, {"other_fingerprint": 8})


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


@pytest.mark.parametrize("by", ["id", "case_id", "trace_id"])
def test_labels_are_joined_with_exported_rows_by_whichever_id_they_name(tmp_path: Path, by: str) -> None:
    exported = [{**row(n), "trace_id": f"t{n}", "case_id": f"c{n}"} for n in range(60)]
    for one in exported:
        del one["id"]
    labels = [{by: f"{'c' if by == 'case_id' else 't'}{n}", "label": n % 2} for n in range(60)]
    found = calibrated(tmp_path, *labels, options=("--rows", jsonl(tmp_path / "rows.jsonl", *exported)))
    assert (found["overall"]["n"], found["calibrated"], found["no_score"]) == (60, True, {})


def test_a_name_under_another_key_joins_no_row_that_has_the_key_of_the_labels(tmp_path: Path) -> None:
    judged = [{**verdict(n, n % 2), "id": n, "trace_id": n + 1} for n in range(10)]
    labels = [{"trace_id": n, "label": 1} for n in range(5, 12)]
    found = calibrated(tmp_path, *labels, options=("--rows", jsonl(tmp_path / "rows.jsonl", *judged)))
    assert (found["overall"]["n"], found["no_score"]) == (6, {"not_found": 1})


def test_labels_that_join_nothing_are_told_with_the_key_and_an_id_of_each_side(tmp_path: Path) -> None:
    labels = jsonl(tmp_path / "labels.jsonl", {"trace_id": "t1", "label": 1})
    rows = jsonl(tmp_path / "rows.jsonl", {"case_id": "c9", "answer": "x"})
    DeltaSampleSet(str(tmp_path / "cases")).append([case(2)], {TopicPartition("rag.cases", 0): 1})
    by_rows, by_cases = (
        ragmon("calibrate", labels, *options) for options in (("--rows", rows), ("--cases", tmp_path / "cases"))
    )
    none = "holds none of the labelled answers; `trace_id` joins them, such as 't1'"
    assert (by_rows.code, by_rows.told) == (2, [f"{rows}: {none}; the first row has case_id 'c9'"])
    assert (by_cases.code, by_cases.told) == (2, [f"{tmp_path}/cases: {none}"])


def case(number: int) -> Case:
    who = JudgeIdentity("embedded", OWN)
    score = 0.9 if number % 2 else 0.2
    evidence = (Evidence("a", score + 0.05), Evidence("b", score - 0.05))
    given = Judgement("faithfulness", who, Outcome.SCORED, score=score, evidence=evidence)
    trace = RagTrace(f"t{number}", "s", f"Q{number}", "A", language="zh", end_ns=10**18)
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


def test_a_file_in_place_of_a_sample_set_is_told(tmp_path: Path) -> None:
    labels, rows = jsonl(tmp_path / "l", {"id": "c1", "label": 1}), jsonl(tmp_path / "rows.jsonl", {"id": "c1"})
    ended = ragmon("calibrate", labels, "--cases", rows)
    why = "is a file; --cases takes the folder of a sample set, rows go to --rows"
    assert (ended.code, ended.out, ended.told) == (2, "", [f"{rows}: {why}"])


def test_a_sample_set_that_is_not_there_is_told(tmp_path: Path) -> None:
    ended = ragmon("calibrate", jsonl(tmp_path / "l", {"id": "c1", "label": 1}), "--cases", tmp_path / "none")
    assert (ended.code, ended.told) == (
        2,
        [f"{tmp_path}/none: no sample set here; see dataset.path in the configuration"],
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (
            b"id,question,contexts,answer\nr1,Q,P,A\n",
            "holds no JSON; rows are JSON lines {id, question, contexts, answer}; CSV is for the labels of",
        ),
        (b"PK\x03\x04", "is no text; rows are JSON lines {id, question, contexts, answer}, as `ragmon extract` makes"),
    ],
)
def test_rows_of_another_kind_are_told_once_as_by_the_commands_that_judge(
    tmp_path: Path, content: bytes, why: str
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_bytes(content)
    ended = ragmon("calibrate", jsonl(tmp_path / "labels.jsonl", {"id": "r1", "label": 1}), "--rows", rows)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert ended.told[0].startswith(f"{rows}: {why}")


def test_answers_that_repeat_each_other_count_once_in_joined_rows_and_in_a_sample_set_too(tmp_path: Path) -> None:
    labels = [{"id": f"r{n}", "label": n % 2} for n in range(60)]
    again = [{**row(n % 20), "id": f"r{n}"} for n in range(60)]
    by_rows = calibrated(tmp_path, *labels, options=("--rows", jsonl(tmp_path / "rows.jsonl", *again)))
    assert (by_rows["overall"]["n"], by_rows["repeated"]) == (20, 40)
    cases = [replace(case(n), trace=replace(case(n).trace, question=f"Q{n % 20}")) for n in range(60)]
    DeltaSampleSet(str(tmp_path / "cases")).append(cases, {TopicPartition("rag.cases", 0): 60})
    labels = [{"case_id": f"c{n}", "label": n % 2} for n in range(60)]
    by_cases = calibrated(tmp_path, *labels, options=("--cases", tmp_path / "cases"))
    assert (by_cases["overall"]["n"], by_cases["repeated"], by_cases["calibrated"]) == (20, 40, False)


def test_of_answers_that_repeat_each_other_the_one_with_a_score_speaks(tmp_path: Path) -> None:
    scored = case(1)
    missed = replace(scored.judgements[1], outcome=Outcome.SKIPPED, score=None, reason="rate", evidence=())
    first = replace(scored, case_id="c0", trace=replace(scored.trace, trace_id="t0"), judgements=(missed,))
    DeltaSampleSet(str(tmp_path / "cases")).append([first, scored], {TopicPartition("rag.cases", 0): 2})
    labels = [{"case_id": "c0", "label": 0}, {"case_id": "c1", "label": 0}]
    found = calibrated(tmp_path, *labels, options=("--cases", tmp_path / "cases"))
    assert (found["overall"]["n"], found["repeated"], found["overall"]["missing_bad"], found["no_score"]) == (
        1,
        1,
        0,
        {},
    )


def test_lines_of_ragmon_judge_hold_no_content_so_each_stands_for_itself(tmp_path: Path) -> None:
    judged = jsonl(tmp_path / "judged.jsonl", *(verdict(n, 0.9) for n in range(3)))
    found = calibrated(tmp_path, *({"id": f"r{n}", "label": 1} for n in range(3)), options=("--rows", judged))
    assert (found["overall"]["n"], found["repeated"]) == (3, 0)
