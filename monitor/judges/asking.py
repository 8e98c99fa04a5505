"""One prompt to one finished reply, in words that the server understands and under every limit.

Knows no evaluation: whoever asks brings a prompt and the schema of the object that it wants back. What a server refuses
to understand is left out from then on (`chat.Dialect`); a reply that was cut is asked for once more with more room.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from dataclasses import dataclass

from monitor import judge_settings
from monitor.errors import JudgeError
from monitor.judges.chat import Dialect, encode_call, read_reply
from monitor.judges.limits import Exchange, Limits, Result, Sleep
from monitor.judges.pricing import Prices
from monitor.judges.prompts.frame import Prompt
from monitor.judges.reasons import Failure, Reason
from monitor.judges.transport import Transport
from monitor.protocols import Clock

LARGER = 2
"""A truncated reply is asked for once more with so many times the output limit."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What one call wants: an object of `schema` in answer to `prompt`."""

    prompt: Prompt
    name: str
    """Name of the schema."""
    schema: Mapping[str, object]
    """JSON Schema of the object."""
    output_limit: int
    """Tokens of the reply at most."""


class Asker:
    """The way to one endpoint. What it learns of the server it remembers for its life."""

    def __init__(
        self, config: judge_settings.LlmJudge, clock: Clock, rng: random.Random, sleep: Sleep, transport: Transport
    ) -> None:
        self._config = config
        self._clock = clock
        self._transport = transport
        self._prices = Prices(config.input_price, config.output_price)
        self._dialect = Dialect(schema=config.structured != "prompt")
        self.limits = Limits(config, clock, rng, sleep)
        """What holds the calls back, and what they cost so far."""

    @property
    def prompt_only(self) -> bool:
        """Whether the server turned out to know no schemas."""
        return self._config.structured == "auto" and not self._dialect.schema

    async def ask(self, ask: Ask, deadline: float) -> Exchange:
        """The call, and once more with more room when the reply was cut. `deadline`: `Clock.monotonic` seconds."""
        exchange = await self._ask_in_its_dialect(ask, deadline, Exchange())
        if not _is_truncated(exchange) or not self.limits.may_repeat():
            return exchange
        roomier = dataclasses.replace(ask, output_limit=LARGER * ask.output_limit)
        longer = await self._ask_in_its_dialect(roomier, deadline, exchange)
        return longer if _was_asked(longer) else exchange

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        await self._transport.close()

    async def _ask_in_its_dialect(self, ask: Ask, deadline: float, so_far: Exchange) -> Exchange:
        """The call, repeated in words that the server understands; `so_far` is what was asked before."""
        exchange = so_far
        while True:  # ends: each turn leaves out one thing more
            used = self._dialect
            exchange = exchange.then(await self._call(ask, used, deadline, again=exchange.usage.calls > 0))
            if not self._learns(used, exchange.result):
                return exchange

    async def _call(self, ask: Ask, dialect: Dialect, deadline: float, *, again: bool) -> Exchange:
        body = encode_call(self._config, ask.prompt, ask.name, ask.schema, dialect, ask.output_limit)

        async def send() -> Result:
            try:
                reply = await self._transport.post(body)
            except JudgeError as error:
                return Failure(Reason(error.reason), error.detail, usage_known=False)
            return read_reply(reply, self._prices, self._clock.now_ns() / 1e9, self._config.max_retry_after)

        return await self.limits.call(send, deadline, again=again)

    def _learns(self, used: Dialect, result: Result) -> bool:
        """Leave out from now on what the server just refused to understand; whether there was such a thing."""
        unsupported = result.unsupported if isinstance(result, Failure) else ""
        if unsupported == "response_format" and used.schema and self._config.structured == "auto":
            self._dialect = dataclasses.replace(self._dialect, schema=False)
            return True
        if unsupported == "max_tokens" and used.limit_key == "max_tokens":
            self._dialect = dataclasses.replace(self._dialect, limit_key="max_completion_tokens")
            return True
        return False


def _is_truncated(exchange: Exchange) -> bool:
    return isinstance(exchange.result, Failure) and exchange.result.reason is Reason.TRUNCATED


def _was_asked(exchange: Exchange) -> bool:
    return not isinstance(exchange.result, Failure) or exchange.result.asked
