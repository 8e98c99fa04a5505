"""The LLM judge: a model behind an OpenAI-compatible endpoint, one call for each evaluation.

A request becomes a prompt (`prompts`), the prompt a call under every limit (`limits`, `transport`), the reply a text
(`chat`), the text a verdict object (`parse`), the object a score (`prompts`). Whatever goes wrong on the way is an
outcome with a bounded reason (`reasons`), never a score.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Sequence
from dataclasses import dataclass

from monitor import judge_settings
from monitor.errors import JudgeError
from monitor.judges.chat import ChatReply, Dialect, encode_call, read_reply
from monitor.judges.limits import Exchange, Limits, Result, Sleep
from monitor.judges.parse import parse_verdict
from monitor.judges.pricing import Prices
from monitor.judges.prompts.frame import Prompt, build_prompt
from monitor.judges.prompts.registry import RUBRICS
from monitor.judges.prompts.rubric import Reading, Rubric
from monitor.judges.reasons import Failure, Reason
from monitor.judges.scorable import unscorable
from monitor.judges.snapshots import Identities
from monitor.judges.transport import HttpTransport, Transport
from monitor.protocols import Clock
from monitor.records import JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit
from monitor.snapshot import JudgeLoad

LARGER = 2
"""A truncated reply is asked for once more with so many times the output limit."""


@dataclass(frozen=True, slots=True)
class _Question:
    """One evaluation of one request."""

    rubric: Rubric
    trace: RagTrace
    prompt: Prompt
    deadline: float


class LlmJudge:
    """A remote `Judge`. Explanation and evidence quote the request: they are as private as it is."""

    remote = True

    def __init__(
        self,
        config: judge_settings.LlmJudge,
        clock: Clock,
        *,
        api_key: str | None,
        rng: random.Random,
        transport: Transport | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Raises ConfigError for an endpoint, key, header or certificate file that cannot be used."""
        self.name = config.name
        self.evaluations: tuple[str, ...] = config.evaluations
        self._config = config
        self._clock = clock
        self._rng = rng
        self._transport = HttpTransport(config, api_key=api_key) if transport is None else transport
        self._limits = Limits(config, clock, rng, sleep)
        self._rubrics: dict[str, Rubric] = {name: RUBRICS[name]() for name in config.evaluations}
        self._identities = Identities(config, self._rubrics)
        self._prices = Prices(config.input_price, config.output_price)
        self._dialect = Dialect(schema=config.structured != "prompt")
        self._judgements = 0
        self._duration_s = 0.0

    def identity(self, evaluation: str) -> JudgeIdentity:
        """See `Judge`; `Identities` says what the fingerprint covers."""
        return self._identities.current(evaluation)

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        """See `Judge`. The evaluations are asked at the same time."""
        del hits
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._evaluate(name, trace, deadline)) for name in self.evaluations]
        return tuple(task.result() for task in tasks)

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        await self._transport.close()

    def load(self) -> JudgeLoad:
        """What it did since the start, and what holds it back now."""
        totals = self._limits.totals
        return JudgeLoad(
            judge=self.name,
            judgements=self._judgements,
            duration_s=self._duration_s,
            calls=totals.calls,
            retries=totals.retries,
            input_tokens=totals.usage.input_tokens,
            output_tokens=totals.usage.output_tokens,
            cost=totals.usage.cost,
            in_flight=self._limits.in_flight,
            concurrency_limit=self._limits.concurrency_limit,
            breaker=self._limits.breaker,
        )

    async def _evaluate(self, evaluation: str, trace: RagTrace, deadline: float) -> Judgement:
        started = self._clock.monotonic()
        judgement = await self._judged(evaluation, trace, deadline)
        latency_s = self._clock.monotonic() - started
        self._judgements += 1
        self._duration_s += latency_s
        return dataclasses.replace(judgement, latency_s=latency_s)

    async def _judged(self, evaluation: str, trace: RagTrace, deadline: float) -> Judgement:
        reason = unscorable(trace, evaluation)
        if reason is not None:
            return Judgement(evaluation, self.identity(evaluation), Outcome.NOT_SCORABLE, reason)
        rubric = self._rubrics[evaluation]
        question = _Question(rubric, trace, build_prompt(rubric, trace, self._rng), deadline)
        size = len(question.prompt)
        if size > self._config.max_input_chars:
            detail = f"{size} characters, {self._config.max_input_chars} allowed"
            return self._failed(question, Failure(Reason.TOO_LONG, detail), Exchange())
        exchange = await self._ask(question)
        if isinstance(exchange.result, Failure):
            return self._failed(question, exchange.result, exchange)
        return self._read(question, exchange, exchange.result)

    # ------------------------------------------------------------------------------------------------------- asking

    async def _ask(self, question: _Question) -> Exchange:
        """The call, and once more with more room when the reply was cut."""
        exchange = await self._ask_in_its_dialect(question, self._config.max_output_tokens, Exchange())
        if _reason(exchange) is not Reason.TRUNCATED or not self._limits.may_repeat():
            return exchange
        longer = await self._ask_in_its_dialect(question, LARGER * self._config.max_output_tokens, exchange)
        return longer if _asked(longer) else exchange

    async def _ask_in_its_dialect(self, question: _Question, output_limit: int, so_far: Exchange) -> Exchange:
        """The call, repeated in words that the server understands; `so_far` is what was asked before."""
        exchange = so_far
        while True:  # ends: each turn leaves out one thing more
            used = self._dialect
            exchange = exchange.then(await self._call(question, used, output_limit, again=exchange.usage.calls > 0))
            if not self._learns(used, exchange.result):
                return exchange

    async def _call(self, question: _Question, dialect: Dialect, output_limit: int, *, again: bool) -> Exchange:
        body = encode_call(self._config, question.rubric, question.prompt, dialect, output_limit)

        async def send() -> Result:
            try:
                reply = await self._transport.post(body)
            except JudgeError as error:
                return Failure(Reason(error.reason), error.detail, usage_known=False)
            return read_reply(reply, self._prices, self._clock.now_ns() / 1e9, self._config.max_retry_after)

        return await self._limits.call(send, question.deadline, again=again)

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

    # ------------------------------------------------------------------------------------------------------ judging

    def _read(self, question: _Question, exchange: Exchange, reply: ChatReply) -> Judgement:
        rubric = question.rubric
        try:
            parsed = parse_verdict(reply.text, rubric.keys, question.prompt.shown)
            reading = rubric.read(parsed.value, question.trace)
        except JudgeError as error:
            return self._failed(question, Failure(Reason(error.reason), error.detail), exchange)
        flags = (*self._flags(question, exchange), *reading.flags)
        return self._scored(rubric, reading, exchange, (*flags, "repaired_reply") if parsed.repaired else flags)

    def _scored(self, rubric: Rubric, reading: Reading, exchange: Exchange, flags: tuple[str, ...]) -> Judgement:
        return Judgement(
            evaluation=rubric.evaluation,
            judge=self.identity(rubric.evaluation),
            outcome=reading.outcome,
            reason=reading.reason,
            score=reading.score,
            label=reading.label,
            explanation=reading.explanation,
            evidence=reading.evidence,
            coverage=reading.coverage,
            usage=exchange.usage,
            flags=flags,
        )

    def _failed(self, question: _Question, failure: Failure, exchange: Exchange) -> Judgement:
        evaluation = question.rubric.evaluation
        return Judgement(
            evaluation=evaluation,
            outcome=Outcome.JUDGE_ERROR if failure.asked else Outcome.SKIPPED,
            flags=self._flags(question, exchange),  # before the identity: the reply may have named another snapshot
            judge=self.identity(evaluation),
            reason=failure.reason,
            label=failure.label,
            explanation=failure.detail,
            usage=exchange.usage,
        )

    def _flags(self, question: _Question, exchange: Exchange) -> tuple[str, ...]:
        """What a reader should know of this judgement. Takes note of the model that answered."""
        flags = {
            "injection_suspected": question.prompt.forged,
            "model_changed": self._identities.seen(exchange.result.model),
            "usage_unknown": not exchange.usage_known,
            "prompt_only": self._config.structured == "auto" and not self._dialect.schema,
        }
        return tuple(name for name, is_set in flags.items() if is_set)


FLAGS = ("injection_suspected", "model_changed", "usage_unknown", "prompt_only", "claims_missing", "repaired_reply")
"""Every flag that a judgement of this judge may carry."""


def _reason(exchange: Exchange) -> Reason | None:
    return exchange.result.reason if isinstance(exchange.result, Failure) else None


def _asked(exchange: Exchange) -> bool:
    return not isinstance(exchange.result, Failure) or exchange.result.asked
