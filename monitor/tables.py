"""A Snapshot as tables for a terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from monitor.comparisons import Comparison
from monitor.quality.summary import FLOOR, P05_FLOOR
from monitor.records import Outcome, Verdict
from monitor.snapshot import EVERYTHING, Estimate, Snapshot, StageCount, WindowStats

_LEGEND = f"· below {FLOOR} verdicts (p05 {P05_FLOOR})"
_UNEQUAL = (
    "{who}: {n} verdicts, some of which stand for many requests and others for few. They tell as much as {equal} of "
    "equal weight, and those count for ·."
)


_NO_END = 1000
"""Columns where there is no terminal: what reads it breaks lines as it likes."""


def console() -> Console:
    """Standard output for tables: as wide as the terminal, and without breaks where there is none."""
    return Console(width=None if sys.stdout.isatty() else _NO_END)


def estimate(value: Estimate | None) -> str:
    """A number in -1 to 1 with its 95 % interval, two digits each; a dot below the floor."""
    return "·" if value is None else f"{value.value:.2f} [{_short(value.lower)} {_short(value.upper)}]"


def _short(number: float) -> str:
    """Two digits of a number in -1 to 1, without the 0 before the point."""
    return f"{number:.2f}".replace("0.", ".", 1)


def scores(windows: Iterable[WindowStats], *, by_slice: bool = False) -> Table:
    """One line for each series of these windows, named by evaluation or by slice; narrow enough for 80 columns.

    The judge stands in it where several judge the same. A name that is too long for the terminal is folded, never cut.
    """
    windows = list(windows)
    several = _judged_by_several(windows)
    table = _table("" if by_slice else f"Scores 0 to 1, higher is better; 95 % intervals; {_LEGEND}")
    table.add_column("faithfulness of" if by_slice else "evaluation", min_width=9 if several else 16, overflow="fold")
    if several:
        table.add_column("judge", overflow="fold")
    for column, width in (("n", 5), ("mean", 16), ("worst 10 %", 16), ("p05", 4), ("bounds", 9), ("miss", 4)):
        # beside two names each column is as narrow as its numbers are, so that names stay whole
        table.add_column(column, justify="right", width=None if several else width, no_wrap=True)
    for item in windows:
        table.add_row(
            Text(item.slice.value if by_slice else item.evaluation),  # names are no markup
            *([Text(item.judge)] if several else []),
            str(item.n),
            estimate(item.mean),
            estimate(item.es10),
            "·" if item.p05 is None else f"{item.p05.value:.2f}",
            "·" if item.bounds is None else f"{_short(item.bounds.lower)} {_short(item.bounds.upper)}",
            "·" if item.missing_ratio is None else f"{item.missing_ratio:.0%}",
        )
    if notes := _unequal(windows, by_slice=by_slice):
        table.caption = Text("\n".join(notes))
    return table


def _unequal(windows: Iterable[WindowStats], *, by_slice: bool) -> list[str]:
    """Where there are enough verdicts by their number, but not by their weights."""
    names: dict[tuple[int, str], list[str]] = {}
    for item in windows:
        if any(item.n >= floor > item.n_equal for floor in (FLOOR, P05_FLOOR)):
            equal = f"{math.floor(item.n_equal * 10) / 10:g}"  # never rounded up to the floor
            same = names.setdefault((item.n, equal), [])
            name = item.slice.value if by_slice else item.evaluation
            same += [] if name in same else [name]
    return [_UNEQUAL.format(who=", ".join(who), n=n, equal=equal) for (n, equal), who in names.items()]


def _judged_by_several(windows: Iterable[WindowStats]) -> bool:
    return _are_several((item.evaluation, item.judge, item.fingerprint) for item in windows)


def _are_several(judged: Iterable[tuple[str, str, str]]) -> bool:
    """Whether any evaluation is of more than one judge."""
    judges: dict[str, set[tuple[str, str]]] = {}
    for evaluation, judge, fingerprint in judged:
        judges.setdefault(evaluation, set()).add((judge, fingerprint))
    return any(len(ones) > 1 for ones in judges.values())


def worst(verdicts: Iterable[Verdict]) -> RenderableType:
    """The requests of these verdicts, with what their low scores come from, and why."""
    verdicts = list(verdicts)
    several = _are_several((item.evaluation, item.judge, item.fingerprint) for item in verdicts)
    table = _table("Worst requests")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("evaluation", overflow="fold")
    if several:
        table.add_column("judge", overflow="fold")
    table.add_column("trace id", width=32, overflow="fold")  # to be copied whole; rich crops what is beside a min_width
    table.add_column("cause", overflow="fold")
    for item in verdicts:
        score = "·" if item.score is None else f"{item.score:.2f}"
        cause = f"{item.cause}: {item.cause_evidence}" if item.cause_evidence else item.cause
        who = [Text(item.evaluation), *([Text(item.judge)] if several else [])]
        table.add_row(score, *who, Text(item.trace_id), Text(cause))
    return table


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=0,
        pad_edge=False,
    )


def outcomes(windows: Iterable[WindowStats]) -> Table:
    """How the verdicts ended, where it was not a score."""
    table = _table("Verdicts without a score")
    windows = list(windows)
    several = _judged_by_several(windows)
    for column in ("evaluation", *(["judge"] if several else []), "outcome", "reason"):
        table.add_column(column, overflow="fold")
    table.add_column("verdicts", justify="right")
    for item in windows:
        who = [Text(item.evaluation), *([Text(item.judge)] if several else [])]
        for count in item.outcomes:
            if count.outcome is not Outcome.SCORED and count.count:
                table.add_row(*who, count.outcome, Text(count.reason), str(count.count))
    return table


def funnel(stages: Iterable[StageCount]) -> Table:
    """Every stage: in, out, dropped by reason, held."""
    table = _table("Accounts (in = out + dropped + held)")
    table.add_column("stage", no_wrap=True)
    for column in ("in", "out", "held"):
        table.add_column(column, justify="right")
    table.add_column("dropped")
    for stage in stages:
        if stage.received:
            dropped = ", ".join(f"{count} {reason}" for reason, count in stage.dropped.items() if count)
            table.add_row(
                f"{stage.stage} ({stage.unit})", str(stage.received), str(stage.passed), str(stage.held), Text(dropped)
            )
    return table


def overall(snapshot: Snapshot, window_s: int | None = None) -> list[WindowStats]:
    """The windows of the slice `all` (of one length: the longest, unless given)."""
    of_all = [item for item in snapshot.windows if item.slice == EVERYTHING]
    length = window_s or max((item.window_s for item in of_all), default=0)
    return [item for item in of_all if item.window_s == length]


def report(snapshot: Snapshot) -> RenderableType:
    """What `replay` and a finished demo print: the longest window, the slices of faithfulness, the accounts."""
    everything = overall(snapshot)
    sliced = [
        item
        for item in snapshot.windows
        if everything and item.window_s == everything[0].window_s and item.slice != EVERYTHING
    ]
    faithfulness = [item for item in sliced if item.evaluation == "faithfulness"]
    parts: list[RenderableType] = [scores(everything), scores(faithfulness, by_slice=True), judges(everything)]
    if any(count.count for item in everything for count in item.outcomes if count.outcome is not Outcome.SCORED):
        parts.append(outcomes(everything))
    if snapshot.shadows:
        parts += [candidates(snapshot.shadows), *_unscored(snapshot.shadows)]
    return Group(*parts, funnel(snapshot.stages))


def candidates(shadows: Iterable[Comparison]) -> Table:
    """One line for each judge that runs beside another one."""
    table = _table("Candidates; difference is candidate minus incumbent, request by request")
    table.add_column("evaluation", min_width=12, overflow="fold")
    table.add_column("candidate beside incumbent", overflow="fold")
    for column, width in (("pairs", 5), ("difference", 20), ("kappa", 5)):
        table.add_column(column, justify="right", width=width, no_wrap=True)
    for one in shadows:
        difference = "·" if one.difference is None else _signed(one.difference)
        kappa = "·" if one.kappa is None else f"{one.kappa:.2f}"
        who = Text(f"{one.candidate.judge} beside {one.incumbent.judge}")
        table.add_row(Text(one.evaluation), who, str(one.pairs), difference, kappa)
    return table


def _unscored(shadows: Iterable[Comparison]) -> list[Text]:
    return [
        Text(f"{one.evaluation} by {one.candidate.judge}, without a score: {counted(one.candidate.unscored)}")
        for one in shadows
        if one.candidate.unscored
    ]


def counted(unscored: Mapping[str, int]) -> str:
    """`38 judge_error{connect}, 2 not_scorable{no_answer}`."""
    return ", ".join(f"{count} {why}" for why, count in unscored.items())


def _signed(value: Estimate) -> str:
    return f"{value.value:+.2f} [{value.lower:+.2f} {value.upper:+.2f}]"


def judges(windows: Iterable[WindowStats]) -> Text:
    """Who judged, and whether they were checked against people."""
    known: dict[tuple[str, str, bool], set[str]] = {}
    for item in windows:
        known.setdefault((item.judge, item.fingerprint, item.calibrated), set()).add(item.evaluation)
    return Text("\n").join(
        Text(
            f"judge {name} {fingerprint}, {', '.join(sorted(evaluations))}: "
            f"{'calibrated' if calibrated else 'not calibrated against people'}"
        )
        for (name, fingerprint, calibrated), evaluations in sorted(known.items())
    )
