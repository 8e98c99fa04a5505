"""Which calibrations hold for the configured judges, and what they change.

A file is bound to the fingerprint of a judge without any calibration. The embedded judge takes the file's threshold as
the bound of its labels, which its fingerprint covers: so it scores under another fingerprint, and the file says which
one that is for as long as the judge itself stays as it was. Every other judge keeps its fingerprint.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from monitor.calibration import Calibration, not_in_force, threshold_in_force, uncorrected
from monitor.config.judges import EmbeddedJudge, JudgeSettings
from monitor.errors import ConfigError
from monitor.judges.calibrated import CalibratedJudge
from monitor.judges.embedded import EmbeddedJudge as Embedded
from monitor.judges.embedded import identity_of
from monitor.judges.grounding.assessment import UNSUPPORTED
from monitor.operational import FlagRates
from monitor.protocols import Judge


class Calibrations:
    """The calibrations of a configuration, each with its file."""

    def __init__(self, files: Sequence[tuple[Path, Calibration]], judges: Sequence[JudgeSettings]) -> None:
        """Raises ConfigError when two files are about the same judge as it is now."""
        self._files = tuple(files)
        self._configured = {judge.name for judge in judges}
        self._embedded = {judge.name: judge for judge in judges if isinstance(judge, EmbeddedJudge)}
        there: dict[tuple[str, str, str], Path] = {}
        for file, one in files:
            first = there.setdefault((one.evaluation, one.judge, one.fingerprint), file)
            if first is not file:
                raise ConfigError([f"calibration_files: {file} is about the same judge as {first}; keep one of them"])

    def threshold(self, name: str) -> float:
        """The bound of the labels of an embedded judge."""
        fitting = (one for _, one in self._files if one.judge == name and self._fits(one))
        thresholds = (threshold_in_force(one) for one in fitting if one.threshold_on == "worst")
        return next((threshold for threshold in thresholds if threshold is not None), UNSUPPORTED)

    def in_force(self, calibration: Calibration) -> str:
        """The fingerprint under which the judge scores with this calibration."""
        if calibration.judge in self._embedded and self._fits(calibration):
            return self._embedded_as(calibration.judge, self.threshold(calibration.judge))
        return calibration.fingerprint

    def bare(self, fingerprint: str) -> str:
        """The fingerprint of the same judge without its calibration."""
        return next((one.fingerprint for _, one in self._files if self.in_force(one) == fingerprint), fingerprint)

    def apply(self, judge: Judge) -> Judge:
        """The judge with the bound of its calibration and what labels say of it; the same one without a file."""
        if isinstance(judge, Embedded):
            judge = judge.at(self.threshold(judge.name))
        found = [(self.in_force(one), one) for _, one in self._files if one.judge == judge.name]
        return CalibratedJudge(judge, found) if found else judge

    def rates(self) -> Mapping[tuple[str, str, str], FlagRates]:
        """By evaluation, judge and fingerprint: how often a score below 0.5 is right, where that corrects a share."""
        return {
            (one.evaluation, one.judge, self.in_force(one)): rates
            for _, one in self._files
            if not uncorrected(one)
            for rates in one.overall.rates
            if rates.rule == "below_half"
        }

    def warnings(self, judges: Sequence[Judge], evaluations: Collection[str] | None = None) -> list[str]:
        """Files that do not count for these judges as they are before their first answer, each in one line.

        With `evaluations` only files about these.
        """
        offered = _offered(judges)
        files = [(file, one) for file, one in self._files if evaluations is None or one.evaluation in evaluations]
        return [told for file, one in files if (told := self._warning(file, one, offered))]

    def described(self, judges: Sequence[Judge]) -> list[str]:
        """What each file does, and why it does not correct the share of bad answers, each in one line."""
        offered = _offered(judges)
        lines: list[str] = []
        for file, one in self._files:
            warning = self._warning(file, one, offered)
            lines += [warning] if warning else _described(file, one)
        return lines

    def _warning(self, file: Path, one: Calibration, offered: Mapping[str, Mapping[str, str]]) -> str:
        there = offered.get(one.judge)
        if there is None and one.judge in self._configured:
            return ""  # it is not asked just now
        now = there.get(one.evaluation) if there else None
        if now is None:
            return f"{file}: no judge {one.judge} gives {one.evaluation} here"
        if now in {one.configured, self.in_force(one)}:
            return ""
        return (
            f"{file}: {one.evaluation} by {one.judge} was calibrated as {one.fingerprint}, and the judge is {now} now "
            "(another model, prompt, parameter or version): it does not count; run `ragmon calibrate` again"
        )

    def _fits(self, calibration: Calibration) -> bool:
        """Whether a calibration is of an embedded judge as it is now."""
        name = calibration.judge
        return name in self._embedded and calibration.fingerprint == self._embedded_as(name, UNSUPPORTED)

    def _embedded_as(self, name: str, threshold: float) -> str:
        """The fingerprint of an embedded judge with that bound."""
        return identity_of(name, threshold, embeddings=self._embedded[name].embeddings).fingerprint


def _offered(judges: Sequence[Judge]) -> Mapping[str, Mapping[str, str]]:
    """The fingerprint by judge and evaluation."""
    return {judge.name: {name: judge.identity(name).fingerprint for name in judge.evaluations} for judge in judges}


def _described(file: Path, one: Calibration) -> Iterator[str]:
    who = f"{file}: {one.evaluation} by {one.judge}"
    if one.threshold_on == "worst" and one.threshold is not None and (why := not_in_force(one)):
        yield f"{file}: the threshold is not in force: {why}"
    if not one.calibrated:
        yield f"{who} is not calibrated: {one.uncalibrated}"
        return
    yield f"{who} is calibrated by {one.overall.n} labels"
    if why := uncorrected(one):
        yield f"{file}: the share of bad answers is not corrected by it: {why}"
