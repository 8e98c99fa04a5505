"""Rules of what of an answer is held against the passages."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.scorable import NO_CLAIMS

PASSAGES = ["Parking costs 12 euros a day. The hotel has 40 rooms.", "停车费每天12元。酒店有40间客房。"]


@pytest.mark.parametrize(
    ("fact", "absent"),
    [
        ("Parking costs 12 euros a day.", "The documents do not mention a pool."),
        ("Parking costs 12 euros a day.", "Whether there is a pool is not stated."),
        ("Parking costs 12 euros a day.", "Based on the provided passages, I could not find the price of the sauna."),
        ("停车费每天12元。", "资料没有提到游泳池。"),
        ("停车费每天12元。", "关于游泳池的信息，资料中未提及，建议您咨询酒店。"),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_sentence_that_says_what_the_passages_do_not_tell_states_nothing(fact: str, absent: str, order: int) -> None:
    found = assess(" ".join([fact, absent][::order]), PASSAGES)
    assert [piece.text for piece in found.evidence] == [fact]
    assert (found.label, found.coverage) == ("faithful", 1.0)


@pytest.mark.parametrize(
    "stated",
    [
        "The documents do not say whether it has 90 rooms.",
        "It does not have a pool.",
        "The documents do not mention a pool, but it has a lake.",
        "资料没有提到游泳池，但酒店有湖。",
    ],
)
def test_one_that_brings_in_a_value_or_states_something_beside_is_judged(stated: str) -> None:
    (piece,) = assess(stated, PASSAGES).evidence
    assert piece.label == "unsupported"


def test_what_is_not_told_may_be_what_the_question_names() -> None:
    absent = "The documents do not say whether it has 90 rooms."
    found = assess(f"Parking costs 12 euros a day. {absent}", PASSAGES, question="Does it have 90 rooms?")
    assert [piece.text for piece in found.evidence] == ["Parking costs 12 euros a day."]
    assert assess("It has 90 rooms.", PASSAGES, question="Does it have 90 rooms?") == assess(
        "It has 90 rooms.", PASSAGES
    )


def test_an_answer_of_such_sentences_alone_has_no_claims() -> None:
    found = assess("The documents do not mention a pool. Whether there is a sauna is not stated.", PASSAGES)
    assert (found.score, found.reason) == (None, NO_CLAIMS)
