"""Protobuf as the format allows it and no usual writer makes it: the same message in other bytes."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.monitor.traces.decode.encoders import blob

_BYTES = 2
_MORE = 0x80
_MAX_VARINT_BYTES = 5


def fields_of(data: bytes) -> list[bytes]:
    """The top-level fields of a serialised message, each with its tag."""
    found, at = [], 0
    while at < len(data):
        start = at
        tag, at = _read_varint(data, at)
        match tag & 7:
            case 0:
                _, at = _read_varint(data, at)
            case 1:
                at += 8
            case 2:
                length, at = _read_varint(data, at)
                at += length
            case _:
                at += 4
        found.append(data[start:at])
    return found


def padded(field: bytes, padding: int) -> bytes:
    """A field whose tag, and length if it has one, have so many bytes more than they need, up to five in all."""
    tag, behind_tag = _read_varint(field, 0)
    if tag & 7 != _BYTES:
        return _longer(field[:behind_tag], padding) + field[behind_tag:]
    _, behind = _read_varint(field, behind_tag)
    return _longer(field[:behind_tag], padding) + _longer(field[behind_tag:behind], padding) + field[behind:]


def _longer(number: bytes, padding: int) -> bytes:
    """The same number in more bytes."""
    more = min(padding, _MAX_VARINT_BYTES - len(number))
    return number[:-1] + bytes([number[-1] | _MORE]) + bytes([_MORE]) * (more - 1) + b"\0" if more > 0 else number


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < _MORE:
            return value, at


UNKNOWN = st.sampled_from(
    [
        b"\xa0\x06\x05",
        b"\xa5\x06abcd",
        b"\xa1\x06abcdefgh",
        blob(100, b"\x0a\x10" + b"u" * 16),
        blob(101, b""),
        b"\xa3\x06\xa4\x06",  # a group of nothing
        b"\xa3\x06\x0a\x10" + b"v" * 16 + b"\x0b\x08\x01\x0c\xa4\x06",  # a field 1, and a group 1, in a group
        b"\x0d\x01\x02\x03\x04",  # field 1, but no bytes
        b"\x08\x10",
    ]
)
"""Fields that nobody reads."""


@st.composite
def written(draw: st.DrawFn, data: bytes, *more: bytes) -> bytes:
    """The message with its fields in ascending, descending or any order, some of them twice, some padded.

    `more` are fields of its own that may come in anywhere, and so may unknown ones.
    """
    fields = fields_of(data)
    order = draw(st.sampled_from(["ascending", "descending", "behind", "before", "any"]))
    if order == "ascending":
        return data
    if order == "descending":
        return b"".join(reversed(fields))
    own = st.sampled_from([*more, *fields]) if more or fields else UNKNOWN
    extra = draw(st.lists(own | own | UNKNOWN, min_size=1, max_size=3))
    match order:
        case "behind":
            fields = [*fields, *extra]
        case "before":
            fields = [*extra, *fields]
        case _:
            fields = draw(st.permutations([*fields, *extra]))
    at, padding = draw(st.integers(0, len(fields) - 1)), draw(st.sampled_from([0, 0, 1, 3]))
    fields[at] = padded(fields[at], padding)
    return b"".join(fields)
