"""The LLM judge: a model behind an OpenAI-compatible endpoint, one call for each evaluation.

A request becomes a prompt (`prompts`), the prompt a finished reply (`asking`), its text a verdict object (`parse`), the
object a score (`prompts`). Whatever goes wrong on the way is an outcome with a bounded reason (`reasons`), never a
score.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Sequence
from dataclasses import dataclass

from monitor import judge_settings
from monitor.errors import JudgeError
from monitor.judges.asking import Ask, Asker
from monitor.judges.limits import Exchange, Sleep
from monitor.judges.parse import parse_verdict
from monitor.judges.prompts.frame import Prompt, build_prompt
from monitor.judges.prompts.registry import RUBRICS
from monitor.judges.prompts.rubric import Reading, Rubric
from monitor.judges.reasons import Failure, Reason
from monitor.judges.scorable import unscorable
from monitor.judges.servers.wire import ChatReply
from monitor.judges.snapshots import Identities
from monitor.judges.transport import HttpTransport, Transport
from monitor.protocols import Clock
from monitor.records import JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit
from monitor.snapshot import JudgeLoad


@dataclass(frozen=True, slots=True)
class _Question:
    """One evaluation of one request."""

    rubric: Rubric
    trace: RagTrace
    prompt: Prompt


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
        self._asker = Asker(config, clock, rng, sleep, transport or HttpTransport(config, api_key=api_key))
        self._rubrics: dict[str, Rubric] = {name: RUBRICS[name]() for name in config.evaluations}
        self._identities = Identities(config, self._rubrics)
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
        await self._asker.close()

    def load(self) -> JudgeLoad:
        """What it did since the start, and what holds it back now."""
        limits = self._asker.limits
        totals = limits.totals
        return JudgeLoad(
            judge=self.name,
            judgements=self._judgements,
            duration_s=self._duration_s,
            calls=totals.calls,
            retries=totals.retries,
            input_tokens=totals.usage.input_tokens,
            output_tokens=totals.usage.output_tokens,
            cost=totals.usage.cost,
            in_flight=limits.in_flight,
            concurrency_limit=limits.concurrency_limit,
            breaker=limits.breaker,
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
        question = _Question(rubric, trace, build_prompt(rubric, trace, self._rng))
        size = len(question.prompt)
        if size > self._config.max_input_chars:
            detail = f"{size} characters, {self._config.max_input_chars} allowed"
            return self._failed(question, Failure(Reason.TOO_LONG, detail), Exchange())
        ask = Ask(question.prompt, evaluation.replace(".", "_"), rubric.schema, self._config.max_output_tokens)
        exchange = await self._asker.ask(ask, deadline)
        if isinstance(exchange.result, Failure):
            return self._failed(question, exchange.result, exchange)
        return self._read(question, exchange, exchange.result)

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
            "prompt_only": self._asker.prompt_only,
        }
        return tuple(name for name, is_set in flags.items() if is_set)


FLAGS = ("injection_suspected", "model_changed", "usage_unknown", "prompt_only", "claims_missing", "repaired_reply")
"""Every flag that a judgement of this judge may carry."""
