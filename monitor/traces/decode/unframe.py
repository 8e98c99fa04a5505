"""What stands around a record's value, taken off where present; and what is said of one that is not read.

    Confluent           a zero byte, four bytes of the schema's id
    Apicurio            a zero byte, eight bytes of an id below 2^32
    AWS Glue            a 3, a zero byte (no compression), sixteen bytes of an id
    serialised twice    the quotes of a JSON text, with the JSON in it

JSON follows in all of them, protobuf in the first: behind the path to its message type, that is how many indexes, then
each, as zigzag varints; one zero byte stands for the first type. No encoding that is read here begins so, so that none
is mistaken. Sources: Confluent's "Wire format", the sources of `apicurio-registry` and `aws-glue-schema-registry`.
"""

from __future__ import annotations

import msgspec

from monitor.errors import DecodeError
from monitor.protocols import Decoder, Wanted
from monitor.traces.decode.json_text import as_array, read_json
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.sniff import sniff
from monitor.traces.decode.unreadable import told_by_bytes
from monitor.traces.text import Repairer
from monitor.wire import Decoded

_QUOTE = b'"'
MAGICS = frozenset({b"\x00", b"\x03", _QUOTE})
"""How a framed value begins."""
_JSON_HEADS = ((b"\0\0\0\0\0", 9), (b"\3\0", 18))
"""How a frame begins that has JSON in it, and its bytes; an id of zero is none of Confluent's."""
_GLUE = b"\x03"
_TEXT = msgspec.json.Decoder(str)
_HEAD_BYTES = 5
_MAX_INDEXES = 16
"""Message types within message types; nobody nests so deep."""
_MAX_VARINT_BYTES = 5
_BARE = (b"{", b"[", b"\n", b"\r", b"\t", b" ", b"\xef\xbb\xbf")
"""How a value begins that stands right after the schema's id: JSON, or protobuf of a writer without indexes."""

_FRAMED = "; in the frame of a schema registry JSON and protobuf are read, Avro is not"


class Unframed:
    """A decoder of values with or without such a frame."""

    def __init__(self, decoder: Decoder) -> None:
        self._decode = decoder.decode
        self.name = decoder.name

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """As the decoder inside; JSON objects each on a new line are read as an array. Raises also `bad_frame`."""
        try:
            return self._read(unframe(value) if value[:1] in MAGICS else value, wanted)
        except DecodeError as error:
            told = told_by_bytes(value) or f"{error.detail}{_hint(value, self.name)}"
            raise DecodeError(error.kind, told) from None

    def _read(self, content: bytes, wanted: Wanted | None) -> Decoded:
        try:
            return self._decode(content, wanted)
        except DecodeError:
            several = as_array(content)
            if several is None:
                raise
        return self._decode(several, wanted)


def unframe(value: bytes) -> bytes:
    """What is in the frame of a value that begins as one. Raises DecodeError `bad_frame`; of a text as of any JSON."""
    if value[:1] == _QUOTE:
        check_size(value)
        return read_json(_TEXT, value, Repairer()).encode()
    for mark, size in _JSON_HEADS:
        if value.startswith(mark) and value[size : size + 1] in {b"{", b"["}:
            return value[size:]
    if value[:1] == _GLUE:
        raise _bad("the value begins with a 3, but no JSON follows the frame of AWS Glue's registry")
    body = value[_HEAD_BYTES:]
    if body and not body.startswith(_BARE):
        body = body[_after_indexes(body) :]
    if not body:
        raise _bad("nothing follows the schema id")
    return body


def _hint(value: bytes, encoding: str) -> str:
    """What more can be said of a value that is not read as `encoding`; empty when nothing can."""
    if value[:1] == _QUOTE:
        return ""
    if value[:1] in MAGICS:
        return "" if value[_HEAD_BYTES:].startswith(_BARE) else _FRAMED
    try:
        seen = sniff(value)
    except DecodeError:
        return ""
    is_protobuf = seen == "otlp_proto" and encoding.endswith("_proto")  # which says nothing: all begin so
    return "" if encoding in {"auto", seen} or is_protobuf else f"; it looks like {seen}, and is read as {encoding}"


def _after_indexes(body: bytes) -> int:
    count, at = _zigzag(body, 0)
    if not 0 <= count <= _MAX_INDEXES:
        raise _bad("a zero byte begins the value, but no schema id and message indexes follow")
    for _ in range(count):
        _, at = _zigzag(body, at)
    return at


def _zigzag(body: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index, byte in enumerate(body[at : at + _MAX_VARINT_BYTES]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            return value >> 1 ^ -(value & 1), at + index + 1
    raise _bad("the message indexes after the schema id do not end")


def _bad(detail: str) -> DecodeError:
    return DecodeError("bad_frame", detail)
