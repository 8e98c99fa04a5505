"""Count in, count out, for each stage; and the check that it adds up.

`STAGES` declares every stage with its unit and the reasons for which it drops: the metrics and their documentation
derive from it. A reason is a bounded word, known before the first record, so that its counter exists from the first
scrape; one that nobody declared is counted as `other`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from monitor.snapshot import OTHER, StageCount


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a stage lets something go. `intended`: it is the normal course, not a loss that a person should look at."""

    name: str
    intended: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class StageSpec:
    """One stage as declared: what it counts, and what `passed` means there."""

    name: str
    unit: str
    passed: str
    reasons: tuple[Reason, ...]


_FAILED = Reason("failed", intended=False, meaning="a defect of ragmon, logged; it costs this one and no other")
_REVOKED = Reason("revoked", intended=True, meaning="its partition was taken away, or the process ended; read again")

STAGES = (
    StageSpec(
        "source",
        "records",
        passed="handed to decode",
        reasons=(
            Reason("unsampled", intended=True, meaning="the key alone shows that no policy can want it"),
            Reason("empty", intended=True, meaning="no value: a tombstone"),
            _REVOKED,
        ),
    ),
    StageSpec(
        "decode",
        "records",
        passed="understood, whether or not it held a request",
        reasons=(Reason("dead_letter", intended=False, meaning="cannot be understood; kept in the dead letters"),),
    ),
    StageSpec(
        "assemble",
        "spans",
        passed="closed as part of a trace",
        reasons=(
            Reason("unsampled", intended=True, meaning="no policy can want its trace; records without a usable key"),
            Reason("duplicate", intended=True, meaning="this span of the trace is there already"),
            Reason("late", intended=False, meaning="its trace had been closed; see assembly.quiet"),
            _REVOKED,
        ),
    ),
    StageSpec(
        "extract",
        "traces",
        passed="held at least one request; a plain record counts as a trace of its own",
        reasons=(
            Reason("unsampled", intended=True, meaning="no policy can want it at the rates in force; not looked into"),
            Reason("no_request", intended=True, meaning="nothing of a RAG request in any convention that is known"),
            Reason("plain_chat", intended=True, meaning="model calls without any retrieval; see assembly.plain_chat"),
            Reason("hidden_content", intended=True, meaning="model calls alone, and contents are hidden on purpose"),
            Reason("no_prompt", intended=True, meaning="model calls alone, and a prompt is not on the wire"),
            Reason("ingestion", intended=True, meaning="steps such as embedding, without retrieval and model call"),
            Reason("own_service", intended=True, meaning="made by ragmon itself"),
            Reason("evaluator", intended=True, meaning="an evaluator's own calls"),
            Reason("feedback", intended=True, meaning="only feedback on an earlier request; goes on to `hear`"),
            _FAILED,
        ),
    ),
    StageSpec(
        "sample",
        "requests",
        passed="sampled, waits for the judges",
        reasons=(
            Reason("not_sampled", intended=True, meaning="its random number is below every matching policy's"),
            _FAILED,
        ),
    ),
    StageSpec(
        "judge",
        "requests",
        passed="judged; the outcomes are counted with the verdicts",
        reasons=(
            Reason("already_judged", intended=True, meaning="read again, and all its verdicts are in the log"),
            Reason("shed", intended=False, meaning="the judge queue was full; its verdicts say `skipped`"),
            _REVOKED,
            _FAILED,
        ),
    ),
    StageSpec("emit", "verdicts", passed="confirmed by the broker", reasons=()),
    StageSpec(
        "hear",
        "feedback",
        passed="confirmed by the broker; with its request, or in a trace or record of its own",
        reasons=(
            Reason("unsampled", intended=True, meaning="on a request that no policy can have wanted, by its trace id"),
            Reason("no_target", intended=True, meaning="names neither a trace (its own or a linked one) nor a reply"),
            Reason("says_nothing", intended=False, meaning="no name, score, label or comment; are its keys misspelt?"),
            _REVOKED,
            _FAILED,
        ),
    ),
    StageSpec(
        "harvest",
        "cases",
        passed="new in the sample set",
        reasons=(
            Reason("duplicate", intended=True, meaning="the sample set has the case already"),
            Reason(
                "unreadable", intended=False, meaning="not a case that this process knows or the sample set can hold"
            ),
            Reason("empty", intended=True, meaning="no value: a tombstone"),
            _REVOKED,
        ),
    ),
    StageSpec(
        "keep",
        "feedback",
        passed="new beside the sample set",
        reasons=(Reason("duplicate", intended=True, meaning="it is there already"), _REVOKED),
    ),
)
"""In the order in which a request walks through them."""


class Stage:
    """The running account of one stage. Every call takes about 0.1 us; used on one thread."""

    __slots__ = ("_dropped", "_passed", "_received", "name", "unit")

    def __init__(self, name: str, unit: str, reasons: Iterable[str]) -> None:
        self.name = name
        self.unit = unit
        self._received = 0
        self._passed = 0
        self._dropped = dict.fromkeys((*reasons, OTHER), 0)

    def received(self, n: int = 1) -> None:
        """Count `n` units in."""
        self._received += n

    def passed(self, n: int = 1) -> None:
        """Count `n` units out, to the next stage."""
        self._passed += n

    def dropped(self, reason: str, n: int = 1) -> None:
        """Count `n` units out for a declared reason; any other one is `other`."""
        dropped = self._dropped
        dropped[reason if reason in dropped else OTHER] += n

    @property
    def held(self) -> int:
        """Units that are in the stage now: received - passed - dropped."""
        return self._received - self._passed - sum(self._dropped.values())

    def count(self) -> StageCount:
        """The account as of now."""
        return StageCount(self.name, self.unit, self._received, self._passed, dict(self._dropped), self.held)


class Accounting:
    """The accounts of all stages. All that `declared` names exist from the start, in that order."""

    def __init__(self, declared: Iterable[StageSpec] = STAGES) -> None:
        self._stages: dict[str, Stage] = {}
        for spec in declared:
            self.stage(spec.name, spec.unit, [reason.name for reason in spec.reasons])

    def stage(self, name: str, unit: str = "units", reasons: Sequence[str] = ()) -> Stage:
        """The account of a stage; the first call opens it, and its unit and reasons stay."""
        stage = self._stages.get(name)
        if stage is None:
            stage = self._stages[name] = Stage(name, unit, reasons)
        return stage

    def counts(self) -> tuple[StageCount, ...]:
        """The accounts as of now, in the order in which the stages were opened."""
        return tuple(stage.count() for stage in self._stages.values())

    def problems(self, in_flight: Mapping[str, int]) -> list[str]:
        """What does not add up, one line each; empty when all is well.

        `in_flight` says what stages truly hold; a stage that it does not name holds nothing.
        """
        return [
            f"{name}: the counters say that {stage.held} {stage.unit} are held, {in_flight.get(name, 0)} are in flight"
            for name, stage in self._stages.items()
            if stage.held != in_flight.get(name, 0)
        ] + [f"{name}: in flight, but no such stage" for name in in_flight if name not in self._stages]
