"""The encoding `plain`: a JSON object for each request, or an array of them; the fields are in `plain_record.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from monitor.errors import DecodeError
from monitor.feedback import Feedback
from monitor.protocols import Wanted
from monitor.records import ContextsSource, Passage, RagTrace, RequestError
from monitor.traces.decode.json_text import fit_json, read_json
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.plain_fields import FieldMap
from monitor.traces.decode.plain_record import MAX_ID, PlainError, PlainFeedback, PlainPassage, PlainRecord
from monitor.traces.decode.times import read_time
from monitor.traces.feedback import is_negative
from monitor.traces.language import detect
from monitor.traces.masks import hides, is_withheld
from monitor.traces.text import Repairer
from monitor.traces.tracestate import adjusted_count
from monitor.wire import Decoded

_RECORD = msgspec.json.Decoder(PlainRecord)
_RECORDS = msgspec.json.Decoder(list[msgspec.Raw])
_HEX_ID = re.compile(r"[0-9A-Fa-f]{32}")
_LANGUAGE = re.compile(r"([A-Za-z]{2})(?:[-_].*)?")
_MS = 1_000_000
_ERROR_STAGES = ("retrieval", "generation", "request")


class Plain:
    """Decoder of plain records. `fields` says where fields stand that have other names: as `source.plain_fields`."""

    name = "plain"

    def __init__(self, fields: Mapping[str, str] | None = None) -> None:
        self._fields = FieldMap(fields or {})

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """The requests, and feedback on earlier ones, of one record's value.

        Raises DecodeError, with the key that is wrong. In an array a bad element costs only itself (`bad_record`), as
        long as one is good. Feedback on an earlier request is kept whatever `wanted` says.
        """
        check_size(value)
        if not value:
            return Decoded()
        repairer = Repairer()
        text = fit_json(value, repairer).strip()
        found = _Found()
        if text.startswith(b"["):
            self._read_all(read_json(_RECORDS, text, repairer), found, repairer)
        else:
            found.add(self._read(text, repairer))
        requests = tuple(trace for trace in found.requests if wanted is None or wanted(trace.trace_id))
        return Decoded(
            requests=requests,
            feedback=tuple(found.feedback),
            skipped={"bad_record": found.bad} if found.bad else {},
            repaired=repairer.count,
            unwanted_requests=len(found.requests) - len(requests),
        )

    def _read(self, text: bytes, repairer: Repairer) -> PlainRecord:
        try:
            return read_json(_RECORD, self._fields.apply(text, repairer), repairer)
        except DecodeError as error:
            raise self._fields.explain(error) from None

    def _read_all(self, elements: list[msgspec.Raw], found: _Found, repairer: Repairer) -> None:
        first_error = None
        for element in elements:
            try:
                found.add(self._read(bytes(element), repairer))
            except DecodeError as error:
                first_error = first_error or error
                found.bad += 1
        if first_error is not None and found.bad == len(elements):
            raise first_error


@dataclass(slots=True)
class _Found:
    requests: list[RagTrace] = field(default_factory=list)
    feedback: list[Feedback] = field(default_factory=list)
    bad: int = 0

    def add(self, record: PlainRecord) -> None:
        """Take in one record. Raises DecodeError."""
        if _is_feedback_only(record):
            self.feedback += _feedback(record, _time("end_time", record.end_time) // _MS * _MS)
        else:
            self.requests.append(_request(record))


def _is_feedback_only(record: PlainRecord) -> bool:
    said = record.feedback is not None
    content = record.question is None and record.answer is None and record.contexts is msgspec.UNSET
    return said and content and record.error is None


def _request(record: PlainRecord) -> RagTrace:
    contexts = None if record.contexts is msgspec.UNSET else record.contexts
    passages = tuple(_passage(item) for item in contexts or ())
    said = (record.question, record.answer, record.search_query)
    trace_state = record.tracestate or ""
    return RagTrace(
        trace_id=_trace_id(record),
        request_id="",
        question=record.question,
        answer=record.answer,
        contexts=passages,
        contexts_source=ContextsSource.UNKNOWN if contexts is None else ContextsSource.RECORD,
        search_query=record.search_query,
        model=_label(record.model),
        response_model=_label(record.response_model),
        response_id=_label(record.response_id),
        error=_error(record.error),
        session_id=_label(record.session_id),
        user_id=_label(record.user_id),
        tenant=_label(record.tenant),
        app=_label(record.app),
        app_version=_label(record.app_version),
        environment=_label(record.environment),
        prompt_version=_label(record.prompt_version),
        knowledge_base=_label(record.knowledge_base),
        language=_language(record, passages),
        feedback=tuple(_feedback(record)),
        truncated=bool(record.truncated) or any(is_withheld(passage.text) for passage in passages),
        redacted=bool(record.redacted) or hides(said, [passage.text for passage in passages]),
        trace_state=trace_state,
        adjusted_count=adjusted_count(trace_state) if record.adjusted_count is None else record.adjusted_count,
        input_tokens=record.input_tokens,
        output_tokens=record.output_tokens,
        start_ns=_time("start_time", record.start_time),
        end_ns=_time("end_time", record.end_time),
        convention="plain",
    )


def _trace_id(record: PlainRecord) -> str:
    """Hex ids in lower case, as everywhere; other ids as they are."""
    trace_id = str(record.trace_id)
    return trace_id.lower() if _HEX_ID.fullmatch(trace_id) else trace_id


def _label(value: str | int | None) -> str | None:
    """A label's text; an empty one says nothing."""
    return None if value is None or value == "" else str(value)


def _passage(item: str | PlainPassage) -> Passage:
    if isinstance(item, str):
        return Passage(item)
    return Passage(item.text, _label(item.id), item.score, source=_label(item.source))


def _error(error: bool | str | PlainError | None) -> RequestError | None:  # noqa: FBT001 - the wire's own type
    match error:
        case None | False | "":
            return None
        case True:
            return RequestError("error", "request")
        case PlainError():
            stage = error.stage if error.stage in _ERROR_STAGES else "request"
            return RequestError(error.type, stage, error.message or "")
        case str():
            kind, _, message = error.partition(":")
            return RequestError(kind.strip()[:MAX_ID], "request", message.strip())


def _feedback(record: PlainRecord, given_ns: int = 0) -> Iterator[Feedback]:
    match record.feedback:
        case None:
            return
        case list():
            items = record.feedback
        case PlainFeedback():
            items = [record.feedback]
        case str():
            items = [PlainFeedback(label=record.feedback)]
        case bool() | float() | int():
            items = [PlainFeedback(score=record.feedback)]
    trace_id = _trace_id(record)
    for item in items:
        human = item.human is not False
        score = None if item.score is None else float(item.score)
        negative = is_negative(score, item.label, human=human) if item.negative is None else item.negative
        yield Feedback(
            name=item.name or "feedback",
            score=score,
            label=item.label,
            comment=item.comment,
            negative=negative,
            human=human,
            trace_id=trace_id,
            response_id=_label(item.response_id) or _label(record.response_id),
            given_ns=given_ns,
        )


def _language(record: PlainRecord, passages: tuple[Passage, ...]) -> str:
    """The record's own tag, shortened to the language, else what the texts tell."""
    told = _LANGUAGE.fullmatch(record.language or "")
    if told is not None:
        return told[1].lower()
    return detect(record.question, record.answer, *(passage.text for passage in passages[:1]))


def _time(key: str, value: str | float | None) -> int:
    if value is None:
        return 0
    try:
        return read_time(value)
    except ValueError:
        kind = "wrong_type"
        detail = f"Expected ISO 8601 or an epoch number between 1970 and 2199 - at `$.{key}`"
        raise DecodeError(kind, detail) from None
