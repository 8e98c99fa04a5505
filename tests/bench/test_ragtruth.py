"""RAGTruth's two files are read as answers with labelled sentences; rows of poor quality are left out."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

RESPONSES = [
    {"id": "1", "source_id": "7", "split": "test", "quality": "good", "response": "It takes a day. It is blue.",
     "labels": [{"start": 16, "end": 27, "text": "It is blue.", "label_type": "Evident Baseless Info"}]},
    {"id": "2", "source_id": "8", "split": "train", "quality": "good", "response": "It opens at 9.", "labels": []},
    {"id": "3", "source_id": "7", "split": "test", "quality": "truncated", "response": "It ta", "labels": []},
    {"id": "4", "source_id": "9", "split": "test", "quality": "good", "response": "It has a garage.", "labels": []},
]  # fmt: skip
SOURCES = [
    {"source_id": "7", "task_type": "QA", "source_info": {
        "question": "how long", "passages": "passage 1:It takes a day.\n\npassage 2:It is red.\n\n"}},
    {"source_id": "8", "task_type": "Summary", "source_info": "The shop opens at 9."},
    {"source_id": "9", "task_type": "Data2txt", "source_info": {"name": "Shop", "parking": {"garage": True}}},
]  # fmt: skip


def test_answers_have_their_passages_their_question_and_their_labels(module: ModuleType, tmp_path: Path) -> None:
    for name, rows in zip(module.FILES, (RESPONSES, SOURCES), strict=True):
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (asked, one), (summary, two), (data, three) = module.read_ragtruth(tmp_path)
    assert (asked, summary, data) == ("QA test", "Summary train", "Data2txt test")
    assert (one.contexts, one.question) == (("It takes a day.", "It is red."), "how long")
    assert (one.label_of(0, 15), one.label_of(16, 27)) == ("supported", "unsupported")
    assert (two.contexts, two.wrong) == (("The shop opens at 9.",), False)
    assert three.contexts == ('{"name": "Shop"}', '{"parking": {"garage": true}}')


def test_a_folder_without_the_files_is_told(
    module: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["ragtruth.py", "--data", str(tmp_path)])
    assert module.main() == 0
    assert capsys.readouterr().out.startswith("skipped: ")
