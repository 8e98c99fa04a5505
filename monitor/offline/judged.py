"""Brings labelled answers and scores together: judged now, or found by id in judged rows or in the sample set."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import msgspec

from monitor.errors import InputError, SinkError
from monitor.offline.bench import JudgingTask
from monitor.offline.labels import Labelled, identity_of, ids_of, is_verdict, language_of, word_of
from monitor.offline.lines import Fields, numbered_objects
from monitor.offline.places import name_of, told
from monitor.offline.rows import Content, Row, content_of_texts, open_rows, row_of
from monitor.protocols import Decoder
from monitor.records import JudgeIdentity, Outcome
from monitor.stages.verdicts import told_apart, verdict_id
from monitor.traces.decode import make_decoder

_COLUMNS = ("case_id", "trace_id", "request_id", "language", "judgements", "question", "answer", "contexts")

_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]

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
    content: Content | None = None
    """Of the answer, None where it is not at hand: a line of `ragmon judge` has none."""
    why: str = ""
    """What is said of an answer that was judged now and has no score; it may quote the row."""
    label: str = ""
    """The word that the judge gave, as `unfaithful`; empty where there is none."""


Found = Mapping[str, Judged]
"""By the id of the answer. One that is not there was not found."""


def judge_now(answers: Sequence[Labelled], task: JudgingTask, done: Done) -> Found:
    """Judge the answers that hold what can be judged; the same verdicts as of `ragmon judge`."""
    rows = (
        Row(answer.id, answer.row.trace, reference=answer.row.reference) for answer in answers if answer.row is not None
    )
    return _judged_rows(rows, task, done)


def judged_in(file: str, answers: Sequence[Labelled], evaluation: str, task: JudgingTask, done: Done) -> Found:
    """The verdicts on the answers in a file: lines of `ragmon judge`, or rows, which are judged now.

    Raises InputError with every line that cannot be read or that names an answer again, for a file of another kind,
    and when it holds none of the answers.
    """
    joined = _Join({answer.id: answer.key for answer in answers}, evaluation)
    problems = []
    with contextlib.ExitStack() as cleanup:
        stream = open_rows(file, cleanup)
        for number, plain in numbered_objects(stream, name_of(file)):
            try:
                joined.take(number, plain)
            except ValueError as error:
                problems.append((number, str(error)))
    if problems:
        raise InputError(told(file, problems))
    if not joined.verdicts and not joined.rows:
        raise InputError(f"{_none_in(file, answers)}{joined.first and f'; the first row has {joined.first}'}")
    return joined.verdicts | dict(_judged_rows(iter(joined.rows.values()), task, done))


@dataclass(slots=True)
class _Join:
    """What a file says of the answers: verdicts, or rows to judge."""

    wanted: Mapping[str, str]
    """The names of the answers, with the key that names them in the labels."""
    evaluation: str
    first: str = ""
    """The names of the first row, for a person."""
    verdicts: dict[str, Judged] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    decoder: Decoder = field(default_factory=lambda: make_decoder("plain"))

    def take(self, number: int, plain: Fields | str) -> None:
        """Add the object of a line. Raises ValueError with what is wrong with it."""
        if isinstance(plain, str):
            raise ValueError(plain)  # noqa: TRY004 - it says what is wrong with the line
        names = ids_of(plain)
        self.first = self.first or _shown(names)
        name = self._wanted_of(names)
        if name is None or (is_verdict(plain) and plain["evaluation"] != self.evaluation):
            return
        if name in self.verdicts or name in self.rows:
            raise ValueError(f"the answer {name[:64]!r} stands here again")
        if is_verdict(plain):
            self.verdicts[name] = _verdict(plain)
        else:
            self.rows[name] = row_of({**plain, "id": name}, number, self.decoder)

    def _wanted_of(self, names: Mapping[str, str]) -> str | None:
        """The answer that a row is: by the key of the labels, or by any name of a row that has no such key."""
        for key, name in names.items():
            by = self.wanted.get(name)
            if by == key or (by is not None and by not in names):
                return name
        return None


def _none_in(place: str, answers: Sequence[Labelled]) -> str:
    keys = " or ".join(dict.fromkeys(f"`{answer.key}`" for answer in answers))
    return f"{name_of(place)}: holds none of the labelled answers; {keys} joins them, such as {answers[0].id[:64]!r}"


def _shown(names: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {name[:64]!r}" for key, name in names.items()) or "no id"


def judged_before(path: str, answers: Sequence[Labelled], evaluation: str, judge: str) -> Found:
    """The verdicts of a judge on the answers in a sample set, which are named by case, verdict or trace.

    Raises InputError when it cannot be read, holds none of the answers, or when a trace id stands for several requests.
    """
    if os.path.isfile(path):  # noqa: PTH113 - Path raises for a name that cannot be one
        raise InputError(f"{path}: is a file; --cases takes the folder of a sample set, rows go to --rows")
    from exporters.dataset import DeltaSampleSet  # noqa: PLC0415 - pyarrow is large, and seldom needed here

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
    if not found:
        raise InputError(_none_in(path, answers))
    return found


def _judged_rows(rows: Iterator[Row], task: JudgingTask, done: Done) -> Found:
    found: dict[str, Judged] = {}

    def write(row: Row, line: dict[str, object]) -> None:
        made = replace(_verdict(line), content=row.content)
        found[str(row.id)] = made if made.score is not None else replace(made, why=str(line["explanation"]))
        done()

    asyncio.run(task.run(rows, write))
    return found


class _Piece(msgspec.Struct):
    score: _Share


class _Line(msgspec.Struct):
    """What is needed of a line of `ragmon judge`."""

    score: _Share | None = None
    evidence: list[_Piece] = []


def _verdict(line: Mapping[str, object]) -> Judged:
    """A line of `ragmon judge`. Raises ValueError when it is none."""
    try:
        read = msgspec.convert(line, _Line)
    except msgspec.ValidationError as error:
        raise ValueError(f"is no line of `ragmon judge`: {error}") from None
    who = identity_of(line) if line.get("judge") is not None else None
    return Judged(
        word_of(line, "outcome"),
        word_of(line, "reason"),
        read.score,
        min((piece.score for piece in read.evidence), default=None),
        who.name if who else "",
        who.fingerprint if who else "",
        language_of(line) or "und",
        label=word_of(line, "label"),
    )


def _named(case: Mapping[str, Any], evaluation: str, judge: str) -> Iterator[tuple[str, Judged]]:
    """Each name of a case with what the judge gave there."""
    content = content_of_texts(case["question"], case["answer"], (one["text"] for one in case["contexts"] or ()))
    for item in case["judgements"] or ():
        if (item["evaluation"], item["judge"]) != (evaluation, judge):
            continue
        made = Judged(
            item["outcome"],
            item["reason"],
            item["score"],
            min((piece["score"] for piece in item["evidence"] or ()), default=None),
            judge,
            item["fingerprint"],
            case.get("language") or "und",
            content,
            label=word_of(item, "label"),
        )
        shadow_of = item.get("shadow_of") or ""  # a table of before has no such column
        who = JudgeIdentity(judge, made.fingerprint, shadow_of=shadow_of)
        yield verdict_id(case["trace_id"], case["request_id"], evaluation, told_apart(who)), made
        yield case["case_id"], made
        yield case["trace_id"], made
