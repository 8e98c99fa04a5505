from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.slices import MAX_LENGTH, BoundedValues, Slicer, clean_text
from monitor.snapshot import SliceKey
from tests.monitor.quality.verdicts import scored


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("shop", "shop"),
        ("  shop\n", "shop"),
        ("客服系统", "客服系统"),
        ("sho\x00p", "sho\ufffdp"),
        ("shop\ud83d", "shop\ufffd"),
        ("a\nb", "a\ufffdb"),
        ("a\u202eb", "a\ufffdb"),
        ("", ""),
        ("\t \n", ""),
        ("x" * 1000, "x" * MAX_LENGTH),
    ],
)
def test_text_is_made_fit_for_a_label(text: str, clean: str) -> None:
    assert clean_text(text) == clean


@given(st.text(st.characters(codec=None)))
def test_clean_text_is_short_printable_and_can_be_encoded(text: str) -> None:
    clean = clean_text(text)

    assert len(clean) <= MAX_LENGTH
    assert clean.isprintable()
    assert clean.encode().decode() == clean
    assert clean_text(clean) == clean


def test_a_verdict_counts_in_everything_its_app_and_its_language() -> None:
    assert Slicer((), 20).slices(scored(1.0, app="shop", language="zh")) == (
        SliceKey("all", "all"),
        SliceKey("app", "shop"),
        SliceKey("language", "zh"),
    )


@pytest.mark.parametrize(
    ("app", "language", "slices"),
    [(None, "und", ("unknown", "und")), ("\x00", "", ("\ufffd", "other")), (" ", "english", ("unknown", "other"))],
)
def test_missing_and_malformed_values_have_a_place(app: str | None, language: str, slices: tuple[str, str]) -> None:
    _, of_app, of_language = Slicer((), 20).slices(scored(1.0, app=app, language=language))

    assert (of_app.value, of_language.value) == slices


def test_a_hundred_thousand_hostile_values_make_no_more_series_than_configured() -> None:
    slicer = Slicer((), 20)

    keys = {key for n in range(100_000) for key in slicer.slices(scored(1.0, app=f"a{n}\x00", language=f"l{n}"))}

    assert len([key for key in keys if key.dimension == "app"]) == 21
    assert SliceKey("app", "other") in keys
    assert {key.value for key in keys if key.dimension == "language"} == {"other"}


def test_the_allow_list_names_its_apps_and_no_others() -> None:
    slicer = Slicer(("shop", " desk "), 1)

    assert [slicer.slices(scored(1.0, app=app))[1].value for app in ("new", "desk", "shop", "other")] == [
        "other",
        "desk",
        "shop",
        "other",
    ]


def test_a_freed_place_goes_to_the_next_value() -> None:
    values = BoundedValues(1)
    assert [values.admit("a"), values.admit("b")] == ["a", "other"]

    values.retain(())

    assert [values.admit("b"), values.admit("a")] == ["b", "other"]


def test_allowed_values_keep_their_place_without_use() -> None:
    values = BoundedValues(1, ["a"])

    values.retain(())

    assert (values.admit("b"), values.admit("a")) == ("other", "a")
