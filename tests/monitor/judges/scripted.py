"""A scripted endpoint for the LLM judge in virtual time, and the field cases as its replies."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from monitor.config import judges as judge_settings
from monitor.judges.llm import LlmJudge
from monitor.judges.servers.transport import HttpReply
from monitor.records import Judgement, Passage, RagTrace
from tests import virtual_time
from tests.judge_server import Canned
from tests.virtual_time import VirtualClock

CASES = {
    case["id"]: case
    for case in map(json.loads, Path("tests/data/field-cases.jsonl").read_text(encoding="utf-8").splitlines())
}
TRACE = RagTrace(
    "t1",
    "s1",
    "How long is the warranty?",
    "The warranty lasts 2 years. It covers water damage.",
    contexts=(Passage("The warranty lasts 2 years."), Passage("Water damage is excluded.")),
    language="en",
)
Respond = Callable[[Mapping[str, Any]], Canned | Exception]
Step = Canned | Exception | Respond


def asked(question: str, answer: str, *passages: str, language: str = "en") -> RagTrace:
    return RagTrace("t1", "s1", question, answer, contexts=tuple(map(Passage, passages)), language=language)


class ScriptedTransport:
    """A Transport that answers by a function of the request; the last of several answers again and again."""

    def __init__(self, *script: Step) -> None:
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.closed = 0

    async def post(self, body: bytes) -> HttpReply:
        request = json.loads(body)
        self.requests.append(request)
        self.times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.1)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        reply = step(request) if callable(step) else step
        if isinstance(reply, Exception):
            raise reply
        return HttpReply(reply.status, dict(reply.headers), reply.body)

    async def close(self) -> None:
        self.closed += 1


QUOTE = "The warranty lasts 2 years."
"""Words of the first passage of `TRACE`."""
CLAIM = "The warranty lasts 2 years and covers water damage"
"""All that the answer of `TRACE` states."""


def verdict_of(*verdicts: str, count: int | None = None, quote: str = QUOTE, claim: str = CLAIM) -> dict[str, Any]:
    """A verdict on faithfulness; what is found is found in the first passage. No two claims are worded alike."""
    listed = [
        {
            "claim": f"{claim} ({index}).",
            "passage": int(verdict != "not_found"),
            "quote": quote if verdict != "not_found" else "",
            "reason": "r",
            "verdict": verdict,
        }
        for index, verdict in enumerate(verdicts)
    ]
    return {"claims": listed, "claim_count": len(verdicts) if count is None else count}


def claims(*verdicts: str, count: int | None = None, quote: str = QUOTE, claim: str = CLAIM) -> str:
    return json.dumps(verdict_of(*verdicts, count=count, quote=quote, claim=claim))


def chat(*verdicts: str, quote: str = QUOTE, **extra: Any) -> Canned:  # noqa: ANN401 - any part of a reply may be odd
    return Canned.chat(claims(*verdicts, quote=quote), **extra)


def config(**changes: object) -> judge_settings.LlmJudge:
    """The settings of a judge that asks again for what it was asked before."""
    given = {"base_url": "https://judge.example/v1", "model": "m-1", "reuse": 0}
    return judge_settings.LlmJudge.model_validate(given | changes)


def judge_all(
    transport: ScriptedTransport, traces: Sequence[RagTrace], **changes: object
) -> tuple[list[Judgement], LlmJudge]:
    """Judge one after the other in virtual time."""

    async def main(clock: VirtualClock) -> tuple[list[Judgement], LlmJudge]:
        judge = LlmJudge(config(**changes), clock, api_key=None, rng=random.Random(3), transport=transport)
        judged: list[Judgement] = []
        for trace in traces:
            judged += await judge.judge(trace, (), clock.monotonic() + 60)
        await judge.close()
        return judged, judge

    return virtual_time.run(main)


def judge_one(*script: Step, trace: RagTrace = TRACE, **changes: object) -> Judgement:
    (judgement,), _ = judge_all(ScriptedTransport(*script), [trace], **changes)
    return judgement


def canned_case(case_id: str) -> Canned:
    given = CASES[case_id]["input"]
    return Canned(given["status"], json.dumps(given["body"]).encode(), given["headers"])


def field_trace(case_id: str, language: str = "en") -> RagTrace:
    value = CASES[case_id]["input"]["records"][0]["value"]
    return asked(value["question"], value["answer"], value["contexts"][0], language=language)
