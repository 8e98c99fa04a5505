"""What the reports of commands have in common: their tables, and numbers with their intervals."""

from __future__ import annotations

from rich import box
from rich.table import Table

from monitor.snapshot import Estimate


def plain_table(title: str) -> Table:
    """A table without lines between its columns; the title stands at the left."""
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)


def estimate(value: Estimate | None, sign: str = "") -> str:
    """A number with its 95 % interval, three digits each; a dot where it is undefined. `sign` `+` shows the sign."""
    if value is None:
        return "·"
    return f"{value.value:{sign}.3f} [{value.lower:{sign}.3f} {value.upper:{sign}.3f}]"
