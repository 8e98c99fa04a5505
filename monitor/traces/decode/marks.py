"""What encodings without fields for it write among a span's tags: status, kind, tracestate, scope, dropped counts.

The names are those of the OpenTelemetry specification, `common/mapping-to-non-otlp.md`, older ones of the Collector,
and `span.kind` and `error` of OpenTracing.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Final, NamedTuple

from monitor.traces.values import as_int, as_text
from monitor.wire import AttributeValue, SpanStatus

NO_SERVICE: Final = "OTLPResourceNoServiceName"
"""What the Collector writes where a span has no service name."""

_STATUS_CODE = "otel.status_code"
_DESCRIPTION = "otel.status_description"
_ERROR = "error"
_KIND = "span.kind"
_TRACE_STATE = "w3c.tracestate"
_SCOPE = ("otel.scope.name", "otel.library.name")
_DROPPED = "otel.dropped_attributes_count"
_UNREAD = (
    "otel.scope.version",
    "otel.library.version",
    "otel.dropped_events_count",
    "otel.dropped_links_count",
    "otel.zipkin.absentField.startTime",
)
_STATUSES = {f"{prefix}{status.name}": status for status in SpanStatus for prefix in ("", "STATUS_CODE_")}
_KINDS = {"internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}

Tags = MutableMapping[str, AttributeValue]


class Marks(NamedTuple):
    """The span's fields that stood among its tags."""

    status: SpanStatus
    status_message: str
    kind: int
    trace_state: str
    scope: str
    dropped_attributes: int


def take_marks(tags: Tags, *, any_error: bool) -> Marks:
    """Read the marks and remove them, so that the span's own attributes are left.

    A status code beats the tag `error`. `any_error` says that any text in that tag but `false` means failed and is the
    message, as in Zipkin; else only true does, and a text is an attribute of the span.
    """
    code = _text(tags, (_STATUS_CODE,))
    message = _text(tags, (_DESCRIPTION,))
    status = _STATUSES.get(code.upper(), SpanStatus.UNSET)
    failed, reason = _take_error(tags, any_error=any_error)
    if failed and not code:
        status, message = SpanStatus.ERROR, message or reason
    marks = Marks(
        status=status,
        status_message=message,
        kind=kind_of(_text(tags, (_KIND,))),
        trace_state=_text(tags, (_TRACE_STATE,)),
        scope=_text(tags, _SCOPE),
        dropped_attributes=max(as_int(tags.pop(_DROPPED, None)) or 0, 0),
    )
    for key in _UNREAD:
        tags.pop(key, None)
    return marks


def kind_of(word: str) -> int:
    """OTLP's number of a kind in either case; 0 for no or an unknown word."""
    return _KINDS.get(word.lower(), 0)


def _take_error(tags: Tags, *, any_error: bool) -> tuple[bool, str]:
    """Whether the tag `error` says that the span failed (then it is removed), and the reason that it gives."""
    value = tags.get(_ERROR)
    text = value.lower() if isinstance(value, str) else None
    if value is True or text == "true":
        del tags[_ERROR]
        return True, ""
    if any_error and text is not None and text != "false":
        del tags[_ERROR]
        return True, str(value)
    return False, ""


def _text(tags: Tags, keys: Iterable[str]) -> str:
    """The text of the first of these keys that is there, all of which are removed; else the empty text."""
    found = [as_text(tags.pop(key)) for key in keys if key in tags]
    return next((text for text in found if text), "")
