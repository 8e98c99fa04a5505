from __future__ import annotations

import random

import pytest

from monitor.quality.audit import MIN_ROWS, Change, Scored, length_bias, moved_by


def change(before: float, *after: float, label: str = "x", others: str = "x") -> Change:
    return Change(Scored(before, label), tuple(Scored(score, others) for score in after))


def test_an_edit_that_moves_scores_one_way_is_a_bias_and_noise_is_none() -> None:
    rng = random.Random(4)
    kinder = moved_by("style", "polite", [change(0.5, 0.6 + rng.uniform(-0.05, 0.05)) for _ in range(60)])
    wavering = moved_by("style", "list", [change(0.5, 0.5 + rng.uniform(-0.2, 0.2)) for _ in range(60)])
    assert (kinder.moves, wavering.moves) == (True, False)
    assert kinder.size == pytest.approx(0.1, abs=0.02)
    assert wavering.size == pytest.approx(0.1, abs=0.03)


def test_a_row_counts_once_however_often_it_was_repeated() -> None:
    found = moved_by("repetition", "repeated", [change(0.5, 0.7, 0.3), change(0.5, 0.5, 0.5)])
    assert found.rows == 2
    assert found.size == pytest.approx(0.1)
    assert found.change is not None
    assert found.change.value == 0
    assert found.same is not None
    assert found.same.value == 0.5


def test_rows_that_lost_their_score_are_told_and_no_change_is_made_of_them() -> None:
    found = moved_by("order", "reversed", [change(1.0), change(1.0, 1.0)])
    assert (found.rows, found.lost) == (1, 1)
    nothing = moved_by("order", "reversed", [change(1.0)])
    assert (nothing.rows, nothing.lost) == (0, 1)
    assert (nothing.change, nothing.size, nothing.same, nothing.flipped, nothing.moves) == (
        None,
        None,
        None,
        None,
        False,
    )


def test_a_label_that_changes_in_any_repetition_flips() -> None:
    flips = Change(Scored(0.5, "a"), (Scored(0.5, "a"), Scored(0.5, "b")))
    found = moved_by("repetition", "repeated", [flips, change(0.5, 0.5)])
    assert found.flipped is not None
    assert found.flipped.value == 0.5


def test_length_is_a_bias_only_where_quality_does_not_explain_it() -> None:
    """Long answers are better here; one judge sees that, the other one is fond of length as well."""
    rng = random.Random(6)
    quality = [rng.random() for _ in range(400)]
    lengths = [100 * (one + rng.random()) for one in quality]
    honest = [min(1.0, max(0.0, one + rng.uniform(-0.2, 0.2))) for one in quality]
    fond = [one + length / 300 for one, length in zip(honest, lengths, strict=True)]
    assert not length_bias(honest, lengths, quality, "label").moves
    found = length_bias(fond, lengths, quality, "label")
    assert found.moves
    assert found.given_quality is not None
    assert found.given_quality.lower > 0


def test_few_rows_tell_no_correlation() -> None:
    some = [float(number) for number in range(MIN_ROWS - 1)]
    found = length_bias(some, some, some, "coverage")
    assert (found.rows, found.plain, found.given_quality, found.moves) == (MIN_ROWS - 1, None, None, False)


MANY = [float(number) for number in range(20)]
SAME = [1.0] * 20
OTHERS = [float(number * 7 % 20) for number in range(20)]


@pytest.mark.parametrize(
    ("scores", "lengths", "qualities", "constant"),
    [
        (SAME, MANY, OTHERS, ("score",)),
        (MANY, SAME, OTHERS, ("length",)),
        (MANY, OTHERS, SAME, ("quality",)),
        (SAME, SAME, SAME, ("score", "length", "quality")),
        (MANY, OTHERS, MANY, ()),
        (MANY, OTHERS, [*MANY[1:], 3.0], ()),
    ],
)
def test_what_is_the_same_on_all_rows_is_named_and_costs_no_more_than_it_must(
    scores: list[float], lengths: list[float], qualities: list[float], constant: tuple[str, ...]
) -> None:
    found = length_bias(scores, lengths, qualities, "coverage")
    assert found.constant == constant
    assert (found.plain is None) == (not {"score", "length"}.isdisjoint(constant))
    assert (found.given_quality is None) == (bool(constant) or qualities == scores)
