"""The shape of a Zipkin v2 span in JSON, as far as it is read: unknown fields are ignored, null is absent."""

from __future__ import annotations

from monitor.traces.decode.otlp_json_types import Camel

Micros = int | float | str | None
Scalar = str | int | float | bool | None


class Endpoint(Camel):
    """One end of a call."""

    service_name: str | None = None


class Annotation(Camel):
    """An event."""

    timestamp: Micros = None
    value: str | None = None


class Span(Camel):
    """One span; its times are in microseconds."""

    trace_id: str | None = None
    id: str | None = None
    parent_id: str | None = None
    name: str | None = None
    kind: str | None = None
    timestamp: Micros = None
    duration: Micros = None
    local_endpoint: Endpoint | None = None
    remote_endpoint: Endpoint | None = None
    annotations: list[Annotation] | None = None
    tags: dict[str, Scalar] | None = None
    shared: bool | None = None
