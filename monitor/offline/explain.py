"""`ragmon extract --explain`: why each request would be judged or not, and where each of its fields came from."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TextIO

from monitor.accounting import STAGES
from monitor.building import build_extractor
from monitor.config.mapping import unread_fields
from monitor.config.settings import Settings
from monitor.feedback import Feedback
from monitor.judges.scorable import MEANINGS
from monitor.offline.ending import ended
from monitor.offline.explain_plain import feedback_notes, fields_of
from monitor.offline.explained import (
    ExplainedField,
    ExplainedOther,
    ExplainedPlace,
    ExplainedRow,
    ExplainedSample,
    ExplainedSpan,
    ExplainedVerdict,
    text_of,
)
from monitor.offline.explained_tree import print_rows
from monitor.offline.foreseen import Foreseen, foreseen
from monitor.offline.reader import FileReader
from monitor.offline.shown import json_line, shown
from monitor.records import Position, RagTrace
from monitor.sampling.sampler import Sampler
from monitor.sources.replay import ReplaySource
from monitor.traces.absence import why_none, why_not_counted
from monitor.traces.explain import Choice, Considered, Explained, Place, explain
from monitor.traces.extract import Reading
from monitor.traces.mapped_spans import unmatched
from monitor.traces.tree import Node
from monitor.wire import Assembled, Span

_WARNING = "ragmon: this prints contents of users; mind who sees it\n"
_DROPPED = {reason.name: reason.meaning for stage in STAGES if stage.name == "extract" for reason in stage.reasons}
_MOST_SPANS = 200
_MOST_PLACES = 5
_NAME = 200


def main(
    paths: Sequence[str], encoding: str, settings: Settings, out: TextIO, *, as_json: bool, sample: bool = True
) -> int:
    """Explain the files, with `sample` also whether the rates take a request; the exit code is that of `extract`."""
    source, reader = ReplaySource(paths, encoding, plain_key=settings.source.plain_key), FileReader(encoding, settings)
    sys.stderr.write(_WARNING)
    asyncio.run(reader.read(source))
    explainer = Explainer(settings, sample=sample)
    rows = explainer.rows(reader)
    if as_json:
        out.writelines(json_line(row) for row in rows)
    else:
        print_rows(rows, out)
    sys.stderr.writelines(f"ragmon: {shown(line, 2 * _NAME)}\n" for line in explainer.unmatched())
    reasons = (why for _, why in reader.failures)
    return ended(source, encoding, reader.lost(), reasons, read=reader.understood > 0)


class _Read(NamedTuple):
    """A trace that was read, its requests with all that led to them, and why there is no request, or no other."""

    reading: Reading
    explained: Sequence[Explained]
    notes: tuple[str, ...]


class Explainer:
    """Makes a row for each request, each trace without one, and each record that was not understood."""

    def __init__(self, settings: Settings, *, sample: bool) -> None:
        self._extractor = build_extractor(settings)
        self._sampler = Sampler(settings.sampling) if sample else None
        self._mappings = settings.mappings
        self._spans: list[Span] = []
        self._paths = settings.source.plain_fields
        self._foreseen = foreseen(settings)

    def rows(self, reader: FileReader) -> Iterator[ExplainedRow]:
        """The rows: requests of traces in time order, plain records, traces without a request, unreadable records.

        Plain feedback stands behind the plain records.
        """
        traces = []
        for assembled, read in reader.traces(self._read):
            reader.hear(read.reading.extracted.feedback)
            traces.append((assembled, read))
            if self._mappings:
                self._spans += assembled.spans
        for assembled, read in traces:
            yield from self._requests(assembled, read, reader)
        yield from self._plain_records(reader)
        for assembled, read in traces:
            if read.reading.extracted.dropped:
                yield _none(assembled, _records(reader, assembled.positions), read)
        yield from _not_understood(reader)

    def unmatched(self) -> Iterator[str]:
        """After `rows`: a sentence for each field that is mapped in vain and each kind of spans that did not come."""
        yield from unread_fields(self._mappings)
        yield from unmatched(self._mappings, self._spans)

    def _read(self, assembled: Assembled) -> _Read:
        reading = self._extractor.read(assembled)
        notes = why_none(reading) if reading.extracted.dropped else why_not_counted(reading)
        unmapped = self._mappings and not any(node.is_mapped for node in reading.forest.nodes)
        if reading.extracted.dropped and unmapped:
            notes = [*notes, "no mapping of the configuration matches any of its spans"]
        return _Read(reading, explain(reading), tuple(shown(note, 2 * _NAME) for note in notes))

    def _requests(self, assembled: Assembled, read: _Read, reader: FileReader) -> Iterator[ExplainedRow]:
        spans = _spans(read.reading)
        for explained in read.explained:
            trace = reader.with_feedback(explained.record)
            fields = {name: _field(choice) for name, choice in explained.choices.items()}
            row = self._request(
                trace, _records(reader, assembled.positions), fields | _counted(trace), spans, read.notes
            )
            yield replace(row, sample=self._sample(explained.record))

    def _plain_records(self, reader: FileReader) -> Iterator[ExplainedRow]:
        for request, position in reader.requests:
            row = self._plain(reader.with_feedback(request), _records(reader, (position,)))
            yield replace(row, sample=self._sample(request))
        for said, position in reader.feedback:
            yield _plain_feedback(said, _records(reader, (position,)))

    def _plain(self, trace: RagTrace, records: tuple[str, ...]) -> ExplainedRow:
        """A plain record says everything itself."""
        return self._request(trace, records, fields_of(trace, self._paths) | _counted(trace), (), ())

    def _request(
        self,
        trace: RagTrace,
        records: tuple[str, ...],
        fields: dict[str, ExplainedField],
        spans: tuple[ExplainedSpan, ...],
        notes: tuple[str, ...],
    ) -> ExplainedRow:
        verdicts = tuple(_verdict(trace, one) for one in self._foreseen)
        refused = list(dict.fromkeys(verdict.reason for verdict in verdicts if not verdict.judged))
        judged = any(verdict.judged for verdict in verdicts)
        reason = "" if judged else (refused or [""])[0]
        return ExplainedRow(
            "request",
            records,
            shown(trace.trace_id, _NAME),
            trace.request_id,
            service=None if trace.app is None else shown(trace.app, _NAME),
            convention=trace.convention,
            judged=judged,
            reason=reason,
            because=_because(refused, judged=judged),
            evaluations=verdicts,
            fields=fields,
            spans=spans,
            notes=notes,
        )

    def _sample(self, trace: RagTrace) -> ExplainedSample | None:
        """As the service decides: on the request alone, before feedback that comes in records of its own."""
        if self._sampler is None:
            return None
        decision = self._sampler.decide(trace, safety_hit=False, by_key=True)
        return ExplainedSample(decision.sampled, decision.probability, decision.policies)


def _verdict(trace: RagTrace, one: Foreseen) -> ExplainedVerdict:
    reason = one.why_not(trace)
    return ExplainedVerdict(one.evaluation, one.judge, reason is None, reason or "", MEANINGS[reason] if reason else "")


def _because(refused: Sequence[str], *, judged: bool) -> str:
    """In a sentence: what speaks against judging, or that nothing does."""
    if not refused:
        return "nothing is missing"
    against = "; ".join(MEANINGS[reason] for reason in refused)
    return f"not under every evaluation: {against}" if judged else against


def _none(assembled: Assembled, records: tuple[str, ...], read: _Read) -> ExplainedRow:
    reading = read.reading
    (reason,) = reading.extracted.dropped
    return ExplainedRow(
        "trace",
        records,
        assembled.trace_id,
        service=_service((*reading.forest.nodes, *reading.forest.cut)),
        judged=False,
        reason=reason,
        because=_DROPPED[reason],
        spans=_spans(reading),
        notes=read.notes,
    )


def _not_understood(reader: FileReader) -> Iterator[ExplainedRow]:
    """The traces that could not be read for a defect of ours, then the records that hold nothing that is known."""
    for assembled, why in reader.defects:
        trace_id, because = shown(assembled.trace_id, _NAME), _DROPPED["failed"]
        records = _records(reader, assembled.positions)
        yield ExplainedRow("trace", records, trace_id, judged=False, reason="failed", because=because, notes=(why,))
    for place, message in reader.failures:
        where, why = shown(place, _NAME), shown(message, 2 * _NAME)
        yield ExplainedRow("record", (where,), None, judged=False, reason="dead_letter", because=why)


def _plain_feedback(said: Feedback, records: tuple[str, ...]) -> ExplainedRow:
    reply = "" if said.response_id is None else f", else with that of the reply {said.response_id}"
    because = shown(f"it is joined with the verdicts on the request of trace {said.trace_id}{reply}", 2 * _NAME)
    notes = tuple(shown(note, 2 * _NAME) for note in feedback_notes(said))
    trace_id = shown(said.trace_id or "", _NAME)
    return ExplainedRow("feedback", records, trace_id, judged=False, reason="feedback", because=because, notes=notes)


def _counted(trace: RagTrace) -> dict[str, ExplainedField]:
    """What follows from other fields, and what other traces may have added."""
    said = tuple(f"{one.name}: {one.label or one.score}" for one in trace.feedback) or None
    values = {
        "contexts_source": trace.contexts_source.value,
        "language": trace.language,
        "adjusted_count": trace.adjusted_count,
        "feedback": said,
    }
    return {name: ExplainedField(text_of(value)) for name, value in values.items()}


def _field(choice: Choice) -> ExplainedField:
    taken = choice.taken
    value = None if taken is None else text_of(taken.value)
    return ExplainedField(value, _places(taken), tuple(dict.fromkeys(map(_other, choice.passed_over))))


def _other(one: Considered) -> ExplainedOther:
    return ExplainedOther(text_of(one.value), _places(one), shown(one.why, 2 * _NAME))


def _places(one: Considered | None) -> tuple[ExplainedPlace, ...]:
    places: Sequence[Place] = () if one is None else one.places
    return tuple(
        ExplainedPlace(place.span_id, shown(place.span, _NAME), shown(place.where, _NAME), place.convention)
        for place in places[:_MOST_PLACES]
    )


def _spans(reading: Reading) -> tuple[ExplainedSpan, ...]:
    nodes = [*reading.forest.nodes, *reading.forest.cut][:_MOST_SPANS]
    return tuple(
        ExplainedSpan(
            node.span.span_id, node.span.parent_id, shown(node.span.name, _NAME), node.role.value, node.convention
        )
        for node in nodes
    )


def _service(nodes: Sequence[Node]) -> str | None:
    names = (node.span.resource.get("service.name") for node in nodes)
    return next((shown(name, _NAME) for name in names if isinstance(name, str)), None)


def _records(reader: FileReader, positions: Sequence[Position]) -> tuple[str, ...]:
    return tuple(shown(reader.place_of(place), _NAME) for place in positions[:_MOST_PLACES])
