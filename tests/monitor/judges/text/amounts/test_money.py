"""Rules of money whose thousands are parted by a point."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.money import Money, thousands_in


@pytest.mark.parametrize(
    "text", ["€1.250", "1.250 €", "EUR 1.250", "1.250 euros", "CHF 1.250", "kr 1.250.", "1.250€,", "€1.250 a night"]
)
def test_three_digits_behind_a_point_beside_a_currency_may_be_thousands(text: str) -> None:
    assert list(thousands_in(text)) == [Money(1250, "1.25", pointed=True)]


@pytest.mark.parametrize(
    "text",
    [
        *("1.250 kg", "€1.25", "€1.2500", "€1.250.000", "€0.250", "€1.250 million", "$1.250bn", "v1.250", "1.250元"),
        *("$1.250", "£1.250", "1.250 dollars", "€1.459 a litre", "1.459 euros per litre", "1.459 €/l"),
        "€1.095 per dollar",
    ],
)
def test_others_are_not(text: str) -> None:
    assert not list(thousands_in(text))


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The fee is €1,250 a year.", "The fee is €1.250 a year."),
        ("The fee is 1.250 € a year.", "The fee is 1250 euros a year."),
        ("The fee is €1.250 a year.", "The fee is €1.250 a year."),
        ("The fee is CHF 1’250.00 a year.", "The fee is CHF 1250 a year."),
        ("The fee is CHF 1250 a year.", "The fee is CHF 1'250 a year."),
        ("The fee is 1.250,00 € a year.", "The fee is €1,250 a year."),
        ("Price (€): 1.459 a litre of fuel.", "The price is €1.459 a litre of fuel."),
    ],
)
def test_it_is_held_in_either_reading(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "supported"


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The fee is €1,250 a year.", "The fee is €1.350 a year."),
        ("The fee is €1.250 million a year.", "The fee is €1,250 a year."),
        ("The fee is 1.250 kg a year.", "The fee is 1250 kg a year."),
        ("Fuel costs €1.459 a litre.", "Fuel costs €1459 a litre."),
        ("Fuel was $3.499 per gallon.", "Fuel was $3,499 per gallon."),
        ("The rate is 1.095 dollars per euro.", "The rate is $1,095 per euro."),
    ],
)
def test_another_amount_is_not(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "unsupported"
