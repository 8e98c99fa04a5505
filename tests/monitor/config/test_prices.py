from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config.judges import LlmJudge
from monitor.config.prices import Price, dearest, price_of

TABLE = {
    "m": Price(input=1, output=2),
    "m-pro": Price(input=10, output=20),
    "open-*": Price(input=3, output=4),
    "open-small*": Price(input=0, output=0),
    "house/own": Price(input=5, output=6),
}


@pytest.mark.parametrize(
    ("model", "entry"),
    [
        ("m", "m"),
        ("m-2026-05-01", "m"),
        ("m-20260501", "m"),
        ("m@20260501", "m"),
        ("m-0613", "m"),
        ("m:latest", "m"),
        ("m-pro-2026-05-01", "m-pro"),
        ("gateway/m-2026-05-01", "m"),
        ("open-large-v2", "open-*"),
        ("open-small-v2", "open-small*"),
        ("house/own", "house/own"),
        ("m-mini", None),
        ("m2-pro", None),
        ("own", None),
        ("other", None),
        ("", None),
    ],
)
def test_an_entry_prices_its_model_and_the_snapshots_of_it_but_no_sibling(model: str, entry: str | None) -> None:
    assert price_of(TABLE, model) == (TABLE[entry] if entry else None)


def test_each_kind_of_token_has_its_price() -> None:
    price = Price(input=4, cached_input=1, cache_write=5, output=10)
    assert price.cost(1_000_000, 2_000_000, 3_000_000, 4_000_000) == 4 + 2 + 15 + 40


def test_cached_tokens_without_a_price_of_their_own_cost_as_the_others() -> None:
    assert Price(input=4, output=0).cost(1, 2, 3, 0) == pytest.approx(6 * 4 / 1e6)


amounts = st.floats(0, 1e6)
prices = st.builds(
    Price, input=amounts, output=amounts, cached_input=st.none() | amounts, cache_write=st.none() | amounts
)
counts = st.integers(0, 10**7)


@given(st.lists(prices, min_size=1, max_size=5), counts, counts, counts, counts)
def test_the_dearest_price_is_below_none(table: list[Price], fresh: int, cached: int, written: int, out: int) -> None:
    worst = dearest({str(number): price for number, price in enumerate(table)})
    most = max(price.cost(fresh, cached, written, out) for price in table)
    assert worst.cost(fresh, cached, written, out) >= most * (1 - 1e-9)


def test_without_any_price_nothing_is_charged() -> None:
    assert dearest({}).cost(1, 1, 1, 1) == 0


def test_prices_of_the_judge_itself_are_an_entry_for_its_model() -> None:
    judge = LlmJudge(base_url="https://j.example", model="m-pro", prices=TABLE, input_price=7, output_price=8)
    assert price_of(judge.price_table, "m-pro-2026-05-01") == Price(input=7, output=8)
    assert price_of(judge.price_table, "m") == TABLE["m"]
