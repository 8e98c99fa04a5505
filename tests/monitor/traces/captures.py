"""The captured traces of `tests/data/traces`, and the rules of its README for comparing what was extracted."""

from __future__ import annotations

import enum
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from monitor.config.settings import Assembly
from monitor.feedback import Feedback
from monitor.records import ContextsSource, RagTrace
from monitor.traces.decode import make_decoder
from monitor.traces.extract import Extracted, Extractor
from monitor.wire import Assembled, CloseReason, LogEvent, Span

FOLDER = Path(__file__).parents[2] / "data" / "traces"
NAMES = sorted(path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.expected.json"))
Expected = Mapping[str, Any]
"""What is in an `.expected.json`, or one request of it."""
_SAID = ("name", "score", "label", "comment", "response_id", "carrier_trace_id")
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

    expected: Expected
    traces: tuple[Assembled, ...]

    def extract(self) -> list[Extracted]:
        return [EXTRACTOR.extract(trace) for trace in self.traces]

    def faults(self) -> list[str]:
        """All that is not what the program did, beyond what its file grants."""
        extracted = self.extract()
        requests = [request for one in extracted for request in one.requests]
        return faults([self.expected], requests, [item for one in extracted for item in one.feedback])


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
    return Capture(expectation(name), traces)


def expectation(name: str) -> Expected:
    """What the program did, from its own account."""
    expected: Expected = json.loads((FOLDER / f"{name}.expected.json").read_text())
    return expected


def assembled(trace_id: str, *spans: Span) -> Assembled:
    """A closed trace."""
    ordered = sorted(spans, key=lambda span: (span.start_ns, span.span_id))
    return Assembled(trace_id, tuple(ordered), (), CloseReason.QUIET)


class Match(NamedTuple):
    """An extracted request, and what it is most like of all that was expected of its trace."""

    expected: Expected
    want: Expected | None
    """None where no more was expected."""
    got: RagTrace


def matches(programs: Iterable[Expected], found: Iterable[RagTrace]) -> Iterator[Match]:
    """Each extracted request with the one of its trace that it is most like."""
    left: dict[str, list[tuple[Expected, Expected]]] = {}
    for expected in programs:
        for want in expected["requests"]:
            left.setdefault(want["trace_id"], []).append((expected, want))
    for request in sorted(found, key=lambda request: (request.question is None, request.request_id)):
        candidates = left.get(request.trace_id)
        if not candidates:
            yield Match({}, None, request)
            continue
        expected, want = min(candidates, key=lambda one: len(faults_of(one[0], one[1], request)))
        candidates.remove((expected, want))
        yield Match(expected, want, request)


def faults(programs: Sequence[Expected], found: Sequence[RagTrace], feedback: Iterable[Feedback]) -> list[str]:
    """All that is not what the programs did, beyond what their files grant: nothing lost, made up or different.

    Programs that were run with one seed share their trace ids: the requests of one of them are wanted.
    """
    wrong = []
    loose: dict[str | None, list[Feedback]] = {}
    for item in feedback:
        loose.setdefault(item.trace_id, []).append(item)
    for expected, want, got in matches(programs, found):
        if want is None:
            wrong.append(f"made up: {got}")
            continue
        said = (*got.feedback, *loose.pop(got.trace_id, ()))
        wrong += [f"{expected['name']}: {field} of {got}" for field in faults_of(expected, want, got)]
        if [_told(item) for item in said] != _wanted_feedback(expected, want):
            wrong.append(f"{expected['name']}: feedback {said} on {got}")
    wrong += [f"feedback on nothing: {items}" for items in loose.values()]
    found_of = Counter(got.trace_id for got in found)
    counts = [Counter(want["trace_id"] for want in expected["requests"]) for expected in programs]
    lost = {trace_id for count in counts for trace_id in count if found_of[trace_id] < count[trace_id]}
    return wrong + [f"lost: {trace_id}" for trace_id in sorted(lost)]


def faults_of(expected: Expected, want: Expected, got: RagTrace) -> list[str]:
    """The fields of one request that are wrong, or missing though they are on the wire."""
    fine = {Outcome.RIGHT, Outcome.ABSENT}
    return [field for field, outcome in judge(expected, want, got).items() if outcome not in fine]


def judge(expected: Expected, want: Expected, got: RagTrace) -> dict[str, Outcome]:
    """The outcome of each field of one request, feedback aside."""
    outcomes = {
        "question": _plain(want["question"], got.question),
        "answer": _answer(want, got.answer),
        "contexts.text": _texts(expected, want, got),
        "contexts.id": _aligned(want, got, "id"),
        "contexts.score": _aligned(want, got, "score"),
        "model": _model(want, got),
        "error": _error(expected, want, got),
        "session_id": _plain(want.get("session_id"), got.session_id),
        "user_id": _plain(want.get("user_id"), got.user_id),
        "tenant": _plain(want.get("tenant"), got.tenant),
        "adjusted_count": _same(want.get("adjusted_count", 1.0), got.adjusted_count),
        "redacted": _same(expected.get("redacted", False), got.redacted),
    }
    granted = {*expected["wire_gaps"], *expected["only_inside_text"]}
    if "contexts.text" in granted:
        granted |= {"contexts.id", "contexts.score"}  # of passages that are no values of their own
    return {
        field: Outcome.ABSENT if outcome is Outcome.MISSING and field in granted else outcome
        for field, outcome in outcomes.items()
    }


def _same(want: object, got: object) -> Outcome:
    return Outcome.RIGHT if want == got else Outcome.WRONG


def _plain(want: object, got: object) -> Outcome:
    return Outcome.MISSING if got is None and want is not None else _same(want, got)


def _answer(want: Expected, got: str | None) -> Outcome:
    if want.get("partial_answer") and got:
        return Outcome.RIGHT if want["answer"].startswith(got) else Outcome.WRONG
    return _plain(want["answer"], got)


def _model(want: Expected, got: RagTrace) -> Outcome:
    """The name that was requested and the one that answered are both right."""
    given = {name for name in (got.model, got.response_model) if name is not None}
    if not given:
        return Outcome.MISSING if want.get("model") else Outcome.RIGHT
    return Outcome.RIGHT if given <= {want.get("model"), want.get("response_model")} else Outcome.WRONG


def _error(expected: Expected, want: Expected, got: RagTrace) -> Outcome:
    """The class, without its modules, and the text where the program's own says more than the class."""
    if not want.get("error") or got.error is None:
        return _same(bool(want.get("error")), got.error is not None)
    if "error text" in expected["wire_gaps"]:
        return Outcome.RIGHT
    kind, _, text = want["error"].partition(": ")
    return _same((kind, text or got.error.message), (got.error.type.rpartition(".")[2], got.error.message))


def _texts(expected: Expected, want: Expected, got: RagTrace) -> Outcome:
    """The texts in their order. They are cut out of the prompt only where no span has them, and then without the rest.

    A failed retrieval is unknown, not empty.
    """
    wanted = [context["text"] for context in want["contexts"]]
    texts = [passage.text for passage in got.contexts]
    failed = bool(want.get("error")) and not wanted
    match got.contexts_source:
        case ContextsSource.PROMPT if "contexts.text" in expected["only_inside_text"]:
            framed = r"[\W\d]*".join(["", *map(re.escape, wanted), ""])
            return Outcome.RIGHT if re.fullmatch(framed, "\n".join(texts)) else Outcome.WRONG
        case ContextsSource.SPAN if not failed:
            return _same(wanted, texts)
        case ContextsSource.UNKNOWN if not texts:
            return Outcome.RIGHT if failed else Outcome.MISSING
        case _:
            return Outcome.WRONG


def _aligned(want: Expected, got: RagTrace, field: str) -> Outcome:
    """Ids or scores of the passages: each may be missing, none may be another."""
    wanted = [context.get(field) for context in want["contexts"]]
    values = [getattr(passage, field) for passage in got.contexts]
    if wanted == values:
        return Outcome.RIGHT
    if len(wanted) != len(values) or got.contexts_source is ContextsSource.PROMPT:
        return Outcome.WRONG if any(value is not None for value in values) else Outcome.MISSING
    known = [value for value in zip(wanted, values, strict=True) if value[1] is not None]
    return Outcome.WRONG if any(wish != value for wish, value in known) else Outcome.MISSING


def _wanted_feedback(expected: Expected, want: Expected) -> list[tuple[object, ...]]:
    if "feedback" not in want or "feedback" in expected["wire_gaps"]:
        return []
    return [tuple(want["feedback"].get(name) for name in _SAID)]


def _told(feedback: Feedback) -> tuple[object, ...]:
    return tuple(getattr(feedback, name) for name in _SAID)
