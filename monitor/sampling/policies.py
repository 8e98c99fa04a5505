"""The sampling policies: each a name, a condition on the request and a rate from the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from monitor.config.settings import Sampling
from monitor.records import ContextsSource, RagTrace


@dataclass(frozen=True, slots=True)
class Policy:
    """Requests that match `condition` are sampled at the rate 1/`one_in`; 0 switches the policy off.

    `condition` gets the request, and whether the safety scanners hit something in it.
    """

    name: str
    condition: Callable[[RagTrace, bool], bool]
    one_in: Callable[[Sampling], int]


def _everything(_trace: RagTrace, _safety_hit: bool) -> bool:  # noqa: FBT001 - the signature of every condition
    return True


def _negative_feedback(trace: RagTrace, _safety_hit: bool) -> bool:  # noqa: FBT001 - same
    return any(item.negative for item in trace.feedback)


def _error(trace: RagTrace, _safety_hit: bool) -> bool:  # noqa: FBT001 - same
    return trace.error is not None


def _empty_retrieval(trace: RagTrace, _safety_hit: bool) -> bool:  # noqa: FBT001 - same
    # contexts cut out of a prompt, or none known, do not say that the retrieval found nothing
    return not trace.contexts and trace.contexts_source in {ContextsSource.SPAN, ContextsSource.RECORD}


def _safety_hit(_trace: RagTrace, safety_hit: bool) -> bool:  # noqa: FBT001 - same
    return safety_hit


BASE = Policy("base", _everything, lambda settings: settings.base)
"""The probability sample of all requests: the one that trends and change detectors read."""

SAFETY = Policy("safety_hit", _safety_hit, lambda settings: settings.safety_hit)
"""Matches only what the scanners have seen."""

TRIGGERS = (
    Policy("negative_feedback", _negative_feedback, lambda settings: settings.negative_feedback),
    Policy("error", _error, lambda settings: settings.error),
    Policy("empty_retrieval", _empty_retrieval, lambda settings: settings.empty_retrieval),
    SAFETY,
)
"""Policies that look at the content, so that rare and bad requests are seen more often."""

POLICIES = (*TRIGGERS, BASE)
"""All of them. At equal rates the earlier one comes first: a trigger says more than the base sample."""
