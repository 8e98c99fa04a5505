"""Rules of users' own criteria, and of evaluations that need a reference."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from monitor.judges.llm import LlmJudge
from monitor.judges.reference.references import Absence, GivenReferences, Reference, References
from monitor.records import Judgement, Outcome, RagTrace
from tests import judge_server, virtual_time
from tests.judge_server import Canned, completion
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, asked, config, judge_all, judge_one, verdict_of
from tests.virtual_time import VirtualClock

TONE = {"name": "tone", "criteria": "A polite answer is good.", "steps": ["Read the answer.", "Score it."]}


def scored(number: object, *, nested: bool = False) -> str:
    verdict = {"reason": "r", "score": number}
    return json.dumps({"criteria.tone": verdict} if nested else verdict)


def with_odds(number: int, odds: Mapping[str, float]) -> Canned:
    """A reply whose number has these log probabilities."""
    before, after = '{"reason": "r", "score": ', "}"
    alternatives = [{"token": token, "logprob": logprob} for token, logprob in odds.items()]
    content = [
        {"token": before, "logprob": 0.0, "top_logprobs": []},
        {"token": str(number), "logprob": odds[str(number)], "top_logprobs": alternatives},
        {"token": after, "logprob": 0.0, "top_logprobs": []},
    ]
    body = completion(f"{before}{number}{after}")
    body["choices"][0]["logprobs"] = {"content": content}
    return Canned(body=json.dumps(body).encode())


def tone(*script: Canned, trace: RagTrace = TRACE, **changes: object) -> Judgement:
    return judge_one(*script, trace=trace, **({"evaluations": (), "criteria": [TONE]} | changes))


# ------------------------------------------------------------------------------------------------------------- criteria


def test_a_criterion_is_asked_in_its_users_words_and_scored_on_its_scale() -> None:
    transport = ScriptedTransport(Canned.chat(scored(4)))
    (judgement,), _ = judge_all(transport, [TRACE], evaluations=(), criteria=[TONE])
    assert (judgement.evaluation, judgement.score, judgement.label) == ("criteria.tone", 0.75, "4")
    assert judgement.flags == ("score_from_number",)
    system = transport.requests[0]["messages"][0]["content"]
    assert "A polite answer is good." in system
    assert "1. Read the answer.\n2. Score it." in system
    assert transport.requests[0]["logprobs"] is True


def test_with_probabilities_the_score_is_the_expected_number() -> None:
    judgement = tone(with_odds(4, {"4": -0.7, "5": -0.7}))
    assert judgement.score == pytest.approx(0.875)
    assert judgement.label == "4"
    assert judgement.flags == ("score_from_probabilities",)


def test_by_number_and_by_probabilities_are_two_judges() -> None:
    number, odds = tone(Canned.chat(scored(4))), tone(with_odds(4, {"4": -0.1}))
    assert number.judge.fingerprint != odds.judge.fingerprint
    assert tone(Canned.chat(scored(4)), probabilities=False).judge.fingerprint == number.judge.fingerprint


def test_probabilities_can_be_left_alone() -> None:
    transport = ScriptedTransport(with_odds(4, {"4": -0.7, "5": -0.7}))
    (judgement,), _ = judge_all(transport, [TRACE], evaluations=(), criteria=[TONE], probabilities=False)
    assert "logprobs" not in transport.requests[0]
    assert judgement.outcome is Outcome.SCORED


def test_other_evaluations_ask_for_no_probabilities() -> None:
    transport = ScriptedTransport(judge_server.sensible)
    judge_all(transport, [TRACE])
    assert "logprobs" not in transport.requests[0]


def test_a_failure_stands_beside_the_scores_that_were_made_last() -> None:
    replies = [with_odds(4, {"4": -0.1}), Canned.chat(scored(4)), Canned.chat("no json")]
    transport = ScriptedTransport(*replies)
    judged, _ = judge_all(transport, [TRACE] * 3, evaluations=(), criteria=[TONE], structured="prompt")
    first, second, third = (item.judge.fingerprint for item in judged)
    assert (first == second, second == third) == (False, True)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (0, "invalid_score"),
        (6, "invalid_score"),
        (3.5, "invalid_score"),
        (True, "parse"),
        ("4", "parse"),
        (None, "parse"),
    ],
)
def test_a_number_that_the_scale_does_not_have_is_an_error(number: object, reason: str) -> None:
    judgement = tone(Canned.chat(scored(number)))
    assert (judgement.outcome, judgement.reason, judgement.score) == (Outcome.JUDGE_ERROR, reason, None)


def test_a_number_of_another_criterion_is_not_moved() -> None:
    other = TONE | {"name": "brevity"}
    reply = json.dumps({"criteria.brevity": {"reason": "r", "score": 5}, "criteria.tone": {"reason": "r"}})
    transport = ScriptedTransport(Canned.chat(reply))
    judged, _ = judge_all(transport, [TRACE], evaluations=(), criteria=[TONE, other])
    assert [(item.evaluation, item.score, item.reason) for item in judged] == [
        ("criteria.tone", None, "parse"),
        ("criteria.brevity", 1.0, ""),
    ]


def test_a_criterion_is_judged_beside_the_evaluations() -> None:
    reply = json.dumps({"faithfulness": verdict_of("supported"), "criteria.tone": {"reason": "r", "score": 1}})
    judged, judge = judge_all(ScriptedTransport(Canned.chat(reply)), [TRACE], criteria=[TONE])
    assert [(item.evaluation, item.score) for item in judged] == [("faithfulness", 1.0), ("criteria.tone", 0.0)]
    assert judge.evaluations == ("faithfulness", "criteria.tone")


@pytest.mark.parametrize(
    ("trace", "more", "reason"),
    [
        (asked("Q", "Ja.", "p", language="de"), {"languages": ["en", "zh"]}, "other_language"),
        (asked("Q", " ", "p"), {}, "no_answer"),
        (asked(" ", "A", "p"), {}, "no_question"),
        (asked("Q", "A", " "), {"needs": ["contexts"]}, "no_context"),
        (asked("Q", "A", "p"), {"needs": ["answer", "reference"]}, "no_reference"),
    ],
)
def test_a_criterion_is_not_asked_about_what_it_needs_and_a_request_has_not(
    trace: RagTrace, more: dict[str, object], reason: str
) -> None:
    judgement = tone(Canned.chat(scored(4)), trace=trace, criteria=[TONE | more])
    assert (judgement.outcome, judgement.reason, judgement.usage.calls) == (Outcome.NOT_SCORABLE, reason, 0)


def test_a_criterion_for_a_language_is_for_its_regions() -> None:
    trace = asked("Q", "A", "p", language="zh-TW")
    assert tone(Canned.chat(scored(4)), trace=trace, criteria=[TONE | {"languages": ["zh"]}]).score == 0.75


def test_another_wording_of_a_criterion_is_another_judge() -> None:
    prints = {
        tone(Canned.chat(scored(4)), criteria=[TONE | change]).judge.fingerprint
        for change in (
            {},
            {"criteria": "Rude is good."},
            {"steps": ["Score."]},
            {"scale": "1..4"},
            {"needs": ["answer"]},
        )
    }
    assert len(prints) == 5


# ----------------------------------------------------------------------------------------------------------- references


class Known:
    """References of every request alike."""

    def __init__(self, found: Reference | Absence) -> None:
        self.found = found

    def of(self, trace: RagTrace) -> Reference | Absence:
        del trace
        return self.found


def judge_with(references: References | None, transport: ScriptedTransport, *evaluations: str) -> Sequence[Judgement]:
    async def main(clock: VirtualClock) -> Sequence[Judgement]:
        judge = LlmJudge(
            config(evaluations=evaluations),
            clock,
            api_key=None,
            rng=random.Random(1),
            references=references,
            transport=transport,
        )
        return await judge.judge(TRACE, (), clock.monotonic() + 60)

    return virtual_time.run(main)


def by_reference(request: Mapping[str, Any]) -> Canned:
    asked_for = request["messages"][1]["content"].rpartition("Give: ")[2]
    if '"correctness"' not in asked_for:
        return judge_server.sensible(request)
    given = {"claim": "2 years", "quote": "lasts 2 years", "reason": "r", "verdict": "given"}
    missing = {"claim": "no water", "quote": "", "reason": "r", "verdict": "missing"}
    found = {"claim": "2 years", "passage": 1, "quote": "lasts 2 years", "reason": "r", "verdict": "found"}
    reply = {
        "correctness": {"claims": [given, missing], "claim_count": 2},
        "context_recall": {"claims": [found], "claim_count": 1},
    }
    return Canned.chat(json.dumps(reply))


def test_what_needs_a_reference_is_asked_in_a_call_of_its_own() -> None:
    transport = ScriptedTransport(by_reference)
    references = Known(Reference(answers=("Two years, without water damage.",)))
    judged = judge_with(references, transport, "correctness", "faithfulness", "context_recall")
    assert [(item.evaluation, item.score) for item in judged] == [
        ("correctness", 0.5),
        ("faithfulness", 0.5),
        ("context_recall", 1.0),
    ]
    shown = sorted("without water damage" in json.dumps(request) for request in transport.requests)
    assert shown == [False, True]


@pytest.mark.parametrize(
    ("references", "reason"),
    [
        (None, "no_reference"),
        (Known(Absence.NONE), "no_reference"),
        (Known(Absence.AMBIGUOUS), "ambiguous_reference"),
        (Known(Reference(sources=("manual.pdf",))), "no_reference"),
        (GivenReferences({"another": Reference(answers=("x",))}), "no_reference"),
    ],
)
def test_without_a_reference_there_is_no_score_and_no_call(references: References | None, reason: str) -> None:
    transport = ScriptedTransport(by_reference)
    judged = judge_with(references, transport, "correctness", "context_recall")
    assert [(item.outcome, item.reason) for item in judged] == [(Outcome.NOT_SCORABLE, reason)] * 2
    assert transport.requests == []


def test_of_several_right_answers_all_are_shown() -> None:
    transport = ScriptedTransport(by_reference)
    judge_with(Known(Reference(answers=("2 years", "24 months"))), transport, "correctness", "context_recall")
    assert '"reference": ["2 years", "24 months"]' in transport.requests[0]["messages"][1]["content"]
