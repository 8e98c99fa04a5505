"""The rows of `ragmon extract --explain --json`; texts of strangers in them are shortened and made harmless."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from monitor.offline.shown import shown
from monitor.privacy.scan import KINDS, scan_text
from monitor.records import Passage
from monitor.traces.reading import Document, Message

_TEXT = 160
_MOST_PARTS = 20
"""Passages, messages and other parts of a value that are shown."""
_SEARCHED = 2000
"""Characters that are searched for secrets: of those that are shown, none is the head of a longer one."""
_SECRETS = tuple(kind for kind in KINDS if kind.startswith("secret."))

Text = str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ExplainedPlace:
    """Where a value stands: the span (empty for plain records), and the attribute, event or resource key in it.

    In a plain record `where` is the key or the path of `source.plain_fields`.
    """

    span_id: str
    span: str
    where: str
    convention: str


@dataclass(frozen=True, slots=True)
class ExplainedOther:
    """What a field could have been, and why it is not."""

    value: Text
    places: tuple[ExplainedPlace, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ExplainedField:
    """One field of a request; `value` is null when nothing on the wire gives it."""

    value: Text
    places: tuple[ExplainedPlace, ...] = ()
    passed_over: tuple[ExplainedOther, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedVerdict:
    """Whether one judge would be asked; `reason` is the word of `not_scorable` that it would say, else empty."""

    evaluation: str
    judge: str
    judged: bool
    reason: str
    because: str


@dataclass(frozen=True, slots=True)
class ExplainedSample:
    """Whether the configured rates take the request into the sample, before any budget and any safety hit."""

    sampled: bool
    probability: float
    policies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExplainedSpan:
    """One span of the trace, and the role that it was read in."""

    span_id: str
    parent_id: str
    name: str
    role: str
    convention: str


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """One request; one `trace` that gave none; plain `feedback`; or one `record` that was not understood.

    `reason` is the word under which /metrics counts it: a reason of `not_scorable` for a request, of the stage
    `extract` for a trace, `dead_letter` for a record, `feedback` for feedback; empty when at least one judge would be
    asked.
    """

    kind: Literal["request", "trace", "feedback", "record"]
    records: tuple[str, ...]
    """The records that brought it, at most five."""
    trace_id: str | None
    request_id: str | None = None
    service: str | None = None
    convention: str = ""
    judged: bool = False
    reason: str = ""
    because: str = ""
    evaluations: tuple[ExplainedVerdict, ...] = ()
    sample: ExplainedSample | None = None
    fields: Mapping[str, ExplainedField] = field(default_factory=dict)
    spans: tuple[ExplainedSpan, ...] = ()
    notes: tuple[str, ...] = ()


def text_of(value: object) -> Text:
    """A value as it is shown: without secrets, short, in one line; of a list or mapping so the first parts."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = tuple(f"{name}: {part}" for name, part in value.items())
    if isinstance(value, tuple | list):
        parts = tuple(map(_line, value[:_MOST_PARTS]))
        return parts if len(parts) == len(value) else (*parts, f"and {len(value) - len(parts)} more")
    return _line(value)


def _line(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Passage() | Document():
            return _document(value.text, value.id, value.score)
        case Message():
            return _words(f"{value.role}: {value.text or ' '.join(value.results)}")
        case _:
            return _words(str(value))


def _words(text: str) -> str:
    """A text without passwords and keys, which may stand anywhere in a trace, shortened."""
    head, rest, at = text[:_SEARCHED], text[_SEARCHED:], 0
    kept = []
    for span in scan_text(head, _SECRETS):
        kept += [head[at : span.start], f"<{span.kind}>"]
        at = span.end
    return shown("".join([*kept, head[at:], rest]), _TEXT)


def _document(text: str | None, name: str | None, score: float | None) -> str:
    marks = [_words(name)] if name is not None else []
    marks += [f"{score:g}"] if score is not None else []
    body = "(no text)" if text is None else _words(text)
    return f"[{', '.join(marks)}] {body}" if marks else body
