"""A word that sums up a list of verdicts says of all of them what they say one by one."""

from __future__ import annotations

import itertools

import pytest

from monitor.judges.replies.summaries import agrees, counts_otherwise, shares_otherwise

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


COUNTS = {
    "all": [
        "all claims are supported.",
        "summary: 3 of 3 claims are supported by the passages.",
        "{} so every claim is fully supported",
        "overall, both of the claims were supported",
        "综上,所有论断均得到支持。",
        "3条论断中3条得到支持",
        "因此每一条论断都得到了资料的支持。",
    ],
    "some": [
        "1 of 2 claims is supported.",
        "{}\n\n**two out of three statements are supported**",
        "两条论断中有一条得到支持。",
    ],
    "none": ["none of the claims are supported.", "0 of 3 claims are supported", "{} no claim is supported"],
}
SAYS = {"all": {"supported"}, "some": {"supported", "not_found"}, "none": {"contradicted", "not_found"}}


@pytest.mark.parametrize("kind", COUNTS)
def test_claims_that_are_counted_are_counted_as_they_are(kind: str) -> None:
    for said, (other, parts) in itertools.product(COUNTS[kind], SAYS.items()):
        assert counts_otherwise(said, parts) is (other != kind), (said, parts)


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("all passages are relevant.", {"relevant"}),
        ("none of the passages is relevant.", {"irrelevant"}),
        ("{} one of the two documents is relevant", {"relevant", "irrelevant"}),
        ("both parts are answered.", {"answered"}),
        ("1 of 2 questions was answered.", {"answered", "unanswered"}),
    ],
)
def test_so_are_passages_and_questions(said: str, parts: set[str]) -> None:
    for other in ({"relevant"}, {"irrelevant"}, {"relevant", "irrelevant"}):
        assert counts_otherwise(said, other) is ("relevant" in said and parts != other)
    for other in ({"answered"}, {"unanswered"}, {"answered", "unanswered"}):
        assert counts_otherwise(said, other) is ("answered" in said and parts != other)
    assert not counts_otherwise(said, {"supported"})
    assert not counts_otherwise(said, {"relevant", "partly"})


@pytest.mark.parametrize(
    "said",
    [
        "i check whether all claims are supported.",
        "an answer is faithful if all claims are supported.",
        "all claims are supported, except the last one.",
        "all claims are supported only by passage 2, while the date is not.",
        "are all claims supported?",
        "not all claims are supported.",
        "so, all claims are supported?",
        "two claims are supported.",
        "请检查是否所有论断均得到支持。",
        "如果所有论断都得到支持,则为忠实。",
        "所有论断均得到支持吗?",
    ],
)
def test_what_is_asked_supposed_or_said_with_an_exception_counts_nothing(said: str) -> None:
    assert not any(counts_otherwise(said, parts) for parts in SAYS.values())


@pytest.mark.parametrize(
    "said",
    [
        "passage 1: all claims are supported. passage 2: contradicts the second claim",
        "passage 1 is about paris. all claims are supported. passage 2: contradicts the second claim",
        "in passage 2, no claims are supported.",
        "in the second passage nothing is said. so no claims are supported.",
        "no claims are supported by passage 2.",
        "at first, all claims are supported.",
        "all claims are supported at first sight. however, the second is not.",
        "all claims are supported. however, the second is not.",
        "both claims are supported.\nthe third is not.",
        "step 1: all claims are supported in the documents of 2023. step 2: the second is outdated.",
        "no claim is supported by guesswork: every one is quoted.",
        "criteria:\n- all claims are supported.\n1. all claims are supported.\n",
        "an answer is faithful if overall all claims are supported.",
        "不是,所有论断都得到支持的说法不对。",
        "段落1:所有论断均得到支持。段落2:与第二条矛盾。",
        "第二段没有提到,因此零条论断得到支持。",
        "所有论断均得到支持。但第二条除外。",
    ],
)
def test_a_count_that_may_be_one_of_a_passage_or_a_step_counts_nothing(said: str) -> None:
    assert not any(counts_otherwise(said, parts) for parts in SAYS.values())


def test_a_count_that_is_said_to_be_of_the_whole_counts_behind_passages_as_well() -> None:
    for said in ("passage 1: nothing. overall, all claims are supported.", "第一段没有提到。综上,所有论断均得到支持。"):
        assert [counts_otherwise(said, parts) for parts in SAYS.values()] == [False, True, True]


def test_nothing_is_counted_of_partial_support_of_passages_or_of_no_claims() -> None:
    for parts in ({"supported", "partial"}, {"relevant"}, {"answered", "unanswered"}, set[str]()):
        assert not counts_otherwise("all claims are supported.", parts)


@pytest.mark.parametrize(
    ("score", "verdicts", "other"),
    [
        (0.5, ["supported", "not_found"], False),
        (0.67, ["supported", "supported", "not_found"], False),
        (1.0, ["supported", "not_found"], True),
        (0.0, ["supported", "not_found"], False),  # one that fails may be all that counts
        (0.0, ["supported", "supported"], True),
        (0.5, ["partial"], False),
        (0.9, ["not_found", "contradicted"], True),
        (4.0, ["not_found"], False),
        (0.0, ["supported", "partial"], False),
        (0.5, ["supported", "partial"], False),  # what is partly so, counted as not at all,
        (0.75, ["supported", "partial"], False),  # as half
        (1.0, ["supported", "partial"], False),  # or in full
        (0.67, ["supported", "supported", "partial"], False),
        (0.33, ["supported", "partial", "not_found"], False),
        (0.0, ["partial"], False),
        (0.3, ["supported", "partial"], True),
        (1.0, ["supported", "partial", "not_found"], True),
        (1.0, ["irrelevant", "relevant"], False),
        (1.0, [], False),
        (1.0, ["a"], False),
    ],
)
def test_a_share_beside_a_list_is_about_that_of_the_list(score: float, verdicts: list[str], *, other: bool) -> None:
    assert shares_otherwise(score, verdicts) is other
