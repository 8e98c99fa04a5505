from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from exporters.labels import MAX_LENGTH, SeriesBudget, Vocabulary, clean
from monitor.snapshot import OTHER, UNKNOWN


@given(st.text(st.characters(codec=None), max_size=300))
def test_a_clean_value_is_encodable_printable_bounded_and_clean_again(text: str) -> None:
    shown = clean(text)
    shown.encode()
    assert 0 < len(shown) <= MAX_LENGTH
    assert not set(shown) & {chr(code) for code in (*range(32), 127, 0x85, 0x2028, 0x2029)}
    assert clean(shown) == shown


def test_ordinary_text_of_any_script_stays_as_it_is() -> None:
    for text in ("gpt-x", "客服 机器人", "مرحبا", "naïve 🙂", 'say "hi" \\ ok'):
        assert clean(text) == text


def test_broken_text_stays_visible_as_broken() -> None:
    assert clean("gpt\udca0x") == "gpt\ufffdx"
    assert clean("line\nbreak") == "line\ufffdbreak"
    assert clean("abc\u202edef") == "abc\ufffddef"


def test_nothing_is_unknown() -> None:
    assert [clean(None), clean(""), clean("  ")] == [UNKNOWN] * 3


def test_a_vocabulary_admits_first_come_and_gives_the_place_of_what_left_to_others() -> None:
    words = Vocabulary(2)
    assert [words.value("app", raw) for raw in ("a", "b", "c", "a", "c")] == ["a", "b", OTHER, "a", OTHER]
    assert words.overflow == {"app": 2}
    words.end_page()
    assert [words.value("app", raw) for raw in ("b", "c")] == ["b", OTHER]
    words.end_page()
    assert [words.value("app", raw) for raw in ("c", "b", "a")] == ["c", "b", OTHER]


def test_scopes_of_one_label_do_not_share_room() -> None:
    words = Vocabulary(1)
    assert [words.value("value", "x", "app"), words.value("value", "y", "language")] == ["x", "y"]


@given(st.lists(st.tuples(st.text(max_size=2), st.integers(1, 9))), st.integers(0, 40))
def test_a_budget_never_admits_more_than_it_has(rows: list[tuple[str, int]], room: int) -> None:
    budget = SeriesBudget(room)
    admitted = dict(rows)
    shown = [name for name in admitted if budget.admit((name,), admitted[name])]
    assert sum(admitted[name] for name in shown) <= room
    assert all(budget.admit((name,), admitted[name]) for name in shown)


def test_a_budget_gets_back_what_was_not_on_the_last_page() -> None:
    budget = SeriesBudget(10)
    shown = []
    for rows in (("a", "b", "c"), ("a", "c"), ("a", "c", "b"), ("b",), ("b", "a", "c")):
        shown.append([row for row in rows if budget.admit((row,), 5)])
        budget.end_page()
    assert shown == [["a", "b"], ["a"], ["a", "c"], [], ["b", "a"]]


def test_rows_that_yield_make_room_the_newest_first_and_only_when_it_is_enough() -> None:
    budget = SeriesBudget(12)
    for row in ("a", "b", "c"):
        assert budget.admit((row,), 4, yields=row != "a")
    assert not budget.make_room(1)  # all of them are on this page
    budget.end_page()
    assert not budget.make_room(9)
    assert budget.make_room(4)
    assert [budget.admit((row,), 4) for row in ("new", "a", "b", "c")] == [True, True, True, False]
