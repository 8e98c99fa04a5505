"""What can happen to the spans of a trace on their way, and what may be made of them then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from monitor.records import ContextsSource, RagTrace
from monitor.traces.reading import DOCUMENTS, QUERY, RESULT
from monitor.traces.tree import Node
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.captures import EXTRACTOR, Expected, load, matches

LIMITS = (32, 50, 64, 100, 120, 128, 200, 255, 256, 400, 500, 1000, 1024, 2000, 2048, 4096)
"""Attribute length limits that people set."""
FULL = "A lost helmet costs 25 euros, and the fee is waived if you report the loss within 24 hours."
"""What the model said in the abandoned stream: without the span of what the user saw it is the answer."""

Spans = list[Span]
Mutation = Callable[[Spans, Random], Spans]


@dataclass(frozen=True)
class Sayings:
    """The texts that a capture's requests can truly have."""

    questions: frozenset[str]
    answers: frozenset[str]
    passages: frozenset[str]
    may_be_empty: bool


@cache
def sayings(name: str) -> Sayings:
    """From the program's own account, and from what the whole capture shows: rewritten queries, all it retrieved."""
    capture = load(name)
    readings = [EXTRACTOR.read(trace) for trace in capture.traces]
    found = [request for reading in readings for request in reading.extracted.requests]
    nodes = [node for reading in readings if not reading.hidden for node in reading.forest.nodes]
    return _sayings(capture.expected["requests"], found, nodes)


@cache
def sayings_apart(name: str) -> tuple[Sayings, ...]:
    """The same for each request of a trace with several; empty for other captures."""
    capture = load(name)
    apart = []
    for reading in [EXTRACTOR.read(trace) for trace in capture.traces]:
        pairs = list(zip(reading.kept, reading.extracted.requests, strict=True))
        for reader, request in pairs if len(pairs) > 1 else ():
            wanted = [match.want for match in matches([capture.expected], [request]) if match.want is not None]
            apart.append(_sayings(wanted, [request], reader.request.members))
    return tuple(apart)


def _sayings(wanted: Sequence[Expected], found: Sequence[RagTrace], nodes: Sequence[Node]) -> Sayings:
    shown = [document.text for node in nodes for document in node.get(DOCUMENTS) or ()]
    return Sayings(
        questions=_texts(
            [one["question"] for one in wanted],
            *([one.question, one.search_query] for one in found),
            [node.get(QUERY) for node in nodes],  # the last resort when all above the retriever is lost
        ),
        answers=_texts([FULL], [one["answer"] for one in wanted], [one.answer for one in found]),
        passages=_texts(
            [passage["text"] for one in wanted for passage in one["contexts"]],
            [passage.text for one in found for passage in one.contexts],
            shown,
            [node.get(RESULT) for node in nodes],
        ),
        may_be_empty=any(not one["contexts"] and not one.get("error") for one in wanted),
    )


def _texts(*lists: Sequence[str | None]) -> frozenset[str]:
    return frozenset(text for listed in lists for text in listed if text)


# ------------------------------------------------------------------------------------------------------------ what may


def untrue(request: RagTrace, true: Sayings) -> list[str]:
    """The texts of a request that nobody said, found or asked in the capture, and that nothing flags as uncertain.

    Truncated requests, failed ones and those whose contexts are unknown are not judged, or not to the full.
    """
    if request.redacted:
        shown = (request.question, request.answer, request.search_query, *request.contexts)
        return [f"hidden, but shown: {text}" for text in shown if text is not None]
    if request.truncated or request.error is not None or request.contexts_source is ContextsSource.UNKNOWN:
        return []
    wrong = []
    if not _is_true(request.question, true.questions):
        wrong.append(f"question {request.question!r}")
    if not _is_true(request.answer, true.answers):
        wrong.append(f"answer {request.answer!r}")
    texts = [passage.text for passage in request.contexts]
    if request.contexts_source is ContextsSource.PROMPT:
        rest = "\n".join(texts)
        for passage in sorted(true.passages, key=len, reverse=True):
            rest = rest.replace(passage, "")
        # what a template says of a document, `file: a.md`, and what a tool gives beside a text: its id and score
        rest = re.sub(r"(?m)^(?:[\w ]+: \S+|[a-z]+-\d+|[\d.]+)$", "", rest)
        return wrong + ([f"out of the prompt {rest!r}"] if re.search(r"\w{3}", rest) else [])
    wrong += [f"passage {text!r}" for text in texts if not _is_true(text, true.passages)]
    if not texts and not true.may_be_empty:
        wrong.append("an empty retrieval")
    return wrong


def mixed(request: RagTrace, apart: Sequence[Sayings]) -> list[str]:
    """Whether each text was said, but in no one of several requests all of them."""
    if not apart or any(not untrue(request, one) for one in apart):
        return []
    return [f"parts of several requests: {request.question!r}, {request.answer!r}, {request.contexts!r}"]


def _is_true(text: str | None, said: frozenset[str]) -> bool:
    """Whether a text was said, perhaps as JSON once more; one that a limit cut exactly at the end of a sentence is."""
    if not text or text in said:
        return True
    read = as_json(text)
    while isinstance(read, list) and len(read) == 1:
        read = as_json(read[0])
    if isinstance(read, dict) and len(read) == 1:
        read = next(iter(read.values()))  # encoded once more than by convention: it could be what a user typed
    if isinstance(read, str) and read in said:
        return True
    return text.rstrip()[-1:] in set(".!?:;。！？：") and any(one.startswith(text) for one in said)


# ------------------------------------------------------------------------------------------------------- what happens


def lose_spans(spans: Spans, random: Random) -> Spans:
    lost = set(random.sample(range(len(spans)), random.randint(1, max(1, len(spans) // 2))))
    return [span for number, span in enumerate(spans) if number not in lost]


def lose_attributes(spans: Spans, random: Random) -> Spans:
    for _ in range(random.randint(1, 3)):
        spans = _changed(spans, random, lambda tags, key: tags.pop(key))
    return spans


def lose_a_key(spans: Spans, random: Random) -> Spans:
    """The same attribute of all spans."""
    keys = sorted({key for span in spans for key in span.attributes if _may_change(key)})
    lost = random.choice(keys) if keys else ""
    return [
        replace(span, attributes={key: value for key, value in span.attributes.items() if key != lost})
        for span in spans
    ]


def limit_counts(spans: Spans, random: Random) -> Spans:
    """As SDKs do: some drop the oldest attributes, some the newest, and all count them."""
    count, oldest = random.randint(0, 20), random.random() < 0.5

    def limited(span: Span) -> Span:
        tags = list(span.attributes.items())
        dropped = max(0, len(tags) - count)
        kept = tags[dropped:] if oldest else tags[:count]
        return replace(span, attributes=dict(kept), dropped_attributes=span.dropped_attributes + dropped)

    return [limited(span) for span in spans]


def limit_lengths(spans: Spans, random: Random) -> Spans:
    limit = random.choice(LIMITS)

    def cut(value: AttributeValue) -> AttributeValue:
        if isinstance(value, list):
            return [cut(item) for item in value]
        return value[:limit] if isinstance(value, str) else value

    def limited(span: Span) -> Span:
        events = [
            replace(event, attributes={key: cut(value) for key, value in event.attributes.items()})
            for event in span.events
        ]
        return replace(
            span, attributes={key: cut(value) for key, value in span.attributes.items()}, events=tuple(events)
        )

    return [limited(span) for span in spans]


def rename(spans: Spans, random: Random) -> Spans:
    def renamed(tags: dict[str, AttributeValue], key: str) -> None:
        value = tags.pop(key)
        tags[random.choice([key + "x", key.upper(), key[:-1], key.rpartition(".")[0]])] = value

    return _changed(spans, random, renamed)


def wrap(spans: Spans, random: Random) -> Spans:
    """Another form of the same value: JSON of it, JSON of that, a list of it, an empty text, nothing."""

    def wrapped(tags: dict[str, AttributeValue], key: str) -> None:
        value = tags[key]
        text = json.dumps(value, default=str)
        forms: list[AttributeValue] = [None, "", [value], [[[[value]]]], text, json.dumps(text)]
        tags[key] = random.choice(forms)

    return _changed(spans, random, wrapped)


def misplace(spans: Spans, random: Random) -> Spans:
    """Another parent: none, a lost one, any other, itself."""
    at = random.randrange(len(spans))
    parent = random.choice(["", "f" * 16, *(span.span_id for span in spans)])
    return [replace(span, parent_id=parent) if number == at else span for number, span in enumerate(spans)]


def mistime(spans: Spans, random: Random) -> Spans:
    at, other = random.randrange(len(spans)), random.choice(spans)
    return [
        replace(span, start_ns=other.start_ns, end_ns=other.end_ns) if number == at else span
        for number, span in enumerate(spans)
    ]


def lose_events(spans: Spans, random: Random) -> Spans:
    return [replace(span, events=span.events[: random.randint(0, len(span.events))]) for span in spans]


MUTATIONS: tuple[Mutation, ...] = (
    lose_spans, lose_attributes, lose_a_key, limit_counts, limit_lengths, rename, wrap, misplace, mistime, lose_events,
)  # fmt: skip


def _changed(spans: Spans, random: Random, change: Callable[[dict[str, AttributeValue], str], object]) -> Spans:
    """One attribute of one span is changed."""
    at = random.randrange(len(spans))
    tags = dict(spans[at].attributes)
    keys = [key for key in tags if _may_change(key)]
    if keys:
        change(tags, random.choice(keys))
    return [replace(span, attributes=tags) if number == at else span for number, span in enumerate(spans)]


def _may_change(key: str) -> bool:
    """Without its type a value of a producer's own making cannot be told from what a user typed."""
    return "mime_type" not in key
