"""Texts of strangers cannot steer a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.offline.shown import json_line, shown


@given(st.text(max_size=60), st.integers(0, 80))
def test_nothing_that_a_terminal_obeys_is_left(text: str, limit: int) -> None:
    line = shown(text, limit)
    left = {unicodedata.category(char) for char in line if char not in "\u200c\u200d"}
    assert left.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def test_a_control_is_spelled_out() -> None:
    assert shown("a\x1b[31m\nb\u202ec\ud800", 50) == "a\\x1b[31m\\nb\\u202ec\\ud800"


def test_ordinary_texts_of_all_scripts_stay_as_they_are() -> None:
    text = "骑行者须年满十六岁。 Ça va? \U0001f469\u200d\U0001f680 שלום [bold]x[/bold]"
    assert shown(text, 100) == text


def test_what_is_left_out_is_counted() -> None:
    assert shown("x" * 30, 10) == "x" * 10 + "... (20 more)"


@given(st.text())
def test_a_line_of_json_says_the_same_and_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    clean = text.encode("utf-8", "replace").decode()
    line = json_line({"text": clean})
    assert json.loads(line) == {"text": clean}
    assert not [
        char for char in line[:-1] if ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F or char in "\u202e\u2066\ufeff"
    ]


@pytest.mark.parametrize("char", ["\x9b", "\u202e", "\u2066", "\u200b", "\U000e0041"])
def test_direction_marks_control_sequences_and_invisible_characters_are_escaped(char: str) -> None:
    line = json_line([char])
    assert (line.isascii(), json.loads(line)) == (True, [char])
