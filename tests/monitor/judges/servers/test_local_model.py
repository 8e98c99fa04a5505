"""Against a real model server: that the wire works, not that so small a model judges well."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import random
import time
from collections.abc import Iterator

import jsonschema
import pytest

from monitor.clock import SystemClock
from monitor.judges.asking import LARGER, Ask, Asker
from monitor.judges.limits.calling import Exchange
from monitor.judges.llm import LlmJudge
from monitor.judges.reasons import Failure, Reason
from monitor.judges.servers.transport import HttpTransport
from monitor.judges.servers.wire import ChatReply
from monitor.records import Judgement, Outcome, Passage, RagTrace
from tests.local_model import CONTEXT, MISSING, MODEL, LocalModel, model_file
from tests.monitor.judges.servers.asks import Words, config

FILE = model_file()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(FILE is None, reason=MISSING)]

SCHEMA: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "verdict"],
    "properties": {"score": {"type": "integer", "enum": [1, 2, 3, 4, 5]}, "verdict": {"enum": ["yes", "no"]}},
}
ASK = Ask(
    Words("Reply with a JSON object with score (1 to 5) and verdict (yes or no).", "Is the sky blue?"),
    "sky",
    SCHEMA,
    100,
    wants_logprobs=True,
)


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    assert FILE is not None
    with LocalModel(FILE) as server:
        yield server


def ask(model: LocalModel, *asks: Ask, **changes: object) -> tuple[list[Exchange], Asker]:
    """Ask one after the other."""

    async def main() -> tuple[list[Exchange], Asker]:
        settings = config(
            base_url=f"{model.url}/v1", model=MODEL, allow_private=True, total_timeout=300, read_timeout=300, **changes
        )
        transport = HttpTransport(settings, api_key=None)
        asker = Asker(settings, SystemClock(), random.Random(1), asyncio.sleep, transport)
        try:
            return [await asker.ask(one, time.monotonic() + 500) for one in asks], asker
        finally:
            await asker.close()

    return asyncio.run(main())


def reply_of(exchange: Exchange) -> ChatReply:
    assert isinstance(exchange.result, ChatReply), exchange.result
    return exchange.result


def test_a_schema_is_followed_and_the_probabilities_of_the_score_come_with_it(model: LocalModel) -> None:
    (exchange, again), _ = ask(model, ASK, ASK)
    reply = reply_of(exchange)
    assert reply_of(again).text == reply.text
    verdict = json.loads(reply.text)
    jsonschema.validate(verdict, SCHEMA)
    assert (reply.model, reply.usage_known, exchange.usage.calls) == (MODEL, True, 1)
    assert exchange.usage.input_tokens > 10
    assert exchange.usage.output_tokens > 5
    assert "".join(token.text for token in reply.tokens) == reply.text
    place = reply.text.index(str(verdict["score"]))
    (score,) = [token for token in reply.tokens if token.start <= place < token.start + len(token.text)]
    assert len(score.alternatives) == 20
    assert 0 < sum(probability for _, probability in score.alternatives) <= 1.01


def test_json_mode_gives_json_and_nothing_else(model: LocalModel) -> None:
    wanted = dataclasses.replace(ASK, prompt=Words("Reply with {} only.", "Say {}."))
    (exchange,), _ = ask(model, wanted, structured="json_object")
    result = exchange.result
    if isinstance(result, ChatReply):
        assert isinstance(json.loads(result.text), dict)
    else:
        assert result.reason is Reason.TRUNCATED  # a small model does not always come to an end


def test_the_prompt_alone_is_a_way_of_asking(model: LocalModel) -> None:
    (exchange,), _ = ask(model, ASK, structured="prompt")
    assert exchange.usage.calls >= 1
    assert isinstance(exchange.result, ChatReply) or exchange.result.reason is Reason.TRUNCATED


def test_a_tight_limit_cuts_the_reply_and_the_repeat_has_more_room(model: LocalModel) -> None:
    (exchange,), _ = ask(model, dataclasses.replace(ASK, output_limit=2))
    assert isinstance(exchange.result, Failure)
    assert exchange.result.reason is Reason.TRUNCATED
    assert exchange.usage.calls == 2
    assert exchange.usage.output_tokens <= 2 + 2 * LARGER


def test_a_schema_that_the_server_cannot_use_leads_to_json_mode(model: LocalModel) -> None:
    odd = dataclasses.replace(ASK, schema={"type": "strange"}, output_limit=20)
    (exchange,), asker = ask(model, odd)
    assert exchange.usage.calls >= 2
    assert not asker.prompt_only
    assert isinstance(exchange.result, ChatReply) or exchange.result.reason is Reason.TRUNCATED


def test_a_prompt_beyond_the_context_is_too_long(model: LocalModel) -> None:
    (exchange,), _ = ask(model, dataclasses.replace(ASK, prompt=Words(user="word " * (CONTEXT + 1000))))
    assert isinstance(exchange.result, Failure)
    assert exchange.result.reason is Reason.TOO_LONG


def test_the_messages_api_of_a_server_that_ignores_formats_ends_with_the_prompt(model: LocalModel) -> None:
    """This server takes Anthropic's words and follows neither a format nor a forced tool: found out by its replies."""
    (exchange,), asker = ask(model, dataclasses.replace(ASK, output_limit=30), server="anthropic")
    assert asker.prompt_only
    assert exchange.usage.calls >= 3
    assert exchange.usage.input_tokens > 30


def test_a_request_is_judged_from_end_to_end(model: LocalModel) -> None:
    async def main() -> Judgement:
        settings = config(
            base_url=f"{model.url}/v1",
            model=MODEL,
            allow_private=True,
            evaluations=("answer_relevance",),
            max_output_tokens=150,
            total_timeout=300,
            read_timeout=300,
        )
        judge = LlmJudge(settings, SystemClock(), api_key=None, rng=random.Random(1))
        trace = RagTrace(
            "t", "", "How long is the warranty?", "It is 2 years.", contexts=(Passage("2 years."),), language="en"
        )
        try:
            return (await judge.judge(trace, (), time.monotonic() + 500))[0]
        finally:
            await judge.close()

    judgement = asyncio.run(main())
    if judgement.outcome is Outcome.SCORED:
        assert judgement.score is not None
        assert 0 <= judgement.score <= 1
    else:
        assert (judgement.outcome, judgement.score) == (Outcome.JUDGE_ERROR, None)
        assert judgement.reason in {Reason.TRUNCATED, Reason.PARSE}
    assert judgement.usage.input_tokens > 100
