"""`ragmon judge audit`: what moves a judge beside quality, on rows of the user; table or JSON.

Every row is judged as it is, under each edit, and again as it is; answers that a judge would give again from memory
are asked for anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

from rich.console import Console

from monitor import tables
from monitor.config.judges import JudgeSettings, LlmJudge
from monitor.config.settings import Settings
from monitor.errors import InputError, RagmonError
from monitor.judges.reference.references import Reference
from monitor.judges.relevance import words_held
from monitor.offline import OK
from monitor.offline.audit_report import report
from monitor.offline.bench import Bench, build_bench, with_references
from monitor.offline.choice import choose
from monitor.offline.edits import EDITS
from monitor.offline.ends import Ends
from monitor.offline.label_files import LABELS
from monitor.offline.label_words import read_label
from monitor.offline.lines import Fields, numbered_objects
from monitor.offline.places import name_of, told
from monitor.offline.progress import progress_bar
from monitor.offline.row_keys import RowKeys
from monitor.offline.rows import Row, content_of, distinct, open_rows, row_of
from monitor.offline.shown import json_line
from monitor.offline.unjudged import explained
from monitor.protocols import Decoder
from monitor.quality.audit import Audit, Change, Length, Quality, Scored, length_bias, moved_by
from monitor.quality.comparison import unscored
from monitor.records import Judgement, RagTrace
from monitor.snapshot import BAD_BELOW
from monitor.traces.decode import make_decoder

AS_IT_IS = "as it is"
REPEATED = "repeated"
MIN_LABELLED = 30
"""Rows with a label from which quality is told by labels."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which judge is audited on which rows."""

    rows: str
    evaluation: str
    judge: str | None
    limit: int
    repeats: int


@dataclass(frozen=True, slots=True)
class Subject:
    """One row; `label` is 0 to 1, None without one."""

    trace: RagTrace
    reference: Reference | None
    label: float | None
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One text to judge: a row under an edit."""

    number: int
    edit: str
    trace: RagTrace
    reference: Reference | None


def main(wanted: Wanted, settings: Settings, stdout: TextIO, *, as_json: bool) -> int:
    """Audit and print. Raises InputError for rows that are wrong; RagmonError when none has a score."""
    settings = with_references(wanted.evaluation, settings)
    judge = choose(wanted.evaluation, wanted.judge, settings)
    subjects = _subjects(wanted.rows, wanted.limit)
    audit = _audited(wanted, _asked_anew(judge), subjects, settings)
    if as_json:
        stdout.write(json_line(audit))
    else:
        Console(file=stdout).print(report(audit))
    return OK


def _asked_anew(judge: JudgeSettings) -> JudgeSettings:
    """The judge without its memory of answers."""
    return judge.model_copy(update={"reuse": 0}) if isinstance(judge, LlmJudge) else judge


def _subjects(file: str, limit: int) -> list[Subject]:
    """The first rows of a file, each once. Raises InputError with every one that cannot be read."""
    decoder, found = make_decoder("plain"), []
    problems: list[tuple[int, str]] = []
    with contextlib.ExitStack() as cleanup:
        stream = open_rows(file, cleanup)
        for number, plain in itertools.islice(numbered_objects(stream, name_of(file)), limit):
            try:
                found.append(_subject(plain, number, decoder))
            except ValueError as error:
                problems.append((number, str(error)))
    if problems:
        raise InputError(told(file, problems))
    if not found:
        raise InputError(f"{name_of(file)}: has no row")
    return distinct(found, lambda subject: content_of(subject.trace, subject.reference), file)


def _subject(plain: Fields | str, number: int, decoder: Decoder) -> Subject:
    """The row of a line. Raises ValueError."""
    row = row_of(plain, number, decoder) if isinstance(plain, dict) else Row(None, None, plain)
    if row.trace is None or not isinstance(plain, dict):
        raise ValueError(row.problem)
    return Subject(row.trace, row.reference, _label(plain), row.keys)


def _label(plain: Mapping[str, object]) -> float | None:
    """The mean of the row's labels, None without any. Raises ValueError."""
    given = [label for key in plain if LABELS.fullmatch(key) and (label := read_label(plain[key])) is not None]
    return sum(given) / len(given) if given else None


# -------------------------------------------------------------------------------------------------------------- judging


Results = Mapping[str, Mapping[int, Sequence[Judgement]]]
"""By edit and number of the row; a repetition has several."""


def _audited(wanted: Wanted, judge: JudgeSettings, subjects: Sequence[Subject], settings: Settings) -> Audit:
    bench = build_bench([judge], [wanted.evaluation], settings)
    results = _judged(bench, list(_tasks(subjects, wanted.repeats)), wanted.evaluation)
    as_it_is = [item for (item,) in results[AS_IT_IS].values()]
    if all(item.score is None for item in as_it_is):
        unreached = next(filter(None, map(bench.unreached, as_it_is)), "")
        raise _none_scored(wanted, judge.name, subjects, as_it_is, unreached)
    _tell_missing(judge.name, results, bench)
    results = _of_one_judge(judge.name, results)
    before = {number: scored for number, (item,) in results[AS_IT_IS].items() if (scored := _scored(item))}
    kinds = [("repetition", REPEATED), *((edit.kind, edit.name) for edit in EDITS)]
    return Audit(
        evaluation=wanted.evaluation,
        judge=results[AS_IT_IS][next(iter(before))][0].judge,
        rows=len(subjects),
        scored=len(before),
        deterministic=not bench.panel.members[0].judge.remote,
        repeats=wanted.repeats,
        length=_length([(subjects[number], scored.score) for number, scored in before.items()]),
        edits=tuple(moved_by(kind, edit, _changes(before, results.get(edit, {}))) for kind, edit in kinds),
    )


def _tell_missing(judge: str, results: Results, bench: Bench) -> None:
    """Say how many texts the judge owes a score, and why."""
    ends = Ends()
    for item in _all(results):
        ends.take(item.outcome, item.reason, explained(item, (), bench.endpoints))
    if ends.has_missing:
        sys.stderr.write(f"ragmon: {judge}: {ends.told('texts')}\n")


def _of_one_judge(judge: str, results: Results) -> Results:
    """Without what other fingerprints scored than the one that scored most rows as they are; says how much that was.

    A model that is exchanged in between, and not the edit, would be what moves the scores.
    """
    scored = [item for item in _all(results) if item.score is not None]
    prints = Counter(item.judge.fingerprint for (item,) in results[AS_IT_IS].values() if item.score is not None)
    most = max(prints, key=lambda name: prints[name])
    others = sum(item.judge.fingerprint != most for item in scored)
    if not others:
        return results
    sys.stderr.write(
        f"ragmon: {judge}: {others} of {len(scored)} scores are of other fingerprints than {most}, and do not count: "
        "was the model exchanged, or does the address lead to several?\n"
    )
    return {
        edit: {number: own for number, items in rows.items() if (own := _own(items, most))}
        for edit, rows in results.items()
    }


def _own(items: Sequence[Judgement], fingerprint: str) -> list[Judgement]:
    return [item for item in items if item.score is None or item.judge.fingerprint == fingerprint]


def _all(results: Results) -> Iterator[Judgement]:
    return (item for rows in results.values() for items in rows.values() for item in items)


def _none_scored(
    wanted: Wanted, judge: str, subjects: Sequence[Subject], items: Sequence[Judgement], unreached: str
) -> RagmonError:
    """Why there is nothing to audit; an InputError when a key stands in no row."""
    keys = RowKeys()
    for subject in subjects:
        keys.take(subject.keys)
    if problem := keys.problem(wanted.evaluation, {item.reason for item in items}):
        return InputError(f"{name_of(wanted.rows)}: {problem}")
    why = tables.counted(unscored((item.outcome, item.reason) for item in items))
    return RagmonError(f"{judge} gave none of the {len(subjects)} rows a score: {why}{unreached and f'; {unreached}'}")


def _tasks(subjects: Sequence[Subject], repeats: int) -> Iterator[Task]:
    """The texts; each has a trace id of its own, as references are found by it."""
    for number, subject in enumerate(subjects):
        edited = ((edit.name, edit.make(subject.trace)) for edit in EDITS)
        as_it_is = [(AS_IT_IS, subject.trace), *[(REPEATED, subject.trace)] * repeats]
        for index, (name, trace) in enumerate([*as_it_is, *edited]):
            if trace is not None:
                own = replace(trace, trace_id=f"{trace.trace_id}-{index}")
                yield Task(number, name, own, subject.reference)


def _judged(bench: Bench, tasks: Sequence[Task], evaluation: str) -> Results:
    results: dict[str, dict[int, list[Judgement]]] = {}
    with progress_bar(f"auditing {evaluation}", len(tasks)) as advance:

        async def work(task: Task) -> Judgement:
            judgements = await bench.judge(task.trace, task.reference)
            return next(item for item in judgements if item.evaluation == evaluation)

        def done(task: Task, item: Judgement) -> None:
            advance()
            results.setdefault(task.edit, {}).setdefault(task.number, []).append(item)

        asyncio.run(bench.each(tasks, work, done))
    return results


def _scored(item: Judgement) -> Scored | None:
    """A score with its word; None without one."""
    if item.score is None:
        return None
    return Scored(item.score, item.label or ("bad" if item.score < BAD_BELOW else "good"))


def _changes(before: Mapping[int, Scored], after: Mapping[int, Sequence[Judgement]]) -> list[Change]:
    return [
        Change(before[number], tuple(scored for item in items if (scored := _scored(item))))
        for number, items in after.items()
        if number in before
    ]


def _length(scored: Sequence[tuple[Subject, float]]) -> Length:
    """Against the labels where enough rows have one, else against how much of the answer stands in the passages."""
    labelled = [(subject, score, subject.label) for subject, score in scored if subject.label is not None]
    if len(labelled) >= MIN_LABELLED:
        return _length_of(labelled, "label")
    covered = [(subject, score, _coverage(subject.trace)) for subject, score in scored]
    return _length_of([(one, score, known) for one, score, known in covered if known is not None], "coverage")


def _length_of(rows: Sequence[tuple[Subject, float, float]], quality: Quality) -> Length:
    lengths = [float(len(subject.trace.answer or "")) for subject, _, _ in rows]
    return length_bias([score for _, score, _ in rows], lengths, [known for _, _, known in rows], quality)


def _coverage(trace: RagTrace) -> float | None:
    """Which share of the answer's content words, rare ones counting more, stands in any passage."""
    found = words_held(trace.answer or "", ["\n".join(passage.text for passage in trace.contexts)])
    return found[0] if found else None
