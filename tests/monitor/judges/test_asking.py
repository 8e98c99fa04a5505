from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from structlog.testing import capture_logs

from monitor.config import judges as judge_settings
from monitor.errors import JudgeRejected, JudgeUnavailable
from monitor.judges.asking import ROOM_TO_REASON, Ask, Asker
from monitor.judges.limits.calling import Exchange
from monitor.judges.reasons import Failure
from monitor.judges.servers.wire import ChatReply
from tests import virtual_time
from tests.judge_server import Canned
from tests.monitor.judges.scripted import ScriptedTransport, Step
from tests.virtual_time import VirtualClock

VERDICT = '{"verdict": "yes"}'
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdict"],
    "properties": {"verdict": {"type": "string", "enum": ["yes", "no"]}},
}


@dataclass(frozen=True, slots=True)
class Words:
    system: str = "Reply with a JSON object."
    user: str = "Is it?"


ASK = Ask(Words(), "verdict", SCHEMA, 300)
GOOD = Canned.chat(VERDICT)


def config(**changes: object) -> judge_settings.LlmJudge:
    return judge_settings.LlmJudge.model_validate({"base_url": "https://judge.example/v1", "model": "m-1"} | changes)


def ask(*script: Step, times: int = 1, wanted: Ask = ASK, **changes: object) -> tuple[list[Exchange], list[Any]]:
    """Ask one after the other in virtual time: the exchanges, and the requests that were sent."""
    transport = ScriptedTransport(*script)

    async def main(clock: VirtualClock) -> list[Exchange]:
        asker = Asker(config(**changes), clock, random.Random(3), asyncio.sleep, transport)
        return [await asker.ask(wanted, clock.monotonic() + 60) for _ in range(times)]

    return virtual_time.run(main), transport.requests


def text_of(exchange: Exchange) -> str:
    assert isinstance(exchange.result, ChatReply)
    return exchange.result.text


def reason_of(exchange: Exchange) -> str:
    assert isinstance(exchange.result, Failure)
    return exchange.result.reason


def way_of(request: Mapping[str, Any]) -> str:
    """How a request asks for JSON."""
    if "tools" in request:
        return "tool" if request["tool_choice"] != "auto" else "offered tool"
    return str(request.get("response_format", {"type": "prompt"})["type"])


def refusing(*ways: str, reply: Canned = GOOD) -> Callable[[Mapping[str, Any]], Canned]:
    """A server that refuses some ways of asking for JSON."""

    def respond(request: Mapping[str, Any]) -> Canned:
        way = way_of(request)
        if way not in ways:
            return reply
        named = "tool_choice" if way == "tool" else "tools" if way == "offered tool" else f"response_format {way}"
        return Canned.error(400, {"message": f"{named} is not supported"})

    return respond


# -------------------------------------------------------------------------------------------------- asking for JSON


LADDER = ["json_schema", "json_object", "tool", "offered tool", "prompt"]


@pytest.mark.parametrize("known", range(len(LADDER)))
def test_refusals_lead_down_the_ladder_once_and_for_all(known: int) -> None:
    exchanges, requests = ask(refusing(*LADDER[:known]), times=3)
    assert [text_of(exchange) for exchange in exchanges] == [VERDICT] * 3
    assert [way_of(request) for request in requests] == [*LADDER[:known], *[LADDER[known]] * 3]
    assert [exchange.usage.calls for exchange in exchanges] == [known + 1, 1, 1]


def test_a_way_that_is_ignored_is_left_like_one_that_is_refused() -> None:
    def respond(request: Mapping[str, Any]) -> Canned:
        return GOOD if way_of(request) == "json_object" else Canned.chat("The answer is yes.")

    exchanges, requests = ask(respond, times=2)
    assert [text_of(exchange) for exchange in exchanges] == [VERDICT] * 2
    assert [way_of(request) for request in requests] == ["json_schema", "json_object", "json_object"]


def test_a_verdict_among_the_thoughts_ignores_the_way_too() -> None:
    _, requests = ask(Canned.chat(None, message={"reasoning_content": VERDICT}), GOOD)
    assert [way_of(request) for request in requests] == ["json_schema", "json_object"]


EMPTY = Canned.chat("")


def test_one_empty_reply_is_asked_for_again_and_teaches_nothing() -> None:
    exchanges, requests = ask(EMPTY, GOOD, times=2)
    assert [text_of(exchange) for exchange in exchanges] == [VERDICT] * 2
    assert [way_of(request) for request in requests] == ["json_schema"] * 3


def test_a_second_empty_reply_ignores_the_way() -> None:
    exchanges, requests = ask(EMPTY, EMPTY, GOOD)
    assert text_of(exchanges[0]) == VERDICT
    assert [way_of(request) for request in requests] == ["json_schema", "json_schema", "json_object"]


def test_empty_replies_are_asked_for_again_within_the_retry_budget_and_before_a_way_has_worked_only() -> None:
    _, requests = ask(EMPTY, times=2, retry_budget=0.0)
    assert [way_of(request) for request in requests] == ["json_schema"] * 2
    _, requests = ask(GOOD, EMPTY, times=3)
    assert len(requests) == 3
    _, requests = ask(EMPTY, structured="json_schema")
    assert len(requests) == 1


@pytest.mark.parametrize(
    "fault",
    [
        JudgeRejected("parse", "content_encoding"),
        JudgeRejected("too_large"),
        JudgeUnavailable("connect", "cut"),
        Canned(200, b"<html></html>"),
        Canned(200, b""),
        Canned(200, b"data: {}\n\n", {"content-type": "text/event-stream"}),
        Canned(503, b""),
    ],
)
def test_what_happens_on_the_way_teaches_nothing_and_speaks_against_the_endpoint(fault: Canned | Exception) -> None:
    exchanges, requests = ask(fault, GOOD, times=2, retries=0)
    assert isinstance(exchanges[0].result, Failure)
    assert exchanges[0].result.counts
    assert [way_of(request) for request in requests] == ["json_schema"] * 2


def test_a_slip_after_the_way_has_worked_is_the_models() -> None:
    _, requests = ask(GOOD, Canned.chat("I'd rather not."), GOOD, times=3)
    assert [way_of(request) for request in requests] == ["json_schema"] * 3


def test_an_object_in_a_fence_is_no_reason_to_pay_for_another_call() -> None:
    exchanges, requests = ask(Canned.chat(f"```json\n{VERDICT}\n```"), times=2)
    assert (len(requests), exchanges[0].usage.calls) == (2, 1)


def test_a_server_that_ignores_every_way_is_asked_by_the_prompt_and_its_reply_given_as_it_is() -> None:
    exchanges, requests = ask(Canned.chat("Yes."), times=2)
    assert [text_of(exchange) for exchange in exchanges] == ["Yes."] * 2
    assert [way_of(request) for request in requests] == ["json_schema", "json_object", "tool", "prompt", "prompt"]


@pytest.mark.parametrize("way", ["json_schema", "json_object", "tool", "prompt"])
def test_a_configured_way_is_insisted_on(way: str) -> None:
    exchanges, requests = ask(Canned.error(400, {"message": f"response_format {way} unsupported"}), structured=way)
    assert (reason_of(exchanges[0]), [way_of(request) for request in requests]) == ("bad_request", [way])


def test_the_arguments_of_the_called_function_are_the_reply() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "verdict", "arguments": VERDICT}}
    message = {"tool_calls": [call]}
    exchanges, _ = ask(Canned.chat(None, message=message, finish_reason="tool_calls"), structured="tool")
    assert text_of(exchanges[0]) == VERDICT


def test_calls_at_the_same_time_learn_once_and_are_all_answered() -> None:
    async def main(clock: VirtualClock) -> list[Exchange]:
        asker = Asker(config(), clock, random.Random(3), asyncio.sleep, transport)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(asker.ask(ASK, clock.monotonic() + 60)) for _ in range(6)]
        return [task.result() for task in tasks]

    transport = ScriptedTransport(refusing("json_schema", "json_object"))
    with capture_logs() as lines:
        exchanges = virtual_time.run(main)
    assert [text_of(exchange) for exchange in exchanges] == [VERDICT] * 6
    assert [line["structured"] for line in lines] == ["json_object", "tool"]
    assert len(transport.requests) <= 6 * 3


# --------------------------------------------------------------------------------------------------- other parameters


def test_everything_that_a_server_refuses_is_left_out_from_then_on() -> None:
    refusals = {
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "temperature": "`temperature` is deprecated for this model.",
        "seed": "seed: Extra inputs are not permitted",
        "reasoning_effort": "Unrecognized request argument supplied: reasoning_effort",
        "logprobs": "logprobs are not supported by this model",
    }

    def respond(request: Mapping[str, Any]) -> Canned:
        if any(message["role"] == "system" for message in request["messages"]):
            return Canned.error(500, {"message": "System role not supported"})
        for name, message in refusals.items():
            if name in request:
                return Canned.error(400, {"message": message})
        return GOOD

    wanted = Ask(Words(), "verdict", SCHEMA, 300, wants_logprobs=True)
    exchanges, requests = ask(respond, times=2, wanted=wanted, reasoning="low")
    assert [exchange.usage.calls for exchange in exchanges] == [8, 1]
    assert requests[-1] == {
        "model": "m-1",
        "messages": [{"role": "user", "content": "Reply with a JSON object.\n\nIs it?"}],
        "stream": False,
        "max_completion_tokens": 300,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA},
        },
    }


def test_fewer_alternatives_are_asked_for_before_none() -> None:
    def respond(request: Mapping[str, Any]) -> Canned:
        if request.get("top_logprobs", 0) > 5:
            return Canned.error(400, {"message": "top_logprobs must be between 0 and 5"})
        return GOOD

    _, requests = ask(respond, times=2, wanted=Ask(Words(), "verdict", SCHEMA, 300, wants_logprobs=True))
    assert [request["top_logprobs"] for request in requests] == [20, 5, 5]


def test_a_refusal_that_nothing_can_be_done_about_is_a_bad_request() -> None:
    exchanges, requests = ask(Canned.error(400, {"message": "temperature is not supported"}), times=2)
    assert [reason_of(exchange) for exchange in exchanges] == ["bad_request"] * 2
    assert len(requests) == 3


def test_what_was_learned_is_logged_once_without_the_servers_words() -> None:
    with capture_logs() as lines:
        ask(refusing("json_schema"), times=3)
    assert lines == [
        {
            "event": "judge's server is asked otherwise",
            "judge": "llm",
            "lesson": "structured",
            "structured": "json_object",
            "log_level": "info",
        }
    ]


# --------------------------------------------------------------------------------------------------------- truncation


CUT = Canned.chat('{"verdict": "y', finish_reason="length")
PONDERED = Canned.chat("", finish_reason="length", message={"reasoning_content": "Let me see"})


def limits(requests: list[Any]) -> list[int]:
    return [request["max_tokens"] for request in requests]


def test_a_cut_reply_is_asked_for_once_more_with_twice_the_room() -> None:
    exchanges, requests = ask(CUT, GOOD)
    assert (text_of(exchanges[0]), limits(requests), exchanges[0].usage.calls) == (VERDICT, [300, 600], 2)


def test_a_reply_that_is_cut_again_is_truncated() -> None:
    exchanges, requests = ask(CUT)
    assert (reason_of(exchanges[0]), limits(requests)) == ("truncated", [300, 600])


def test_cut_replies_are_repeated_within_the_retry_budget_only() -> None:
    exchanges, requests = ask(CUT, times=100)
    assert {reason_of(exchange) for exchange in exchanges} == {"truncated"}
    assert len(requests) <= 100 + 10 + 3


def test_a_repeat_that_could_not_be_made_leaves_the_first_reason() -> None:
    async def main(clock: VirtualClock) -> list[Exchange]:
        transport = ScriptedTransport(Canned.error(402, {"message": "Insufficient Balance"}), CUT)
        asker = Asker(config(), clock, random.Random(3), asyncio.sleep, transport)
        async with asyncio.TaskGroup() as group:  # the first reply opens the circuit before the second one is cut
            tasks = [group.create_task(asker.ask(ASK, clock.monotonic() + 60)) for _ in range(2)]
        return [task.result() for task in tasks]

    exchanges = virtual_time.run(main)
    assert [(reason_of(exchange), exchange.usage.calls) for exchange in exchanges] == [("quota", 1), ("truncated", 1)]


@pytest.mark.parametrize(
    "refusal",
    [
        Canned.error(400, {"message": "max_tokens: 600 > 512, which is the maximum"}),
        Canned.error(400, {"message": "input length and `max_tokens` exceed context limit"}),
    ],
)
def test_room_that_the_model_does_not_have_leaves_the_cut_with_the_cost_of_both(refusal: Canned) -> None:
    exchanges, _ = ask(CUT, refusal)
    assert (reason_of(exchanges[0]), exchanges[0].usage.calls) == ("truncated", 2)


def test_a_model_that_used_its_limit_for_reasoning_gets_more_room_from_then_on() -> None:
    def respond(request: Mapping[str, Any]) -> Canned:
        return PONDERED if request["max_tokens"] < 1000 else GOOD

    exchanges, requests = ask(respond, times=2)
    assert [text_of(exchange) for exchange in exchanges] == [VERDICT] * 2
    assert limits(requests) == [300, 300 * ROOM_TO_REASON, 300 * ROOM_TO_REASON]


def test_room_that_did_not_help_is_not_kept() -> None:
    _, requests = ask(PONDERED, times=2)
    assert limits(requests) == [300, 1200, 300, 1200]


def test_room_to_reason_is_given_up_for_a_prompt_that_needs_it() -> None:
    def respond(request: Mapping[str, Any]) -> Canned:
        if request["max_tokens"] > 300 and "long" in request["messages"][1]["content"]:
            return Canned.error(400, {"message": "maximum context length is 4096 tokens"})
        return PONDERED if request["max_tokens"] < 1000 and "long" not in str(request["messages"]) else GOOD

    async def main(clock: VirtualClock) -> list[Exchange]:
        asker = Asker(config(), clock, random.Random(3), asyncio.sleep, transport)
        asks = [ASK, dataclasses.replace(ASK, prompt=Words(user="long"))]
        return [await asker.ask(one, clock.monotonic() + 60) for one in asks]

    transport = ScriptedTransport(respond)
    exchanges = virtual_time.run(main)
    assert [text_of(exchange) for exchange in exchanges] == [VERDICT] * 2
    assert limits(transport.requests) == [300, 1200, 1200, 300]


def test_a_budget_for_reasoning_comes_on_top_of_the_limit() -> None:
    _, requests = ask(GOOD, server="openrouter", reasoning=2048)
    assert (limits(requests), requests[0]["reasoning"]) == ([2348], {"max_tokens": 2048})


def test_more_fields_of_the_body_are_sent_and_win() -> None:
    _, requests = ask(GOOD, extra_body={"top_p": 0.5, "temperature": 0.7, "response_format": {"strict": False}})
    assert (requests[0]["top_p"], requests[0]["temperature"]) == (0.5, 0.7)
    assert requests[0]["response_format"].keys() == {"type", "json_schema", "strict"}
