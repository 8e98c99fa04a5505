from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.privacy import gates, scan
from monitor.privacy.gates import LONG, around_long_tokens
from monitor.privacy.outline import Holds, Latin, Outline
from monitor.privacy.patterns import Pattern

SEARCHED_WHOLE = [pattern for pattern in scan._ALL if pattern.gate is not gates.always]
SPELLED = {
    "wechat": ("微信", "echat", "eChat", "eixin"),
    "qq": ("QQ", "qq"),
    "driver_license": ("licen", "驾驶证", "驾照"),
    "secret.value": ("pass", "pwd", "secret", "key", "token", "credential", *"码令钥证据"),
}
"""Where the pattern ignores case, and names count in the usual spellings only."""


@pytest.mark.parametrize("pattern", SEARCHED_WHOLE, ids=lambda pattern: pattern.kind)
@given(data=st.data())
@settings(max_examples=25)
def test_a_gate_is_open_for_every_text_with_a_hit(pattern: Pattern, data: st.DataObject) -> None:
    before, after = (
        data.draw(st.sampled_from(["", "见", ". ", "a\n"])),
        data.draw(st.sampled_from(["", "。", " b", "."])),
    )
    text = before + data.draw(st.from_regex(pattern.regex, fullmatch=True)) + after
    names = SPELLED.get(pattern.kind, ("",))
    spelled = text if pattern.kind in {"wechat", "qq"} else text.lower()
    if any(name in spelled for name in names) and any(pattern.find(text)):
        assert pattern.gate(Outline(text))
        assert pattern.gate(Outline.of_all(["x", text, "1"]))


@given(st.text("aA1-_+/ .=密", max_size=80))
def test_long_tokens_come_with_what_stands_before_them(text: str) -> None:
    found = around_long_tokens(Outline(text))
    tokens = "".join(char if char.isascii() and (char.isalnum() or char in "-_+/") else " " for char in text).split()
    assert [token for token in tokens if len(token) >= LONG and token not in found] == []
    assert bool(found) == any(len(token) >= LONG for token in tokens)


def test_a_token_comes_with_its_prefix_and_the_sign_after_it() -> None:
    assert around_long_tokens(Outline("see SG." + "a" * LONG + ". Then")) == "see SG." + "a" * LONG + "."


@given(st.text(st.characters() | st.sampled_from("İKſAé1\ud83e_")))
def test_views_of_a_text_keep_its_offsets_and_words_are_in_lower_case(text: str) -> None:
    outline = Outline(text)
    assert len(outline.lower) == len(outline.octets) == len(outline.lower_octets) == len(text)
    assert all(word.isalnum() and word == word.lower() for word in outline.words)


def test_words_end_at_any_character_that_is_no_ascii_letter_or_digit() -> None:
    assert Outline("Don't_say 请ignore\u212a2 it").words == {b"don", b"t", b"say", b"ignorek2", b"it"}


def test_latin_is_what_is_left_without_other_scripts() -> None:
    assert Outline("键Key é1").latin == b"key 1"


def test_digits_are_joined_over_what_parts_a_number() -> None:
    assert Outline("+1 (2) 3.4-x5").joined_digits == b"dddd d"


def test_literals_are_looked_for_as_they_are_spelled_and_latin_ones_in_any_case() -> None:
    assert Holds("://", "ab")(Outline("cab"))
    assert not Holds("://", "ab")(Outline("cAB:/"))
    assert Latin("ab", "x")(Outline("是cAB"))
    assert not Latin("ab", "x")(Outline("是cA B"))
