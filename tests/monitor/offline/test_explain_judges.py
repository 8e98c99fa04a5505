"""`ragmon extract --explain` foresees what judges find while they judge, as far as the configuration says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.monitor.terminal import ragmon

ASKED = {"trace_id": "t", "question": "How long is the warranty?", "answer": "Two years.", "contexts": ["Two years."]}
LLM = {"type": "llm", "base_url": "http://127.0.0.1:9/v1", "model": "m", "allow_private": True}


def foreseen(
    folder: Path, *judges: dict[str, Any], golden: dict[str, Any] | None = None, **more: object
) -> dict[str, str]:
    """The reason by evaluation, of a request and with a golden entry; empty where it would be judged."""
    file, config = folder / "asked.jsonl", folder / "ragmon.yaml"
    file.write_text(json.dumps(ASKED | more))
    (folder / "golden.jsonl").write_text(json.dumps({"question": ASKED["question"]} | (golden or {"reference": "No."})))
    config.write_text(json.dumps({"judges": judges}))
    ended = ragmon("extract", "--explain", "--json", file, "-c", config)
    assert ended.code == 0, ended.err
    (row,) = map(json.loads, ended.out.splitlines())
    assert row["judged"] == any(one["judged"] for one in row["evaluations"])
    return {one["evaluation"]: one["reason"] for one in row["evaluations"]}


def reference(*evaluations: str) -> dict[str, Any]:
    return {"type": "reference", "golden": "golden.jsonl", "evaluations": evaluations}


def test_an_entry_that_lacks_what_an_evaluation_needs_is_no_reference_for_it(tmp_path: Path) -> None:
    judge = reference("correctness", "hit_at_k", "mrr")
    told = foreseen(tmp_path, judge, golden={"reference": "Two years.", "sources": []})
    assert told == {"correctness": "", "hit_at_k": "no_reference", "mrr": "no_reference"}
    sources = foreseen(tmp_path, judge, golden={"sources": ["handbook.pdf"]})
    assert sources == {"correctness": "no_reference", "hit_at_k": "unknown_sources", "mrr": "unknown_sources"}


def test_a_reference_that_states_nothing_gives_no_recall(tmp_path: Path) -> None:
    told = foreseen(tmp_path, reference("context_recall"), golden={"reference": "Hello! How can I help you?"})
    assert told == {"context_recall": "no_claims"}


def test_an_answer_that_states_nothing_gives_no_faithfulness(tmp_path: Path) -> None:
    told = foreseen(tmp_path, {"type": "embedded"}, answer="Hello! How can I help you?")
    assert told == {"faithfulness": "no_claims"}
    assert foreseen(tmp_path, {"type": "embedded"}) == {"faithfulness": ""}


def test_the_golden_file_of_a_remote_judge_is_looked_at_too(tmp_path: Path) -> None:
    judge = LLM | {"golden": "golden.jsonl", "evaluations": ["correctness", "faithfulness"]}
    assert foreseen(tmp_path, judge) == {"correctness": "", "faithfulness": ""}
    for told in (
        foreseen(tmp_path, judge, question="What of dragons?"),
        foreseen(tmp_path, judge, golden={"sources": ["handbook.pdf"]}),
        foreseen(tmp_path, LLM | {"evaluations": ["correctness", "faithfulness"]}),
    ):
        assert told == {"correctness": "no_reference", "faithfulness": ""}


def test_a_remote_judge_looks_for_the_question_that_it_is_shown(tmp_path: Path) -> None:
    question = "What does ann@example.org pay?"
    judges = reference("f1"), LLM | {"golden": "golden.jsonl", "evaluations": ["correctness"]}
    told = foreseen(tmp_path, *judges, question=question, golden={"question": question, "reference": "Two years."})
    assert told == {"f1": "", "correctness": "no_reference"}


def test_a_criterion_for_another_language_is_told(tmp_path: Path) -> None:
    criterion = {"name": "polite", "criteria": "It is polite.", "steps": ["Read."], "languages": ["zh"]}
    told = foreseen(tmp_path, LLM | {"evaluations": [], "criteria": [criterion]})
    assert told == {"criteria.polite": "other_language"}
