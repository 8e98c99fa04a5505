"""Cutting a case down to what a broker takes: a request that is too long must not block its partition for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from monitor.records import Case, Evidence, Judgement, RagTrace

_LIMITS = (16_384, 2_048, 256)
"""Characters that each text keeps, in the order in which they are tried."""


def shortened(case: Case) -> Iterator[Case]:
    """Ever shorter versions of a case. Each says `truncated`, so that nothing is concluded from what is missing."""
    for limit in _LIMITS:
        judgements = tuple(_judgement(judgement, limit) for judgement in case.judgements)
        yield replace(case, trace=_trace(case.trace, limit), judgements=judgements)


def _trace(trace: RagTrace, limit: int) -> RagTrace:
    contexts = tuple(replace(passage, text=passage.text[:limit]) for passage in trace.contexts)
    feedback = tuple(replace(given, comment=_cut(given.comment, limit)) for given in trace.feedback)
    error = None if trace.error is None else replace(trace.error, message=trace.error.message[:limit])
    return replace(
        trace,
        question=_cut(trace.question, limit),
        answer=_cut(trace.answer, limit),
        search_query=_cut(trace.search_query, limit),
        contexts=contexts,
        feedback=feedback,
        error=error,
        truncated=True,
    )


def _judgement(judgement: Judgement, limit: int) -> Judgement:
    evidence = tuple(
        replace(_within(piece, limit), text=piece.text[:limit], note=piece.note[:limit])
        for piece in judgement.evidence[:limit]
    )
    return replace(judgement, explanation=judgement.explanation[:limit], evidence=evidence)


def _within(piece: Evidence, limit: int) -> Evidence:
    """Without offsets into what is cut off."""
    if piece.end > limit:
        piece = replace(piece, start=-1, end=-1)
    return replace(piece, passage_start=-1, passage_end=-1) if piece.passage_end > limit else piece


def _cut(text: str | None, limit: int) -> str | None:
    return None if text is None else text[:limit]
