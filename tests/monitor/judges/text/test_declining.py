"""Rules of declining answers (field case FC-010)."""

import pytest

from monitor.judges.text.declining import declines_only

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


@pytest.mark.parametrize("answer", DECLINING)
def test_an_answer_that_only_declines_is_recognised(answer: str) -> None:
    assert declines_only(answer)


@pytest.mark.parametrize("answer", STATING)
def test_an_answer_that_states_something_is_not(answer: str) -> None:
    assert not declines_only(answer)
