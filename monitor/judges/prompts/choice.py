"""Reads one word out of a few, each of which has a score."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from monitor.judges.parse import choice
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.reading import Reading, Said, text_of
from monitor.section import Section


class Choice(Section):
    """The word is the label, the reason the explanation. Any other word is `parse`."""

    kind: Literal["choice"]
    verdicts: dict[str, float] = Field(description="Score of each verdict.")

    def read(self, said: Said, material: Material) -> Reading:
        """See the class. Raises JudgeRejected."""
        del material
        label, score = choice(said.verdict["verdict"], self.verdicts)
        return Reading(score, label, text_of(said.verdict, "reason"))
