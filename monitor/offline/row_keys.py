"""Which keys the rows of a file have: says why none has a score when a key that is needed stands in no row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from monitor.judges.scorable import needs_of
from monitor.offline.unjudged import KEY_OF, found_keys, meant


@dataclass(slots=True)
class RowKeys:
    """What is known of the keys after the rows that were taken."""

    _lacking: set[str] = field(default_factory=lambda: set(KEY_OF.values()))
    _first: Sequence[str] = ()

    def take(self, keys: Sequence[str]) -> None:
        """Add the keys of a row; none for a line that is no object."""
        self._lacking.difference_update(keys)
        self._first = self._first or sorted(keys)

    def problem(self, evaluation: str, reasons: Collection[str]) -> str:
        """Which keys stand in no row, when one of them is among the reasons of rows without a score; else nothing."""
        asked = self._lacking & {KEY_OF[reason] for reason in reasons if reason in KEY_OF}
        if not asked:
            return ""
        missing = [key for key in KEY_OF.values() if key in asked | (self._lacking & _needed(evaluation))]
        keys = found_keys(self._first)
        return f"no row has {_listed(missing)}; the keys of the first are {keys}{meant(missing, self._first)}"


def _needed(evaluation: str) -> set[str]:
    needs = needs_of(evaluation)
    wanted = {"question": needs.question, "contexts": needs.contexts or needs.retrieval, "answer": needs.answer}
    return {key for key, is_needed in wanted.items() if is_needed}


def _listed(keys: Sequence[str]) -> str:
    return " or ".join(f"`{key}`" for key in keys)
