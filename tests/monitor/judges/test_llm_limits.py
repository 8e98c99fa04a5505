"""The LLM judge within its limits: what it charges, what it leaves out, and what pauses it."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from structlog.testing import capture_logs

from monitor.errors import JudgeUnavailable
from monitor.judges.llm import LlmJudge
from monitor.judges.reasons import PERMANENT, Reason
from monitor.judges.servers.transport import NOT_SENT
from monitor.operational import LimitFill
from monitor.records import Judgement, Outcome, Usage
from tests import virtual_time
from tests.judge_server import Canned
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, Step, chat, config, judge_all, judge_one
from tests.virtual_time import VirtualClock

PRICES = {"m-1": {"input": 1, "cached_input": 0.1, "output": 10}}
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100}


def test_a_verdict_carries_what_the_model_that_answered_costs() -> None:
    usage = USAGE | {"prompt_tokens_details": {"cached_tokens": 900}}
    judgement = judge_one(chat("supported", model="m-1-2026-05-01", usage=usage), prices=PRICES, cost_per_day=1)
    assert judgement.usage.cost == pytest.approx(0.0001 + 0.00009 + 0.001)
    assert (judgement.usage.cached_tokens, judgement.flags) == (900, ())


def test_a_snapshot_without_a_price_is_charged_at_the_dearest_flagged_and_logged_once() -> None:
    prices = PRICES | {"other": {"input": 5, "output": 5}}
    transport = ScriptedTransport(chat("supported", model="somebody-else", usage=USAGE))
    with capture_logs() as lines:
        judged, _ = judge_all(transport, [TRACE] * 3, prices=prices, cost_per_day=1)
    assert {item.usage.cost for item in judged} == {0.005 + 0.001}
    assert {item.flags for item in judged} == {("unpriced_model",)}
    assert [line["model"] for line in lines if "price" in line["event"]] == ["somebody-else"]


def test_without_a_limit_of_money_nobody_asks_for_prices() -> None:
    judgement = judge_one(chat("supported", model="somebody-else", usage=USAGE), input_price=1, output_price=10)
    assert judgement.usage.cost == pytest.approx(0.002)
    assert judgement.flags == ()


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}])
def test_what_a_server_does_not_say_is_charged_by_an_estimate(usage: Mapping[str, int]) -> None:
    judgement = judge_one(chat("supported", model="m-1", usage=usage), prices=PRICES, cost_per_day=1)
    used = judgement.usage
    assert 300 < used.input_tokens < 3000
    assert 20 < used.output_tokens < 200  # of the text that came, not of the limit
    assert used.cost == pytest.approx((used.input_tokens + 10 * used.output_tokens) / 1e6)
    assert judgement.flags == ("usage_unknown",)


def test_a_text_of_no_tokens_is_charged_by_its_length() -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 0}
    judgement = judge_one(chat("supported", model="m-1", usage=usage), prices=PRICES, cost_per_day=1)
    assert judgement.usage.input_tokens == 1000
    assert 20 < judgement.usage.output_tokens < 200
    assert judgement.flags == ("usage_unknown",)


def test_a_call_that_was_cut_is_charged_by_what_it_may_have_cost_and_one_that_was_not_sent_by_nothing() -> None:
    for detail, tokens in (("", 1500), (NOT_SENT, 0)):
        judgement = judge_one(JudgeUnavailable(Reason.CONNECT, detail), retries=0)
        assert (judgement.reason, judgement.usage.calls, judgement.usage.output_tokens) == ("connect", 1, tokens)


def test_no_call_is_made_that_would_pass_a_limit_of_money() -> None:
    transport = ScriptedTransport(chat("supported", usage=USAGE))
    judged, judge = judge_all(transport, [TRACE] * 5, prices=PRICES, cost_per_hour=0.02)
    outcomes = [(item.outcome, item.reason) for item in judged]
    assert outcomes[0] == (Outcome.SCORED, "")
    assert outcomes[-1] == (Outcome.SKIPPED, "over_budget")
    assert judge.load().cost == sum(item.usage.cost for item in judged) <= 0.02
    assert judge.load().limits == (LimitFill("cost_per_hour", 0.02, judge.load().cost),)
    assert judge.slowdown() == judge.load().slowdown > 2


def test_a_limit_of_a_minute_is_waited_for() -> None:
    transport = ScriptedTransport(chat("supported", usage=USAGE))

    async def main(clock: VirtualClock) -> tuple[Sequence[Judgement], float]:
        started = clock.monotonic()
        judge = LlmJudge(config(requests_per_minute=2), clock, api_key=None, rng=random.Random(1), transport=transport)
        judged = [(await judge.judge(TRACE, (), clock.monotonic() + left))[0] for left in (60, 60, 5, 90)]
        return judged, clock.monotonic() - started

    judged, took_s = virtual_time.run(main)
    assert [(item.outcome, item.reason) for item in judged] == [
        (Outcome.SCORED, ""),
        (Outcome.SCORED, ""),
        (Outcome.SKIPPED, "rate_limited"),
        (Outcome.SCORED, ""),
    ]
    assert 60 <= took_s <= 62


def test_a_call_that_is_cancelled_is_charged_by_its_estimate() -> None:
    async def main(clock: VirtualClock) -> tuple[LimitFill, ...]:
        transport = ScriptedTransport(chat("supported"))
        settings = config(prices=PRICES, cost_per_hour=1)
        judge = LlmJudge(settings, clock, api_key=None, rng=random.Random(1), transport=transport)
        task = asyncio.create_task(judge.judge(TRACE, (), clock.monotonic() + 60))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait({task})
        return judge.load().limits

    (fill,) = virtual_time.run(main)
    assert fill.used > 1500 * 10 / 1e6


FAULTS: Mapping[str, Step] = {
    "auth": Canned.error(401, {"message": "no key"}),
    "quota": Canned.error(429, {"message": "quota", "code": "insufficient_quota"}),
    "unknown_model": Canned.error(404, {"message": "The model `m-1` does not exist", "code": "model_not_found"}),
    "dns": JudgeUnavailable(Reason.DNS, NOT_SENT),
    "tls": JudgeUnavailable(Reason.TLS, NOT_SENT),
}


def test_every_fault_that_a_person_must_mend_is_here() -> None:
    assert set(FAULTS) == PERMANENT


@pytest.mark.parametrize("reason", FAULTS)
def test_a_terminal_fault_pauses_the_judge_by_name_and_it_resumes_by_itself(reason: str) -> None:
    async def main(clock: VirtualClock) -> tuple[list[str], list[Judgement], int]:
        mended = clock.monotonic() + 1000

        def respond(_request: Mapping[str, Any]) -> Canned:
            step = chat("supported") if clock.monotonic() > mended else FAULTS[reason]
            if isinstance(step, Exception):
                raise step
            assert isinstance(step, Canned)
            return step

        transport = ScriptedTransport(respond)
        judge = LlmJudge(config(), clock, api_key=None, rng=random.Random(1), transport=transport)
        paused: list[str] = []
        judged: list[Judgement] = []
        for number in range(240):
            trace = dataclasses.replace(TRACE, trace_id=f"t{number}")
            judged += await judge.judge(trace, (), clock.monotonic() + 60)
            paused.append(judge.load().paused)
            await asyncio.sleep(10)
        return paused, judged, len(transport.requests)

    paused, judged, calls = virtual_time.run(main)
    assert (paused[0], paused[50], paused[-1]) == (reason, reason, "")
    errors = [item for item in judged if item.outcome is Outcome.JUDGE_ERROR]
    skipped = [item for item in judged if item.outcome is Outcome.SKIPPED]
    assert {item.reason for item in errors} == {reason}
    assert {(item.reason, item.explanation, item.usage) for item in skipped} == {("circuit_open", reason, Usage())}
    assert len(errors) < 12
    assert calls == len(judged) - len(skipped)
    assert judged[-1].score == 1.0
