"""Rules of the sentence vectors; skipped without the extra `embeddings`."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.sentence_vectors import nearest_or_skip

if TYPE_CHECKING:
    from monitor.judges.grounding.vectors import Vectors

TEXTS = [
    "Entry costs 12 euros.",
    "Admission is twelve euros for everyone who is older than six years, and children enter free of charge.",
    "The harbour was built in 1803.",
    "Photosynthesis turns light into chemical energy, " * 20,
    "保修期为两年。",
    "",
    " ",
    "\ud800 half a pair",
    "🙂🙂",
    "a" * 500,
]


def go_on() -> bool:
    return False


@pytest.fixture(scope="module")
def made() -> type[Vectors]:
    nearest_or_skip()
    from monitor.judges.grounding.vectors import Vectors as Made  # noqa: PLC0415 - an extra: may be missing

    return Made


@pytest.fixture(scope="module")
def vectors(made: type[Vectors]) -> Vectors:
    return made()


def test_a_vector_does_not_depend_on_what_is_read_with_it(made: type[Vectors], vectors: Vectors) -> None:
    together = vectors.of(TEXTS, go_on)
    small = made(most=1)  # nothing is remembered for long
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.abs(small.of([text], go_on)[0] - vector).max() <= 1  # of 4000: a last digit may round otherwise


def test_what_is_remembered_is_bounded_and_changes_nothing(made: type[Vectors], vectors: Vectors) -> None:
    small = made(most=4)
    assert (small.nearest(TEXTS, TEXTS[::-1], go_on) == vectors.nearest(TEXTS, TEXTS[::-1], go_on)).all()
    assert len(small._known) <= 16


def test_the_order_of_the_sentences_and_more_of_them_change_a_cosine_upwards_only(vectors: Vectors) -> None:
    picked = random.Random(7)
    for _ in range(20):
        some = picked.sample(TEXTS, 5)
        before = vectors.nearest(TEXTS, some, go_on)
        assert (vectors.nearest(TEXTS, some[::-1], go_on) == before).all()
        assert (vectors.nearest(TEXTS, [*some, picked.choice(TEXTS)], go_on) >= before).all()


def test_cosines_are_shares_and_those_of_the_same_text_are_one(vectors: Vectors) -> None:
    found = vectors.nearest(TEXTS, TEXTS, go_on)
    assert found == pytest.approx(1.0, abs=2e-3)
    assert found.max() <= 1.0
    assert vectors.nearest(TEXTS, [], go_on).tolist() == [0.0] * len(TEXTS)
    assert vectors.nearest([], TEXTS, go_on).shape == (0,)


def test_the_same_in_other_words_is_nearer_than_something_else(vectors: Vectors) -> None:
    said, other, apart = TEXTS[:3]
    (same,), (far,) = vectors.nearest([said], [other], go_on), vectors.nearest([said], [apart], go_on)
    assert same > far + 0.2


def test_nobody_waiting_ends_the_work(made: type[Vectors]) -> None:
    from monitor.judges.grounding.vectors import Stopped  # noqa: PLC0415 - an extra: may be missing

    asked = iter([False, True])
    slow = made()
    with pytest.raises(Stopped):
        slow.of([f"Sentence number {number}." for number in range(100)], lambda: next(asked))
    assert len(slow._known) == 16
