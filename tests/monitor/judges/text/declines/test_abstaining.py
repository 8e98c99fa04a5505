"""That the evidence does not say something is a decline, whoever does not say it, how, and what it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.declines.known import Words


def _list(text: str) -> list[str]:
    return text.replace("\n", "").split("|")


KNOWN = ["Does the hotel have a pool, and what is the fee?", "The hotel serves breakfast."]
WHO = _list("""the documents do|the provided documents do|the documents provided do|the passages above do
|the context does
|the context I was given does|the given text does|your documents do|my sources do|the source material does
|the information provided does|the search results do|the knowledge base does|passage 2 does|documents 1 and 3 do
|the documents that were provided do|the documents I have do|the article does|the handbook does|the website does
|the report does""")
NOT = _list("{} not|{}n't|{} not explicitly|{} not actually|{} not clearly|{} not seem to|{} not appear to")
SAY = _list("say|mention|state|specify|clarify|tell us|explain|disclose|describe|make clear|make it clear")
SHOW = _list("indicate|confirm|reveal|show|report|note")
WHETHER = _list("""whether the hotel has a pool|if the hotel has a pool|whether or not breakfast is included
|how the fee is computed|how long the tour takes|how many rooms there are|how much a room costs|what the fee is
|when the museum opens|where the hotel is|who owns the hotel|why it closed|which hotel is the largest
|whether pets are allowed, or how much they cost|what the fee is or who pays it""")
THAT = _list("""\
that the hotel has a pool|that there is a pool|that visitors may park for free|that breakfast is included
|that it has a pool|the hotel has a pool""")
THING = _list("""a pool|the fee|any fee|the opening hours|anything about a pool|opening hours, prices or addresses
|opening hours, prices, or addresses|the name of the hotel""")
AROUND = _list("""Unfortunately, {}.|I'm sorry, but {}.|Sorry, {}.|Based on the documents, {}.|{}, so I cannot answer.
|{}. Please contact support.""")
OTHERWISE = _list("""it is not mentioned {}|it isn't stated {}|it is not specified in the documents {}|it is unclear {}
|it is not clear from the context {}|it cannot be determined from the documents {}|it is impossible to say {}
|the documents are silent on {}|the documents leave open {}|the documents never say {}|the passages never mention {}
|the documents have not mentioned {}|the documents fail to mention {}|the documents make no mention of {}
|the documents say nothing about {}|the context provides no information on {}|the context has no details on {}
|there is no mention in the documents of {}|there is nothing in the documents about {}
|there isn't enough information to say {}|there is no evidence in the documents {}|nothing in the documents says {}
|none of the retrieved documents mentions {}|neither document says {}|no document says {}
|nowhere in the documents is it stated {}|nowhere do the documents mention {}|I found no information on {}
|I found nothing on {}|I have no information on {}|I see no mention of {}|I do not see any mention of {}
|I can't tell {}|I cannot tell from the documents {}|I don't know {}|I'm not sure {}
|the provided information is insufficient to determine {}|the context is not sufficient to say {}
""")
IN_FRONT = _list("""\
{} is not stated in the documents|{} is not mentioned|{} is not specified in the context|{} is unclear
|{} is unknown|{} cannot be determined from the documents|{} isn't clear from the documents
|As for {}, the documents do not say""")
NAMED_IN_FRONT = _list("""{} is not mentioned in the documents|{} is not mentioned|{} isn't stated
|{} is never mentioned|{} is nowhere mentioned in the documents|{} is not listed in the documents
|{} is not disclosed in the documents|{} is not mentioned anywhere in the documents
|{} cannot be found in the documents|{} does not appear in the documents|{} is not part of the documents
""")

WHO_ZH = _list("""资料|资料中|文档里|所提供的资料中|上下文中|知识库里|检索到的内容|这些资料|原文|文件中|检索结果中
|参考资料中|资料2
|资料1和资料2都|第3段|文章中|文中|该文|手册|报道中|页面上|官网|说明书""")
NOT_ZH = _list("""没有提到|没有提及|未提及|并未提及|没有说明|未说明|没有明确说明|没有具体说明|没有指出|没有写明|没提
|没说|没有说|没有介绍
|没有交代|没有给出|未明确|未透露|没有注明|没有涉及|没有记载|没有规定|没有描述""")
WHAT_ZH = _list("""酒店是否有游泳池|酒店有没有游泳池|停车费是多少|何时开放|几点开门|博物馆什么时候开门
|如何计算费用|谁是业主
|能否携带宠物|在哪里|哪家酒店最大|早餐是否包含在内|酒店有游泳池|会员可以免费停车|早餐包含在内|游泳池|停车费
|开放时间和地址|这一点
""")
OTHERWISE_ZH = _list("""无法确定{}|无法判断{}|不清楚{}|我不知道{}|根据资料无法判断{}|从资料中无法得知{}
|根据现有资料，无法得知{}
|资料不足以判断{}|从文档中看不出{}|看不出{}|难以判断{}|{}，资料中没有提到|{}，文中未说明|至于{}，资料中没有说明
|没有资料提到{}|没有文档说明{}|抱歉，资料没有说明{}|资料中没有提到{}，因此无法回答""")
THING_ZH = _list("""没有找到关于{}的信息|没有关于{}的信息|暂无{}的信息|资料中并无{}的信息|资料对{}没有说明
|文中对{}只字未提|资料中找不到{}
""")


def _denials() -> Iterator[str]:
    for who in WHO:
        for form in NOT:
            for verb in SAY:
                yield from (f"{form.format(who)} {verb} {what}" for what in WHETHER[:2])
            yield from (f"{form.format(who)} mention {what}" for what in (*WHETHER, *THAT, *THING))
            yield from (f"{form.format(who)} {verb} {what}" for verb in SHOW for what in WHETHER[:2])
    for verb in SAY:
        yield from (f"the documents do not {verb} {what}" for what in (*WHETHER, *THAT[:-1]))
    for verb in SHOW:
        yield from (f"the context does not {verb} {what}" for what in (*WHETHER, *THAT[:-1]))


def _otherwise() -> Iterator[str]:
    yield from (form.format(what) for form in OTHERWISE for what in WHETHER)
    yield from (form.format(what[0].upper() + what[1:]) for form in IN_FRONT for what in WHETHER if what[:2] != "if")
    yield from (form.format(what[0].upper() + what[1:]) for form in NAMED_IN_FRONT for what in ("a pool", "the fee"))


def _judged(texts: Iterator[str]) -> list[str]:
    written = (f"{text[0].upper()}{text[1:]}{'。' if ord(text[0]) > 0x3400 else '.'}" for text in texts)
    return [text for text in written if not declines_only(text, Words(KNOWN))]


def test_evidence_that_does_not_say_something_is_a_decline() -> None:
    assert _judged(_denials()) == []


def test_so_is_what_is_unclear_or_found_nowhere() -> None:
    assert _judged(_otherwise()) == []


@pytest.mark.parametrize("around", AROUND)
def test_so_it_is_with_an_apology_a_reason_or_a_referral(around: str) -> None:
    denials = [f"the documents do not mention {what}" for what in (*WHETHER, *THAT, *THING)]
    assert [one for one in denials if not declines_only(around.format(one), Words(KNOWN))] == []


def test_chinese_evidence_that_does_not_say_something_is_a_decline() -> None:
    assert _judged(f"{who}{form}{what}" for who in WHO_ZH for form in NOT_ZH for what in WHAT_ZH) == []


def test_so_is_what_cannot_be_told_in_chinese() -> None:
    questions = WHAT_ZH[:12]
    assert _judged(form.format(what) for form in OTHERWISE_ZH for what in questions) == []
    assert _judged(form.format(what) for form in THING_ZH for what in ("游泳池", "停车费", "开放时间")) == []


@pytest.mark.parametrize(
    "denial", ["The documents do not say whether the hotel has a pool", "资料没有说明酒店是否有游泳池"]
)
@pytest.mark.parametrize(
    ("claim", "claim_zh"),
    [
        (", but it does", "，但是它有泳池"),
        ("; it is closed", "；泳池已关闭"),
        (". It has one", "。有一个"),
        (": guests swim in the lake", "：客人在湖里游泳"),
        (" – guests swim in the lake", " – 客人在湖里游泳"),
        (", which is closed", "，该泳池已关闭"),
        (", so it has none", "，所以没有泳池"),
        (" because the owner closed it", "，因为老板关了它"),
        (", though the lake is near", "，不过附近有湖"),
    ],
)
def test_a_claim_beside_a_denial_is_judged(denial: str, claim: str, claim_zh: str) -> None:
    text = f"{denial}{claim}." if denial.isascii() else f"{denial}{claim_zh}。"
    assert not declines_only(text, Words([*KNOWN, text]))


@pytest.mark.parametrize(
    "text",
    [
        "Unable to answer based on given passages.",
        "Therefore, I am unable to answer the question based on this passage.",
        "Therefore, the answer is unable to answer based on given passages.",
        "Unable to determine from the provided context.",
        "Cannot answer from the given context.",
        "Could not find this information in the documents.",
        "Not answerable based on the given passages.",
        "This question is unanswerable.",
        "It is impossible to answer the question with the information given.",
        "None of these passages provide the information requested.",
        "None of the passages provide information about whether the hotel has a pool.",
        "Passage 3 is not related to the hotel.",
        "The passages are not relevant to the question.",
        "Unspecified in the passages.",
        "(Not specified in the documents.)",
        "无法根据所给段落回答。",
        "基于以上内容无法确定。",
        "资料不足，无法回答。",
        "由于提供的信息有限，无法确定。",
    ],
)
def test_a_decline_needs_no_subject(text: str) -> None:
    assert declines_only(text, Words(KNOWN))


@pytest.mark.parametrize(
    "text",
    [
        "Unable to find the door, he broke the window.",
        "It is impossible to determine a price above 40 euros.",
        "It is not possible to cancel the booking.",
        "Unable to pay, the owner sold the hotel.",
        "The passage to the pool is not about 40 metres long.",
        "The fee is unrelated to the season.",
        "该公司信息有限公司成立于上海。",
        "The data does not show that it works.",
        "The report does not contain errors.",
        "The policy does not cover dental care.",
        "The website does not offer refunds.",
        "There is no evidence that it works.",
        "The cause of the fire is unknown.",
        "His age was not disclosed.",
        "The ship could not be found.",
        "We have no rooms on Sundays.",
        "They did not say that they were sorry.",
        "没有证据表明该药有效。",
        "事故原因尚不清楚。",
        "该店没有会员的优惠。",
        "报告没有错误。",
        "酒店有游泳池，资料中没有提到。",
    ],
)
def test_what_is_not_so_in_the_world_is_no_decline(text: str) -> None:
    assert not declines_only(text, Words([text]))
