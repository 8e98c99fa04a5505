"""Bytes of one encoding to spans or requests: one file each, one registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.errors import ConfigError
from monitor.protocols import Decoder
from monitor.traces.decode.auto import Auto
from monitor.traces.decode.jaeger_json import JaegerJson
from monitor.traces.decode.jaeger_proto import JaegerProto
from monitor.traces.decode.otlp_json import OtlpJson
from monitor.traces.decode.otlp_proto import OtlpProto
from monitor.traces.decode.plain import Plain
from monitor.traces.decode.python_json import PythonJson
from monitor.traces.decode.unframe import Unframed
from monitor.traces.decode.zipkin_json import ZipkinJson
from monitor.traces.decode.zipkin_proto import ZipkinProto

_SPANS: Mapping[str, Callable[[], Decoder]] = {
    "otlp_proto": OtlpProto,
    "otlp_json": OtlpJson,
    "jaeger_proto": JaegerProto,
    "jaeger_json": JaegerJson,
    "zipkin_proto": ZipkinProto,
    "zipkin_json": ZipkinJson,
    "python_json": PythonJson,
}
_AUTO = "auto"
_PLAIN = "plain"
_ID = "trace_id"

ENCODINGS = (_AUTO, *_SPANS, _PLAIN)
"""Names that `make_decoder` knows."""


def make_decoder(encoding: str, plain_fields: Mapping[str, str] | None = None) -> Decoder:
    """The decoder of an encoding; `auto` looks at each record. Confluent's frame is skipped in all of them.

    `plain_fields` says where the fields of plain records stand. Raises ConfigError for an unknown name.
    """
    fields = plain_fields or {}
    if encoding == _AUTO:
        decoders = {name: make() for name, make in _SPANS.items()} | {_PLAIN: Plain(fields)}
        return Unframed(Auto(decoders, fields.get(_ID, _ID)))
    if encoding == _PLAIN:
        return Unframed(Plain(fields))
    make = _SPANS.get(encoding)
    if make is None:
        raise ConfigError([f"source.encoding: {encoding!r} is unknown; use one of {', '.join(ENCODINGS)}"])
    return Unframed(make())
