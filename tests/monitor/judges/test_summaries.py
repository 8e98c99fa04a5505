"""A word that sums up a list of verdicts says of all of them what they say one by one."""

from __future__ import annotations

import itertools

import pytest

from monitor.judges.summaries import agrees

FOR = [
    "yes",
    "true",
    "supported",
    "fully supported",
    "all_supported",
    "faithful",
    "grounded",
    "correct",
    "complete",
    "pass",
]
FOR += ["是", "支持", "无幻觉"]
AGAINST = [
    "no",
    "false",
    "unsupported",
    "not supported",
    "unfaithful",
    "not faithful",
    "ungrounded",
]
AGAINST += [
    "incorrect",
    "incomplete",
    "fail",
    "failed",
    "hallucinated",
    "hallucination",
    "否",
    "不支持",
    "不忠实",
    "有幻觉",
]
PARTLY = ["partly", "partially supported", "mostly faithful", "mixed", "部分支持", "基本正确"]
CLAIMS = ("supported", "partial", "contradicted", "not_found")
PAGES = ("relevant", "partly", "irrelevant")
UP_TO_THREE = [found for size in (1, 2, 3) for found in itertools.combinations_with_replacement(CLAIMS, size)]


@pytest.mark.parametrize("parts", UP_TO_THREE, ids="+".join)
def test_yes_is_all_no_is_one_that_is_not_and_partly_is_neither(parts: tuple[str, ...]) -> None:
    wrong = not {"contradicted", "not_found"}.isdisjoint(parts)
    assert {agrees(word, parts) for word in FOR if word not in CLAIMS} == {set(parts) == {"supported"}}
    assert {agrees(word, parts) for word in AGAINST} == {wrong}
    mixed = len(set(parts) - {"contradicted", "not_found"}) + wrong > 1 or set(parts) == {"partial"}
    assert {agrees(word, parts) for word in PARTLY} == {mixed}


def test_one_relevant_passage_is_enough() -> None:
    for parts in itertools.product(PAGES, repeat=3):
        assert agrees("yes", parts) is ("relevant" in parts)
        assert agrees("not relevant", parts) is ("relevant" not in parts)


@pytest.mark.parametrize("word", ["not-fully-supported", "not_all_supported", "不完全支持"])
def test_not_fully_is_any_that_is_not(word: str) -> None:
    for parts in UP_TO_THREE:
        assert agrees(word, parts) is (set(parts) != {"supported"})


@pytest.mark.parametrize(
    "word",
    ["supported_by_nothing", "passed_not", "grounded_in_none", "fully_supported_no", "correct_except_one",
     "not_fully_unsupported"],
)  # fmt: skip
def test_of_words_that_go_on_otherwise_nothing_is_known(word: str) -> None:
    assert agrees(word, ("supported",)) is None


@pytest.mark.parametrize("word", ["supported_by_the_context", "grounded_in_evidence", "answered_all_questions"])
def test_what_it_is_held_against_may_follow(word: str) -> None:
    assert agrees(word, ("supported",)) is True


@pytest.mark.parametrize("word", ["reasonable", "", "see below", "supported?", "4", "notable", "nobody"])
def test_of_other_words_nothing_is_known(word: str) -> None:
    assert agrees(word, ("supported",)) is None


def test_of_other_verdicts_nothing_is_known() -> None:
    assert agrees("yes", ("a", "b")) is None
    assert agrees("yes", ()) is None
