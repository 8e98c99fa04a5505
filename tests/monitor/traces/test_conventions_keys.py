"""Rules of reading a member of a JSON attribute."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.conventions.keys import counted_member, member, text_of
from monitor.traces.values import as_mapping
from tests.monitor.traces.spans import span

NAMES = ("session_id", "thread_id")
names = st.sampled_from([*NAMES, "session", "x", "séance"])
objects = st.dictionaries(names, st.text(max_size=3) | st.integers() | st.none() | st.sampled_from(NAMES), max_size=4)


@given(objects, st.booleans(), st.sampled_from(["", "x", " [", "\\"]))
def test_a_member_is_what_the_whole_object_has(held: dict[str, object], ascii_only: bool, behind: str) -> None:  # noqa: FBT001 - drawn
    text = json.dumps(held, ensure_ascii=ascii_only) + behind
    for value in (text, json.dumps(text)):
        read = member("metadata", *NAMES).read(span("a", attributes={"metadata": value}))
        assert read == text_of(as_mapping(value), *NAMES)


@pytest.mark.parametrize("text", ['{"tokens": 3}', '{"to\\u006bens": 3}', '"{\\"tokens\\": 3}"'])
def test_a_name_may_be_written_with_escapes(text: str) -> None:
    assert counted_member("usage", "tokens").read(span("a", attributes={"usage": text})) == 3
