"""The encoding `auto`: every record is looked at and handed to the decoder it is for."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.errors import DecodeError
from monitor.protocols import Decoder, Wanted
from monitor.traces.decode.foreign import has_zipkin
from monitor.traces.decode.sniff import sniff
from monitor.wire import Decoded


class Auto:
    """Decoder of mixed records. `decoders` are by the names that `sniff` gives, `plain_key` is as for `sniff`."""

    name = "auto"

    def __init__(self, decoders: Mapping[str, Decoder], plain_key: str = "trace_id") -> None:
        self._decoders = decoders
        self._plain_key = plain_key

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """As the record's own decoder. Raises DecodeError, also for encodings that are not recognised."""
        if not value:
            return Decoded()
        name = sniff(value, self._plain_key)
        try:
            return self._decoders[name].decode(value, wanted)
        except DecodeError:
            if name == "otlp_proto" and has_zipkin(value):  # behind a first span that is broken
                return self._decoders["zipkin_proto"].decode(value, wanted)
            raise
