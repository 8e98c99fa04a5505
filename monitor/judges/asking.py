"""One prompt to one finished reply, in words that the server understands and under every limit.

Knows no evaluation: whoever asks brings a prompt and the schema of the object that it wants back. What a server refuses
to understand, or ignores, is said otherwise from then on (`servers.dialect`); a reply that was cut is asked for once
more with more room.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from collections.abc import Callable

import structlog

from monitor.config import judges as judge_settings
from monitor.errors import JudgeError
from monitor.judges.limits.calling import Exchange, Limits, Result, Sleep
from monitor.judges.limits.patience import Patience
from monitor.judges.off_loop import off_loop
from monitor.judges.reasons import EMPTY, REASONING_BUDGET, TOO_MUCH, Failure, Lesson, Reason
from monitor.judges.replies.parse import holds_object, is_object
from monitor.judges.servers.dialect import Dialect, Structured
from monitor.judges.servers.pricing import Tariff, tokens_of
from monitor.judges.servers.providers import first_dialect, provider_of
from monitor.judges.servers.reading import read_reply
from monitor.judges.servers.registry import server_of
from monitor.judges.servers.transport import NOT_SENT, Transport
from monitor.judges.servers.wire import Ask
from monitor.protocols import Clock

log = structlog.get_logger(__name__)

LARGER = 2
"""A truncated reply is asked for once more with so many times the output limit."""
ROOM_TO_REASON = 4
"""The same for a limit that went into reasoning. When it helps, every later call has this room."""
_NO_ROOM = (Reason.BAD_REQUEST, Reason.TOO_LONG)
"""What servers call a limit that the model or its context does not have."""


_OF_THE_VERDICT = frozenset({Lesson.TEMPERATURE, Lesson.SEED, Lesson.REASONING})
"""Lessons that leave out what may decide a verdict."""


class Asker:
    """The way to one endpoint. What it learns of the server it remembers for its life."""

    def __init__(
        self,
        config: judge_settings.LlmJudge,
        clock: Clock,
        rng: random.Random,
        sleep: Sleep,
        transport: Transport,
        patience: Patience | None = None,
    ) -> None:
        """Raises ConfigError for a setting that the server cannot follow."""
        self._config = config
        self._clock = clock
        self._transport = transport
        self._server = server_of(config)
        self._tariff = Tariff.of(config)
        self._answers: str | None = None
        """The model that answered last."""
        self._unpriced = False
        """Whether a model without a price was told of."""
        self._dialect = first_dialect(config, provider_of(config))
        self._proven = {Structured.PROMPT}  # ways of asking for JSON that are not left for one bad reply
        self._room = 1
        self.limits = Limits(config, clock, rng, sleep, patience)
        """What holds the calls back, and what they cost so far."""

    @property
    def prompt_only(self) -> bool:
        """Whether the server turned out to know no way of asking for JSON."""
        return self._config.structured == "auto" and self._dialect.structured is Structured.PROMPT

    @property
    def unsaid(self) -> frozenset[Lesson]:
        """The parameters of the verdict itself that the server refused, so that its own are in force."""
        return self._dialect.learned & _OF_THE_VERDICT

    @property
    def is_settled(self) -> bool:
        """Whether the model is asked for its one most likely verdict, as far as it lets itself be asked."""
        is_sent = Lesson.TEMPERATURE not in self.unsaid or "temperature" in self._config.extra_body
        return self._config.is_settled and is_sent

    def unpriced(self, model: str | None) -> bool:
        """Whether a limit of money rests on a guess: nothing says what this model costs."""
        return self._config.counts_money and not self._tariff.prices(model)

    async def ask(self, ask: Ask, deadline: float) -> Exchange:
        """The call, and once more with more room when the reply was cut. `deadline`: `Clock.monotonic` seconds."""
        room = self._room
        exchange = await self._ask_in_its_dialect(ask, room, deadline, Exchange())
        if room > 1 and _failure(exchange, *_NO_ROOM):
            room = 1  # a longer prompt leaves less of it
            exchange = await self._ask_in_its_dialect(ask, room, deadline, exchange)
        cut = _failure(exchange, Reason.TRUNCATED)
        if cut is None or not self.limits.may_repeat():
            return exchange
        reasoned = cut.detail == REASONING_BUDGET and room == 1
        room *= ROOM_TO_REASON if reasoned else LARGER
        longer = await self._ask_in_its_dialect(ask, room, deadline, exchange)
        if isinstance(longer.result, Failure) and not longer.result.asked:
            return exchange
        if _failure(longer, *_NO_ROOM):
            return dataclasses.replace(longer, result=cut)
        if reasoned and _failure(longer, Reason.TRUNCATED) is None:
            self._give_room(room)
        return longer

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        await self._transport.close()

    async def _ask_in_its_dialect(self, ask: Ask, room: int, deadline: float, so_far: Exchange) -> Exchange:
        """The call, repeated in words that the server understands; `so_far` is what was asked before."""
        exchange, repeated = so_far, False
        while True:  # ends: each turn but one takes a smaller dialect
            later, used = await self._call(ask, room, deadline, again=exchange.usage.calls > 0)
            exchange = exchange.then(later)
            if not repeated and self._may_be_a_slip(used, exchange.result):
                if not self.limits.may_repeat():
                    return exchange
                repeated = True
                continue
            lesson = await self._lesson(used, exchange.result)
            if lesson is None or not self._learn(used, lesson):
                return exchange

    async def _call(self, ask: Ask, room: int, deadline: float, *, again: bool) -> tuple[Exchange, Dialect]:
        """A call, and the dialect of its last attempt: what others learn while it waits for its turn it knows, too."""
        limit = room * ask.output_limit + (self._config.reasoning if isinstance(self._config.reasoning, int) else 0)
        ask = dataclasses.replace(ask, output_limit=limit)
        used = self._dialect
        body = self._server.encode(ask, used)
        asked = tokens_of(body)

        async def send() -> Result:
            nonlocal used, body
            if used != self._dialect:
                used = self._dialect
                body = self._server.encode(ask, used)
            try:
                reply = await self._transport.post(body)
            except JudgeError as error:
                is_known = error.detail == NOT_SENT
                result: Result = Failure(Reason(error.reason), error.detail, usage_known=is_known, endpoint=True)
            else:
                now_s = self._clock.now_ns() / 1e9
                read = functools.partial(
                    read_reply, self._server, reply, ask, self._tariff, now_s, self._config.max_retry_after
                )
                result = await off_loop(len(reply.body), read)
            return self._charged(result, asked, limit)

        estimate = self._tariff.estimated(asked, limit, self._answers)
        exchange = await self.limits.call(send, deadline, estimate=estimate, again=again)
        return exchange, used

    def _charged(self, result: Result, asked: int, limit: int) -> Result:
        """The result with a usage: estimated where the server does not say. Takes note of the model that answered."""
        self._answers = result.model or self._answers
        if self.unpriced(result.model) and not self._unpriced:
            self._unpriced = True
            log.warning(
                "a model without a price answers: it is charged at the dearest known one",
                judge=self._config.name,
                model=result.model,
            )
        if result.usage_known:
            return result
        said = limit if isinstance(result, Failure) else tokens_of(result.text.encode("utf-8", "replace"))
        known = result.usage
        usage = self._tariff.estimated(known.input_tokens or asked, known.output_tokens or said, result.model)
        return dataclasses.replace(result, usage=usage)

    # ------------------------------------------------------------------------------------------------------ learning

    def _may_be_a_slip(self, used: Dialect, result: Result) -> bool:
        """Whether a reply that would teach to ask for JSON otherwise is empty: one alone says nothing of the way."""
        is_empty = isinstance(result, Failure) and result.detail == EMPTY
        return is_empty and used.structured not in self._proven and len(used.rungs) > 1

    async def _lesson(self, used: Dialect, result: Result) -> Lesson | None:
        """What the reply teaches. What happens on the way to the server and back teaches nothing.

        One without any object ignores the way in which JSON was asked for, unless that way has worked before: then it
        was the model's slip.
        """
        if isinstance(result, Failure) and result.lesson is not None:
            return result.lesson
        if used.structured in self._proven:
            return None
        if isinstance(result, Failure):
            ignores = result.reason is Reason.PARSE and not result.endpoint and result.detail != TOO_MUCH
        elif await _off_loop(is_object, result.text):
            self._proven.add(used.structured)
            ignores = False
        else:
            ignores = not await _off_loop(holds_object, result.text)
        return Lesson.STRUCTURED if ignores else None

    def _learn(self, used: Dialect, lesson: Lesson) -> bool:
        """Speak otherwise from now on; whether there is another way than the one used."""
        if self._dialect != used:
            return True  # another call learned meanwhile; perhaps the same
        learned = used.after(lesson)
        if learned is None:
            return False
        self._dialect = learned
        log.info(
            "judge's server is asked otherwise", judge=self._config.name, lesson=lesson, structured=learned.structured
        )
        return True

    def _give_room(self, room: int) -> None:
        if room > self._room:
            self._room = room
            log.info("judge's model gets room to reason", judge=self._config.name, times=room)


async def _off_loop(is_so: Callable[[str], bool], text: str) -> bool:
    return await off_loop(len(text), functools.partial(is_so, text))


def _failure(exchange: Exchange, *reasons: Reason) -> Failure | None:
    """The failure that ended the exchange, when it has one of the reasons."""
    result = exchange.result
    return result if isinstance(result, Failure) and result.reason in reasons else None


__all__ = ["LARGER", "ROOM_TO_REASON", "Ask", "Asker"]
