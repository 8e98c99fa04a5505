"""One request before one group of evaluations: what is still to be asked, and what has come of it.

What came for one evaluation never touches another: each one's verdict is found by its name, read by its own rules, and
fails alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from monitor.errors import JudgeError
from monitor.judges.prompts.claims import Claims
from monitor.judges.prompts.evaluation import Evaluation
from monitor.judges.prompts.grades import Grades
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.reading import Items, Reading, Said
from monitor.judges.reasons import Failure, Reason
from monitor.judges.servers.pricing import add
from monitor.records import Usage


class Sitting:
    """Begins with the evaluations that apply to the request; after `close` each of them has a result."""

    def __init__(self, evaluations: Sequence[Evaluation], material: Material) -> None:
        self.evaluations = tuple(evaluations)
        self.material = material
        self.results: dict[str, Reading | Failure] = {}
        self.flags: set[str] = set()
        """Of all its judgements."""
        self.windowed: frozenset[str] = frozenset()
        """Evaluations that see the passages in several windows."""
        self.usage = Usage()
        self.seconds = 0.0
        """That its calls took, one after the other."""
        self._items: dict[str, Items] = {}

    def open(self) -> tuple[Evaluation, ...]:
        """The evaluations that another window of the passages may still move."""
        return tuple(evaluation for evaluation in self.evaluations if self._is_open(evaluation))

    def claims(self, asked: Iterable[Evaluation]) -> tuple[str, ...] | None:
        """The claims that a window is to judge; None where they are still to be listed, or nobody asks for any."""
        for evaluation in asked:
            if isinstance(evaluation.reads, Claims) and evaluation.evaluation in self._items:
                return evaluation.reads.unsettled(self._items[evaluation.evaluation])
        return None

    def spend(self, usage: Usage, seconds: float) -> None:
        """Add the cost and the time of a call."""
        self.usage = add(self.usage, usage)
        self.seconds += seconds

    def take(self, evaluation: Evaluation, said: Said, shown: Material) -> None:
        """Read the verdict of one evaluation. Raises JudgeRejected."""
        name, reader = evaluation.evaluation, evaluation.reads
        if isinstance(reader, Claims | Grades):
            items = reader.judged(said, shown)
            self._items[name] = reader.merge(self._items[name], items) if name in self._items else items
        else:
            self.results[name] = reader.read(said, shown)

    def fail(self, evaluations: Iterable[Evaluation], failure: Failure) -> None:
        """Give up some evaluations: part of what they need is missing for good."""
        asked = failure.asked or self.usage.calls > 0
        self.results |= dict.fromkeys(
            (evaluation.evaluation for evaluation in evaluations), dataclasses.replace(failure, asked=asked)
        )

    @property
    def left_to_read(self) -> int:
        """Characters that `close` compares."""
        listed = {one.evaluation: one.reads for one in self.evaluations if one.evaluation in self._items}
        return sum(
            len(self.material.text(reader.of)) + sum(len(piece.text) for piece in self._items[name].evidence)
            for name, reader in listed.items()
            if isinstance(reader, Claims)
        )

    def close(self) -> None:
        """Score what was judged in windows."""
        for evaluation in self.evaluations:
            name, reader = evaluation.evaluation, evaluation.reads
            if name in self.results or not isinstance(reader, Claims | Grades):
                continue
            try:
                self.results[name] = reader.reading(self._items[name], self.material)
            except JudgeError as error:
                self.results[name] = Failure(Reason(error.reason), error.detail)

    def _is_open(self, evaluation: Evaluation) -> bool:
        name, reader = evaluation.evaluation, evaluation.reads
        if name in self.results:
            return False
        if name not in self._items:
            return True
        if not evaluation.wants_passages:
            return False
        return not isinstance(reader, Claims) or bool(reader.unsettled(self._items[name]))
