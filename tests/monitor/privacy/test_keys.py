from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.privacy.credentials import KEYS
from monitor.privacy.keys import find_keys, known_form
from monitor.privacy.outline import Outline
from monitor.privacy.patterns import Pattern


@pytest.mark.parametrize("pattern", KEYS, ids=lambda pattern: pattern.kind)
@given(data=st.data())
@settings(max_examples=12)
def test_a_key_is_found_wherever_it_stands(pattern: Pattern, data: st.DataObject) -> None:
    key = data.draw(st.from_regex(pattern.regex, fullmatch=True))
    text = (
        data.draw(st.sampled_from(["", "密钥", "a" * 99 + " ", "x.y/z "]))
        + key
        + data.draw(st.sampled_from(["", "。", " b"]))
    )
    spans = list(pattern.find(text))
    assert known_form(Outline(text)) or not spans
    assert [span for span in find_keys(text) if span.kind == pattern.kind and span in spans] == spans


def test_two_keys_in_one_text_are_both_found() -> None:
    text = f"AKIA{'A' * 16} and LTAI{'b' * 12}, not AKIA alone"
    assert [(span.kind, span.start) for span in find_keys(text)] == [("secret.aws", 0), ("secret.aliyun", 25)]
