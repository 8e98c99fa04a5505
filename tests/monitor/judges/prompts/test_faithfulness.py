from __future__ import annotations

import math

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import JudgeRejected
from monitor.judges.prompts.faithfulness import VERDICTS, Faithfulness
from monitor.judges.prompts.rubric import Reading
from monitor.judges.strict_json import Json
from monitor.records import Evidence, Outcome, Passage, RagTrace

RUBRIC = Faithfulness()
TRACE = RagTrace(
    "t", "", "Costs?", "It costs 12 euros. It includes roaming.", contexts=(Passage("12 euros"), Passage("roaming"))
)


def claim(verdict: Json = "supported", passage: Json = 1, text: Json = "It costs 12 euros.") -> Json:
    return {"claim": text, "passage": passage, "reason": "stated", "verdict": verdict}


def read(*claims: Json, count: Json = None, trace: RagTrace = TRACE) -> Reading:
    return RUBRIC.read({"claims": list(claims), "claim_count": len(claims) if count is None else count}, trace)


def reason_of(*claims: Json, count: Json = None, trace: RagTrace = TRACE) -> str:
    with pytest.raises(JudgeRejected) as caught:
        read(*claims, count=count, trace=trace)
    return str(caught.value.reason)


def test_the_score_is_the_supported_share_with_halves_for_partial_support() -> None:
    reading = read(claim(), claim("partial", 2), claim("unsupported", 0), claim("unsupported", 2))
    assert (reading.score, reading.label, reading.coverage) == (0.375, "unfaithful", 1.0)


def test_partial_support_alone_is_not_unfaithful() -> None:
    assert read(claim(), claim("partial", 2)).label == "faithful"


def test_the_evidence_says_which_passage_and_where_in_the_answer() -> None:
    reading = read(claim(), claim("unsupported", 0, "Roaming costs nothing."))
    assert reading.evidence == (
        Evidence("It costs 12 euros.", 1.0, 1, 0, 18, "supported", "stated"),
        Evidence("Roaming costs nothing.", 0.0, 0, -1, -1, "unsupported", "stated"),
    )
    assert reading.explanation == '1 of 2 claims supported by the passages. Not supported: "Roaming costs nothing."'


@given(st.lists(st.sampled_from(sorted(VERDICTS)), min_size=1, max_size=30))
def test_every_score_lies_between_0_and_1_and_is_the_mean(verdicts: list[str]) -> None:
    score = read(*[claim(verdict) for verdict in verdicts]).score
    assert score is not None
    assert math.isclose(score, sum(VERDICTS[verdict] for verdict in verdicts) / len(verdicts))


@pytest.mark.parametrize("verdict", ["yes", "", None, 1, True, "not supported", "supported?", ["supported"]])
def test_a_word_that_was_not_offered_spoils_the_whole_reply(verdict: Json) -> None:
    assert reason_of(claim(), claim(verdict)) == "parse"


@pytest.mark.parametrize("passage", [3, -1, None, "1", True, 1.0, [1]])
def test_a_passage_that_does_not_exist_spoils_the_whole_reply(passage: Json) -> None:
    assert reason_of(claim(), claim("unsupported", passage)) == "parse"


@pytest.mark.parametrize("verdict", ["supported", "partial"])
def test_support_by_no_passage_spoils_the_whole_reply(verdict: str) -> None:
    assert reason_of(claim(), claim(verdict, 0)) == "parse"


@pytest.mark.parametrize(
    "broken", [None, "text", 1, [], {}, {"verdict": "supported", "passage": 1}, claim(text=" "), claim(text=7)]
)
def test_a_claim_that_is_none_spoils_the_whole_reply(broken: Json) -> None:
    assert reason_of(claim(), broken) == "parse"


def test_missing_claims_show_in_the_coverage() -> None:
    reading = read(claim(), claim("unsupported", 0), count=3)
    assert (reading.score, reading.coverage, reading.flags) == (0.5, 2 / 3, ("claims_missing",))


def test_less_than_half_of_the_claims_is_no_verdict() -> None:
    assert reason_of(claim(), count=3) == "parse"


def test_a_count_that_is_too_low_is_a_miscount() -> None:
    reading = read(claim(), claim(), count=1)
    assert (reading.score, reading.coverage, reading.flags) == (1.0, 1.0, ())


@pytest.mark.parametrize("count", ["2", True, 2.0, [2]])
def test_a_count_is_a_whole_number(count: Json) -> None:
    assert reason_of(claim(), count=count) == "parse"


def test_claims_are_a_list() -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        RUBRIC.read({"claims": {"0": claim()}, "claim_count": 1}, TRACE)


def test_a_short_answer_without_claims_is_not_scorable() -> None:
    reading = read(trace=RagTrace("t", "", "Hi", "Hello! How can I help?", contexts=(Passage("p"),)))
    assert (reading.outcome, reading.reason, reading.score) == (Outcome.NOT_SCORABLE, "no_claims", None)


def test_a_long_answer_without_claims_was_overlooked() -> None:
    assert reason_of(trace=RagTrace("t", "", "Q", "It costs 12 euros. " * 10, contexts=(Passage("p"),))) == "no_claims"


def test_what_the_schema_allows_is_what_is_read() -> None:
    good = {"claims": [claim(), claim("unsupported", 0)], "claim_count": 2}
    jsonschema.validate(good, dict(RUBRIC.schema))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"claims": [claim("yes")], "claim_count": 1}, dict(RUBRIC.schema))
