from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.decode.times import END_NS, read_time

NOON = 1_795_953_600  # 2026-11-29T12:00:00Z


@pytest.mark.parametrize(
    ("value", "nanoseconds"),
    [
        ("2026-11-29T12:00:00Z", NOON * 10**9),
        ("2026-11-29T12:00:00", NOON * 10**9),
        (" 2026-11-29 12:00:00.5 ", NOON * 10**9 + 500_000_000),
        ("2026-11-29T20:00:00+08:00", NOON * 10**9),
        ("2026-11-29T12:00:00.123456789Z", NOON * 10**9 + 123_456_789),
        ("2026-11-29T12:00:00,1234567891Z", NOON * 10**9 + 123_456_789),
        ("2026-11-29", NOON * 10**9 - 12 * 3600 * 10**9),
        (NOON, NOON * 10**9),
        (NOON + 0.123456, NOON * 10**9 + 123_456_000),
        (NOON * 10**3 + 1, NOON * 10**9 + 1_000_000),
        (NOON * 10**6 + 1, NOON * 10**9 + 1_000),
        (NOON * 10**9 + 1, NOON * 10**9 + 1),
        (str(NOON), NOON * 10**9),
        (f"{NOON}.25", NOON * 10**9 + 250_000_000),
        (0, 0),
    ],
)
def test_iso_and_epoch_times_are_read_to_the_nanosecond(value: str | float, nanoseconds: int) -> None:
    assert read_time(value) == nanoseconds


@pytest.mark.parametrize(
    "value",
    [
        "",
        "noon",
        "12:00",
        "2026-13-01",
        "9999-01-01",
        "1969-12-31T23:59:59Z",
        -1,
        10**30,
        1e300,
        math.nan,
        math.inf,
        True,
    ],
)
def test_anything_else_is_refused(value: str | float) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_time(value)


@given(st.integers(2 * 10**8, 7_258_118_399))
def test_seconds_and_their_thousands_are_told_apart_by_magnitude(seconds: int) -> None:
    """From 1976 to 2199: the same moment in all four units."""
    assert {read_time(seconds * 10**power) for power in (0, 3, 6, 9)} == {seconds * 10**9}


@given(st.text())
def test_no_text_gives_anything_but_a_time_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert 0 <= read_time(text) < END_NS
