"""Rules of declining answers (field case FC-010)."""

import pytest

from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.declines.known import Words

DECLINING = [
    "I'm sorry, I couldn't find any information about that. Can I help with anything else?",
    "I don't know.",
    "I don’t have enough information to answer that.",
    "The provided context does not mention the price.",
    "The passages do not specify when the museum opens, so I cannot answer.",
    "There is no information about refunds in the documents. Please contact support.",
    "I do not have access to that information, but you can contact the office for more details.",
    "Unfortunately, the documents don't contain the answer to your question.",
    "I am sorry, but I cannot help with that request.",
    "抱歉，我没有找到相关信息。",
    "根据提供的资料，无法确定该产品的保修期。",
    "很抱歉，知识库中没有相关内容，建议您联系人工客服。",
    "资料中未提及该问题。",
    "The answer to your question isn't in the provided context.",
    "The answer is not part of the given documents.",
    "Not specified.",
    "It is not stated.",
    "Not mentioned in the documents.",
    "未提及。",
    "暂无相关信息",
    "对不起，我无法回答这个问题。请问还有其他可以帮您的吗？",
    "您好！很抱歉，目前没有查到您的订单记录。如有其他问题，请随时联系我们。",
]
STATING = [
    "",
    "The museum opens at 10:00.",
    "I couldn't find the price, but the office is open Monday to Friday.",
    "I don't have the exact date in the documents. The warranty lasts two years.",
    "I'm not sure about the price. It costs 5 dollars.",
    "The answer is not in doubt: it is 12.",
    "The price is not specified in euros.",
    "Not available.",
    "Not specified in advance, but set each year.",
    "The contract does not include insurance.",
    "The policy does not cover dental care.",
    "No refunds are available after 30 days.",
    "We cannot offer refunds after 30 days.",
    "We do not have a store in Berlin.",
    "Sorry for the delay, your parcel arrives on Monday.",
    "You can contact support at any time.",
    "该型号无法提供快充。",
    "无法提供7天无理由退货。",
    "我们不能提供上门服务。",
    "抱歉给您带来不便，退款将在3天内到账。",
    "资料中没有提到价格，但保修期为两年。",
    "对不起，退货期限是7天，超过时间不能退货。",
]


DECLINING_IN_CLAUSES = [
    "Based on the information available, it is not possible to determine the fee, as the documents do not specify it.",
    "I cannot find the fee in the documents, so it is unclear what it costs.",
    "抱歉，我目前无法回答这个问题，请稍后再试。",
    "I'm sorry, but the provided documents do not contain information about the fee, so I cannot answer your question.",
    "The documents do not mention opening hours, prices, or addresses.",
    "The context does not say who the owner is, when it was founded, or how much it costs.",
    "Based on the provided context, I cannot determine the answer.",
    "I don't have enough information to answer this question, as the passages do not mention the price.",
    "Unfortunately, the context doesn't provide details on refunds, and I cannot find any other information.",
    "I'm not sure about that, sorry.",
    "I could not find any information about the 2020 annual report in the documents.",
    "I'm sorry, I can't help with that because it is illegal.",
    "There is no information in the passages about this topic; therefore, I cannot answer.",
    "The answer is not in the provided context, please consult the manual.",
    "I cannot answer that question: the documents do not contain the answer.",
    "As an AI, I cannot answer that.",
    "I'm unable to find that information, such as the 2021 price.",
    "I don't know, but you can contact support.",
    "I could not find anything about that.",
    "The context does not mention that topic.",
    "Regarding the fee, the documents do not say anything.",
    "I cannot confirm this, because the information is not in the sources.",
    "The passages don't mention whether the hotel has a pool.",
    "The documents do not mention that the hotel has a pool.",
    "The provided text does not state what the fee is.",
    "I don't have access to real-time data, so I can't tell you today's weather.",
    "I am sorry, I cannot find the answer in the context, which does not mention it.",
    "抱歉，根据现有资料，我无法确定停车费是多少。",
    "很抱歉，资料中没有提到停车费，因此无法回答您的问题。",
    "资料中未提及停车费，也没有说明开放时间，建议您咨询客服。",
    "根据资料，无法判断该活动何时举行，也不清楚地点。",
    "对不起，我不能回答这个问题，因为它涉及隐私。",
    "关于2020年的活动，资料中没有提到相关信息。",
    "没有找到相关信息，请您提供更多细节。",
    "抱歉，暂无相关信息，如有其他问题请随时联系我。",
    "您问的退款政策，知识库中没有相关内容。",
    "我不太清楚，不好意思。",
    "资料中没有提到是否有停车场，以及费用是多少。",
    "无法回答，资料不足。",
    "抱歉，文档中没有相关信息，无法提供答案。",
]
STATING_BESIDE_A_DECLINE = [
    "In 2020 the fee was 500 euros, I don't know more.",
    "I could not find the exact fee; 500 euros is typical.",
    "I cannot answer that: visitors die there.",
    "I couldn't find anything cheaper than 500 euros.",
    "The documents do not say that the hotel, opened in 1990, has a pool.",
    "The context does not say the fee is 40 euros.",
    "I can't find any fee: entry is free.",
    "Unfortunately we could not find your order because the shop closed in 2020.",
    "资料中没有提到停车费为五百元。",
    "抱歉，我无法回答，因为该店已于去年倒闭。",
    "没有找到相关信息，会员可免费停车。",
    "未找到低于五百元的房间。",
    "抱歉，资料未提及，但停车免费",
    "我不知道，大概五百元",
    "很抱歉，无法找到，建议服用阿司匹林",
    "无法确定，费用通常为五百元",
    "I don't have information about that, please take aspirin.",
    "Sorry, I can't help with that as bombs are illegal in France since 2001.",
    "I could not find the fee, so it is free.",
    "The fee is 500 euros, I don't know more.",
    "I don't know, it costs 500 euros.",
    "I don't have that information and it is free anyway.",
    "I cannot find the fee — entry is free.",
    "I do not know, take aspirin.",
    "I'm not sure, the capital is Paris.",
    "I cannot determine the date, which was 12 May.",
    "会员可免费停车，其他资料中没有提到。",
    "我不清楚，应该是巴黎。",
    "无法确定：一般为十元。",
    "资料中没有提到，通常需要三天。",
    "抱歉，没有相关信息；巴黎是首都。",
    "未能找到记录，该店已关闭。",
    "不知道——会员免费。",
    "没有找到比五百元更便宜的房间。",
]


@pytest.mark.parametrize("answer", DECLINING + DECLINING_IN_CLAUSES)
def test_an_answer_that_only_declines_is_recognised(answer: str) -> None:
    assert declines_only(answer)


@pytest.mark.parametrize("answer", STATING + STATING_BESIDE_A_DECLINE)
def test_an_answer_that_states_something_is_not(answer: str) -> None:
    assert not declines_only(answer)


ASKED_AND_FOUND = ["Does the hotel have a pool?", "The hotel in Lyon has 40 rooms. Breakfast is served."]
BRINGING_IN = [
    "I don't know whether it is 500 or 600.",
    "I don't know whether it is Paris or Rome.",
    "I can't tell if it is the Ritz or the Savoy.",
    "I do not know whether it costs five hundred euros.",
    "I don't know if it is 12 May or 13 May.",
    "The documents do not mention that the fee rose to 500 euros.",
    "Nothing in the documents says that the pool opened in 1990.",
    "The fee of 500 euros is not mentioned in the documents.",
    "I do not have that information. Please visit us from 9 to 17.",
    "我不知道是五百还是六百元。",
    "无法确定是1990年还是1991年开业。",
    "资料中没有提到停车费涨到了五百元。",
    "资料未提及该泳池于1990年开放。",
]
BRINGING_NOTHING_IN = [
    "The documents do not say that the hotel has 40 rooms.",
    "The documents do not mention whether the Lyon hotel has a pool.",
    "The documents do not say whether the Hotel Lyon has a Swimming Pool.",
    "There is no information on a Swimming Pool at the Grand Hotel.",
    "I could not find it in passages 1-3.",
    "None of the 5 documents mentions a pool.",
    "Neither of the two documents mentions a pool.",
    "The documents do not say whether the pool is open on Saturdays or Sundays.",
    "I don't have information about the pool. Please call 0800 123456 or write to help@example.com.",
    "I'm sorry, I don't know whether there is a pool. You can call 988 at any time.",
    "I don't know. Our support is available 24/7, please contact them.",
    "Sorry, I don't know. Please contact Customer Support or the Front Desk.",
    "My training data ends in 2023, so I don't know.",
    "I don't have information after September 2021 because of my knowledge cutoff.",
    "资料1和资料2均未提到酒店是否有游泳池。",
    "两份文档都没有提到游泳池。",
    "第3段没有提到游泳池。",
    "截至2023年，我没有找到相关信息。",
    "抱歉，资料中没有相关信息，请拨打400-123-4567咨询。",
    "资料未说明酒店是否有40间客房。",
]


@pytest.mark.parametrize("answer", BRINGING_IN)
def test_a_decline_with_a_value_that_was_neither_asked_for_nor_found_is_judged(answer: str) -> None:
    assert not declines_only(answer, Words(ASKED_AND_FOUND))


@pytest.mark.parametrize("answer", BRINGING_IN)
def test_a_value_that_was_asked_for_or_found_is_nothing_new(answer: str) -> None:
    assert declines_only(answer, Words([answer])) == declines_only(answer, Words(["What?", answer]))
    assert declines_only(answer, Words([answer]))


@pytest.mark.parametrize("answer", BRINGING_NOTHING_IN)
def test_a_decline_may_name_what_is_asked_where_it_looked_and_whom_to_ask(answer: str) -> None:
    assert declines_only(answer, Words(ASKED_AND_FOUND))


@pytest.mark.parametrize("answer", STATING + STATING_BESIDE_A_DECLINE)
def test_what_is_stated_is_stated_also_where_the_passages_hold_it(answer: str) -> None:
    stated = answer not in {"The context does not say the fee is 40 euros.", "资料中没有提到停车费为五百元。"}
    assert declines_only(answer, Words([answer])) != stated


STATING_IN_A_CLAUSE_OR_BRACKETS = [
    "It is unclear whether the museum opens on Mondays since it closes on Mondays.",
    "It is unclear whether the museum opens on Mondays, since it closes on Mondays.",
    "I don't know whether pets are allowed while the pool is open to everybody.",
    "The documents do not mention a pool (the hotel has one).",
    "The documents do not mention a pool (it is closed).",
    "The documents do not mention:\n- the fee\n- The pool is closed on Mondays.",
    "I cannot say whether it has a pool given that the owner sold it.",
    "资料没有提到泳池（泳池已关闭）。",
    "资料没有提到泳池（酒店有泳池）。",
    "I don't know, e.g. breakfast is free.",
    "The documents do not mention a pool. (It is closed.)",
    "The documents do not mention pets. Dogs are fine.",
    "No, it has no pool; the documents do not mention one.",
    "The hotel has no pool. The documents do not mention one.",
    "Pets are allowed, the documents do not say more.",
    "Pets are not allowed, though it is not mentioned in the documents.",
    "While the hotel has a pool, the documents do not mention pets.",
    "The documents do not mention pets, meaning they are allowed.",
    "The documents do not mention pets, therefore they are allowed.",
    "The documents do not mention pets and so they are allowed.",
    "The documents do not mention pets, they are allowed.",
    "I found no information that pets are allowed, therefore leave them at home.",
    "There is no mention of a pool as the hotel closed it.",
    "资料没有说明，因此可以携带宠物。",
    "资料没有说明能否携带宠物，通常可以。",
    "资料没有说明能否携带宠物，一般都允许。",
    "没有资料提到酒店有泳池，泳池是免费的。",
]
DECLINING_IN_A_LIST_OR_BEHIND_WHAT_IS_THERE = [
    "The documents do not mention that, on weekends, the hotel is closed.",
    "The documents do not say whether, for example, dogs are allowed.",
    "The documents do not say which of the pools, if any, is heated.",
    "The documents do not mention:\n- the fee\n- the opening hours\n- whether pets are allowed",
    "The provided documents do not contain information about:\n1. The fee\n2. The opening hours",
    "**The documents do not mention a pool.**",
    "**Not specified.**",
    "*Unknown*",
    "The documents do not mention a pool (or any other facility).",
    "The documents do not mention the fee (in euros).",
    "I don't know (the documents do not say).",
    "资料没有说明以下内容：\n- 停车费\n- 开放时间",
    "资料没有提到泳池（或其他设施）。",
    "It is unclear whether pets are allowed since the documents do not say so.",
    "I cannot say whether pets are allowed since this is not mentioned in the documents.",
    "The documents do not mention pets, so I can't say whether they are allowed.",
    "The documents don't mention pets or dogs. Please check with the hotel.",
    "Based on the provided documents, there is no mention of pets. Therefore, I cannot answer the question.",
    "Neither passage mentions whether pets are allowed. I recommend contacting the hotel directly.",
    "The context provided does not specify whether or not pets are allowed at the hotel on Mondays.",
    "The documents do not directly state that pets are allowed on Mondays, nor do they mention a pool.",
    "I could not find any mention of pets in the documents you provided, nor any pool policy.",
    "Sorry — the documents don't say.",
    "The documents don't say anything one way or the other.",
    "That isn't covered in the documents.",
    "This information is not available in the provided context.",
    "The question cannot be answered from the documents.",
    "The question cannot be answered based on the given context.",
    "I don't see that in the documents.",
    "It doesn't say.",
    "The documents don't say.",
    "No information is given about pets.",
    "No mention is made of pets in the documents.",
    "Pets aren't mentioned.",
    "Pets are not discussed in the documents.",
    "The passages only describe rooms and do not mention pets.",
    "The documents discuss rooms but do not mention pets.",
    "资料仅介绍了房间，没有提到宠物。",
    "资料只提到了早餐，并未提及宠物。",
    "文档中没有足够的信息来回答这个问题。",
    "根据所提供的上下文，无法得知是否可以携带宠物。",
    "上述资料均未提及宠物政策，因此无法回答该问题。",
    "目前的资料无法回答这个问题。",
    "对此，资料没有给出明确说明。",
    "不好意思，这个问题我暂时无法回答。",
    "我没有找到与宠物相关的内容。",
    "资料中关于宠物的规定并不明确。",
    "文中没有明确提及能否携带宠物，建议直接咨询酒店。",
    "该问题的答案不在资料中。",
    "资料里查不到。",
    "没有提到。",
    "没说。",
]


@pytest.mark.parametrize("answer", STATING_IN_A_CLAUSE_OR_BRACKETS)
def test_a_statement_hidden_in_a_decline_is_judged(answer: str) -> None:
    assert not declines_only(answer, Words([*ASKED_AND_FOUND, answer]))


@pytest.mark.parametrize("answer", DECLINING_IN_A_LIST_OR_BEHIND_WHAT_IS_THERE)
def test_a_decline_may_say_first_what_there_is_and_list_what_there_is_not(answer: str) -> None:
    assert declines_only(answer, Words(ASKED_AND_FOUND))
