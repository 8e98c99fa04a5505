"""Rules of the log: one JSON object a line, nothing that breaks a line, no flood."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from monitor import logs
from monitor.config.settings import Log
from monitor.records import Outcome
from tests.fakes import FakeClock


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Logging is as it was before."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    root.setLevel(level)
    root.handlers[:] = handlers
    structlog.reset_defaults()


def configured(clock: FakeClock, level: str = "info", form: str = "json") -> io.StringIO:
    kept = io.StringIO()
    logs.configure(Log.model_validate({"level": level, "format": form}), clock)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(kept), cache_logger_on_first_use=False)
    return kept


def lines(kept: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in kept.getvalue().splitlines()]


def test_a_line_is_one_json_object_whatever_stands_in_it() -> None:
    kept = configured(FakeClock())
    structlog.get_logger().warning("a\nb", value="\x1b[31m\u2028\ud83e\u202e", number=float("inf"))
    assert kept.getvalue().count("\n") == 1
    assert kept.getvalue().isascii()
    assert all(character.isprintable() for character in kept.getvalue().rstrip("\n"))
    (line,) = lines(kept)
    assert (line["event"], line["level"]) == ("a\nb", "warning")
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(("level", "written"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_less_severe_lines_than_the_configured_level_are_not_written(level: str, written: int) -> None:
    kept = configured(FakeClock(), level)
    log = structlog.get_logger()
    calls: list[Callable[..., Any]] = [log.debug, log.info, log.warning, log.error]
    for number, call in enumerate(calls):
        call(f"event {number}")
    assert len(lines(kept)) == written


def test_a_repeated_line_is_held_back_for_ten_seconds_and_then_says_how_often() -> None:
    clock = FakeClock()
    kept = configured(clock)
    log = structlog.get_logger()
    for _ in range(5):
        log.warning("write not confirmed", what="case")
        log.error("write not confirmed")
    assert [(line["level"], line.get("repeated")) for line in lines(kept)] == [("warning", None), ("error", None)]
    clock.advance(10)
    log.warning("write not confirmed", what="case")
    assert lines(kept)[-1]["repeated"] == 4


def whys(kept: io.StringIO) -> list[str]:
    return [line["why"] for line in lines(kept)]


def test_another_reason_is_told_at_once_so_that_the_log_ends_with_what_holds() -> None:
    kept = configured(FakeClock())
    said = (
        "the history is read first",
        "topic a does not exist",
        "topic a does not exist",
        "the history is read first",
    )
    for why in said:
        structlog.get_logger().warning("no records can come just now", why=why)
    assert whys(kept) == [said[0], said[1], said[3]]
    assert lines(kept)[-1]["repeated"] == 1


def test_what_is_over_and_comes_again_for_the_same_reason_is_told_again() -> None:
    """Or the log would end with "records can come again" though none can."""
    clock = FakeClock()
    kept = configured(clock)
    log = structlog.get_logger()
    for _ in range(8):
        log.warning("no records can come just now", why="no broker answers")
        log.warning("no records can come just now", why="no broker answers")
        log.info("records can come again", ends="no records can come just now")
        clock.advance(1)
    told = [line.get("why", "again") for line in lines(kept)]
    assert told == ["no broker answers", "again"] * 8
    assert lines(kept)[2]["repeated"] == 1


def test_an_end_of_what_was_never_told_is_an_ordinary_line() -> None:
    kept = configured(FakeClock())
    structlog.get_logger().info("records can come again", ends="no records can come just now")
    structlog.get_logger().info("records can come again", ends=None)
    assert len(lines(kept)) == 2


def test_several_judges_and_reasons_are_told_apart() -> None:
    kept = configured(FakeClock())
    for judge, reason in (("a", "timeout"), ("b", "timeout"), ("b", "auth"), ("b", "auth")):
        structlog.get_logger().warning("judge is not asked for a while", judge=judge, reason=reason)
    assert [(line["judge"], line["reason"]) for line in lines(kept)] == [
        ("a", "timeout"),
        ("b", "timeout"),
        ("b", "auth"),
    ]


def test_a_number_makes_no_other_reason() -> None:
    kept = configured(FakeClock())
    for age in range(3):
        structlog.get_logger().warning("no answer", why=f"the last one came {age} s ago")
    assert whys(kept) == ["the last one came 0 s ago"]


def test_reasons_that_take_turns_are_no_flood() -> None:
    clock = FakeClock()
    kept = configured(clock)
    for number in range(100):
        structlog.get_logger().warning("late", why="ab"[number % 2])
    assert whys(kept) == ["a", "b", "a", "b", "a"]
    clock.advance(10)
    structlog.get_logger().warning("late", why="a")
    assert (len(lines(kept)), lines(kept)[-1]["repeated"]) == (6, 95)


def test_a_flood_of_different_lines_does_not_grow_the_memory() -> None:
    repeats = logs.Repeats(FakeClock())
    for number in range(5000):
        repeats(None, "warning", {"event": f"event {number}"})
    assert len(repeats._seen) <= 1000


def test_an_info_line_is_never_held_back() -> None:
    kept = configured(FakeClock())
    for _ in range(3):
        structlog.get_logger().info("ragmon starts")
    assert len(lines(kept)) == 3


def test_the_console_form_is_for_people() -> None:
    kept = configured(FakeClock(), form="console")
    structlog.get_logger().warning("a thing", value=1, outcome=Outcome.JUDGE_ERROR)
    assert "a thing" in kept.getvalue()
    assert "<Outcome" not in kept.getvalue()
    assert not kept.getvalue().startswith("{")


@pytest.mark.parametrize("name", ["aiokafka", "opentelemetry.sdk", "uvicorn.error", "httpx", "asyncio"])
def test_libraries_are_quiet_about_what_we_tell_ourselves(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Log(level="debug"), FakeClock())
    logging.getLogger(name).warning("a request with user text")
    assert capsys.readouterr().err == ""


def test_a_command_logs_warnings_as_lines_of_standard_error_while_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    before = structlog.get_config()
    log = structlog.get_logger("x")
    with logs.on_stderr():
        log.info("quiet")
        log.warning("the judge\nis late", judge="a\nb")
    assert structlog.get_config() == before
    out, err = capsys.readouterr()
    assert (out, err) == ("", "ragmon: the judge is late judge='a\\nb'\n")


@pytest.mark.parametrize(
    ("value", "said"),
    [("gpt", "gpt"), (Outcome.JUDGE_ERROR, "judge_error"), ("two words", "'two words'"), ("", "''"), ("a=b", "'a=b'")],
)
def test_a_value_is_told_in_plain_words_and_quoted_only_where_it_must_be(
    capsys: pytest.CaptureFixture[str], value: str, said: str
) -> None:
    with logs.on_stderr():
        structlog.get_logger().warning("late", why=value, after=3)
    assert capsys.readouterr().err == f"ragmon: late why={said} after=3\n"
