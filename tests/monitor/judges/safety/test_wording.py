"""Rules of the gates: they spare searches and lose nothing."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.judges.safety import fraud, refusal
from monitor.judges.safety.answers import holds_none
from monitor.judges.safety.forged import FORGED_FRAME
from monitor.judges.safety.fraud import frauds
from monitor.judges.safety.phrases import PHRASES
from monitor.judges.safety.refusal import refusals
from monitor.judges.safety.wording import Either, Every, Phrase, Wording, Words
from monitor.judges.text.declines import declining
from monitor.judges.text.sentences import split_sentences
from monitor.privacy.outline import Gate, Holds, Outline
from monitor.records import RagTrace

WORDINGS = [(phrase, wording) for phrase in (*PHRASES, FORGED_FRAME) for wording in phrase.wordings]
AROUND = st.sampled_from(["", "请", ". ", "x ", "_", "，", "\n", "1"])
FOX = Outline("The quick brown fox")


def opened(gate: Gate, text: str) -> bool:
    return gate(Outline(text)) and gate(Outline.of_all(["one", text, "two"]))


@pytest.mark.parametrize("wording", [wording for _, wording in WORDINGS])
@settings(max_examples=40)
@given(data=st.data())
def test_every_match_of_a_phrase_has_its_gate_open(wording: Wording, data: st.DataObject) -> None:
    text = data.draw(AROUND) + data.draw(st.from_regex(wording.pattern)).lower() + data.draw(AROUND)
    if wording.pattern.search(text.lower()):
        assert opened(wording.gate, text)


@pytest.mark.parametrize(
    ("pattern", "gate"),
    [
        (fraud._ASKS, fraud._ASKS_NEEDS),
        (fraud._PAYS, fraud._PAYS_NEEDS),
        (declining._REFUSES, refusal._REFUSES_NEEDS),
        (refusal._MORALISES, refusal._MORALISES_NEEDS),
    ],
    ids=["asks", "pays", "refuses", "moralises"],
)
@settings(max_examples=100)
@given(data=st.data())
def test_every_match_in_an_answer_has_its_gate_open(pattern: re.Pattern[str], gate: Gate, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(pattern, fullmatch=True)) + data.draw(st.sampled_from(["", ".", "，好"]))
    assert not holds_none(text, text, gate)


@pytest.mark.parametrize(
    "answer", ["I can[1]not help with that.", "I can not he（资料 1）lp.", "Sor(source 1)ry, I can\u2019t."]
)
def test_a_word_around_a_citation_mark_is_one_word(answer: str) -> None:
    assert [finding.kind for finding in refusals(RagTrace("0" * 32, "", None, answer), ())] == ["full"]


def test_a_word_that_a_cut_makes_of_another_one_counts() -> None:
    """A stretch without blanks is cut after 500 characters."""
    answer = "a" * 500 + "send me your password"
    assert [sentence.start for sentence in split_sentences(answer)] == [0, 500]
    assert [finding.start for finding in frauds(RagTrace("0" * 32, "", None, answer), ())] == [500]


def test_letters_that_a_pattern_takes_for_ascii_ones_count() -> None:
    answer = "Please \u017fend me your pas\u017fword. Sorry, \u0130 can't say more."
    trace = RagTrace("0" * 32, "", None, answer)
    assert len([*frauds(trace, ()), *refusals(trace, ())]) == 2


def test_words_count_as_a_whole_and_gates_can_be_joined() -> None:
    assert Words("a fox")(FOX)
    assert not Words("own quick_ he")(FOX)
    assert Every(Words("fox"), Holds("own"))(FOX)
    assert not Every(Words("fox"), Words("own"))(FOX)
    assert Either(Words("own"), Words("fox"))(FOX)
    assert not Either(Words("own"), Words("ox"))(FOX)


def test_a_phrase_is_searched_for_in_the_wordings_that_a_text_can_hold() -> None:
    first, second = Wording(re.compile("fox"), Words("fox")), Wording(re.compile("dog"), Words("dog"))
    phrase = Phrase("animal", (first, second))
    assert phrase.worth(FOX) == Phrase("animal", (first,))
    assert phrase.worth(Outline("cat")) is None
    found = phrase.search(Outline("A DOG, a fox"))
    assert found is not None
    assert found.span() == (2, 5)
