"""`ragmon replay`: the whole flow on files, without Kafka; a table of results, or one Snapshot as JSON."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor import tables
from monitor.accounting import Accounting
from monitor.building import build_intake
from monitor.building_judges import build_calibrations, build_panel
from monitor.clock import SystemClock
from monitor.config.settings import Settings
from monitor.errors import InputError, RagmonError
from monitor.feedback import HeardFeedback
from monitor.offline.ending import ended
from monitor.offline.memory import MemoryDeadLetters, MemoryFeedback, MemoryVerdicts, NoCases
from monitor.offline.shown import json_line
from monitor.offline.spending import spending
from monitor.pipeline import Pipeline
from monitor.quality.board import Board
from monitor.quality.worst import OF_WORDS
from monitor.records import Verdict
from monitor.snapshot import BAD_BELOW, Snapshot
from monitor.sources.files import expand
from monitor.sources.replay import ReplaySource

_WORST = 5


def everything(settings: Settings) -> Settings:
    """The settings with every request judged: what a person who replays files without a configuration wants."""
    sampling = settings.sampling.model_copy(update={"base": 1, "content_share": 1})
    return settings.model_copy(update={"sampling": sampling})


def main(paths: Sequence[str], encoding: str, settings: Settings, json_out: str | None) -> int:
    """Replay the files; returns the exit code (1: a file or record could not be read, 2: none could)."""
    if json_out not in {None, "-"}:
        _check_output(json_out, paths)
    source = ReplaySource(paths, encoding, plain_key=settings.source.plain_key)
    done = asyncio.run(replay(source, encoding, settings))
    snapshot, count = done.snapshot, len(done.unreadable)
    received = sum(stage.received for stage in snapshot.stages if stage.stage == "source")
    if json_out == "-":
        sys.stdout.write(json_line(snapshot))
    elif json_out is not None and received > count:  # else what it holds from before is of more use
        _write(json_out, json_line(snapshot))
    if json_out != "-" and any(stage.received for stage in snapshot.stages):
        tables.console().print(tables.report(snapshot))
        if done.worst:
            tables.console().print(tables.worst(done.worst))
    sys.stderr.writelines(f"ragmon: {line}\n" for line in done.spent)
    if (reason := _why_empty(snapshot, settings)) is not None:
        sys.stderr.write(f"ragmon: {reason}\n")
    records = [(f"{count} records", "could not be read; `ragmon extract` says which and why")] if count else []
    return ended(source, encoding, records, done.unreadable, read=received > count)


def _why_empty(snapshot: Snapshot, settings: Settings) -> str | None:
    """Why nothing was judged, where the rates may be the reason; None where they are not."""
    rates, stages = settings.sampling, {stage.stage: stage for stage in snapshot.stages}
    requests = stages["sample"].received
    if stages["sample"].passed or not stages["source"].received:
        return None
    to_do = "set sampling.base and sampling.content_share to 1/1 to judge all, as without -c"
    early = _left_out_early(snapshot)
    if requests and rates.base > 1:
        also = f"; {early} were left out before that" if early else ""
        return f"0 of {requests} requests are in the sample (sampling.base is 1/{rates.base}){also}; {to_do}"
    if not requests and max(rates.base, rates.content_share) > 1:
        left_out = f"{early or 'records may be'} left out early (sampling.content_share is 1/{rates.content_share})"
        return f"no request came as far as the sample; {left_out}: {to_do}; `ragmon extract --explain` shows each trace"
    return None


def _left_out_early(snapshot: Snapshot) -> str:
    """How much was left out by its trace id alone: `53 records` by their keys, `106 spans`, `53 traces`."""
    counts = [(stage.dropped.get("unsampled", 0), stage.unit) for stage in snapshot.stages if stage.unit != "feedback"]
    return ", ".join(f"{count} {unit}" for count, unit in counts if count)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the whole flow gave."""

    snapshot: Snapshot
    unreadable: Sequence[str]
    """Why records could not be read, one after the other."""
    spent: Sequence[str]
    """What limits did to the judges, line by line."""
    worst: Sequence[Verdict]
    """The lowest of the low scores, each request once under an evaluation."""


async def replay(source: ReplaySource, encoding: str, settings: Settings) -> Replayed:
    """The whole flow on the files.

    Windows end at the newest request of the files, not at our clock.
    """
    clock, accounting = SystemClock(), Accounting()
    verdicts, feedback, dead_letters = MemoryVerdicts(), MemoryFeedback(), MemoryDeadLetters()
    panel = build_panel(settings, clock)
    pipeline = Pipeline(
        source=source,
        intake=build_intake(settings, accounting, encoding=encoding),
        panel=panel,
        verdicts=verdicts,
        cases=NoCases(),
        feedback=feedback,
        dead_letters=dead_letters,
        judged_before=lambda _id, _end_ns: False,
        clock=clock,
        settings=settings.judging,
        commit_every_s=settings.source.commit_every,
    )
    try:
        await pipeline.run(asyncio.Event())
    finally:
        await panel.close()
    snapshot = _summary(settings, verdicts.items, feedback.items, accounting)
    sampled = sum(stage.passed for stage in snapshot.stages if stage.stage == "sample")
    unreadable = [f"{letter.error}: {letter.detail}" for letter in dead_letters.items]
    spent = spending(panel.loads(), verdicts.items, sampled)
    return Replayed(snapshot, unreadable, spent, worst_of(verdicts.items))


def worst_of(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The five lowest scores below 0.5, each request once under an evaluation; none of judges beside others.

    None either of evaluations that only compare words: of a right answer in other words they are low, too.
    """
    lows = [
        (one.score, one)
        for one in verdicts
        if one.score is not None and one.score < BAD_BELOW and one.evaluation not in OF_WORDS
    ]
    found: dict[tuple[str, str, str], Verdict] = {}
    for _, one in sorted(lows, key=lambda low: (low[0], -low[1].end_ns, low[1].trace_id)):
        if not one.shadow_of:
            found.setdefault((one.trace_id, one.request_id, one.evaluation), one)
    return list(found.values())[:_WORST]


def _summary(
    settings: Settings, verdicts: Sequence[Verdict], feedback: Sequence[HeardFeedback], accounting: Accounting
) -> Snapshot:
    board = Board(settings.board, build_calibrations(settings).rates())
    newest = max((verdict.end_ns for verdict in verdicts), default=0)
    board.mark_caught_up()
    for verdict in sorted(verdicts, key=lambda item: item.end_ns):
        board.add(verdict, newest)
    for heard in feedback:
        board.hear(heard, newest)
    return board.snapshot(newest, accounting.counts())


def _check_output(path: str, inputs: Sequence[str]) -> None:
    """Before the work: raise InputError when the output cannot be written, or would take the place of an input."""
    file = Path(path)
    try:
        if file.is_fifo() or file.is_char_device():
            return
        is_new = not os.path.lexists(path)
        with file.open("a", encoding="utf-8"):
            is_input = _is_read(file, inputs)
        if is_new:
            file.unlink()
    except OSError as error:
        raise InputError(f"--json {path}: cannot be written ({error.strerror})") from None
    if is_input:
        raise InputError(f"--json {path}: is among the files that are replayed; give another name")


def _is_read(path: Path, inputs: Sequence[str]) -> bool:
    for file in expand(inputs, lambda _: None):
        with contextlib.suppress(OSError):  # what cannot be read is told when it is
            if path.samefile(file):
                return True
    return False


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RagmonError(f"--json {path}: cannot be written ({error.strerror})") from None
