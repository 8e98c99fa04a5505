"""Reading the dead-letter topic, as whoever repairs and sends again does."""

from __future__ import annotations

import msgspec

from exporters.messages import DEAD_LETTER_HEADER, DEAD_LETTER_SCHEMA, DeadLetterNote
from monitor.records import Position
from monitor.wire import DeadLetter, Record


def decode_dead_letter(record: Record) -> DeadLetter:
    """The dead letter that a record holds: the note about it is the last header."""
    *original, (name, content) = record.headers
    assert name == DEAD_LETTER_HEADER
    note = msgspec.json.decode(content, type=DeadLetterNote)
    assert note.schema == DEAD_LETTER_SCHEMA
    return DeadLetter(
        position=Position(note.topic, note.partition, note.offset),
        key=record.key,
        value=record.value if note.value == "original" else None,
        headers=tuple((name, bytes(content)) for name, content in original),
        error=note.error,
        detail=note.detail,
        failed_ns=note.failed_ns,
    )
