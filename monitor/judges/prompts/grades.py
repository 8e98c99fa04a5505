"""Reads grades of passages: one for each, in the order of retrieval.

Score = sum of g_i / log2(i + 1) over sum of 1 / log2(i + 1), i counting the passages from 1: the mean grade with the
discount of DCG (Jarvelin and Kekalainen, 2002, doi 10.1145/582415.582418), so that what stands first counts most. It is
1 when every passage is relevant, 0 when none is. The grades are the evidence, in the order of the passages.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from monitor.config.section import Section
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.reading import Items, Reading, Said, reject, text_of, whole_number
from monitor.judges.replies.parse import choice
from monitor.judges.replies.strict_json import Json
from monitor.records import Evidence


class Grades(Section):
    """See the module's docstring. Exactly one grade for each passage that was shown, else `parse`."""

    kind: Literal["grades"]
    verdicts: dict[str, float] = Field(description="Grade of each verdict.")

    def judged(self, said: Said, material: Material) -> Items:
        """The grades of one call. Raises JudgeRejected."""
        given = said.verdict["passages"]
        if not isinstance(given, list):
            reject("schema")
        evidence = sorted((self._evidence(grade) for grade in given), key=_number)
        if [piece.passage for piece in evidence] != sorted(material.numbers):
            reject("passage")
        return Items(tuple(evidence))

    def merge(self, earlier: Items, later: Items) -> Items:
        """The grades of both; a passage that was shown in parts has the best grade of its parts."""
        best: dict[int, Evidence] = {}
        for piece in sorted((*earlier.evidence, *later.evidence), key=lambda one: -one.score):
            best.setdefault(piece.passage, piece)
        return Items(tuple(sorted(best.values(), key=_number)))

    def reading(self, items: Items, material: Material) -> Reading:
        """The score of all the grades. Raises JudgeRejected when one is missing."""
        evidence = items.evidence
        if len(evidence) != len(material.trace.contexts):
            reject("passage")
        weights = [1 / math.log2(piece.passage + 1) for piece in evidence]
        score = math.fsum(piece.score * weight for piece, weight in zip(evidence, weights, strict=True))
        relevant = sum(piece.score == 1 for piece in evidence)
        return Reading(
            score=min(1.0, score / math.fsum(weights)),
            label="relevant" if relevant else "irrelevant",
            explanation=f"{relevant} of {len(evidence)} passages relevant.",
            evidence=evidence,
        )

    def _evidence(self, grade: Json) -> Evidence:
        number = whole_number(grade.get("passage")) if isinstance(grade, dict) else None
        if not isinstance(grade, dict) or number is None:
            reject("passage")
        label, score = choice(grade.get("verdict"), self.verdicts)
        return Evidence("", score, number, label=label, note=text_of(grade, "reason"))


def _number(piece: Evidence) -> int:
    return piece.passage
