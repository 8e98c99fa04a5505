"""`ragmon judge`: rows of questions, contexts and answers in; one verdict a line out, in the same order."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TextIO, TypeVar

import msgspec
from rich.console import Console
from rich.progress import Progress

from monitor import logs
from monitor.building import build_calibrations, build_panel, build_redactor, evaluations_of
from monitor.clock import SystemClock
from monitor.errors import DecodeError, InputError
from monitor.judge_settings import JudgeSettings, ReferenceJudge
from monitor.judges.panel import Panel
from monitor.judges.reference.evaluations import EVALUATIONS
from monitor.judges.reference.golden import reference_of
from monitor.judges.reference.references import Reference
from monitor.offline import FAILED, OK, WRONG_INPUT
from monitor.offline.choice import choose
from monitor.offline.lines import numbered_objects
from monitor.offline.shown import json_line
from monitor.privacy.redactor import Redactor
from monitor.protocols import Decoder
from monitor.records import Judgement, Outcome, RagTrace
from monitor.settings import Settings
from monitor.sources.streams import STDIN, open_stream
from monitor.traces.decode import make_decoder

Item = TypeVar("Item")
Result = TypeVar("Result")

_AT_ONCE = 64
_IDS = ("id", "case_id", "trace_id")
"""What a row is called by, the first that it has: cases of a sample set and requests of `extract` have no `id`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row to judge; `problem` says what is wrong with one that cannot be."""

    id: object
    trace: RagTrace | None
    problem: str = ""
    reference: Reference | None = None


def main(
    file: str, evaluation: str, judge_name: str | None, settings: Settings, out: TextIO, console: Console | None
) -> int:
    """Judge the rows of a file; returns the exit code.

    1: a row could not be read (its line then says so), or the judge failed on every one; 2: no row could be read, or
    a file has none. Standard input may have nothing to say.
    """
    task = build_task(evaluation, judge_name, settings)
    rows = read_rows(file)
    unreadable, ends = 0, Counter[tuple[str, str]]()
    with logs.on_stderr(), Progress(console=console, disable=console is None, transient=True) as progress:
        bar = progress.add_task(f"judging {evaluation}", total=None)

        def write(row: Row, verdict: dict[str, object]) -> None:
            nonlocal unreadable
            unreadable += row.trace is None
            if row.trace is not None:
                ends[str(verdict["outcome"]), str(verdict["reason"])] += 1
            out.write(json_line(verdict))
            progress.advance(bar)

        asyncio.run(task.run(rows, write))
    if ends and all(outcome == Outcome.JUDGE_ERROR for outcome, _ in ends):
        why = ", ".join(f"{count} {outcome}{{{reason}}}" for (outcome, reason), count in ends.most_common())
        sys.stderr.write(f"ragmon: no row has a score: {why}\n")
        return FAILED
    if unreadable:
        return FAILED if ends else WRONG_INPUT
    if not ends and file != STDIN:
        raise InputError(f"{name_of(file)}: has no row")
    return OK


def read_rows(file: str) -> Iterator[Row]:
    """The rows of a file (plain, gzip or zstd; `-`: standard input), blank lines left out.

    Raises InputError when it cannot be opened.
    """
    cleanup = contextlib.ExitStack()
    return _parsed(open_input(file, cleanup), name_of(file), cleanup)


def name_of(file: str) -> str:
    """What messages call a file."""
    return "standard input" if file == STDIN else file


def open_input(file: str, cleanup: contextlib.ExitStack) -> io.BufferedReader:
    """The content of a file or of standard input, unpacked. Raises InputError when it cannot be opened."""
    try:
        return open_stream(file, lambda: False, cleanup)[0]
    except OSError as error:
        cleanup.close()
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None


def _parsed(stream: io.BufferedReader, name: str, cleanup: contextlib.ExitStack) -> Iterator[Row]:
    decoder = make_decoder("plain")
    with cleanup:
        for number, plain in numbered_objects(stream, name):
            row = row_of(plain, number, decoder) if isinstance(plain, dict) else Row(None, None, plain)
            if row.trace is None:
                sys.stderr.write(f"ragmon: {name}:{number}: {row.problem}\n")
            yield row


def row_of(plain: dict[str, object], number: int, decoder: Decoder) -> Row:
    """The row of an object, by the decoder of plain records."""
    given = next((plain[key] for key in _IDS if key in plain), None)
    try:
        decoded = decoder.decode(msgspec.json.encode({**plain, "trace_id": f"row-{number}"}))
    except DecodeError as error:
        return Row(given, None, _plainly(error.detail))
    reference, problems = reference_of(plain)
    if problems:
        return Row(given, None, "; ".join(problems))
    if not decoded.requests:
        return Row(given, None, "has no question and no answer")
    return Row(given, decoded.requests[0], reference=reference)


def _plainly(detail: str) -> str:
    """What the decoder says of a wrong type, in words for people who write rows."""
    found = _WRONG_TYPE.fullmatch(detail)
    if found is None:
        return detail
    wanted, given = (_KINDS.get(kind.partition(" ")[0], kind) for kind in found.group("wanted", "given"))
    return f"{found['where']}: is {given}, and should be {wanted}"


_WRONG_TYPE = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<given>[^`]+)` - at `\$\.(?P<where>[^`]+)`")
_KINDS = {
    "str": "a text",
    "array": "a list",
    "object": "an object",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
}


def with_references(evaluation: str, settings: Settings) -> Settings:
    """The settings with a judge for an evaluation that needs no more than the references that rows bring."""
    if evaluation not in EVALUATIONS or any(evaluation in evaluations_of(judge) for judge in settings.judges):
        return settings
    configured = next((judge for judge in settings.judges if isinstance(judge, ReferenceJudge)), None)
    asked = (configured or ReferenceJudge()).model_copy(update={"evaluations": (evaluation,)})
    judges = tuple(asked if judge is configured else judge for judge in settings.judges)
    return settings.model_copy(update={"judges": judges if configured else (*judges, asked)})


def build_task(evaluation: str, judge_name: str | None, settings: Settings) -> JudgingTask:
    """What judges rows by the one judge that is meant. Raises InputError and ConfigError."""
    settings = with_references(evaluation, settings)
    return JudgingTask(build_bench([choose(evaluation, judge_name, settings)], settings), evaluation)


def build_bench(judges: Sequence[JudgeSettings], settings: Settings) -> Bench:
    """These judges at work; tells which calibrations do not count. Raises ConfigError."""
    given: dict[str, Reference] = {}
    panel = build_panel(settings, SystemClock(), judges, given)
    for warning in build_calibrations(settings).warnings([member.judge for member in panel.members]):
        sys.stderr.write(f"ragmon: {warning}\n")
    return Bench(panel, build_redactor(settings), settings.judging.deadline, given)


@dataclass(frozen=True, slots=True)
class Bench:
    """Judges that are asked about rows, with a bounded number in flight."""

    panel: Panel
    redactor: Redactor
    deadline_s: float
    given: dict[str, Reference] = field(default_factory=dict)
    """References of the rows that are being judged, by trace id; the panel looks them up here."""

    async def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]], done: Callable[[Item, Result], None]
    ) -> None:
        """Work on all items, hand on each result in the order of the items, then close the judges."""
        waiting: deque[tuple[Item, asyncio.Task[Result]]] = deque()
        try:
            async with asyncio.TaskGroup() as group:
                for item in items:
                    waiting.append((item, group.create_task(_of(work(item)))))
                    if len(waiting) >= _AT_ONCE:
                        first, task = waiting.popleft()
                        done(first, await task)
                for first, task in waiting:
                    done(first, await task)
        finally:
            await self.panel.close()

    async def judge(self, trace: RagTrace, reference: Reference | None = None) -> tuple[Judgement, ...]:
        """What all the judges give for one request."""
        hits = self.redactor.scan(trace)
        redacted = self.redactor.redact(trace, hits)
        if reference is not None:
            self.given[trace.trace_id] = reference
        judgements = await self.panel.judge(trace, redacted, hits, self.panel.members, self.deadline_s)
        self.given.pop(trace.trace_id, None)
        return judgements


async def _of(work: Awaitable[Result]) -> Result:
    return await work


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """Judges rows under one evaluation, and gives the verdicts in the order of the rows."""

    bench: Bench
    evaluation: str

    @property
    def panel(self) -> Panel:
        """The judges."""
        return self.bench.panel

    async def run(self, rows: Iterator[Row], write: Callable[[Row, dict[str, object]], None]) -> None:
        """Judge all rows, then close the judge."""
        await self.bench.each(rows, self._verdict, write)

    async def _verdict(self, row: Row) -> dict[str, object]:
        if row.trace is None:
            return _line(row, self.evaluation, "not_scorable", "unreadable_row", explanation=row.problem)
        judgements = await self.bench.judge(row.trace, row.reference)
        judgement = next(item for item in judgements if item.evaluation == self.evaluation)
        return _line(
            row,
            self.evaluation,
            judgement.outcome,
            judgement.reason,
            score=judgement.score,
            label=judgement.label,
            explanation=judgement.explanation,
            evidence=msgspec.to_builtins(judgement.evidence),
            judge=msgspec.to_builtins(judgement.judge),
            coverage=judgement.coverage,
            flags=list(judgement.flags),
            cause=judgement.cause,
            cause_evidence=judgement.cause_evidence,
        )


_UNJUDGED: Mapping[str, object] = {
    "score": None,
    "label": "",
    "explanation": "",
    "evidence": [],
    "judge": None,
    "coverage": None,
    "flags": [],
    "cause": "",
    "cause_evidence": "",
}
"""What is said of a row before anyone judged it; every line has these keys."""


def _line(row: Row, evaluation: str, outcome: str, reason: str, **more: object) -> dict[str, object]:
    head = {"id": row.id, "evaluation": evaluation, "outcome": str(outcome), "reason": reason}
    return {**head, **_UNJUDGED, **more, "language": row.trace.language if row.trace else None}
