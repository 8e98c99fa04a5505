from __future__ import annotations

import pytest

from monitor.traces.tracestate import adjusted_count, ot_entry, sampling_state


@pytest.mark.parametrize(
    ("state", "count"),
    [
        ("", 1.0),
        ("ot=th:0", 1.0),
        ("ot=th:8", 2.0),
        ("ot=th:c,vendor=abc", 4.0),
        ("vendor=abc, ot=rv:0123456789abcd;th:fd70a4", 100.0),
        ("ot=rv:0123456789abcd", 1.0),
        ("ot=th:", 1.0),
        ("ot=th:xyz", 1.0),
        ("ot=th:123456789abcdef", 1.0),
        ("other=th:8", 1.0),
    ],
)
def test_the_threshold_gives_the_weight(state: str, count: float) -> None:
    assert adjusted_count(state) == pytest.approx(count, rel=1e-6)


def test_the_largest_threshold_is_finite() -> None:
    assert adjusted_count("ot=th:ffffffffffffff") == 2.0**56


def test_sub_keys_are_told_apart() -> None:
    assert ot_entry("a=1,ot=th:8;rv:0123456789abcd;x") == {"th": "8", "rv": "0123456789abcd", "x": ""}


def test_a_threshold_counts_more_than_a_nearer_entry_without_one() -> None:
    assert sampling_state(["", "x=1", "ot=rv:0123456789abcd", "ot=th:8", "ot=th:c"]) == "ot=th:8"
    assert sampling_state(["x=1", "ot=rv:0123456789abcd", "ot=rv:1123456789abcd"]) == "ot=rv:0123456789abcd"
    assert sampling_state([]) == ""
