from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.krippendorff import raters

GRADES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
ANSWERS = st.lists(st.dictionaries(st.sampled_from("ABCD"), GRADES, max_size=4), max_size=20)

PUBLISHED = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""


def units_of(table: str) -> list[dict[str, float]]:
    """A row for each annotator, a column for each unit; a dot where there is no label."""
    rows = [line.split() for line in table.split("\n") if line]
    return [
        {str(number): float(row[unit]) for number, row in enumerate(rows) if row[unit] != "."}
        for unit in range(len(rows[0]))
    ]


def test_alpha_is_that_of_krippendorffs_published_example() -> None:
    """Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: .743, .815, .849."""
    found = raters(units_of(PUBLISHED))
    assert found is not None
    assert (found.annotators, found.answers) == (4, 11)
    assert found.nominal == pytest.approx(0.743, abs=5e-4)
    assert found.ordinal == pytest.approx(0.815, abs=5e-4)
    assert found.interval == pytest.approx(0.849, abs=5e-4)


def test_alpha_of_two_grades_is_that_of_the_published_binary_example() -> None:
    """Example A of the same paper: two observers, ten units, alpha = 0.095 by every distance."""
    found = raters(units_of("0 1 0 0 0 0 0 0 1 0\n1 1 1 0 0 1 0 0 0 0"))
    assert found is not None
    assert [found.nominal, found.ordinal, found.interval] == pytest.approx([0.095] * 3, abs=5e-4)


def test_annotators_who_always_agree_have_alpha_one() -> None:
    found = raters([{"A": 0.0, "B": 0.0}, {"A": 1.0, "B": 1.0, "C": 1.0}, {"A": 0.5}])
    assert found is not None
    assert (found.annotators, found.answers, found.nominal, found.ordinal, found.interval) == (3, 2, 1.0, 1.0, 1.0)


def test_labels_that_are_all_the_same_have_no_alpha() -> None:
    found = raters([{"A": 0.1, "B": 0.1, "C": 0.1}] * 3)
    assert found is not None
    assert (found.nominal, found.ordinal, found.interval) == (None, None, None)


def test_without_an_answer_that_two_labelled_there_is_nothing_to_say() -> None:
    assert raters([{"A": 1.0}, {"B": 0.0}, {}]) is None


@given(ANSWERS, st.randoms(use_true_random=False))
def test_the_order_of_answers_and_annotators_does_not_matter(answers: list[dict[str, float]], random: Random) -> None:
    shuffled = [dict(random.sample(list(one.items()), len(one))) for one in answers]
    random.shuffle(shuffled)
    assert raters(shuffled) == raters(answers)


@given(ANSWERS)
def test_alpha_is_one_at_most(answers: list[dict[str, float]]) -> None:
    found = raters(answers)
    if found is not None:
        given_alphas = [a for a in (found.nominal, found.ordinal, found.interval) if a is not None]
        assert all(alpha <= 1.0 + 1e-12 for alpha in given_alphas)


@given(ANSWERS)
def test_distances_of_ranks_do_not_change_when_the_grades_are_stretched(answers: list[dict[str, float]]) -> None:
    stretched = raters([{name: grade**3 for name, grade in one.items()} for one in answers])
    found = raters(answers)
    assert (stretched is None) == (found is None)
    if found is not None and stretched is not None:
        assert (stretched.nominal, stretched.ordinal) == (found.nominal, found.ordinal)
