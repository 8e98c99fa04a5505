"""Bytes of one encoding to spans or requests: one file each, one registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.errors import ConfigError
from monitor.protocols import Decoder
from monitor.traces.decode.auto import Auto
from monitor.traces.decode.otlp_json import OtlpJson
from monitor.traces.decode.otlp_proto import OtlpProto
from monitor.traces.decode.plain import Plain

_REGISTRY: Mapping[str, Callable[[], Decoder]] = {
    "otlp_proto": OtlpProto,
    "otlp_json": OtlpJson,
    "plain": Plain,
}
_AUTO = "auto"

ENCODINGS = (_AUTO, *_REGISTRY)
"""Names that `make_decoder` knows."""


def make_decoder(encoding: str) -> Decoder:
    """The decoder of an encoding; `auto` looks at each record. Raises ConfigError for an unknown name."""
    if encoding == _AUTO:
        return Auto({name: make() for name, make in _REGISTRY.items()})
    make = _REGISTRY.get(encoding)
    if make is None:
        raise ConfigError([f"source.encoding: {encoding!r} is unknown; use one of {', '.join(ENCODINGS)}"])
    return make()
