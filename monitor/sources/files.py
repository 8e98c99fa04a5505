"""Files of recorded traces to records: which files there are, and what stands in each.

    OTLP protobuf         one request, or requests that each follow their length as a varint
    JSON document         one value over many lines: OTLP/JSON, or an array of plain records
    JSON lines            one value a line
    recorded Kafka        JSON lines of `recorded.py`

Everything is read as a stream; only one record is held at a time, and none above the size cap.
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from monitor.errors import DecodeError, InputError
from monitor.sources import recorded
from monitor.sources.streams import STDIN
from monitor.traces.decode.foreign import is_jaeger
from monitor.traces.decode.limits import MAX_BYTES
from monitor.traces.decode.sniff import sniff
from monitor.wire import RawRecord

SUFFIXES = (".pb", ".json", ".jsonl", ".ndjson")
"""Names that are taken from a folder, each also with `.gz` or `.zst` behind it."""

_COMPRESSED = (".gz", ".zst")
_BLANKS = b" \t\r\n\xef\xbb\xbf"
_FIELD_1 = 0x0A
"""Tag of field 1, length-delimited: every OTLP request begins so; a framed file begins with a length."""
_MAX_VARINT = 10
_MAX_EMPTY = 1000
"""Empty requests in a row; zeros without end read as such."""


EMPTY = "the file is empty"
BLANK = "the file holds nothing but blank lines"


def expand(paths: Iterable[str], failed: Callable[[OSError], None]) -> Iterator[str]:
    """Files in the order in which they are read: folders become their files with a known suffix, sorted by path.

    `failed` gets the error of each folder that cannot be looked into.
    """
    for given in paths:
        if given and given != STDIN and _ask(Path(given).is_dir, otherwise=False):
            below = (Path(folder, name) for folder, _, names in os.walk(given, onerror=failed) for name in names)
            yield from sorted(str(path) for path in below if _known(path.name) and _ask(path.is_file, otherwise=True))
        else:
            yield given


def _ask(ask: Callable[[], bool], *, otherwise: bool) -> bool:
    """What a path says of itself; `otherwise` where it cannot be asked, so that opening it as a file tells why."""
    try:
        return ask()
    except OSError:
        return otherwise


def _known(name: str) -> bool:
    for compressed in _COMPRESSED:
        name = name.removesuffix(compressed)
    return name.endswith(SUFFIXES)


_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*[{\[](?:\s*["{}\[\]]|\s*$)')
_RECORDED = re.compile(rb'(?:\xef\xbb\xbf)?\s*{\s*"partition"')


@dataclass(slots=True)
class FileReader:
    """The records of one stream. `name` becomes the topic; what cannot be read is added to `failures`.

    `encoding` other than `auto` is taken at its word: a document is not looked into before it is handed on.
    """

    name: str
    encoding: str = "auto"
    plain_key: str = "trace_id"
    """Where plain records have their trace id: tells `auto` of them."""
    timestamp: int = 0
    """Milliseconds since the Unix epoch, for records that carry none."""
    max_bytes: int = MAX_BYTES
    failures: list[str] = field(default_factory=list)
    by_line: bool = False
    """Whether each line is a record, whose offset is the number of the line from 1."""
    _next: dict[int, int] = field(default_factory=dict)
    _longest: int = 0
    """Bytes of a line at most."""

    def records(self, stream: io.BufferedReader) -> Iterator[RawRecord]:
        """The records in order. Raises InputError when nothing more of the stream can be read."""
        head = stream.peek(1)[:64]
        if not head:
            raise InputError(EMPTY)
        # base64 makes a value a third longer, and the key and headers stand beside it
        self._longest = self.max_bytes * (2 if _RECORDED.match(head) else 1)
        if _is_json(head, self.name):
            yield from self._json(stream)
        else:
            yield from map(self._numbered, self._protobuf(stream))

    def _numbered(self, value: bytes) -> RawRecord:
        offset = self._next.get(0, 0)
        self._next[0] = offset + 1
        return RawRecord(self.name, 0, offset, None, value, self.timestamp)

    def _of_line(self, value: bytes, number: int) -> RawRecord:
        return RawRecord(self.name, 0, number, None, value, self.timestamp)

    # ------------------------------------------------------------------------------------------------------ protobuf

    def _protobuf(self, stream: io.BufferedReader) -> Iterator[bytes]:
        if stream.peek(1)[0] != _FIELD_1:
            yield from self._frames(stream)
            return
        value = self._whole(stream)
        if _is_message(value) or is_jaeger(value):
            yield value
        else:
            msg = "this is neither an OTLP request nor requests that follow their lengths"
            raise InputError(msg)

    def _frames(self, stream: io.BufferedReader) -> Iterator[bytes]:
        number = empty = 0
        while (size := self._length(stream, number)) is not None:
            value = stream.read(size)
            if len(value) < size or (value and value[0] != _FIELD_1):
                msg = f"request {number} is no OTLP request" if len(value) == size else f"request {number} is cut off"
                raise InputError(msg if number else f"{msg}, so this is no OTLP protobuf")
            empty = 0 if value else empty + 1
            if empty > _MAX_EMPTY:
                msg = f"{empty} requests in a row are empty, so this is no OTLP protobuf"
                raise InputError(msg)
            yield value
            number += 1

    def _length(self, stream: io.BufferedReader, number: int) -> int | None:
        """The length before a request; None at the end."""
        size = shift = 0
        for count in range(_MAX_VARINT):
            byte = stream.read(1)
            if not byte:
                if count:
                    msg = f"request {number} is cut off"
                    raise InputError(msg)
                return None
            size |= (byte[0] & 0x7F) << shift
            shift += 7
            if byte[0] < 0x80:  # noqa: PLR2004 - the last byte of a varint
                break
        if size > self.max_bytes:
            msg = f"request {number} would have {size} bytes; this is no OTLP protobuf, or more than {self.max_bytes}"
            raise InputError(msg)
        return size

    def _whole(self, stream: io.BufferedReader, begun: bytes = b"") -> bytes:
        value = begun + stream.read(max(0, self.max_bytes + 1 - len(begun)))
        if len(value) > self.max_bytes:
            msg = f"one value of more than {self.max_bytes} bytes; split it, or write one value a line"
            raise InputError(msg)
        return value

    # ---------------------------------------------------------------------------------------------------------- JSON

    def _json(self, stream: io.BufferedReader) -> Iterator[RawRecord]:
        number, first = self._line(stream, 0)
        if first is None:
            raise InputError(BLANK)
        if not self._complete(first):
            yield self._numbered(self._document(self._whole(stream, first)))
            return
        is_recorded = recorded.is_recorded(first)
        self.by_line = not is_recorded
        line: bytes | None = first if is_recorded else self._first(first, stream)
        while line is not None:
            record = self._recorded(line, number) if is_recorded else self._of_line(line.strip(), number)
            if record is not None:
                yield record
            number, line = self._line(stream, number)

    def _first(self, line: bytes, stream: io.BufferedReader) -> bytes:
        """The first line; only a file of one line is looked into: in a longer one a bad line is one bad record."""
        return line if stream.peek(1).strip() else self._document(line)

    def _complete(self, line: bytes) -> bool:
        """Whether the line is a value of its own; if it is not, the file is one document over many lines."""
        if ".jsonl" in self.name or ".ndjson" in self.name:
            return True
        try:
            msgspec.json.decode(line.strip(_BLANKS), type=msgspec.Raw)
        except (msgspec.DecodeError, RecursionError):
            return False
        return True

    def _document(self, value: bytes) -> bytes:
        if self.encoding == "auto":
            try:
                sniff(value, self.plain_key)
            except DecodeError as error:
                raise InputError(error.detail) from None
        return value

    def _line(self, stream: io.BufferedReader, number: int) -> tuple[int, bytes | None]:
        """The next line that is not blank, with its number from 1; None at the end. Too long ones are left out."""
        while line := stream.readline(self._longest + 1):
            number += 1
            if len(line) > self._longest and not line.endswith(b"\n"):
                self.failures.append(f"line {number} has more than {self._longest} bytes and is left out")
                while line and not line.endswith(b"\n"):
                    line = stream.readline(self._longest)
            elif line.strip(_BLANKS):
                return number, line.removeprefix(codecs.BOM_UTF8)  # also where files were joined
        return number, None

    # ------------------------------------------------------------------------------------------------ recorded Kafka

    def _recorded(self, line: bytes, number: int) -> RawRecord | None:
        try:
            record = recorded.decode(line, self.name)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            self.failures.append(f"line {number} is no recorded Kafka record: {error}")
            return None
        offset = max(record.offset, self._next.get(record.partition, 0))  # joined recordings begin anew in the middle
        self._next[record.partition] = offset + 1
        timestamp = record.timestamp if record.timestamp > 0 else self.timestamp
        return replace(record, offset=offset, timestamp=timestamp)


def _is_json(head: bytes, name: str) -> bool:
    """Tell JSON from protobuf, whose first bytes (a line feed, a length) can be JSON's own characters."""
    if ".pb" in name:
        return head[:1] in {b"{", b"["} and head[1:2] != b"\n"
    return "json" in name.rpartition("/")[2] or _JSON.match(head) is not None


def _is_message(value: bytes) -> bool:
    """Whether fields with a length fill the value exactly, as they do in every OTLP request."""
    at = 0
    while at < len(value):
        if value[at] & 0x07 != 2 or value[at] < 0x08:  # noqa: PLR2004 - wire type 2, field number 1 or more
            return False
        size, shift, at = 0, 0, at + 1
        while at < len(value):
            byte = value[at]
            size |= (byte & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if byte < 0x80:  # noqa: PLR2004 - the last byte of a varint
                break
        at += size
    return at == len(value)
