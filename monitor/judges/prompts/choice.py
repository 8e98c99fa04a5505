"""Reads one word out of a few, each of which has a score."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from monitor.config.section import Section
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.reading import Reading, Said, reject, text_of
from monitor.judges.replies.parse import choice
from monitor.judges.replies.strict_json import folded

_NEAR = 0.25
"""How far a score of the model's own may be off that of its word."""


class Choice(Section):
    """The word is the label, the reason the explanation. Any other word is `parse`.

    So is a word beside another one of them under a key that nobody asked for, or beside a `score` from 0 to 1 that is
    not the score of the word.
    """

    kind: Literal["choice"]
    verdicts: dict[str, float] = Field(description="Score of each verdict.")

    def read(self, said: Said, material: Material) -> Reading:
        """See the class. Raises JudgeRejected."""
        del material
        label, score = choice(said.verdict["verdict"], self.verdicts)
        number = said.verdict.get("score")
        if isinstance(number, int | float) and 0 <= number <= 1 and abs(number - score) > _NEAR:
            reject("two_verdicts")
        more = (value for key, value in said.verdict.items() if key not in {"verdict", "reason"})
        if any(isinstance(value, str) and folded(value) in self.verdicts.keys() - {label} for value in more):
            reject("two_verdicts")
        return Reading(score, label, text_of(said.verdict, "reason"))
