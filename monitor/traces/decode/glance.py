"""As much of a record as traffic counters need: entry spans, token counts, empty results. Nothing else is read.

An entry span (no parent, or one in another process) is a request; it gives latency and error. A trace is seen one
record at a time, so what a record without the entry span holds still adds its tokens and empty results. Unlike
`extract` this asks two conventions only, OpenTelemetry's and OpenInference's, and does not tell whether a request is
one of RAG: that takes the whole trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError as ProtobufError
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from monitor.protocols import Decoder
from monitor.records import ContextsSource, RagTrace
from monitor.traces import semconv
from monitor.traces.decode.declare import BYTES, FIXED32, FIXED64, Field, declare
from monitor.traces.decode.ids import parent_hex, span_hex, trace_hex
from monitor.traces.decode.proto_items import read_resource
from monitor.traces.decode.proto_values import read_value
from monitor.traces.decode.sniff import sniff
from monitor.traces.decode.times import usable_ns
from monitor.traces.decode.unframe import MAGICS, unframe
from monitor.traces.text import Repairer
from monitor.traces.values import as_float, as_json
from monitor.traffic import Sight
from monitor.wire import AttributeValue, Decoded, Span, SpanStatus

_NS = 1e9
_MODELS = (semconv.REQUEST_MODEL, semconv.OI_MODEL)
_INPUT = (semconv.INPUT_TOKENS, semconv.INPUT_TOKENS_OLD, semconv.OI_INPUT_TOKENS)
_OUTPUT = (semconv.OUTPUT_TOKENS, semconv.OUTPUT_TOKENS_OLD, semconv.OI_OUTPUT_TOKENS)
_DOCUMENTS = (semconv.RETRIEVAL_DOCUMENTS, semconv.OI_DOCUMENTS)
_KEYS = frozenset((*_MODELS, *_INPUT, *_OUTPUT, *_DOCUMENTS))
_RAW_KEYS = frozenset(key.encode() for key in _KEYS)
_OK = b"\x18\x01"
"""The usual status, if there is one."""
_REMEMBERED = 128
_MOST_TOKENS = 1e9
"""More is no count."""
_LONGEST = 256
"""Bytes of an attribute that is looked at: names of models, numbers and empty lists are short."""
_KEY_MARK = b"\x0a"
"""Field 1, length-delimited: how an attribute begins, with the length of its key behind; others are parsed."""
_KEY_AT = 2


class _Part(NamedTuple):
    """What is looked at of one span."""

    trace_id: str
    span_id: str
    parent_id: str
    seconds: float | None
    failed: bool
    flags: int
    app: str | None
    attributes: Mapping[str, AttributeValue]


class Glance:
    """Looks at whole records. `decoder` is for encodings other than OTLP protobuf, `plain_key` as for `sniff`."""

    def __init__(self, decoder: Decoder, plain_key: str) -> None:
        self._decoder = decoder
        self._plain_key = plain_key
        self._apps: dict[bytes, str | None] = {}

    def look(self, value: bytes) -> list[Sight]:
        """What the record holds. Raises DecodeError for one that cannot be decoded."""
        content = unframe(value) if value[:1] in MAGICS else value
        if content and sniff(content, self._plain_key) == "otlp_proto":
            try:
                envelope = _ENVELOPE.FromString(content)
            except ProtobufError:
                pass  # one bad span: the decoder leaves out no more than that
            else:
                return list(_sights(self._parts(envelope)))
        return list(sights_of(self._decoder.decode(value)))

    def _parts(self, envelope: Any) -> Iterator[_Part]:  # noqa: ANN401 - a class made at run time
        for group in envelope.groups:
            app = self._app(group.resource)
            for scope in group.scopes or group.old_scopes:
                for span in scope.spans:
                    part = _raw_part(span, app)
                    if part is not None:
                        yield part

    def _app(self, resource: bytes) -> str | None:
        """The service's name; a service sends the same resource each time."""
        if resource not in self._apps:
            if len(self._apps) >= _REMEMBERED:
                self._apps.clear()
            self._apps[resource] = _service(read_resource(resource, Repairer()))
        return self._apps[resource]


def sight_of(trace: RagTrace) -> Sight:
    """A request that was extracted, as traffic counts it."""
    known = trace.contexts_source in {ContextsSource.SPAN, ContextsSource.RECORD}
    return Sight(
        trace.app,
        trace.model,
        _seconds(trace.start_ns, trace.end_ns),
        trace.error is not None,
        trace.input_tokens or 0,
        trace.output_tokens or 0,
        known and not trace.contexts,
    )


def sights_of(decoded: Decoded) -> Iterator[Sight]:
    """What a decoded record holds."""
    yield from _sights(map(_part, decoded.spans))
    yield from map(sight_of, decoded.requests)


def _sights(parts: Iterable[_Part]) -> Iterator[Sight]:
    traces: dict[str, list[_Part]] = {}
    for part in parts:
        traces.setdefault(part.trace_id, []).append(part)
    for spans in traces.values():
        yield from _of_trace(spans)


def _of_trace(spans: list[_Part]) -> Iterator[Sight]:
    """One sight for each entry span; the first, or one that is no request, has what the other spans say."""
    telling = [span for span in spans if span.attributes]
    entries = [span for span in spans if not span.parent_id or span.flags & semconv.PARENT_REMOTE]
    input_tokens, output_tokens = _tokens(spans, telling, _INPUT), _tokens(spans, telling, _OUTPUT)
    empty = any(_found_nothing(span.attributes) for span in telling)
    model = next((str(span.attributes[key]) for span in telling for key in _MODELS if key in span.attributes), None)
    if entries or input_tokens or output_tokens or empty:
        first = entries[0] if entries else None
        yield Sight(
            spans[0].app if first is None else first.app,
            model,
            None if first is None else first.seconds,
            first is not None and first.failed,
            input_tokens,
            output_tokens,
            empty,
            first is not None,
        )
    for entry in entries[1:]:
        yield Sight(entry.app, None, entry.seconds, entry.failed)


def _tokens(spans: Iterable[_Part], telling: Iterable[_Part], keys: Iterable[str]) -> int:
    """The tokens of the innermost spans that count any: agents and workflows repeat the sum of what is below them."""
    counts = {span.span_id: count for span in telling if (count := _count(span.attributes, keys)) is not None}
    above: set[str] = set()
    if len(counts) > 1:
        parents = {span.span_id: span.parent_id for span in spans}
        for span_id in counts:
            parent = parents.get(span_id)
            while parent and parent not in above:  # so that each span is passed once, also in a circle
                above.add(parent)
                parent = parents.get(parent)
    return sum(count for span_id, count in counts.items() if span_id not in above)


def _count(attributes: Mapping[str, AttributeValue], keys: Iterable[str]) -> int | None:
    for key in keys:
        number = as_float(attributes.get(key))
        if number is not None and 0 <= number <= _MOST_TOKENS:
            return int(number)
    return None


def _found_nothing(attributes: Mapping[str, AttributeValue]) -> bool:
    """Whether a retriever says that it found nothing: an empty list, as such or as JSON."""
    return any(as_json(attributes[key]) == [] for key in _DOCUMENTS if key in attributes)


def _part(span: Span) -> _Part:
    found = ((key, span.attributes[key]) for key in _KEYS & span.attributes.keys())
    picked = {key: value for key, value in found if not isinstance(value, str) or len(value) <= _LONGEST}
    seconds = _seconds(span.start_ns, span.end_ns)
    failed = span.status is SpanStatus.ERROR
    app = _service(span.resource)
    return _Part(span.trace_id, span.span_id, span.parent_id, seconds, failed, span.flags, app, picked)


def _raw_part(span: Any, app: str | None) -> _Part | None:  # noqa: ANN401 - a class made at run time
    """None for a log record, or a span without usable ids."""
    trace_id, span_id, parent_id = trace_hex(span.trace_id), span_hex(span.span_id), parent_hex(span.parent_id)
    if trace_id is None or span_id is None or parent_id is None:
        return None
    picked: dict[str, AttributeValue] = {}
    for raw in span.attributes[:]:
        if _KEY_AT <= len(raw) <= _LONGEST and (raw[:1] != _KEY_MARK or raw[_KEY_AT : _KEY_AT + raw[1]] in _RAW_KEYS):
            _pick(raw, picked)
    status = span.status
    return _Part(
        trace_id,
        span_id,
        parent_id,
        _seconds(usable_ns(span.start), usable_ns(span.end)),
        bool(status) and status != _OK and _failed(status),
        span.flags,
        app,
        picked,
    )


def _seconds(start_ns: int, end_ns: int) -> float | None:
    """None without a start; a request without an end took no time, as in the decoders."""
    return max(0, end_ns - start_ns) / _NS if start_ns else None


def _failed(status: bytes) -> bool:
    try:
        return Status.FromString(status).code == Status.STATUS_CODE_ERROR
    except ProtobufError:
        return False


def _pick(raw: bytes, picked: dict[str, AttributeValue]) -> None:
    try:
        pair = KeyValue.FromString(raw)  # of equal keys the last wins, as it does in the decoder
    except ProtobufError:
        return
    if pair.key in _KEYS and pair.value != AnyValue():
        picked[pair.key] = read_value(pair.value, Repairer())


def _service(resource: Mapping[str, AttributeValue]) -> str | None:
    name = resource.get(semconv.SERVICE_NAME)
    return name if isinstance(name, str) else None


_VIEWS = declare(
    "ragmon.glance",
    {
        "Span": (
            Field("trace_id", 1, BYTES),
            Field("span_id", 2, BYTES),
            Field("parent_id", 4, BYTES),
            Field("start", 7, FIXED64),
            Field("end", 8, FIXED64),
            Field("attributes", 9, BYTES, repeated=True),
            Field("status", 15, BYTES),
            Field("flags", 16, FIXED32),
        ),
        "Scope": (Field("spans", 2, "Span", repeated=True),),
        "Group": (
            Field("resource", 1, BYTES),
            Field("scopes", 2, "Scope", repeated=True),
            Field("old_scopes", 1000, "Scope", repeated=True),
        ),
        "Envelope": (Field("groups", 1, "Group", repeated=True),),
    },
)
_ENVELOPE = _VIEWS["Envelope"]
