from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.placing import place_all

texts = st.lists(st.text(min_size=1).filter(str.isalnum), min_size=1, max_size=5, unique=True)


@given(texts, st.sampled_from(["\n", "\n---\n", "\n\n- ", '", "']))
def test_texts_are_found_in_the_order_of_the_prompt(found: list[str], between: str) -> None:
    places = place_all(found, between.join(f"[{text}]" for text in found))
    put = [sum(len(f"[{text}]{between}") for text in found[:n]) + 1 for n in range(len(found))]
    assert None not in places
    assert all(place is not None and place <= at for place, at in zip(places, put, strict=True))


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_a_json_escaped_text_is_found(text: str, ascii_only: bool) -> None:  # noqa: FBT001 - drawn
    (place,) = place_all([text], f"Context: {json.dumps([text], ensure_ascii=ascii_only)}")
    assert (place is not None) == any(character.isalnum() for character in text)


def test_a_text_without_letters_and_digits_is_nowhere() -> None:
    assert place_all(["", "---", "absent"], "Some --- prompt") == [None, None, None]


def test_more_texts_than_can_be_searched_in_seconds_count_as_not_there() -> None:
    prompt = "here " + "a" * 1_000_000
    assert place_all(["here"], prompt) == [0]
    assert place_all(["here"] * 300, prompt) == [None] * 300
