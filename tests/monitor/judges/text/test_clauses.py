"""Rules of the clauses of a long sentence."""

from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.claims import claims_of
from monitor.judges.text.clauses import LEAST, clauses_of
from monitor.judges.text.tokens import tokenize

FIRST = "The harbour museum shows painted wooden ships of local fishermen"
SECOND = "and the garden behind the old tower grows rare medicinal mountain plants"


def words_of(text: str) -> list[tuple[str, ...]]:
    return [clause.words for clause in clauses_of(text, tokenize(text))]


def test_a_long_sentence_is_read_by_clauses_and_a_short_one_as_a_whole() -> None:
    assert words_of(f"{FIRST}, {SECOND}.") == [tokenize(FIRST).words, tokenize(SECOND).words]
    for text in (f"{FIRST}.", "The museum is open, and the garden is closed.", f"{FIRST} and a hall."):
        assert words_of(text) == [tokenize(text).words]


def test_scripts_without_blanks_are_not_divided() -> None:
    text = "博物馆展示当地渔民的彩绘木船，并且老塔后面的花园种植稀有的高山药用植物。" * 2
    assert words_of(text) == [tokenize(text).words]


pieces = st.lists(st.sampled_from(["and", "but", "red", "tower", "12", "ships", "garden;", "plants,", "which", "old"]))


@given(pieces.map(" ".join))
def test_no_word_is_lost_and_each_clause_has_enough(text: str) -> None:
    clauses = clauses_of(text, tokenize(text))
    assert [word for clause in clauses for word in clause.words] == list(tokenize(text).words)
    if len(clauses) > 1:
        assert all(len(set(clause.words) - clause.numbers) >= LEAST for clause in clauses)


def test_an_invention_does_not_drown_in_a_long_sentence() -> None:
    passages = [f"{FIRST}. Entry costs 12 euros. It opened in May."]
    (true,) = assess(f"{FIRST}.", passages).evidence
    (invented,) = assess(f"{FIRST}, {SECOND}.", passages).evidence
    assert (true.label, invented.label) == ("supported", "unsupported")
    assert invented.text == f"{FIRST}, {SECOND}."


def test_a_clause_behind_a_label_has_no_name_that_the_sentence_has_not() -> None:
    (claim,) = claims_of(f"**Planting:** Choose loose sandy soil without standing water, and {FIRST}.")
    assert len(claim.clauses) > 1
    assert all(clause.names <= claim.tokens.names for clause in claim.clauses)
    assert "choos" not in claim.clauses[0].names
