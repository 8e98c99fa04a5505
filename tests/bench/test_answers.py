"""The long answers of our own, and what the embedded judge makes of those that were kept apart."""

from __future__ import annotations

from types import ModuleType

import pytest


@pytest.mark.parametrize(
    ("name", "count"),
    [("natural", 100), ("held_out", 48), ("paraphrased", 50), ("paraphrased_held_out", 50), ("reworded", 150)],
)
def test_each_answer_has_passages_and_labelled_sentences_side_by_side(
    module: ModuleType, name: str, count: int
) -> None:
    answers = module.read_answers(name)
    assert len(answers) == count
    assert {answer.language for answer in answers} == {"en", "zh"}
    for answer in answers:
        assert len(answer.contexts) >= 2
        assert [start for start, _, _ in answer.labels] == [0, *(end for _, end, _ in answer.labels[:-1])]
        assert answer.labels[-1][1] == len(answer.text)
        assert {label for _, _, label in answer.labels} <= {"supported", "partial", "unsupported", "none"}


def test_an_answer_is_wrong_by_one_unsupported_sentence(module: ModuleType) -> None:
    labels = ((0, 5, "supported"), (5, 9, "partial"), (9, 14, "unsupported"))
    assert module.Answer("en", (), "", labels).wrong
    assert not module.Answer("en", (), "", labels[:2]).wrong
    assert module.Answer("en", (), "", labels).label_of(4, 10) == "unsupported"
    assert module.Answer("en", (), "", labels).label_of(14, 15) == ""


@pytest.mark.parametrize(("language", "area", "flagged"), [("en", 0.90, 0.15), ("zh", 0.88, 0.18)])
def test_the_judge_tells_unsupported_sentences_of_long_answers(
    module: ModuleType, language: str, area: float, flagged: float
) -> None:
    """Before, a quarter of the supported ones were flagged, and so three of four right answers."""
    found = module.figures_of([answer for answer in module.read_answers("held_out") if answer.language == language])
    assert found.sentences > area
    assert found.bad_flagged > 0.7
    assert found.good_flagged < flagged
    assert found.right_flagged < 0.65
    assert found.by_score > 0.75
