"""`ragmon judge compare`: two judges on the same rows, or a candidate's verdicts in production; table and file."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console

from exporters.messages import VERDICT_SCHEMA, decode_line, schema_of
from monitor.building_judges import build_panel, evaluations_of
from monitor.clock import SystemClock
from monitor.comparisons import Comparison
from monitor.config.judges import JudgeSettings, LlmJudge
from monitor.config.settings import Settings
from monitor.errors import DecodeError, InputError, RagmonError
from monitor.offline import FAILED, OK
from monitor.offline.bench import build_bench
from monitor.offline.compare_report import report
from monitor.offline.lines import numbered_lines
from monitor.offline.output import private_file
from monitor.offline.places import name_of
from monitor.offline.progress import progress_bar
from monitor.offline.rows import Row, distinct, open_input, read_rows
from monitor.offline.when import iso
from monitor.promotion import VERSION, Prints, Report, encode_report
from monitor.quality.comparison import Given, Pair, compare, given_of
from monitor.records import Judgement, Verdict
from monitor.sources import recorded

_MISSING = "configure it with `shadow_of`, or name the other judge with --beside"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which judges are compared on what: `rows`, or verdicts recorded from the verdict topic."""

    candidate: str
    beside: str | None
    rows: str | None
    verdicts: str | None


@dataclass(frozen=True, slots=True)
class Rivals:
    """Both judges, and what both judge."""

    incumbent: JudgeSettings
    candidate: JudgeSettings
    evaluations: tuple[str, ...]


def main(wanted: Wanted, out: Path | None, settings: Settings, stdout: TextIO, *, force: bool, as_json: bool) -> int:
    """Compare, write the file, print; returns the exit code: 1 when no request has a score of both.

    Raises InputError before anything is judged; RagmonError without any request.
    """
    rivals = rivals_of(wanted.candidate, wanted.beside, settings)
    with contextlib.ExitStack() as cleanup:
        file = cleanup.enter_context(private_file(out, force=force, example="comparison.json")) if out else None
        pairs = _recorded(wanted.verdicts, rivals) if wanted.verdicts else _judged(wanted.rows or "-", rivals, settings)
        made = _report(rivals, pairs, settings, shadow=wanted.verdicts is not None)
        if file is not None:
            file.write(encode_report(made))
            file.keep(force=force)
    if as_json:
        stdout.write(encode_report(made).decode())
    else:
        Console(file=stdout).print(report(made, out))
    if not any(one.pairs for one in made.comparisons):
        sys.stderr.write(f"ragmon: no request has a score of both {wanted.candidate} and {rivals.incumbent.name}\n")
        return FAILED
    return OK


def rivals_of(candidate: str, beside: str | None, settings: Settings) -> Rivals:
    """The candidate and the judge that it is compared with. Raises InputError."""
    judges = {judge.name: judge for judge in settings.judges}
    found = judges.get(candidate)
    if found is None:
        raise InputError(f"{candidate}: there is no such judge; configured are {', '.join(judges)}")
    name = beside or found.shadow_of
    if name is None:
        raise InputError(f"{candidate}: runs beside no other judge; {_MISSING}")
    other = judges.get(name)
    if other is None or other is found:
        raise InputError(f"--beside {name}: there is no such other judge; configured are {', '.join(judges)}")
    offered = evaluations_of(found)
    shared = tuple(evaluation for evaluation in evaluations_of(other) if evaluation in offered)
    if not shared:
        raise InputError(f"{candidate}: judges nothing that {name} judges; it gives {', '.join(offered)}")
    return Rivals(other, found, shared)


def configured_prints(rivals: Rivals, settings: Settings) -> Mapping[str, Prints]:
    """The fingerprints of both judges before their first answer, by evaluation. Raises ConfigError."""
    panel = build_panel(settings, SystemClock(), [rivals.incumbent, rivals.candidate])
    asyncio.run(panel.close())
    judges = {member.judge.name: member.judge for member in panel.members}
    one, other = judges[rivals.incumbent.name], judges[rivals.candidate.name]
    return {
        name: Prints(one.identity(name).fingerprint, other.identity(name).fingerprint) for name in rivals.evaluations
    }


Pairs = Mapping[str, Sequence[Pair]]
"""By evaluation."""


def _report(rivals: Rivals, pairs: Pairs, settings: Settings, *, shadow: bool) -> Report:
    found = {name: compare(name, pairs[name]) for name in rivals.evaluations}
    if not any(found.values()):
        raise RagmonError(f"{rivals.candidate.name} and {rivals.incumbent.name} judged no request in common")
    for name, made in found.items():
        left_out = len(pairs[name]) - (made[0].requests if made else 0)
        if left_out:
            sys.stderr.write(
                f"ragmon: {name}: {left_out} requests were judged by other fingerprints, and do not count\n"
            )
    now = configured_prints(rivals, settings)
    return Report(
        version=VERSION,
        made=iso(SystemClock().now_ns()),
        source="shadow" if shadow else "rows",
        incumbent=rivals.incumbent.name,
        candidate=rivals.candidate.name,
        configured={name: _as_judged(rivals, found[name], prints) for name, prints in now.items()},
        comparisons=tuple(made[0] for made in found.values() if made),
    )


def _as_judged(rivals: Rivals, found: Sequence[Comparison], now: Prints) -> Prints:
    """The fingerprints that the comparison is about, before a first answer.

    Verdicts tell those only of judges that have the same one ever after; of an LLM judge it is what is configured now.
    """
    if not found:
        return now
    one, other = found[0].incumbent.fingerprint, found[0].candidate.fingerprint
    return Prints(
        now.incumbent if isinstance(rivals.incumbent, LlmJudge) else one,
        now.candidate if isinstance(rivals.candidate, LlmJudge) else other,
    )


# ---------------------------------------------------------------------------------------------------------------- rows


def _judged(file: str, rivals: Rivals, settings: Settings) -> Pairs:
    """Both judges on each row, on one that stands there again once. Raises InputError when a row cannot be read."""
    rows = list(read_rows(file))
    if any(row.trace is None for row in rows):
        raise InputError(f"{name_of(file)}: correct the rows that are told above, or leave them out")
    if not rows:
        raise InputError(f"{name_of(file)}: has no row")
    rows = distinct(rows, lambda row: row.content, file)
    bench = build_bench([rivals.incumbent, rivals.candidate], rivals.evaluations, settings)
    pairs: dict[str, list[Pair]] = {name: [] for name in rivals.evaluations}
    unreached: dict[str, None] = {}
    with progress_bar(f"judging by {rivals.incumbent.name} and {rivals.candidate.name}", len(rows)) as advance:

        async def work(row: Row) -> Sequence[Judgement]:
            return await bench.judge(row.trace, row.reference) if row.trace is not None else ()

        def done(_: Row, judgements: Sequence[Judgement]) -> None:
            advance()
            given = {(item.judge.name, item.evaluation): _given(item) for item in judgements}
            unreached.update(
                (f"{item.judge.name}: {why}", None) for item in judgements if (why := bench.unreached(item))
            )
            for name in rivals.evaluations:
                pairs[name].append(Pair(given[rivals.incumbent.name, name], given[rivals.candidate.name, name]))

        asyncio.run(bench.each(rows, work, done))
    sys.stderr.writelines(f"ragmon: {line}\n" for line in unreached)
    return pairs


def _given(item: Judgement) -> Given:
    return Given(
        item.judge.name,
        item.judge.fingerprint,
        item.judge.calibrated,
        item.outcome,
        item.score,
        item.label,
        calls=item.usage.calls,
        tokens=item.usage.input_tokens + item.usage.output_tokens,
        cost=item.usage.cost,
        latency_s=item.latency_s,
        reason=item.reason,
    )


# ------------------------------------------------------------------------------------------------------------ verdicts


def _recorded(file: str, rivals: Rivals) -> Pairs:
    """The candidate's verdicts beside the incumbent's. Raises InputError for a file that is no recorded topic."""
    sides: dict[str, dict[tuple[str, str, str], Verdict]] = {rivals.incumbent.name: {}, rivals.candidate.name: {}}
    for verdict in _verdicts(file):
        side = sides.get(verdict.judge)
        if side is not None and verdict.shadow_of in {"", rivals.incumbent.name}:
            side.setdefault((verdict.evaluation, verdict.trace_id, verdict.request_id), verdict)
    ours, theirs = sides[rivals.incumbent.name], sides[rivals.candidate.name]
    both = sorted(ours.keys() & theirs.keys(), key=lambda request: (ours[request].end_ns, request))
    pairs: dict[str, list[Pair]] = {name: [] for name in rivals.evaluations}
    for request in both:
        if request[0] in pairs:
            pairs[request[0]].append(Pair(given_of(ours[request]), given_of(theirs[request])))
    return pairs


def _verdicts(file: str) -> Iterator[Verdict]:
    with contextlib.ExitStack() as cleanup:
        stream = open_input(file, cleanup)
        where = ""
        for number, line in numbered_lines(stream):
            where = f"{name_of(file)}:{number}"
            if isinstance(line, str):
                raise InputError(f"{where}: {line}")
            if not recorded.is_recorded(line):
                raise InputError(f"{where}: is no recorded record; make the file with `ragmon record` of the verdicts")
            verdict = _verdict(line, where)
            if verdict is not None:
                yield verdict
    if not where:
        raise InputError(f"{name_of(file)}: is empty; make the file with `ragmon record` of the verdicts")


def _verdict(line: bytes, where: str) -> Verdict | None:
    """The verdict of a recorded record; None for feedback and for kinds that are not known."""
    try:
        value = recorded.decode(line, "").value
        if not value or schema_of(value) != VERDICT_SCHEMA:
            return None
        made = decode_line(value)
    except (ValueError, DecodeError, RecursionError) as error:
        raise InputError(f"{where}: cannot be read: {error}") from None
    return made if isinstance(made, Verdict) else None
