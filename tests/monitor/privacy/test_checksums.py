from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy.checksums import iban, luhn, resident_id


@pytest.mark.parametrize("number", ["4111111111111111", "5555555555554444", "378282246310005", "6200000000000005"])
def test_published_test_cards_pass(number: str) -> None:
    assert luhn(number)


def test_the_empty_number_does_not_pass() -> None:
    assert not luhn("")


@given(st.text("0123456789", min_size=1, max_size=20), st.data())
def test_luhn_finds_every_single_wrong_digit(digits: str, data: st.DataObject) -> None:
    check = next(c for c in "0123456789" if luhn(digits + c))
    place = data.draw(st.integers(0, len(digits) - 1))
    wrong = data.draw(st.sampled_from(sorted(set("0123456789") - {digits[place]})))
    assert not luhn(digits[:place] + wrong + digits[place + 1 :] + check)


@given(st.text("0123456789", min_size=1, max_size=20))
def test_exactly_one_check_digit_fits(digits: str) -> None:
    assert sum(luhn(digits + c) for c in "0123456789") == 1


def test_the_example_of_the_standard_passes_in_either_case() -> None:
    assert resident_id("11010519491231002X")
    assert resident_id("11010519491231002x")


@pytest.mark.parametrize(
    "number",
    ["", "11010519491231002", "110105194912310021", "99010519491231002X", "11010519491331002X", "11010519490229002X"],
    ids=["empty", "short", "wrong check", "no such region", "month 13", "29 February of a common year"],
)
def test_other_numbers_are_no_resident_ids(number: str) -> None:
    assert not resident_id(number)


@given(st.integers(0, 10**17 - 1))
def test_of_one_stem_at_most_one_check_character_fits(stem: int) -> None:
    assert sum(resident_id(f"{stem:017d}{c}") for c in "0123456789X") <= 1


@pytest.mark.parametrize("number", ["GB82WEST12345698765432", "DE89370400440532013000"])
def test_ibans_of_the_registry_pass(number: str) -> None:
    assert iban(number)
    assert not iban(number[:-1] + str((int(number[-1]) + 1) % 10))
    assert not iban(number[:10])
