"""What `ragmon calibrate` prints: the verdict on the judge first, then the figures behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from monitor.calibration import (
    CORRECTABLE,
    FEW_LABELS,
    MIN_LABELS,
    MIN_RATE,
    MIN_SPEARMAN,
    NO_POWER,
    NOT_PEOPLE,
    ONE_KIND,
    Agreement,
    Calibration,
    Raters,
    not_in_force,
    threshold_in_force,
    uncalibrated,
    uncorrected,
)
from monitor.offline.calibrate_labels import InForce
from monitor.offline.figures import plain_table
from monitor.operational import FlagRates
from monitor.tables import estimate

_LANGUAGES = 8
_RULES = ("threshold", "below_half")


def report(calibration: Calibration, label: InForce | None, notes: Sequence[str], out: Path | None) -> RenderableType:
    """All of it; `label` is how good the one in force is, `notes` are lines for the head, `out` the file written."""
    parts: list[RenderableType] = [Text("\n".join([*_head(calibration), *notes])), _correlations(calibration)]
    rules = {rule: {name: part.rates_of(rule) for name, part in _parts(calibration).items()} for rule in _RULES}
    parts.append(_rates(_condition(calibration, "threshold"), rules["threshold"]))
    if label is not None:
        parts.append(_rates(label.condition, {name: label.rates.get(name) for name in _parts(calibration)}))
    parts.append(_rates(_condition(calibration, "below_half"), rules["below_half"]))
    if remarks := _remarks(calibration, label):
        parts.append(Text("\n".join(remarks)))
    if calibration.raters is not None:
        parts.append(Text(_agreement(calibration.raters)))
    if out is not None:
        parts.append(Text(f"written to {out}{_worth(calibration)}"))
    return Group(*parts)


def _worth(calibration: Calibration) -> str:
    """What the file is good for."""
    if calibration.calibrated:
        return "; name it in calibration_files, for every role"
    moves = calibration.threshold_on == "worst" and threshold_in_force(calibration) is not None
    cut = ", yet put its threshold in force" if moves else ""
    return f" for the record; named in calibration_files it would not make the judge calibrated{cut}"


def _head(calibration: Calibration) -> list[str]:
    who = f"{calibration.evaluation} by {calibration.judge} {calibration.fingerprint}"
    labels = "labels of people" if calibration.reference is None else f"scores of {_reference(calibration)}"
    lines = [f"{who} against {calibration.overall.n} {labels}", f"calibrated: {_verdict(calibration)}"]
    without = [f"{count} {reason}" for reason, count in calibration.no_score.items()]
    if without:
        lines.append(f"labelled, but without a score: {', '.join(without)}")
    return lines


def _reference(calibration: Calibration) -> str:
    reference = calibration.reference
    return f"{reference.name} {reference.fingerprint}" if reference else ""


def _verdict(calibration: Calibration) -> str:
    overall, reason = calibration.overall, calibration.uncalibrated
    if not reason:
        return "yes"
    if reason == NOT_PEOPLE:
        return "no, the labels are a judge's; only labels of people count"
    if reason == FEW_LABELS:
        return f"no, it takes {MIN_LABELS} labelled answers with a score, not {overall.n}"
    if overall.spearman is None:
        return "no, all labels or all scores are the same, so there is no correlation"
    return f"no, Spearman's correlation {overall.spearman.value:.3f} is below {MIN_SPEARMAN}{_ceiling(overall)}"


def _ceiling(overall: Agreement) -> str:
    """Labels of few grades bound the correlation: sometimes below what is asked for."""
    if overall.ceiling is None:
        return ""
    if overall.ceiling < MIN_SPEARMAN:
        return (
            f"; in the best order these scores and labels reach {overall.ceiling:.3f} only: "
            "label more answers of the rarer kind, or in grades"
        )
    return f"; in the best order these scores and labels reach {overall.ceiling:.3f}"


def _correlations(calibration: Calibration) -> Table:
    table = plain_table("Agreement of scores and labels, with 95 % intervals")
    for column in ("", "n", "Spearman", "Kendall tau-b", "kappa"):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for name, part in _parts(calibration).items():
        kappa = "·" if part.kappa is None else f"{part.kappa:.2f}"
        table.add_row(name, str(part.n), estimate(part.spearman), estimate(part.kendall), kappa)
    return table


def _rates(condition: str, rates_by: Mapping[str, FlagRates | None]) -> Table:
    table = plain_table(f"Flagged if {condition}")
    for column in ("", "of bad", "sensitivity", "of good", "specificity", "balanced acc."):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    for name, rates in rates_by.items():
        if rates is not None:
            table.add_row(name, *_cells(rates))
    return table


def _condition(calibration: Calibration, rule: str) -> str:
    if rule == "below_half":
        return "the score is below 0.5, as the share of bad answers is counted"
    if calibration.threshold is None:
        return "below a threshold: there is none"
    what = {"worst": "the worst sentence", "score": "the score"}[calibration.threshold_on]
    return f"{what} is below {calibration.threshold:.3f}, fitted here; figures of answers held out"


def _cells(rates: FlagRates) -> tuple[str, ...]:
    return (
        f"{rates.flagged}/{rates.bad}",
        estimate(rates.sensitivity),
        f"{rates.passed}/{rates.good}",
        estimate(rates.specificity),
        estimate(rates.balanced_accuracy),
    )


def _remarks(calibration: Calibration, label: InForce | None) -> list[str]:
    lines = []
    held_out = calibration.overall.rates_of("threshold")
    if calibration.threshold is None:
        lines.append("No threshold: it takes bad and good answers whose scores differ.")
    elif held_out is None or held_out.bad + held_out.good == 0:
        lines.append("The threshold has no figures: it takes two bad and two good answers to hold some out.")
    elif why := not_in_force(calibration):
        lines.append(f"The threshold will not be put in force: {why}.")
    shown = (*calibration.overall.rates, *([label.rates["all"]] if label else []))
    lines += [told for rates in shown for told in _weak(rates)]
    if _gaps(calibration.overall):
        lines += [_missing(rates, calibration.overall) for rates in calibration.overall.rates]
    if calibration.calibrated:
        lines += _uncorrected(calibration)
        weak = {name: part for name, part in calibration.languages.items() if uncalibrated("people", part)}
        lines += [f"On its own {name} would not be calibrated: {_weakness(part)}." for name, part in weak.items()]
    return lines


def _uncorrected(calibration: Calibration) -> list[str]:
    why = {
        FEW_LABELS: f"that takes {CORRECTABLE} labelled answers",
        ONE_KIND: "that takes labels of bad answers and of good ones",
        NO_POWER: "below 0.5 may tell them no better than a coin does; label more answers of the rarer kind",
    }.get(uncorrected(calibration))
    return [f"The share of bad answers is not corrected: {why}."] if why else []


def _weak(rates: FlagRates) -> list[str]:
    """Warnings of rates with which flags mean little."""
    rule = {"threshold": "below the threshold", "below_half": "below 0.5", "label": "called bad by the label"}[
        rates.rule
    ]
    lines = []
    if rates.sensitivity is not None and rates.sensitivity.value < MIN_RATE:
        lines.append(f"Warning: {rates.sensitivity.value:.0%} of the bad answers are {rule}; the others are not found.")
    if rates.specificity is not None and rates.specificity.value < MIN_RATE:
        wrong = 1 - rates.specificity.value
        lines.append(f"Warning: {wrong:.0%} of the good answers are {rule}, too: false alarms.")
    return lines


def _weakness(part: Agreement) -> str:
    if part.n < MIN_LABELS or part.spearman is None:
        return f"{part.n} labelled answers"
    return f"Spearman's correlation is {part.spearman.value:.3f} there"


def _gaps(overall: Agreement) -> int:
    return overall.missing_bad + overall.missing_good


def _missing(rates: FlagRates, overall: Agreement) -> str:
    """What the rates could be, had the missing verdicts been given."""
    bad, good = rates.bad + overall.missing_bad, rates.good + overall.missing_good
    parts = []
    if bad:
        parts.append(f"sensitivity {rates.flagged / bad:.2f} to {(rates.flagged + overall.missing_bad) / bad:.2f}")
    if good:
        parts.append(f"specificity {rates.passed / good:.2f} to {(rates.passed + overall.missing_good) / good:.2f}")
    return f"With the {_gaps(overall)} missing verdicts ({rates.rule}): {', '.join(parts)}."


def _agreement(found: Raters) -> str:
    alphas = {"ordinal": found.ordinal, "nominal": found.nominal, "interval": found.interval}
    said = ", ".join(f"{name} {'undefined' if alpha is None else f'{alpha:.3f}'}" for name, alpha in alphas.items())
    return f"Krippendorff's alpha of {found.annotators} annotators on {found.answers} answers: {said}."


def _parts(calibration: Calibration) -> Mapping[str, Agreement]:
    """All answers, then each language where there are several."""
    languages = dict(list(calibration.languages.items())[:_LANGUAGES])
    return {"all": calibration.overall} | (languages if len(calibration.languages) > 1 else {})
