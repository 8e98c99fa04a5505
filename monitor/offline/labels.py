"""Reads labelled answers: CSV or JSON lines, of one or several annotators, or the output of a judge.

Every problem of a file is told at once, each with its line; then nothing is judged.
"""

from __future__ import annotations

import contextlib
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from monitor.errors import InputError
from monitor.offline.label_files import LABELS, records
from monitor.offline.label_words import read_label
from monitor.offline.lines import Fields
from monitor.offline.places import name_of, told
from monitor.offline.rows import Row, open_input, row_of
from monitor.records import JudgeIdentity
from monitor.traces.decode import make_decoder

IDS = ("id", "verdict_id", "case_id", "trace_id")
"""What an answer can be named by; the first that is given counts."""
_CONTENT = ("question", "contexts", "answer")
_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]{1,32})?")
_WORD = re.compile(r"[a-z][a-z0-9_.-]{0,47}")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\xad]")
_FINGERPRINT = re.compile(r"[0-9a-f]{12}")


@dataclass(slots=True)
class Labelled:
    """One answer with its labels, 0 to 1, by annotator. `row` is there when the file holds what can be judged."""

    id: str
    line: int
    labels: dict[str, float] = field(default_factory=dict)
    row: Row | None = None
    content: int | None = None
    """Tells whether two lines of one answer hold the same content."""
    language: str | None = None
    key: str = ""
    """Of `IDS`, the one that names it in the file; empty without any."""

    @property
    def label(self) -> float:
        """The mean over the annotators; there is at least one."""
        return math.fsum(self.labels.values()) / len(self.labels)


def together(answers: Sequence[Labelled]) -> Labelled:
    """Several of the same content as the first of them, with all labels: those of one annotator are a mean."""
    first, labels = answers[0], defaultdict[str, list[float]](list)
    for answer in answers:
        for annotator, label in answer.labels.items():
            labels[annotator].append(label)
    return replace(first, labels={name: math.fsum(given) / len(given) for name, given in labels.items()})


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
        for line, fields in records(stream, name_of(file)):
            if isinstance(fields, str):
                reader.problems.append((line, fields))
            else:
                reader.take(line, fields)
    found = reader.finish()
    if reader.problems:
        raise InputError(told(file, reader.problems))
    if not found.answers:
        raise InputError(f"{name_of(file)}: has no labelled answer")
    return found


def ids_of(fields: Mapping[str, object]) -> dict[str, str]:
    """All that an answer is named by, as text, by key; the first counts. Empty when it has no name."""
    given = ((key, fields.get(key)) for key in IDS)
    return {
        key: name.strip() if isinstance(name, str) else msgspec.json.encode(name).decode()
        for key, name in given
        if name is not None and name != ""
    }


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
        self._people: dict[str, str] = {"": ""}
        """The annotators by what is left of their names without case, width and blanks."""
        self._by_people = 0

    def take(self, line: int, fields: Fields) -> None:
        """Add one record, or what is wrong with it."""
        try:
            labels = self._labels(line, fields)
            key, name = next(iter(ids_of(fields).items()), ("", None))
            there = self._answers.get(name) if name is not None else None
            if there is None:
                self._answers[name or line] = self._answer(line, key, name, fields, labels)
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
        annotator = str(fields.get("annotator") or "")
        labels: dict[str, float] = {}
        for key, name in keys.items():
            label, who = _label(key, fields[key]), self._person(name or annotator)
            if label is not None and who in labels:
                raise ValueError(f"has two labels by {who[:64]!r}")
            labels.update({} if label is None else {who: label})
        self._by_people += bool(labels)
        return labels

    def _person(self, name: str) -> str:
        """The annotator of a name, as it was first written: `Ann` and `ann ` are one person."""
        plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold()
        return self._people.setdefault(" ".join(plain.split()), name.strip())

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

    def _answer(self, line: int, key: str, name: str | None, fields: Fields, labels: dict[str, float]) -> Labelled:
        answer = Labelled(name or f"line {line}", line, labels, language=language_of(fields), key=key)
        if self._judged_elsewhere:
            if name is None:
                raise ValueError(f"has no id to join by; the key is one of {', '.join(IDS)}")
            return answer
        content = _content(fields)
        if content is None:
            raise ValueError("has no answer to judge; add question, contexts and answer, or name a file with --rows")
        row = row_of({**fields, "id": None}, line, self._decoder)
        if row.trace is None:
            raise ValueError(row.problem)
        answer.row, answer.content = row, content
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
        if None not in {there.content, content := _content(fields)} and content != there.content:
            raise ValueError(f"the answer {there.id[:64]!r} has another content on line {there.line}")
        there.labels.update(labels)


def is_verdict(fields: Mapping[str, object]) -> bool:
    """Whether this is a line that `ragmon judge` wrote."""
    return "outcome" in fields and "evaluation" in fields


def identity_of(fields: Mapping[str, object]) -> JudgeIdentity:
    """Who gave a line of `ragmon judge`. Raises ValueError."""
    try:
        judge = msgspec.convert(fields.get("judge"), JudgeIdentity)
    except msgspec.ValidationError:
        judge = None
    if judge is None or not _WORD.fullmatch(judge.name) or not _FINGERPRINT.fullmatch(judge.fingerprint):
        raise ValueError("is a verdict without its judge; it is no whole line of `ragmon judge`")
    return JudgeIdentity(judge.name, judge.fingerprint)


def language_of(fields: Mapping[str, object]) -> str | None:
    """The language that a record names, as a code of two or three letters; None when it names none."""
    tag = _TAG.fullmatch(str(fields.get("language") or "").strip())
    return tag[1].lower() if tag else None


def word_of(fields: Mapping[str, object], key: str) -> str:
    """A bounded word of a line of `ragmon judge`; `other` for anything else, as a calibration holds no content."""
    word = str(fields.get(key) or "")
    return word if not word or _WORD.fullmatch(word) else "other"


def _identity(judge: JudgeIdentity) -> tuple[str, str]:
    return judge.name, judge.fingerprint


def _label(key: str, given: object) -> float | None:
    try:
        return read_label(given)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _content(fields: Fields) -> int | None:
    """A number that is the same for the same content; None without any."""
    content = [fields.get(key) or "" for key in _CONTENT]
    return hash(msgspec.json.encode(content)) if any(content) else None
