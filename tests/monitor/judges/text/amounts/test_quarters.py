"""Rules of quarters of a year."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.quarters import quarters_in
from monitor.judges.text.tokens import normalise


@pytest.mark.parametrize(
    "text", ["in Q3 2021", "the third quarter", "the 3rd quarter", "2021年第三季度", "三季度", "第3季度"]
)
def test_a_quarter_is_told_by_its_number(text: str) -> None:
    assert [number for _, number in quarters_in(normalise(text))] == [3.0]


@pytest.mark.parametrize(
    "text", ["a quarter", "Q5", "FAQ3", "Q31", "the first quarter of an hour", "13季度", "first quarter-mile"]
)
def test_other_quarters_are_none_of_a_year(text: str) -> None:
    assert not list(quarters_in(normalise(text)))


@pytest.mark.parametrize(
    ("passage", "right", "wrong"),
    [
        ("Sales were 40 in the first quarter.", "Sales were 40 in Q1.", "Sales were 40 in Q2."),
        ("Sales fell in Q3 of that year.", "Sales fell in Q3 of that year.", "Sales fell in Q4 of that year."),
        ("2021年第三季度销售额为40万元。", "2021年Q3销售额为40万元。", "2021年Q4销售额为40万元。"),
        ("2021年Q3销售额为40万元。", "2021年第三季度销售额为40万元。", "2021年第四季度销售额为40万元。"),
        ("A quarter of staff left.", "25% of staff left.", "40% of staff left."),
        ("25% of staff left.", "A quarter of staff left.", "70% of staff left."),
    ],
)
def test_a_quarter_is_held_in_either_way_to_write_it(passage: str, right: str, wrong: str) -> None:
    (held,), (other,) = (assess(answer, [passage]).evidence for answer in (right, wrong))
    assert held.label == "supported"
    assert other.label == "unsupported"
