"""Plain records with keys of their writer's own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from monitor.config.plain_paths import PLAIN_FIELDS
from monitor.config.settings import Settings, SourceSettings
from monitor.errors import DecodeError
from monitor.records import ContextsSource, Passage
from monitor.traces.decode import make_decoder
from monitor.traces.decode.plain import Plain
from monitor.wire import Decoded

PAGE = Path(__file__).parents[4] / "docs" / "plain-records.md"
FIELDS = {
    "trace_id": "request.id",
    "question": "req.text",
    "answer": "choices.-1.message.content",
    "contexts": "hits",
    "contexts.text": "doc.body",
    "contexts.id": "key",
}
RECORD = {
    "request": {"id": "r1"},
    "req": {"text": "When?"},
    "choices": [{"message": {"content": "draft"}}, {"message": {"content": "At six."}}],
    "hits": [{"doc": {"body": "Six."}, "key": 7, "score": 0.5, "id": "not this"}, "as it is"],
    "app": "desk",
    "question": "another thing of that name",
}


def decode(record: Any, fields: dict[str, str]) -> Decoded:  # noqa: ANN401 - any JSON
    return Plain(fields).decode(json.dumps(record).encode())


def problem(fields: object) -> str:
    with pytest.raises(ValidationError) as caught:
        SourceSettings.model_validate({"plain_fields": fields})
    return str(caught.value)


def test_fields_are_read_from_their_paths_and_others_from_their_names() -> None:
    (trace,) = decode(RECORD, FIELDS).requests

    assert (trace.trace_id, trace.question, trace.answer, trace.app) == ("r1", "When?", "At six.", "desk")
    assert trace.contexts == (Passage("Six.", "7", 0.5), Passage("as it is"))


def test_a_list_of_records_is_read_element_by_element() -> None:
    decoded = decode([RECORD, {"request": {"id": 5.5}}, {"trace_id": "t"}], FIELDS)

    assert [trace.trace_id for trace in decoded.requests] == ["r1"]
    assert decoded.skipped == {"bad_record": 2}


@pytest.mark.parametrize(
    ("record", "path", "found"),
    [
        ({"a.b": "key"}, "a.b", "key"),
        ({"a.b": "key", "a": {"b": "path"}}, "a.b", "key"),
        ({"a": {"b.c": "inner"}}, "a.b.c", "inner"),
        ({"a.b": {"c": "outer"}}, "a.b.c", "outer"),
        ({"a": 5, "a.b": {"c": "second"}}, "a.b.c", "second"),
        ({"a": [["x", "y"]]}, "a.0.1", "y"),
        ({"a": ["x"]}, "a.1", None),
        ({"a": ["x"]}, "a.b", None),
        ({"a": "x"}, "a.b", None),
        ({"a": None}, "a", None),
        ({"a": None}, "a.b", None),
        ({}, "a.b", None),
        ({"question": "own name"}, "a", None),
    ],
)
def test_a_path_goes_through_objects_and_lists_and_a_key_may_have_dots(
    record: dict[str, object], path: str, found: str | None
) -> None:
    (trace,) = decode({"trace_id": "t", **record}, {"question": path}).requests

    assert trace.question == found


def test_empty_and_unknown_contexts_stay_apart() -> None:
    fields = {"contexts": "a.hits", "contexts.text": "body"}
    records: list[dict[str, object]] = [{"trace_id": "t", "a": {"hits": []}}, {"trace_id": "t", "a": {}}]

    found = [decode(record, fields).requests[0] for record in records]

    assert [trace.contexts_source for trace in found] == [ContextsSource.RECORD, ContextsSource.UNKNOWN]


def test_an_error_names_the_writers_own_path() -> None:
    with pytest.raises(DecodeError) as missing:
        decode({"id": "t"}, {"trace_id": "request.id"})
    with pytest.raises(DecodeError) as wrong:
        decode({"trace_id": "t", "q": 5}, {"question": "q"})

    assert "source.plain_fields reads trace_id from request.id" in missing.value.detail
    assert "source.plain_fields reads question from q" in wrong.value.detail


def test_bad_text_is_mended_and_counted_once() -> None:
    decoded = Plain({"question": "q.t"}).decode(b'{"trace_id": "t", "q": {"t": "a\xff"}, "answer": "\\ud83d"}')

    assert (decoded.requests[0].question, decoded.requests[0].answer) == ("a\ufffd", "\ufffd")
    assert decoded.repaired == 2


@pytest.mark.parametrize("value", [b"[", b"7", b'"x"', b'{"q": ' + b"[" * 100_000, b'{"trace_id": "t", "q": {]}'])
def test_what_is_no_record_is_a_decode_error(value: bytes) -> None:
    with pytest.raises(DecodeError):
        Plain({"question": "q.t"}).decode(value)


def test_auto_knows_a_record_by_the_configured_trace_id() -> None:
    decoder = make_decoder("auto", FIELDS)

    assert decoder.decode(json.dumps(RECORD).encode()).requests[0].trace_id == "r1"
    assert decoder.decode(json.dumps([RECORD, RECORD]).encode()).requests[1].trace_id == "r1"
    assert make_decoder("auto", {"trace_id": "data"}).decode(b'{"data": "t", "spans": []}').requests
    with pytest.raises(DecodeError, match="unknown_encoding"):
        make_decoder("auto").decode(json.dumps(RECORD).encode())


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"qestion": "q"}, "did you mean `question`?"),
        ({"contexts.txt": "q"}, "did you mean `contexts.text`?"),
        ({"zzz": "q"}, "known: trace_id, question"),
        ({"question": ""}, "question: '' is no path"),
        ({"question": "a..b"}, "question: 'a..b' is no path"),
        ({"question": 5}, "valid string"),
        ({"qestion": "q", "anser": "a"}, "`answer`"),
    ],
)
def test_a_wrong_setting_is_told_with_the_nearest_field(fields: dict[str, object], told: str) -> None:
    assert told in problem(fields)


def test_the_page_shows_every_field_and_an_example_that_works() -> None:
    page = PAGE.read_text().partition("## Other keys")[2]
    settings = Settings.model_validate(yaml.safe_load(re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0]))
    (record,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)

    (trace,) = make_decoder("auto", settings.source.plain_fields).decode(record.encode()).requests

    assert (trace.trace_id, trace.question, trace.answer) == ("r-81", "When does the desk close?", "At 18:00.")
    assert trace.contexts == (Passage("The desk closes at 18:00 on weekdays.", "hours-01"),)
    assert [name for name in PLAIN_FIELDS if name.startswith("contexts.") and f"`{name}`" not in page] == []
