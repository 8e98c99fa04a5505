"""What sums up a list of claims says of them what they say one by one, or the reply says two things."""

from __future__ import annotations

import json

import pytest

from tests.monitor.judges.replies.parsed import claims, detail_of, value_of

LISTED = frozenset({"claim_count", "claims"})
YES = '{"reason": "r", "verdict": "yes"}'


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


@pytest.mark.parametrize(
    ("key", "same", "otherwise"),
    [
        ("faithfulness_score", 0.5, 0.95),
        ("Faithfulness", 0.5, 1.0),
        ("accuracy", 0.5, 0.0001),
        ("support_rate", 0.5, 1),
        ("supported_count", 1, 2),
        ("num_supported_claims", 1, 2),
        ("supported", 1, 2),
        ("overall", "unfaithful", "faithful"),
        ("label", "partially supported", "supported"),
        ("is_faithful", False, True),
        ("all_supported", False, True),
        ("faithfulness", "no", "yes"),
    ],
)
def test_what_sums_up_the_claims_under_a_key_of_the_models_own_agrees_with_them(
    key: str, same: object, otherwise: object
) -> None:
    def with_more(value: object) -> str:
        return f'{SOME[:-1]}, "{key}": {json.dumps(value)}}}'

    for around in ("%s", "Here: %s"):
        assert value_of(around % with_more(same), LISTED)["claim_count"] == 2
        assert detail_of(around % with_more(otherwise), LISTED) == "two_verdicts"
    assert value_of(with_more([1, 2]), LISTED)["claim_count"] == 2


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


@pytest.mark.parametrize(
    ("said", "agreeing", "otherwise"),
    [
        ("Faithfulness score: 1.0", ALL, SOME),
        ("Score: 0.5", SOME, ALL),
        ("The overall score is 0.0.", NONE, ALL),
        ("**Score:** 0.9", ALL, NONE),
        ("Both claims are supported (2/2).", ALL, SOME),
        ("Summary: one of the two claims is supported (50%).", SOME, ALL),
    ],
)
def test_a_share_in_words_is_that_of_the_claims(said: str, agreeing: str, otherwise: str) -> None:
    for text in ("%s\n%s", "%s\n\nIn short. %s"):
        assert value_of(text % (agreeing, said), LISTED)["claim_count"] == 2
        assert detail_of(text % (otherwise, said), LISTED) == "two_verdicts"
    assert detail_of(f"{said}\n{otherwise}", LISTED) == "two_verdicts"


@pytest.mark.parametrize("said", ["Score: 4/5", "Score: 85", "Claim 1: score: 1.0", "- c1, score: 0", "Score: 0 to 1"])
def test_a_score_of_one_claim_or_on_another_scale_is_none_of_the_whole(said: str) -> None:
    assert value_of(f"{SOME}\n{said}", LISTED)["claim_count"] == 2
