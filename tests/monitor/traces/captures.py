"""The captured traces of `tests/data/traces`, and the rules of its README for comparing what was extracted."""

from __future__ import annotations

import enum
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from monitor.records import ContextsSource, RagTrace
from monitor.settings import Assembly
from monitor.traces.decode import make_decoder
from monitor.traces.extract import Extracted, Extractor
from monitor.wire import Assembled, CloseReason, LogEvent, Span

FOLDER = Path(__file__).parents[2] / "data" / "traces"
NAMES = sorted(path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.expected.json"))
EXTRACTOR = Extractor(Assembly(), ("ragmon",))


class Outcome(enum.StrEnum):
    """How one extracted value stands to what the program did."""

    RIGHT = "right"
    ABSENT = "absent"
    """It is not on the wire, and was not made up."""
    MISSING = "missing"
    WRONG = "wrong"


@dataclass(frozen=True)
class Capture:
    """One captured program run."""

    expected: Mapping[str, Any]
    traces: tuple[Assembled, ...]

    def extract(self) -> list[Extracted]:
        return [EXTRACTOR.extract(trace) for trace in self.traces]


@cache
def load(name: str) -> Capture:
    """A capture, its log events joined to their spans."""
    decoder = make_decoder("otlp_proto")
    spans: dict[str, dict[str, Span]] = {}
    logs: list[LogEvent] = []
    for path in sorted([*FOLDER.glob(f"{name}.pb"), *FOLDER.glob(f"{name}.[0-9].pb"), *FOLDER.glob(f"{name}.logs.pb")]):
        decoded = decoder.decode(path.read_bytes())
        logs += decoded.logs
        for span in decoded.spans:
            spans.setdefault(span.trace_id, {})[span.span_id] = span
    for log in logs:
        span = spans[log.trace_id][log.span_id]
        spans[log.trace_id][log.span_id] = replace(span, events=(*span.events, log.event))
    traces = tuple(assembled(trace_id, *found.values()) for trace_id, found in spans.items())
    return Capture(json.loads((FOLDER / f"{name}.expected.json").read_text()), traces)


def assembled(trace_id: str, *spans: Span) -> Assembled:
    """A closed trace."""
    ordered = sorted(spans, key=lambda span: (span.start_ns, span.span_id))
    return Assembled(trace_id, tuple(ordered), (), CloseReason.QUIET)


def pairs(expected: Mapping[str, Any], found: list[RagTrace]) -> Iterator[tuple[Mapping[str, Any], RagTrace]]:
    """Each extracted request with what was expected: of the same trace, and of the same question where one matches."""
    open_ones = list(expected["requests"])
    for request in sorted(found, key=lambda request: request.question is None):
        candidates = [one for one in open_ones if one["trace_id"] == request.trace_id]
        assert candidates, f"no such request: {request}"
        chosen = next((one for one in candidates if one["question"] == request.question), candidates[0])
        open_ones.remove(chosen)
        yield chosen, request


def judge(expected: Mapping[str, Any], want: Mapping[str, Any], got: RagTrace) -> dict[str, Outcome]:
    """The outcome of each field of one request."""
    gaps = set(expected["wire_gaps"])
    outcomes = {
        "question": _plain(want["question"], got.question),
        "answer": _answer(want, got.answer),
        "contexts.text": _texts(want, got),
        "contexts.id": _aligned(want, got, "id"),
        "contexts.score": _aligned(want, got, "score"),
        "model": _model(want, got),
        "error": _same(bool(want.get("error")), got.error is not None),
        "session_id": _plain(want.get("session_id"), got.session_id),
        "user_id": _plain(want.get("user_id"), got.user_id),
        "adjusted_count": _same(want.get("adjusted_count", 1.0), got.adjusted_count),
        "redacted": _same(expected.get("redacted", False), got.redacted),
    }
    if expected.get("redacted"):
        gaps |= {"contexts.text"}
    return {
        field: Outcome.ABSENT if outcome is Outcome.MISSING and field in gaps else outcome
        for field, outcome in outcomes.items()
    }


def table(names: list[str]) -> dict[str, Counter[Outcome]]:
    """Per field, how many values are right, absent, missing, wrong over these captures."""
    counts: dict[str, Counter[Outcome]] = {}
    for name in names:
        capture = load(name)
        found = [request for extracted in capture.extract() for request in extracted.requests]
        for want, got in pairs(capture.expected, found):
            for field, outcome in judge(capture.expected, want, got).items():
                counts.setdefault(field, Counter())[outcome] += 1
        lost = len(capture.expected["requests"]) - len(found)
        counts.setdefault("requests", Counter()).update({Outcome.RIGHT: len(found), Outcome.MISSING: lost})
    return counts


def _same(want: object, got: object) -> Outcome:
    return Outcome.RIGHT if want == got else Outcome.WRONG


def _plain(want: object, got: object) -> Outcome:
    return Outcome.MISSING if got is None and want is not None else _same(want, got)


def _answer(want: Mapping[str, Any], got: str | None) -> Outcome:
    if want.get("partial_answer") and got:
        return Outcome.RIGHT if want["answer"].startswith(got) else Outcome.WRONG
    return _plain(want["answer"], got)


def _model(want: Mapping[str, Any], got: RagTrace) -> Outcome:
    """The name that was requested and the one that answered are both right."""
    given = {name for name in (got.model, got.response_model) if name is not None}
    if not given:
        return Outcome.MISSING if want.get("model") else Outcome.RIGHT
    return Outcome.RIGHT if given <= {want.get("model"), want.get("response_model")} else Outcome.WRONG


def _texts(want: Mapping[str, Any], got: RagTrace) -> Outcome:
    """The texts in their order; a block cut out of the prompt must hold them all, and not the question."""
    wanted = [context["text"] for context in want["contexts"]]
    texts = [passage.text for passage in got.contexts]
    if got.contexts_source is ContextsSource.PROMPT:
        at, block = 0, " ".join(texts)
        for text in wanted:
            at = block.find(text, at)
            if at < 0:
                return Outcome.WRONG
        return Outcome.WRONG if want["question"] in block else Outcome.RIGHT
    if wanted and not texts:
        return Outcome.WRONG if got.contexts_source is ContextsSource.SPAN else Outcome.MISSING
    return _same(wanted, texts)


def _aligned(want: Mapping[str, Any], got: RagTrace, field: str) -> Outcome:
    """Ids or scores of the passages: each may be missing, none may be another."""
    if got.contexts_source is ContextsSource.PROMPT or len(want["contexts"]) != len(got.contexts):
        return Outcome.MISSING
    wanted = [context.get(field) for context in want["contexts"]]
    values = [getattr(passage, field) for passage in got.contexts]
    if wanted == values:
        return Outcome.RIGHT
    known = [value for value in zip(wanted, values, strict=True) if value[1] is not None]
    return Outcome.WRONG if any(wish != value for wish, value in known) else Outcome.MISSING
