"""Gives the low judgements of one request their cause, when all judges have spoken."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from monitor.errors import where
from monitor.judges.embedded import INLINE
from monitor.judges.grounding.assessment import MAX_PASSAGES
from monitor.judges.relevance import relevance_by_words
from monitor.judges.scorable import ABSTENTION, unscorable
from monitor.quality.attribution import attribute, is_low
from monitor.records import ContextsSource, Judgement, Outcome, RagTrace

_SAY_SO = ("faithfulness", "answer_relevance", "completeness")

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def with_causes(trace: RagTrace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """The judgements, the low ones with cause and evidence. Costs nothing when none is low; long texts use a thread."""
    if not any(map(is_low, judgements)):
        return tuple(judgements)
    try:
        if sum(len(passage.text) for passage in trace.contexts) <= INLINE:
            return _attributed(trace, judgements)
        return await asyncio.to_thread(_attributed, trace, judgements)
    except Exception as error:  # noqa: BLE001 - a judgement without a cause is worth more than none
        _log.error("no cause of a low score", **where(error))
        return tuple(judgements)


def _attributed(trace: RagTrace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    return attribute(judgements, _by_words(trace), _declined(trace, judgements))


def _declined(trace: RagTrace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """That the answer declines, where nobody was asked for an evaluation that would have said so."""
    if any(item.evaluation in _SAY_SO for item in judgements) or unscorable(trace, _SAY_SO[0]) != ABSTENTION:
        return ()
    return (Judgement(_SAY_SO[0], judgements[0].judge, Outcome.NOT_SCORABLE, ABSTENTION),)


def _by_words(trace: RagTrace) -> Sequence[float] | None:
    """How much of what was searched for each passage holds; None where that cannot be told."""
    nothing_known = not trace.contexts and trace.contexts_source is ContextsSource.UNKNOWN
    if nothing_known or trace.redacted or sum(len(passage.text) for passage in trace.contexts) > MAX_PASSAGES:
        return None
    question = trace.search_query or trace.question or ""
    return relevance_by_words(question, [passage.text for passage in trace.contexts])
