"""Reads labelled answers: CSV or JSON lines, of one or several annotators, or the output of a judge.

Every problem of a file is told at once, each with its line; then nothing is judged.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from monitor.errors import InputError
from monitor.offline.judge import MAX_LINE, Row, name_of, numbered_lines, open_input, parse_line, row_of
from monitor.offline.label_words import read_label
from monitor.records import JudgeIdentity
from monitor.sources.streams import DAMAGE
from monitor.traces.decode import make_decoder

IDS = ("id", "verdict_id", "case_id", "trace_id")
"""What an answer can be named by; the first that is given counts."""
LABELS = re.compile(r"label(?:_(.+))?", re.DOTALL)
"""Keys of labels: `label`, or one for each annotator, such as `label_1`."""
_CONTENT = ("question", "contexts", "answer")
_TOLD = 50
_BOM = b"\xef\xbb\xbf"

Fields = dict[str, object]


@dataclass(slots=True)
class Labelled:
    """One answer with its labels, 0 to 1, by annotator. `row` is there when the file holds what can be judged."""

    id: str
    line: int
    labels: dict[str, float] = field(default_factory=dict)
    row: Row | None = None
    content: tuple[object, ...] = ()
    language: str | None = None

    @property
    def label(self) -> float:
        """The mean over the annotators; there is at least one."""
        return math.fsum(self.labels.values()) / len(self.labels)


@dataclass(frozen=True, slots=True)
class Labels:
    """The labelled answers of a file. `reference` is the judge that gave the labels, None for people."""

    answers: tuple[Labelled, ...]
    blank: int
    """Answers in the file that nobody has labelled."""
    reference: JudgeIdentity | None


def read_labels(file: str, evaluation: str, *, judged_elsewhere: bool) -> Labels:
    """The labels of a file (plain, gzip or zstd; `-`: standard input).

    With `judged_elsewhere` an answer is joined by its id and its content is not read; without, each must hold what can
    be judged. Raises InputError with every problem.
    """
    reader = _Reader(evaluation, judged_elsewhere=judged_elsewhere)
    with contextlib.ExitStack() as cleanup:
        stream = open_input(file, cleanup)
        for line, fields in _records(stream):
            if isinstance(fields, str):
                reader.problems.append((line, fields))
            else:
                reader.take(line, fields)
    found = reader.finish()
    if reader.problems:
        shown = [f"{name_of(file)}:{line}: {problem}" for line, problem in reader.problems[:_TOLD]]
        more = len(reader.problems) - len(shown)
        raise InputError("\n".join([*shown, *([f"and {more} more"] if more > 0 else [])]))
    if not found.answers:
        raise InputError(f"{name_of(file)}: has no labelled answer")
    return found


def id_of(fields: Mapping[str, object]) -> str | None:
    """By what an answer is named, as text; None when it has no name."""
    for name in IDS:
        given = fields.get(name)
        if given is not None and given != "":
            return given.strip() if isinstance(given, str) else msgspec.json.encode(given).decode()
    return None


class _Reader:
    """Takes records one by one and merges those of the same answer."""

    def __init__(self, evaluation: str, *, judged_elsewhere: bool) -> None:
        self.problems: list[tuple[int, str]] = []
        self._evaluation = evaluation
        self._judged_elsewhere = judged_elsewhere
        self._decoder = make_decoder("plain")
        self._answers: dict[str | int, Labelled] = {}
        """By id, or by line where there is none."""
        self._judges: dict[JudgeIdentity, int] = {}
        self._by_people = 0

    def take(self, line: int, fields: Fields) -> None:
        """Add one record, or what is wrong with it."""
        try:
            labels = self._labels(line, fields)
            name = id_of(fields)
            there = self._answers.get(name) if name is not None else None
            if there is None:
                self._answers[name or line] = self._answer(line, name, fields, labels)
            else:
                self._merge(there, fields, labels)
        except ValueError as error:
            self.problems.append((line, str(error)))

    def finish(self) -> Labels:
        """All that was taken."""
        if self._judges and self._by_people:
            self.problems.append((min(self._judges.values()), "labels of people and of a judge do not mix"))
        elif len(self._judges) > 1:
            names = ", ".join(f"{judge.name} {judge.fingerprint}" for judge in sorted(self._judges, key=_identity))
            self.problems.append((max(self._judges.values()), f"labels of several judges do not mix: {names}"))
        answers = tuple(answer for answer in self._answers.values() if answer.labels)
        return Labels(answers, len(self._answers) - len(answers), next(iter(self._judges), None))

    def _labels(self, line: int, fields: Fields) -> dict[str, float]:
        keys = {key: found[1] for key in fields if (found := LABELS.fullmatch(key))}
        if is_verdict(fields):
            keys.pop("label", None)  # the judge's own
            if not keys:
                return self._label_of_judge(line, fields)
        if not keys:
            raise ValueError("has no label; the key is `label`, or `label_1`, `label_2` for several annotators")
        annotator = str(fields.get("annotator") or "").strip()
        given = {name or annotator: _label(key, fields[key]) for key, name in keys.items()}
        labels = {name: label for name, label in given.items() if label is not None}
        self._by_people += bool(labels)
        return labels

    def _label_of_judge(self, line: int, fields: Fields) -> dict[str, float]:
        """A line of `ragmon judge`: its score is the label."""
        if fields["evaluation"] != self._evaluation:
            raise ValueError(f"is a verdict on {fields['evaluation']}, not on {self._evaluation}")
        score = read_label(fields.get("score"))
        if score is None:
            return {}
        judge = identity_of(fields)
        self._judges.setdefault(judge, line)
        return {judge.name: score}

    def _answer(self, line: int, name: str | None, fields: Fields, labels: dict[str, float]) -> Labelled:
        language = fields.get("language")
        answer = Labelled(name or f"line {line}", line, labels, language=str(language) if language else None)
        if self._judged_elsewhere:
            if name is None:
                raise ValueError(f"has no id to join by; the key is one of {', '.join(IDS)}")
            return answer
        if not any(fields.get(key) for key in _CONTENT):
            raise ValueError("has no answer to judge; add question, contexts and answer, or name a file with --rows")
        row = row_of({**fields, "id": None}, line, self._decoder)
        if row.trace is None:
            raise ValueError(row.problem)
        answer.row, answer.content = row, _content(fields)
        return answer

    def _merge(self, there: Labelled, fields: Fields, labels: dict[str, float]) -> None:
        """One more annotator of an answer."""
        twice = sorted(there.labels.keys() & labels.keys())
        if twice or (labels and there.labels and "" in labels.keys() | there.labels.keys()):
            who = f" by {twice[0]}" if twice and twice[0] else ""
            raise ValueError(
                f"the answer {there.id[:64]!r} was labelled{who} on line {there.line}, too; "
                "name who labelled in `annotator`, each of them once"
            )
        if there.content and any(_content(fields)) and _content(fields) != there.content:
            raise ValueError(f"the answer {there.id[:64]!r} has another content on line {there.line}")
        there.labels.update(labels)


def is_verdict(fields: Mapping[str, object]) -> bool:
    """Whether this is a line that `ragmon judge` wrote."""
    return "outcome" in fields and "evaluation" in fields


def identity_of(fields: Mapping[str, object]) -> JudgeIdentity:
    """Who gave a line of `ragmon judge`. Raises ValueError."""
    try:
        return msgspec.convert(fields.get("judge"), JudgeIdentity)
    except msgspec.ValidationError:
        raise ValueError("is a verdict without its judge; it is no whole line of `ragmon judge`") from None


def _identity(judge: JudgeIdentity) -> tuple[str, str]:
    return judge.name, judge.fingerprint


def _label(key: str, given: object) -> float | None:
    try:
        return read_label(given)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _content(fields: Fields) -> tuple[object, ...]:
    return tuple(fields.get(key) or "" for key in _CONTENT)


# ----------------------------------------------------------------------------------------------------------- formats


def _records(stream: io.BufferedReader) -> Iterator[tuple[int, Fields | str]]:
    """Each record with the number of its first line, or what is wrong with it."""
    try:
        head = stream.peek(len(_BOM))
        if head.startswith(_BOM):
            stream.read(len(_BOM))
        first = stream.peek(1).lstrip()[:1]
    except DAMAGE as error:
        yield 1, f"the input is damaged here: {error}"
        return
    if first == b"[":
        yield 1, "is one JSON list; write one object a line"
        return
    yield from _json_lines(stream) if first == b"{" else _csv_lines(stream)


def _json_lines(stream: io.BufferedReader) -> Iterator[tuple[int, Fields | str]]:
    for number, line in numbered_lines(stream):
        yield number, parse_line(line)


def _csv_lines(stream: io.BufferedReader) -> Iterator[tuple[int, Fields | str]]:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    before = csv.field_size_limit(MAX_LINE)
    line = 1
    try:
        head = text.readline(MAX_LINE)
        separator = max(",;\t", key=head.count)
        names = [name.strip() for name in next(csv.reader([head], delimiter=separator, strict=True), [])]
        if problem := _header_problem(names):
            yield 1, problem
            return
        reader = csv.reader(text, delimiter=separator, strict=True)
        line = 2
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, _csv_fields(names, cells)
            line = reader.line_num + 2
    except (csv.Error, UnicodeDecodeError) as error:
        yield line, _csv_problem(error)
    except DAMAGE as error:
        yield line, f"the input is damaged here: {error}"
    finally:
        csv.field_size_limit(before)  # a setting of the whole process
        text.detach()  # whoever opened the stream closes it


def _header_problem(names: list[str]) -> str:
    if not any(map(LABELS.fullmatch, names)):
        return (
            "the header of the CSV file names no `label`; its columns are such as id, question, contexts, answer, label"
        )
    twice = sorted({name for name in names if name and names.count(name) > 1})
    return f"the header names {', '.join(twice)} twice" if twice else ""


def _csv_fields(names: list[str], cells: list[str]) -> Fields | str:
    if len(cells) != len(names):
        return f"has {len(cells)} cells, and the header {len(names)}; put texts with separators or quotes in quotes"
    fields: Fields = {name: cell for name, cell in zip(names, cells, strict=True) if name}
    contexts = str(fields.pop("contexts", "") or "").strip()
    if contexts.startswith("["):
        try:
            fields["contexts"] = msgspec.json.decode(contexts, type=list[object])
        except (msgspec.DecodeError, RecursionError) as error:
            return f"contexts: is not a JSON list of passages: {error}"
    elif contexts:
        fields["contexts"] = [contexts]
    return {name: value for name, value in fields.items() if value != "" or LABELS.fullmatch(name)}


def _csv_problem(error: csv.Error | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8 text; save it as `CSV UTF-8`"
    return f"is not CSV: {error}"
