"""What ragmon writes to Kafka, as bytes: verdicts, cases, feedback as JSON, dead letters as the original with a note.

Each message names its `schema` with a major version. A topic may hold messages of several kinds: a reader leaves out,
counts and goes past what it does not know (another kind, another major version), and ignores fields that it does not
know. So kinds and fields may be added while processes of two versions run (`schemas.py` has what is published of each).
Nothing that is not finite and no lone surrogate is ever written: texts are repaired with U+FFFD, optional numbers
become null.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar

import msgspec

from monitor.errors import DecodeError
from monitor.feedback import UNNAMED, Feedback, HeardFeedback
from monitor.records import MAX_NAMED, Case, Decision, Judgement, Outcome, Position, RagTrace, SensitiveHit, Verdict
from monitor.wire import DeadLetter

_T = TypeVar("_T")

VERDICT_SCHEMA: Final = "ragmon.verdict/1"
CASE_SCHEMA: Final = "ragmon.case/1"
FEEDBACK_SCHEMA: Final = "ragmon.feedback/1"
DEAD_LETTER_SCHEMA: Final = "ragmon.dead-letter/1"
DEAD_LETTER_HEADER: Final = "ragmon.dead-letter"
"""Name of the header that holds the note of a dead letter."""

_VERDICT_HEAD = f'{{"schema":"{VERDICT_SCHEMA}",'.encode()
_WORD_BYTES = 32
_WORDS = 3
"""A name or label of feedback that is longer may be a sentence, and stays out of the verdict topic."""
_MAX_FEEDBACK_BYTES = 256 << 10
_WITHOUT_BYTES = frozenset({"corrupt_batch", "unsupported_codec"})
"""Errors of records that the broker could not give (`kafka_client.isolation.Fault`)."""


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


class FeedbackMessage(msgspec.Struct, frozen=True):
    """Feedback, as one record of the case topic; or of the verdict topic, without comment and without long texts.

    The record's key is the trace id, or the response id where there is none. `feedback_id` depends on the content
    alone. `feedback` names the request that it speaks of by `trace_id` (and maybe `span_id`) or by `response_id`;
    `carrier_trace_id` is the trace that it came in, if another. `weight` is how many it stands for where only a share
    of such traces is read. What is `inline` came with its request, and is in the verdict topic only. `negative` is our
    reading; `score` is in the sender's own scale.
    """

    schema: Literal["ragmon.feedback/1"]
    feedback_id: str
    feedback: Feedback
    weight: int = 1
    inline: bool = False


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
_FEEDBACK = msgspec.json.Decoder(FeedbackMessage)
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


# ----------------------------------------------------------------------------------------------------------- feedback


def encode_feedback(heard: HeardFeedback, *, with_text: bool) -> bytes:
    """One line of JSON, for the case topic; without `with_text` for the verdict topic, which holds no content."""
    said = heard.feedback
    if not with_text:
        label = said.label if said.label is not None and _is_word(said.label) else None
        said = replace(said, name=said.name if _is_word(said.name) else UNNAMED, label=label, comment=None)
    return to_json(FeedbackMessage(FEEDBACK_SCHEMA, heard.feedback_id, said, heard.weight, heard.inline))


def decode_feedback(value: bytes | None) -> HeardFeedback:
    """Raises DecodeError (`empty`, `unknown_schema`, `bad_json`, `bad_feedback`)."""
    if not value:
        raise DecodeError("empty", "a record without a value")
    _check_schema(value, FEEDBACK_SCHEMA)
    if len(value) > _MAX_FEEDBACK_BYTES:
        raise DecodeError("bad_feedback", f"larger than {_MAX_FEEDBACK_BYTES} bytes")
    message = _decode(_FEEDBACK.decode, value, "bad_feedback")
    said = message.feedback
    names = (said.trace_id, said.response_id, said.span_id, message.feedback_id)
    if any(name is not None and not 0 < len(name) <= MAX_NAMED for name in names):
        raise DecodeError("bad_feedback", f"an id is empty or longer than {MAX_NAMED} characters")
    if said.trace_id is None and said.response_id is None:
        raise DecodeError("bad_feedback", "names neither a trace nor a reply")
    if message.weight < 1:
        raise DecodeError("bad_feedback", f"weight {message.weight}")
    return HeardFeedback(message.feedback_id, said, message.weight, message.inline)


def decode_line(value: bytes | None) -> Verdict | HeardFeedback:
    """What a record of the verdict topic holds. Raises DecodeError as `decode_verdict` and `decode_feedback` do."""
    if value and not value.startswith(_VERDICT_HEAD) and schema_of(value) == FEEDBACK_SCHEMA:
        return decode_feedback(value)
    return decode_verdict(value)


def decode_kept(value: bytes | None) -> Case | HeardFeedback:
    """What a record of the case topic holds. Raises DecodeError as `decode_case` and `decode_feedback` do."""
    if value and schema_of(value) == FEEDBACK_SCHEMA:
        return decode_feedback(value)
    return decode_case(value)


def _is_word(text: str) -> bool:
    """Whether it can be no more than a word or two."""
    short = len(text.encode("utf-8", "replace")) <= _WORD_BYTES and len(text.split()) <= _WORDS
    return short and text.isprintable()


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


def schema_of(value: bytes) -> str:
    """The kind of a message; empty when it names none. Raises DecodeError."""
    return _decode(_HEADERS.decode, value, "unknown_schema").schema


def _check_schema(value: bytes, expected: str) -> None:
    if schema_of(value) != expected:
        raise DecodeError("unknown_schema", f"schema is not {expected}")
