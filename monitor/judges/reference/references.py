"""What is known to be right for a request, and the seam through which judges ask for it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from monitor.judges.scorable import AMBIGUOUS_REFERENCE, NO_REFERENCE
from monitor.records import RagTrace


@dataclass(frozen=True, slots=True)
class Reference:
    """What is right for one question. Each list may be empty, not all of them.

    Any one of the `answers` is right. `sources` name the relevant documents, `passages` are texts of them.
    """

    answers: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()


class Absence(enum.StrEnum):
    """Why there is no reference: the reason of `not_scorable`."""

    NONE = NO_REFERENCE
    AMBIGUOUS = AMBIGUOUS_REFERENCE


class References(Protocol):
    """Finds the reference of a request. Synchronous, pure, a millisecond at most."""

    def of(self, trace: RagTrace) -> Reference | Absence:
        """The reference of the request, or why there is none."""
        ...


@dataclass(frozen=True, slots=True)
class GivenReferences:
    """References that came with their requests, by trace id; of all other requests `others` knows."""

    given: Mapping[str, Reference]
    others: References | None = None

    def of(self, trace: RagTrace) -> Reference | Absence:
        """What came with the request, else what the others say."""
        if trace.trace_id in self.given:
            return self.given[trace.trace_id]
        return self.others.of(trace) if self.others is not None else Absence.NONE


class KnownAnswers(NamedTuple):
    """The answers that are known to be right for a request; without any the reason of `not_scorable`."""

    answers: tuple[str, ...]
    absence: str


def answers_of(references: References | None, trace: RagTrace) -> KnownAnswers:
    """What a judge knows that compares answers; an entry of sources alone has none."""
    found = Absence.NONE if references is None else references.of(trace)
    if isinstance(found, Absence):
        return KnownAnswers((), found.value)
    return KnownAnswers(found.answers, "" if found.answers else NO_REFERENCE)
