"""Rules of finding the golden question that a live question is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.reference.book import MAX_CANDIDATES, GoldenBook
from monitor.judges.reference.golden import Entry
from monitor.judges.reference.references import Absence, GivenReferences, Reference
from monitor.judges.reference.wording import alikeness, gist_of
from monitor.records import RagTrace


def trace(question: str | None, language: str = "und", trace_id: str = "t") -> RagTrace:
    return RagTrace(trace_id, "", question, "An answer.", language=language)


def entry(question: str, answer: str, *sources: str, language: str = "") -> Entry:
    return Entry((question,), Reference((answer,), sources), language)


BOOK = GoldenBook(
    [
        Entry(("How long is the warranty?", "What is the warranty period?"), Reference(("2 years",))),
        entry("What was the refund in 2024?", "10 euros"),
        entry("保修期多久？", "两年"),
    ],
    0.9,
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("HOW LONG IS THE WARRANTY", "2 years"),
        ("what is the warranty period", "2 years"),
        ("Please tell me how long the warranty is.", "2 years"),
        ("请问保修期多长时间", "两年"),
        ("What was the refund in 2023?", None),
        ("How long is the guarantee?", None),
        ("", None),
        (None, None),
        ("How long is the warranty? " * 100, None),
    ],
)
def test_the_entry_is_found_by_any_wording_of_its_question(question: str | None, answer: str | None) -> None:
    found = BOOK.of(trace(question))
    assert found == (Absence.NONE if answer is None else Reference((answer,)))


def test_two_entries_with_different_answers_are_ambiguous() -> None:
    book = GoldenBook([entry("Is parking free?", "Yes"), entry("is parking free", "No")], 0.9)
    assert book.of(trace("Is parking free?")) is Absence.AMBIGUOUS
    assert book.of(trace("Is the parking free, please?")) is Absence.AMBIGUOUS


def test_two_entries_with_the_same_answer_are_read_as_one() -> None:
    book = GoldenBook([entry("Is parking free?", "Yes", "a.md"), entry("is parking free", "yes.", "b.md")], 0.9)
    assert book.of(trace("Is parking free?")) == Reference(("Yes",), ("a.md", "b.md"))


def test_the_very_words_come_before_the_gist_and_the_gist_before_what_is_alike() -> None:
    long = "What documents must students submit when they apply for the housing allowance online?"
    book = GoldenBook([entry(long, "one"), entry(long.replace("housing", "current housing"), "two")], 0.9)
    assert book.of(trace(long)) == Reference(("one",))
    assert book.of(trace(long.replace("the ", "a "))) == Reference(("one",))
    assert book.of(trace(long.replace("housing", "current detailed housing"))) == Reference(("two",))


def test_the_similarity_says_how_much_wording_must_be_shared() -> None:
    golden = "What documents must students submit when they apply for the housing allowance online?"
    live = trace(golden.replace("housing", "current housing"))
    found = [GoldenBook([entry(golden, "one")], similarity).of(live) for similarity in (0.9, 1.0)]
    assert found == [Reference(("one",)), Absence.NONE]


def test_entries_with_the_same_question_and_different_answers_contradict_each_other() -> None:
    entries = [
        entry("Is parking free?", "Yes"),
        entry("IS PARKING  FREE", "yes!", "b.md"),
        entry("is parking free", "No"),
        entry("iPhone 15?", "yes", language="en"),
        entry("iphone 15", "是", language="zh"),
        entry("iphone 15", "no", language="en"),
        entry("iphone 15", "oui"),
        entry("👍?", "one"),
        entry("👎?", "two"),
        Entry(("How long?", "how long"), Reference(("2 years",))),
    ]
    found = [tuple(map(entries.index, pair)) for pair in GoldenBook(entries, 0.9).contradictions()]
    assert found == [(0, 2), (3, 5), (3, 6)]


def test_an_entry_of_another_language_does_not_count() -> None:
    book = GoldenBook([entry("iPhone 15?", "yes", language="en"), entry("iPhone 15?", "是", language="zh")], 0.9)
    assert book.of(trace("iPhone 15?", "zh-CN")) == Reference(("是",))
    assert book.of(trace("iPhone 15?", "fr")) is Absence.NONE
    assert book.of(trace("iPhone 15?")) is Absence.AMBIGUOUS


_WORDS = "open close refund invoice order cancel change tariff museum 2023 2024 not Acme before"
WORDS = st.sampled_from(_WORDS.split())


@given(
    asked=st.lists(WORDS, min_size=1, max_size=12).map(" ".join),
    golden=st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), max_size=8, unique=True),
    similarity=st.sampled_from([0.6, 0.75, 0.9, 1.0]),
)
def test_the_index_passes_over_no_entry_that_is_alike_enough(asked: str, golden: list[str], similarity: float) -> None:
    book = GoldenBook([entry(text, text) for text in golden], similarity)
    known = frozenset(word for text in golden for word in gist_of(text).words)
    best = max((alikeness(gist_of(asked), gist_of(text), known) for text in golden), default=0.0)
    assert (book.of(trace(asked)) is Absence.NONE) is (best < similarity)


def test_another_file_has_another_digest() -> None:
    one, same, other = (GoldenBook([entry("Q one?", answer)], 0.9).digest for answer in ("a", "a", "b"))
    assert one == same != other


def test_what_came_with_the_request_comes_before_the_book() -> None:
    references = GivenReferences({"row-1": Reference(("3 years",))}, BOOK)
    assert references.of(trace("How long is the warranty?", trace_id="row-1")) == Reference(("3 years",))
    assert references.of(trace("How long is the warranty?")) == Reference(("2 years",))
    assert GivenReferences({}).of(trace("How long is the warranty?")) is Absence.NONE


def test_a_question_in_words_of_too_many_golden_ones_is_none_and_costs_little() -> None:
    reference = Reference(("yes",))
    wordings = [f"What is the price of the product model {number}?" for number in range(MAX_CANDIDATES + 1)]
    book = GoldenBook([Entry((wording,), reference) for wording in wordings], 0.6)
    assert book.of(trace("the price of the product model 777, please")) == reference
    assert book.of(trace("price of some product model?")) is Absence.NONE
    few = GoldenBook([Entry((wording,), reference) for wording in wordings[:1]], 0.6)
    assert few.of(trace("price of some product mdel 0")) == reference


@pytest.mark.parametrize("question", ["👎", "!!!", "。。", "👍"])
def test_signs_alone_are_no_golden_question(question: str) -> None:
    """All of them have the same empty key."""
    assert GoldenBook([entry("👍?", "Glad to hear it.")], 0.9).of(trace(question)) is Absence.NONE
