from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.offline.label_words import WORDS, read_label


@pytest.mark.parametrize(
    ("given_label", "score"),
    [
        (True, 1.0),
        (False, 0.0),
        (0, 0.0),
        (1, 1.0),
        (0.25, 0.25),
        ("0.75", 0.75),
        (" 1 ", 1.0),
        ("１", 1.0),
        ("0．5", 0.5),
        ("1e-2", 0.01),
        ("0,5", 0.5),
        ("Faithful", 1.0),
        ("UNFAITHFUL", 0.0),
        ("partially_supported", 0.5),
        ("Not-Supported", 0.0),
        ("not  supported", 0.0),
        ("ｙｅｓ", 1.0),
        ("忠实", 1.0),
        ("不忠实", 0.0),
        ("部分支持", 0.5),
        ("没有依据", 0.0),
        ("好", 1.0),
        ("坏", 0.0),
        ("可信", 1.0),
        ("不可信", 0.0),
        ("编造", 0.0),
        ("√", 1.0),
        ("×", 0.0),
        ("not ok", 0.0),
        ("Entailment", 1.0),
        ("contradiction", 0.0),
    ],
)
def test_a_label_is_a_number_or_a_word_of_two_languages(given_label: object, score: float) -> None:
    assert read_label(given_label) == score


@pytest.mark.parametrize("blank", [None, "", "  ", "\t"])
def test_a_blank_label_is_none(blank: object) -> None:
    assert read_label(blank) is None


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (5, "outside 0 to 1; a grade g of a to b is"),
        (-0.1, "outside 0 to 1"),
        (float("nan"), "outside 0 to 1"),
        (float("inf"), "outside 0 to 1"),
        ("4", "outside 0 to 1"),
        ("1e999", "outside 0 to 1"),
        ("unfaithfull", "did you mean `unfaithful`?"),
        ("忠诚吗", "is no label"),
        ("0x1", "is no label"),
        ("nan", "is no label"),
        ([1], "is no label"),
        ({"label": 1}, "is no label"),
    ],
)
def test_what_is_no_label_is_told(wrong: object, told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("?", r"\?")):
        read_label(wrong)


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.none()))
def test_whatever_is_given_becomes_a_number_from_0_to_1_or_nothing_or_an_error(given_label: object) -> None:
    try:
        score = read_label(given_label)
    except ValueError:
        return
    assert score is None or 0.0 <= score <= 1.0


def test_a_word_and_its_denial_never_mean_the_same() -> None:
    for word, score in WORDS.items():
        for denied in (f"not {word}", f"un{word}", f"in{word}", f"不{word}"):
            assert WORDS.get(denied, 1.0 - score) != score or score == 0.5, denied
