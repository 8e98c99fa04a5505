"""Rules of durations, rates and frozen sections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from monitor.config.section import Section
from monitor.config.settings import Assembly, Sampling, Settings
from monitor.config.values import duration_text, parse_duration, parse_rate

UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "": 1}


@given(st.integers(0, 10**6), st.sampled_from(sorted(UNITS)), st.sampled_from(["", " "]))
def test_a_duration_is_a_number_with_a_unit(number: int, unit: str, blank: str) -> None:
    assert parse_duration(f"{blank}{number}{blank}{unit}{blank}") == number * UNITS[unit]


@given(st.integers(0, 10**9) | st.sampled_from([0.001, 0.5, 2.5]))
def test_a_duration_that_was_written_is_read_as_the_same(seconds: float) -> None:
    assert parse_duration(duration_text(seconds)) == seconds


def test_a_duration_is_written_in_the_largest_unit_that_divides_it() -> None:
    written = {0.5: "0.5s", 1: "1s", 59: "59s", 60: "1m", 90: "90s", 300: "5m", 3600: "1h", 5400: "90m", 86400: "1d"}
    assert {seconds: duration_text(seconds) for seconds in written} == written


@given(st.floats(0, 1e9))
def test_a_duration_without_unit_is_in_seconds(seconds: float) -> None:
    assert Assembly(quiet=seconds).quiet == seconds


@pytest.mark.parametrize("text", ["", "soon", "5 minutes", "-5m", "5m3s", "1e3", "nan", "inf", "٣s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="quiet"):
        Assembly.model_validate({"quiet": text})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, None, [], {}])
def test_what_is_no_finite_number_of_seconds_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        Assembly.model_validate({"quiet": value})


@given(st.integers(1, 1_000_000_000))
def test_a_rate_is_held_as_its_k(k: int) -> None:
    assert parse_rate(f"1/{k}") == parse_rate(f" 1 / {k} ") == k


@given(st.integers(1, 20_000))
def test_a_rate_may_be_written_as_a_share(k: int) -> None:
    assert parse_rate(1 / k) == k


@pytest.mark.parametrize("value", [0, 0.0, "0", "off", False])
def test_a_rate_can_be_off(value: object) -> None:
    assert Sampling.model_validate({"error": value}).error == 0
    with pytest.raises(ValidationError):
        Sampling.model_validate({"base": value})


@pytest.mark.parametrize(
    "value",
    [2, "2/3", "3", "1/0", "-1/2", "often", "", True, None, float("nan"), float("inf"), 0.3, "1/2000000000", []],
)
def test_what_is_no_rate_is_refused(value: object) -> None:
    with pytest.raises(ValidationError, match="error"):
        Sampling.model_validate({"error": value})


def sections(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """The section and all below it."""
    yield model
    for field in model.model_fields.values():
        if isinstance(field.default, Section):
            yield from sections(type(field.default))


@pytest.mark.parametrize("model", list(sections(Settings)))
def test_every_section_is_frozen_and_knows_its_keys(model: type[BaseModel]) -> None:
    made = model()
    name = next(iter(type(made).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(made, name, getattr(made, name))
    with pytest.raises(ValidationError, match="not permitted"):
        model.model_validate({"no_such_key": 1})


@pytest.mark.parametrize("model", list(sections(Settings)))
def test_every_option_is_explained(model: type[BaseModel]) -> None:
    unexplained = [
        name
        for name, field in model.model_fields.items()
        if not field.description and not isinstance(field.default, Section)
    ]
    assert unexplained == []


def test_an_error_never_repeats_the_value_of_an_option() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"kafka": {"security": {"username": ["s3cret"]}}})
    assert "s3cret" not in str(caught.value)
