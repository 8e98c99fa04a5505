"""The feedback beside the sample set: each once, and tables of the version before go on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from exporters.dataset import SCHEMA, DeltaSampleSet, row_of
from exporters.dataset_feedback import DeltaFeedbackSet, feedback_path
from monitor.errors import SinkError
from monitor.records import TopicPartition
from tests.exporters.kafka_samples import CASE, HEARD

FIRST = TopicPartition("rag.cases", 0)


def test_feedback_is_one_row_however_often_it_comes(tmp_path: Path) -> None:
    beside = DeltaFeedbackSet(str(tmp_path / "cases"))
    other = replace(HEARD, feedback_id="f2")
    assert beside.append([HEARD, HEARD], {FIRST: 2}) == 1
    assert beside.append([HEARD, other], {FIRST: 4}) == 1
    assert sorted(str(row["feedback_id"]) for row in beside.read()) == ["f1", "f2"]
    assert DeltaTable(beside.path).transaction_version("ragmon:rag.cases:0") == 4


def test_a_row_says_what_was_said_of_what_and_when(tmp_path: Path) -> None:
    beside = DeltaFeedbackSet(str(tmp_path / "cases"))
    odd = replace(HEARD, feedback=replace(HEARD.feedback, given_ns=2**70))
    beside.append([replace(odd, feedback_id="odd"), HEARD], {FIRST: 2})
    rows = {row["feedback_id"]: row for row in beside.read()}
    said = HEARD.feedback
    assert rows["f1"] == {
        "feedback_id": "f1",
        "day": "2026-09-21",
        "trace_id": said.trace_id,
        "span_id": said.span_id,
        "response_id": said.response_id,
        "carrier_trace_id": said.carrier_trace_id,
        "name": "user_feedback",
        "score": 0.0,
        "label": "thumbs_down",
        "comment": "错的：太短",
        "negative": True,
        "human": True,
        "given_ns": said.given_ns,
        "weight": 10,
    }
    assert rows["odd"]["given_ns"] is None


def test_nothing_to_add_makes_no_table(tmp_path: Path) -> None:
    assert DeltaFeedbackSet(str(tmp_path / "cases")).append([], {FIRST: 1}) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("path", "beside"), [("a/cases", "a/cases-feedback"), ("s3://b/c/", "s3://b/c-feedback")])
def test_it_lies_beside_the_sample_set(path: str, beside: str) -> None:
    assert feedback_path(path) == beside


def test_a_table_that_cannot_be_written_is_a_sink_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(SinkError):
        DeltaFeedbackSet(str(blocked / "cases")).append([HEARD], {FIRST: 1})


def test_a_sample_set_of_the_version_before_gets_the_column_that_it_lacks(tmp_path: Path) -> None:
    path = str(tmp_path / "cases")
    old = pa.schema([field for field in SCHEMA if field.name != "response_id"])
    row = {name: value for name, value in row_of(CASE).items() if name != "response_id"}
    write_deltalake(path, pa.Table.from_pylist([row], old), partition_by=["day"])
    sample_set = DeltaSampleSet(path)
    named = replace(CASE, case_id="c2", trace=replace(CASE.trace, response_id="chatcmpl-1"))
    assert sample_set.append([CASE, named], {FIRST: 1}) == 1
    assert {row["case_id"]: row["response_id"] for row in sample_set.read()} == {"c1": None, "c2": "chatcmpl-1"}
    assert list(sample_set.read(version=0, columns=("case_id", "response_id"))) == [{"case_id": "c1"}]
    assert sample_set.append([named], {FIRST: 2}) == 0
    assert DeltaTable(path).metadata().partition_columns == ["day"]
