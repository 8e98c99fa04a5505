"""The encoding `auto`: every record is looked at and handed to the decoder it is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.errors import DecodeError
from monitor.protocols import Decoder
from monitor.traces.decode.sniff import foreign_proto, sniff
from monitor.wire import Decoded


class Auto:
    """Decoder of mixed records. `decoders` are by the names that `sniff` gives."""

    name = "auto"

    def __init__(self, decoders: Mapping[str, Decoder]) -> None:
        self._decoders = decoders

    def decode(self, value: bytes, wanted: Callable[[str], bool] | None = None) -> Decoded:
        """As the record's own decoder. Raises DecodeError, also for encodings that are recognised but not read."""
        if not value:
            return Decoded()
        name = sniff(value)
        try:
            return self._decoders[name].decode(value, wanted)
        except DecodeError:
            seen = foreign_proto(value) if name == "otlp_proto" else None
            if seen is None:
                raise
            kind = "unsupported_encoding"
            raise DecodeError(kind, f"this looks like {seen}; have the Collector write otlp_proto") from None
