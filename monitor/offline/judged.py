"""Brings labelled answers and scores together: judged now, or found by id in judged rows or in the sample set."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from exporters.dataset import DeltaSampleSet
from monitor.errors import InputError, SinkError
from monitor.offline.judge import JudgingTask, Row, name_of, numbered_lines, open_input, parse_line, row_of
from monitor.offline.labels import Labelled, id_of, identity_of, is_verdict, language_of, word_of
from monitor.records import Outcome
from monitor.traces.decode import make_decoder
from monitor.verdicts import verdict_id

_COLUMNS = ("case_id", "trace_id", "request_id", "language", "judgements")

Done = Callable[[], None]
"""Called for each answer that was judged."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge gave for one answer. `worst` is the least score of its pieces of evidence, None without any."""

    outcome: str
    reason: str
    score: float | None
    worst: float | None
    judge: str
    fingerprint: str
    language: str


Found = Mapping[str, Judged]
"""By the id of the answer. One that is not there was not found."""


def judge_now(answers: Sequence[Labelled], task: JudgingTask, done: Done) -> Found:
    """Judge the answers that hold what can be judged; the same verdicts as of `ragmon judge`."""
    rows = (
        Row(answer.id, answer.row.trace, reference=answer.row.reference) for answer in answers if answer.row is not None
    )
    return _judged_rows(rows, task, done)


def judged_in(file: str, answers: Iterable[Labelled], evaluation: str, task: JudgingTask, done: Done) -> Found:
    """The verdicts on the answers in a file: lines of `ragmon judge`, or rows, which are judged now.

    Raises InputError with every line that cannot be read or that names an answer again.
    """
    wanted = {answer.id for answer in answers}
    decoder = make_decoder("plain")
    found: dict[str, Judged] = {}
    rows: dict[str, Row] = {}
    problems = []
    with contextlib.ExitStack() as cleanup:
        stream = open_input(file, cleanup)
        for number, line in numbered_lines(stream):
            plain = parse_line(line)
            name = None if isinstance(plain, str) else id_of(plain)
            if isinstance(plain, str):
                problems.append(f"{name_of(file)}:{number}: {plain}")
            elif name in wanted and (not is_verdict(plain) or plain["evaluation"] == evaluation):
                if name in found or name in rows:
                    problems.append(f"{name_of(file)}:{number}: the answer {name[:64]!r} stands here again")
                elif is_verdict(plain):
                    found[name] = _verdict(plain)
                else:
                    rows[name] = row_of({**plain, "id": name}, number, decoder)
    if problems:
        raise InputError("\n".join(problems))
    return found | dict(_judged_rows(iter(rows.values()), task, done))


def judged_before(path: str, answers: Iterable[Labelled], evaluation: str, judge: str) -> Found:
    """The verdicts of a judge on the answers in a sample set, which are named by case, verdict or trace.

    Raises InputError when it cannot be read, or when a trace id stands for several requests.
    """
    wanted = {answer.id for answer in answers}
    found: dict[str, Judged] = {}
    cases: dict[str, str] = {}
    try:
        for case in DeltaSampleSet(path).read(columns=_COLUMNS):
            for name, verdict in _named(case, evaluation, judge):
                if name not in wanted:
                    continue
                if cases.setdefault(name, str(case["case_id"])) != case["case_id"]:
                    raise InputError(f"{path}: {name[:64]!r} stands for several requests; name them by case_id")
                if name not in found or verdict.outcome == Outcome.SCORED:
                    found[name] = verdict
    except SinkError as error:
        raise InputError(str(error)) from None
    return found


def _judged_rows(rows: Iterator[Row], task: JudgingTask, done: Done) -> Found:
    found: dict[str, Judged] = {}

    def write(row: Row, line: dict[str, object]) -> None:
        found[str(row.id)] = _verdict(line)
        done()

    asyncio.run(task.run(rows, write))
    return found


def _verdict(line: Mapping[str, Any]) -> Judged:
    """A line of `ragmon judge`. Raises InputError when it is not a whole one."""
    try:
        who = identity_of(line) if line.get("judge") is not None else None
        return Judged(
            word_of(line, "outcome"),
            word_of(line, "reason"),
            msgspec.convert(line.get("score"), float | None),
            _worst(line.get("evidence") or ()),
            who.name if who else "",
            who.fingerprint if who else "",
            language_of(line) or "und",
        )
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError(f"a verdict cannot be read: {error}") from None


def _named(case: Mapping[str, Any], evaluation: str, judge: str) -> Iterator[tuple[str, Judged]]:
    """Each name of a case with what the judge gave there."""
    for item in case["judgements"] or ():
        if (item["evaluation"], item["judge"]) != (evaluation, judge):
            continue
        made = Judged(
            item["outcome"],
            item["reason"],
            item["score"],
            _worst(item["evidence"] or ()),
            judge,
            item["fingerprint"],
            case.get("language") or "und",
        )
        yield verdict_id(case["trace_id"], case["request_id"], evaluation, made.fingerprint), made
        yield case["case_id"], made
        yield case["trace_id"], made


def _worst(evidence: Iterable[Mapping[str, Any]]) -> float | None:
    return min((float(piece["score"]) for piece in evidence), default=None)
