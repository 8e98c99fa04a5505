"""What a server understands: what is said otherwise or left out, as one frozen value that only ever gets smaller."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass

from monitor.judges.reasons import Lesson


class Structured(enum.StrEnum):
    """How a JSON object is asked for, the strongest way first."""

    JSON_SCHEMA = "json_schema"
    """The server decodes along the schema."""
    JSON_OBJECT = "json_object"
    """The server sees to it that the reply is JSON."""
    TOOL = "tool"
    """The object is the argument of a function that the model is told to call."""
    PROMPT = "prompt"
    """The prompt alone asks for it."""


ALTERNATIVES = (20, 5, 0)
"""Alternatives of each token to ask for: what OpenAI and vLLM allow, what many others allow, none."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to speak to a server from now on."""

    rungs: tuple[Structured, ...]
    """The ways of asking for JSON that are left, never empty; the first one is used."""
    learned: frozenset[Lesson] = frozenset()
    alternatives: int = ALTERNATIVES[0]

    @property
    def structured(self) -> Structured:
        """The way of asking for JSON."""
        return self.rungs[0]

    def after(self, lesson: Lesson) -> Dialect | None:
        """The dialect that the lesson leads to; None when nothing is left to change, so that learning ends."""
        match lesson:
            case Lesson.STRUCTURED:
                return dataclasses.replace(self, rungs=self.rungs[1:]) if self.rungs[1:] else None
            case Lesson.LOGPROBS:
                fewer = [count for count in ALTERNATIVES if count < self.alternatives]
                return dataclasses.replace(self, alternatives=fewer[0]) if fewer else None
            case Lesson.FORCED_TOOL | Lesson.RANGES if lesson in self.learned:
                return self.after(Lesson.STRUCTURED)
            case _:
                known = lesson in self.learned
                return None if known else dataclasses.replace(self, learned=self.learned | {lesson})
