"""What is said around a verdict: doubts of it, and what only sounds like them."""

from __future__ import annotations

import json

import pytest

from monitor.judges.replies.doubts import supposes, takes_back
from tests.monitor.judges.replies.parsed import detail_of, value_of

SCORED = frozenset({"reason", "score"})
VERDICT = '{"reason": "r", "score": 4}'


@pytest.mark.parametrize(
    "after",
    [
        "But wait, passage 2 differs.",
        "Hmm, I think I got that wrong.",
        "Strike that.",
        "Never mind.",
        "I retract this.",
        "I take that back.",
        "I changed my mind.",
        "I'd like to revise the verdict.",
        "After re-reading passage 2, I would lower this.",
        "Upon closer inspection, my verdict does not hold.",
        "I no longer stand by this verdict.",
        "That was the wrong verdict.",
        "That can't be right.",
        "I meant the opposite.",
        "Flip the verdict.",
        "Kindly disregard.",
        "Sorry, I misread the passage.",
        "Apologies for the error above.",
        "My response above is wrong.",
        "This is just a placeholder.",
        "(This is a dummy response.)",
        "(example only)",
        "The values above are placeholders, not a real verdict.",
        "Note: the JSON above is only an example of the format.",
        "The numbers above are invented because I had no passages to look at.",
        "To be clear, I have not evaluated anything; the JSON only shows the format.",
        "However I need the real passages before I can judge.",
        "I was not able to read the passages.",
        "I can't give a verdict on this.",
        "This verdict should not be relied on.",
        "Evaluation failed.",
        "以上仅为示例，并非实际判定。",
        "我收回以上判定。",
        "刚才判错了。",
        "我弄混了。",
        "其实我无法评估该回答。",
        "请勿采用。",
        "I'm not sure about this verdict.",
        "I should not have given this verdict.",
        "This might be wrong.",
        "No verdict can be given.",
        "I refuse to judge this.",
        "Not final.",
        "以上判定是错的。",
        "I change my answer to 1.",
        "Scratch the 4, use 1.",
        "Let me lower it to 1.",
        "4 was too high.",
        "Upon second thought I prefer 1.",
        "The JSON above is filler.",
        "TODO: fill in real score",
        "我判错了，应为1分。",
        "上面写错了，是1。",
    ],
)
def test_what_takes_a_verdict_back_behind_it_makes_it_none(after: str) -> None:
    assert detail_of(f"{VERDICT}\n\n{after}", SCORED) == "taken_back"
    assert detail_of(f"```json\n{VERDICT}\n```\nIt was checked. {after}", SCORED) == "taken_back"
    assert value_of(json.dumps({"reason": after, "score": 4}), SCORED)["score"] == 4


@pytest.mark.parametrize(
    "after",
    [
        "Let me know if you need anything else!",
        "If this is wrong, please let me know.",
        "If you provide more passages, I can re-evaluate.",
        "No corrections needed.",
        "I re-checked the passages and stand by this.",
        "The claim about water damage is wrong.",
        "The answer is wrong on one point: it should be corrected to 3 years.",
        "The response is incorrect about water.",
        "There is a mistake in the answer.",
        "Passage 2 says the opposite of the claim.",
        "I could not find the second claim in the passages.",
        "I could not see any passage that supports claim 2.",
        "I did not use outside knowledge.",
        "The answer does not wait for the user's reply.",
        "The user must wait two years.",
        "It is an example of an unsupported claim.",
        "The sample size is not mentioned.",
        "It is polite, but it does not thank anybody.",
        "It isn't a 5 because it lacks a greeting.",
        "The price is wrong.",
        "The second one is wrong.",
        "Refunds are not possible.",
        "Users may be misled.",
        "Could be warmer.",
        "Nothing else to add.",
        "My verdict does not depend on style.",
        "I'm confident in this verdict.",
        "价格有误。",
        "The warranty does not apply to water.",
        "Water damage cannot be claimed under warranty.",
        "The above verdict follows the given rubric.",
        "This is my final verdict.",
        "第二条论断与段落2相反。",
        "回答中的数字有误。",
        "如有不对请指正。",
        "段落无法判断产地。",
        "以上是我的判定。",
        "The dose of 4 was too high in the answer.",
        "The answer changes the price, and lets the user lower it to 1.",
        "The answer lists what the user has to do.",
        "Fillers and dyes are not mentioned.",
        "I lowered the score for the wrong date.",
        "回答写错了日期。",
        "我判断第二条正确。",
    ],
)
def test_a_finding_an_offer_or_a_courtesy_behind_a_verdict_leaves_it(after: str) -> None:
    assert not takes_back(after)
    assert value_of(f"{VERDICT}\n\n{after}", SCORED)["score"] == 4


@pytest.mark.parametrize(
    "before",
    [
        "Example:",
        "E.g.",
        "Here is a sample verdict:",
        "An example of the output format:",
        "For example, a verdict might look like this:",
        "Placeholder:",
        "The wrong verdict would be:",
        "A careless judge would say:",
        "If I had the passages, I would reply:",
        "Suppose the answer were complete; then:",
        "Hypothetically:",
        "I would not say:",
        "Don't output:",
        "Not this:",
        "It would be a mistake to answer:",
        "The injected text asks me to output this verdict:",
        "The answer tries to make me say:",
        "My earlier, now withdrawn verdict:",
        "Initial impression:",
        "First draft:",
        "Rather than",
        "Not my verdict:",
        "Previous grader:",
        "If I were lenient:",
        "The user wants me to output",
        "Someone else answered",
        "格式示例：",
        "例如：",
        "如果有段落，我会回答：",
        "我不会输出：",
        "草稿：",
    ],
)
def test_a_verdict_that_is_introduced_as_something_else_is_none(before: str) -> None:
    assert detail_of(f"{before}\n{VERDICT}", SCORED) == "supposed"
    assert detail_of(f"The claims were checked.\n{before} {VERDICT}", SCORED) == "supposed"


@pytest.mark.parametrize(
    "before",
    [
        "Here is my verdict:",
        "My verdict in the expected format:",
        "Following the format of the example, my verdict:",
        "Here is the result, with an example in the reason:",
        "For example, passage 1 says so. Verdict:",
        "I would judge as follows:",
        "If the passages are all there is, then:",
        "The answer is wrong. Verdict:",
        "Claim 2 is wrong:",
        "The answer gives the previous price instead of the current one:",
        'Assuming "it" means the warranty, claim 2 is contradicted.',
        "Wait, let me check passage 2. Yes. Final verdict:",
        "I can't find water damage in passage 1. Verdict:",
        "I cannot assess claim 2 by passage 1. Passage 2 says so, thus:",
        "例如第一段就写明了两年。判定：",
        "按照格式输出：",
        "As in the example:",
        "The user wants me to judge whether it is polite. Verdict:",
        "The user wants me to give a verdict in JSON:",
        "Someone else pays the shipping, says passage 2. Verdict:",
        "If I were to travel in May, passage 1 says so. Verdict:",
        "The previous passage says so:",
        "根据示例格式，输出如下：",
    ],
)
def test_an_announcement_or_a_thought_in_front_of_a_verdict_leaves_it(before: str) -> None:
    assert not supposes(f"{before}\n")
    assert value_of(f"{before}\n{VERDICT}", SCORED)["score"] == 4
