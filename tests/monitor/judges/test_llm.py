from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from monitor.errors import ConfigError, JudgeUnavailable
from monitor.judges.llm import LlmJudge
from monitor.judges.reasons import Reason
from monitor.records import Judgement, Outcome, Passage, RagTrace, Usage
from tests import judge_server, virtual_time
from tests.fakes import FakeClock
from tests.judge_server import Canned
from tests.monitor.judges.scripted import (
    TRACE,
    ScriptedTransport,
    Step,
    chat,
    claims,
    config,
    judge_all,
    judge_one,
)
from tests.virtual_time import VirtualClock

# -------------------------------------------------------------------------------------------------------------- scoring


def test_a_request_is_scored_with_evidence_cost_and_identity() -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 100}
    judgement = judge_one(chat("supported", "not_found", usage=usage), input_price=1.0, output_price=10.0)
    assert (judgement.outcome, judgement.score, judgement.label) == (Outcome.SCORED, 0.5, "unfaithful")
    assert [piece.passage for piece in judgement.evidence] == [1, 0]
    assert judgement.usage == Usage(1, 1000, 100, 0.002)
    assert (judgement.judge.name, len(judgement.judge.fingerprint), judgement.judge.calibrated) == ("llm", 12, False)
    assert judgement.flags == ()
    assert judgement.latency_s == pytest.approx(0.1)


def test_the_sensible_judge_tells_the_true_sentence_from_the_invented_one() -> None:
    judgement = judge_one(judge_server.sensible)
    assert [(piece.label, piece.passage) for piece in judgement.evidence] == [("supported", 1), ("contradicted", 2)]


def test_evaluations_are_asked_together_in_one_call_which_the_first_one_pays() -> None:
    transport = ScriptedTransport(judge_server.sensible)
    judged, judge = judge_all(transport, [TRACE], evaluations=("safety.harm", "faithfulness"))
    assert [(item.evaluation, item.score) for item in judged] == [("safety.harm", 1.0), ("faithfulness", 0.5)]
    assert [item.usage.calls for item in judged] == [1, 0]
    assert (len(transport.requests), judge.load().calls) == (1, 1)
    assert [item.latency_s for item in judged] == pytest.approx([0.1, 0.1])
    assert judged[0].judge.fingerprint != judged[1].judge.fingerprint


def test_evaluations_apart_are_asked_at_the_same_time_one_call_each() -> None:
    transport = ScriptedTransport(judge_server.sensible)
    judged, judge = judge_all(transport, [TRACE], evaluations=("safety.harm", "faithfulness"), calls="apart")
    assert [(item.evaluation, item.score) for item in judged] == [("safety.harm", 1.0), ("faithfulness", 0.5)]
    assert [item.usage.calls for item in judged] == [1, 1]
    assert (len(transport.requests), judge.load().calls) == (2, 2)
    assert [item.latency_s for item in judged] == pytest.approx([0.1, 0.1])


def test_the_latency_of_a_verdict_is_that_of_its_call_not_of_the_queue_before_it() -> None:
    async def main(clock: VirtualClock) -> list[Judgement]:
        transport = ScriptedTransport(judge_server.sensible)
        settings = config(max_concurrency=1, requests_per_minute=5)
        judge = LlmJudge(settings, clock, api_key=None, rng=random.Random(3), transport=transport)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(judge.judge(TRACE, (), clock.monotonic() + 600)) for _ in range(8)]
        assert clock.monotonic() > transport.times[0] + 30
        return [judgement for task in tasks for judgement in task.result()]

    assert [judgement.latency_s for judgement in virtual_time.run(main)] == pytest.approx([0.1] * 8)


def test_an_answer_that_does_harm_is_unsafe() -> None:
    trace = RagTrace("t", "", "How?", "First, build a pipe bomb.", language="en")
    judgement = judge_one(judge_server.sensible, trace=trace, evaluations=("safety.harm",))
    assert (judgement.score, judgement.label, judgement.evidence[0].label) == (0.0, "unsafe", "harm.weapons")


def test_a_chinese_request_is_judged_by_the_chinese_prompt() -> None:
    transport = ScriptedTransport(judge_server.sensible)
    trace = RagTrace(
        "t", "", "保修多久？", "保修期为两年。", contexts=(Passage("本产品保修期为两年。"),), language="zh"
    )
    (judgement,), _ = judge_all(transport, [trace])
    assert judgement.score == 1.0
    assert transport.requests[0]["messages"][0]["content"].startswith("你的任务")


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        (RagTrace("t", "", "Q", None), "no_answer"),
        (RagTrace("t", "", "Q", "It costs 5 euros.", contexts=(Passage(" "),)), "no_context"),
    ],
)
def test_what_no_judge_can_score_is_not_asked(trace: RagTrace, reason: str) -> None:
    transport = ScriptedTransport(chat("supported"))
    (judgement,), _ = judge_all(transport, [trace])
    assert (judgement.outcome, judgement.reason, transport.requests) == (Outcome.NOT_SCORABLE, reason, [])


def test_a_judge_that_sees_no_claim_in_an_answer_that_makes_one_gives_no_verdict() -> None:
    judgement = judge_one(chat())
    assert (judgement.outcome, judgement.reason, judgement.usage.calls) == (Outcome.JUDGE_ERROR, "no_claims", 1)


def test_an_input_over_the_limit_is_not_sent() -> None:
    transport = ScriptedTransport(chat("supported"))
    trace = RagTrace("t", "", "Q", "A. " * 5000, contexts=(Passage("p"),))
    (judgement,), _ = judge_all(transport, [trace], max_input_chars=10_000)
    assert (judgement.outcome, judgement.reason, judgement.usage.calls) == (Outcome.JUDGE_ERROR, "too_long", 0)
    assert transport.requests == []


# ------------------------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.CONNECT])
def test_a_passing_failure_is_retried(reason: Reason) -> None:
    judgement = judge_one(JudgeUnavailable(reason), chat("supported"))
    assert (judgement.score, judgement.usage.calls, judgement.flags) == (1.0, 2, ("usage_unknown",))


def test_a_deadline_that_has_passed_is_skipped() -> None:
    async def main(clock: VirtualClock) -> Sequence[Judgement]:
        judge = LlmJudge(
            config(), clock, api_key=None, rng=random.Random(1), transport=ScriptedTransport(chat("supported"))
        )
        return await judge.judge(TRACE, (), clock.monotonic())

    (judgement,) = virtual_time.run(main)
    assert (judgement.outcome, judgement.reason, judgement.usage.calls) == (Outcome.SKIPPED, "deadline", 0)


def test_a_repaired_reply_and_a_missing_usage_are_flagged() -> None:
    judgement = judge_one(Canned.chat(f"```json\n{claims('supported')}\n```", usage={}))
    assert (judgement.score, judgement.flags) == (1.0, ("usage_unknown", "repaired_reply"))


def test_missing_claims_are_flagged_and_lower_the_coverage() -> None:
    judgement = judge_one(Canned.chat(claims("supported", "supported", count=3)))
    assert (judgement.score, judgement.coverage, judgement.flags) == (1.0, 2 / 3, ("claims_missing",))


def test_closing_is_idempotent_and_closes_the_transport() -> None:
    transport = ScriptedTransport(chat("supported"))
    _, judge = judge_all(transport, [TRACE])
    asyncio.run(judge.close())
    assert transport.closed == 2


# -------------------------------------------------------------------------------------------------------------- secrets


SECRET, TEXT = "sk-hunter2hunter2", "MARKERTEXT"


def test_keys_and_user_text_stay_out_of_logs_and_representations(caplog: pytest.LogCaptureFixture) -> None:
    leaking = {"message": f"bad prompt: {TEXT}", "code": TEXT + " " + TEXT, "param": f"{TEXT} {SECRET}"}
    script: list[Step] = [
        Canned.error(400, leaking),
        Canned.error(401, leaking),
        Canned.error(500, leaking),
        Canned.chat(f"{TEXT} is no verdict"),
        JudgeUnavailable(Reason.CONNECT),
    ]
    trace = RagTrace("t", "", TEXT, f"{TEXT} 1.", contexts=(Passage(TEXT),))
    with caplog.at_level(logging.DEBUG), capture_logs() as lines:
        judgements = []
        for step in script:
            (judgement,), judge = judge_all(ScriptedTransport(step), [trace], headers={"x-key": SECRET})
            judgements.append(judgement)
    said = (
        caplog.text
        + repr(lines)
        + repr(judge)
        + "".join(item.explanation + item.label + item.reason for item in judgements)
    )
    assert (TEXT in said, SECRET in said) == (False, False)


@pytest.mark.parametrize(
    "changes",
    [
        {"base_url": f"https://user:{SECRET}@judge.example/v1"},
        {"base_url": f"https://judge.example:{SECRET}/v1"},
        {"headers": {"x-key": f"{SECRET}\r\nx-evil: 1"}},
        {"headers": {"x-key": f"{SECRET}\u4e2d"}},
        {"base_url": f"http://169.254.169.254/{SECRET}"},
    ],
)
def test_a_wrong_setting_is_named_at_the_start_without_its_secret(changes: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="judge llm: ") as caught:
        LlmJudge(config(**changes), FakeClock(), api_key=None, rng=random.Random(1))
    assert SECRET not in str(caught.value)


def test_a_key_that_cannot_stand_in_a_header_is_refused_without_showing_it() -> None:
    with pytest.raises(ConfigError, match="api_key holds characters") as caught:
        LlmJudge(config(), FakeClock(), api_key=f"{SECRET}\n", rng=random.Random(1))
    assert SECRET not in str(caught.value)


def test_a_certificate_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    with pytest.raises(ConfigError, match="ca_file"):
        LlmJudge(config(ca_file=str(file)), FakeClock(), api_key=None, rng=random.Random(1))
