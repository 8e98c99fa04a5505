"""Rows, and what must hold between two judgements of them, for whatever way the embedded judge compares sentences.

A rule takes the way to assess and returns what breaks it, so that the test asserts that there is none.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from monitor.judges.grounding.assessment import Assessment
from monitor.judges.text.scripts import is_unspaced

Assess = Callable[[str, Sequence[str]], Assessment]
Support = list[tuple[str, float]]
"""Each judged sentence and its score."""

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


@cache
def _real_rows() -> tuple[Row, ...]:
    path = Path(os.environ.get("RAGMON_BENCH_DATA", "absent")) / "ground-dev.jsonl.gz"
    if not path.exists():
        return ()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = (json.loads(line) for line in itertools.islice(lines, 0, None, EVERY))
        return tuple(Row(tuple(row["contexts"]), row["answer"]) for row in rows)


def rows_or_skip(kind: str, every: int = 1) -> tuple[Row, ...]:
    """Our own rows, or every so many of the real ones; skips the test where those are missing."""
    if kind == "own":
        return OWN
    if not _real_rows():
        pytest.skip("the benchmark rows are not here (RAGMON_BENCH_DATA)")
    return _real_rows()[::every]


def support_in(assessment: Assessment) -> Support:
    return [(piece.text, piece.score) for piece in assessment.evidence]


def lowered(before: Support, after: Support) -> list[str]:
    """The sentences of before, all of which are in after too, that score less there."""
    scores = dict(after)
    return [text for text, score in dict(before).items() if scores[text] < score]


def lowered_by_another_passage(assess: Assess, rows: Sequence[Row]) -> list[str]:
    """The sentences that score less when a passage of any row stands behind or before their own."""
    passages = [passage for row in rows for passage in row.passages]
    picked = random.Random(7)
    found = []
    for row in rows:
        other = picked.choice(passages)
        before = support_in(assess(row.answer, row.passages))
        for more in ((*row.passages, other), (other, *row.passages)):
            found += lowered(before, support_in(assess(row.answer, more)))
    return found


def changed_by_repetition(assess: Assess, rows: Iterable[Row]) -> list[Row]:
    """The rows that are judged differently when each passage comes twice."""
    return _changed(assess, rows, lambda passages: [passages * 2])


def changed_by_order(assess: Assess, rows: Iterable[Row]) -> list[Row]:
    """The rows that are judged differently with their passages in another order."""
    return _changed(assess, rows, lambda passages: [passages[::-1], _shuffled(passages)])


def _shuffled(passages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(random.Random(7).sample(passages, len(passages)))


def _changed(
    assess: Assess, rows: Iterable[Row], others: Callable[[tuple[str, ...]], list[tuple[str, ...]]]
) -> list[Row]:
    found = []
    for row in rows:
        before = _said(assess(row.answer, row.passages))
        if any(_said(assess(row.answer, other)) != before for other in others(row.passages)):
            found.append(row)
    return found


def _said(judged: Assessment) -> object:
    return judged.score, judged.coverage, [(piece.text, piece.score, piece.label) for piece in judged.evidence]


KINDS = ("number", "name", "date", "negation")
"""What `invented` can add."""


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
