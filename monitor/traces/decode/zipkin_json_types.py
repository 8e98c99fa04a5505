"""The shape of a Zipkin span in JSON, as far as it is read: unknown fields are ignored, null is absent.

`endpoint` and `binary_annotations` are those of v1, before 2017.
"""

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
    endpoint: Endpoint | None = None


class BinaryAnnotation(Camel):
    """A tag of v1; of some keys it is the address of one end of the call."""

    key: str = ""
    value: Scalar = None
    endpoint: Endpoint | None = None


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
    binary_annotations: list[BinaryAnnotation] | None = None
    tags: dict[str, Scalar] | None = None
    shared: bool | None = None
