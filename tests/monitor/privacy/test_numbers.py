from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.privacy.numbers import find_numbers
from monitor.privacy.patterns import Pattern, Span
from monitor.privacy.personal import NUMBERS

PARTS = (
    *(
        "call me at ",
        "tel",
        "电话是：",
        "messages to",
        "reach them on ",
        "x" * 70,
        "，",
        "\n",
        "转",
        " ext. ",
        " mobile",
        "+",
        "(",
    ),
    *(
        "13800138000",
        "110105194912310",
        "02X",
        "4111 1111 1111 1111",
        "555-01",
        "(415) 555-2671",
        "1     2",
        "1.2.3",
        "7",
    ),
)


def searched_whole(text: str) -> list[Span]:
    if not re.search(r"[0-9](?:[ ().-]{0,3}[0-9]){6}", text):
        return []
    return [span for pattern in NUMBERS for span in pattern.find(text)]


@given(st.lists(st.sampled_from(PARTS) | st.text("0123456789 -+.()x", max_size=9), max_size=9).map("".join))
def test_looking_around_long_numbers_finds_what_a_search_of_the_whole_text_finds(text: str) -> None:
    assert list(find_numbers(text)) == searched_whole(text)


@pytest.mark.parametrize("pattern", NUMBERS[:-1], ids=lambda pattern: pattern.kind)
@given(data=st.data())
@settings(max_examples=25)
def test_every_match_lies_near_a_long_number(pattern: Pattern, data: st.DataObject) -> None:
    """Not the last pattern: its match ends before the word that it needs; ` mobile` is among the parts above."""
    far = data.draw(st.sampled_from(["", "x" * 99, "7 " * 3 + "a" * 60, "12345678" + "-x" * 30]))
    text = f"{far} {data.draw(st.from_regex(pattern.regex, fullmatch=True))} {far}"
    assert list(find_numbers(text)) == searched_whole(text)
