"""What `ragmon judge audit` prints: the effect of each edit, then that of length."""

from __future__ import annotations

import re

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from monitor.offline.edits import EDITS
from monitor.offline.figures import estimate, plain_table
from monitor.quality.audit import MIN_ROWS, Audit, Length, Moved

_SAYS = {edit.name: edit.says for edit in EDITS}
_QUALITY = {
    "label": "the rows' labels",
    "coverage": "the share of the answer's words that stand in the passages, as too few rows have labels",
}


def report(audit: Audit) -> RenderableType:
    """All of it."""
    who = f"{audit.evaluation} by {audit.judge.name} {audit.judge.fingerprint}"
    return Group(
        Text(f"{who}: {audit.scored} of {audit.rows} rows scored"), _edits(audit), Text("\n".join(_remarks(audit)))
    )


def _edits(audit: Audit) -> Table:
    table = plain_table("Edits that leave what an answer says as it was; * moved beyond chance")
    table.add_column("edit", no_wrap=True)
    for column in ("rows", "mean change", "size", "same", "labels flip"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in audit.edits:
        known = audit.deterministic and one.kind == "repetition"
        table.add_row(one.edit, str(one.rows), *(_known(one) if known else _numbers(one)))
    return table


def _numbers(one: Moved) -> tuple[str, ...]:
    size = "·" if one.size is None else f"{one.size:.3f}"
    same = "·" if one.same is None else f"{one.same.value:.0%}"
    flipped = "·"
    if one.flipped is not None:
        flipped = f"{one.flipped.value:.0%} [{one.flipped.lower * 100:.0f} {one.flipped.upper * 100:.0f}]"
    return f"{estimate(one.change, '+')}{'*' if one.moves else ' '}", size, same, flipped


def _known(one: Moved) -> tuple[str, ...]:
    """Of what is so by construction: no interval, as nothing was estimated."""
    return tuple(re.sub(r" \[.*\]", "", number) for number in _numbers(one))


def _remarks(audit: Audit) -> list[str]:
    lines = [_length(audit.length)]
    if audit.deterministic:
        lines.append("The judge is computed in this process: the same text gets the same score, by construction.")
    else:
        lines.append(f"Each row was judged {audit.repeats} more times as it is; nothing was answered from memory.")
    lines += [f"{one.edit}: {one.lost} rows lost their score." for one in audit.edits if one.lost]
    done = {one.edit for one in audit.edits if one.rows}
    lines += [f"{name}: {says}." for name, says in _SAYS.items() if name in done]
    lines.append("Of twenty intervals one misses by chance; look at the size before acting on a *.")
    return lines


def _length(length: Length) -> str:
    what, where = "Score and length of the answer", f"{length.rows} rows; quality is {_QUALITY[length.quality]}"
    if length.rows < MIN_ROWS:
        return f"{what}: too few rows, it takes {MIN_ROWS} ({where})."
    if length.plain is None:
        return f"{what}: nothing to tell, as {_same(length)} ({where})."
    plain = f"{what}: Spearman {estimate(length.plain, '+')}"
    if length.given_quality is None:
        why = _same(length) if length.constant else "the order by quality is that of one of them"
        return f"{plain}; nothing to tell at the same quality, as {why} ({where})."
    mark = "*" if length.moves else ""
    return f"{plain}, at the same quality {estimate(length.given_quality, '+')}{mark} ({where})."


def _same(length: Length) -> str:
    return f"all rows have the same {' and the same '.join(length.constant)}"
