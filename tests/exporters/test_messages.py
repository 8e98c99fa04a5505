from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.messages import (
    DEAD_LETTER_HEADER,
    decode_case,
    decode_feedback,
    decode_kept,
    decode_line,
    decode_verdict,
    encode_case,
    encode_dead_letter,
    encode_feedback,
    encode_verdict,
)
from exporters.schemas import json_schemas
from exporters.shorten import shortened
from monitor.errors import DecodeError
from monitor.records import Evidence, Outcome, Passage
from monitor.wire import DeadLetter, RawRecord
from tests.dead_letters import decode_dead_letter
from tests.exporters.kafka_samples import CASE, HEARD, LETTER, VERDICT

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def refuse(constant: str) -> float:
    msg = f"{constant} is not JSON"
    raise ValueError(msg)


def parsed(message: bytes) -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(message, parse_constant=refuse)


def as_record(letter: DeadLetter, *, with_value: bool = True) -> RawRecord:
    value, headers = encode_dead_letter(letter, with_value=with_value)
    return RawRecord("rag.dead-letters", 0, 0, letter.key, value, headers=tuple(headers))


def kind_of(error: pytest.ExceptionInfo[DecodeError]) -> str:
    return error.value.kind


def test_a_verdict_comes_back_as_it_was() -> None:
    assert decode_verdict(encode_verdict(VERDICT)) == VERDICT


def test_a_case_comes_back_as_it_was() -> None:
    assert decode_case(encode_case(CASE)) == CASE


def test_a_dead_letter_comes_back_byte_for_byte() -> None:
    assert decode_dead_letter(as_record(LETTER)) == LETTER


@pytest.mark.parametrize("letter", [LETTER, replace(LETTER, value=b""), replace(LETTER, headers=(), key=None)])
def test_a_dead_letter_is_the_original_record_and_can_be_sent_again(letter: DeadLetter) -> None:
    record = as_record(letter)
    assert (record.key, record.value, record.headers[:-1]) == (letter.key, letter.value, letter.headers)


def test_a_tombstone_and_bytes_that_cannot_be_had_are_told_apart() -> None:
    def told(letter: DeadLetter) -> str:
        return str(parsed(as_record(letter).headers[-1][1])["value"])

    gone = replace(LETTER, value=None)
    assert told(gone) == "null"
    assert told(replace(gone, error="corrupt_batch")) == "unreadable"
    assert decode_dead_letter(as_record(gone)) == gone


def test_a_value_that_the_broker_refuses_is_left_out_and_told() -> None:
    record = as_record(LETTER, with_value=False)
    assert record.value == b""
    assert decode_dead_letter(record) == replace(LETTER, value=None)
    assert parsed(record.headers[-1][1])["value_bytes"] == len(LETTER.value or b"")


@given(label=ANY_TEXT, reason=ANY_TEXT.filter(bool))
def test_every_text_can_be_written_and_only_lone_surrogates_change(label: str, reason: str) -> None:
    verdict = replace(VERDICT, outcome=Outcome.JUDGE_ERROR, score=None, reason=reason, label=label)
    back = decode_verdict(encode_verdict(verdict))

    def repaired(text: str) -> str:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    assert (back.label, back.reason) == (repaired(label), repaired(reason))


@given(ANY_TEXT)
def test_a_case_with_a_lone_surrogate_is_written(text: str) -> None:
    case = replace(CASE, trace=replace(CASE.trace, answer=text, contexts=(Passage(text),)))
    back = decode_case(encode_case(case))
    assert back.trace.answer == back.trace.contexts[0].text
    assert "\ud800" not in (back.trace.answer or "")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_never_written(bad: float) -> None:
    verdicts = (
        replace(VERDICT, probability=bad),
        replace(VERDICT, coverage=bad),
        replace(VERDICT, cost=bad),
        replace(VERDICT, latency_s=bad),
        replace(VERDICT, score=bad),
    )
    for verdict in verdicts:
        with pytest.raises(ValueError, match="finite"):
            encode_verdict(verdict)
    with pytest.raises(ValueError, match="finite"):
        encode_case(replace(CASE, trace=replace(CASE.trace, adjusted_count=bad)))


def test_a_retrievers_score_that_is_not_finite_becomes_unknown() -> None:
    case = replace(CASE, trace=replace(CASE.trace, contexts=(Passage("text", "p", math.nan),)))
    assert parsed(encode_case(case))["trace"]["contexts"][0]["score"] is None
    assert decode_case(encode_case(case)).trace.contexts[0].score is None


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"schema": "ragmon.verdict/2"}, "unknown_schema"),
        ({"schema": None}, "unknown_schema"),
        ({"score": None}, "bad_verdict"),
        ({"score": 1.5}, "bad_verdict"),
        ({"outcome": "excellent"}, "bad_verdict"),
        ({"outcome": "skipped"}, "bad_verdict"),
        ({"weight": 0}, "bad_verdict"),
        ({"probability": 0.0}, "bad_verdict"),
        ({"trace_id": 5}, "bad_verdict"),
    ],
)
def test_a_line_that_cannot_be_a_verdict_is_refused(change: dict[str, Any], kind: str) -> None:
    line = parsed(encode_verdict(VERDICT)) | change
    with pytest.raises(DecodeError) as error:
        decode_verdict(json.dumps(line).encode())
    assert kind_of(error) == kind


@given(st.binary())
def test_any_bytes_are_refused_or_a_verdict(value: bytes) -> None:
    for decode in (decode_verdict, decode_case):
        with pytest.raises(DecodeError):
            decode(value)


def test_a_line_with_more_fields_and_other_order_is_read() -> None:
    line = dict(reversed((parsed(encode_verdict(VERDICT)) | {"added_later": [1]}).items()))
    assert decode_verdict(json.dumps(line, indent=1).encode()) == VERDICT


# ----------------------------------------------------------------------------------------------------------- feedback


def test_feedback_comes_back_as_it_was() -> None:
    assert decode_feedback(encode_feedback(HEARD, with_text=True)) == HEARD


def test_the_verdict_topic_gets_no_free_text() -> None:
    said = replace(HEARD.feedback, name="what do you think of it?", label="it was too short and quite wrong")
    public = decode_feedback(encode_feedback(replace(HEARD, feedback=said), with_text=False))
    assert public == replace(HEARD, feedback=replace(said, name="feedback", label=None, comment=None))


@pytest.mark.parametrize("word", ["thumbs_down", "Thumbs Down", "👎", "不满意", "4.5"])
def test_a_word_is_no_free_text(word: str) -> None:
    said = replace(HEARD.feedback, label=word)
    assert decode_feedback(encode_feedback(replace(HEARD, feedback=said), with_text=False)).feedback.label == word


@pytest.mark.parametrize("sentence", ["太短了，而且完全没有说明价格是多少", "a b c d", "two\nlines", "x" * 33])
def test_a_sentence_or_a_long_text_is(sentence: str) -> None:
    said = replace(HEARD.feedback, label=sentence)
    assert decode_feedback(encode_feedback(replace(HEARD, feedback=said), with_text=False)).feedback.label is None


def test_both_topics_hold_both_kinds() -> None:
    assert decode_line(encode_verdict(VERDICT)) == VERDICT
    assert decode_kept(encode_case(CASE)) == CASE
    line = encode_feedback(HEARD, with_text=True)
    assert decode_line(line) == decode_kept(line) == HEARD


@pytest.mark.parametrize("kind", ["ragmon.feedback/2", "ragmon.thought/1", "ragmon.verdict/2", "", None])
def test_a_kind_that_is_not_known_is_told_as_such(kind: str | None) -> None:
    """It may be of a newer version: readers leave it out and go on."""
    line = json.dumps(parsed(encode_feedback(HEARD, with_text=True)) | {"schema": kind}).encode()
    for decode in (decode_line, decode_kept, decode_feedback, decode_verdict, decode_case):
        with pytest.raises(DecodeError) as error:
            decode(line)
        assert kind_of(error) == "unknown_schema"


def test_a_reader_that_knows_verdicts_only_takes_feedback_for_an_unknown_kind() -> None:
    """As a board and a harvester of the version before."""
    for decode in (decode_verdict, decode_case):
        with pytest.raises(DecodeError) as error:
            decode(encode_feedback(HEARD, with_text=True))
        assert kind_of(error) == "unknown_schema"


def test_a_verdict_of_the_version_before_names_no_reply() -> None:
    line = parsed(encode_verdict(VERDICT))
    del line["response_id"]
    assert decode_line(json.dumps(line).encode()) == replace(VERDICT, response_id=None)


@pytest.mark.parametrize(
    "change",
    [
        {"feedback_id": ""},
        {"weight": 0},
        {"weight": "1"},
        {"feedback": None},
        {"feedback": {"name": "thumb"}},
        {"feedback": {"name": "thumb", "trace_id": ""}},
        {"feedback": {"name": "thumb", "trace_id": "x" * 257}},
        {"feedback": {"name": "thumb", "trace_id": "t", "comment": "x" * (300 << 10)}},
    ],
)
def test_a_line_that_cannot_be_feedback_is_refused(change: dict[str, Any]) -> None:
    line = parsed(encode_feedback(HEARD, with_text=True)) | change
    with pytest.raises(DecodeError) as error:
        decode_line(json.dumps(line).encode())
    assert kind_of(error) == "bad_feedback"


@given(st.binary())
def test_any_bytes_are_refused_by_both_topics(value: bytes) -> None:
    for decode in (decode_line, decode_kept):
        with pytest.raises(DecodeError):
            decode(value)


@given(comment=ANY_TEXT, label=ANY_TEXT, trace_id=ANY_TEXT.filter(bool))
def test_every_text_of_feedback_can_be_written(comment: str, label: str, trace_id: str) -> None:
    said = replace(HEARD.feedback, comment=comment, label=label, trace_id=trace_id[:100])
    for with_text in (True, False):
        decode_line(encode_feedback(replace(HEARD, feedback=said), with_text=with_text))


def test_the_published_schemas_fit_what_is_written_and_refuse_what_is_not() -> None:
    schemas = json_schemas()
    notes = dict(as_record(LETTER).headers)
    messages = {
        "verdict": parsed(encode_verdict(VERDICT)),
        "case": parsed(encode_case(CASE)),
        "feedback": parsed(encode_feedback(HEARD, with_text=True)),
        "dead-letter": parsed(notes[DEAD_LETTER_HEADER]),
    }
    assert set(messages) == set(schemas)
    for name, message in messages.items():
        checker = jsonschema.Draft202012Validator(schemas[name])
        checker.check_schema(schemas[name])
        checker.validate(message)
        for missing in ("schema", schemas[name]["required"][-1]):
            without = {key: value for key, value in message.items() if key != missing}
            assert not checker.is_valid(without), missing
        assert not checker.is_valid(message | {"schema": "other/1"})
    assert not jsonschema.Draft202012Validator(schemas["verdict"]).is_valid(messages["verdict"] | {"score": 2})


def test_a_shortened_case_has_no_offsets_into_what_was_cut_off() -> None:
    near = Evidence("a", 1.0, 1, 0, 5, passage_start=7, passage_end=9)
    far = Evidence("b", 1.0, 1, 20_000, 20_005, passage_start=16_380, passage_end=16_390)
    judgement = replace(CASE.judgements[0], evidence=(near, far))
    first = next(shortened(replace(CASE, judgements=(judgement,))))
    assert first.judgements[0].evidence == (near, Evidence("b", 1.0, 1))


def test_a_case_gets_ever_shorter_and_says_so() -> None:
    long = replace(CASE, trace=replace(CASE.trace, question="骑" * 100_000, contexts=(Passage("x" * 50_000),)))
    sizes = [len(encode_case(case)) for case in shortened(long)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 10_000
    assert all(case.trace.truncated for case in shortened(long))
    assert [case.case_id for case in shortened(long)] == ["c1"] * 3
