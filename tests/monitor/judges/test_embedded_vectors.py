"""What must hold for the embedded judge with sentence vectors; skipped without the extra `embeddings`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.grounding.assessment import Assessment, assess
from monitor.records import ContextsSource, Judgement, Outcome, Passage, RagTrace
from tests.fakes import FakeClock
from tests.monitor.judges.metamorphic import (
    KINDS,
    OWN,
    Row,
    changed_by_order,
    changed_by_repetition,
    invented,
    lowered_by_another_passage,
    rows_or_skip,
    support_in,
)
from tests.sentence_vectors import nearest_or_skip

EVERY = 8
"""Which of the real rows are read: they cost more than without vectors."""
UNSPACED = "保修期为两年。人为损坏不在保修范围内。"


def judged(answer: str, passages: Sequence[str]) -> Assessment:
    found = nearest_or_skip()

    def nearest(claims: Sequence[str], sentences: Sequence[str]) -> NDArray[np.float32]:
        return found(claims, sentences, lambda: False)

    return assess(answer, passages, nearest=nearest)


def support(answer: str, passages: Sequence[str]) -> list[tuple[str, float]]:
    return support_in(judged(answer, passages))


@pytest.fixture(params=["own", "real"])
def rows(request: pytest.FixtureRequest) -> tuple[Row, ...]:
    nearest_or_skip()
    return rows_or_skip(request.param, EVERY)


def test_another_passage_never_lowers_the_support_of_a_sentence(rows: tuple[Row, ...]) -> None:
    assert lowered_by_another_passage(judged, rows) == []


def test_order_and_repetition_of_the_passages_change_nothing(rows: tuple[Row, ...]) -> None:
    assert changed_by_order(judged, rows) == []
    assert changed_by_repetition(judged, rows) == []


def test_other_sentences_of_the_answer_do_not_move_a_score() -> None:
    for row in OWN:
        for text, score in support(row.answer, row.passages):
            assert dict(support(text, row.passages)).get(text, score) == score


@pytest.mark.parametrize("kind", KINDS)
def test_an_invention_lowers_the_support(kind: str) -> None:
    for sentence, passage in (
        ("Entry costs 12 euros.", OWN[0].passages[0]),
        ("The museum is open from Tuesday to Sunday.", OWN[0].passages[0]),
    ):
        changed = invented(sentence)[kind]
        if changed != sentence:
            ((_, before),) = support(sentence, [passage])
            assert min(score for _, score in support(changed, [passage])) < before


def test_scripts_without_blanks_are_judged_as_without_vectors() -> None:
    passages = ["本产品保修期为2年，自购买之日起计算。人为损坏的产品由客户承担维修费用。"]
    assert judged(UNSPACED, passages) == assess(UNSPACED, passages)


def test_other_words_for_the_same_count_for_more_than_without_vectors() -> None:
    passages = ["Children must be accompanied by a parent in the swimming pool."]
    paraphrase, invention = "Kids may only swim together with their mom or dad.", "Zebras graze under acacia trees."
    gained = [
        judged(text, passages).evidence[0].score - assess(text, passages).evidence[0].score
        for text in (paraphrase, invention)
    ]
    assert gained[0] > gained[1]


def trace_of(answer: str, passages: Sequence[str]) -> RagTrace:
    contexts = tuple(map(Passage, passages))
    return RagTrace("0" * 32, "0" * 16, "?", answer, contexts=contexts, contexts_source=ContextsSource.SPAN)


def verdicts(traces: Sequence[RagTrace], seconds: float) -> list[Judgement]:
    nearest_or_skip()
    clock = FakeClock()

    async def judge_all() -> list[Judgement]:
        judge = EmbeddedJudge(EmbeddedSettings(embeddings=True), clock)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(judge.judge(one, (), clock.monotonic() + seconds)) for one in traces]
            return [judgement for task in tasks for judgement in task.result()]
        finally:
            await judge.close()

    return asyncio.run(judge_all())


def test_the_judge_scores_as_the_assessment_does_however_many_ask_at_once() -> None:
    found = verdicts([trace_of(row.answer, row.passages) for row in OWN], 60.0)
    assert [one.score for one in found] == [judged(row.answer, row.passages).score for row in OWN]


def test_what_takes_too_long_is_a_deadline_and_no_score() -> None:
    passages = [f"Sentence {number} of a page that nobody has read before is here." for number in range(5000)]
    (found,) = verdicts([trace_of("The ferry leaves at nine.", passages)], 0.05)
    assert (found.outcome, found.reason, found.score) == (Outcome.JUDGE_ERROR, "deadline", None)
