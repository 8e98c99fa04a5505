"""The rows of `--explain` for people: a tree in a terminal, indented lines in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from monitor.offline.explained import ExplainedField, ExplainedOther, ExplainedPlace, ExplainedRow, ExplainedSpan
from monitor.traces.explain import HIDDEN

_MOST_SPANS = 40
_MOST_OTHERS = 12


@dataclass(frozen=True, slots=True)
class Branch:
    """A line and those below it."""

    text: str
    style: str = ""
    below: list[Branch] = field(default_factory=list)


def print_rows(rows: Iterable[ExplainedRow], out: TextIO) -> None:
    """Print every row; the texts in it are taken as they are, never as markup."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    for row in rows:
        branch = branch_of(row)
        if out.isatty():
            console.print(_tree(branch))
        else:
            out.writelines(line + "\n" for line in _lines(branch, 0))


def branch_of(row: ExplainedRow) -> Branch:
    """One row as a tree."""
    service = f" of {row.service}" if row.service else ""
    match row.kind:
        case "request":
            head = f"request {row.trace_id} {row.request_id}{service} ({row.convention})"
            below = [_verdict(row), *_notes(row), *_fields(row)]
        case "trace":
            head = f"trace {row.trace_id}{service}"
            below = [_verdict(row), *_notes(row), _spans(row)]
        case "feedback":
            head, below = f"feedback on {row.trace_id} ({', '.join(row.records)})", [_verdict(row), *_notes(row)]
        case "record":
            head, below = ", ".join(row.records), [_verdict(row)]
    return Branch(head, "bold", below)


def _verdict(row: ExplainedRow) -> Branch:
    if row.judged:
        head = Branch(f"would be judged: {row.because}", "green")
    else:
        head = Branch(f"would not be judged: {row.reason}: {row.because}", "red")
    grouped: dict[tuple[str, str], list[str]] = {}
    for verdict in row.evaluations:
        grouped.setdefault((verdict.reason, verdict.because), []).append(f"{verdict.evaluation} ({verdict.judge})")
    for (reason, because), names in grouped.items():
        verdict_text = f"not scorable, {reason}: {because}" if reason else "would be judged"
        head.below.append(Branch(f"{', '.join(names)}: {verdict_text}"))
    if row.sample is not None:
        taken = "is in the sample" if row.sample.sampled else "is not in the sample"
        rate = f"probability {row.sample.probability:g}"
        head.below.append(Branch(f"by its trace id it {taken} ({rate}; before budget and safety hits)"))
    return head


def _notes(row: ExplainedRow) -> list[Branch]:
    return [Branch(note) for note in row.notes]


def _fields(row: ExplainedRow) -> Iterator[Branch]:
    """The fields that something says, and in one line the others."""
    silent = [name for name, one in row.fields.items() if one.value is None and not one.passed_over]
    yield from (_field(name, one) for name, one in row.fields.items() if name not in silent)
    if silent:
        yield Branch(f"not on the wire: {', '.join(silent)}", "dim")


def _field(name: str, one: ExplainedField) -> Branch:
    if isinstance(one.value, tuple):
        head = Branch(f"{name}: {len(one.value)}{_from(one.places)}", below=[Branch(part) for part in one.value])
    elif one.value is None and any(other.why == HIDDEN for other in one.passed_over):
        return Branch(f"{name}: hidden", "dim")
    elif one.value is None:
        head = Branch(f"{name}: not on the wire", "dim")
    else:
        head = Branch(f"{name}: {one.value}{_from(one.places)}")
    head.below.extend(_other(other) for other in one.passed_over[:_MOST_OTHERS])
    if len(one.passed_over) > _MOST_OTHERS:
        head.below.append(Branch(f"and {len(one.passed_over) - _MOST_OTHERS} more were passed over", "dim"))
    return head


def _from(places: Iterable[ExplainedPlace]) -> str:
    said = "; ".join(dict.fromkeys(map(_place, places)))
    return f"  <- {said}" if said else ""


def _place(place: ExplainedPlace) -> str:
    words = [f"{place.span} {place.span_id}" if place.span_id else "", place.where, place.convention]
    return ", ".join(word for word in words if word)


def _other(other: ExplainedOther) -> Branch:
    if isinstance(other.value, tuple):
        value = f"{len(other.value)}: {' | '.join(other.value[:2])}"
    else:
        value = other.value or "nothing"
    return Branch(f"passed over: {value}{_from(other.places)}: {other.why}", "dim")


def _spans(row: ExplainedRow) -> Branch:
    """The spans by parents; a span whose parent is not there, or only below itself, stands at the top."""
    known = {span.span_id: span for span in row.spans[:_MOST_SPANS]}
    made = {span_id: Branch(_span(span)) for span_id, span in known.items()}
    head = Branch(f"spans: {len(row.spans)}")
    for span_id, span in known.items():
        under = _above(span, known)
        (head if under is None else made[under]).below.append(made[span_id])
    return head


def _above(span: ExplainedSpan, known: dict[str, ExplainedSpan]) -> str | None:
    """The parent that is shown; None for a root and for a span in a ring."""
    seen = {span.span_id}
    at = span.parent_id
    while at in known:
        if at in seen:
            return None
        seen.add(at)
        at = known[at].parent_id
    return span.parent_id if span.parent_id in known else None


def _span(span: ExplainedSpan) -> str:
    known = f", {span.convention}" if span.convention else ""
    return f"{span.name} {span.span_id}: {span.role}{known}"


def _tree(branch: Branch) -> Tree:
    tree = Tree(Text(branch.text, style=branch.style))
    for below in branch.below:
        tree.add(_tree(below))
    return tree


def _lines(branch: Branch, depth: int) -> Iterator[str]:
    yield "  " * depth + branch.text
    for below in branch.below:
        yield from _lines(below, depth + 1)
