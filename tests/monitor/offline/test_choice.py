"""How much of a configured judge a command asks."""

from __future__ import annotations

from typing import Any

import pytest

from monitor.config.judges import EmbeddedJudge, LlmJudge
from monitor.judges.prompts.group import grouped
from monitor.judges.prompts.registry import evaluations_of
from monitor.judges.snapshots import Identities
from monitor.offline.choice import asked_for

TONE = {"name": "tone", "criteria": "Friendly.", "steps": ["Look."]}
SHOWN = ("faithfulness", "completeness", "criteria.tone")
HELD = ("correctness", "context_recall")


def llm(**more: Any) -> LlmJudge:  # noqa: ANN401 - any setting
    evaluations = ("faithfulness", "correctness", "answer_relevance", "completeness", "context_recall")
    given = {"base_url": "https://judge.example", "model": "m", "evaluations": evaluations, "criteria": [TONE]}
    return LlmJudge.model_validate(given | {"relevance": "hypothetical", "cascade": {"after": "embedded"}} | more)


def fingerprint(judge: LlmJudge, evaluation: str) -> str:
    return Identities(judge, grouped(evaluations_of(judge), judge.calls)).current(evaluation).fingerprint


@pytest.mark.parametrize("evaluation", llm().judged)
def test_asked_apart_a_judge_is_asked_for_the_evaluation_alone(evaluation: str) -> None:
    whole = llm(calls="apart")
    asked = asked_for([evaluation], whole)
    assert isinstance(asked, LlmJudge)
    assert asked.judged == (evaluation,)
    assert fingerprint(asked, evaluation) == fingerprint(whole, evaluation)


@pytest.mark.parametrize(
    ("evaluation", "together"),
    [*((name, SHOWN) for name in SHOWN), *((name, HELD) for name in HELD), ("answer_relevance", ("answer_relevance",))],
)
def test_asked_together_a_judge_is_asked_for_all_that_shares_the_call(
    evaluation: str, together: tuple[str, ...]
) -> None:
    whole = llm()
    asked = asked_for([evaluation], whole)
    assert isinstance(asked, LlmJudge)
    assert asked.judged == together
    assert fingerprint(asked, evaluation) == fingerprint(whole, evaluation)


def test_a_judge_of_several_evaluations_is_asked_for_each_of_them() -> None:
    asked = asked_for(["completeness", "faithfulness"], llm(calls="apart"))
    assert isinstance(asked, LlmJudge)
    assert asked.judged == ("faithfulness", "completeness")


def test_a_command_asks_about_every_row_so_nobody_is_asked_first() -> None:
    asked = asked_for(["faithfulness"], llm())
    assert isinstance(asked, LlmJudge)
    assert asked.cascade is None


def test_a_judge_in_this_process_is_asked_as_it_is() -> None:
    assert asked_for(["faithfulness"], EmbeddedJudge()) == EmbeddedJudge()
