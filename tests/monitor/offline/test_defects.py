"""A defect in one trace costs one trace: `ragmon extract` prints the others and says which could not be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from monitor.config.settings import Settings
from monitor.offline import explain, extract
from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.extract import Extractor
from monitor.traces.reading import Convention, Role
from monitor.wire import Span
from tests.monitor.streams import entry, otlp, retrieval
from tests.monitor.terminal import Ended, ragmon

IDS = [f"{number:032x}" for number in (1, 2, 3)]


def _raise(span: Span) -> Role | None:
    if span.trace_id == IDS[1]:
        raise TypeError("unhashable type")
    return None


def _broken(settings: Settings) -> Extractor:
    """An extractor with a convention that cannot read the second trace."""
    broken = Convention("broken", "1", frozenset(), _raise)
    return Extractor(settings.assembly, settings.source.own_services, (broken, *CONVENTIONS))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three files with a trace each, the second of which shows a defect."""
    for number, trace_id in enumerate(IDS):
        (tmp_path / f"{number}.json").write_bytes(otlp(entry(trace_id), retrieval(trace_id)))
    monkeypatch.setattr(extract, "build_extractor", _broken)
    monkeypatch.setattr(explain, "build_extractor", _broken)
    return tmp_path


def _rows(ended: Ended) -> list[dict[str, object]]:
    return [json.loads(line) for line in ended.out.splitlines()]


def test_the_traces_before_and_behind_it_are_printed(folder: Path) -> None:
    ended = ragmon("extract", folder)
    assert [row["trace_id"] for row in _rows(ended)] == [IDS[0], IDS[2]]
    assert ended.code == 1
    (told,) = ended.told
    assert told.startswith(f"trace {IDS[1]}: a defect of ragmon: TypeError at test_defects.py:")


def test_the_explanation_has_a_row_for_it(folder: Path) -> None:
    ended = ragmon("extract", "--explain", "--json", folder)
    rows = {row["trace_id"]: row for row in _rows(ended)}
    assert {trace_id: rows[trace_id]["kind"] for trace_id in IDS} == {
        IDS[0]: "request",
        IDS[1]: "trace",
        IDS[2]: "request",
    }
    assert (rows[IDS[1]]["reason"], ended.code) == ("failed", 1)
    assert str(rows[IDS[1]]["notes"]).startswith("['a defect of ragmon: TypeError at test_defects.py:")


def test_a_person_is_told_of_it_too(folder: Path) -> None:
    ended = ragmon("extract", "--explain", folder)
    assert ended.code == 1
    assert all(trace_id in ended.out for trace_id in IDS)
