"""The LLM judge: a model behind an OpenAI-compatible endpoint, asked once for all the evaluations of a request.

A request becomes a prompt (`prompts`), the prompt a finished reply (`asking`), its text an object with a verdict for
each evaluation (`parse`), each verdict a score (`prompts`). Passages that do not fit into one call are shown in several
(`windows`). Whatever goes wrong on the way is an outcome with a bounded reason (`reasons`), never a score.
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import itertools
import random
from collections.abc import Mapping, Sequence

from monitor.config import judges as judge_settings
from monitor.errors import ConfigError, JudgeError
from monitor.judges.asking import Asker
from monitor.judges.families import akin
from monitor.judges.limits.calling import Exchange, Sleep
from monitor.judges.limits.patience import Patience
from monitor.judges.off_loop import off_loop
from monitor.judges.prompts.claims import CLAIMS_FOREIGN, CLAIMS_LEFT_OUT, CLAIMS_MISSING, QUOTE_NOT_FOUND, Claims
from monitor.judges.prompts.evaluation import Evaluation
from monitor.judges.prompts.frame import Prompt, Size, build_prompt, size_of, size_of_prompt
from monitor.judges.prompts.grades import Grades
from monitor.judges.prompts.group import Group, grouped
from monitor.judges.prompts.material import Excerpt, Material, whole
from monitor.judges.prompts.reading import Reading
from monitor.judges.prompts.registry import evaluations_of
from monitor.judges.prompts.scale import BY_NUMBER, BY_PROBABILITIES, Scale
from monitor.judges.reasons import Failure, Reason
from monitor.judges.reference.references import References, answers_of
from monitor.judges.reuse import REUSED, Key, Reuse, content_of
from monitor.judges.scorable import Scorable
from monitor.judges.servers.transport import HttpTransport, Transport
from monitor.judges.servers.wire import Ask, ChatReply
from monitor.judges.sitting import Sitting
from monitor.judges.snapshots import Identities
from monitor.judges.windows import Room, windows
from monitor.operational import JudgeLoad
from monitor.protocols import Clock
from monitor.records import ANCHOR, JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit, Usage

SELF_JUDGED = "self_judged"
"""Flag: the answer is of a model of the judge's own family."""
FLAGS = (
    "injection_suspected",
    "model_changed",
    "usage_unknown",
    "unpriced_model",
    "prompt_only",
    "windowed",
    CLAIMS_MISSING,
    CLAIMS_FOREIGN,
    CLAIMS_LEFT_OUT,
    QUOTE_NOT_FOUND,
    BY_PROBABILITIES,
    BY_NUMBER,
    "repaired_reply",
    REUSED,
    SELF_JUDGED,
)
"""Every flag that a judgement of this judge may carry, in their order."""
_MORE = 600
"""Characters that the claims of an answer of a few words may have together."""
_SHORT = 2000
"""Characters of texts and of claims that are compared in about 10 ms, in Chinese in 20."""
_LONG = 100_000
"""Characters of passages that are cut into windows in a few milliseconds."""


class LlmJudge:
    """A remote `Judge`. Explanation and evidence quote the request: they are as private as it is."""

    remote = True

    def __init__(  # noqa: PLR0913 - the parts that it is wired of
        self,
        config: judge_settings.LlmJudge,
        clock: Clock,
        *,
        api_key: str | None,
        rng: random.Random,
        references: References | None = None,
        golden: str = "",
        transport: Transport | None = None,
        sleep: Sleep = asyncio.sleep,
        patience: Patience | None = None,
    ) -> None:
        """Raises ConfigError for an endpoint, key, header, limit or certificate file that cannot be used.

        Without `references` what needs one is not scorable; `golden` is a digest of the file that they are from.
        With `patience` calls wait for an endpoint that takes none just now.
        """
        self.name = config.name
        self.evaluations: tuple[str, ...] = config.judged
        self._config = config
        self._clock = clock
        self._rng = rng
        self._references = references
        self._asker = Asker(config, clock, rng, sleep, transport or HttpTransport(config, api_key=api_key), patience)
        self._groups = grouped(evaluations_of(config), config.calls)
        self._check_room()
        self._identities = Identities(config, self._groups, golden, lambda: self._asker.unsaid)
        self._reuse = Reuse(config, clock, lambda: self._asker.is_settled)

    def identity(self, evaluation: str) -> JudgeIdentity:
        """See `Judge`; `Identities` says what the fingerprint covers."""
        return self._identities.current(evaluation)

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        """See `Judge`. What is not asked together is asked at the same time."""
        del hits
        scorable = Scorable(trace)
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(self._judge_group(group, trace, scorable, deadline)) for group in self._groups]
        judged = {judgement.evaluation: judgement for task in asked for judgement in task.result()}
        return tuple(judged[name] for name in self.evaluations)

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        await self._asker.close()

    def slowdown(self) -> float:
        """See `Spender`."""
        return self._asker.limits.slowdown

    def heard(self, usage: Usage, age_s: float) -> None:
        """See `Spender`."""
        self._asker.limits.heard(usage, age_s)

    def load(self) -> JudgeLoad:
        """See `Judge`."""
        limits = self._asker.limits
        totals = limits.totals
        return JudgeLoad(
            judge=self.name,
            calls=totals.calls,
            retries=totals.retries,
            input_tokens=totals.usage.input_tokens,
            output_tokens=totals.usage.output_tokens,
            cost=totals.usage.cost,
            concurrency_limit=limits.concurrency_limit,
            breaker=limits.breaker,
            paused=limits.paused,
            cached_tokens=totals.usage.cached_tokens,
            reused=self._reuse.reused,
            slowdown=limits.slowdown,
            limits=limits.fills,
        )

    async def _judge_group(
        self, group: Group, trace: RagTrace, scorable: Scorable, deadline: float
    ) -> tuple[Judgement, ...]:
        """The judgements of one group."""
        references, absence = self._reference(group, trace)
        reasons = {one.evaluation: one.why_not(trace, scorable, absence) for one in group.evaluations}
        sitting = Sitting([one for one in group.evaluations if not reasons[one.evaluation]], whole(trace, references))
        if self._config.self_judging == "refuse" and self._is_own(trace):
            sitting.fail(sitting.evaluations, Failure(Reason.SELF_JUDGED, asked=False))
        if not sitting.open():
            judged = tuple(self._judgement(name, reason or "", sitting) for name, reason in reasons.items())
        elif trace.convention == ANCHOR:
            judged = await self._judged(group, sitting, reasons, deadline)
        else:
            fingerprints = tuple(self.identity(name).fingerprint for name in reasons)
            key = Key(content_of(sitting.material, reasons), fingerprints)
            judged = await self._reuse.get(key, lambda: self._judged(group, sitting, reasons, deadline), deadline)
        if not self._is_own(trace):  # asked again, as the server may have named its model only now
            return judged
        refused = self._config.self_judging == "refuse"
        return tuple(_of_own(judgement, refused=refused) for judgement in judged)

    def _is_own(self, trace: RagTrace) -> bool:
        """Whether the answer is of a model of this judge's family, and that matters."""
        matters = self._config.self_judging != "allow"
        return matters and akin(self._identities.models, (trace.model, trace.response_model))

    async def _judged(
        self, group: Group, sitting: Sitting, reasons: Mapping[str, str | None], deadline: float
    ) -> tuple[Judgement, ...]:
        """The judgements by calls, each with the time of its calls: what they waited for a place or a limit is ours.

        The first that was asked for carries what the calls of the group cost.
        """
        await self._hold(sitting, group, deadline)
        judged = [self._judgement(name, reason or "", sitting) for name, reason in reasons.items()]
        usage = itertools.chain([sitting.usage], itertools.repeat(Usage()))
        return tuple(
            dataclasses.replace(judgement, usage=next(usage), latency_s=sitting.seconds)
            if judgement.evaluation in sitting.results
            else judgement
            for judgement in judged
        )

    def _reference(self, group: Group, trace: RagTrace) -> tuple[tuple[str, ...], str]:
        """The answers that are known to be right, and why there are none."""
        if not any(evaluation.wants_reference for evaluation in group.evaluations):
            return (), ""
        return answers_of(self._references, trace)

    def _check_room(self) -> None:
        """Raise ConfigError for instructions that leave no room for any request."""
        for group in self._groups:
            room = self._room(group.evaluations)
            sizes = [size_of(system) for system in group.systems.values()]
            problems = [room.excess(size) for size in sizes if not room.holds(size)]
            if problems:
                raise ConfigError([f"judge {self.name}: the instructions alone have {problems[0]}; raise the limit"])

    # -------------------------------------------------------------------------------------------------------- asking

    async def _hold(self, sitting: Sitting, group: Group, deadline: float) -> None:
        """Ask, window by window, until every evaluation of the sitting has its result."""
        length = sum(len(excerpt.text) for excerpt in sitting.material.excerpts)
        cut = functools.partial(self._windows, sitting, group)
        for window in await off_loop(length, cut, _LONG):
            asked = sitting.open()
            if not asked:
                break
            shown = dataclasses.replace(window, claims=sitting.claims(asked))
            size = size_of_prompt(group, asked, shown)
            room = self._room(asked)
            if not room.holds(size):
                sitting.fail(asked, Failure(Reason.TOO_LONG, room.excess(size)))
                break
            await self._ask(sitting, group, asked, shown, deadline)
        await off_loop(sitting.left_to_read, sitting.close, _SHORT)

    def _room(self, asked: Sequence[Evaluation]) -> Room:
        tokens = self._config.context_tokens
        left = None if tokens is None else tokens - self._config.max_output_tokens * len(asked)
        return Room(self._config.max_input_chars, left)

    def _windows(self, sitting: Sitting, group: Group) -> list[Material]:
        """What each call shows: all the passages in one, or windows of them.

        Evaluations that cannot be judged in windows, or not in so few of them, fail here; the others are asked
        without any passage.
        """
        material, asked = sitting.material, sitting.open()
        room, size = self._room(asked), size_of_prompt(group, asked, material)
        wanting = [evaluation for evaluation in asked if evaluation.wants_passages]
        if room.holds(size) or not wanting:
            return [material]
        too_long = Failure(Reason.TOO_LONG, room.excess(size))
        sitting.fail((one for one in wanting if not isinstance(one.reads, Claims | Grades)), too_long)
        asked = sitting.open()
        cut = self._cut(material, group, asked)
        wanting = [evaluation for evaluation in asked if evaluation.wants_passages]
        if not cut or not wanting:
            sitting.fail(wanting, too_long)
            return [dataclasses.replace(material, excerpts=())]
        sitting.windowed = frozenset(one.evaluation for one in wanting if len(cut) > 1)
        return [dataclasses.replace(material, excerpts=excerpts) for excerpts in cut]

    def _cut(self, material: Material, group: Group, asked: Sequence[Evaluation]) -> list[tuple[Excerpt, ...]]:
        """The passages in windows that fit beside all else; nothing when they would be too many."""
        bare = size_of_prompt(group, asked, dataclasses.replace(material, excerpts=()))
        room = self._room(asked).beside(bare).beside(_claims_at_most(asked, material))
        most = self._config.max_windows
        cut = list(itertools.islice(windows(material, room, self._config.window_overlap), most + 1))
        return cut if len(cut) <= most else []

    async def _ask(
        self, sitting: Sitting, group: Group, asked: Sequence[Evaluation], shown: Material, deadline: float
    ) -> None:
        """One call, and what each evaluation makes of its part of the reply."""
        prompt = build_prompt(group, asked, shown, self._rng)
        limit = self._config.max_output_tokens * len(asked)
        ask = Ask(
            prompt,
            group.name(asked),
            group.schema(asked),
            limit,
            wants_logprobs=self._config.probabilities and any(isinstance(one.reads, Scale) for one in asked),
        )
        exchange = await self._asker.ask(ask, deadline)
        self._note(sitting, prompt, exchange)
        if isinstance(exchange.result, Failure):
            sitting.fail(asked, exchange.result)
        else:
            reply = exchange.result
            read = functools.partial(_read, sitting, group, asked, shown, prompt, reply)
            await off_loop(len(reply.text), read)

    def _note(self, sitting: Sitting, prompt: Prompt, exchange: Exchange) -> None:
        """What a reader should know of these judgements. Takes note of the model that answered."""
        flags = {
            "injection_suspected": prompt.forged,
            "model_changed": self._identities.seen(exchange.result.model),
            "usage_unknown": not exchange.usage_known,
            "unpriced_model": self._asker.unpriced(exchange.result.model),
            "prompt_only": self._asker.prompt_only,
        }
        sitting.flags |= {name for name, is_set in flags.items() if is_set}
        sitting.spend(exchange.usage, exchange.seconds)

    # ------------------------------------------------------------------------------------------------------- judging

    def _judgement(self, name: str, reason: str, sitting: Sitting) -> Judgement:
        if reason:
            return Judgement(name, self.identity(name), Outcome.NOT_SCORABLE, reason)
        result = sitting.results[name]
        flags = sitting.flags | ({"windowed"} if name in sitting.windowed else set())
        match result:
            case Failure():
                return Judgement(
                    evaluation=name,
                    judge=self.identity(name),
                    outcome=Outcome.JUDGE_ERROR if result.asked else Outcome.SKIPPED,
                    reason=result.reason,
                    label=result.label,
                    explanation=result.detail,
                    flags=_in_order(flags),
                )
            case Reading():
                if result.method:
                    self._identities.made_by(name, result.method)
                return Judgement(
                    evaluation=name,
                    judge=self.identity(name),
                    outcome=result.outcome,
                    reason=result.reason,
                    score=result.score,
                    label=result.label,
                    explanation=result.explanation,
                    evidence=result.evidence,
                    coverage=result.coverage,
                    flags=_in_order(flags | {*result.flags}),
                )


def _of_own(judgement: Judgement, *, refused: bool) -> Judgement:
    """The judgement of an answer of the judge's own family: marked, and where that is refused no score."""
    flags = (*judgement.flags, SELF_JUDGED)
    if not refused or judgement.outcome is not Outcome.SCORED:
        return dataclasses.replace(judgement, flags=flags)
    return Judgement(
        evaluation=judgement.evaluation,
        judge=judgement.judge,
        outcome=Outcome.SKIPPED,
        reason=Reason.SELF_JUDGED,
        usage=judgement.usage,
        latency_s=judgement.latency_s,
        flags=flags,
    )


def _claims_at_most(asked: Sequence[Evaluation], material: Material) -> Size:
    """Room for the claims that later windows are shown: they may be longer than the text that they are of.

    Those of a short one are several times as long, as each names what it is about.
    """
    claims = [one.reads for one in asked if one.wants_passages and isinstance(one.reads, Claims)]
    size = size_of(*(2 * material.text(reader.of) for reader in claims))
    more = len(claims) * _MORE
    return Size(size.characters + more, size.octets + 2 * more)


def _read(
    sitting: Sitting, group: Group, asked: Sequence[Evaluation], shown: Material, prompt: Prompt, reply: ChatReply
) -> None:
    try:
        parsed = group.parse(reply.text, asked, prompt.shown)
    except JudgeError as error:
        sitting.fail(asked, Failure(Reason(error.reason), error.detail))
        return
    if parsed.repaired:
        sitting.flags.add("repaired_reply")
    for evaluation in asked:
        try:
            sitting.take(evaluation, group.said(parsed, evaluation, prompt.shown, reply.text, reply.tokens), shown)
        except JudgeError as error:
            sitting.fail([evaluation], Failure(Reason(error.reason), error.detail))


def _in_order(flags: set[str]) -> tuple[str, ...]:
    return tuple(flag for flag in FLAGS if flag in flags)
