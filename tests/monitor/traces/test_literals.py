from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.literals import read_literal

_LEAVES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
_VALUES = st.recursive(
    _LEAVES | st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="ascii", min_codepoint=32)), inner),
    max_leaves=20,
)


@given(_VALUES)
def test_what_python_prints_is_read_back(value: object) -> None:
    read = read_literal(repr(value))
    assert read == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'text': \"Don't.\", 'page': 3, 'cut': None}", {"text": "Don't.", "page": 3, "cut": None}),
        ("['When?', 'Where?']", ["When?", "Where?"]),
        ("('a', 1,)", ["a", 1]),
        ("{1: 'a'}", {"1": "a"}),
        ("  [ True ]  ", [True]),
        ("[]", []),
        ("'\\ud83d'", "\ufffd"),
    ],
)
def test_literals_are_read(text: str, value: object) -> None:
    assert read_literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "When?",
        "['When?'",
        "['cut here",
        "[1 2]",
        "{'a' 1}",
        "{'a': 1}}",
        "[<Document object>]",
        "[np.float32(1)]",
        "__import__('os')",
        "'\\x1'",
        "[" * 5000,
        "[" * 100 + "]" * 100,
        "-" * 5000,
        "[1, 99999999999999999999]",
    ],
)
def test_anything_else_is_no_literal(text: str) -> None:
    assert read_literal(text) is None


def test_python_agrees_on_escapes() -> None:
    text = repr("line\nbreak\t\\ 'both' \"quotes\" \u00e9 \u4e2d")
    assert read_literal(text) == ast.literal_eval(text)
