"""Rules of the grades of passages."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import JudgeRejected
from monitor.judges.prompts.evaluation import load_evaluation
from monitor.judges.prompts.grades import Grades
from monitor.judges.prompts.material import Excerpt, whole
from monitor.judges.prompts.reading import Items, Reading, Said
from monitor.judges.replies.strict_json import Json
from monitor.records import Evidence, Passage, RagTrace

WORDS = {"relevant": 1.0, "partly": 0.5, "irrelevant": 0.0}


def reader() -> Grades:
    found = load_evaluation("context_relevance").reads
    assert isinstance(found, Grades)
    return found


def trace(passages: int) -> RagTrace:
    return RagTrace("t", "", "Q?", None, contexts=tuple(Passage(f"text {number}") for number in range(passages)))


def grade(passage: Json, verdict: Json) -> Json:
    return {"passage": passage, "reason": "r", "verdict": verdict}


def read(*verdicts: str) -> Reading:
    grades: list[Json] = [grade(number, verdict) for number, verdict in enumerate(verdicts, start=1)]
    material = whole(trace(len(verdicts)))
    return reader().reading(reader().judged(Said({"passages": grades}), material), material)


def test_a_relevant_passage_that_stands_first_counts_more_than_one_that_stands_last() -> None:
    assert read("relevant", "irrelevant", "irrelevant").score == pytest.approx(0.469, abs=1e-3)
    assert read("irrelevant", "irrelevant", "relevant").score == pytest.approx(0.235, abs=1e-3)


@given(st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=40))
def test_the_score_lies_between_the_worst_and_the_best_grade(verdicts: list[str]) -> None:
    score = read(*verdicts).score
    grades = [WORDS[verdict] for verdict in verdicts]
    assert score is not None
    assert min(grades) - 1e-9 <= score <= max(grades)


def test_the_evidence_is_the_grade_of_each_passage_in_their_order() -> None:
    material = whole(trace(2))
    said = Said({"passages": [grade(2, "partly"), grade(1, "irrelevant")]})
    reading = reader().reading(reader().judged(said, material), material)
    assert reading.evidence == (
        Evidence("", 0.0, 1, label="irrelevant", note="r"),
        Evidence("", 0.5, 2, label="partly", note="r"),
    )
    assert (reading.label, reading.explanation) == ("irrelevant", "0 of 2 passages relevant.")


@pytest.mark.parametrize(
    "grades",
    [
        [grade(1, "relevant")],
        [grade(1, "relevant"), grade(1, "relevant")],
        [grade(1, "relevant"), grade(3, "relevant")],
        [grade(1, "relevant"), grade(2, "relevant"), grade(2, "relevant")],
        [grade(1, "relevant"), grade(None, "relevant")],
        [grade(1, "relevant"), grade(2.0, "relevant")],
        [grade(1, "relevant"), grade("2", "relevant")],
        [grade(1, "relevant"), grade(2, "very relevant")],
        [grade(1, "relevant"), grade(2, 1)],
        [grade(1, "relevant"), "relevant"],
        {"1": "relevant", "2": "relevant"},
        None,
    ],
)
def test_anything_but_one_grade_for_each_passage_is_no_verdict(grades: Json) -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        reader().judged(Said({"passages": grades}), whole(trace(2)))


def test_a_passage_in_two_windows_has_its_best_grade() -> None:
    first = Items((Evidence("", 1.0, 1), Evidence("", 0.0, 2)))
    second = Items((Evidence("", 0.5, 2), Evidence("", 0.0, 3)))
    expected = Items((Evidence("", 1.0, 1), Evidence("", 0.5, 2), Evidence("", 0.0, 3)))
    assert reader().merge(first, second) == reader().merge(second, first) == expected


def test_a_window_grades_what_it_shows_and_the_score_needs_them_all() -> None:
    material = whole(trace(2))
    shown = dataclasses.replace(material, excerpts=(Excerpt(2, "text 1"),))
    items = reader().judged(Said({"passages": [grade(2, "relevant")]}), shown)
    with pytest.raises(JudgeRejected, match="parse"):
        reader().reading(items, material)
