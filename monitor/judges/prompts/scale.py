"""Reads a whole number on a scale, and its expected value where the server tells how likely each number was.

G-Eval (arXiv 2303.16634, section 2): score = sum over the numbers of the scale of p(number) * number, p normalised over
the scale. Then to 0..1 by the ends of the scale. Which of the two it was is a flag and a part of the judge's identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from monitor.config.section import Section
from monitor.errors import JudgeRejected
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.reading import Reading, Said, reject, text_of
from monitor.judges.reasons import Reason
from monitor.judges.replies.strict_json import Json, folded

BY_PROBABILITIES = "score_from_probabilities"
BY_NUMBER = "score_from_number"

_NO_NUMBERS = frozenset(sign + word for word in ("nan", "inf", "infinity") for sign in ("", "+", "-"))
"""What JSON does not have, written as a text."""
_ENDS = frozenset({"max", "maximum", "max_score", "maximum_score", "score_max", "scale_max", "out_of", "outof"})
_SAME = frozenset({"rating", "grade", "points"})
"""Keys of a model's own: the end of its scale, and its number once more."""
_CONTRADICTS = 0.5
"""A number less than so many times as likely as the likeliest one is not what such probabilities would have given, at
temperature 0: penalties and rounding move less. Then they are not of this reply, and the number itself counts."""


class Scale(Section):
    """A number outside `low` to `high`, or between two whole ones, is `invalid_score`; what is no number is `parse`.

    So is a number beside another end of the scale, or beside another number under a name of the same.
    """

    kind: Literal["scale"]
    low: int
    high: int
    settled: bool = Field(default=False, description="The judge is asked for its most likely number.")

    @property
    def numbers(self) -> range:
        """The numbers of the scale."""
        return range(self.low, self.high + 1)

    def read(self, said: Said, material: Material) -> Reading:
        """See the module's docstring. Raises JudgeRejected."""
        del material
        number = self._number(said.verdict["score"])
        self._refuse_others(number, said.verdict)
        reason = text_of(said.verdict, "reason")
        if said.odds is None or (self.settled and not _is_likely(number, said.odds)):
            return Reading(self._share(number), str(number), reason, flags=(BY_NUMBER,), method=BY_NUMBER)
        expected = sum(value * odds for value, odds in said.odds.items()) / sum(said.odds.values())
        score = min(1.0, max(0.0, self._share(expected)))
        return Reading(score, str(number), reason, flags=(BY_PROBABILITIES,), method=BY_PROBABILITIES)

    def _share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def _refuse_others(self, number: int, verdict: Mapping[str, Json]) -> None:
        for key, value in verdict.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if folded(key) in _ENDS and value != self.high:
                reject("scale")
            if folded(key) in _SAME and value != number:
                reject("two_verdicts")

    def _number(self, value: Json) -> int:
        if isinstance(value, str) and value.strip().lower() in _NO_NUMBERS:
            raise JudgeRejected(Reason.INVALID_SCORE)
        if isinstance(value, bool) or not isinstance(value, int | float):
            reject("score")
        if value != int(value) or int(value) not in self.numbers:
            raise JudgeRejected(Reason.INVALID_SCORE)
        return int(value)


def _is_likely(number: int, odds: Mapping[int, float]) -> bool:
    return odds[number] >= _CONTRADICTS * max(odds.values())
