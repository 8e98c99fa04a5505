"""What people and other evaluators said about an answer, on the request's own spans or on a carrier span."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from monitor.feedback import Feedback
from monitor.records import RagTrace
from monitor.traces import semconv
from monitor.traces.conventions.keys import numbered, text_of
from monitor.traces.reading import (
    DOCUMENTS,
    INPUT_TOKENS,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PASSAGES,
    PROMPT,
    QUERY,
    RESPONSE_MODEL,
    RESULT,
    WORK,
    Field,
)
from monitor.traces.requests import Request
from monitor.traces.tree import Node
from monitor.traces.values import as_float
from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink

_NEGATIVE = frozenset(
    {
        "thumbs_down", "thumb_down", "thumbsdown", "down", "downvote", "negative", "bad", "dislike", "disliked", "poor",
        "unhelpful", "not_helpful", "incorrect", "wrong", "👎", "差评", "踩", "不满意", "没帮助", "点踩", "负面",
    }
)  # fmt: skip
_POSITIVE = frozenset(
    {
        "thumbs_up", "thumb_up", "thumbsup", "up", "upvote", "positive", "good", "like", "liked", "great",
        "helpful", "correct", "👍", "好评", "赞", "满意", "有帮助", "点赞", "正面",
    }
)  # fmt: skip
_PERSON = ("feedback", "user", "human", "thumb", "rating", "csat", "反馈", "评价")
"""Parts of a name that tell a person's word from an evaluator's score, where nothing else does."""
_ANNOTATIONS = (("annotations", "annotation"), ("evaluations", "evaluation"))
_SCOPES = ("", "trace.")
"""Feedback on a whole session says nothing about one request."""
_FLAT = tuple(f"{scope}{plural}." for scope in _SCOPES for plural, _ in _ANNOTATIONS)
_ANNOTATED, _EVALUATED = b"annotations.", b"evaluation"
"""Bytes of which a record of spans has one if it holds feedback, in any encoding. Searched one by one: that is fast."""
_PROTO = b"\n"
_OF_WORK: tuple[Field[Any], ...] = (
    QUERY, DOCUMENTS, PASSAGES, PROMPT, OUTPUT, RESULT, MODEL, RESPONSE_MODEL, INPUT_TOKENS, OUTPUT_TOKENS,
)  # fmt: skip
"""What a span of a search or of a model call shows."""
_MILLISECOND_NS = 1_000_000
_AMBIGUOUS = 2
"""Requests from which on it cannot be told which one is meant."""


@dataclass(frozen=True, slots=True)
class Said:
    """Feedback, and the span that carried it."""

    node: Node
    feedback: Feedback


def find_feedback(nodes: Iterable[Node], trace_id: str, *, hidden: bool) -> list[Said]:
    """All feedback on these spans.

    A span outside every request, or one that only carries feedback, with one link to another trace speaks of that
    trace. `hidden` leaves out the comments: the producer hides contents.
    """
    said = []
    for node in nodes:
        if not _may_carry(node):
            continue  # the usual case
        link = _link_elsewhere(node.span)
        meant = _Meant(trace_id)
        if link is not None and (not node.relevant or is_carrier(node)):
            meant = _Meant(link.trace_id, link.span_id or None, trace_id)
        read = _read(node.span, meant)
        said += [Said(node, replace(feedback, comment=None) if hidden else feedback) for feedback in read]
    return said


def may_hold_feedback(span: Span) -> bool:
    """Whether a span has what feedback is made of; for spans that come too late to be anything else."""
    return _is_annotated(span.attributes) or _is_evaluated(span)


def _may_carry(node: Node) -> bool:
    """The same of a span in its place."""
    return node.outline.told(_is_annotated) or _is_evaluated(node.span)


def _is_annotated(keys: Iterable[str]) -> bool:
    return any(key.startswith(_FLAT) for key in keys)


def _is_evaluated(span: Span) -> bool:
    return any(event.name == semconv.EVALUATION_EVENT for event in span.events) if span.events else False


def is_carrier(node: Node) -> bool:
    """Whether a span only carries feedback on another trace, or on a reply that it names.

    Whatever its kind: OpenInference wants one on every span. It shows nothing of a search or of a model call, and no
    span of either hangs below it. A request that was taken from a queue has such a link, too.
    """
    if not _may_carry(node):
        return False  # the usual case
    if _link_elsewhere(node.span) is None and not any(map(_names_reply, node.span.events)):
        return False
    return not any(map(node.find, _OF_WORK)) and not any(below.role in WORK for below in node.below())


def _link_elsewhere(span: Span) -> SpanLink | None:
    """The only link of a span, if it leads to another trace; of several it cannot be told which one is meant."""
    return span.links[0] if len(span.links) == 1 and span.links[0].trace_id != span.trace_id else None


def _names_reply(event: SpanEvent) -> bool:
    return event.name == semconv.EVALUATION_EVENT and text_of(event.attributes, semconv.RESPONSE_ID) is not None


def may_be_in(value: bytes, plain_key: bytes) -> bool:
    """Whether a record may hold feedback, by its bytes alone. `plain_key` is the key of feedback in plain records."""
    return _ANNOTATED in value or _EVALUATED in value or (value[:1] != _PROTO and plain_key in value)


def share_out(
    said: Sequence[Said], requests: Sequence[Request], records: Sequence[RagTrace]
) -> tuple[tuple[RagTrace, ...], tuple[Feedback, ...]]:
    """The records with the feedback on them, and what speaks of another trace or of no single request."""
    if not said:  # the usual case
        return tuple(records), ()
    owners = _Owners(requests, records)
    inline: list[list[Feedback]] = [[] for _ in records]
    loose = []
    for item in said:
        meant = [] if item.feedback.carrier_trace_id is not None else _meant(item, owners)
        if len(meant) == 1:
            inline[meant[0]].append(item.feedback)
        else:
            loose.append(item.feedback if meant else _without_trace(item.feedback))
    given = tuple(
        replace(record, feedback=tuple(own)) if own else record for record, own in zip(records, inline, strict=True)
    )
    return given, tuple(loose)


def _without_trace(feedback: Feedback) -> Feedback:
    """Feedback that names a response id which no request of its trace has: that trace is not the judged one."""
    if feedback.response_id is None or feedback.carrier_trace_id is not None:
        return feedback
    return replace(feedback, trace_id=None, carrier_trace_id=feedback.trace_id)


@dataclass(frozen=True, slots=True)
class _Meant:
    """What the feedback of a span speaks of; `carrier` is the span's own trace where that is another one."""

    trace_id: str
    span_id: str | None = None
    carrier: str | None = None


class _Owners:
    """Which requests a span can speak of, by their numbers, in their order."""

    def __init__(self, requests: Sequence[Request], records: Sequence[RagTrace]) -> None:
        self._inside: dict[Node, list[int]] = {}
        self._below: dict[Node, list[int]] = {}
        self._unnamed_below: dict[Node, list[int]] = {}
        self.named: dict[str, list[int]] = {}
        self._records = records
        for at, (request, record) in enumerate(zip(requests, records, strict=True)):
            for node in request.members:
                self._inside.setdefault(node, []).append(at)
            self._climb(at, request.entry)
            if record.response_id is not None:
                self.named.setdefault(record.response_id, []).append(at)

    def around(self, node: Node, *, unnamed: bool) -> Sequence[int]:
        """The requests that a span belongs to or stands above; of many at least two. `unnamed`: without response id."""
        below = self._unnamed_below if unnamed else self._below
        inside = (at for at in self._inside.get(node, ()) if not unnamed or self._records[at].response_id is None)
        return sorted({*inside, *below.get(node, ())})

    def _climb(self, at: int, entry: Node) -> None:
        """Note a request on the spans above it, at most two on each; above a full span all are full."""
        kinds = [self._below, self._unnamed_below] if self._records[at].response_id is None else [self._below]
        for node in entry.ancestors():
            wanting = [kind for kind in kinds if len(kind.get(node, ())) < _AMBIGUOUS]
            if not wanting:
                return
            for kind in wanting:
                kind.setdefault(node, []).append(at)


def _meant(item: Said, owners: _Owners) -> Sequence[int]:
    """By response id where both have one, else because its span belongs to the request or stands above it."""
    response_id = item.feedback.response_id
    if response_id is not None and response_id in owners.named:
        return owners.named[response_id]
    return owners.around(item.node, unnamed=response_id is not None)


def _read(span: Span, meant: _Meant) -> Iterator[Feedback]:
    for event in span.events:
        if event.name == semconv.EVALUATION_EVENT:
            yield _from_event(event, span, meant)
    for scope in _SCOPES:
        for plural, singular in _ANNOTATIONS:
            for item in numbered(span.attributes, scope + plural):
                yield _from_annotation(item, singular + ".", span, meant)


def _from_event(event: SpanEvent, span: Span, meant: _Meant) -> Feedback:
    attributes = event.attributes
    name = text_of(attributes, semconv.EVALUATION_NAME) or "feedback"
    score = as_float(attributes.get(semconv.EVALUATION_SCORE))
    label = text_of(attributes, semconv.EVALUATION_LABEL)
    human = any(part in name.lower() for part in _PERSON) or "thumb" in (label or "").lower()
    return Feedback(
        name=name,
        score=score,
        label=label,
        comment=text_of(attributes, semconv.EVALUATION_EXPLANATION),
        negative=is_negative(score, label, human=human),
        human=human,
        trace_id=meant.trace_id,
        response_id=text_of(attributes, semconv.RESPONSE_ID),
        carrier_trace_id=meant.carrier,
        span_id=meant.span_id,
        given_ns=_rounded(event.time_ns or span.end_ns),
    )


def _from_annotation(item: Mapping[str, AttributeValue], prefix: str, span: Span, meant: _Meant) -> Feedback:
    score = as_float(item.get(prefix + "score"))
    label = text_of(item, prefix + "label")
    kind = text_of(item, prefix + "annotator_kind")
    human = kind is None or kind.upper() == semconv.OI_HUMAN
    return Feedback(
        name=text_of(item, prefix + "name") or "feedback",
        score=score,
        label=label,
        comment=text_of(item, prefix + "explanation"),
        negative=is_negative(score, label, human=human),
        human=human,
        trace_id=meant.trace_id,
        carrier_trace_id=meant.carrier,
        span_id=meant.span_id,
        given_ns=_rounded(span.end_ns),
    )


def _rounded(time_ns: int) -> int:
    """Down to what every encoding can carry, so that what was said has one id whatever it came in."""
    return max(0, time_ns // _MILLISECOND_NS * _MILLISECOND_NS)


def is_negative(score: float | None, label: str | None, *, human: bool) -> bool | None:
    """Our reading: by the label's word, else a person's 0 or -1 against 1; None when it cannot be told.

    An evaluator's bare number says nothing here: 1 may mean "hallucinated".
    """
    word = (label or "").strip().lower().replace("-", "_").replace(" ", "_")
    if word in _NEGATIVE:
        return True
    if word in _POSITIVE:
        return False
    if not human or score is None:
        return None
    return {0.0: True, -1.0: True, 1.0: False}.get(score)
