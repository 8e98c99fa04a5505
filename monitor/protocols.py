"""The seams of the pipeline: small Protocols with their contracts; `monitor/app.py` decides who stands behind them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Protocol

from monitor.feedback import HeardFeedback
from monitor.operational import JudgeLoad
from monitor.records import Case, JudgeIdentity, Judgement, RagTrace, SensitiveHit, TopicPartition, Verdict
from monitor.wire import Batch, DeadLetter, Decoded


class Clock(Protocol):
    """The one place that asks for the time. The core gets `now` as an argument; only the shell holds a Clock."""

    def now_ns(self) -> int:
        """Wall time in nanoseconds since the Unix epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for durations and deadlines."""
        ...


class RebalanceListener(Protocol):
    """Told by a Source about its partitions. Calls are made on the event loop, never two at a time."""

    async def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """Partitions were added, or begin anew: from where they are read again is the source's affair."""
        ...

    async def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """Partitions are about to go: finish what can be finished in the drain time.

        The source commits `committable()` after this returns, then drops them.
        """
        ...

    async def lost(self, partitions: Iterable[TopicPartition]) -> None:
        """Partitions are gone already (the client was rebuilt): drop their state, commit nothing."""
        ...

    def committable(self) -> Mapping[TopicPartition, int]:
        """For each partition, the lowest offset that an open request still needs."""
        ...


class Source(Protocol):
    """Where records come from. One task reads it; `poll` is never called twice at once.

    The source never moves a committed offset by itself: it commits what `committable()` of its listener says. It
    recovers by itself (reconnect, rebuild) and says why in `problem()`; only a wrong configuration is raised.
    """

    async def start(self, listener: RebalanceListener) -> None:
        """Begin. Returns when the client is set up, not when the broker answers. Raises ConfigError."""
        ...

    async def poll(self) -> Sequence[Batch]:
        """The next batches, empty when none came within the poll time. Polls on while paused (group membership)."""
        ...

    def pause(self) -> None:
        """Deliver nothing until `resume`; membership is kept. Idempotent."""
        ...

    def resume(self) -> None:
        """Deliver again. Idempotent."""
        ...

    async def commit(self, *, final: bool = False) -> None:
        """Commit what the listener says now, filtered by assignment. Failures are normal (rebalance) and counted."""
        ...

    async def stop(self) -> None:
        """Leave within a bound, whatever the broker does. Idempotent."""
        ...

    def problem(self) -> str | None:
        """Why no records can come just now, in words for a person; None when all is well."""
        ...

    def exhausted(self) -> bool:
        """Whether the input has ended (replayed files); False for ever on a topic."""
        ...


class Wanted(Protocol):
    """Which traces somebody wants."""

    def __call__(self, trace_id: str, /) -> bool:
        """Whether the trace with this id is wanted; 32 hex, or whatever a plain record has."""
        ...

    def among(self, ids: bytes, size: int, /) -> Sequence[int]:
        """The numbers, ascending, of the wanted ones among binary ids: each is the end of `size` bytes."""
        ...

    def at_once(self, trace_id: str, /) -> bool:
        """Whether a wanted trace is to be read at once; if not, its spans may come unread (`Decoded.parts`)."""
        ...


class Decoder(Protocol):
    """Bytes of one encoding to spans or requests. Synchronous, pure, no I/O."""

    name: str
    """Encoding as configured: `otlp_proto`, `jaeger_json`, `plain`, ..."""

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """Decode one record's value. Raises DecodeError when nothing in it can be understood.

        Spans of traces that `wanted` refuses may be left out before they cost anything.
        """
        ...


class Judge(Protocol):
    """One judge of one or more evaluations. Never raises for bad content or a bad peer: that is an outcome."""

    name: str
    """Value of the `judge` label, unique in the panel."""
    evaluations: tuple[str, ...]
    """What it judges; the panel gives one judgement for each, even when the judge fails."""
    remote: bool
    """Whether text leaves this process: a remote judge gets redacted text only."""

    def identity(self, evaluation: str) -> JudgeIdentity:
        """Who judges this evaluation, as far as it is known before the call (a server may name another snapshot)."""
        ...

    def load(self) -> JudgeLoad:
        """What it did so far and what holds it back; the panel fills in how many judgements, how long, how many now."""
        ...

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> Sequence[Judgement]:
        """Judge one request: exactly one judgement for each evaluation, in their order.

        `deadline` is in `Clock.monotonic` seconds. `hits` are the sensitive texts found in the unredacted request.
        """
        ...

    async def close(self) -> None:
        """Free what it holds. Idempotent."""
        ...


class VerdictLog(Protocol):
    """The verdict topic: the state of the whole system."""

    async def append(self, verdicts: Sequence[Verdict]) -> None:
        """Write durably (acks=all); returns when confirmed. Raises SinkError."""
        ...

    def read(self, since_ns: int) -> AsyncGenerator[Sequence[Verdict | HeardFeedback]]:
        """All that was written at or after `since_ns` over all partitions, in batches, then new lines as they come.

        The first empty batch says that the end known at the start was reached (caught up); from then on one comes at
        least every second while idle. Lines that cannot be read are counted and left out. Reconnects by itself.
        """
        ...


class CaseLog(Protocol):
    """The case topic: sampled requests with content, for the harvester."""

    async def append(self, case: Case) -> None:
        """Write durably (acks=all); returns when confirmed. Raises SinkError."""
        ...


class FeedbackLog(Protocol):
    """Feedback: in the case topic for the harvester, and without free text in the verdict topic for the boards."""

    async def append(self, heard: Sequence[HeardFeedback]) -> None:
        """Write durably (acks=all), what is not inline to both topics; returns when confirmed. Raises SinkError.

        The case topic comes first: what boards count is kept. Some may be written when it fails, which is harmless.
        """
        ...


class DeadLetters(Protocol):
    """The dead-letter topic."""

    async def append(self, letter: DeadLetter) -> None:
        """Write durably (acks=all); returns when confirmed. Raises SinkError."""
        ...


class SampleSet(Protocol):
    """The production sample set. Synchronous: the caller runs it off the event loop."""

    def append(self, cases: Sequence[Case], positions: Mapping[TopicPartition, int]) -> int:
        """Add the cases in one atomic version that also records `positions`; returns how many were new.

        A case whose id is in the set already is left out, whatever its offset: topics are made anew, and begin at 0
        again. Raises SinkError, and UnfitCasesError when some cases do not fit, before anything is written.
        """
        ...


class FeedbackSet(Protocol):
    """The feedback beside the sample set. Synchronous, as that one."""

    def append(self, heard: Sequence[HeardFeedback], positions: Mapping[TopicPartition, int]) -> int:
        """Add the feedback in one atomic version that also records `positions`; returns how many were new.

        What has the id of a row is left out. Raises SinkError.
        """
        ...
