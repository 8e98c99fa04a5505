from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.text import is_fit
from monitor.traces.values import (
    MAX_DEPTH,
    as_bool,
    as_float,
    as_int,
    as_json,
    as_list,
    as_mapping,
    as_text,
    looks_cut,
)
from monitor.wire import AttributeValue

fit_text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"))
json_values: st.SearchStrategy[AttributeValue] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64)
    | st.floats(allow_nan=False, allow_infinity=False)
    | fit_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(fit_text, inner, max_size=4),
    max_leaves=12,
)
structures = st.lists(json_values, max_size=4) | st.dictionaries(fit_text, json_values, max_size=4)


@given(structures, st.integers(1, 3))
def test_json_text_and_structure_are_the_same_object_up_to_three_layers(value: AttributeValue, layers: int) -> None:
    text: AttributeValue = value
    for _ in range(layers):
        text = json.dumps(text)

    assert as_json(text) == as_json(value) == value


def test_a_fourth_layer_stays_text() -> None:
    text = json.dumps(json.dumps(json.dumps(json.dumps({"a": 1}))))

    assert as_json(text) == '{"a": 1}'


@pytest.mark.parametrize(
    "text",
    [
        "When does the desk close?",
        "",
        "   ",
        "true",
        "12",
        "[1] According to the timetable ...",
        "{name}, hello",
        '"Is it open?" he asked',
        '[{"role": "user", "parts": [{"type": "te',
        "{'a': 1}",
        "[" * 100_000,
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        '{"a":' * 900 + "1" + "}" * 900,
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_text_that_is_no_usable_json_stays_text(text: str) -> None:
    assert as_json(text) == text


def test_nesting_up_to_the_bound_is_read() -> None:
    assert isinstance(as_json("[" * MAX_DEPTH + "]" * MAX_DEPTH), list)


def test_what_python_writes_and_json_forbids_is_read_without_non_numbers() -> None:
    text = '[{"id": "k1", "score": NaN}, {"id": "k2", "score": -Infinity}, {"id": "k3", "score": 1e999, "s": "a\nb"}]'

    assert as_json(text) == [
        {"id": "k1", "score": None},
        {"id": "k2", "score": None},
        {"id": "k3", "score": None, "s": "a\nb"},
    ]


def test_half_an_emoji_or_nul_inside_json_text_is_repaired() -> None:
    assert as_json(r'{"a": "Yes \ud83e it is", "b\u0000": ["\u0000", "\ud83d\ude42"]}') == {
        "a": "Yes \ufffd it is",
        "b\ufffd": ["\ufffd", "🙂"],
    }


@given(st.text())
def test_the_reader_never_raises_on_text(text: str) -> None:
    for value in (text, "[" + text, '{"a": "' + text):
        as_json(value)
        as_float(value)
        as_int(value)
        looks_cut(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("", ""),
        ('{"a": 1}', '{"a": 1}'),
        ("a\ud83e\x00", "a\ufffd\ufffd"),
        (7, "7"),
        (0.5, "0.5"),
        (True, "true"),
        (b"caf\xc3\xa9\xff", "caf\u00e9\ufffd"),
        (["青岚", None], '["青岚",null]'),
        ({"a": b"\x00"}, '{"a":"AA=="}'),
        ([math.nan], "[null]"),
    ],
)
def test_as_text(value: AttributeValue, text: str | None) -> None:
    assert as_text(value) == text


@given(json_values)
def test_as_text_is_fit_for_utf8(value: AttributeValue) -> None:
    text = as_text(value)

    assert text is None or is_fit(text)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1, 1.0),
        (0.25, 0.25),
        ("0.83", 0.83),
        ('"0.83"', 0.83),
        (" -1e3 ", -1000.0),
        (".5", 0.5),
        (True, None),
        (None, None),
        (math.nan, None),
        (math.inf, None),
        ("nan", None),
        ("1e999", None),
        ("1_000", None),
        ("9" * 5000, None),
        (10**400, None),
        ("", None),
        ([1], None),
        (b"1", None),
    ],
)
def test_as_float_gives_finite_numbers_only(value: AttributeValue, number: float | None) -> None:
    assert as_float(value) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", None),
        (2**70, None),
        (3.0, 3),
        ("3.0", 3),
        (3.5, None),
        (1e300, None),
        (True, None),
        (math.nan, None),
        ("９", None),
        ("9" * 5000, None),
        (None, None),
    ],
)
def test_as_int_gives_whole_numbers_of_64_bits_only(value: AttributeValue, number: int | None) -> None:
    assert as_int(value) == number


@pytest.mark.parametrize(
    ("value", "truth"),
    [(True, True), ("False", False), ('"true"', True), (1, True), (0.0, False), (2, None), ("yes", None), (None, None)],
)
def test_as_bool(value: AttributeValue, truth: bool | None) -> None:  # noqa: FBT001 - a table of values
    assert as_bool(value) is truth


def test_a_list_or_mapping_is_empty_when_the_value_is_none() -> None:
    assert (as_list('["a"]'), as_list("a"), as_list('{"a": 1}'), as_list(None)) == (["a"], [], [], [])
    assert (as_mapping('{"a": 1}'), as_mapping("[1]"), as_mapping(None)) == ({"a": 1}, {}, {})


@given(structures, st.data())
def test_json_cut_at_any_place_looks_cut_and_whole_json_does_not(value: AttributeValue, data: st.DataObject) -> None:
    text = json.dumps(value)
    end = data.draw(st.integers(1, len(text) - 1))

    assert not looks_cut(text)
    assert looks_cut(text[:end])


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", False),
        ("[1] According to the timetable", False),
        ("[see the timetable", False),
        ("{name}, hello", False),
        ("{'question': 'Is", False),
        ('"Is it open?" he asked', False),
        (r'"a\"', True),
        (r'"a\\"', False),
        ('{"a": "b" wrong}', False),
        ('[{"role": "user", "content": "When do...', True),
    ],
)
def test_looks_cut(text: str, cut: bool) -> None:  # noqa: FBT001 - a table of values
    assert looks_cut(text) is cut


def test_looks_cut_is_linear_on_hostile_text() -> None:
    assert looks_cut('"' + "\\" * 200_001)
    assert looks_cut("[" * 200_000)


def test_layers_bound_how_often_a_value_is_unwrapped() -> None:
    question = '{"a": 1}'
    assert as_json(json.dumps(question), layers=1) == question
    assert as_json(json.dumps(question)) == {"a": 1}
