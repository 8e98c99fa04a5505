from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import DecodeError
from monitor.feedback import Feedback
from monitor.records import ContextsSource, Passage, RagTrace, RequestError
from monitor.traces.decode.plain import Plain
from monitor.traces.decode.plain_record import PlainFeedback, PlainRecord
from monitor.traces.text import is_fit
from monitor.wire import Decoded
from tests.monitor.traces.decode.samples import case_bytes, case_values
from tests.monitor.traces.decode.wishes import only

DOCS = Path(__file__).parents[4] / "docs"
SCHEMA = json.loads((DOCS / "schemas" / "plain-record.schema.json").read_text())
WHOLE = {
    "trace_id": "4BF92F3577B34DA6A3CE929D0E0E4736",
    "question": "When does the desk close?",
    "answer": "The desk closes at 18:00.",
    "contexts": [{"id": 7, "text": "The desk closes at 18:00.", "score": 0.83}, "Closed on Sundays.", {"text": ""}],
    "search_query": "desk hours",
    "model": "chat-1",
    "response_model": "chat-1-2026",
    "response_id": "r1",
    "error": None,
    "session_id": 12,
    "user_id": "u",
    "tenant": "t",
    "app": "support-rag",
    "app_version": "1.2",
    "environment": "production",
    "prompt_version": "p1",
    "knowledge_base": "kb1",
    "language": "en-GB",
    "feedback": [{"name": "stars", "score": 1, "comment": "fine"}],
    "adjusted_count": 4,
    "tracestate": "ot=th:8",
    "truncated": True,
    "redacted": False,
    "input_tokens": 98,
    "output_tokens": 22,
    "start_time": 1790000000,
    "end_time": "2026-09-21T14:13:21Z",
    "anything": {"else": [1, None]},
}


def decode(record: Any) -> Decoded:  # noqa: ANN401 - any JSON
    return Plain().decode(json.dumps(record).encode())


def request(**fields: Any) -> RagTrace:  # noqa: ANN401 - any JSON
    (trace,) = decode({"trace_id": "t", **fields}).requests
    return trace


def refusal(value: bytes) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        Plain().decode(value)
    return caught.value


# -------------------------------------------------------------------------------------------------------------- fields


def test_every_field_is_read() -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"

    assert decode(WHOLE) == Decoded(
        requests=(
            RagTrace(
                trace_id=trace_id,
                request_id="",
                question="When does the desk close?",
                answer="The desk closes at 18:00.",
                contexts=(
                    Passage("The desk closes at 18:00.", "7", 0.83),
                    Passage("Closed on Sundays."),
                    Passage(""),
                ),
                contexts_source=ContextsSource.RECORD,
                search_query="desk hours",
                model="chat-1",
                response_model="chat-1-2026",
                response_id="r1",
                session_id="12",
                user_id="u",
                tenant="t",
                app="support-rag",
                app_version="1.2",
                environment="production",
                prompt_version="p1",
                knowledge_base="kb1",
                language="en",
                feedback=(Feedback("stars", 1.0, comment="fine", negative=False, trace_id=trace_id, response_id="r1"),),
                truncated=True,
                redacted=False,
                trace_state="ot=th:8",
                adjusted_count=4.0,
                input_tokens=98,
                output_tokens=22,
                start_ns=1_790_000_000 * 10**9,
                end_ns=1_790_000_001 * 10**9,
                convention="plain",
            ),
        )
    )


def test_null_is_missing_in_every_field_but_the_id() -> None:
    nulls = dict.fromkeys(msgspec.structs.asdict(PlainRecord(trace_id="t")), None) | {"trace_id": "t"}

    assert decode(nulls) == decode({"trace_id": "t"})


def test_missing_contexts_are_unknown_and_an_empty_list_is_an_empty_retrieval() -> None:
    assert request().contexts_source is ContextsSource.UNKNOWN
    assert request(contexts=None).contexts_source is ContextsSource.UNKNOWN
    assert (request(contexts=[]).contexts_source, request(contexts=[]).contexts) == (ContextsSource.RECORD, ())


def test_an_empty_text_is_a_text_and_an_empty_label_is_none() -> None:
    trace = request(question="", answer="", tenant="", contexts=[""])

    assert (trace.question, trace.answer, trace.tenant, trace.contexts) == ("", "", None, (Passage(""),))


@pytest.mark.parametrize("trace_id", ["fc009", "请求-1", "x" * 128, "0af7651916cd43dd8448eb211c80319c", "A-b", 4711])
def test_any_short_text_is_an_id_and_a_number_is_its_digits(trace_id: str | int) -> None:
    assert decode({"trace_id": trace_id}).requests[0].trace_id == str(trace_id)


@pytest.mark.parametrize(
    ("error", "read"),
    [
        (None, None),
        (False, None),
        ("", None),
        (True, RequestError("error", "request")),
        ("RateLimitError", RequestError("RateLimitError", "request")),
        ("ConnectionError: index: gone", RequestError("ConnectionError", "request", "index: gone")),
        ({"type": "Timeout", "stage": "retrieval"}, RequestError("Timeout", "retrieval")),
        ({"stage": "somewhere", "message": "m"}, RequestError("error", "request", "m")),
    ],
)
def test_errors(error: object, read: RequestError | None) -> None:
    assert request(error=error).error == read


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({}, 1.0),
        ({"tracestate": "vendor=1,ot=th:c"}, 4.0),
        ({"tracestate": "ot=th:c", "adjusted_count": 10}, 10.0),
        ({"tracestate": "nonsense"}, 1.0),
    ],
)
def test_the_weight_is_told_or_follows_from_the_tracestate(fields: dict[str, object], count: float) -> None:
    assert request(**fields).adjusted_count == count


@pytest.mark.parametrize(
    ("fields", "language"),
    [
        ({"language": "zh_Hans"}, "zh"),
        ({"language": "FR"}, "fr"),
        ({"language": "Chinese", "question": "茶馆几点开门？"}, "zh"),
        ({"question": "Ok?", "answer": "Is it open?"}, "en"),
        ({"contexts": ["この店は何時に開きますか"]}, "ja"),
        ({}, "und"),
    ],
)
def test_the_language_is_told_or_detected(fields: dict[str, object], language: str) -> None:
    assert request(**fields).language == language


# ------------------------------------------------------------------------------------------------------------ feedback


@pytest.mark.parametrize(
    ("feedback", "score", "label", "negative"),
    [
        ("thumbs_down", None, "thumbs_down", True),
        ("positive", None, "positive", False),
        ("hm", None, "hm", None),
        (False, 0.0, None, True),
        (True, 1.0, None, False),
        (-1, -1.0, None, True),
        (0.5, 0.5, None, None),
        ({"score": False}, 0.0, None, True),
        ({"label": "positive", "negative": True}, None, "positive", True),
        ({"score": 0, "human": False}, 0.0, None, None),
    ],
)
def test_feedback_forms(feedback: object, score: float | None, label: str | None, negative: bool | None) -> None:  # noqa: FBT001 - a table
    (read,) = request(question="q", feedback=feedback).feedback

    assert (read.score, read.label, read.negative, read.trace_id) == (score, label, negative, "t")


def test_feedback_alone_speaks_of_an_earlier_request_and_is_kept_whatever_is_wanted() -> None:
    value = json.dumps({"trace_id": "t", "feedback": [{"label": "up"}, {"label": "down", "response_id": "r2"}]})

    decoded = Plain().decode(value.encode(), only())

    assert decoded.requests == ()
    assert [(item.trace_id, item.negative, item.response_id) for item in decoded.feedback] == [
        ("t", False, None),
        ("t", True, "r2"),
    ]


def test_feedback_alone_was_given_at_the_time_of_its_record() -> None:
    later = decode({"trace_id": "t", "feedback": "down", "end_time": "2026-11-29T10:00:00.250777Z"})

    assert [item.given_ns for item in later.feedback] == [1_795_946_400_250_000_000]
    assert [item.given_ns for item in decode({"trace_id": "t", "feedback": "down"}).feedback] == [0]


@pytest.mark.parametrize("content", [{"question": "q"}, {"answer": ""}, {"contexts": []}, {"error": "E"}])
def test_feedback_with_content_is_a_request(content: dict[str, object]) -> None:
    decoded = decode({"trace_id": "t", "feedback": "up", **content})

    assert (len(decoded.requests), decoded.feedback) == (1, ())


# ------------------------------------------------------------------------------------------------------------- refusal


@pytest.mark.parametrize(
    ("record", "key"),
    [
        ({"trace_id": 5.5}, "$.trace_id"),
        ({"trace_id": True}, "$.trace_id"),
        ({"trace_id": ""}, "$.trace_id"),
        ({"trace_id": "x" * 129}, "$.trace_id"),
        ({"question": "q"}, "trace_id"),
        ({"trace_id": "t", "question": 5}, "$.question"),
        ({"trace_id": "t", "contexts": "text"}, "$.contexts"),
        ({"trace_id": "t", "contexts": ["a", {"id": "b"}]}, "$.contexts[1]"),
        ({"trace_id": "t", "contexts": [{"text": "a", "score": "high"}]}, "$.contexts[0].score"),
        ({"trace_id": "t", "model": ["m"]}, "$.model"),
        ({"trace_id": "t", "feedback": {"score": "good"}}, "$.feedback.score"),
        ({"trace_id": "t", "adjusted_count": 0.5}, "$.adjusted_count"),
        ({"trace_id": "t", "adjusted_count": 1e19}, "$.adjusted_count"),
        ({"trace_id": "t", "end_time": "2200-01-01"}, "$.end_time"),
        ({"trace_id": "t", "input_tokens": -1}, "$.input_tokens"),
        ({"trace_id": "t", "truncated": "yes"}, "$.truncated"),
        ({"trace_id": "t", "start_time": "noon"}, "$.start_time"),
        ({"trace_id": "t", "end_time": 1e30}, "$.end_time"),
        ("text", "got `str`"),
    ],
)
def test_a_wrong_type_is_refused_with_its_key_and_without_content(record: object, key: str) -> None:
    error = refusal(json.dumps(record).encode())

    assert error.kind == "wrong_type"
    assert key in error.detail
    assert "noon" not in error.detail


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b'{"trace_id": "t", "adjusted_count": NaN}', "bad_json"),
        (b'{"trace_id": "t", "x": Infinity}', "bad_json"),
        (b'{"trace_id": "t", "feedback": 1e999}', "wrong_type"),
        (b'{"trace_id": "t", "input_tokens": ' + b"9" * 5000 + b"}", "wrong_type"),
        (b'{"trace_id": "t", "x": ' + b"[" * 100_000, "too_deep"),
        (b"[" * 100_000, "too_deep"),
        (b'{"trace_id": "t"', "bad_json"),
        (b'{"trace_id": "t"} {}', "bad_json"),
        ('{"trace_id": "t"}'.encode("utf-16"), "bad_json"),
        (b"hello", "bad_json"),
        (b" ", "bad_json"),
    ],
)
def test_json_traps_are_a_decode_error(value: bytes, kind: str) -> None:
    assert refusal(value).kind == kind


def test_of_equal_keys_the_last_wins_and_ignored_keys_may_hold_anything() -> None:
    value = b'\xef\xbb\xbf {"trace_id": "a", "trace_id": "t", "x": ' + b"9" * 5000 + b"}"

    assert Plain().decode(value) == decode({"trace_id": "t"})


def test_an_array_is_read_and_a_bad_element_costs_itself() -> None:
    decoded = decode([{"trace_id": "a"}, {"trace_id": 5.5}, {"trace_id": "b", "feedback": "up"}])

    assert [trace.trace_id for trace in decoded.requests] == ["a"]
    assert [item.trace_id for item in decoded.feedback] == ["b"]
    assert decoded.skipped == {"bad_record": 1}
    assert "$.trace_id" in refusal(b'[{"trace_id": 5.5}, 7]').detail


def test_unwanted_requests_are_left_out() -> None:
    decoded = Plain().decode(b'[{"trace_id": "a"}, {"trace_id": "b"}]', only("b"))

    assert [trace.trace_id for trace in decoded.requests] == ["b"]
    assert decoded.unwanted_requests == 1


# --------------------------------------------------------------------------------------------------------------- texts


def test_fc_019_half_an_emoji_is_replaced_and_a_whole_one_is_not() -> None:
    broken, whole = (Plain().decode(value) for value in case_bytes("FC-019"))

    assert (broken.requests[0].answer, broken.repaired) == ("Yes \ufffd it is open.", 1)
    assert (whole.requests[0].answer, whole.repaired) == ("No, it is open 🙂.", 0)


def test_fc_024_an_empty_value_is_nothing_and_the_next_record_is_read() -> None:
    tombstone, empty, record = case_values("FC-024")
    assert (tombstone, empty) == (None, b"")
    assert record is not None

    assert Plain().decode(b"") == Decoded()
    assert Plain().decode(record).requests[0].question == "Ok?"


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), st.booleans())
def test_text_in_is_text_out_over_all_of_unicode(text: str, escaped: bool) -> None:  # noqa: FBT001 - drawn
    record = {"trace_id": "t", "question": text, "answer": text, "contexts": [text, {"text": text, "id": text[:1000]}]}

    decoded = Plain().decode(json.dumps(record, ensure_ascii=escaped).encode())

    (trace,) = decoded.requests
    assert (trace.question, trace.answer, decoded.repaired) == (text, text, 0)
    assert trace.contexts == (Passage(text), Passage(text, text[:1000] or None))


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_any_code_points_come_out_fit(text: str) -> None:
    assert is_fit(request(question=text).question or "")


@given(st.binary(max_size=60))
def test_random_bytes_in_a_text_are_repaired_or_refused(junk: bytes) -> None:
    try:
        decoded = Plain().decode(b'{"trace_id": "t", "question": "' + junk + b'"}')
    except DecodeError:
        return
    assert is_fit(repr(decoded))


# ----------------------------------------------------------------------------------------------------- schema and page


@pytest.mark.parametrize(
    "record", [WHOLE, {"trace_id": "t"}, {"trace_id": "t", "contexts": None}, {"trace_id": "t", "feedback": False}]
)
def test_the_schema_accepts_what_the_decoder_reads(record: dict[str, object]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(record, SCHEMA)


@pytest.mark.parametrize(
    "record",
    [{}, {"trace_id": ""}, {"trace_id": "t", "question": 5}, {"trace_id": "t", "contexts": [{}]}, [], "text"],
)
def test_the_schema_refuses_what_the_decoder_refuses(record: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, SCHEMA)


def test_the_schema_file_is_the_decoders_own() -> None:
    made = json.loads(msgspec.json.encode(msgspec.json.schema(PlainRecord)))

    assert {key: SCHEMA[key] for key in made} == made


def test_the_page_names_every_field_and_its_examples_are_read() -> None:
    page = (DOCS / "plain-records.md").read_text().partition("## Other keys")[0]
    fields = {*PlainRecord.__struct_fields__, *PlainFeedback.__struct_fields__}
    examples = re.findall(r"```json\n(.*?)```", page, re.DOTALL)

    assert {name for name in fields if f"`{name}`" not in page} == set()
    assert [(len(found.requests), len(found.feedback)) for found in map(Plain().decode, map(str.encode, examples))] == [
        (1, 0),
        (0, 1),
    ]


def test_a_passage_may_name_its_document() -> None:
    trace = request(contexts=[{"text": "Open.", "source": "kb/faq.md"}, {"text": "Closed.", "source": ""}])
    assert [passage.source for passage in trace.contexts] == ["kb/faq.md", None]
