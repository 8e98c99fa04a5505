"""`ragmon calibrate`: a judge's scores against labels of people, or of another judge; figures, threshold and file."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from rich.console import Console

from monitor.building_judges import build_calibrations
from monitor.calibration import OTHER_FINGERPRINT, VERSION, Basis, Calibration, encode, uncalibrated
from monitor.clock import SystemClock
from monitor.config.judges import EmbeddedJudge
from monitor.config.settings import Settings
from monitor.errors import InputError, RagmonError
from monitor.judges.scorable import UNKNOWN_CONTEXT
from monitor.offline import OK
from monitor.offline.bench import JudgingTask, build_task
from monitor.offline.calibrate_labels import InForce, Told, in_force
from monitor.offline.calibrate_report import report
from monitor.offline.judged import Found, judge_now, judged_before, judged_in
from monitor.offline.labels import Labelled, Labels, read_labels, together
from monitor.offline.output import private_file
from monitor.offline.places import name_of, told
from monitor.offline.progress import progress_bar
from monitor.offline.unjudged import KEY_OF
from monitor.offline.when import iso
from monitor.quality.calibration import Fitted, Missing, Pair, fit
from monitor.quality.krippendorff import raters
from monitor.records import Outcome, is_somebody
from monitor.snapshot import BAD_BELOW

NOT_FOUND = "not_found"
_SHOWN = 5
"""Ids that are told of labels without a verdict."""
_MISSING_KEYS = {f"{Outcome.NOT_SCORABLE}:{reason}" for reason in KEY_OF}
_MISSING = (Outcome.JUDGE_ERROR, Outcome.SKIPPED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is compared: labels of a file with one judge's scores, given now or found in `rows` or `cases`."""

    labels: str
    evaluation: str
    judge: str | None = None
    rows: str | None = None
    cases: str | None = None


def main(wanted: Wanted, out: Path | None, settings: Settings, stdout: TextIO, *, force: bool, as_json: bool) -> int:
    """Compare, write the file, print. Raises InputError for a wrong file; RagmonError when no answer has a score."""
    labels = read_labels(wanted.labels, wanted.evaluation, judged_elsewhere=bool(wanted.rows or wanted.cases))
    with contextlib.ExitStack() as cleanup:
        file = cleanup.enter_context(private_file(out, force=force, example="calibration.json")) if out else None
        calibration, label, notes = _compared(wanted, labels, settings)
        if file is not None:
            file.write(encode(calibration))
            file.keep(force=force)
    if as_json:
        stdout.write(encode(calibration).decode())
    else:
        Console(file=stdout).print(report(calibration, label, notes, out))
    return OK


def _compared(wanted: Wanted, labels: Labels, settings: Settings) -> tuple[Calibration, InForce | None, list[str]]:
    """The calibration, how good the label in force is, and notes."""
    # a file is bound to the judge without any calibration, or the next one would be about the last one's threshold
    task = build_task(wanted.evaluation, wanted.judge, settings.model_copy(update={"calibration_files": ()}))
    judge = task.panel.members[0].judge
    configured = judge.identity(wanted.evaluation)
    found = _found(wanted, labels, task, configured.name)
    applied = build_calibrations(settings)
    found = {name: replace(one, fingerprint=applied.bare(one.fingerprint)) for name, one in found.items()}
    by_sentence = {one.name for one in settings.judges if isinstance(one, EmbeddedJudge)}
    basis: Basis = "worst" if configured.name in by_sentence else "score"
    fingerprint = _most(found, configured.fingerprint)
    answers = _distinct(labels.answers, found, fingerprint)
    fitted, no_score = _fitted(answers, found, fingerprint, basis)
    moves = basis == "worst" and fingerprint == configured.fingerprint
    label = in_force(_told(answers, found, fingerprint), applied.threshold(configured.name) if moves else None)
    if fitted.overall.n == 0:
        why = ", ".join(f"{reason} {count}" for reason, count in no_score.most_common())
        hint = "; passages are read from the column `contexts`" if UNKNOWN_CONTEXT in why else ""
        kind = InputError if no_score.keys() <= _MISSING_KEYS else RagmonError
        first = next((one.why for one in found.values() if one.why and one.outcome in _MISSING), "")
        raise kind(f"none of the {len(answers)} labelled answers has a score: {why}{hint}{first and f'; {first}'}")
    made = Calibration(
        version=VERSION,
        evaluation=wanted.evaluation,
        judge=configured.name,
        fingerprint=fingerprint,
        configured=configured.fingerprint,
        made=iso(SystemClock().now_ns()),
        labels_by="people" if labels.reference is None else "judge",
        reference=labels.reference,
        calibrated=False,
        uncalibrated="",
        threshold=fitted.threshold,
        threshold_on=basis,
        overall=fitted.overall,
        languages=fitted.languages,
        raters=raters(answer.labels for answer in answers),
        no_score=dict(sorted(no_score.items())),
        repeated=len(labels.answers) - len(answers),
    )
    reason = uncalibrated(made.labels_by, made.overall)
    made = replace(made, calibrated=not reason, uncalibrated=reason)
    return made, label, _notes(labels.blank, answers, made, remote=judge.remote)


def _notes(blank: int, answers: Sequence[Labelled], made: Calibration, *, remote: bool) -> list[str]:
    """What a person should know beside the figures."""
    notes = [f"without a label: {blank}"] if blank else []
    if made.repeated:
        notes.append(
            f"with the question, passages and answer of another one, and counted with it as one: {made.repeated}"
        )
    if halves := sum(answer.label == BAD_BELOW for answer in answers):
        notes.append(f"labels of 0.5, which count as good: {halves}; see docs/calibration.md")
    if made.fingerprint != made.configured and remote:
        notes.append(f"until its first answer after a start the judge is {made.configured}, and not calibrated")
    elif made.fingerprint != made.configured:
        notes.append(f"the configured judge is {made.configured}: these figures do not count for it")
    return notes


def _found(wanted: Wanted, labels: Labels, task: JudgingTask, judge: str) -> Found:
    """What the judge gave for the answers. Raises InputError."""
    with progress_bar(f"judging {wanted.evaluation}", len(labels.answers)) as done:
        if wanted.cases is not None:
            asyncio.run(task.panel.close())
            found = judged_before(wanted.cases, labels.answers, wanted.evaluation, judge)
        elif wanted.rows is not None:
            found = judged_in(wanted.rows, labels.answers, wanted.evaluation, task, done)
        else:
            found = judge_now(labels.answers, task, done)
    place = wanted.cases or wanted.rows
    foreign = sorted({one.judge for one in found.values()} - {judge, ""})
    if foreign:
        raise InputError(f"{name_of(place or '')}: was judged by {foreign[0]}, not by {judge}; name it with --judge")
    if place and (lost := [answer for answer in labels.answers if answer.id not in found]):
        sys.stderr.write(
            f"ragmon: {told(wanted.labels, [(answer.line, f'is not in {name_of(place)}') for answer in lost])}: "
        )
        sys.stderr.write(f"{_first(lost)}\n")
    return found


def _first(answers: Sequence[Labelled]) -> str:
    """The first ids of some answers."""
    more = len(answers) - _SHOWN
    shown = ", ".join(repr(answer.id[:64]) for answer in answers[:_SHOWN])
    return f"{shown} and {more} more" if more > 0 else shown


def _most(found: Found, configured: str) -> str:
    """The fingerprint to compare: that of the configured judge if it scored any answer, else the most frequent one."""
    scored = [one.fingerprint for one in found.values() if one.score is not None]
    counts = Counter(filter(is_somebody, scored))
    if not counts or configured in counts:
        return configured
    return min(counts, key=lambda name: (-counts[name], name))


def _distinct(answers: Sequence[Labelled], found: Found, fingerprint: str) -> list[Labelled]:
    """Each content once, with all its labels: a repetition says nothing new, and would narrow the intervals.

    It is called by the first that has a score of this fingerprint. Those whose content is not at hand stay apart.
    """

    def is_scored(answer: Labelled) -> bool:
        one = found.get(answer.id)
        return one is not None and one.score is not None and one.fingerprint == fingerprint

    same = defaultdict[object, list[Labelled]](list)
    for answer in answers:
        one = found.get(answer.id)
        same[one.content if one and one.content else answer.id].append(answer)
    return [together(sorted(group, key=is_scored, reverse=True)) for group in same.values()]


def _fitted(answers: Sequence[Labelled], found: Found, fingerprint: str, basis: Basis) -> tuple[Fitted, Counter[str]]:
    """The figures, and why answers have no score: those that a judge failed on could have gone either way."""
    pairs, missing = [], []
    no_score: Counter[str] = Counter()
    for answer in answers:
        one = found.get(answer.id)
        language = answer.language or (one.language if one else "und")
        if one is None:
            no_score[NOT_FOUND] += 1
        elif one.score is None:
            no_score[f"{one.outcome}:{one.reason}"] += 1
            if one.outcome in _MISSING:
                missing.append(Missing(answer.label < BAD_BELOW, language))
        elif one.fingerprint != fingerprint:
            no_score[OTHER_FINGERPRINT] += 1
        else:
            deciding = one.worst if basis == "worst" and one.worst is not None else one.score
            pairs.append(Pair(answer.label, one.score, deciding, language))
    return fit(pairs, missing), no_score


def _told(answers: Sequence[Labelled], found: Found, fingerprint: str) -> Iterator[Told]:
    """The answers with a score of this fingerprint."""
    for answer in answers:
        one = found.get(answer.id)
        if one is not None and one.score is not None and one.fingerprint == fingerprint:
            yield Told(answer.label < BAD_BELOW, answer.language or one.language, one)
