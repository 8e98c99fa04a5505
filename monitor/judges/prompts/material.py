"""What one call shows of a request: the data that its evaluations need, and only that."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from monitor.records import PassageKind, RagTrace

Field = Literal["question", "search_query", "answer", "reference", "passages", "claims"]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage, or the part of it from offset `start` on. `number` counts the request's passages from 1."""

    number: int
    text: str
    start: int = 0


@dataclass(frozen=True, slots=True)
class Material:
    """One request as it is shown in one call: all its passages, or a window of them.

    `claims` are those to judge, when an earlier window listed them. Any one of the `references` is right.
    """

    trace: RagTrace
    excerpts: tuple[Excerpt, ...]
    references: tuple[str, ...] = ()
    claims: tuple[str, ...] | None = None

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the passages that are shown, whole or in part."""
        return frozenset(excerpt.number for excerpt in self.excerpts)

    def text(self, field: Literal["question", "answer", "reference"]) -> str:
        """One of the texts; empty when there is none."""
        match field:
            case "question":
                return self.trace.question or ""
            case "answer":
                return self.trace.answer or ""
            case "reference":
                return "\n".join(self.references)

    def data(self, fields: Collection[Field]) -> dict[str, object]:
        """The data block. What changes from window to window stands last, so that servers can cache what does not."""
        trace = self.trace
        follows_up = trace.search_query is not None and trace.search_query != trace.question
        given: Mapping[Field, object] = {
            "question": trace.question or "",
            "search_query": trace.search_query if follows_up else None,
            "answer": trace.answer or "",
            "reference": self.references[0] if len(self.references) == 1 else list(self.references),
            "passages": [self.shown(excerpt) for excerpt in self.excerpts],
            "claims": None if self.claims is None else list(self.claims),
        }
        return {name: value for name, value in given.items() if name in fields and value is not None}

    def shown(self, excerpt: Excerpt) -> dict[str, object]:
        """One passage as it stands in the data block."""
        passage = self.trace.contexts[excerpt.number - 1]
        shown: dict[str, object] = {"number": excerpt.number, "text": excerpt.text}
        if passage.kind is PassageKind.TOOL:
            shown["kind"] = "tool result"
        end = excerpt.start + len(excerpt.text)
        if end - excerpt.start < len(passage.text):
            shown["part"] = f"characters {excerpt.start} to {end} of {len(passage.text)}"
        return shown


def whole(trace: RagTrace, references: tuple[str, ...] = ()) -> Material:
    """The request with all its passages."""
    excerpts = tuple(Excerpt(number, passage.text) for number, passage in enumerate(trace.contexts, start=1))
    return Material(trace, excerpts, references)
