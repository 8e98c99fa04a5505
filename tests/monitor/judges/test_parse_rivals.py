"""A reply that says two things has no verdict, wherever the other thing stands; one that explains itself has one."""

from __future__ import annotations

import contextlib
import json
import time

import pytest

from monitor.errors import JudgeRejected
from monitor.judges.parse import parse_verdict
from monitor.judges.repair import MAX_GUESSED, Guesser
from monitor.judges.thoughts import is_aside
from tests.monitor.judges.parsed import detail_of, reason_of, value_of

SCORED = frozenset({"reason", "score"})
JUDGED = frozenset({"reason", "verdict"})
LISTED = frozenset({"claim_count", "claims"})
FOUND = frozenset({"findings", "severity"})
FOUR = '{"reason": "r", "score": 4}'
YES = '{"reason": "r", "verdict": "yes"}'
CLAIMS = '{"claim_count": 1, "claims": [{"claim": "a", "verdict": "supported"}]}'
SAFE = '{"findings": [], "severity": "none"}'


@pytest.mark.parametrize(
    ("verdict", "other", "keys"),
    [
        (FOUR, '{"score": 2}', SCORED),
        (FOUR, '{"Score": 2}', SCORED),
        (FOUR, '{"final_score": 2}', SCORED),
        (FOUR, '{"score": "2"}', SCORED),
        (FOUR, '{"steps": [{"a": {"score": 2}}]}', SCORED),
        (FOUR, '{"score": 2 or 3}', SCORED),
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


def claims(*verdicts: str) -> str:
    listed = [{"claim": f"c{index}", "verdict": verdict} for index, verdict in enumerate(verdicts)]
    return json.dumps({"claim_count": len(listed), "claims": listed})


ALL, NONE, SOME = (
    claims("supported", "supported"),
    claims("not_found", "contradicted"),
    claims("supported", "not_found"),
)


@pytest.mark.parametrize(
    ("agreeing", "otherwise", "summary"),
    [
        ([ALL], [NONE, SOME], "Verdict: Yes"),
        ([ALL], [NONE, SOME], "**Overall verdict:** faithful"),
        ([ALL], [NONE, SOME], "The verdict is: fully supported."),
        ([ALL], [NONE, SOME], "Final verdict: supported"),
        ([ALL], [NONE, SOME], "Verdict: no hallucinations"),
        ([ALL], [NONE, SOME], "判定：支持"),
        ([ALL], [NONE, SOME], '{"verdict": "yes"}'),
        ([ALL], [NONE, SOME], '{"verdict": true, "reason": "all of it is there"}'),
        ([NONE, SOME], [ALL], "Verdict: No"),
        ([NONE, SOME], [ALL], "The verdict is **no**."),
        ([NONE, SOME], [ALL], "Verdict: unfaithful"),
        ([NONE, SOME], [ALL], "Overall verdict: not supported"),
        ([NONE, SOME], [ALL], "Verdict: not fully supported, as claim 2 is in no passage."),
        ([NONE, SOME], [ALL], "Verdict: fail"),
        ([NONE, SOME], [ALL], "Verdict: hallucinated"),
        ([NONE, SOME], [ALL], "Verdict: not_found"),
        ([NONE], [ALL, SOME], "Verdict: contradicted"),
        ([NONE, SOME], [ALL], "结论：不支持。"),
        ([NONE, SOME], [ALL], "判定：有幻觉"),
        ([NONE, SOME], [ALL], '{"overall_verdict": "no"}'),
        ([SOME], [ALL, NONE], "Verdict: partially supported"),
        ([SOME], [ALL, NONE], "Overall verdict: mixed"),
        ([SOME], [ALL, NONE], "结论：部分支持"),
        ([ALL, SOME], [NONE], "Claim 1: verdict: yes"),
        ([ALL, SOME], [NONE], "Claim 1: verdict: supported"),
        ([NONE, SOME], [ALL], "- c1, so the verdict: no"),
        ([SOME], [ALL, NONE], "1. Verdict: supported\n2. Verdict: not_found"),
        ([SOME], [ALL, NONE], "c0, verdict: yes; c1, verdict: no"),
        ([ALL], [NONE, SOME], "Summary: both claims are supported by the passages."),
        ([SOME], [ALL, NONE], "Summary: 1 of the 2 claims is supported."),
        ([NONE], [ALL, SOME], "综上，没有忠实的内容：两条论断中零条得到支持。"),
        ([ALL, SOME, NONE], [], "I looked whether all claims are supported."),
        ([], [ALL, NONE, SOME], "Verdict: reasonable"),
        ([], [ALL, NONE, SOME], '{"claim": "c1", "verdict": "no"}'),
    ],
)
def test_a_word_that_sums_up_the_claims_is_no_rival_unless_it_says_otherwise(
    agreeing: list[str], otherwise: list[str], summary: str
) -> None:
    for verdict in agreeing:
        assert value_of(f"{verdict}\n{summary}", LISTED) == json.loads(verdict)
        assert value_of(f"{summary}\n{verdict}", LISTED) == json.loads(verdict)
    for verdict in otherwise:
        assert detail_of(f"{verdict}\n{summary}", LISTED) == "two_verdicts"
        assert detail_of(f"{summary}\n{verdict}", LISTED) == "two_verdicts"


@pytest.mark.parametrize("key", ["verdict", "Verdict", "overall_verdict", "final_verdict"])
def test_so_it_is_inside_the_verdict(key: str) -> None:
    def summed_up(verdict: str, word: str) -> str:
        return f'{verdict[:-1]}, "{key}": "{word}"}}'

    for verdict, word in ((ALL, "yes"), (NONE, "no"), (SOME, "unfaithful"), (SOME, "partially supported")):
        assert value_of(summed_up(verdict, word), LISTED)["claim_count"] == 2
        assert value_of(f"Here: {summed_up(verdict, word)}", LISTED)["claim_count"] == 2
    for verdict, word in ((ALL, "no"), (NONE, "yes"), (SOME, "supported"), (ALL, "partially supported")):
        assert detail_of(summed_up(verdict, word), LISTED) == "two_verdicts"
        assert detail_of(f"Here: {summed_up(verdict, word)}", LISTED) == "two_verdicts"


@pytest.mark.parametrize("key", ["score", "Score", "overall_score"])
def test_a_number_beside_the_claims_is_their_share_or_on_a_scale_of_its_own(key: str) -> None:
    for verdict, number in ((ALL, 1), (NONE, 0.0), (SOME, 0.5), (SOME, 0), (SOME, 4), (ALL, 85)):
        assert value_of(f'{verdict[:-1]}, "{key}": {number}}}', LISTED)["claim_count"] == 2
    for verdict, number in ((ALL, 0.0), (NONE, 0.9), (SOME, 1.0), (ALL, 0.5)):
        assert detail_of(f'{verdict[:-1]}, "{key}": {number}}}', LISTED) == "two_verdicts"


@pytest.mark.parametrize("around", ["%s", "Here: %s"])
def test_a_share_that_counts_what_is_partly_supported_strictly_is_that_of_the_claims(around: str) -> None:
    for verdicts, number in (
        (("supported", "partial"), 0.5),
        (("supported", "supported", "partial"), 0.67),
        (("supported", "partial", "not_found"), 0.33),
        (("partial",), 0.0),
    ):
        reply = around % f'{claims(*verdicts)[:-1]}, "final_score": {number}, "score": {number}}}'
        assert value_of(reply, LISTED)["claim_count"] == len(verdicts)


@pytest.mark.parametrize("around", ["%s", "Here: %s"])
def test_so_it_is_inside_one_of_several_verdicts(around: str) -> None:
    def both(verdict: str, word: str) -> str:
        return around % f'{{"a": {verdict[:-1]}, "verdict": "{word}"}}, "b": {YES}}}'

    names = frozenset({"a", "b"})
    assert value_of(both(ALL, "yes"), names)["b"] == value_of(both(SOME, "no"), names)["b"] == json.loads(YES)
    assert detail_of(both(ALL, "no"), names) == detail_of(both(SOME, "yes"), names) == "two_verdicts"


@pytest.mark.parametrize(
    ("verdict", "after", "is_same"),
    [
        (ALL, "Yes.", True),
        (NONE, "Yes.", False),
        (ALL, "**No**", False),
        (SOME, "No!", True),
        (NONE, "Unfaithful", True),
    ],
)
def test_a_lone_word_behind_the_claims_sums_them_up(verdict: str, after: str, is_same: bool) -> None:  # noqa: FBT001 - a case
    if is_same:
        assert value_of(f"{verdict}\n{after}", LISTED) == json.loads(verdict)
    else:
        assert detail_of(f"{verdict}\n{after}", LISTED) == "two_verdicts"


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
    many = unit * (200_000 // len(unit))
    started = time.process_time()
    for text in (f"{many}{FOUR}", f"{FOUR}{many}", f"{many}{FOUR}{many}"):
        with contextlib.suppress(JudgeRejected):
            parse_verdict(text, SCORED)
    assert time.process_time() - started < 3
    for text in (f"{many}{SOME}", f"{SOME}{many}"):
        with contextlib.suppress(JudgeRejected):
            parse_verdict(text, LISTED)
    assert time.process_time() - started < 5
