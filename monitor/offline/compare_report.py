"""What `ragmon judge compare` prints: how far both judges agree, then what each of them takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from monitor import tables
from monitor.comparisons import Comparison, Side
from monitor.offline.figures import estimate, plain_table
from monitor.promotion import MIN_PAIRS, Report


def report(made: Report, out: Path | None) -> RenderableType:
    """All of it; `out` is the file that was written."""
    on = "the same rows" if made.source == "rows" else "the same requests in production"
    head = [f"{made.candidate} beside {made.incumbent}, on {on}", *map(_prints, made.comparisons)]
    parts: list[RenderableType] = [Text("\n".join(head)), _agreement(made), _sides(made)]
    parts += [Text(line) for line in _unscored(made.comparisons)]
    few = [one.evaluation for one in made.comparisons if one.pairs < MIN_PAIRS]
    if few:
        parts.append(Text(f"Fewer than {MIN_PAIRS} pairs: {', '.join(few)}; not enough to promote {made.candidate}."))
    if out is not None:
        parts.append(Text(f"written to {out}, for `ragmon judge promote {made.candidate} --comparison {out}`"))
    return Group(*parts)


def _unscored(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """A line for each judge that gave verdicts without a score: how many, and why."""
    for one in comparisons:
        for side in (one.incumbent, one.candidate):
            if side.unscored:
                yield f"{one.evaluation} by {side.judge}, without a score: {tables.counted(side.unscored)}"


def _prints(one: Comparison) -> str:
    return f"{one.evaluation}: {one.candidate.fingerprint} beside {one.incumbent.fingerprint}"


def _agreement(made: Report) -> Table:
    table = plain_table("Agreement; difference is candidate minus incumbent, request by request")
    table.add_column("evaluation")
    for column in ("pairs", "difference", "Spearman", "same", "kappa"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in made.comparisons:
        same = "·" if one.agreement is None else f"{one.agreement.value:.1%}"
        kappa = "·" if one.kappa is None else f"{one.kappa:.3f}"
        spearman = "·" if one.spearman is None else f"{one.spearman.value:.3f}"
        table.add_row(Text(one.evaluation), str(one.pairs), estimate(one.difference, "+"), spearman, same, kappa)
    return table


def _sides(made: Report) -> Table:
    table = plain_table("Each judge; mean of the pairs, cost and latency of a verdict")
    table.add_column("evaluation")
    table.add_column("judge")
    for column in ("scored", "missing", "mean", "cost", "latency"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in made.comparisons:
        for side in (one.incumbent, one.candidate):
            table.add_row(Text(one.evaluation), Text(side.judge), *_numbers(one, side))
    return table


def _numbers(one: Comparison, side: Side) -> tuple[str, ...]:
    mean = "·" if side.mean is None else f"{side.mean:.3f}"
    latency = f"{side.latency_s * 1000:.1f} ms" if side.latency_s < 1 else f"{side.latency_s:.2f} s"
    cost = "·" if side.calls and not side.cost else f"{side.cost / one.requests:.3g}"  # called, and without prices
    return str(side.scored), str(side.missing), mean, cost, latency
