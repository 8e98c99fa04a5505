"""Both wire APIs against a real HTTP server on loopback: path, headers and a judgement."""

from __future__ import annotations

import asyncio
import random
import time

import pytest

from monitor.clock import SystemClock
from monitor.judges.llm import LlmJudge
from monitor.records import Judgement, Passage, RagTrace
from tests.judge_server import JudgeServer
from tests.monitor.judges.servers.asks import config

TRACE = RagTrace("t", "", "How long?", "It lasts 2 years.", contexts=(Passage("It lasts 2 years."),), language="en")


def judge(**changes: object) -> Judgement:
    async def main() -> Judgement:
        settings = config(allow_private=True, retries=0, **changes)
        judge = LlmJudge(settings, SystemClock(), api_key="sk-1", rng=random.Random(1))
        try:
            return (await judge.judge(TRACE, (), time.monotonic() + 20))[0]
        finally:
            await judge.close()

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("server", "base", "path", "headers"),
    [
        ("compatible", "/v1", "/v1/chat/completions", {"authorization": "Bearer sk-1"}),
        (
            "azure",
            "/openai/deployments/d?api-version=2024-10-21",
            "/openai/deployments/d/chat/completions?api-version=2024-10-21",
            {"api-key": "sk-1"},
        ),
        ("anthropic", "", "/v1/messages", {"x-api-key": "sk-1", "anthropic-version": "2023-06-01"}),
    ],
)
def test_a_request_is_judged_in_the_words_of_the_server(
    server: str, base: str, path: str, headers: dict[str, str]
) -> None:
    with JudgeServer() as endpoint:
        judgement = judge(base_url=f"http://127.0.0.1:{endpoint.port}{base}", server=server)
    assert (judgement.score, judgement.reason, judgement.usage.calls) == (1.0, "", 1)
    assert endpoint.paths == [path]
    keys = ("authorization", "api-key", "x-api-key", "anthropic-version")
    assert {name: value for name, value in endpoint.headers[0].items() if name in keys} == headers


def test_headers_of_the_settings_replace_those_of_the_api() -> None:
    with JudgeServer() as endpoint:
        url = f"http://127.0.0.1:{endpoint.port}"
        judge(base_url=url, server="anthropic", headers={"Anthropic-Version": "2099-01-01"})
    assert endpoint.headers[0]["anthropic-version"] == "2099-01-01"
