"""A discount is said by what it takes off or by what is left; taking off what another one leaves is not the same."""

import pytest

from monitor.judges.text.amounts.discounts import discounts_in
from monitor.judges.text.tokens import normalise


@pytest.mark.parametrize(
    ("text", "off"),
    [
        *(("会员享七折", 30), ("会员享八五折", 15), ("8.5折", 15), ("五折优惠", 50), ("半价", 50), ("优惠30%", 30)),
        *(("减免百分之三十", 30), ("30%的优惠", 30), ("按原价的70%收取", 30), ("票价的70%", 30), ("30% off", 30)),
        *(("a 30% discount", 30), ("a discount of 30 %", 30), ("reduction of 30 per cent", 30), ("half price", 50)),
        *(("half off", 50), ("half-price tickets", 50), ("pay 70% of the full price", 30), ("30% cheaper", 30)),
    ],
)
def test_a_discount_is_what_it_takes_off(text: str, off: float) -> None:
    assert [found.off for found in discounts_in(normalise(text))] == [off]


@pytest.mark.parametrize(
    "text",
    [
        "优惠30元",
        "降价30元",
        "三折叠",
        "30% of guests",
        "30% of the members",
        "half of it",
        "half a day",
        "一打折",
        "30 off",
    ],
)
def test_other_amounts_are_none(text: str) -> None:
    assert not list(discounts_in(normalise(text)))
