"""Rules of amounts in halves and quarters of a unit."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.measures import Said
from monitor.judges.text.amounts.unit_parts import parts_in
from monitor.judges.text.tokens import normalise


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("a quarter of an hour", "time", 900.0),
        ("a quarter-hour walk", "time", 900.0),
        ("half an hour's walk, half a decade", "calendar", 60.0),
        ("three quarters of an hour", "time", 2700.0),
        ("three-quarters of an hour", "time", 2700.0),
        ("an hour and a half", "time", 5400.0),
        ("An hour and a quarter", "time", 4500.0),
        ("two hours and three quarters", "time", 9900.0),
        ("one and a quarter hours", "time", 4500.0),
        ("a year and a half", "calendar", 18.0),
        ("半个钟头", "time", 1800.0),
        ("半年", "calendar", 6.0),
        ("一年半", "calendar", 18.0),
        ("两年半后", "calendar", 30.0),
        ("一个半月", "calendar", 1.5),
        ("一个半钟头", "time", 5400.0),
        ("两公里半", "length", 2_500_000.0),
    ],
)
def test_a_part_of_a_unit_has_its_size(text: str, kind: str, value: float) -> None:
    assert Said(kind, value) in [said for part in parts_in(normalise(text)) for said in part.said]


@pytest.mark.parametrize(
    "text", ["下半年", "前半个月", "一年半载", "三天半夜", "half of them an hour", "the last quarter"]
)
def test_what_only_looks_like_a_part_is_none(text: str) -> None:
    assert not list(parts_in(normalise(text)))


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The tour takes a quarter of an hour on foot.", "The tour takes 15 minutes on foot."),
        ("The tour takes 45 minutes on foot.", "The tour takes three quarters of an hour on foot."),
        ("The tour takes an hour and a half on foot.", "The tour takes 90 minutes on foot."),
        ("The tour takes 90 minutes on foot.", "The tour takes an hour and a half on foot."),
        ("Within 90 minutes.", "Within an hour and a half."),
        ("The tour takes 90 minutes on foot.", "The tour takes one and a half hours on foot."),
        ("The tour takes an hour and 20 minutes on foot.", "The tour takes 80 minutes on foot."),
        ("Returns are accepted within a fortnight.", "Returns are accepted within 14 days."),
        ("Returns are accepted within two weeks.", "Returns are accepted within one fortnight."),
        ("The lease runs for two decades.", "The lease runs for 20 years."),
        ("The lease runs for 20 years.", "The lease runs for two decades."),
        ("全程步行需要一刻钟。", "全程步行需要15分钟。"),
        ("全程步行需要三刻钟。", "全程步行需要45分钟。"),
        ("全程步行需要半个钟头。", "全程步行需要30分钟。"),
        ("全程步行需要90分钟。", "全程步行需要一个半小时。"),
        ("全程步行需要一小时一刻钟。", "全程步行需要75分钟。"),
        ("试用期为一年半。", "试用期为18个月。"),
    ],
)
def test_a_part_of_a_unit_is_supported_in_a_smaller_one(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "supported"


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The tour takes a quarter of an hour on foot.", "The tour takes 25 minutes on foot."),
        ("The tour takes an hour and a half on foot.", "The tour takes 150 minutes on foot."),
        ("The lease runs for two decades.", "The lease runs for 30 years."),
        ("The trial runs for a month.", "The trial runs for 30 days."),
        ("试用期为一年半。", "试用期为15个月。"),
        ("下半年开始试用。", "试用期为6个月。"),
    ],
)
def test_another_amount_is_not_and_a_month_is_no_number_of_days(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "unsupported"


def test_a_month_has_the_days_that_a_text_gives_it() -> None:
    (piece,) = assess("The trial runs for 30 days.", ["The trial runs for a month (30 days)."]).evidence
    assert piece.label == "supported"
