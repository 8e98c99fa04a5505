"""When a judge may take the place of another one, and the records of it.

A comparison file holds what `ragmon judge compare` found: counts and figures, no content, no ids. A promotions file
has one JSON line for each promotion. Both name judges by fingerprint, so neither speaks of a judge that has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec

from monitor.comparisons import Comparison
from monitor.errors import ConfigError
from monitor.json_keys import key_twice
from monitor.operational import Asked
from monitor.snapshot import Estimate

VERSION = 1
MIN_PAIRS = 100
"""Requests that both judges must have scored; the interval of a mean difference is then within 0.1 in most cases."""


class Prints(NamedTuple):
    """The fingerprints of both judges."""

    incumbent: str
    candidate: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a comparison found. `source`: the same rows judged by both, or verdicts of a candidate in production."""

    version: int
    made: str
    """When, in ISO 8601 UTC."""
    source: Literal["rows", "shadow"]
    incumbent: str
    candidate: str
    configured: Mapping[str, Prints]
    """By evaluation, before the judges' first answer: a server may name its model only then."""
    comparisons: tuple[Comparison, ...]

    def of(self, evaluation: str) -> Comparison | None:
        """The comparison under one evaluation."""
        return next((one for one in self.comparisons if one.evaluation == evaluation), None)


@dataclass(frozen=True, slots=True)
class Replaced:
    """One evaluation with another judge. Numbers are None where there is no comparison."""

    evaluation: str
    incumbent: str
    """Fingerprints."""
    candidate: str
    pairs: int
    difference: Estimate | None
    kappa: float | None
    configured: str = ""
    """Fingerprint of the candidate before its first answer: what a process that starts knows of a remote judge."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """One line of a promotions file."""

    version: int
    made: str
    incumbent: str
    candidate: str
    forced: bool
    objections: tuple[str, ...]
    """What spoke against it; none unless it was forced."""
    replaced: tuple[Replaced, ...]


def objections(report: Report, incumbent: str, candidate: str, now: Mapping[str, Prints]) -> list[str]:
    """Why a comparison is not enough to promote a candidate, each in one line; `now` is what is configured."""
    if (report.incumbent, report.candidate) != (incumbent, candidate):
        return [f"it compares {report.candidate} with {report.incumbent}, not {candidate} with {incumbent}"]
    return [told for evaluation, prints in now.items() if (told := _objection(report, evaluation, prints))]


def _objection(report: Report, evaluation: str, now: Prints) -> str:
    found = report.of(evaluation)
    if found is None:
        return f"it says nothing of {evaluation}"
    before = report.configured.get(evaluation)
    if before != now:
        changed = "both judges" if before is None else " and ".join(_changed(report, before, now))
        return f"{evaluation}: {changed} changed since (another model, prompt, parameter or version); compare again"
    if found.pairs < MIN_PAIRS or found.difference is None:
        return f"{evaluation}: both judges scored {found.pairs} requests, and {MIN_PAIRS} are needed"
    return ""


def _changed(report: Report, before: Prints, now: Prints) -> Iterable[str]:
    if before.incumbent != now.incumbent:
        yield report.incumbent
    if before.candidate != now.candidate:
        yield report.candidate


def replaced(report: Report | None, now: Mapping[str, Prints]) -> tuple[Replaced, ...]:
    """What is recorded of each evaluation."""
    return tuple(_replaced(report.of(name) if report else None, name, prints) for name, prints in now.items())


def _replaced(found: Comparison | None, evaluation: str, now: Prints) -> Replaced:
    if found is None:
        return Replaced(evaluation, *now, 0, None, None, now.candidate)
    prints = (found.incumbent.fingerprint, found.candidate.fingerprint)
    return Replaced(evaluation, *prints, found.pairs, found.difference, found.kappa, now.candidate)


def unrecorded(seen: Iterable[tuple[str, str]], asked: Iterable[Asked], promotions: Sequence[Promotion]) -> list[str]:
    """Evaluations whose judge is another one than in the verdicts so far, without a promotion; each in one line.

    `seen` are the pairs of evaluation and judge of those verdicts. An evaluation that is new has no judge before. A
    promotion is of one fingerprint: another model under the name that was promoted is another judge.
    """
    before: dict[str, list[str]] = {}
    for evaluation, judge in sorted(set(seen)):
        before.setdefault(evaluation, []).append(judge)
    replaced = [one for promotion in promotions for one in promotion.replaced]
    recorded = {(one.evaluation, judge) for one in replaced for judge in (one.candidate, one.configured)}
    return [
        f"{item.evaluation} was judged by {', '.join(before[item.evaluation])} so far and is judged by "
        f"{item.judge.name} from now on: a new series begins, and no promotion of {item.judge.fingerprint} is recorded"
        for item in asked
        if item.evaluation in before
        and item.judge.name not in before[item.evaluation]
        and (item.evaluation, item.judge.fingerprint) not in recorded
    ]


def renewed(seen: Iterable[tuple[str, str, str]], asked: Iterable[Asked]) -> list[str]:
    """Evaluations whose judge has the name of before and another fingerprint; each in one line.

    `seen` are evaluation, judge and fingerprint of the verdicts so far. `asked` are judges whose fingerprint is known:
    that of a remote one is, from its first answer.
    """
    before: dict[tuple[str, str], list[str]] = {}
    for evaluation, judge, fingerprint in sorted(set(seen)):
        before.setdefault((evaluation, judge), []).append(fingerprint)
    return [
        f"{item.evaluation} was judged by {item.judge.name} as {', '.join(prints)} so far and is judged as "
        f"{item.judge.fingerprint} from now on (another version, calibration or setting): a new series begins"
        for item in asked
        if (prints := before.get((item.evaluation, item.judge.name))) and item.judge.fingerprint not in prints
    ]


def encode_report(report: Report) -> bytes:
    """The content of a comparison file."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def encode_promotion(promotion: Promotion) -> bytes:
    """A line of a promotions file."""
    return msgspec.json.encode(promotion) + b"\n"


def load_report(file: Path) -> Report:
    """Read a comparison file. Raises ConfigError when it is missing, damaged or of another version."""
    return _decoded(_read(file, f"{file}"), Report, f"{file}")


def load_promotions(file: Path | None) -> tuple[Promotion, ...]:
    """Read a promotions file; nothing where there is none. Raises ConfigError."""
    if file is None or not file.exists():
        return ()
    where = f"promotions: {file}"
    lines = enumerate(_read(file, where).splitlines(), 1)
    return tuple(_decoded(line, Promotion, f"{where}:{number}") for number, line in lines if line.strip())


def _read(file: Path, where: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError([f"{where}: cannot be read ({error.strerror})"]) from None


_T = TypeVar("_T", Report, Promotion)


_MADE_BY = {Report: "make it with `ragmon judge compare --out`", Promotion: "only `ragmon judge promote` writes it"}


def _decoded(content: bytes, kind: type[_T], where: str) -> _T:
    try:
        made = msgspec.json.decode(content, type=kind)
        wrong = key_twice(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        wrong = str(error)
    if wrong:
        raise ConfigError([f"{where}: is not what `ragmon judge` wrote: {wrong}; {_MADE_BY[kind]}"])
    if made.version != VERSION:
        raise ConfigError([f"{where}: has version {made.version}, and this ragmon reads version {VERSION}"])
    return made
