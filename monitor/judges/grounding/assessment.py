"""How far an answer is supported by passages: each sentence held against them, and what a person is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.features import FEATURES, Grounding, Measured
from monitor.judges.grounding.reasons import reason_for
from monitor.judges.grounding.trees import load
from monitor.judges.scorable import NO_CLAIMS
from monitor.judges.text.claims import Claim, claims_of
from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.declines.known import Words
from monitor.judges.text.scripts import is_unspaced, scripts_of
from monitor.judges.text.tokens import Tokens
from monitor.records import Evidence

FOREIGN_SCRIPT = "foreign_script"
"""Reason of `judge_error`: answer and passages are in scripts that share no words, such as Chinese over English."""
MAX_ANSWER = 20_000
"""Characters of an answer that are judged; the rest lowers `coverage`, and the verdict is flagged."""
MAX_CLAIMS = 300
"""Sentences of an answer that are judged; as above."""
MAX_PASSAGES = 400_000
"""Characters of passages that are read; above it there is no verdict, as evidence left unread would look missing."""
SUPPORTED = 0.6
UNSUPPORTED = 0.4
"""A sentence from `SUPPORTED` up is supported, one below `UNSUPPORTED` is not, and one between is partly supported.
Balanced accuracy with one source left out is flat from 0.35 to 0.45 (bench/train_embedded.py)."""
HALF = 0.5
"""Share of a sentence's words that passages in another script must hold for it to be judged."""
MAX_NAMED = 5
"""Sentences of each kind that an explanation quotes."""

_WINDOW, _NEAREST = FEATURES.index("window"), FEATURES.index("nearest")


@dataclass(frozen=True, slots=True)
class Assessment:
    """How far an answer is supported: the mean over its claims (0 to 1), None with a `reason` when none was judged.

    `evidence` has one entry for each judged sentence, in order. `coverage` is the share of the answer that was judged:
    of its characters up to the limits, and of the sentences in a script that the passages share.
    """

    score: float | None
    evidence: tuple[Evidence, ...] = ()
    coverage: float = 1.0
    reason: str = ""
    truncated: bool = False
    """Whether the answer goes on beyond the limits."""

    @property
    def unsupported(self) -> tuple[Evidence, ...]:
        """The sentences that the passages do not support."""
        return self._labelled("unsupported")

    @property
    def partial(self) -> tuple[Evidence, ...]:
        """The sentences that the passages support in part."""
        return self._labelled("partial")

    @property
    def label(self) -> str:
        """`unfaithful` when a sentence is unsupported, else `faithful`, be it that some are only partly supported.

        The label follows the worst sentence and the score is the mean, so neither can be had from the other: nine
        sentences of the passages beside one invention are `unfaithful` with a score near 0.9. A `faithful` answer has
        a score of at least `UNSUPPORTED`, and one below `SUPPORTED` has partly supported sentences, which `explain`
        names.
        """
        return "unfaithful" if self.unsupported else "faithful"

    def _labelled(self, label: str) -> tuple[Evidence, ...]:
        return tuple(piece for piece in self.evidence if piece.label == label)


class _Part(NamedTuple):
    """One clause of a claim, measured."""

    claim: Claim
    tokens: Tokens
    measured: Measured

    @property
    def text(self) -> str:
        return self.claim.sentence.text


def assess(
    answer: str,
    passages: Sequence[str],
    unsupported: float = UNSUPPORTED,
    nearest: Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]] | None = None,
    question: str = "",
) -> Assessment:
    """Hold each sentence of `answer` against `passages`; one that scores below `unsupported` is not supported.

    With `nearest`, the cosine of each claim with the sentence that comes closest, claims in scripts with blanks are
    judged by these too.
    A sentence that only says what the passages do not tell states nothing and is left out; it may name what the
    `question` names, which counts for nothing else.
    Synchronous and pure. Time is linear in the length of the passages for an answer of `MAX_CLAIMS` sentences.
    Without any passage text every claim is unsupported: callers rule that case out first.
    """
    claims = claims_in(answer, passages, question)
    if not claims:
        return Assessment(None, reason=NO_CLAIMS)
    read = claims[:MAX_CLAIMS]
    parts = [(claim, tokens) for claim in read for tokens in claim.clauses]
    grounding = Grounding(passages, [tokens for _, tokens in parts])
    scripts = frozenset().union(*(scripts_of(passage) for passage in passages if passage.strip()))
    measured = [_Part(claim, tokens, grounding.measure(tokens)) for claim, tokens in parts]
    comparable = [part for part in measured if _is_comparable(part.claim, part.measured, scripts)]
    if not comparable:
        return Assessment(None, coverage=0.0, reason=FOREIGN_SCRIPT)
    spaced = "spaced"
    if nearest is not None:
        spaced = "spaced_vectors"
        said = [part for part in comparable if not is_unspaced(part.text)]
        cosines = nearest([part.text for part in said], grounding.passages.texts() if said else [])
        for part, cosine in zip(said, cosines, strict=True):
            part.measured.values[:, _NEAREST] = cosine
    least = _least_risks(
        [is_unspaced(part.text) for part in comparable], [part.measured.values for part in comparable], spaced
    )
    pieces = [
        _evidence(part, window, risk, grounding, unsupported)
        for part, (window, risk) in zip(comparable, least, strict=True)
    ]
    evidence = tuple(
        min(of_claim, key=attrgetter("score")) for _, of_claim in groupby(pieces, key=attrgetter("start", "end"))
    )
    length = min(len(answer), MAX_ANSWER) if len(claims) <= MAX_CLAIMS else claims[MAX_CLAIMS - 1].sentence.end
    coverage = length / len(answer) * len(evidence) / len(read)
    score = float(np.array([piece.score for piece in evidence]).mean())
    return Assessment(score, evidence, coverage, truncated=length < len(answer))


def claims_in(answer: str, passages: Sequence[str], question: str = "") -> list[Claim]:
    """The sentences of an answer that state something, up to `MAX_ANSWER`; see `assess`."""
    found = Words(passages)
    known = Words([question], found)
    return [claim for claim in claims_of(answer[:MAX_ANSWER]) if not declines_only(claim.sentence.text, known, found)]


def _is_comparable(claim: Claim, found: Measured, scripts: frozenset[str]) -> bool:
    """Whether a claim is in a script of the passages, or the passages hold it in its own."""
    if not scripts or found.values[:, _WINDOW].max() >= HALF:
        return True
    said = scripts_of(claim.sentence.text)
    return not said or not said.isdisjoint(scripts)


def _least_risks(
    unspaced: Sequence[bool], rows: Sequence[NDArray[np.float64]], spaced: str
) -> Iterator[tuple[int, float]]:
    """For each claim the window in which its risk is least, and that risk, by the model of its script."""
    counts = list(map(len, rows))
    values, of = np.concatenate(rows), np.repeat(unspaced, counts)
    risks = np.zeros(len(values))
    for name, chosen in ((spaced, ~of), ("unspaced", of)):
        if chosen.any():
            risks[chosen] = load(name).risk(values[chosen])
    for own in np.split(risks, np.cumsum(counts)[:-1]):
        window = int(own.argmin())
        yield window, float(own[window])


def _evidence(part: _Part, chosen: int, risk: float, grounding: Grounding, unsupported: float) -> Evidence:
    """The verdict on one sentence by one of its clauses; why it is not supported is in the note."""
    sentence, measured = part.claim.sentence, part.measured
    window, score = measured.windows[chosen], round(1.0 - risk, 4)
    label = label_of(score, unsupported)
    note = "" if label == "supported" else reason_for(part.tokens, measured, window, sentence.text)
    passage, start, end = 0, -1, -1
    sentences = window.sentences
    if measured.contrary is not None and label != "supported":
        sentences = measured.contrary, measured.contrary
    if sentences is not None:
        passage = grounding.passages.passage_of(sentences[0])
        start, end = grounding.passages.place_of(*sentences)
    return Evidence(sentence.text, score, passage, sentence.start, sentence.end, label, note, start, end)


def label_of(score: float, unsupported: float = UNSUPPORTED) -> str:
    """`supported`, `partial` or `unsupported`."""
    if score < unsupported:
        return "unsupported"
    return "supported" if score >= SUPPORTED else "partial"


def explain(assessment: Assessment) -> str:
    """For a person: how many sentences are supported, and which are not or only in part (the first few, quoted)."""
    supported = len(assessment.evidence) - len(assessment.unsupported) - len(assessment.partial)
    in_part = f", {len(assessment.partial)} in part" if assessment.partial else ""
    text = f"{supported} of {len(assessment.evidence)} sentences supported by the passages{in_part}."
    return text + _named("Not supported", assessment.unsupported) + _named("Partly supported", assessment.partial)


def _named(heading: str, pieces: Sequence[Evidence]) -> str:
    quoted = [f'"{piece.text}"' + (f" ({piece.note})" if piece.note else "") for piece in pieces[:MAX_NAMED]]
    return f" {heading}: {'; '.join(quoted)}" if quoted else ""
