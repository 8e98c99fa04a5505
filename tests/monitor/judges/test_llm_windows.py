"""Rules of passages that do not fit into one call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from monitor.errors import ConfigError, JudgeUnavailable
from monitor.judges.reasons import Reason
from monitor.records import Judgement, Outcome, RagTrace
from tests import judge_server
from tests.judge_server import Canned
from tests.monitor.judges.scripted import ScriptedTransport, Step, asked, judge_all

FILLER = "Nothing of interest stands in this sentence at all. " * 60
FIRST = f"{FILLER}The warranty lasts 2 years."
SECOND = f"{FILLER}Water damage is covered in full."
ANSWER = "The warranty lasts 2 years. Water damage is covered in full."
ROOM = 8000
"""Characters: with the instructions one passage fits, two do not."""


def data_of(request: Mapping[str, Any]) -> dict[str, Any]:
    found = re.search(r"^BEGIN DATA \w+\n(.*)$", request["messages"][1]["content"], re.MULTILINE)
    assert found is not None
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


def judge_long(
    *passages: str, answer: str = ANSWER, script: Step = judge_server.sensible, **changes: object
) -> tuple[list[Judgement], list[dict[str, Any]]]:
    transport = ScriptedTransport(script)
    trace = asked("How long is the warranty, and what does it cover?", answer, *passages)
    judged, judge = judge_all(transport, [trace], **({"max_input_chars": ROOM} | changes))
    assert judge.load().calls == sum(item.usage.calls for item in judged)
    return judged, [data_of(request) for request in transport.requests]


def test_a_claim_that_any_window_supports_is_supported() -> None:
    (judgement,), shown = judge_long(FIRST, SECOND)
    assert [(piece.label, piece.passage) for piece in judgement.evidence] == [("supported", 1), ("supported", 2)]
    assert (judgement.score, judgement.coverage, judgement.flags) == (1.0, 1.0, ("windowed",))
    assert [[passage["number"] for passage in data["passages"]] for data in shown] == [[1], [2]]


def test_later_windows_are_asked_for_the_claims_that_still_lack_support() -> None:
    _, shown = judge_long(FIRST, SECOND)
    assert [data.get("claims") for data in shown] == [None, ["Water damage is covered in full."]]


def test_a_contradiction_counts_when_no_window_supports_the_claim() -> None:
    claim, other = "Water damage is covered up to 500 euros.", "Water damage is covered up to 900 euros."
    contradicted = judge_long(FILLER + other, FIRST, answer=claim)[0][0]
    assert [(piece.label, piece.passage) for piece in contradicted.evidence] == [("contradicted", 1)]
    supported = judge_long(FILLER + other, FILLER + claim, answer=claim)[0][0]
    assert [(piece.label, piece.passage) for piece in supported.evidence] == [("supported", 2)]


def test_windows_end_when_every_claim_is_supported() -> None:
    (judgement,), shown = judge_long(FIRST, SECOND, FILLER, answer="The warranty lasts 2 years.")
    assert (judgement.score, len(shown), judgement.flags) == (1.0, 1, ("windowed",))


def test_one_long_passage_is_shown_in_parts() -> None:
    (judgement,), shown = judge_long(FIRST + SECOND)
    assert len(shown) == 2
    assert [data["passages"][0]["number"] for data in shown] == [1, 1]
    assert all("part" in data["passages"][0] for data in shown)
    assert judgement.score == 1.0
    start, end = judgement.evidence[1].passage_start, judgement.evidence[1].passage_end
    assert 0 <= start < end <= len(FIRST + SECOND)


def test_more_windows_than_allowed_are_too_long_and_no_call_is_made() -> None:
    (judgement,), shown = judge_long(*[FILLER] * 5, max_windows=4)
    assert (judgement.outcome, judgement.reason, shown) == (Outcome.JUDGE_ERROR, "too_long", [])


def test_what_needs_no_passages_is_judged_although_they_are_too_long() -> None:
    evaluations = ("faithfulness", "safety.harm")
    judged, shown = judge_long(*[FILLER] * 5, evaluations=evaluations, max_input_chars=11_000, max_windows=2)
    assert [(item.reason, item.score) for item in judged] == [("too_long", None), ("", 1.0)]
    assert [set(data) for data in shown] == [{"question", "answer"}]
    assert [item.flags for item in judged] == [(), ()]


def test_each_passage_is_graded_in_the_window_that_shows_it() -> None:
    (judgement,), shown = judge_long(
        "the warranty " + FILLER, "zz " * 700, evaluations=("context_relevance",), max_input_chars=6000
    )
    assert [(piece.passage, piece.label) for piece in judgement.evidence] == [(1, "relevant"), (2, "irrelevant")]
    assert (judgement.flags, len(shown)) == (("windowed",), 2)


def test_evaluations_together_share_their_windows() -> None:
    evaluations = ("faithfulness", "answer_relevance", "context_relevance")
    judged, shown = judge_long(FIRST, SECOND, evaluations=evaluations, max_input_chars=10_000)
    assert [item.outcome for item in judged] == [Outcome.SCORED] * 3
    assert [item.flags for item in judged] == [("windowed",), (), ("windowed",)]
    assert [item.usage.calls for item in judged] == [len(shown), 0, 0]


@pytest.mark.parametrize("second", [Canned.chat("no verdict"), Canned.error(400, {}), JudgeUnavailable(Reason.TIMEOUT)])
def test_a_window_without_a_verdict_is_a_missing_verdict(second: Canned | Exception) -> None:
    def respond(request: Mapping[str, Any]) -> Canned:
        if "claims" in data_of(request):
            if isinstance(second, Exception):
                raise second
            return second
        return judge_server.sensible(request)

    evaluations = ("faithfulness", "safety.harm")
    judged, _ = judge_long(
        FIRST, SECOND, script=respond, evaluations=evaluations, retries=0, max_input_chars=11_000, structured="prompt"
    )
    assert [item.outcome for item in judged] == [Outcome.JUDGE_ERROR, Outcome.SCORED]
    assert judged[0].score is None
    assert judged[0].usage.calls == 2


def test_a_later_window_that_judges_other_claims_is_no_verdict() -> None:
    def respond(request: Mapping[str, Any]) -> Canned:
        data = data_of(request)
        return Canned.chat(json.dumps(judge_server.judge_claims(data | {"claims": None})))

    (judgement,), _ = judge_long(FIRST, SECOND, script=respond)
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "parse")


def test_the_context_of_the_model_bounds_a_call_as_well() -> None:
    (judgement,), shown = judge_long(FIRST, SECOND, max_input_chars=100_000, context_tokens=4000)
    assert (judgement.score, len(shown)) == (1.0, 2)
    (judgement,), shown = judge_long(FIRST, SECOND, max_input_chars=100_000, context_tokens=2600)
    assert (judgement.reason, shown) == ("too_long", [])
    assert judgement.explanation.startswith("about ")


def test_an_answer_that_does_not_fit_beside_the_instructions_is_too_long() -> None:
    (judgement,), shown = judge_long("p", answer="Two years. " * 2000)
    assert (judgement.reason, judgement.usage.calls, shown) == ("too_long", 0, [])


def test_a_criterion_on_passages_that_do_not_fit_is_too_long() -> None:
    criterion = {"name": "tone", "criteria": "c", "steps": ["s"], "needs": ["contexts", "answer"]}
    judged, shown = judge_long(FIRST, SECOND, evaluations=(), criteria=[criterion], max_input_chars=5000)
    assert [(item.outcome, item.reason) for item in judged] == [(Outcome.JUDGE_ERROR, "too_long")]
    assert shown == []


def test_a_criterion_that_cannot_be_windowed_leaves_the_others_their_windows() -> None:
    criterion = {"name": "tone", "criteria": "c", "steps": ["s"], "needs": ["contexts", "answer"]}
    judged, shown = judge_long(
        FIRST, SECOND, script=only_faithfulness, criteria=[criterion], max_input_chars=9000, max_output_tokens=99
    )
    assert [(item.reason, item.score, item.flags) for item in judged] == [
        ("", 1.0, ("windowed",)),
        ("too_long", None, ()),
    ]
    assert len(shown) == 2


def only_faithfulness(request: Mapping[str, Any]) -> Canned:
    return Canned.chat(json.dumps({"faithfulness": judge_server.judge_claims(data_of(request))}))


@pytest.mark.parametrize("limit", ["max_input_chars", "context_tokens"])
def test_limits_that_leave_no_room_beside_the_instructions_are_told_at_the_start(limit: str) -> None:
    transport = ScriptedTransport(judge_server.sensible)
    with pytest.raises(ConfigError, match=r"judge llm: the instructions alone have .* allowed"):
        judge_all(transport, [], **{limit: 2300})


def test_a_short_request_is_one_call_and_not_windowed() -> None:
    trace: RagTrace = asked("How long?", "The warranty lasts 2 years.", "The warranty lasts 2 years.")
    (judgement,), _ = judge_all(ScriptedTransport(judge_server.sensible), [trace])
    assert (judgement.score, judgement.flags, judgement.usage.calls) == (1.0, (), 1)


@pytest.mark.parametrize("answer", ["It lasts 2 years.", "2 years.", "保修两年，免费维修。"])
def test_the_claims_of_a_short_answer_find_room_in_later_windows(answer: str) -> None:
    """They are longer than it, as each names what it is about."""
    claims = [f"The warranty of the shoes that are asked about covers part {number}." for number in range(4)]
    listed = [{"claim": one, "passage": 0, "quote": "", "reason": "r", "verdict": "not_found"} for one in claims]
    reply = Canned.chat(json.dumps({"claims": listed, "claim_count": 4}))
    (judgement,), shown = judge_long("Shipping is paid by the buyer. " * 500, answer=answer, script=reply)
    assert (judgement.outcome, judgement.score) == (Outcome.SCORED, 0.0)
    assert len(shown) > 1
