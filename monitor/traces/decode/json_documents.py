"""The OTLP documents in a JSON record: as a rule one; else several, wrapped, or in protobuf's own names.

    {"resourceSpans": [...]}                        an export request, and what is written to files
    [{"resourceSpans": [...]}, ...]                 an array of them
    {"batches": [...]}, {"trace": {...}}            what Tempo answers
    {"resource": {...}, "scopeSpans": [...]}        what Java's exporter to a log writes
    {"resource_spans": [{"scope_spans": [...]}]}    protobuf's own names (`preserving_proto_field_name`)

All but Tempo's may hold log records.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from monitor.traces.decode import otlp_json_types as wire
from monitor.traces.decode.json_text import BOM, read_json
from monitor.traces.text import Repairer

_REQUEST = msgspec.json.Decoder(wire.Request)
_REQUESTS = msgspec.json.Decoder(list[wire.Request])
_START = re.compile(rb'\s*+(?:\[\s*+)?\{\s*"resource(?:Spans|Logs|(_spans|_logs))"\s*:')
"""How nearly all begin; the group is there in protobuf's own names."""
_KEY = re.compile(rb'"([a-z]+_[a-z_]+|[A-Z][a-z]+Value)"(?=\s*:)')
"""A key, or the end of one that has an escaped quote, which nobody reads: in a text the last quote would be escaped."""
_AT_ONCE = 1 << 16
_SHAPES = (
    *(wire.Request, wire.ResourceSpans, wire.ScopeSpans, wire.Span, wire.Event, wire.Link),
    *(wire.ResourceLogs, wire.ScopeLogs, wire.LogRecord, wire.AnyValue),
)
_NAMES = {
    field.encode(): name.encode()
    for shape in _SHAPES
    for field, name in zip(shape.__struct_fields__, shape.__struct_encode_fields__, strict=True)
}
_NAMES |= {name[:1].upper() + name[1:]: name for name in _NAMES.values() if name.endswith(b"Value")}
"""What is read, by protobuf's own names, and by those that Go's `encoding/json` gives the types of a value."""


def read_requests(value: bytes, repairer: Repairer) -> Sequence[wire.Request]:
    """The documents in their order; one for nearly every record. Raises DecodeError."""
    text = value.removeprefix(BOM)
    start = _START.match(text)
    if start is not None and start[1]:
        text = _renamed(text)
    if text.lstrip()[:1] == b"[":
        return read_json(_REQUESTS, text, repairer)
    return (read_json(_REQUEST, text, repairer),)


def begins_document(text: bytes) -> bool:
    """Whether a record begins as OTLP does, one document or several; any other has its keys looked at."""
    return _START.match(text) is not None


def _renamed(text: bytes) -> bytes:
    """The text with the keys that are read under their names in JSON; some of it at a time, as parts take room."""
    begun, done = 0, []
    while begun < len(text):
        end = text.find(b",", begun + _AT_ONCE) + 1 or len(text)  # no key has a comma
        parts = _KEY.split(text[begun:end])
        parts[1::2] = [b'"%s"' % _NAMES.get(name, name) for name in parts[1::2]]
        done.append(b"".join(parts))
        begun = end
    return b"".join(done)
