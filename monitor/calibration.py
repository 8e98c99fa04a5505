"""Calibrations: how well a judge agrees with labels, as a file, and the rule by which that counts.

A file holds counts and figures: no content, no ids. It is bound to the fingerprint of the judge that gave the scores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Literal

import msgspec

from monitor.errors import ConfigError
from monitor.json_keys import key_twice
from monitor.operational import FlagRates
from monitor.records import JudgeIdentity
from monitor.snapshot import Estimate

VERSION = 1
MAX_BYTES = 1 << 20
"""Of a file; one holds some kilobytes."""
MIN_LABELS = 50
MIN_OF_A_KIND = 5
"""Bad answers, and good ones, from which a threshold is put in force: of two or three it parts no better than the cut
that it replaces."""
MIN_SPEARMAN = 0.7
MIN_RATE = 0.7
"""Sensitivity or specificity below it is warned of: over three of ten bad answers pass, or good ones are flagged."""
CORRECTABLE = 100
"""Labelled answers from which the share of bad answers is corrected."""

NOT_PEOPLE = "labels_of_a_judge"
FEW_LABELS = "few_labels"
NO_CORRELATION = "no_correlation"
LOW_CORRELATION = "low_correlation"
NO_LABELS = "no_labels"
OTHER_FINGERPRINT = "other_fingerprint"
REASONS = (NO_LABELS, OTHER_FINGERPRINT, NOT_PEOPLE, FEW_LABELS, NO_CORRELATION, LOW_CORRELATION)
"""Why a judge does not count as calibrated: there is no file; there is one, for another fingerprint; its labels are not
of people; there are fewer than 50; Spearman's correlation is undefined (all labels or all scores are the same); it is
below 0.7."""

ONE_KIND = "one_kind_of_answers"
NO_POWER = "no_power"
UNCORRECTED = (FEW_LABELS, ONE_KIND, NO_POWER)
"""Why a calibrated judge does not correct the share of bad answers: fewer than 100 labels; none of them of a bad
answer, or none of a good one; the sum of sensitivity and specificity may be 1 or less, as a coin's is."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
_ROUNDING = 1e-9

Basis = Literal["worst", "score"]
"""What the threshold is held against: the score of the worst sentence, or the score of the answer."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the scores agree with the labels of the same answers. None: undefined, as all of one side are the same.

    Correlations lie in -1 to 1. `ceiling` is the Spearman correlation of the same scores in the order of the labels,
    the most that could be reached: below 1 where labels are few grades and scores are many.
    """

    n: int
    spearman: Estimate | None
    kendall: Estimate | None
    ceiling: float | None
    kappa: float | None
    """Quadratic weighted kappa; scores are brought to the nearest grade that the labels use."""
    rates: tuple[FlagRates, ...]
    missing_bad: int
    """Answers labelled bad whose verdict is missing (judge errors, skipped): they could have gone either way."""
    missing_good: int

    def rates_of(self, rule: str) -> FlagRates | None:
        """The rates of one rule."""
        return next((rates for rates in self.rates if rates.rule == rule), None)


@dataclass(frozen=True, slots=True)
class Raters:
    """Krippendorff's alpha between annotators, over the answers that at least two of them labelled."""

    annotators: int
    answers: int
    nominal: float | None
    ordinal: float | None
    interval: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """One judge under one evaluation, compared with labels."""

    version: int
    evaluation: str
    judge: str
    fingerprint: str
    """Of the judge that gave the scores, without any calibration applied."""
    configured: str
    """Fingerprint of the judge before its first answer: a server may name its model only then."""
    made: str
    """When, in ISO 8601 UTC."""
    labels_by: Literal["people", "judge"]
    reference: JudgeIdentity | None
    """The judge whose scores served as labels."""
    calibrated: bool
    uncalibrated: str
    """Why not, one of `REASONS`; empty when calibrated."""
    threshold: float | None
    """Below it an answer is flagged; None when none could be fitted."""
    threshold_on: Basis
    overall: Agreement
    languages: Mapping[str, Agreement]
    raters: Raters | None
    no_score: Mapping[str, int]
    """Labelled answers without a score, by `outcome:reason`."""
    repeated: int = 0
    """Labelled answers that were the content of another one, and count with it as one."""


def uncalibrated(labels_by: str, overall: Agreement) -> str:
    """Why such figures do not make a judge calibrated, one of `REASONS`; empty when they do."""
    if labels_by != "people":
        return NOT_PEOPLE
    if overall.n < MIN_LABELS:
        return FEW_LABELS
    if overall.spearman is None:
        return NO_CORRELATION
    return LOW_CORRELATION if overall.spearman.value < MIN_SPEARMAN else ""


def uncorrected(calibration: Calibration) -> str:
    """Why the share of bad answers is not corrected: one of `REASONS` or `UNCORRECTED`; empty when it is."""
    if not calibration.calibrated:
        return calibration.uncalibrated
    if calibration.overall.n < CORRECTABLE:
        return FEW_LABELS
    rates = calibration.overall.rates_of("below_half")
    if rates is None or rates.balanced_accuracy is None:
        return ONE_KIND
    return "" if rates.has_power else NO_POWER


def threshold_in_force(calibration: Calibration) -> float | None:
    """The threshold that the judge takes; None when there is none, or one that is told of by `not_in_force`."""
    return None if not_in_force(calibration) else calibration.threshold


def not_in_force(calibration: Calibration) -> str:
    """Why the threshold is not put in force, in words; empty when it is.

    One of few answers, or of few of a kind, was fitted to chance, and so was one whose balanced accuracy on answers
    held out is below that of the plain cut at 0.5. Without figures of answers held out it counts as fitted.
    """
    held_out, half = (calibration.overall.rates_of(rule) for rule in ("threshold", "below_half"))
    if calibration.overall.n < MIN_LABELS:
        return f"{MIN_LABELS} labelled answers are the least for one"
    if half is not None and min(half.bad, half.good) < MIN_OF_A_KIND:
        return f"{MIN_OF_A_KIND} bad and {MIN_OF_A_KIND} good answers are the least for one"
    if held_out is None or half is None or held_out.balanced_accuracy is None or half.balanced_accuracy is None:
        return ""
    is_worse = held_out.balanced_accuracy.value < half.balanced_accuracy.value
    return "on answers held out the cut at 0.5 tells them better" if is_worse else ""


def encode(calibration: Calibration) -> bytes:
    """The file's content, the same bytes for the same figures."""
    return msgspec.json.format(msgspec.json.encode(calibration), indent=2) + b"\n"


def load(file: Path) -> Calibration:
    """Read a calibration file. Raises ConfigError when it is missing, damaged, or says what its figures do not."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ConfigError([f"{file}: has more than {MAX_BYTES} bytes; it is no calibration file"])
        calibration = msgspec.json.decode(content, type=Calibration)
        twice = key_twice(content)
    except OSError as error:
        raise ConfigError([f"{file}: cannot be read ({error.strerror})"]) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError([f"{file}: is not a calibration file of this version: {error}"]) from None
    if twice:
        raise ConfigError([f"{file}: is not a calibration file of this version: {twice}"])
    problem = _problem(calibration)
    if problem:
        raise ConfigError([f"{file}: {problem}; run `ragmon calibrate` again"])
    return calibration


def _problem(calibration: Calibration) -> str:
    if calibration.version != VERSION:
        return f"has version {calibration.version}, and this ragmon reads version {VERSION}"
    if any(not math.isfinite(number) or abs(number) > 1 for number in _numbers(calibration)):
        return "holds a number outside -1 to 1"
    threshold = calibration.threshold
    if threshold is not None and not 0 < threshold <= 1:
        return f"has the threshold {threshold}, outside 0 to 1"
    reason = uncalibrated(calibration.labels_by, calibration.overall)
    if (calibration.calibrated, calibration.uncalibrated) != (not reason, reason):
        return "says something else of `calibrated` than its figures"
    if not all(map(_is_sound, (calibration.overall, *calibration.languages.values()))):
        return "holds figures that contradict each other"
    names = (calibration.evaluation, calibration.judge, calibration.fingerprint, calibration.configured)
    unfit = not all(map(_NAME.fullmatch, names))
    return "names no evaluation, judge or fingerprint as they are named here" if unfit else ""


def _is_sound(figures: Agreement) -> bool:
    """Whether shares are those of the counts, and counts fit into each other."""
    shares = [
        (share, part, whole)
        for one in figures.rates
        for share, part, whole in ((one.sensitivity, one.flagged, one.bad), (one.specificity, one.passed, one.good))
    ]
    estimates = [figures.spearman, figures.kendall, *(one.balanced_accuracy for one in figures.rates)]
    return (
        [one.rule for one in figures.rates] == ["threshold", "below_half"]
        and min(figures.n, figures.missing_bad, figures.missing_good) >= 0
        and all(one.bad + one.good <= figures.n for one in figures.rates)
        and all(0 <= part <= whole and _is_share(share, part, whole) for share, part, whole in shares)
        and all(_is_mean(one) for one in figures.rates)
        and all(one is None or one.lower <= one.value <= one.upper for one in estimates)
    )


def _is_share(share: Estimate | None, part: int, whole: int) -> bool:
    if share is None or not whole:
        return share is None and not whole
    return math.isclose(share.value, part / whole, abs_tol=_ROUNDING) and share.lower <= share.value <= share.upper


def _is_mean(rates: FlagRates) -> bool:
    one, other, both = rates.sensitivity, rates.specificity, rates.balanced_accuracy
    if one is None or other is None or both is None:
        return both is None and (one is None or other is None)
    return math.isclose(both.value, (one.value + other.value) / 2, abs_tol=_ROUNDING)


def _numbers(part: object) -> Iterator[float]:
    """Every number that is not a count."""
    if isinstance(part, float):
        yield part
    elif isinstance(part, tuple | list):
        for item in part:
            yield from _numbers(item)
    elif isinstance(part, Mapping):
        yield from _numbers(tuple(part.values()))
    elif is_dataclass(part):
        for field in fields(part):
            yield from _numbers(getattr(part, field.name))
