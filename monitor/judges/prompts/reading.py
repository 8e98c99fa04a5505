"""What a verdict says, and what the readers of verdicts share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from monitor.errors import JudgeRejected
from monitor.judges.reasons import Reason
from monitor.judges.replies.strict_json import Json
from monitor.records import Evidence, Outcome


@dataclass(frozen=True, slots=True)
class Said:
    """The verdict object of one evaluation; `odds` are the probabilities of its number, by number, where known."""

    verdict: Mapping[str, Json]
    odds: Mapping[int, float] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a verdict says. `score` is None only when there was nothing to score, and `reason` says why.

    `method` is the way in which the score was made, where there are several: it belongs to the judge's identity.
    """

    score: float | None
    label: str = ""
    explanation: str = ""
    evidence: tuple[Evidence, ...] = ()
    coverage: float = 1.0
    flags: tuple[str, ...] = ()
    reason: str = ""
    method: str = ""

    @property
    def outcome(self) -> Outcome:
        """`scored`, or `not_scorable` without a score."""
        return Outcome.NOT_SCORABLE if self.score is None else Outcome.SCORED


@dataclass(frozen=True, slots=True)
class Items:
    """The judged pieces that one call gave; those of several windows are merged before they are scored.

    `missing` is how many pieces less came than the model announced.
    """

    evidence: tuple[Evidence, ...]
    missing: int = 0


def reject(detail: str) -> NoReturn:
    """The verdict is not what was asked for. `detail` is a bounded word."""
    raise JudgeRejected(Reason.PARSE, detail)


def text_of(item: Mapping[str, Json], key: str) -> str:
    """A text that explains; empty when it is missing, as no score depends on it."""
    value = item.get(key)
    return value.strip() if isinstance(value, str) else ""


def whole_number(value: Json) -> int | None:
    """`value` as a whole number, None for anything else; true and false are no numbers."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
