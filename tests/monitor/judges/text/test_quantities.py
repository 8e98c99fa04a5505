"""Rules of amounts in several units."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.quantities import amounts_of, quantities_in
from monitor.judges.text.tokens import tokenize

ALIKE = [
    ("It weighs 2 tonnes.", "It weighs 2,000 kg."),
    ("The tour takes 90 minutes.", "The tour takes 1.5 hours."),
    ("The tour takes one and a half hours.", "The tour takes 90 minutes."),
    ("The warranty is two years.", "The warranty is 24 months."),
    ("The warranty is a year.", "The warranty is 12 months."),
    ("The route is 1.5-2.5 km long.", "The route is 1500 m long."),
    ("Cancel within two days.", "Cancel within 48 hours."),
    ("The plan has 2 TB of space.", "The plan has 2000 GB of space."),
    ("The plan has 2 TB of space.", "The plan has 2048 GB of space."),
    ("重量为两斤。", "重量为1公斤。"),
    ("全程90分钟。", "全程1.5小时。"),
    ("试用期为半年。", "试用期为6个月。"),
    ("路程为3千米。", "路程为3000米。"),
    ("有效期一年。", "有效期12个月。"),
]
OTHER = [
    ("It weighs 2 tonnes.", "It weighs 3,000 kg."),
    ("The warranty is two years.", "The warranty is 30 months."),
    ("It costs 60 euros a month.", "It costs 720 euros a year."),
    ("It is 5 feet deep.", "It is 1.5 metres deep."),
    ("重量为两斤。", "重量为3公斤。"),
]


@pytest.mark.parametrize(("passage", "answer"), ALIKE)
def test_an_amount_is_supported_in_another_unit_of_its_system(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "supported"


@pytest.mark.parametrize(("passage", "answer"), OTHER)
def test_another_amount_is_not(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "unsupported"


@pytest.mark.parametrize(("passage", "answer"), [*ALIKE, *OTHER])
def test_an_amount_as_it_is_written_is_supported_whatever_it_is_converted_to(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage, answer]).evidence
    assert piece.label == "supported"


def test_a_number_without_a_unit_is_no_amount() -> None:
    assert not quantities_in("room 12 of 40, chapter 3: see page 7, 10.0.0.1")
    assert not list(amounts_of(tokenize("It has 12 rooms, 40 guests and 3.5 stars").words))
