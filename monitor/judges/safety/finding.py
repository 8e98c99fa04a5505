"""What a safety scanner finds: where and how bad, never the text itself."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from monitor.records import RagTrace, SensitiveHit


class Severity(enum.StrEnum):
    """How bad a finding is; two steps, so that a strict and a lenient reader can share one scan."""

    CONTROVERSIAL = "controversial"
    """A fact that matters, but is not by itself a failure of the service."""
    UNSAFE = "unsafe"


class Family(enum.StrEnum):
    """What kind of risk; each is one evaluation, `safety.<family>`."""

    PII = "pii"
    SECRETS = "secrets"
    INJECTION = "injection"
    FRAUD = "fraud"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. Holds no content: `kind` is a bounded word, `start` and `end` are character offsets.

    `target` is `question`, `contexts` or `answer`; the offsets are those of the unredacted text, for contexts in
    passage number `passage`, counted from 1.
    """

    family: Family
    kind: str
    target: str
    severity: Severity
    start: int
    end: int
    passage: int = 0
    note: str = ""
    """Bounded words: where a sensitive text came from."""


Scanner = Callable[[RagTrace, Sequence[SensitiveHit]], Iterable[Finding]]
"""A pure function over one unredacted request; its time is linear in the length of the texts."""

MAX_SCANNED = 100_000
"""Characters of one text that the phrase scanners read."""


def texts_of(trace: RagTrace) -> Iterable[tuple[str, int, str]]:
    """Target, passage number and text of everything that a request brought, empty texts left out."""
    if trace.question:
        yield "question", 0, trace.question[:MAX_SCANNED]
    for number, passage in enumerate(trace.contexts, 1):
        if passage.text:
            yield "contexts", number, passage.text[:MAX_SCANNED]
    if trace.answer:
        yield "answer", 0, trace.answer[:MAX_SCANNED]
