"""Reads recorded traces to their end: what `ragmon extract` prints and explains."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from monitor.config.settings import Settings
from monitor.errors import DecodeError, where
from monitor.feedback import Feedback
from monitor.offline.shown import shown
from monitor.records import Position, RagTrace, TopicPartition
from monitor.sources.replay import ReplaySource
from monitor.traces.assemble import Assembler
from monitor.traces.decode import make_decoder
from monitor.traces.decode.tally import ORDINARY
from monitor.wire import Assembled

T = TypeVar("T")
_DEFECT = "a defect of ragmon: {error} at {place}"
_NAME = 200


class FileReader:
    """Reads all records of a source. Feedback that came in a trace of its own is joined by `with_feedback`."""

    def __init__(self, encoding: str, settings: Settings) -> None:
        self.failures: list[tuple[str, str]] = []
        """Which records were not understood, and why."""
        self.defects: list[tuple[Assembled, str]] = []
        """Which traces could not be read, and why."""
        self.left_out: Counter[str] = Counter()
        """Parts of records that were not understood though the rest was, by reason."""
        self.understood = 0
        self.requests: list[tuple[RagTrace, Position]] = []
        """Plain records: requests as they are."""
        self.feedback: list[tuple[Feedback, Position]] = []
        """Plain records: feedback on earlier requests."""
        self._by_line: Collection[str] = ()
        self._decoder = make_decoder(encoding, settings.source.plain_fields)
        # spans of one trace may lie in any of the files, so nothing is evicted before the end
        unbounded = {"max_traces": sys.maxsize, "max_bytes": sys.maxsize}
        self._assembler = Assembler(settings.assembly.model_copy(update=unbounded))
        self._by_trace: dict[str | None, list[Feedback]] = {}
        self._by_response: dict[str | None, list[Feedback]] = {}

    async def read(self, source: ReplaySource) -> None:
        """Read the source to its end; says on stderr what was left out of readable records."""
        self._by_line = source.by_line
        await source.start(_Nobody())
        try:
            while not source.exhausted():
                for batch in await source.poll():
                    for record in batch.records:
                        self._record(record.value or b"", Position(*batch.partition, record.offset))
        finally:
            await source.stop()
        if self.left_out:
            told = ", ".join(f"{count} {reason}" for reason, count in sorted(self.left_out.items()))
            sys.stderr.write(f"ragmon: parts that were left out: {told}; docs/encodings.md says what these are\n")

    def traces(self, read: Callable[[Assembled], T]) -> Iterator[tuple[Assembled, T]]:
        """The traces of all spans that were read, once, each with what `read` makes of it.

        A defect costs one trace, as in the service: it is put down among the `defects`, and the next one is read.
        """
        for assembled in self._assembler.flush():
            try:
                made = read(assembled)
            except Exception as error:  # noqa: BLE001 - a stage boundary: a defect costs one trace, not the rest
                self.defects.append((assembled, _DEFECT.format_map(where(error))))
            else:
                yield assembled, made

    def lost(self) -> list[tuple[str, str]]:
        """What could not be read, and why: records first, then traces. To be asked when the traces were read."""
        return [*self.failures, *((f"trace {shown(trace.trace_id, _NAME)}", why) for trace, why in self.defects)]

    def hear(self, said: Iterable[Feedback]) -> None:
        """Take in feedback that speaks of other traces."""
        for item in said:
            if item.trace_id:
                self._by_trace.setdefault(item.trace_id, []).append(item)
            elif item.response_id:
                self._by_response.setdefault(item.response_id, []).append(item)

    def with_feedback(self, trace: RagTrace) -> RagTrace:
        """The request with all feedback on it that was heard."""
        late = [*self._by_trace.get(trace.trace_id, ()), *self._by_response.get(trace.response_id, ())]
        return replace(trace, feedback=(*trace.feedback, *late))

    def place_of(self, position: Position) -> str:
        """A record for a person; files that are no recording of a topic have the one partition 0, which is left out."""
        if position.topic in self._by_line:
            return f"{position.topic} line {position.offset}"
        partition = f" partition {position.partition}" if position.partition else ""
        return f"{position.topic}{partition} record {position.offset}"

    def _why(self, error: DecodeError, position: Position) -> str:
        """What is wrong with a record; a line that begins as no JSON does is no record of an unknown encoding."""
        is_other = error.kind == "unknown_encoding" and error.detail.startswith("the first byte is")
        return f"is not JSON: {error.detail}" if is_other and position.topic in self._by_line else str(error)

    def _record(self, value: bytes, position: Position) -> None:
        if not value:
            return
        try:
            decoded = self._decoder.decode(value)
        except DecodeError as error:
            self.failures.append((self.place_of(position), self._why(error, position)))
            return
        self.understood += 1
        self.left_out.update({reason: n for reason, n in decoded.skipped.items() if reason not in ORDINARY})
        self.requests += [(request, position) for request in decoded.requests]
        self.feedback += [(said, position) for said in decoded.feedback]
        self.hear(decoded.feedback)
        self._assembler.add(decoded.spans, decoded.logs, position, 0.0)


class _Nobody:
    """A RebalanceListener for reading files: nothing is ever committed."""

    async def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """Nothing to do."""

    async def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """Nothing to do."""

    async def lost(self, partitions: Iterable[TopicPartition]) -> None:
        """Nothing to do."""

    def committable(self) -> Mapping[TopicPartition, int]:
        """Nothing."""
        return {}
