"""Rules of fingerprints."""

import math

import pytest

from monitor.judges.identity import fingerprint


def test_the_same_parts_give_the_same_12_hex_characters_in_any_process() -> None:
    assert fingerprint("embedded", 1, {"b": 2.5, "a": [1, 2]}) == fingerprint("embedded", 1, {"a": [1, 2], "b": 2.5})
    assert fingerprint("embedded") == "245a2c7c7f50"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("a", "b"), ("b", "a")),
        (("ab",), ("a", "b")),
        (("1",), (1,)),
        ((), ("",)),
        (({"a": 1},), ({"a": 2},)),
        (("提示",), ("提醒",)),
    ],
)
def test_different_parts_differ(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert fingerprint(*left) != fingerprint(*right)


def test_a_part_that_is_not_a_finite_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        fingerprint(math.nan)
