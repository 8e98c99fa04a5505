"""What must hold between two judgements of the embedded judge, over small rows of our own and over labelled real ones.

The real ones are skipped where they are not at hand (RAGMON_BENCH_DATA).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.grounding.assessment import assess
from monitor.judges.text.claims import claims_of
from monitor.judges.text.scripts import is_unspaced
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import tokenize
from monitor.offline.edits import EDITS
from monitor.records import ContextsSource, Outcome, Passage, RagTrace
from tests.fakes import FakeClock
from tests.monitor.judges.metamorphic import (
    KINDS,
    OWN,
    Row,
    changed_by_order,
    changed_by_repetition,
    invented,
    lowered,
    lowered_by_another_passage,
    rows_or_skip,
    support_in,
)
from tests.monitor.judges.text.metadiscourse.talk_en import TALK_EN
from tests.monitor.judges.text.metadiscourse.talk_zh import TALK_ZH

TRANSLATED = [
    (
        ("Entry costs 12 euros. The museum opens at nine.", "门票价格为12欧元。博物馆九点开门。"),
        [
            ("Entry costs 12 euros.", "门票价格为12欧元。"),
            ("Entry costs 15 euros.", "门票价格为15欧元。"),
            ("The museum opens at nine.", "博物馆九点开门。"),
            ("The museum opens at eleven.", "博物馆十一点开门。"),
            ("Napoleon founded the zoo in 1803.", "拿破仑于1803年创办了动物园。"),
        ],
    ),
    (
        (
            "The warranty is two years from the day of purchase. Damage by water is excluded.",
            "保修期为自购买之日起两年。进水损坏不在保修范围内。",
        ),
        [
            ("The warranty is two years.", "保修期为两年。"),
            ("The warranty is five years.", "保修期为五年。"),
            ("The warranty is 30 months in Germany.", "在德国保修期为30个月。"),
            ("Damage by water is excluded.", "进水损坏不在保修范围内。"),
        ],
    ),
    (
        (
            "The market is open on Saturday from 8 am to 6:30 pm. A stall costs $40. The hall may hold 300 guests.",
            "市场每周六早上八点至下午六点半开放。摊位费用为40美元。大厅可以容纳300位客人。",
        ),
        [
            ("The market is open on Saturday.", "市场每周六开放。"),
            ("The market is open on Sunday.", "市场每周日开放。"),
            ("The market is open to 18:30.", "市场开放至18:30。"),
            ("The market is open from 8 pm.", "市场晚上八点开放。"),
            ("A stall costs 40 dollars.", "摊位费用为$40。"),
            ("A stall costs €40.", "摊位费用为40欧元。"),
            ("A stall does not cost $40.", "摊位费用不是40美元。"),
            ("The hall may not hold 300 guests.", "大厅不可以容纳300位客人。"),
        ],
    ),
]


@pytest.fixture(params=["own", "real"])
def rows(request: pytest.FixtureRequest) -> tuple[Row, ...]:
    return rows_or_skip(request.param)


def support(answer: str, passages: tuple[str, ...]) -> list[tuple[str, float]]:
    return support_in(assess(answer, passages))


def test_another_passage_never_lowers_the_support_of_a_sentence(rows: tuple[Row, ...]) -> None:
    assert lowered_by_another_passage(assess, rows) == []


def test_each_passage_of_a_row_adds_support_or_nothing(rows: tuple[Row, ...]) -> None:
    for row in rows:
        assert lowered(support(row.answer, row.passages[:1]), support(row.answer, row.passages)) == []


def test_a_passage_that_comes_twice_changes_nothing(rows: tuple[Row, ...]) -> None:
    assert changed_by_repetition(assess, rows) == []


def test_the_order_of_the_passages_changes_nothing(rows: tuple[Row, ...]) -> None:
    assert changed_by_order(assess, rows) == []


def test_without_passages_nothing_can_be_scored(rows: tuple[Row, ...]) -> None:
    clock = FakeClock()
    judge = EmbeddedJudge(EmbeddedSettings(), clock)

    async def outcomes() -> set[tuple[Outcome, float | None]]:
        found = set()
        for row in rows:
            for contexts in ((), tuple(Passage("") for _ in row.passages)):
                trace = RagTrace(
                    "0" * 32, "0" * 16, "?", row.answer, contexts=contexts, contexts_source=ContextsSource.SPAN
                )
                (judgement,) = await judge.judge(trace, (), clock.monotonic() + 30.0)
                found.add((judgement.outcome, judgement.score))
        return found

    assert asyncio.run(outcomes()) == {(Outcome.NOT_SCORABLE, None)}


def supported_sentences(rows: tuple[Row, ...]) -> Iterator[tuple[str, tuple[str, ...], float]]:
    """Sentences of the passages that state something, each with the passages and its score, one a row."""
    for row in rows:
        pieces = [piece.text for text in row.passages for piece in split_sentences(text)]
        for sentence in pieces:
            found = support(sentence, row.passages)
            if len(found) == 1 and found[0][1] > 0.9 and sentence[-1] in ".。":
                yield sentence, row.passages, found[0][1]
                break


@pytest.mark.parametrize("kind", KINDS)
def test_an_invention_lowers_the_support(rows: tuple[Row, ...], kind: str) -> None:
    tried = 0
    for sentence, passages, before in supported_sentences(rows):
        changed = invented(sentence)[kind]
        denied = any(tokenize(piece.text).negated for text in (*passages, sentence) for piece in split_sentences(text))
        if changed == sentence or (kind == "negation" and denied):
            continue
        tried += 1
        assert min(score for _, score in support(changed, passages)) < before, changed
    assert tried >= 2


def scores_of(sentences: list[str], passages: tuple[str, ...]) -> dict[str, float]:
    return dict(support("\n".join(sentences), passages))


def test_order_and_padding_with_supported_sentences_leave_the_risk_of_the_others(rows: tuple[Row, ...]) -> None:
    tried = 0
    for row in rows:
        sentences = [claim.sentence.text for claim in claims_of(row.answer)]
        alone = {sentence: dict(support(sentence, row.passages)).get(sentence) for sentence in sentences}
        if any(score is None for score in alone.values()):
            continue  # a sentence that is none by itself, such as one behind a label
        neutral = [sentence for sentence, _, _ in supported_sentences((row,))] * 3
        shuffled = random.Random(7).sample(sentences, len(sentences))
        for answer in (shuffled, [*neutral, *sentences], [*sentences, *neutral], [*neutral, *shuffled, *neutral]):
            found = scores_of(answer, row.passages)
            if set(sentences) <= found.keys():
                tried += 1
                assert {sentence: found[sentence] for sentence in sentences} == alone
    assert tried >= len(rows)


@given(st.data())
def test_padding_with_talk_anywhere_changes_neither_score_nor_label_nor_the_risk_of_the_others(
    data: st.DataObject,
) -> None:
    row = data.draw(st.sampled_from(OWN))
    chinese = is_unspaced(row.answer)
    judged = assess(row.answer, row.passages)
    pieces = [piece.text for piece in split_sentences(row.answer)]
    for talk in data.draw(st.lists(st.sampled_from(TALK_ZH if chinese else TALK_EN), min_size=1, max_size=4)):
        # a lead-in that has no stop goes on in a line of its own
        alone = talk if talk[-1] in ".!?。！？" else f"\n{talk}\n"
        pieces.insert(data.draw(st.integers(0, len(pieces))), alone)
    padded = assess(("" if chinese else " ").join(pieces), row.passages)
    assert (padded.score, padded.label) == (judged.score, judged.label)
    assert [(p.text, p.score, p.note) for p in padded.evidence] == [(p.text, p.score, p.note) for p in judged.evidence]


@pytest.mark.parametrize("edit", ["padded", "polite", "bold"])
def test_the_padding_and_the_emphasis_of_the_audit_change_nothing(rows: tuple[Row, ...], edit: str) -> None:
    make = next(one.make for one in EDITS if one.name == edit)
    moved = 0
    for row in rows:
        edited = make(RagTrace("0" * 32, "0" * 16, None, row.answer))
        if edited is not None:
            before, after = assess(row.answer, row.passages), assess(edited.answer or "", row.passages)
            moved += (before.score, before.label) != (after.score, after.label)
    assert moved <= (0 if edit != "bold" else len(rows) // 50)


@pytest.mark.parametrize(("passages", "sentences"), TRANSLATED)
def test_a_translation_of_answer_and_passages_keeps_the_verdict(
    passages: tuple[str, str], sentences: list[tuple[str, str]]
) -> None:
    english, chinese = passages
    for said, translated in sentences:
        assert assess(said, [english]).label == assess(translated, [chinese]).label, said
