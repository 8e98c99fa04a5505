"""What a server refuses to be told is not a part of what judges, and calls that wait learn of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from monitor.judges.llm import LlmJudge
from tests import virtual_time
from tests.judge_server import Canned
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, asked, chat, config, judge_all
from tests.virtual_time import VirtualClock


def refusing(*names: str) -> Callable[[Mapping[str, Any]], Canned]:
    """A server that takes none of these parameters."""

    def respond(request: Mapping[str, Any]) -> Canned:
        name = next((name for name in names if name in request), None)
        if name is None:
            return chat("supported", "not_found", model="m-1")
        return Canned.error(400, {"message": f"Unsupported parameter: '{name}' is not supported.", "param": name})

    return respond


def test_calls_that_wait_for_their_turn_go_out_as_the_server_wants_them() -> None:
    transport = ScriptedTransport(refusing("response_format"))
    traces = [asked("How long?", f"It lasts {number} years.", "It lasts 2 years.") for number in range(40)]

    async def main(clock: VirtualClock) -> None:
        judge = LlmJudge(config(max_concurrency=4), clock, api_key=None, rng=random.Random(3), transport=transport)
        async with asyncio.TaskGroup() as tasks:
            for trace in traces:
                tasks.create_task(judge.judge(trace, (), clock.monotonic() + 600))
        await judge.close()

    virtual_time.run(main)
    formats = [request.get("response_format", {}).get("type", "none") for request in transport.requests]
    assert formats.count("json_schema") <= 4
    assert len(formats) <= len(traces) + 3 * 4


@pytest.mark.parametrize(("name", "changes"), [("temperature", {}), ("seed", {"seed": 7})])
def test_a_refused_parameter_makes_another_judge(name: str, changes: dict[str, object]) -> None:
    (taken,), _ = judge_all(ScriptedTransport(refusing()), [TRACE], **changes)
    (refused, again), judge = judge_all(ScriptedTransport(refusing(name)), [TRACE, TRACE], **changes)
    assert refused.judge == again.judge == judge.identity("faithfulness")
    assert refused.judge.fingerprint != taken.judge.fingerprint


def test_without_a_temperature_of_0_a_second_verdict_is_one_of_its_own() -> None:
    transport = ScriptedTransport(refusing("temperature"))
    judged, judge = judge_all(transport, [TRACE] * 4, reuse=10)
    assert (judge.load().reused, len(transport.requests)) == (0, 5)
    assert not any("reused" in item.flags for item in judged)


def test_a_seed_that_is_refused_changes_nothing_about_that() -> None:
    _, judge = judge_all(ScriptedTransport(refusing("seed")), [TRACE] * 4, reuse=10, seed=7)
    assert judge.load().reused == 3
