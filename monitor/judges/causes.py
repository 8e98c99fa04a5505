"""Gives the low judgements of one request their cause, when all judges have spoken."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from monitor.judges.embedded import INLINE, MAX_PASSAGES
from monitor.judges.relevance import relevance_by_words
from monitor.quality.attribution import attribute, is_low
from monitor.records import ContextsSource, Judgement, RagTrace


async def with_causes(trace: RagTrace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """The judgements, the low ones with cause and evidence. Costs nothing when none is low; long texts use a thread."""
    if not any(map(is_low, judgements)):
        return tuple(judgements)
    length = sum(len(passage.text) for passage in trace.contexts)
    unknown = not trace.contexts and trace.contexts_source is ContextsSource.UNKNOWN
    if length > MAX_PASSAGES or unknown or trace.redacted:
        return attribute(judgements, None)
    if length <= INLINE:
        return _attributed(trace, judgements)
    return await asyncio.to_thread(_attributed, trace, judgements)


def _attributed(trace: RagTrace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    question = trace.search_query or trace.question or ""
    return attribute(judgements, relevance_by_words(question, [passage.text for passage in trace.contexts]))
