"""What a rubric is: the question put to a judge model, and the way from its verdict to a score."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from monitor.judges.strict_json import Json
from monitor.records import Evidence, Outcome, RagTrace


@dataclass(frozen=True, slots=True)
class Reading:
    """What a verdict says. `score` is None only when there was nothing to score, and `reason` says why."""

    score: float | None
    label: str = ""
    explanation: str = ""
    evidence: tuple[Evidence, ...] = ()
    coverage: float = 1.0
    flags: tuple[str, ...] = ()
    reason: str = ""

    @property
    def outcome(self) -> Outcome:
        """`scored`, or `not_scorable` without a score."""
        return Outcome.NOT_SCORABLE if self.score is None else Outcome.SCORED


class Rubric(Protocol):
    """One evaluation by a judge model. Synchronous and pure."""

    evaluation: str
    """Name of the evaluation."""
    version: int
    """For people; the fingerprint covers the texts themselves."""
    texts: Mapping[str, str]
    """The instructions, by language: `en`, `zh`."""
    schema: Mapping[str, object]
    """JSON Schema of the verdict."""
    keys: frozenset[str]
    """Keys of the verdict object."""

    def data(self, trace: RagTrace) -> Mapping[str, object]:
        """The material to judge."""
        ...

    def read(self, verdict: Mapping[str, Json], trace: RagTrace) -> Reading:
        """Check a parsed verdict and score it. Raises JudgeRejected for anything that was not asked for."""
        ...


def load_text(name: str) -> str:
    """One of the instruction texts of this package."""
    return importlib.resources.files(__package__ or "").joinpath(f"{name}.md").read_text(encoding="utf-8")


def text_of(item: Mapping[str, Json], key: str) -> str:
    """A text that explains; empty when it is missing, as no score depends on it."""
    value = item.get(key)
    return value.strip() if isinstance(value, str) else ""
