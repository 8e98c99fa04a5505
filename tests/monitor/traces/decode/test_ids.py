"""Ids of OTLP/JSON: hex as OTLP says, base64 as protobuf's own JSON mapping has it, told apart by length."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.decode.ids import otlp_parent_text, otlp_span_text, otlp_trace_text, parent_hex, span_hex, trace_hex

RAW = bytes.fromhex("5b8efff798038103d269b633813fc60c")


@given(st.binary(min_size=16, max_size=16) | st.just(bytes(16)))
def test_a_trace_id_reads_the_same_in_every_spelling(raw: bytes) -> None:
    want = trace_hex(raw)
    standard, url_safe = base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()

    assert [otlp_trace_text(text) for text in (raw.hex(), raw.hex().upper())] == [want, want]
    assert [otlp_trace_text(text) for text in (standard, url_safe)] == [want, want]
    assert [otlp_trace_text(text.rstrip("=")) for text in (standard, url_safe)] == [want, want]


@given(st.binary(min_size=8, max_size=8) | st.just(bytes(8)))
def test_a_span_id_reads_the_same_in_every_spelling(raw: bytes) -> None:
    standard, url_safe = base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()

    for text in (raw.hex(), raw.hex().upper(), standard, url_safe, standard.rstrip("="), url_safe.rstrip("=")):
        assert (otlp_span_text(text), otlp_parent_text(text)) == (span_hex(raw), parent_hex(raw))


@given(st.binary(max_size=40).filter(lambda raw: len(raw) not in {8, 16}))
def test_base64_of_another_length_is_no_id(raw: bytes) -> None:
    text = base64.b64encode(raw).decode()

    assert (otlp_trace_text(text), otlp_span_text(text)) == (None, None)
    assert otlp_parent_text(text) == (None if text else "")


@given(st.text("0123456789abcdefABCDEF", max_size=40))
def test_hex_digits_of_another_length_are_hex_of_no_id_unless_they_have_the_length_of_base64(text: str) -> None:
    """32 and 16 digits are always hex; 22 and 11 can only be base64."""
    if len(text) not in {22, 32}:
        assert otlp_trace_text(text) is None
    if len(text) not in {11, 16}:
        assert otlp_span_text(text) is None


def test_an_id_of_nothing_but_hex_digits_is_hex() -> None:
    assert otlp_trace_text("ABCDEF0123456789" * 2) == "abcdef0123456789" * 2
    assert otlp_span_text("ABCDEF0123456789") == "abcdef0123456789"


@pytest.mark.parametrize(
    "text",
    [
        RAW.hex() + "\n",
        base64.b64encode(RAW).decode() + "\n",
        base64.b64encode(RAW).decode().removesuffix("="),
        base64.b64encode(RAW).decode().replace("W", "?"),
        base64.b64encode(RAW.hex().encode()).decode(),
        base64.b64encode(RAW[:8]).decode(),
        "0" * 31,
    ],
)
def test_a_text_that_is_nearly_an_id_is_none(text: str) -> None:
    assert otlp_trace_text(text) is None
