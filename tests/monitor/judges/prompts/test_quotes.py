"""Rules of what counts as a quotation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.prompts.quotes import Quotable

TEXT = "The warranty lasts 12.5 months, i.e. — in the café — over a year. 保修期为１２个月。"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The warranty lasts 12.5 months", "The warranty lasts 12.5 months"),
        ('"the  WARRANTY lasts"', "The warranty lasts"),
        ("in the cafe\u0301", "in the café"),
        ("in the cafe", "in the café"),
        ("The warranty ... over a year.", "The warranty lasts 12.5 months, i.e. — in the café — over a year"),
        ("warranty […] months", "warranty lasts 12.5 months"),
        ("保修期为12个月", "保修期为１２个月"),
        ("12", "12"),
    ],
)
def test_case_accents_width_blanks_and_punctuation_do_not_count(quote: str, found: str) -> None:
    place = Quotable(TEXT).find(quote)
    assert place is not None
    assert TEXT[place[0] : place[1]] == found


@pytest.mark.parametrize(
    "quote",
    ["", "...", "—", "T", "lasts 125 months", "The warranty ends", "over a year ... The warranty", "保修期为２个月"],
)
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert Quotable(TEXT).find(quote) is None


@given(st.text(max_size=60), st.data())
def test_every_piece_of_a_text_that_holds_enough_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    piece = text[start:end].replace(".", "").replace(",", "").replace("…", "")
    place = Quotable(text.replace(".", "").replace(",", "").replace("…", "")).find(piece)
    letters = [character for character in piece if character.isalnum()]
    assert place is not None or len(letters) < 2
