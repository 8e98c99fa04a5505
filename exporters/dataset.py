"""The production sample set: one Delta table, one row for each case, however often a case was delivered.

The table is partitioned by the day on which the request ended, which depends on the case alone, so the look-up of an id
reads the days at hand only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from exporters.delta import DeltaSet, day_of, int64
from monitor.errors import UnfitCasesError
from monitor.records import Case, Judgement, TopicPartition

_SCHEMA_VERSION = 1
_TEXT = pa.string()

_PASSAGE = pa.struct([("id", _TEXT), ("text", _TEXT), ("score", pa.float64()), ("kind", _TEXT), ("source", _TEXT)])
_EVIDENCE = pa.struct(
    [
        ("text", _TEXT),
        ("score", pa.float64()),
        ("passage", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("label", _TEXT),
        ("note", _TEXT),
        ("passage_start", pa.int32()),
        ("passage_end", pa.int32()),
    ]
)
_JUDGEMENT = pa.struct(
    [
        ("evaluation", _TEXT),
        ("judge", _TEXT),
        ("fingerprint", _TEXT),
        ("calibrated", pa.bool_()),
        ("outcome", _TEXT),
        ("reason", _TEXT),
        ("score", pa.float64()),
        ("label", _TEXT),
        ("explanation", _TEXT),
        ("evidence", pa.list_(_EVIDENCE)),
        ("coverage", pa.float64()),
        ("flags", pa.list_(_TEXT)),
        ("cause", _TEXT),
        ("cause_evidence", _TEXT),
        ("shadow_of", _TEXT),
    ]
)
_FEEDBACK = pa.struct(
    [
        ("name", _TEXT),
        ("score", pa.float64()),
        ("label", _TEXT),
        ("comment", _TEXT),
        ("negative", pa.bool_()),
        ("human", pa.bool_()),
    ]
)
_HIT = pa.struct([("kind", _TEXT), ("target", _TEXT), ("provenance", _TEXT), ("passage", pa.int32())])

SCHEMA = pa.schema(
    [
        pa.field("case_id", _TEXT, nullable=False),
        pa.field("day", _TEXT, nullable=False),
        ("schema_version", pa.int32()),
        ("layer", _TEXT),
        ("trace_id", _TEXT),
        ("request_id", _TEXT),
        ("question", _TEXT),
        ("search_query", _TEXT),
        ("answer", _TEXT),
        ("contexts", pa.list_(_PASSAGE)),
        ("contexts_source", _TEXT),
        ("language", _TEXT),
        ("app", _TEXT),
        ("app_version", _TEXT),
        ("environment", _TEXT),
        ("model", _TEXT),
        ("response_model", _TEXT),
        ("response_id", _TEXT),
        ("prompt_version", _TEXT),
        ("knowledge_base", _TEXT),
        ("tenant", _TEXT),
        ("session_id", _TEXT),
        ("user_id", _TEXT),
        ("error_type", _TEXT),
        ("error_stage", _TEXT),
        ("truncated", pa.bool_()),
        ("redacted", pa.bool_()),
        ("feedback", pa.list_(_FEEDBACK)),
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("start_ns", pa.int64()),
        ("end_ns", pa.int64()),
        ("convention", _TEXT),
        ("probability", pa.float64()),
        ("weight", pa.int64()),
        ("policies", pa.list_(_TEXT)),
        ("harvest_reason", _TEXT),
        ("judgements", pa.list_(_JUDGEMENT)),
        ("hits", pa.list_(_HIT)),
        ("redaction", _TEXT),
        ("judged_ns", pa.int64()),
    ]
)
"""Columns of the table. Times are nanoseconds since the Unix epoch; `day` is the UTC date of `end_ns`."""

_OF_TRACE = (
    "trace_id",
    "request_id",
    "question",
    "search_query",
    "answer",
    "contexts_source",
    "language",
    "app",
    "app_version",
    "environment",
    "model",
    "response_model",
    "response_id",
    "prompt_version",
    "knowledge_base",
    "tenant",
    "session_id",
    "user_id",
    "truncated",
    "redacted",
    "convention",
)
_NUMBERS_OF_TRACE = ("input_tokens", "output_tokens", "start_ns", "end_ns")


class DeltaSampleSet(DeltaSet):
    """`protocols.SampleSet` on a Delta table; also what reads it again."""

    def __init__(self, path: str) -> None:
        super().__init__(path, SCHEMA, "case_id")

    def append(self, cases: Sequence[Case], positions: Mapping[TopicPartition, int]) -> int:
        """Add the cases in one version that also records `positions`; returns how many were new.

        Raises SinkError, and UnfitCasesError before anything is written.
        """
        return self.merge(_table_of(cases), positions) if cases else 0


def _table_of(cases: Iterable[Case]) -> pa.Table:
    """Each case once, as rows. Raises UnfitCasesError."""
    unique = list({case.case_id: case for case in cases}.values())
    try:
        return pa.Table.from_pylist([row_of(case) for case in unique], SCHEMA)
    except Exception as error:
        unfit = frozenset(case.case_id for case in unique if not _fits(case))
        if not unfit:
            raise
        raise UnfitCasesError(unfit) from error


def _fits(case: Case) -> bool:
    try:
        pa.Table.from_pylist([row_of(case)], SCHEMA)
    except Exception:  # noqa: BLE001 - whatever is wrong with one case, it is that case alone
        return False
    return True


def row_of(case: Case) -> dict[str, object]:
    """One case as a row of the table. Whole numbers that no column can hold become null."""
    trace, decision = case.trace, case.decision
    return {
        "case_id": case.case_id,
        "day": day_of(trace.end_ns),
        "schema_version": _SCHEMA_VERSION,
        "layer": "production",
        **{name: getattr(trace, name) for name in _OF_TRACE},
        **{name: int64(getattr(trace, name)) for name in _NUMBERS_OF_TRACE},
        "contexts": [{name: getattr(p, name) for name in _PASSAGE.names} for p in trace.contexts],
        "error_type": trace.error.type if trace.error else None,
        "error_stage": trace.error.stage if trace.error else None,
        "feedback": [{name: getattr(item, name) for name in _FEEDBACK.names} for item in trace.feedback],
        "probability": decision.probability,
        "weight": int64(decision.weight),
        "policies": list(decision.policies),
        "harvest_reason": case.harvest_reason,
        "judgements": [_judgement(item) for item in case.judgements],
        "hits": [
            {"kind": hit.kind, "target": hit.target, "provenance": hit.provenance, "passage": hit.passage}
            for hit in case.hits
        ],
        "redaction": case.redaction,
        "judged_ns": int64(case.judged_ns),
    }


def _judgement(item: Judgement) -> dict[str, object]:
    return {
        "evaluation": item.evaluation,
        "judge": item.judge.name,
        "fingerprint": item.judge.fingerprint,
        "calibrated": item.judge.calibrated,
        "outcome": item.outcome,
        "reason": item.reason,
        "score": item.score,
        "label": item.label,
        "explanation": item.explanation,
        "evidence": [{name: getattr(piece, name) for name in _EVIDENCE.names} for piece in item.evidence],
        "coverage": item.coverage,
        "flags": list(item.flags),
        "cause": item.cause,
        "cause_evidence": item.cause_evidence,
        "shadow_of": item.judge.shadow_of,
    }
