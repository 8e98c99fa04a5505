"""The vocabulary of feedback: what people say of answers, as it comes and as it is kept."""

from __future__ import annotations

from dataclasses import dataclass

UNNAMED = "feedback"
"""Name of feedback that has none on the wire, or none that may be shown."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a person (or another evaluator) said about an answer.

    `score` is in the sender's own scale and direction; `negative` is our reading of it, None when it cannot be told.
    The ids name the judged request, but for `carrier_trace_id`: the trace of its own that it came in, if it did.
    """

    name: str
    score: float | None = None
    label: str | None = None
    comment: str | None = None
    negative: bool | None = None
    human: bool = True
    trace_id: str | None = None
    response_id: str | None = None
    carrier_trace_id: str | None = None
    span_id: str | None = None
    """A span of the judged request, often its entry span."""
    given_ns: int = 0
    """When it was given, in whole milliseconds; 0 when that is not on the wire."""


@dataclass(frozen=True, slots=True)
class HeardFeedback:
    """One line of feedback in the verdict topic (without free text) and in the case topic: redacted and bounded.

    `feedback_id` is a function of the content alone, so what comes twice is counted and kept once. `weight` is how many
    it stands for where only a share is read. What is `inline` came with its request, whose case has it.
    """

    feedback_id: str
    feedback: Feedback
    weight: int = 1
    inline: bool = False
