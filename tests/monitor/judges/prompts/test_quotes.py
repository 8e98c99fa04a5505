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
        ("The warranty ... over a year.", "The warranty lasts 12.5 months, i.e. — in the café — over a year."),
        ("The warranty ... over a year ...", "The warranty lasts 12.5 months, i.e. — in the café — over a year"),
        ("保修期为12个月.", "保修期为１２个月"),
        ("warranty […] months", "warranty lasts 12.5 months"),
        ("保修期为12个月", "保修期为１２个月"),
        ("12", "１２"),
        ("12.5", "12.5"),
        ("months", "months"),
    ],
)
def test_case_accents_width_blanks_and_punctuation_do_not_count(quote: str, found: str) -> None:
    place = Quotable(TEXT).find(quote)
    assert place is not None
    assert TEXT[place[0] : place[1]] == found


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "...",
        "—",
        "T",
        "lasts 125 months",
        "The warranty ends",
        "over a year ... The warranty",
        "保修期为２个月",
        "2.5 months",
        "5 months, i.e. — in the café",
        "lasts 1",
        "The warranty lasts 1",
        "warran",
        "anty lasts",
        "onths",
    ],
)
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert Quotable(TEXT).find(quote) is None


@pytest.mark.parametrize("quote", ["is", "The", "of the", "UK", "的", "之其", "T … h", "the … of"])
def test_a_quotation_that_says_nothing_proves_nothing(quote: str) -> None:
    assert Quotable("The law of the UK is its own: 的 之其 T h").find(quote) is None


@pytest.mark.parametrize("text", ["No.", "UK", "的"])
def test_a_text_that_says_nothing_may_be_quoted_as_a_whole(text: str) -> None:
    assert Quotable(text).find(text) is not None


def test_a_long_quotation_may_end_in_the_middle_of_a_word_and_never_of_a_number() -> None:
    text = "The warranty lasts 24 months and covers water damage."
    assert Quotable(text).find(text[:37]) == (0, 37)
    assert text[37].isalpha()
    assert Quotable(text).find("The warranty lasts 2") is None


def test_a_very_long_quotation_may_end_in_the_middle_of_a_number() -> None:
    text = "The warranty of every device that was sold in this shop lasts 24 months."
    assert Quotable(text).find(text[:63]) == (0, 63)
    assert Quotable("12 months" + text).find("2 months" + text) is None


def test_a_piece_that_stands_in_words_alone_first_is_found_where_it_stands_alone() -> None:
    assert Quotable("Waterproof water.").find("water") == (11, 16)


@given(st.lists(st.text(st.sampled_from("bz1保期éß"), min_size=1), max_size=12), st.data())
def test_every_run_of_words_that_says_something_is_found(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words)))
    end = data.draw(st.integers(start, len(words)))
    quote = " ".join(words[start:end])
    assert Quotable(" ".join(words)).find(quote) is not None or sum(map(len, words[start:end])) < 3


@pytest.mark.timeout(5)
def test_a_piece_that_stands_in_a_word_a_million_times_costs_no_more_than_some_looks() -> None:
    assert Quotable("a" * 1_000_000).find("a" * 11) is None


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The desk closes at 18:00 on weekdays.", None),
        (" The desk closes at 18:00 on weekdays. ", "The desk closes at 18:00 on weekdays."),
        ("the desk closes at 18:00 on weekdays", "The desk closes at 18:00 on weekdays"),
        ('"The desk closes at 18:00 on weekdays."', "The desk closes at 18:00 on weekdays."),
        ("(not on Sundays!)", None),
        ("not on Sundays!", None),
        ("not on Sundays?!", "not on Sundays"),
        ("… weekdays. (not …", "weekdays. (not"),
        ("周日闭馆。", None),
        ("（周六除外）", None),
        ("(周六除外)", "（周六除外）"),
        ("in the cafe\u0301.", None),
        ("in the café.", "in the cafe\u0301."),
    ],
)
def test_the_place_is_of_the_quoted_text_with_the_marks_that_are_quoted(quote: str, found: str | None) -> None:
    text = "The desk closes at 18:00 on weekdays. (not on Sundays!) 周日闭馆。（周六除外） We meet in the cafe\u0301."
    place = Quotable(text).find(quote)
    assert place is not None
    assert text[place[0] : place[1]] == (quote if found is None else found)


@given(st.text(st.sampled_from("ab1中期.,;!。（） -"), min_size=1), st.data())
def test_whatever_is_cut_out_word_for_word_is_found_as_it_is(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))].strip()
    place, at = Quotable(text).find(quote), text.find(quote)
    beside = text[max(0, at - 2) : at] + text[at + len(quote) :][:2]
    in_a_word_or_number = any(map(str.isalnum, beside))  # `1中` is no quotation of `11中`, but may be one of `1;中`
    assert place is None or text[place[0] : place[1]] == quote or in_a_word_or_number


PAGE = "<p>The <b>pump</b>&nbsp;costs 12 &euro;[3] &amp; lasts 2&#160;years.</p><!-- old: 15 --> It is red<br/>and new."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The pump costs 12 €", "The <b>pump</b>&nbsp;costs 12"),
        ("costs 12 € & lasts 2 years.", "costs 12 &euro;[3] &amp; lasts 2&#160;years."),
        (
            "The pump costs 12 [3] ... It is red and new",
            "The <b>pump</b>&nbsp;costs 12 &euro;[3] &amp; lasts 2&#160;years.",
        ),
        ("<b>pump</b>&nbsp;costs", "<b>pump</b>&nbsp;costs"),
        ("red and new", "red<br/>and new"),
    ],
)
def test_markup_of_a_page_may_be_left_out(quote: str, found: str) -> None:
    place = Quotable(PAGE).find(quote)
    assert place is not None
    assert PAGE[place[0] : place[1]].startswith(found)


@pytest.mark.parametrize("quote", ["The pump costs 123", "costs 2", "pump costs 15", "x is 3 and y is 2"])
def test_nothing_else_may(quote: str) -> None:
    assert Quotable(PAGE + " x is 3 < 5, z > 1 and y is 2").find(quote) is None


def test_entities_of_entities_are_read_once() -> None:
    assert Quotable("&" + "amp;" * 5000 + "lt; pump").find("the pump") is None
