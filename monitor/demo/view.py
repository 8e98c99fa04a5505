"""What the demo shows in the terminal: the alert, scores with their uncertainty, the worst answers, the accounts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from monitor import tables
from monitor.config.values import duration_text
from monitor.demo.alert import QualityAlert
from monitor.records import Case, Judgement, Outcome
from monitor.snapshot import Snapshot

_SHOWN = 3
_LOW = 0.5


@dataclass(slots=True)
class WorstAnswers:
    """The latest answers with a low faithfulness score."""

    _cases: list[tuple[Case, Judgement]] = field(default_factory=list)

    def observe(self, case: Case) -> None:
        """Remember the case if it is a low one."""
        for judgement in case.judgements:
            low = judgement.score is not None and judgement.score <= _LOW
            if judgement.evaluation == "faithfulness" and judgement.outcome is Outcome.SCORED and low:
                self._cases = [*self._cases[1 - _SHOWN :], (case, judgement)] if self._cases else [(case, judgement)]

    def render(self) -> RenderableType:
        """The answers with their unsupported sentences marked."""
        if not self._cases:
            return Panel(Text("none yet", style="dim"), title="Worst answers", title_align="left")
        shown = Text("\n").join(_marked(case, judgement) for case, judgement in reversed(self._cases))
        return Panel(shown, title="Worst answers (unsupported sentences marked)", title_align="left")


def _marked(case: Case, judgement: Judgement) -> Text:
    text = Text(f"{judgement.score:.2f} ", style="bold")
    text.append(f"{case.trace.question}\n", style="dim")
    answer = Text(f"     {case.trace.answer}", style="default")
    for item in judgement.evidence:
        if item.label == "unsupported":
            answer.highlight_words([item.text], style="bold red underline")
    return text.append_text(answer)


def alert_line(alert: QualityAlert, elapsed: float) -> Text:
    """The alert as one line: green, yellow while it waits, red when it fires."""
    limit = f"upper bound of the {alert.window} mean of {alert.evaluation} < {alert.objective}"
    now = "not enough verdicts yet" if alert.value is None else f"now {alert.value:.3f}"
    if alert.fired_at is not None:
        since = f"for {elapsed - alert.fired_at:.0f} s"
        return Text(f" FIRING {since}: RagmonQualityDrop ({limit}; {now}) ", style="bold white on red")
    if alert.pending:
        return Text(f" pending: RagmonQualityDrop ({limit} for {alert.wait_s:.0f} s; {now}) ", style="black on yellow")
    return Text(f" ok: RagmonQualityDrop ({limit}; {now}) ", style="black on green")


def screen(
    snapshot: Snapshot, alert: QualityAlert, worst: WorstAnswers, *, elapsed: float, status: Sequence[str]
) -> RenderableType:
    """One picture of the demo."""
    head = Text("\n").join(Text(line) for line in status)
    shown = tables.overall(snapshot, _window_of(snapshot, alert.window))
    parts: list[RenderableType] = [head, alert_line(alert, elapsed), tables.scores(shown)]
    return Group(*parts, worst.render(), tables.funnel(snapshot.stages))


def _window_of(snapshot: Snapshot, label: str) -> int | None:
    lengths: Iterable[int] = {item.window_s for item in snapshot.windows}
    return next((length for length in lengths if duration_text(length) == label), None)
