from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy.folding import Folded, fold


def test_full_width_letters_and_digits_become_ascii_at_the_same_place() -> None:
    assert fold("电话\uff11\uff13\uff18\uff21\uff20") == Folded("电话138A@")


def test_text_without_them_is_left_as_it_is() -> None:
    assert fold("你好,世界。") == Folded("你好,世界。")


def test_invisible_characters_go_and_offsets_lead_back() -> None:
    folded = fold("a\u200b1\u200d2b")
    assert folded.text == "a12b"
    assert folded.span(1, 3) == (2, 5)


@given(st.text(st.characters() | st.sampled_from("\u200b\ufeff0- ")))
def test_every_character_leads_back_to_one_that_folds_to_it(text: str) -> None:
    folded = fold(text)
    for place, char in enumerate(folded.text):
        start, end = folded.span(place, place + 1)
        assert end == start + 1
        assert fold(text[start:end]).text in {char, text[start:end]}
