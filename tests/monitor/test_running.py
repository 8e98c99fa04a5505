"""What `ragmon run` says first: what it uses, and a warning when nobody has configured anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from monitor.config.loading import load
from monitor.running import tell_start


def _first_line(file: Path | None) -> dict[str, object]:
    with capture_logs() as told:
        tell_start(load(file), {"judge", "board"}, file)
    (line,) = told
    return dict(line)


def test_without_any_configuration_a_warning_says_what_is_used() -> None:
    assert _first_line(None) == {
        "log_level": "warning",
        "event": "ragmon starts with defaults: neither a file (-c FILE) nor a RAGMON_ variable configures it",
        "roles": ["board", "judge"],
        "brokers": ["127.0.0.1:9092"],
        "topics": ["otlp_spans"],
        "judges": ["embedded", "scanner"],
    }


def test_with_a_file_or_with_variables_the_line_says_which_and_warns_of_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ragmon.yaml"
    file.write_text("source: {pattern: 'rag-.*', topics: []}\njudges: [{type: scanner, name: leaks}]\n")
    used: dict[str, object] = {"log_level": "info", "event": "ragmon starts", "roles": ["board", "judge"]}
    assert _first_line(file) == used | {
        "config": str(file),
        "brokers": ["127.0.0.1:9092"],
        "topics": "rag-.*",
        "judges": ["leaks"],
    }
    monkeypatch.setenv("RAGMON_KAFKA__BROKERS", '["kafka:9092"]')
    assert _first_line(None) == used | {
        "config": "environment",
        "brokers": ["kafka:9092"],
        "topics": ["otlp_spans"],
        "judges": ["embedded", "scanner"],
    }


def test_a_file_that_says_nothing_is_a_configuration(tmp_path: Path) -> None:
    file = tmp_path / "ragmon.yaml"
    file.write_text("")
    assert _first_line(file)["log_level"] == "info"


def test_a_second_ragmon_that_would_take_the_cases_of_the_first_is_warned(tmp_path: Path) -> None:
    file = tmp_path / "ragmon.yaml"
    file.write_text("source: {group: try-1}\ntopics: {verdicts: try-1}\n")
    with capture_logs() as told:
        tell_start(load(file), {"judge"}, file)
    [why] = told[1]["why"]
    assert (told[1]["log_level"], why.partition(":")[0]) == (
        "warning",
        "source.group is try-1, and of the defaults are topics.cases, dataset.group, dataset.path",
    )
