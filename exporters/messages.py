"""What ragmon writes to Kafka, as bytes: verdicts and cases as JSON, dead letters as the original with a note.

Each message names its `schema` with a major version; a reader refuses a major version that it does not know and ignores
fields that it does not know, so fields may be added. `json_schema` gives the published schema of each. Nothing that is
not finite and no lone surrogate is ever written: texts are repaired with U+FFFD, optional numbers become null.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec

from monitor.errors import DecodeError
from monitor.records import (
    Case,
    Decision,
    Judgement,
    Outcome,
    Position,
    RagTrace,
    SensitiveHit,
    Verdict,
)
from monitor.wire import DeadLetter, Record

_T = TypeVar("_T")

VERDICT_SCHEMA: Final = "ragmon.verdict/1"
CASE_SCHEMA: Final = "ragmon.case/1"
DEAD_LETTER_SCHEMA: Final = "ragmon.dead-letter/1"
DEAD_LETTER_HEADER: Final = "ragmon.dead-letter"
"""Name of the header that holds the note of a dead letter."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_VERDICT_HEAD = f'{{"schema":"{VERDICT_SCHEMA}",'.encode()


class PositionMessage(msgspec.Struct, frozen=True):
    """The place of a record."""

    topic: str
    partition: int
    offset: int


class CaseMessage(msgspec.Struct, frozen=True):
    """One record of the case topic: a sampled request with its content (redacted) and all its judgements.

    The record's key is the trace id. Times (`*_ns`) are nanoseconds since the Unix epoch: larger than JavaScript's
    safe integers.
    """

    schema: Literal["ragmon.case/1"]
    case_id: str
    trace: RagTrace
    decision: Decision
    judgements: tuple[Judgement, ...]
    hits: tuple[SensitiveHit, ...]
    redaction: str
    harvest_reason: str
    position: PositionMessage
    judged_ns: int


class DeadLetterNote(msgspec.Struct, frozen=True):
    """The header `ragmon.dead-letter` of a record of the dead-letter topic: where it came from and why.

    The record itself has the original's key, value and headers, byte for byte, so it can be sent again as it is.
    `value` tells whether that holds: `original`; `null` (the original had none, written as empty); `unreadable` (the
    broker could not give the record, from `offset` on: see `detail`); `too_large` (the broker refused the value).
    """

    schema: Literal["ragmon.dead-letter/1"]
    topic: str
    partition: int
    offset: int
    error: str
    detail: str
    failed_ns: int
    value: Literal["original", "null", "unreadable", "too_large"]
    value_bytes: int


class _Header(msgspec.Struct):
    schema: str = ""


_ENCODER = msgspec.json.Encoder()
_VERDICTS = msgspec.json.Decoder(Verdict)
_CASES = msgspec.json.Decoder(CaseMessage)
_NOTES = msgspec.json.Decoder(DeadLetterNote)
_HEADERS = msgspec.json.Decoder(_Header)


# ----------------------------------------------------------------------------------------------------------- verdicts


def encode_verdict(verdict: Verdict) -> bytes:
    """One line of JSON. Raises ValueError for a number that is not finite: that is a bug of the caller."""
    _finite(verdict.verdict_id, (verdict.probability, verdict.coverage, verdict.cost, verdict.latency_s))
    _finite(verdict.verdict_id, () if verdict.score is None else (verdict.score,))
    return _VERDICT_HEAD + to_json(verdict)[1:]


def decode_verdict(value: bytes | None) -> Verdict:
    """Raises DecodeError (`empty`, `unknown_schema`, `bad_json`, `bad_verdict`)."""
    if not value:
        raise DecodeError("empty", "a record without a value")
    if not value.startswith(_VERDICT_HEAD):
        _check_schema(value, VERDICT_SCHEMA)
    verdict = _decode(_VERDICTS.decode, value, "bad_verdict")
    scored = verdict.outcome is Outcome.SCORED
    if scored != (verdict.score is not None) or not 0.0 <= (verdict.score or 0.0) <= 1.0:
        raise DecodeError("bad_verdict", f"outcome {verdict.outcome} with score {verdict.score}")
    if verdict.weight < 1 or not 0.0 < verdict.probability <= 1.0:
        raise DecodeError("bad_verdict", f"weight {verdict.weight} with probability {verdict.probability}")
    return verdict


# -------------------------------------------------------------------------------------------------------------- cases


def encode_case(case: Case) -> bytes:
    """One line of JSON. Raises ValueError for a required number that is not finite; optional ones become null."""
    numbers = [case.trace.adjusted_count, case.decision.probability]
    for judgement in case.judgements:
        numbers += [judgement.coverage, judgement.latency_s, judgement.usage.cost]
        numbers += [evidence.score for evidence in judgement.evidence]
    _finite(case.case_id, numbers)
    position = PositionMessage(case.position.topic, case.position.partition, case.position.offset)
    return to_json(
        CaseMessage(
            schema=CASE_SCHEMA,
            case_id=case.case_id,
            trace=case.trace,
            decision=case.decision,
            judgements=case.judgements,
            hits=case.hits,
            redaction=case.redaction,
            harvest_reason=case.harvest_reason,
            position=position,
            judged_ns=case.judged_ns,
        )
    )


def decode_case(value: bytes | None) -> Case:
    """Raises DecodeError (`empty`, `unknown_schema`, `bad_json`, `bad_case`)."""
    if not value:
        raise DecodeError("empty", "a record without a value")
    _check_schema(value, CASE_SCHEMA)
    message = _decode(_CASES.decode, value, "bad_case")
    return Case(
        case_id=message.case_id,
        trace=message.trace,
        decision=message.decision,
        judgements=message.judgements,
        hits=message.hits,
        redaction=message.redaction,
        harvest_reason=message.harvest_reason,
        position=Position(message.position.topic, message.position.partition, message.position.offset),
        judged_ns=message.judged_ns,
    )


# ------------------------------------------------------------------------------------------------------- dead letters


def encode_dead_letter(letter: DeadLetter, *, with_value: bool = True) -> tuple[bytes, Sequence[tuple[str, bytes]]]:
    """Value and headers of the record that keeps an unreadable record. Without its value when the broker refuses it."""
    if letter.value is None:
        held: Literal["original", "null", "unreadable", "too_large"]
        held = "unreadable" if letter.error in _WITHOUT_BYTES else "null"
    else:
        held = "original" if with_value else "too_large"
    note = DeadLetterNote(
        schema=DEAD_LETTER_SCHEMA,
        topic=letter.position.topic,
        partition=letter.position.partition,
        offset=letter.position.offset,
        error=letter.error,
        detail=letter.detail,
        failed_ns=letter.failed_ns,
        value=held,
        value_bytes=len(letter.value or b""),
    )
    value = letter.value if letter.value is not None and with_value else b""
    return value, (*letter.headers, (DEAD_LETTER_HEADER, to_json(note)))


def decode_dead_letter(record: Record) -> DeadLetter:
    """The dead letter that a record of the dead-letter topic holds. Raises DecodeError (`no_note`, `bad_note`, ...)."""
    *original, last = record.headers or (("", b""),)
    if last[0] != DEAD_LETTER_HEADER:
        raise DecodeError("no_note", f"the last header is not {DEAD_LETTER_HEADER}")
    _check_schema(last[1], DEAD_LETTER_SCHEMA)
    note = _decode(_NOTES.decode, last[1], "bad_note")
    return DeadLetter(
        position=Position(note.topic, note.partition, note.offset),
        key=record.key,
        value=record.value if note.value == "original" else None,
        headers=tuple((name, bytes(content)) for name, content in original),
        error=note.error,
        detail=note.detail,
        failed_ns=note.failed_ns,
    )


_WITHOUT_BYTES = frozenset({"corrupt_batch", "unsupported_codec"})

# ------------------------------------------------------------------------------------------------------------ schemas


def json_schemas() -> dict[str, dict[str, Any]]:
    """The published JSON Schema (2020-12) of each message, by the name of its file without `.schema.json`."""
    return {
        "verdict": _published(Verdict, "Verdict", VERDICT_SCHEMA),
        "case": _published(CaseMessage, "CaseMessage", CASE_SCHEMA),
        "dead-letter": _published(DeadLetterNote, "DeadLetterNote", DEAD_LETTER_SCHEMA),
    }


def _published(kind: type[Any], name: str, identifier: str) -> dict[str, Any]:
    schema = msgspec.json.schema(kind)
    definitions: dict[str, Any] = schema["$defs"]
    top = definitions.pop(name)
    top["properties"] = {"schema": {"const": identifier}} | {
        key: value for key, value in top["properties"].items() if key != "schema"
    }
    top["required"] = ["schema", *(key for key in top.get("required", ()) if key != "schema")]
    if kind is Verdict:
        top["properties"]["score"] = {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]}
        top["properties"]["weight"] |= {"minimum": 1}
        top["properties"]["probability"] |= {"exclusiveMinimum": 0, "maximum": 1}
    result: dict[str, Any] = {"$schema": _DIALECT, "$id": f"urn:ragmon:{identifier}"} | top
    return result | ({"$defs": definitions} if definitions else {})


# ------------------------------------------------------------------------------------------------------------ helpers


def _finite(what: str, numbers: Iterable[float]) -> None:
    if not all(map(math.isfinite, numbers)):
        msg = f"a number of {what} is not finite"
        raise ValueError(msg)


def to_json(message: object) -> bytes:
    """JSON of records or plain values; what is not finite becomes null, a lone surrogate U+FFFD."""
    try:
        return _ENCODER.encode(message)
    except UnicodeEncodeError:  # a lone surrogate somewhere: rare, so only then is everything looked through
        return _ENCODER.encode(_repaired(msgspec.to_builtins(message)))


def _repaired(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {_repaired(key): _repaired(item) for key, item in value.items()}
        case list() | tuple():
            return [_repaired(item) for item in value]
        case _:
            return value


def _decode(decode: Callable[[bytes], _T], value: bytes, kind: str) -> _T:
    try:
        return decode(value)
    except msgspec.ValidationError as error:
        raise DecodeError(kind, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DecodeError("bad_json", type(error).__name__) from None


def _check_schema(value: bytes, expected: str) -> None:
    header = _decode(_HEADERS.decode, value, "unknown_schema")
    if header.schema != expected:
        raise DecodeError("unknown_schema", f"schema is not {expected}")
