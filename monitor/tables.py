"""A Snapshot as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from monitor.records import Outcome
from monitor.snapshot import Estimate, Snapshot, StageCount, WindowStats


def duration(seconds: float) -> str:
    """`5m`, `1h`, `24h`, `7d`: the largest unit that divides the seconds."""
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if (seconds > size and seconds % size == 0) or seconds == size:
            return f"{seconds // size:.0f}{unit}"
    return f"{seconds:.0f}s"


def estimate(value: Estimate | None) -> str:
    """A number with its 95 % interval; a dot below the floor."""
    return "·" if value is None else f"{value.value:.3f} [{value.lower:.3f}, {value.upper:.3f}]"


def scores(snapshot: Snapshot, windows: Iterable[WindowStats] | None = None) -> Table:
    """One line for each evaluation and window."""
    table = Table(title="Scores (higher is better; · below the floor of the statistic)", title_justify="left")
    for column in ("evaluation", "judge", "slice", "window"):
        table.add_column(column, no_wrap=True)
    for column in ("n", "mean [95 %]", "worst 10 % [95 %]", "p05", "below 0.5", "bounds", "missing"):
        table.add_column(column, justify="right", no_wrap=True)
    for item in snapshot.windows if windows is None else windows:
        table.add_row(
            item.evaluation,
            item.judge + ("" if item.calibrated else " (uncalibrated)"),
            f"{item.slice.dimension}={item.slice.value}" if item.slice.dimension != "all" else "all",
            duration(item.window_s),
            str(item.n),
            estimate(item.mean),
            estimate(item.es10),
            "·" if item.p05 is None else f"{item.p05.value:.2f}",
            "·" if item.below_half is None else f"{item.below_half.value:.1%}",
            "·" if item.bounds is None else f"{item.bounds.lower:.3f} to {item.bounds.upper:.3f}",
            "·" if item.missing_ratio is None else f"{item.missing_ratio:.1%}",
        )
    return table


def outcomes(windows: Iterable[WindowStats]) -> Table:
    """How the verdicts ended, where it was not a score."""
    table = Table(title="Without a score", title_justify="left")
    for column in ("evaluation", "outcome", "reason"):
        table.add_column(column, no_wrap=True)
    table.add_column("verdicts", justify="right")
    for item in windows:
        for count in item.outcomes:
            if count.outcome is not Outcome.SCORED and count.count:
                table.add_row(item.evaluation, count.outcome, count.reason, str(count.count))
    return table


def funnel(stages: Iterable[StageCount]) -> Table:
    """Every stage: in, out, dropped by reason, held."""
    table = Table(title="Accounting (in = out + dropped + held)", title_justify="left")
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
    of_all = [item for item in snapshot.windows if item.slice.dimension == "all"]
    length = window_s or max((item.window_s for item in of_all), default=0)
    return [item for item in of_all if item.window_s == length]


def report(snapshot: Snapshot) -> RenderableType:
    """What `replay` and a finished demo print."""
    longest = max((item.window_s for item in snapshot.windows), default=0)
    windows = [item for item in snapshot.windows if item.window_s == longest]
    parts: list[RenderableType] = [scores(snapshot, windows), outcomes(overall(snapshot)), funnel(snapshot.stages)]
    return Group(*parts)
