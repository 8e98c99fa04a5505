"""Rules of JSON lines that people and tools write."""

from __future__ import annotations

import io

import pytest

from monitor.offline.lines import Fields, numbered_objects


def read(content: bytes) -> list[tuple[int, Fields | str]]:
    return list(numbered_objects(io.BufferedReader(io.BytesIO(content)), "rows.jsonl"))


def test_each_line_that_is_not_blank_has_its_number() -> None:
    assert read(b'\xef\xbb\xbf{"a": 1}\n\n \n{"b": 2}') == [(1, {"a": 1}), (4, {"b": 2})]


def test_half_a_character_is_replaced_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    lines = rb"""{"a": "cut \ud83d", "b": "\udc00\ud83d", "c": "\\ud83d", "d": "\ud83d\ude42"}
{"a": "\u0041"}"""
    whole = {"a": "cut \ufffd", "b": "\ufffd\ufffd", "c": "\\ud83d", "d": "\U0001f642"}
    assert read(lines) == [(1, whole), (2, {"a": "A"})]
    assert capsys.readouterr().err == (
        "ragmon: rows.jsonl: 3 half characters read as U+FFFD; a text was cut in the middle of one\n"
    )


def test_nothing_is_told_of_a_file_that_needs_no_repair(capsys: pytest.CaptureFixture[str]) -> None:
    read('{"a": "中 🙂"}'.encode())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "line",
    [b'{"a": 1, "b": 2, "a": 3}', b'{"b": [{"a": "\\ud83d", "a": null}]}', b'{"b": 1, "\\u0061": 1, "a": 1}'],
)
def test_a_key_that_stands_twice_is_told_as_one_of_its_values_would_be_lost(line: bytes) -> None:
    assert read(line) == [(1, "the key `a` stands twice in it; which one counts cannot be told")]


def test_very_many_keys_are_read_in_linear_time() -> None:
    """By the square of them it takes a minute."""
    keys = ", ".join(f'"{number}": 0' for number in range(20_000))
    ((_, said),) = read(f'{{{keys}, "19999": 1}}'.encode())
    assert said == "the key `19999` stands twice in it; which one counts cannot be told"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[1]", "is not an object {id, question, contexts, answer}"),
        (b'{"a": "\\ud83d"', "is not JSON: "),
        (b'{"a": "\xb1\xa3\xd0\xde"}', "is not JSON: "),  # GBK: no letter of it can be guessed
        (b'{"a": "\xb1\\ud83d"}', "is not JSON: "),
        (b"[" * 100_000, "is not JSON: "),
        (b"[" * 995 + b"]" * 995, "is not "),
    ],
)
def test_what_is_no_object_is_told(line: bytes, problem: str) -> None:
    ((number, said),) = read(line)
    assert isinstance(said, str)
    assert (number, said.startswith(problem)) == (1, True)
