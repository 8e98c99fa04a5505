"""Which verdicts can be counted. The topic may hold lines that no judge of ours wrote; none breaks the board."""

from __future__ import annotations

import re

from monitor.cause import Cause
from monitor.feedback import HeardFeedback
from monitor.quality.grid import to_billionths
from monitor.quality.slices import MAX_LENGTH, BoundedValues
from monitor.quality.tally import Ending, Reading
from monitor.records import MAX_NAMED, Outcome, Verdict
from monitor.snapshot import OTHER

MAX_WEIGHT = 1 << 56
"""The weight at the smallest probability that consistent sampling can express."""

MAX_FEEDBACK_WEIGHT = 1_000_000_000
"""The largest k of a rate 1/k."""

_MAX_ID = 256
_CAUSES = frozenset(Cause)
_REASON = re.compile(r"[a-z][a-z0-9_.]{0,63}")


def is_sound(verdict: Verdict) -> bool:
    """Whether the verdict means something: names, whole positive weight, whole times, a score if and only if scored."""
    return (
        all(map(_is_name, (verdict.evaluation, verdict.judge, verdict.fingerprint)))
        and 0 < len(verdict.verdict_id) <= _MAX_ID
        and _is_whole(verdict.weight)
        and 1 <= verdict.weight <= MAX_WEIGHT
        and _is_whole(verdict.end_ns)
        and _is_whole(verdict.judged_ns)
        and (not verdict.shadow_of or _is_name(verdict.shadow_of))
        and (verdict.baseline is None or _is_share(verdict.baseline))
        and _has_right_score(verdict)
    )


def is_sound_feedback(heard: HeardFeedback) -> bool:
    """Whether the feedback means something: an id, a whole positive weight, a whole time, ids that can be found."""
    said = heard.feedback
    named = (said.trace_id, said.response_id, said.span_id)
    return (
        0 < len(heard.feedback_id) <= _MAX_ID
        and _is_whole(heard.weight)
        and 1 <= heard.weight <= MAX_FEEDBACK_WEIGHT
        and _is_whole(said.given_ns)
        and all(name is None or 0 < len(name) <= MAX_NAMED for name in named)
        and (said.trace_id is not None or said.response_id is not None)
    )


def reading_of(verdict: Verdict, reasons: BoundedValues) -> Reading:
    """What is counted of a sound verdict. Its reason is `other` when it is malformed or one too many for `reasons`."""
    score = None if verdict.score is None else to_billionths(verdict.score)
    ending = Ending(verdict.outcome, _reason(verdict, reasons))
    return Reading(ending, score, verdict.weight, verdict.end_ns, _cause(verdict))


def _cause(verdict: Verdict) -> str:
    if not verdict.cause or verdict.outcome is not Outcome.SCORED:
        return ""
    return verdict.cause if verdict.cause in _CAUSES else OTHER


def _reason(verdict: Verdict, reasons: BoundedValues) -> str:
    if verdict.outcome is Outcome.SCORED:
        return ""
    return reasons.admit(verdict.reason) if _REASON.fullmatch(verdict.reason) else OTHER


def _is_name(text: str) -> bool:
    return 0 < len(text) <= MAX_LENGTH and text.isprintable() and " " not in text


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _has_right_score(verdict: Verdict) -> bool:
    return _is_share(verdict.score) if verdict.outcome is Outcome.SCORED else verdict.score is None


def _is_share(score: object) -> bool:
    return isinstance(score, int | float) and not isinstance(score, bool) and 0.0 <= score <= 1.0
