from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.sampling.randomness import MAX, from_key, from_trace, head_threshold, probability, threshold

TRACE_ID = "5f0c1d2e3a4b4c5d8e9fa0b1c2d3e4f5"


def test_r_is_the_last_seven_bytes_of_the_trace_id() -> None:
    assert from_trace(TRACE_ID) == 0x9FA0B1C2D3E4F5


def test_rv_replaces_the_trace_id() -> None:
    assert from_trace(TRACE_ID, "vendor=x, ot=th:8;rv:0123456789abcd,other=rv:1") == 0x0123456789ABCD


@pytest.mark.parametrize("state", ["ot=rv:123", "ot=rv:0123456789abcg", "other=rv:0123456789abcd", "ot", "ot=rv", ",,"])
def test_an_rv_that_is_not_fourteen_hex_digits_of_the_ot_entry_is_no_rv(state: str) -> None:
    assert from_trace(TRACE_ID, state) == from_trace(TRACE_ID)


@given(st.text())
def test_any_other_id_is_hashed_into_the_range(trace_id: str) -> None:
    assert 0 <= from_trace(trace_id) < MAX
    assert from_trace(trace_id) == from_trace(trace_id)


def test_hashed_ids_are_uniform() -> None:
    drawn = [from_trace(f"request-{number}") / MAX for number in range(20_000)]
    assert abs(sum(drawn) / len(drawn) - 0.5) < 4 / (12 * len(drawn)) ** 0.5


@given(st.binary(min_size=16, max_size=16), st.booleans())
def test_the_key_gives_the_same_r_as_the_trace_id(raw: bytes, upper: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    key = raw.hex().upper() if upper else raw.hex()
    assert from_key(key.encode()) == from_trace(raw.hex())


@pytest.mark.parametrize("key", [None, b"", b"user-1", b"0" * 31, b"0" * 33, b"g" * 32, b"+" + b"0" * 31])
def test_a_key_that_is_not_a_trace_id_is_not_trusted(key: bytes | None) -> None:
    assert from_key(key) is None


@pytest.mark.parametrize("blank", [b" ", b"_", b"\n"])
def test_a_key_with_characters_that_int_would_forgive_is_not_trusted(blank: bytes) -> None:
    assert from_key(b"0" * 20 + blank + b"0" * 11) is None


@given(st.binary(max_size=64))
def test_no_key_raises(key: bytes) -> None:
    assert from_key(key) is None or len(key) == 32


@pytest.mark.parametrize(
    ("state", "count"),
    [("ot=th:0", 1), ("ot=th:8", 2), ("ot=th:c", 4), ("a=b,ot=rv:0123456789abcd;th:fd70a4", 100)],
)
def test_th_gives_the_adjusted_count(state: str, count: int) -> None:
    head = head_threshold(state)
    assert head is not None
    assert 1 / probability(head) == pytest.approx(count, rel=1e-6)


@pytest.mark.parametrize("state", ["", "ot=rv:0123456789abcd", "ot=th:", "ot=th:xyz", "ot=th:" + "0" * 15, "x=th:8"])
def test_without_a_readable_th_nothing_is_known_of_head_sampling(state: str) -> None:
    assert head_threshold(state) is None


def test_the_rate_zero_is_never() -> None:
    assert threshold(0) == MAX
    assert probability(MAX) == 0


@given(st.integers(1, 1_000_000_000))
def test_a_threshold_keeps_one_in_k_as_near_as_integers_allow(one_in: int) -> None:
    kept = MAX - threshold(one_in)
    assert abs(kept * one_in - MAX) <= one_in / 2


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_a_larger_rate_has_a_lower_threshold(first: int, second: int) -> None:
    low, high = sorted((first, second))
    assert threshold(low) <= threshold(high)


def test_an_id_is_kept_as_often_as_its_probability_says() -> None:
    rng = random.Random(1)
    n, one_in = 40_000, 7
    kept = sum(from_trace(f"{rng.getrandbits(128):032x}") >= threshold(one_in) for _ in range(n))
    assert abs(kept - n / one_in) < 4 * (n * (1 / one_in) * (1 - 1 / one_in)) ** 0.5
