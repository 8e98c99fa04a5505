"""Rules of tokens."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.text.tokens import normalise, read_words, tokenize
from monitor.judges.text.words import BREAK, NEGATION, is_function_word, stem_of

PIECES = (  # noqa: SIM905 - pieces read as text; with blanks among them, so that some run together and some do not
    "the|never|don't|don’t|can't|o'five|21st|3RD|3|007|10.0.0.1|1,234.50|3.5 million|twenty-five|one hundred|May|sıx|’s"
    "|5 May 2024|march on|Sept. 3|2024-05-06|-5|(-5)|minus 5|12k|$4m|Eiffel's|x|_five|7th_|GPT4|.|'|-|a@b.com|“Rome”"
    "|https://x.y/z|百分之十|万|不|保修期|Größe|ſept 4|\u200b|\n|\0| | | | | | | | | | | | | | | | | | | | "
).split("|")


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


_CONTRACTIONS = """you'll you'd you're you've they'll they've they'd we'll we've I'll I've it'll there's here's let's
    he'd who've should've that'd""".split()  # noqa: SIM905 - a word list reads as text
_DENYING = "won't don't can't isn't wouldn't shan't mustn't needn't ain't couldn't".split()  # noqa: SIM905 - as above


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_contractions_are_grammar_and_those_that_negate_go_on_negating(apostrophe: str) -> None:
    for written in (*_CONTRACTIONS, *_DENYING):
        text = f"Then {written} pay".replace("'", apostrophe)
        read = tokenize(text)
        assert (len(read.words), read.negated) == (3, written in _DENYING), written
        assert is_function_word(read.words[1]), written
        assert not read.names
        assert (NEGATION in read_words([text])) == (written in _DENYING)


@pytest.mark.parametrize(
    ("text", "negates"),
    [
        *(("Bus No. 22 stops", False), ("the bus (No. 22) stops", False), ("Nos. 5 and No.7 stop", False)),
        *(("No. It stops", True), ("No, 22 stop", True), ("No. 22 stop", True), ("It has no. 22 stop", True)),
        *(("Does it stop? No. 22 do", True), ("There are No dogs", True)),
    ],
)
def test_the_sign_of_a_number_negates_nothing(text: str, *, negates: bool) -> None:
    assert tokenize(text).negated == negates
    assert (NEGATION in read_words([text])) == negates


@pytest.mark.parametrize("written", ["Anna'll", "Ann's", "O'Neil", "customers'", "Welles'd"])
def test_an_apostrophe_behind_a_name_or_a_noun_leaves_its_content(written: str) -> None:
    assert not is_function_word(tokenize(f"Then {written} pay").words[1])


@pytest.mark.parametrize(
    "text", ["It is covered", "不仅支持退货", "无论何时都可以", "非常好", "不过可以退货", "在未来两年"]
)
def test_a_lexical_lookalike_is_no_negation(text: str) -> None:
    assert not tokenize(text).negated


def test_full_width_and_hidden_characters_make_no_difference() -> None:
    assert tokenize("Ｒｏｍｅ ca\u200bfe") == tokenize("Rome cafe")


def test_text_without_letters_and_digits_has_no_tokens() -> None:
    assert tokenize(" … —— !").words == ()


def words_and_negation(text: str, ending: str = "") -> tuple[list[str], bool]:
    words = read_words([text + ending])
    return [word for word in words if word not in {BREAK, NEGATION, ending.strip()}], NEGATION in words


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=5))
def test_texts_read_together_have_the_words_that_each_has_alone(texts: list[str]) -> None:
    """Also where numbers, months and signs depend on what stands around them: nothing reaches from text to text."""
    assert read_words(texts) == [word for text in texts for word in read_words([text])]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_passage_has_the_words_that_a_claim_has(text: str) -> None:
    tokens = tokenize(text)
    assert words_and_negation(text) == (list(tokens.words), tokens.negated)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_text_has_the_same_words_whether_its_stretches_are_looked_up_or_it_is_read_as_a_whole(text: str) -> None:
    """A scale without a number before it makes the text be read as a whole."""
    assert words_and_negation(text, "\ntrillion") == words_and_negation(text)


def test_every_format_character_is_dropped() -> None:
    hidden = "".join(c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == "Cf")
    assert normalise(f"a{hidden}b") == "ab"


@pytest.mark.parametrize("digits", ["١٢٣", "۱۲۳", "१२३", "１２３", "𝟏𝟐𝟑"])
def test_digits_of_every_script_are_the_number_that_they_write(digits: str) -> None:
    assert tokenize(f"There are {digits} rooms.") == tokenize("There are 123 rooms.")


def test_private_characters_cannot_pass_for_our_marks() -> None:
    marks = "".join(map(chr, range(0xE000, 0xF900)))
    assert normalise(f"It opened in {marks}1 of that year.") == "It opened in 1 of that year."


def test_a_capital_behind_a_colon_begins_a_sentence_and_no_name() -> None:
    assert tokenize("The next step: Conduct an inventory.").names == frozenset()
    assert tokenize("The head: John Smith of Rome").names == {"john", "smith", "rom"}


@pytest.mark.parametrize("text", ["he met O'Brien", "he met O'Brien's wife", "he met O’Brien"])
def test_an_apostrophe_inside_a_name_parts_it_in_one_way(text: str) -> None:
    assert "brien" in tokenize(text).names


@pytest.mark.parametrize("name", ["J. K. Orrin", "J.K. Orrin", "JK Orrin"])
def test_initials_are_the_same_with_stops_blanks_or_neither(name: str) -> None:
    assert tokenize(f"It is by {name}.").words == tokenize("It is by JK Orrin.").words
    assert read_words([f"It is by {name}."]) == read_words(["It is by JK Orrin."])


@pytest.mark.parametrize("cell", ["Yes", "yes", "**Yes**", "N/A", "✓", "是", "No", "None"])
def test_cells_of_a_table_that_affirm_or_deny_are_no_names(cell: str) -> None:
    read = tokenize(f"| Breakfast | {cell} |")
    assert not read.names
    assert not {"yes", "是"} & set(read.words)
    assert read.negated == (cell in {"No", "None"})
