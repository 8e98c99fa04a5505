from __future__ import annotations

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.tokens import read_words, tokenize
from monitor.judges.text.words import stem_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a Kenyan senator", "a senator of Kenya"),
        ("the Portuguese coach", "the coach from Portugal"),
        ("British firms", "firms in the U.K."),
        ("Washington, DC", "Washington, D.C."),
        ("JK Rowling", "J.K. Rowling"),
        ("at 8 pm", "at 8 p.m."),
        ("Man Utd", "Man United"),
    ],
)
def test_a_country_or_initials_are_the_same_word_however_they_are_written(one: str, other: str) -> None:
    content = {word for word in tokenize(one).words if word not in {"a", "the", "at"}}
    assert content <= set(tokenize(other).words)


@pytest.mark.parametrize("held", ["the U.S. army", "the US army", "the USA's army", "the United\nStates army"])
@pytest.mark.parametrize("said", ["the U.S. army", "the US army", "the USA's army", "the United States army"])
def test_the_united_states_are_held_under_each_of_their_names(said: str, held: str) -> None:
    assert set(tokenize(said).words) <= set(read_words([held]))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("The European Union pays.", "The EU pays."),
        ("The UN votes.", "The United Nations vote."),
        ("The UK left.", "Great Britain left."),
    ],
)
def test_unions_are_held_under_each_of_their_names(said: str, held: str) -> None:
    assert not assess(said, [f"{held} It rains today in the mountains."]).unsupported


def test_us_is_a_country_in_capitals_only() -> None:
    assert tokenize("it told us").names == frozenset()
    assert tokenize("the US told it").names == {"usa"}
    assert tokenize("CONTACT US NOW").names.isdisjoint({"usa"})


@pytest.mark.parametrize("said", ["It costs US$40.", "It costs 40 US dollars.", "It costs 40 U.S. dollars."])
def test_a_currency_names_no_country(said: str) -> None:
    assert not tokenize(said).names


def test_other_names_of_a_country_do_not_part_what_stands_side_by_side() -> None:
    said = "The army of the United States fights."
    words = read_words([said])
    assert tuple(words[:7]) == tokenize(said).words


def test_another_country_is_not_held() -> None:
    assert assess("The Kenyan senator won.", ["The senator of Ghana won. It rained all day."]).unsupported


def test_stems_of_countries_stay_as_they_are() -> None:
    assert stem_of("Kenyan") == "kenyan"
