from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy.scan import KINDS, fingerprint, scan_text, value_of

MEGABYTE = 1_000_000
HOSTILE = [
    *("a", "a.", "a@", "a@b.", "a@" + "b." * 9, "x" * 63 + "@", "1", "1 ", "1-", "1.", "(1", "+1", "11 (", "00 1 "),
    *("4111 1111 1111 1111 ", "13812345678 ", "phone 1", "电话1", "1.1.1.1.", "::", "f:", "GB12 ", "A1B2 ", "1３"),
    *(
        "a://b:",
        "a://a:",
        "eyJ",
        "eyJaaaaaaaaa.",
        "sk-a",
        "AKID",
        "xoxb-1",
        "password:",
        "password: a1",
        "密码是",
        "f" * 32,
    ),
    *("-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "aA1!", "微信号a", "\u200b1", "<EMAIL_1>"),
]


def wide(text: str) -> str:
    """The full-width form of ASCII text."""
    return "".join(chr(ord(char) + 0xFEE0) for char in text)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_time_linear_in_its_length(unit: str) -> None:
    """Bounded by CPU time: about 1 s at worst here; anything quadratic would take hours."""
    text = (unit * (MEGABYTE // 4 // len(unit) + 1))[: MEGABYTE // 4]
    start = time.process_time()
    scan_text(text, KINDS)
    assert time.process_time() - start < 5


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_whole_megabyte(unit: str) -> None:
    start = time.process_time()
    scan_text((unit * (MEGABYTE // len(unit) + 1))[:MEGABYTE], KINDS)
    assert time.process_time() - start < 10


@given(st.text() | st.text("0123456789 +-().:@/aA!密码\ud83e\u200b１"))
def test_no_text_raises_and_spans_are_in_order_without_overlap(text: str) -> None:
    done = 0
    for span in scan_text(text, KINDS):
        assert done <= span.start < span.end <= len(text)
        assert span.kind in KINDS
        done = span.end


def test_only_wanted_kinds_are_found() -> None:
    text = "a@example.com 13800138000"
    assert [span.kind for span in scan_text(text, ["phone"])] == ["phone"]
    assert scan_text(text, []) == []


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("phone", "+86 138-0013-8000", "13800138000"),
        ("phone", wide("13800138000"), "13800138000"),
        ("email", "Li@Example.COM", "li@example.com"),
        ("card", "4111 1111 1111 1111", "4111111111111111"),
        ("resident_id", "11010519491231002x", "11010519491231002X"),
        ("iban", "de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    ],
)
def test_spellings_of_one_value_are_equal(kind: str, first: str, second: str) -> None:
    assert value_of(kind, first) == value_of(kind, second)


def test_the_fingerprint_is_twelve_hex_characters_and_stays() -> None:
    assert fingerprint() == fingerprint()
    assert len(fingerprint()) == 12
    assert int(fingerprint(), 16) >= 0
