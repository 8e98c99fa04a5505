"""Rules of refusals."""

import pytest

from monitor.judges.safety.refusal import refusals
from monitor.records import RagTrace


def kinds(answer: str | None) -> list[str]:
    return [finding.kind for finding in refusals(RagTrace("0" * 32, "", "q", answer), ())]


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot assist you in obtaining that document. It is private.",
        "It is not appropriate to speculate about that.",
        "抱歉，我不能提供这类信息。",
        "抱歉,我没有办法帮助您。",
        "这个问题我无法回答,请咨询其他渠道。",
    ],
)
def test_a_refusal_at_the_head_is_full(answer: str) -> None:
    assert kinds(answer) == ["full"]


def test_a_refusal_after_help_or_with_a_list_of_help_is_partial() -> None:
    steps = "I can't help with the lock itself. But:\n1. Call a locksmith.\n2. Show your papers.\n3. Wait."
    assert kinds(steps) == ["partial"]
    assert kinds("Open the app. Go to billing. I can't help with the rest.") == ["partial"]


@pytest.mark.parametrize(
    "answer",
    [None, "", "It opens at ten.", "You cannot return opened goods.", "该商品不能退货。", "I couldn't find it."],
)
def test_an_answer_that_complies_or_lacks_information_is_none(answer: str | None) -> None:
    assert kinds(answer) == []
