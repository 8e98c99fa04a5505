"""Rules of tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.text.tokens import Words, read_words, stem_of, tokenize

PIECES = (  # noqa: SIM905 - pieces read as text
    "the,never,don't,can't,21st,3RD,007,10.0.0.1,3.5 million,twenty-five,one hundred,May,5 May 2024,march on,Sept. 3,"
    "2024-05-06,-5,(-5),minus 5,12k,$4m,Eiffel's,x,_five,7th_,GPT4,.,',-,a@b.com,https://x.y/z,百分之十,Größe,ſept 4,’s"
).split(",")


@pytest.mark.parametrize(
    "family",
    [
        ("stop", "stops", "stopped", "stopping", "Stop", "stop's"),
        ("city", "cities"),
        ("price", "prices", "priced", "pricing"),
        ("class", "classes"),
    ],
)
def test_forms_of_a_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem_of(word) for word in family}) == 1


def test_scripts_without_blanks_are_read_in_pairs_and_others_in_words() -> None:
    assert tokenize("iPhone15支持快充 now").words == ("iphone15", "支持", "持快", "快充", "now")
    assert tokenize("東京は大きい").words == ("東京", "京は", "は大", "大き", "きい")


def test_names_are_capitals_inside_a_sentence_or_inner_capitals_and_digits() -> None:
    assert tokenize("Yesterday Anna met the GPT4 team in Berlin").names == {"anna", "gpt4", "berlin"}


@pytest.mark.parametrize(
    "text", ["It is not covered", "It isn’t covered", "不支持退货", "没有库存", "cannot return", "使用できない"]
)
def test_a_negation_is_seen(text: str) -> None:
    assert tokenize(text).negated


@pytest.mark.parametrize(
    "text", ["It is covered", "不仅支持退货", "无论何时都可以", "非常好", "不过可以退货", "在未来两年"]
)
def test_a_lexical_lookalike_is_no_negation(text: str) -> None:
    assert not tokenize(text).negated


def test_full_width_and_hidden_characters_make_no_difference() -> None:
    assert tokenize("Ｒｏｍｅ ca\u200bfe") == tokenize("Rome cafe")


def test_text_without_letters_and_digits_has_no_tokens() -> None:
    assert tokenize(" … —— !").words == ()


@given(st.lists(st.lists(st.sampled_from([*PIECES, "1,234.50", "\n", "\0"]), max_size=8).map(" ".join), max_size=5))
def test_sentences_read_together_have_the_words_that_each_has_alone(sentences: list[str]) -> None:
    alone = [tokenize(sentence) for sentence in sentences]
    assert read_words(sentences) == [Words(tokens.words, tokens.negated) for tokens in alone]
