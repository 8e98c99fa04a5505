"""Rules of what gives low judgements their cause, and of the relevance by words behind it."""

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from monitor.judges import causes
from monitor.judges.causes import with_causes
from monitor.judges.relevance import relevance_by_words, words_held
from monitor.records import ContextsSource, Evidence, JudgeIdentity, Judgement, Outcome, Passage, RagTrace

QUESTION = "How long is the warranty of the X200?"
OWN = "The X200 comes with a warranty of two years."
OTHER = "Returns are free within thirty days."
TRACE = RagTrace("t", "r", QUESTION, "Five years.", (Passage(OWN), Passage(OTHER)), ContextsSource.SPAN)
LOW = Judgement(
    "faithfulness",
    JudgeIdentity("judge", "0" * 12),
    Outcome.SCORED,
    score=0.1,
    label="unfaithful",
    evidence=(Evidence("Five years.", 0.1),),
)


def cause(trace: RagTrace) -> str:
    (found,) = asyncio.run(with_causes(trace, (LOW,)))
    return found.cause


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, "generation"),
        ({"contexts": (Passage(OTHER),)}, "retrieval"),
        ({"contexts": (Passage(OTHER),) * 4 + (Passage(OWN),)}, "ranking"),
        ({"contexts": (Passage(OTHER * 400),) * 4 + (Passage(OWN),)}, "ranking"),
        ({"contexts": ()}, "retrieval"),
        ({"contexts": (), "contexts_source": ContextsSource.UNKNOWN}, "unknown"),
        ({"contexts": (Passage("word " * 100_000),)}, "unknown"),
        ({"question": "And then?"}, "unknown"),
        ({"question": None}, "unknown"),
        ({"question": "And then?", "search_query": QUESTION}, "generation"),
        ({"question": "X200的保修期多长？"}, "unknown"),
        ({"question": "保修期多长？", "contexts": (Passage("本产品保修期为两年。"),)}, "generation"),
        ({"question": "保修期多长？", "contexts": (Passage("三十天内可以免费退货。"),)}, "retrieval"),
    ],
)
def test_passages_are_relevant_by_the_words_of_the_question(change: dict[str, object], expected: str) -> None:
    assert cause(replace(TRACE, **change)) == expected  # type: ignore[arg-type]


def test_judgements_that_are_not_low_are_given_back() -> None:
    good = replace(LOW, score=0.9, label="faithful")
    assert asyncio.run(with_causes(TRACE, [good])) == (good,)


def test_a_failure_costs_the_cause_and_not_the_judgement(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError(OWN)

    monkeypatch.setattr(causes, "attribute", fail)
    with capture_logs() as lines:
        assert asyncio.run(with_causes(TRACE, (LOW,))) == (LOW,)
    assert [line["error"] for line in lines] == ["ValueError"]
    assert OWN not in str(lines)


def test_relevance_is_the_share_of_the_words_that_a_passage_holds() -> None:
    found = relevance_by_words(QUESTION, [f"{QUESTION} {OTHER}", OTHER])
    assert found == pytest.approx((1.0, 0.0))
    assert relevance_by_words(QUESTION, []) == ()
    assert relevance_by_words("Why is it so?", [OWN]) is None
    assert relevance_by_words("保修期多长？", [OWN]) is None


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("积分怎么算？", "会员积分每消费一元累积一分。"),
        ("几点关门？", "本店每天晚上九点关门。"),
        ("能退货吗？", "商品在七天内可退货。"),
        ("請問會員卡多少錢？", "會員卡每年一百元。"),
        ("你们的会员有什么优惠？", "会员享受九折优惠。"),
        ("我的订单怎么查？", "在首页可以查询订单。"),
        ("发票能不能补开？", "发票可在一年内补开。"),
        ("这个功能如何开启？", "在设置中开启此功能。"),
    ],
)
def test_what_makes_a_chinese_sentence_a_question_is_no_content(question: str, passage: str) -> None:
    own, other = relevance_by_words(question, [passage, "周末有读书活动。"]) or ()
    assert (own, other) == (1.0, 0.0)
    trace = replace(TRACE, question=question, contexts=(Passage(passage),), language="zh")
    assert cause(trace) == "generation"


@pytest.mark.parametrize("word", ["功能", "可能", "能源", "酒吧", "目的", "的确", "这么", "吗啡", "许多大学"])
def test_words_that_hold_a_character_of_a_question_word_stay(word: str) -> None:
    assert relevance_by_words(f"{word}？", [word, "周末有读书活动。"]) == (1.0, 0.0)


def test_a_text_that_asks_nothing_keeps_all_of_its_words() -> None:
    (share,) = words_held("可以退货", ["商品在七天内可退货。"]) or ()
    assert 0.0 < share < 1.0
    assert relevance_by_words("可以退货", ["商品在七天内可退货。"]) == (1.0,)


def test_a_chinese_question_of_nothing_but_question_words_says_nothing() -> None:
    assert relevance_by_words("请问能不能？", ["商品在七天内可退货。"]) is None
    assert relevance_by_words("多少钱？", ["会员卡每年一百元。"]) is None


def test_an_answer_that_declines_says_so_where_only_the_passages_were_judged() -> None:
    """As for the service, where faithfulness is judged beside it."""
    declines = replace(TRACE, answer="I cannot answer that.", contexts=(Passage(OTHER),))
    low = replace(LOW, evaluation="context_relevance", evidence=(Evidence(OTHER, 0.0, passage=1),), label="")
    beside = Judgement("faithfulness", LOW.judge, Outcome.NOT_SCORABLE, "abstention")
    (alone,) = asyncio.run(with_causes(declines, (low,)))
    assert alone == asyncio.run(with_causes(declines, (low, beside)))[0]
    assert alone.cause == "unanswerable"
