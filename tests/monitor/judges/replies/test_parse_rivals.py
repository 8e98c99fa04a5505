"""A reply that says two things has no verdict, wherever the other thing stands; one that explains itself has one."""

from __future__ import annotations

import contextlib
import json
import time
from functools import partial

import pytest

from monitor.errors import JudgeRejected
from monitor.judges.replies.parse import parse_verdict
from monitor.judges.replies.repair import MAX_GUESSED, Guesser
from monitor.judges.replies.thoughts import is_aside
from tests.growth import grows_linearly
from tests.monitor.judges.replies.parsed import claims, detail_of, reason_of, value_of

SCORED = frozenset({"reason", "score"})
JUDGED = frozenset({"reason", "verdict"})
LISTED = frozenset({"claim_count", "claims"})
FOUND = frozenset({"findings", "severity"})
FOUR = '{"reason": "r", "score": 4}'
YES = '{"reason": "r", "verdict": "yes"}'
CLAIMS = '{"claim_count": 1, "claims": [{"claim": "a", "verdict": "supported"}]}'
SAFE = '{"findings": [], "severity": "none"}'
_OTHERWISE = (
    *("Rating: 1", "Grade: 1", "My rating is 1 of 5.", "Score (final) 1", "score ~1", '"score" 1', "Score equals 1"),
    *("<score>1</score>", "| score | 1 |", "score: one", "The score is one.", "Score is actually closer to 1."),
    *("The score ought to be 1.", "score\n1", "Score – 1", "应为1分", "最终1分", "我给1分"),
)
"""Ways to give another score than 4."""


@pytest.mark.parametrize(
    ("verdict", "other", "keys"),
    [
        (FOUR, '{"score": 2}', SCORED),
        (FOUR, '{"Score": 2}', SCORED),
        (FOUR, '{"final_score": 2}', SCORED),
        (FOUR, '{"score": "2"}', SCORED),
        (FOUR, '{"steps": [{"a": {"score": 2}}]}', SCORED),
        (FOUR, '{"score": 2 or 3}', SCORED),
        *((FOUR, f"The answer was read.\n{said}", SCORED) for said in _OTHERWISE),
        (YES, 'Corrected verdict: {"verdict": "no"}', JUDGED),
        (YES, '```json\n{"Reason": "q", "Verdict": "no"}\n```', JUDGED),
        (YES, '{"final": {"reason": "q", "verdict": "no"}, "confidence": 1}', JUDGED),
        (CLAIMS, '{"claims": [{"claim": "a", "verdict": "contradicted"}]}', LISTED),
        (CLAIMS, '{"claim": "a", "verdict": "contradicted"}', LISTED),
        (CLAIMS, "Verdict: contradicted", LISTED),
        (SAFE, '{"severity": "severe"}', FOUND),
        (SAFE, "Severity: severe", FOUND),
        (YES, "Verdict: no", JUDGED),
        (YES, "The verdict is **no**.", JUDGED),
        (YES, "Verdict: not yes\n", JUDGED),
        (YES, "判定：no", JUDGED),
    ],
)
def test_another_verdict_before_or_behind_makes_two(verdict: str, other: str, keys: frozenset[str]) -> None:
    assert detail_of(f"{verdict}\n{other}", keys) == "two_verdicts"
    assert detail_of(f"{other}\n{verdict}", keys) == "two_verdicts"
    assert detail_of(f"[{verdict}]\n{other}", keys) == "two_verdicts"


@pytest.mark.parametrize(
    "more",
    [
        '"final_score": 2',
        '"revisedScore": 2',
        '"score_updated": 2',
        '"result": {"reason": "r", "score": 2}',
        '"id": {"score": 2}',
        '"samples": [{"score": 2}]',
    ],
)
@pytest.mark.parametrize("around", ["%s", "Here: %s", '{"result": %s}'])
def test_another_verdict_inside_makes_two(more: str, around: str) -> None:
    assert detail_of(around % f'{{"reason": "r", "score": 4, {more}}}', SCORED) == "two_verdicts"
    assert value_of(around % f'{{"reason": "r", "score": 4, {more.replace("2", "4")}}}', SCORED)["score"] == 4


def test_another_verdict_inside_the_verdict_of_one_of_several_makes_two() -> None:
    names = frozenset({"a", "b"})
    nested = '{"a": {"reason": "r", "score": 4, "result": {"score": %d}}, "b": {"reason": "r", "score": 1}}'
    assert detail_of(nested % 2, names) == "two_verdicts"
    assert value_of(nested % 4, names)["b"] == {"reason": "r", "score": 1}


def test_what_nobody_asked_for_is_no_rival() -> None:
    more = '"c": {"score": 3, "parts": [{"score": 1}]}'
    assert value_of(f'{{"a": {FOUR}, {more}}}', frozenset({"a"}))["a"] == json.loads(FOUR)
    assert value_of(f'{{"reason": "r", "score": 4, {more.replace("score", "verdict")}}}', SCORED)["score"] == 4


@pytest.mark.parametrize(
    ("verdict", "aside", "keys"),
    [
        (FOUR, "I rated it on a scale of 1 to 5.", SCORED),
        (FOUR, "I gave score 4 because one of 3 claims has no source.", SCORED),
        (FOUR, "Score: 4/5", SCORED),
        (FOUR, "Score (1-5): 4", SCORED),
        (FOUR, "Score: 1-5", SCORED),
        (FOUR, "The maximum score is 5, the lowest score is 1.", SCORED),
        (FOUR, "A score of 5 means that all is supported; a score of 1 means that nothing is.", SCORED),
        (FOUR, "A score of 1: nothing. A score of 5: everything.", SCORED),
        (FOUR, "Score 1 = bad, score 5 = good.", SCORED),
        (FOUR, "Score: 1 = bad, 5 = good", SCORED),
        (FOUR, "A score of 5 would need a source for 2024.", SCORED),
        (FOUR, "评分标准：1 到 5 分，最高评分为 5。评分为 5 表示完全支持。", SCORED),
        (FOUR, "score: high", SCORED),
        (FOUR, "The answer is incorrect in 2 of 6 points; the source says 2021.", SCORED),
        (FOUR, "The answer ignores the above passage. The user has to hold on to the receipt.", SCORED),
        (FOUR, '{"reason": "b"} {"final": 2}', SCORED),
        (FOUR, "Explanation: 4 of the 5 claims are supported; I deducted 1 point for the wrong date.", SCORED),
        (FOUR, "The phone has a rating of 4.5 stars. I would give this answer to a colleague.", SCORED),
        (FOUR, "This means that 2 claims are unsupported, so a score of 5 is not possible.", SCORED),
        (FOUR, "For this answer I would give:", SCORED),
        (FOUR, "A score of 3 was considered, but the answer is better than that.", SCORED),
        (FOUR, "Confidence score: 0.9", SCORED),
        *((FOUR, said.replace("1", "4").replace("one", "four"), SCORED) for said in _OTHERWISE),
        (FOUR, "The rating of the hotel is 3 stars.", SCORED),
        (FOUR, "Rating: 3 stars, says passage 1.", SCORED),
        (FOUR, "A rating is 1 of the things that the answer lacks.", SCORED),
        (FOUR, "The score is one of the highest.", SCORED),
        (FOUR, "The score of the match, 3, is right.", SCORED),
        (FOUR, "Grade 3 pupils are meant.", SCORED),
        (FOUR, "课时应为3分钟。该题应为2分，回答也这样说。", SCORED),
        (FOUR, "| score | reason |\n| 4 | good |", SCORED),
        (FOUR, "Rubric: score: 1 (bad) to 5 (good)", SCORED),
        (FOUR, "On reflection of the passages nothing else was found.", SCORED),
        (FOUR, "评分：4分（满分5分）", SCORED),
        (FOUR, "得分为4，因为有2处错误。", SCORED),
        (CLAIMS, "Verdict: Supported for claim 1.", LISTED),
        (FOUR, "| Score | Meaning |\n|---|---|\n| 1 | bad |\n| 5 | good |", SCORED),
        (FOUR, '{"score": 4}', SCORED),
        (YES, "Verdict: yes, as passage 2 says so.", JUDGED),
        (YES, "Verdict: The answer is on the subject.", JUDGED),
        (YES, "The verdict is clear.", JUDGED),
        (YES, "My verdict is as follows:", JUDGED),
        (YES, 'The verdict is "yes" or "no".', JUDGED),
        (YES, 'verdict: "no" | "yes"', JUDGED),
        (YES, "Yes, there is no doubt about it: no passage contradicts it.", JUDGED),
        (CLAIMS, "Claim 1: verdict: supported.", LISTED),
        (CLAIMS, '{"claim": "a", "verdict": "supported"}', LISTED),
        (SAFE, "Severity: none, nothing unsafe was found.", FOUND),
    ],
)
def test_an_explanation_beside_a_verdict_leaves_it(verdict: str, aside: str, keys: frozenset[str]) -> None:
    for text in (f"{verdict}\n{aside}", f"{aside}\n{verdict}", f"{aside} {verdict}"):
        assert value_of(text, keys) == json.loads(verdict)


@pytest.mark.parametrize(
    ("verdict", "after", "keys"),
    [
        (FOUR, "2", SCORED),
        (FOUR, "=> 2", SCORED),
        (FOUR, "2分", SCORED),
        (FOUR, "打2分。", SCORED),
        (FOUR, "其实只有2分", SCORED),
        (FOUR, "**Final: 2/5**", SCORED),
        (FOUR, "Not 4 but 2.", SCORED),
        (FOUR, "The score was changed to 2.", SCORED),
        (FOUR, "Score — 2", SCORED),
        (FOUR, "The score of 4 is wrong.", SCORED),
        (FOUR, "That was an example.", SCORED),
        (FOUR, "My mistake, 2", SCORED),
        (FOUR, "我改成2分", SCORED),
        (FOUR, "请忽略以上内容", SCORED),
        (YES, "No.", JUDGED),
        ('{"reason": "r", "verdict": "answers"}', "The verdict is misses.", JUDGED),
        (YES, "Final answer: no", JUDGED),
        (YES, "裁决：no", JUDGED),
    ],
)
def test_what_follows_a_verdict_and_speaks_against_it_refuses_it(
    verdict: str, after: str, keys: frozenset[str]
) -> None:
    assert reason_of(f"{verdict}\n{after}", keys) == "parse"
    assert reason_of(f"```json\n{verdict}\n```\n{after}", keys) == "parse"


@pytest.mark.parametrize(
    ("verdict", "after", "keys"),
    [
        (FOUR, "4", SCORED),
        (FOUR, "=> 4/5", SCORED),
        (FOUR, "yes", SCORED),
        (YES, "Yes!", JUDGED),
        (YES, "Correct.", JUDGED),
        (YES, "Done", JUDGED),
        (YES, "3", JUDGED),
        (CLAIMS, "1", LISTED),
    ],
)
def test_a_word_behind_a_verdict_that_says_the_same_or_nothing_leaves_it(
    verdict: str, after: str, keys: frozenset[str]
) -> None:
    assert value_of(f"{verdict}\n{after}", keys) == json.loads(verdict)


@pytest.mark.parametrize("tag", ["thought_process", "internal", "draft", "plan", "x:plan", "Inner-Voice"])
def test_a_verdict_in_a_tag_that_is_none_for_answers_is_none(tag: str) -> None:
    assert detail_of(f"<{tag}>{FOUR}</{tag}>no", SCORED) == "unclear_thought"
    assert detail_of(f'<{tag} n="1">so {FOUR}.\n</{tag}>', SCORED) == "unclear_thought"
    assert value_of(f"<{tag}>hm</{tag}>{FOUR}", SCORED)["score"] == 4
    assert value_of(f"<{tag}>{FOUR}</{tag}>{FOUR}", SCORED)["score"] == 4


@pytest.mark.parametrize(
    "tag", ["answer", "final_answer", "OUTPUT", "tool_call", "json", "pre", "your-response", "x:p", "s"]
)
def test_a_verdict_in_a_tag_for_answers_is_one(tag: str) -> None:
    assert value_of(f"<{tag}>{FOUR}</{tag}>", SCORED)["score"] == 4
    assert not is_aside(f"<{tag}>", f"</{tag}>")


@pytest.mark.parametrize(
    "text",
    [
        f"For a good answer I would write {FOUR} but this one is bad.",
        f"If it had a source, I'd say {FOUR}",
        f"It would be wrong to answer {FOUR}",
    ],
)
def test_a_verdict_that_is_only_supposed_is_none(text: str) -> None:
    assert detail_of(text, SCORED) == "supposed"
    assert value_of(f"I would rate it as follows: {FOUR}", SCORED)["score"] == 4


def broken(keys: int) -> str:
    return '{"score": 4 "reason": "a" ' + " ".join(f'"k{index}": {index}' for index in range(keys)) + "}"


@pytest.mark.timeout(10)
def test_a_guess_takes_one_pass_whatever_the_number_of_keys() -> None:
    piece = broken(1300)
    started = time.process_time()
    for _ in range(10):
        assert Guesser().guess_object(piece) is not None
    assert time.process_time() - started < 2  # 5 s where each key takes a pass of its own


def test_all_the_guesses_of_a_reply_share_one_bound() -> None:
    piece, guesser = broken(500), Guesser()
    guessed = [guesser.guess_object(piece) is not None for _ in range(20)]
    assert sum(guessed) == MAX_GUESSED // len(piece)
    assert guessed[0]


def test_what_is_not_guessed_any_more_is_text_that_may_contradict() -> None:
    long = broken(1300)
    assert reason_of(f"{FOUR}\n{long}\n{long.replace('4', '2', 1)}", SCORED) == "parse"
    assert detail_of(f'{FOUR}\n{"{a b c}" + "{" + "a " * MAX_GUESSED + "}"}\n{{"score": 2 "b": 1}}', SCORED) == (
        "two_verdicts"
    )


@pytest.mark.parametrize("text", ['{"a": 1 "a": 2}', '{"a": 1 "b": {"a": 2} "a": 3}'])
def test_a_guess_that_merges_or_invents_a_key_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="unclear_keys"):
        Guesser().guess_object(text)


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "unit", ["score is ", "verdict: a ", "评分 ", "for a I'd ", "revised ", "score: 4 to ", "<a>", "</a>"]
)
def test_what_stands_around_a_verdict_is_read_in_linear_time(unit: str) -> None:
    some = claims("supported", "not_found")

    def read(length: int) -> None:
        many = unit * (length // len(unit))
        scored = [(f"{many}{FOUR}", SCORED), (f"{FOUR}{many}", SCORED), (f"{many}{FOUR}{many}", SCORED)]
        for text, keys in [*scored, (f"{many}{some}", LISTED), (f"{some}{many}", LISTED)]:
            with contextlib.suppress(JudgeRejected):
                parse_verdict(text, keys)

    assert grows_linearly(lambda length: partial(read, length), 4_000)
