from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from monitor.traces.text import REPLACEMENT, Repairer, is_fit, repair

any_code_point = st.text(st.characters(exclude_categories=()))
fit_text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"))


@given(fit_text)
@example("是的，开放 🙂 \u202eעברית\u202c \x07\r\n")
def test_fit_text_passes_unchanged_and_uncounted(text: str) -> None:
    repairer = Repairer()

    assert (repairer.text(text), repairer.utf8(text.encode()), repairer.count) == (text, text, 0)


@given(any_code_point)
def test_any_text_comes_out_fit_for_utf8_with_its_length(text: str) -> None:
    repaired = repair(text)

    repaired.encode()
    assert "\x00" not in repaired
    assert len(repaired) == len(text)
    assert is_fit(repaired)


@given(st.binary())
def test_any_bytes_become_fit_text(data: bytes) -> None:
    assert is_fit(Repairer().utf8(data))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xe9 open", "caf\ufffd open"),
        (b"a\x00b", "a\ufffdb"),
        (b"\xff\x00", "\ufffd\ufffd"),
        (b"\xed\xa0\xbe", "\ufffd\ufffd\ufffd"),
    ],
)
def test_each_repaired_text_counts_one(data: bytes, text: str) -> None:
    repairer = Repairer()

    assert (repairer.utf8(data), repairer.count) == (text, 1)


@given(any_code_point)
@example("\ud83e\ud83e")
@example("\\ud83e \\\\u0000 \\")
@example("🙂\x00")
def test_json_written_by_python_reads_back_as_the_repaired_text(text: str) -> None:
    """Two halves that stand side by side are a whole character in JSON, so the pairs are joined first."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", REPLACEMENT)

    repaired = json.loads(Repairer().json(json.dumps(text).encode()))

    assert is_fit(repaired)
    if len(joined) == len(repaired):  # UTF-16 decoding may take two code units for one replacement
        assert repaired == joined


def test_an_escaped_backslash_before_u_is_no_surrogate() -> None:
    data = rb'{"a": "\\ud83e", "b": "\\\ud83e", "c": "\ud83e\udd14", "d": "\u0000"}'
    repairer = Repairer()

    assert json.loads(repairer.json(data)) == {"a": r"\ud83e", "b": "\\\ufffd", "c": "🤔", "d": "\ufffd"}
    assert repairer.count == 2
