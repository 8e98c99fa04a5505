"""How often a low score gets the right cause: requests that go wrong in a known way, made from the bench rows.

python bench/causes.py [--data DIR] [--basis words|reference] [--others near|any]

A sound request has a question, its own passages among four of other questions (`near`: those that share most of the
question's words; `any`: at random), and an answer that they support. Then one thing is broken:

  retrieval     its own passages are exchanged for others
  ranking       they stand last, and the answer holds a claim of another request
  generation    they stand first, and the answer holds a claim of another request
  coverage      they stand first, and half of the answer is cut off
  unanswerable  there are only other passages, and the answer declines; with `--basis reference` the reference declines

Judges are the embedded one and the reference judge (correctness, the sound answer being the reference; with `--basis
reference` also hit_at_k). A case counts as right when all of its low scores carry the cause that was made; cases
without a low score, where no judge saw anything wrong, are told apart.
AUROC is that of the words' relevance, the request's own passages against the others.
Seeded. English: HaluEval answers with the evidence's sentences, ExpertQA. Chinese: UHGEval clauses of one article.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ground import Row, arguments, auroc, read_rows

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from monitor.cause import Cause
from monitor.clock import SystemClock
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.judges import ReferenceJudge as ReferenceSettings
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.panel import Panel, PanelMember
from monitor.judges.reference.judge import ReferenceJudge
from monitor.judges.reference.references import GivenReferences, Reference
from monitor.judges.relevance import relevance_by_words
from monitor.judges.text.sentences import split_sentences
from monitor.quality.attribution import is_low
from monitor.records import ContextsSource, Passage, RagTrace

OTHERS = 4
UNSEEN = "none"
PER_SOURCE = 120
DECLINES = {
    "en": "I could not find any information about that in the documents.",
    "zh": "抱歉，资料中没有找到相关信息。",
}


@dataclass(frozen=True, slots=True)
class Sound:
    """A request that went well."""

    source: str
    language: str
    question: str
    passages: tuple[str, ...]
    answer: tuple[str, ...]
    """Its sentences."""


def sound_requests(data: Path) -> list[Sound]:
    """The sound requests of all sources, each question once."""
    rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for name in ("ground-train", "ground-dev"):
        for row in read_rows(data, name):
            if not row.hallucinated and row.source in {"halueval_qa", "expertqa", "uhgeval"}:
                rows[row.source, row.question].append(row)
    made = []
    for (source, question), each in rows.items():
        answer = [row.answer for row in each]
        if source == "halueval_qa":  # an answer of a word has no half: the evidence is cited with it
            answer += [sentence.text for sentence in split_sentences(each[0].contexts[0])][:3]
        if source == "expertqa":
            answer = [sentence.text for sentence in split_sentences(answer[0])]
        if len(answer) > 1:
            made.append(Sound(source, each[0].language, question, tuple(each[0].contexts), tuple(answer)))
    return made


def others_of(request: Sound, pool: Sequence[Sound], how: str, rng: random.Random) -> list[str]:
    """Passages of other questions."""
    passages = [text for other in pool if other.question != request.question for text in other.passages]
    rng.shuffle(passages)
    if how == "any":
        return passages[: OTHERS + 1]
    held = relevance_by_words(request.question, passages) or [0.0] * len(passages)
    nearest = sorted(range(len(passages)), key=lambda number: -held[number])
    return [passages[number] for number in nearest[: OTHERS + 1]]


def broken(request: Sound, others: Sequence[str], claim: str, *, known: bool) -> Iterator[tuple[Cause, list[str], str]]:
    """What is made of a sound request: the cause, the passages, the answer. `known`: the reference declines."""
    blank = "" if request.language == "zh" else " "
    answer, own = blank.join(request.answer), list(request.passages)
    half = blank.join(request.answer[: len(request.answer) // 2])
    some = list(others[:OTHERS])
    yield Cause.RETRIEVAL, list(others), answer
    yield Cause.RANKING, [*some, *own], f"{answer}{blank}{claim}"
    yield Cause.GENERATION, [*own, *some], f"{answer}{blank}{claim}"
    yield Cause.COVERAGE, [*own, *some], half
    yield Cause.UNANSWERABLE, list(others), answer if known else DECLINES[request.language]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--basis", choices=["words", "reference"], default="words")
    parser.add_argument("--others", choices=["near", "any"], default="near")
    given = arguments(parser)
    asyncio.run(measure(given.data, given.basis, given.others))


async def measure(data: Path, basis: str, how: str) -> None:
    """Judge all broken requests and print which causes they got."""
    rng, clock = random.Random(7), SystemClock()
    references: dict[str, Reference] = {}
    settings = ReferenceSettings(evaluations=("correctness", *(("hit_at_k",) if basis == "reference" else ())))
    judges = (EmbeddedJudge(EmbeddedSettings(), clock), ReferenceJudge(settings, clock, GivenReferences(references)))
    panel = Panel([PanelMember(judge, 1) for judge in judges], clock)
    pool = sound_requests(data)
    causes: dict[tuple[str, Cause], Counter[str]] = defaultdict(Counter)
    started = time.perf_counter()
    for source in ("halueval_qa", "expertqa", "uhgeval"):
        held: list[float] = []
        is_other: list[bool] = []
        of_source = [request for request in pool if request.source == source]
        for request in rng.sample(of_source, min(PER_SOURCE, len(of_source))):
            others = others_of(request, of_source, how, rng)
            for passages, other in ((request.passages, False), (others, True)):
                relevance = relevance_by_words(request.question, passages) or ()
                held.extend(relevance)
                is_other.extend([other] * len(relevance))
            claim = rng.choice([other for other in of_source if other is not request]).answer[-1]
            known = basis == "reference"
            blank = "" if request.language == "zh" else " "
            for cause, passages, answer in broken(request, others, claim, known=known):
                references["t"] = Reference((blank.join(request.answer),), ("own.md",) if known else ())
                if known and cause is Cause.UNANSWERABLE:
                    references["t"] = Reference((DECLINES[request.language],))
                found = await judged(panel, request, passages, answer)
                causes[source, cause][found] += 1
        print(f"{source:12} AUROC of relevance by words {auroc(np.array(held), np.array(is_other)):.3f}")
    judged_requests = sum(each.total() for each in causes.values())
    for (source, cause), counted in causes.items():
        unseen = counted.pop(UNSEEN, 0)
        right = counted[cause.value] / counted.total()
        rest = ", ".join(f"{name} {count}" for name, count in counted.most_common() if name != cause)
        print(f"{source:12} {cause:13} n {counted.total():4}  right {right:.2f}   {rest}   (not low: {unseen})")
    for language, sources in (("en", {"halueval_qa", "expertqa"}), ("zh", {"uhgeval"})):
        shares = [each[cause] / each.total() for (source, cause), each in causes.items() if source in sources]
        print(f"{language}: right, mean over sources and causes {sum(shares) / len(shares):.3f}")
    print(f"{judged_requests / (time.perf_counter() - started):.0f} requests a second")


async def judged(panel: Panel, request: Sound, passages: Sequence[str], answer: str) -> str:
    """The cause of the low scores: one word, several where they differ, `UNSEEN` when nothing is low."""
    own = frozenset(request.passages)
    contexts = tuple(Passage(text, "own.md" if text in own else "other.md") for text in passages)
    trace = RagTrace("t", "r", request.question, answer, contexts, ContextsSource.SPAN, language=request.language)
    judgements = await panel.judge(trace, trace, (), panel.members, 60.0)
    return "+".join(sorted({one.cause for one in judgements if is_low(one)})) or UNSEEN


if __name__ == "__main__":
    main()
