"""The sample set takes every case in exactly once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from deltalake import DeltaTable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exporters.dataset import DeltaSampleSet
from monitor.errors import ConfigError, SinkError, UnfitCasesError
from monitor.records import (
    Case,
    Decision,
    DecisionKind,
    Evidence,
    JudgeIdentity,
    Judgement,
    Outcome,
    Passage,
    Position,
    Provenance,
    RagTrace,
    SensitiveHit,
    TopicPartition,
)

FIRST = TopicPartition("rag.cases", 0)
SECOND = TopicPartition("rag:cases", 1)
DAY_NS = 86_400_000_000_000


def case(number: int, *, answer: str = "二十五欧元 🙂") -> Case:
    judgement = Judgement(
        "faithfulness",
        JudgeIdentity("embedded", "0123456789ab"),
        Outcome.SCORED,
        score=0.5,
        evidence=(Evidence("二十五欧元", 0.5, passage=1, start=0, end=5, label="partial"),),
    )
    trace = RagTrace(
        f"{number:032x}", "", "How much?", answer, (Passage("25 euros", "d-1", 0.3),), end_ns=number * DAY_NS // 4
    )
    hit = SensitiveHit("email", "answer", 0, 3, Provenance.NOVEL)
    return Case(
        case_id=f"case-{number}",
        trace=trace,
        decision=Decision(DecisionKind.SAMPLED, 0.01, 100, ("base",)),
        judgements=(judgement,),
        hits=(hit,),
        redaction="v0",
        harvest_reason="base",
        position=Position("otlp_spans", 0, number),
        judged_ns=1,
    )


def kept(sample_set: DeltaSampleSet) -> list[str]:
    return sorted(str(row["case_id"]) for row in sample_set.read())


def taken_in(folder: Path, partition: TopicPartition) -> int | None:
    """The offset after the last record of the partition, as the newest version of a table says it."""
    return DeltaTable(str(folder)).transaction_version(f"ragmon:{partition.topic}:{partition.partition}")


def test_an_append_and_its_offsets_become_visible_together(tmp_path: Path) -> None:
    sample_set = DeltaSampleSet(str(tmp_path / "cases"))
    assert sample_set.append([case(1), case(2)], {FIRST: 2, SECOND: 9}) == 2
    assert [taken_in(tmp_path / "cases", tp) for tp in (FIRST, SECOND, TopicPartition("other", 0))] == [2, 9, None]
    assert [version["version"] for version in sample_set.versions()] == [1, 0]


def test_a_topic_that_was_made_anew_and_begins_at_0_again_loses_no_case(tmp_path: Path) -> None:
    sample_set = DeltaSampleSet(str(tmp_path / "cases"))
    sample_set.append([case(1)], {FIRST: 5})
    assert sample_set.append([case(1), case(2)], {FIRST: 2}) == 1
    assert kept(sample_set) == ["case-1", "case-2"]
    assert taken_in(tmp_path / "cases", FIRST) == 2


def test_a_row_says_what_was_asked_answered_judged_and_how_likely_it_was_sampled(tmp_path: Path) -> None:
    sample_set = DeltaSampleSet(str(tmp_path / "cases"))
    sample_set.append([case(3)], {FIRST: 1})
    (row,) = sample_set.read()
    picked = {name: row[name] for name in ("day", "layer", "answer", "contexts", "weight", "probability", "hits")}
    assert picked == {
        "day": "1970-01-01",
        "layer": "production",
        "answer": "二十五欧元 🙂",
        "contexts": [{"id": "d-1", "text": "25 euros", "score": 0.3, "kind": "document", "source": None}],
        "weight": 100,
        "probability": 0.01,
        "hits": [{"kind": "email", "target": "answer", "provenance": "novel", "passage": 0}],
    }


def test_an_older_version_can_still_be_read(tmp_path: Path) -> None:
    sample_set = DeltaSampleSet(str(tmp_path / "cases"))
    sample_set.append([case(1)], {FIRST: 1})
    sample_set.append([case(2)], {FIRST: 2})
    assert [row["case_id"] for row in sample_set.read(version=1)] == ["case-1"]


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_harvested(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ConfigError, match=r"^dataset\.path: .*/file/cases cannot be written"):
        DeltaSampleSet(str(tmp_path / "file" / "cases")).check()
    with pytest.raises(ConfigError, match=r"^dataset\.path: .*/file is no folder, and a sample set is one$"):
        DeltaSampleSet(str(tmp_path / "file")).check()
    DeltaSampleSet(str(tmp_path / "new" / "cases")).check()
    DeltaSampleSet("s3://bucket/cases").check()


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(SinkError, match="no sample set"):
        list(DeltaSampleSet(str(tmp_path / "none")).read())


def test_a_table_that_cannot_be_written_is_a_sink_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(SinkError):
        DeltaSampleSet(str(blocked / "cases")).append([case(1)], {FIRST: 1})


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries=st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=5))
def test_whatever_is_delivered_again_each_case_is_one_row(
    tmp_path_factory: pytest.TempPathFactory, deliveries: list[list[int]]
) -> None:
    sample_set = DeltaSampleSet(str(tmp_path_factory.mktemp("set") / "cases"))
    for offset, numbers in enumerate(deliveries, 1):
        sample_set.append([case(number) for number in numbers], {FIRST: offset})
    assert kept(sample_set) == sorted({f"case-{number}" for numbers in deliveries for number in numbers})


@pytest.mark.parametrize("odd", [2**63, 2**64 - 1, 2**70, -(2**70), 315_532_800_000 * 10**9])
def test_a_number_or_time_that_no_column_holds_is_null(odd: int, tmp_path: Path) -> None:
    good = case(1)
    trace = replace(good.trace, start_ns=odd, end_ns=odd, input_tokens=odd)
    bad = replace(good, case_id="odd", trace=trace, decision=replace(good.decision, weight=odd), judged_ns=odd)
    sample_set = DeltaSampleSet(str(tmp_path / "cases"))
    assert sample_set.append([good, bad], {FIRST: 2}) == 2
    row = next(row for row in sample_set.read() if row["case_id"] == "odd")
    wanted = odd if abs(odd) < 2**63 else None
    assert (row["end_ns"], row["input_tokens"], row["weight"], row["judged_ns"]) == (wanted,) * 4


def test_a_case_that_does_not_fit_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    hit = SensitiveHit("email", "answer", 0, 3, Provenance.NOVEL, passage=2**40)
    bad = replace(case(2), hits=(hit,))
    sample_set = DeltaSampleSet(str(tmp_path / "cases"))
    with pytest.raises(UnfitCasesError) as caught:
        sample_set.append([case(1), bad, case(3)], {FIRST: 3})
    assert caught.value.case_ids == {"case-2"}
    assert sample_set.versions() == []
