from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy import scan
from monitor.privacy.credentials import private_keys
from monitor.privacy.folding import fold
from monitor.privacy.patterns import Span, join
from monitor.privacy.personal import NUMBERS
from monitor.privacy.scan import KINDS, fingerprint, scan_text, scan_texts, value_of

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
    # what the gates and the search around long numbers and tokens go through
    *("key", "key: ", "pass is ", "key: abcdef1 ", "密码是abc1", "1" + " " * 99, "1(", "1234567x", "1" * 15 + "x" * 50),
    *(
        "sk-aaaaaaaaaaaaa ",
        "a" * 15 + " ",
        "AKIA" + "a" * 15 + ".",
        "aA1!aA1!aA1! ",
        ":1",
        "1.1.",
        "\u2013\u00a0\uff11",
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


def everywhere(text: str) -> list[Span]:
    """What is found when each pattern searches the whole text, whatever its gate says."""
    folded = fold(text)
    candidates = [span for pattern in scan._ALL if pattern not in NUMBERS for span in pattern.find(folded.text)]
    if re.search(r"[0-9](?:[ ().-]{0,3}[0-9]){6}", folded.text):
        candidates += [span for pattern in NUMBERS for span in pattern.find(folded.text)]
    found = join([*candidates, *private_keys(folded.text)])
    return [Span(span.kind, *folded.span(span.start, span.end)) for span in found]


SAMPLES = (
    *(
        "li@example.com",
        "1.2.3.4",
        "fe80::1:2",
        "de89 3704 0044 0532 0130 00",
        "IBAN gb82west12345698765432",
        "微信号 abc_123",
    ),
    *(
        "QQ:12345678",
        "driver's license is A1234567",
        "护照号：E12345678",
        "AKIA" + "A1" * 8,
        "SG." + "a1" * 11 + "." + "b" * 43,
    ),
    *("AccountKey=" + "a+/" * 14, "https://hooks.slack.com/services/T0/B0/abcdefghij", "12345678:AA" + "b" * 33),
    *("eyJaaaaaaaa.eyJbbbbbbbb.cccccccc", "redis://:pass@host/0", "token: abc123XYZ", "密码：a1b2c3d4"),
    *(
        "Zx9!kQ2#pL7a",
        "key " + "0af3" * 8,
        "ya29." + "a1" * 10,
        "-----BEGIN PRIVATE KEY-----\nabc",
        "\u212aey: abc123XYZ",
    ),
    *("11010519491231002X", "4111 1111 1111 1111", "123-45-6789", "+86 138-0013-8000", "(010) 62345678转1234"),
    *(
        "400-810-8888",
        "+1 (415) 555-2671",
        "call 1  2  3  4  5  6  7",
        "reach her at (415) 555-2671 ext. 12",
        "12345678 mobile",
    ),
    *(
        "2024-01-15 10:30:00",
        "1     2     3     4",
        "tel 555 12",
        " ",
        "，",
        "\n",
        ".",
        "x",
        "\u2013",
        "\u200b",
        "ab",
        "1",
    ),
)


@given(st.lists(st.sampled_from(SAMPLES) | st.text("0123456789 -+.x", max_size=9), max_size=6))
def test_gates_lose_no_hit_and_add_none(parts: list[str]) -> None:
    text = "".join(parts)
    assert [replace(span, value="") for span in scan_text(text, KINDS)] == everywhere(text)


@given(st.lists(st.lists(st.sampled_from(SAMPLES), max_size=3).map("".join), max_size=4))
def test_texts_that_are_scanned_together_have_the_hits_of_each_alone(texts: list[str]) -> None:
    assert scan_texts(texts, KINDS) == [scan_text(text, KINDS) for text in texts]


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
