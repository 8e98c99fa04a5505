"""What a safety scanner finds: where and how bad, never the text itself."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
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
"""Characters of an answer that the phrase scanners read."""
MAX_REQUEST = 200_000
"""Characters of a whole request that they read (some 50 ms, as they run between other work on the event loop)."""


def texts_of(trace: RagTrace) -> Iterator[tuple[str, int, str]]:
    """Target, passage number and text of everything that a request brought, up to `MAX_REQUEST` characters."""
    left = MAX_REQUEST
    texts = [("question", 0, trace.question), ("answer", 0, trace.answer)]
    texts += [("contexts", number, passage.text) for number, passage in enumerate(trace.contexts, 1)]
    for target, number, text in texts:
        if text and left > 0:
            yield target, number, text[:left]
            left -= len(text)
