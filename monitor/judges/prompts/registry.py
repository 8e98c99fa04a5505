"""The evaluations that a judge's settings ask for."""

from __future__ import annotations

from monitor.config import judges as judge_settings
from monitor.judges.prompts.evaluation import Evaluation, load_evaluation, of_criterion


def evaluations_of(config: judge_settings.LlmJudge) -> tuple[Evaluation, ...]:
    """Its evaluations in their order, those of its criteria last."""
    own = tuple(load_evaluation(_file(name, config)) for name in config.evaluations)
    return own + tuple(of_criterion(one, settled=config.is_settled) for one in config.criteria)


def _file(evaluation: str, config: judge_settings.LlmJudge) -> str:
    match evaluation:
        case "faithfulness" if config.rubric == "graded":
            return "faithfulness_graded"
        case "answer_relevance" if config.relevance == "hypothetical":
            return "answer_relevance_hypothetical"
        case _:
            return evaluation.removeprefix("safety.")
