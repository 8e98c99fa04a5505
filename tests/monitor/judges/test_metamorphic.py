"""What must hold between two judgements of the embedded judge, over small rows of our own and over labelled real ones.

The real ones are skipped where they are not at hand (RAGMON_BENCH_DATA).
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judge_settings import EmbeddedJudge as EmbeddedSettings
from monitor.judges.embedded import EmbeddedJudge, assess
from monitor.judges.text.claims import claims_of
from monitor.judges.text.scripts import is_unspaced
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import tokenize
from monitor.offline.edits import EDITS
from monitor.records import ContextsSource, Outcome, Passage, RagTrace
from tests.fakes import FakeClock
from tests.monitor.judges.text.talk_en import TALK_EN
from tests.monitor.judges.text.talk_zh import TALK_ZH

EVERY = 4
"""Which real rows are read: every fourth is enough, and takes seconds."""


@dataclass(frozen=True)
class Row:
    passages: tuple[str, ...]
    answer: str


OWN = (
    Row(
        (
            "The museum is open from Tuesday to Sunday. Entry costs 12 euros. Children under six enter free.",
            "The museum was founded by Clara Weiss in 1931. It holds 400 paintings from the north of the country.",
        ),
        "Entry costs 12 euros. The museum was founded by Otto Weiss in 1913. It is closed on Monday. Dogs are welcome.",
    ),
    Row(
        (
            "The ferry leaves Hamburg at 9 am. A ticket costs 35 euros.",
            "The ferry does not run in January. Bicycles are carried for 5 euros. The crossing takes two hours.",
        ),
        "The ferry runs in January. A ticket costs 5 euros. The crossing takes three hours. Bicycles cost 5 euros.",
    ),
    Row(
        (
            "本产品保修期为2年，自购买之日起计算。人为损坏的产品由客户承担维修费用。",
            "客服电话每天上午九点开通。公司总部设在杭州，成立于1998年。",
        ),
        "保修期为三年。公司成立于1998年。总部位于上海。客服电话每天九点开通。人为损坏可以免费维修。",
    ),
    Row(
        ("会员可以享受九折优惠。订单满200元包邮。", "退货应在收到商品后7天内申请。退款将在三个工作日内到账。"),
        "会员享受九折优惠。订单满300元包邮。退货应在15天内申请。退款三个工作日到账。",
    ),
)

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
]


@cache
def real_rows() -> tuple[Row, ...]:
    path = Path(os.environ.get("RAGMON_BENCH_DATA", "absent")) / "ground-dev.jsonl.gz"
    if not path.exists():
        return ()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = (json.loads(line) for line in itertools.islice(lines, 0, None, EVERY))
        return tuple(Row(tuple(row["contexts"]), row["answer"]) for row in rows)


@pytest.fixture(params=["own", "real"])
def rows(request: pytest.FixtureRequest) -> tuple[Row, ...]:
    if request.param == "own":
        return OWN
    if not real_rows():
        pytest.skip("the benchmark rows are not here (RAGMON_BENCH_DATA)")
    return real_rows()


def support(answer: str, passages: tuple[str, ...]) -> list[tuple[str, float]]:
    """Each judged sentence and its score."""
    return [(piece.text, piece.score) for piece in assess(answer, passages).evidence]


def test_another_passage_never_lowers_the_support_of_a_sentence(rows: tuple[Row, ...]) -> None:
    passages = [passage for row in rows for passage in row.passages]
    picked = random.Random(7)
    for row in rows:
        other = picked.choice(passages)
        before = dict(support(row.answer, row.passages))
        for more in ((*row.passages, other), (other, *row.passages)):
            after = dict(support(row.answer, more))
            assert [text for text, score in before.items() if after[text] < score] == []


def test_each_passage_of_a_row_adds_support_or_nothing(rows: tuple[Row, ...]) -> None:
    for row in rows:
        first, whole = dict(support(row.answer, row.passages[:1])), dict(support(row.answer, row.passages))
        assert [text for text, score in first.items() if whole[text] < score] == []


def test_a_passage_that_comes_twice_changes_nothing(rows: tuple[Row, ...]) -> None:
    for row in rows:
        assert support(row.answer, row.passages * 2) == support(row.answer, row.passages)


def test_the_order_of_the_passages_changes_nothing(rows: tuple[Row, ...]) -> None:
    for row in rows:
        judged = assess(row.answer, row.passages)
        for order in (row.passages[::-1], tuple(random.Random(7).sample(row.passages, len(row.passages)))):
            again = assess(row.answer, order)
            assert (again.score, again.coverage) == (judged.score, judged.coverage)
            assert [(p.text, p.score, p.label) for p in again.evidence] == [
                (p.text, p.score, p.label) for p in judged.evidence
            ]


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


def invented(sentence: str) -> dict[str, str]:
    """The sentence with one thing added that its passages do not say."""
    body, stop = sentence.rstrip(" .。"), sentence[-1]
    if is_unspaced(sentence):
        return {
            "number": f"{body}，共86543个{stop}",
            "name": f"瞿翀骧的{sentence}",
            "date": f"2087年3月，{sentence}",
            "negation": re.sub("是|能|可以|会|享受|应", lambda verb: f"不{verb[0]}", sentence, count=1),
        }
    return {
        "number": f"{body} and 86543 more{stop}",
        "name": f"{body} for Zorblax Quinteria{stop}",
        "date": f"{body} on 3 March 2087{stop}",
        "negation": re.sub(r"\b(is|are|was|were|has|can|will)\b", r"\1 not", sentence, count=1),
    }


@pytest.mark.parametrize("kind", ["number", "name", "date", "negation"])
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
