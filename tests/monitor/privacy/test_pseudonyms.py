from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy.pseudonyms import Pseudonyms

NAMES = Pseudonyms(b"a key of the tests")


def test_the_same_id_gets_the_same_pseudonym_under_one_key_only() -> None:
    assert NAMES.of("user", "u1") == Pseudonyms(b"a key of the tests").of("user", "u1")
    assert NAMES.of("user", "u1") != Pseudonyms(b"another key").of("user", "u1")


def test_ids_of_different_purposes_cannot_be_linked() -> None:
    assert NAMES.of("user", "1") != NAMES.of("session", "1")


def test_unicode_forms_of_one_id_are_one() -> None:
    assert NAMES.of("user", "13800138000") == NAMES.of("user", " \uff11\uff13800138000 ")


def test_a_pseudonym_names_its_key() -> None:
    assert NAMES.of("user", "u1").startswith(f"{NAMES.key_id}.")
    assert NAMES.key_id != Pseudonyms(b"another key").key_id


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Pseudonyms(b"")


@given(st.text(min_size=1))
def test_no_id_raises_and_a_pseudonym_stays_one(identifier: str) -> None:
    pseudonym = NAMES.of("user", identifier)
    assert len(pseudonym) == 41
    assert NAMES.of("user", pseudonym) == pseudonym
