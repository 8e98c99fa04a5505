"""The feedback beside the sample set: a Delta table of its own, one row for each feedback, joined when it is read.

The rows of cases never change, however late something is said of them. What came with its request is in the case's row
and not here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from exporters.delta import DeltaSet, day_of, int64
from monitor.feedback import Feedback, HeardFeedback
from monitor.records import TopicPartition

_TEXT = pa.string()

SCHEMA = pa.schema(
    [
        pa.field("feedback_id", _TEXT, nullable=False),
        pa.field("day", _TEXT, nullable=False),
        ("trace_id", _TEXT),
        ("span_id", _TEXT),
        ("response_id", _TEXT),
        ("carrier_trace_id", _TEXT),
        ("name", _TEXT),
        ("score", pa.float64()),
        ("label", _TEXT),
        ("comment", _TEXT),
        ("negative", pa.bool_()),
        ("human", pa.bool_()),
        ("given_ns", pa.int64()),
        ("weight", pa.int64()),
    ]
)
"""Columns of the table. `day` is the UTC date of `given_ns` (nanoseconds since the Unix epoch)."""

_OF_FEEDBACK = tuple(Feedback.__dataclass_fields__)


def feedback_path(path: str) -> str:
    """Where the feedback of the sample set at `path` is: the folder beside it."""
    return path.rstrip("/") + "-feedback"


class DeltaFeedbackSet(DeltaSet):
    """`protocols.FeedbackSet` for the sample set at `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(feedback_path(path), SCHEMA, "feedback_id")

    def append(self, heard: Sequence[HeardFeedback], positions: Mapping[TopicPartition, int]) -> int:
        """Add the feedback in one version that also records `positions`; returns how many were new.

        Raises SinkError.
        """
        unique = {item.feedback_id: item for item in heard}.values()
        return self.merge(pa.Table.from_pylist([row_of(item) for item in unique], SCHEMA), positions) if unique else 0


def row_of(heard: HeardFeedback) -> dict[str, object]:
    """Feedback as a row of the table. Whole numbers that no column can hold become null."""
    said = heard.feedback
    return {
        "feedback_id": heard.feedback_id,
        "day": day_of(said.given_ns),
        **{name: getattr(said, name) for name in _OF_FEEDBACK},
        "given_ns": int64(said.given_ns),
        "weight": int64(heard.weight),
    }
