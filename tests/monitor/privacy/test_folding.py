from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy import folding
from monitor.privacy.folding import Folded, fold


def test_full_width_letters_and_digits_become_ascii_at_the_same_place() -> None:
    assert fold("电话\uff11\uff13\uff18\uff21\uff20") == Folded("电话138A@")


def test_text_without_them_is_left_as_it_is() -> None:
    assert fold("你好,世界。") == Folded("你好,世界。")


def test_invisible_characters_go_and_offsets_lead_back() -> None:
    folded = fold("a\u200b1\u200d2b")
    assert folded.text == "a12b"
    assert folded.span(1, 3) == (2, 5)


@pytest.mark.parametrize(
    "char",
    [
        *"\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2061\u2064\u2066\u2069\ufe00\ufe0f\ufeff",
        *"\U000e0000\U000e0041\U000e007f\U000e0100",
    ],
)
def test_no_invisible_character_hides_a_text(char: str) -> None:
    hidden = char.join("13800138000")
    assert fold(hidden).text == "13800138000"
    assert fold(f"是{hidden}").span(1, 12) == (1, 1 + len(hidden))


@pytest.mark.parametrize(
    "zero", [0x660, 0x6F0, 0x966, 0xE50, 0xFF10, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1FBF0]
)
def test_digits_of_every_script_become_ascii_at_the_same_place(zero: int) -> None:
    assert fold("a" + "".join(chr(zero + digit) for digit in range(10)) + "b") == Folded("a0123456789b")


def test_letters_and_signs_of_most_writing_are_left_as_they_are_together_and_alone() -> None:
    usual = "".join(char for char in map(chr, range(0x110000)) if not folding._UNUSUAL.match(char))
    assert len(usual) > 50_000
    assert fold(usual) == Folded(usual)
    assert fold(usual[-1]) == Folded(usual[-1])


def test_a_text_of_invisible_characters_only_is_cut_to_nothing() -> None:
    folded = fold("\U000e0041\u200b")
    assert (folded.text, folded.is_cut) == ("", True)


@given(st.text(st.characters() | st.sampled_from("\u200b\ufeff0- \u0661\U0001d7d8\U000e0041")))
def test_every_character_leads_back_to_one_that_folds_to_it(text: str) -> None:
    folded = fold(text)
    for place, char in enumerate(folded.text):
        start, end = folded.span(place, place + 1)
        assert end == start + 1
        assert fold(text[start:end]).text in {char, text[start:end]}
