"""Texts of strangers cannot steer a terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from monitor.offline.shown import shown


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
