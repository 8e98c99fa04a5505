"""Rules of parts of a whole."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.shares import Share, shares_in


def _label(passage: str, answer: str) -> str:
    (piece,) = assess(answer, [passage]).evidence
    return piece.label


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("In the city 2 of 4 sites are open.", "In the city 50% of the sites are open."),
        ("In the city 2 of the 4 sites are open.", "In the city 50% of the sites are open."),
        ("In the city 2 of 4 sites are open.", "In the city half of the sites are open."),
        ("They recover 20% of parcels.", "They recover 1 in 5 parcels."),
        ("They recover 20% of parcels.", "They recover 20 out of 100 parcels."),
        ("They recover 20% of parcels.", "They recover 2 of every 10 parcels."),
        ("They recover 75% of parcels.", "They recover 3 out of 4 parcels."),
    ],
)
def test_who_has_counts_has_the_part_and_a_rate_is_a_part(passage: str, answer: str) -> None:
    assert _label(passage, answer) == "supported"


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("They opened 1 of 2 sites in the city.", "They opened 2 of 4 sites in the city."),
        ("They opened 50% of the sites in the city.", "They opened 2 of 4 sites in the city."),
        ("They opened half of the sites in the city.", "They opened 2 out of 4 sites in the city."),
        ("They recover 76% of parcels.", "They recover 13 out of 17 parcels."),
        ("They ranked at 285 in 2012 on the list.", "They ranked at 302 in 2012 on the list."),
    ],
)
def test_a_part_does_not_say_how_many_of_how_many(passage: str, answer: str) -> None:
    assert _label(passage, answer) == "unsupported"


def test_a_part_of_a_known_whole_says_how_many() -> None:
    assert _label("Of the 4 sites in the city 50% are open.", "In the city 2 of 4 sites are open.") == "supported"


def test_a_share_has_its_numbers_and_hundredths() -> None:
    assert list(shares_in("30%, 三成半, 2 of 4, one in 5")) == [
        Share(("30",), (0, 3), 30.0),
        Share((), (5, 8), 35.0),
        Share(("2",), (10, 16), 50.0, counted=True, beside="4"),
        Share(("5",), (18, 26), 20.0, counted=True),
    ]


@pytest.mark.parametrize("text", ["5 of 4", "0 of 4", "second half", "half an hour", "half-time"])
def test_what_only_looks_like_one_is_no_share(text: str) -> None:
    assert not list(shares_in(text))
