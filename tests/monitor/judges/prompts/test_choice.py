"""Rules of one word out of a few."""

from __future__ import annotations

import pytest

from monitor.errors import JudgeRejected
from monitor.judges.prompts.choice import Choice
from monitor.judges.prompts.evaluation import load_evaluation
from monitor.judges.prompts.material import whole
from monitor.judges.prompts.reading import Reading, Said
from monitor.judges.replies.strict_json import Json
from monitor.records import RagTrace


def read(verdict: Json, **more: Json) -> Reading:
    reader = load_evaluation("answer_relevance").reads
    assert isinstance(reader, Choice)
    return reader.read(Said({"reason": "r", "verdict": verdict, **more}), whole(RagTrace("t", "", "Q?", "A.")))


@pytest.mark.parametrize(("word", "score"), [("answers", 1.0), ("Partly", 0.5), ("misses", 0.0)])
def test_each_word_has_its_score(word: str, score: float) -> None:
    assert read(word) == Reading(score, word.lower(), "r")


@pytest.mark.parametrize("word", ["answer", "", None, True, 1, ["answers"], {"verdict": "answers"}])
def test_any_other_word_is_no_verdict(word: Json) -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        read(word)


@pytest.mark.parametrize("score", [1, 0.9, 1.0, 5, -1, 80, "0", None])
def test_a_score_beside_the_word_is_its_own_or_on_another_scale(score: Json) -> None:
    assert read("answers", score=score).score == 1.0


@pytest.mark.parametrize(("word", "score"), [("answers", 0), ("answers", 0.5), ("misses", 1.0), ("partly", False)])
def test_another_score_beside_the_word_makes_two_verdicts(word: str, score: Json) -> None:
    with pytest.raises(JudgeRejected, match="two_verdicts"):
        read(word, score=score)


@pytest.mark.parametrize("key", ["label", "answer_relevance", "rating"])
def test_another_of_the_words_under_another_key_makes_two_verdicts(key: str) -> None:
    with pytest.raises(JudgeRejected, match="two_verdicts"):
        read("answers", **{key: "Misses"})
    assert read("answers", **{key: "answers"}).score == 1.0
    assert read("answers", **{key: "high"}).score == 1.0
    assert read("answers", reason="misses").score == 1.0
