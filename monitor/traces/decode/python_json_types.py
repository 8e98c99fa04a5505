"""The shape of a span as `to_json` of the Python SDK prints it, as far as it is read: null is absent."""

from __future__ import annotations

from typing import Any

import msgspec

Tags = dict[str, Any] | None


class Shape(msgspec.Struct, gc=False):
    """Base: fields are named as in the SDK."""


class Context(Shape):
    """Ids in hex with `0x` before it; `trace_state` as Python writes a list."""

    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None


class Status(Shape):
    """How it ended; the code is the name of one."""

    status_code: str | None = None
    description: str | None = None


class Event(Shape):
    """Something that happened in the span."""

    name: str | None = None
    timestamp: str | None = None
    attributes: Tags = None


class Link(Shape):
    """Another span."""

    context: Context | None = None
    attributes: Tags = None


class Head(Shape):
    """As much of a span as is needed to decide whether it is read."""

    context: Context | None = None


class Span(Head):
    """One span; times are ISO 8601 in microseconds. In old versions `resource` is nothing but its attributes."""

    name: str | None = None
    kind: str | None = None
    parent_id: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    status: Status | None = None
    attributes: Tags = None
    events: list[Event] | None = None
    links: list[Link] | None = None
    resource: Tags = None
