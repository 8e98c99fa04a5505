"""Judges the anchor set again and again, behind the service's requests and within the same limits.

A run is a stretch of time of `anchors_every`, the same on every replica, and what it writes goes by row, run and
fingerprint: so replicas share a run, and one that starts anew goes on with it. The verdicts are written to the verdict
topic, marked as anchors; each carries the score of its row's first run. There are no cases: the content stays here.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import structlog

from monitor.errors import ConfigError, DecodeError, SinkError, where
from monitor.judges.panel import Panel
from monitor.privacy.redactor import Redactor
from monitor.protocols import Clock, VerdictLog
from monitor.quality.anchors import AnchorBook
from monitor.records import ANCHOR, Decision, DecisionKind, Judgement, RagTrace, Verdict
from monitor.stages.durable import Persistence
from monitor.stages.verdicts import told_apart, verdict_id, verdict_of
from monitor.traces.decode import make_decoder
from monitor.traces.decode.json_text import read_whole
from monitor.traces.decode.rows import record_of_row
from monitor.traces.text import Repairer

log = structlog.get_logger(__name__)

MAX_ROWS = 1000
_NS = 1_000_000_000
_DECISION = Decision(DecisionKind.SAMPLED, 1.0, 1, ("anchor",))
_LOOK_AGAIN_S = 1.0
_PATIENCE = 300
"""How often it waits for a moment without requests before a row is judged all the same."""


def load_anchors(file: Path) -> tuple[RagTrace, ...]:
    """The rows of a file, JSON lines as `ragmon judge` reads them; each has its content for an id.

    Raises ConfigError with every problem.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise ConfigError([f"anchors: {file}: cannot be read ({error.strerror})"]) from None
    rows: dict[str, RagTrace] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _row(line)
            if isinstance(row, str):
                problems.append(f"anchors: {file}:{number}: {row}")
            else:
                rows[row.trace_id] = row
    if not rows and not problems:
        problems.append(f"anchors: {file}: has no row")
    if len(rows) > MAX_ROWS:
        problems.append(
            f"anchors: {file}: has {len(rows)} rows, and {MAX_ROWS} are judged at most; a hundred tell enough"
        )
    if problems:
        raise ConfigError(problems)
    return tuple(rows.values())


def _row(line: bytes) -> RagTrace | str:
    """The request of a line, or what is wrong with it."""
    try:
        plain = read_whole(line, Repairer())
        if not isinstance(plain, dict):
            return "is not an object {id, question, contexts, answer}"
        requests = make_decoder("plain").decode(record_of_row(plain, "anchor")).requests
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"is not JSON: {error}"
    except DecodeError as error:
        return error.detail
    if not requests or not requests[0].answer:
        return "has no answer"
    return replace(requests[0], trace_id=_id_of(requests[0]), convention=ANCHOR)


def _id_of(trace: RagTrace) -> str:
    """Of the content: a row that is changed is another row."""
    content = (trace.question, trace.answer, [passage.text for passage in trace.contexts])
    return f"anchor-{hashlib.blake2b(msgspec.json.encode(content), digest_size=12).hexdigest()}"


@dataclass(slots=True)
class Anchors:
    """Judges the rows by every judge of the panel, shadows too, in each run once."""

    rows: Sequence[RagTrace]
    every_s: float
    deadline_s: float
    panel: Panel
    redactor: Redactor
    verdicts: VerdictLog
    book: AnchorBook
    judged_before: Callable[[str, int], bool]
    """Whether the verdict log holds this verdict id, with this event time (ns)."""
    busy: Callable[[], bool]
    """Whether requests of the service wait to be judged: they come first."""
    clock: Clock
    rng: random.Random

    async def run(self) -> None:
        """Judge until cancelled; never raises."""
        every_ns = round(self.every_s * _NS)
        persistence = Persistence(self.clock)
        while True:
            run = self.clock.now_ns() // every_ns
            # replicas begin anywhere, so that they seldom judge the same row at the same time
            for row in self.rng.sample(self.rows, len(self.rows)):
                await self._idle()
                await self._judge(replace(row, request_id=str(run), end_ns=run * every_ns), persistence)
            await asyncio.sleep(max(_LOOK_AGAIN_S, ((run + 1) * every_ns - self.clock.now_ns()) / _NS))

    async def _idle(self) -> None:
        for _ in range(_PATIENCE):
            if not self.busy():
                return
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _judge(self, row: RagTrace, persistence: Persistence) -> None:
        """Judge a row, unless that was done in this run, and write it down."""
        try:
            if all(self.judged_before(known, row.end_ns) for known in self._ids(row)):
                return
            hits = self.redactor.scan(row)
            redacted = self.redactor.redact(row, hits)
            judged = await self.panel.judge(row, redacted, hits, self.panel.members, self.deadline_s)
            verdicts = [self._verdict(redacted, item) for item in judged]
            await persistence.until_durable("anchors", lambda: self.verdicts.append(verdicts))
        except SinkError as error:
            log.error("verdicts on an anchor are refused for good", anchor=row.trace_id, error=str(error))  # noqa: TRY400 - no defect of ours
        except Exception as error:  # noqa: BLE001 - a stage boundary: a defect costs one row, not the process
            log.error("no verdict on an anchor", anchor=row.trace_id, **where(error))  # noqa: TRY400 - see where

    def _ids(self, row: RagTrace) -> Iterator[str]:
        for member in self.panel.members:
            for evaluation in member.judge.evaluations:
                judge = member.judge.identity(evaluation)
                yield verdict_id(row.trace_id, row.request_id, evaluation, told_apart(judge))

    def _verdict(self, row: RagTrace, item: Judgement) -> Verdict:
        made = verdict_of(row, _DECISION, item, self.clock.now_ns())
        first = self.book.first(made.evaluation, made.judge, made.fingerprint, row.trace_id)
        return replace(made, anchor=True, baseline=None if made.score is None else first)
