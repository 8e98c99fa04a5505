"""Spans as the Python SDK itself prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, TraceState

from monitor.wire import AttributeValue, Span


def python_json(spans: Sequence[Span]) -> list[bytes]:
    return [sdk_span(span).to_json().encode() for span in spans]


def sdk_span(span: Span) -> ReadableSpan:
    parent = context_of(span.trace_id, span.parent_id) if span.parent_id else None
    return ReadableSpan(
        span.name,
        context_of(span.trace_id, span.span_id, span.trace_state),
        parent,
        Resource(printable(span.resource)),
        printable(span.attributes),
        [Event(event.name, printable(event.attributes), event.time_ns) for event in span.events],
        [Link(context_of(link.trace_id, link.span_id), printable(link.attributes)) for link in span.links],
        SpanKind(max(span.kind - 1, 0)),
        None,
        Status(StatusCode(int(span.status)), span.status_message or None),
        span.start_ns,
        span.end_ns,
    )


def context_of(trace_id: str, span_id: str, trace_state: str = "") -> SpanContext:
    state = TraceState.from_header([trace_state])
    return SpanContext(
        int(trace_id, 16), int(span_id, 16), is_remote=False, trace_flags=TraceFlags(1), trace_state=state
    )


def printable(tags: Mapping[str, AttributeValue]) -> dict[str, Any]:
    """The attributes without bytes, which the SDK fails to print."""
    return {key: value for key, value in tags.items() if not isinstance(value, bytes)}
