"""`ragmon extract`: what ragmon understands of recorded traces, one JSON object a line for each request."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TextIO

import msgspec

from exporters.messages import to_json
from monitor.errors import DecodeError
from monitor.offline import exit_code
from monitor.records import Feedback, Position, RagTrace, TopicPartition
from monitor.settings import Settings
from monitor.sources.replay import ReplaySource
from monitor.traces.assemble import Assembler
from monitor.traces.decode import make_decoder
from monitor.traces.extract import Extractor


def main(paths: Sequence[str], encoding: str, settings: Settings, out: TextIO) -> int:
    """Write the requests of the files; returns the exit code (1: some of it could not be read, 2: nothing)."""
    source = ReplaySource(paths, encoding)
    reader = _Reader(encoding, settings)
    asyncio.run(reader.read(source))
    out.writelines(to_json(row).decode() + "\n" for row in reader.rows())
    return exit_code([*source.failures(), *reader.failures], read=reader.understood > 0)


def row_of(trace: RagTrace) -> dict[str, object]:
    """A request as `ragmon extract` prints it; `error` is text or null, `feedback` the first one or null."""
    plain: dict[str, object] = msgspec.to_builtins(trace)
    error = trace.error
    plain["error"] = None if error is None else f"{error.type}: {error.message}" if error.message else error.type
    plain["error_type"] = error.type if error else None
    plain["error_stage"] = error.stage if error else None
    plain["feedback"] = msgspec.to_builtins(trace.feedback[0]) if trace.feedback else None
    plain["all_feedback"] = msgspec.to_builtins(trace.feedback)
    return plain


class _Reader:
    """Reads all requests of a source, and joins feedback that came in a trace of its own."""

    def __init__(self, encoding: str, settings: Settings) -> None:
        self.failures: list[tuple[str, str]] = []
        self.understood = 0
        self._decoder = make_decoder(encoding, settings.source.plain_fields)
        # spans of one trace may lie in any of the files, so nothing is evicted before the end
        unbounded = {"max_traces": sys.maxsize, "max_bytes": sys.maxsize}
        self._assembler = Assembler(settings.assembly.model_copy(update=unbounded))
        self._extractor = Extractor(settings.assembly, settings.source.own_services)
        self._requests: list[RagTrace] = []
        self._feedback: list[Feedback] = []

    async def read(self, source: ReplaySource) -> None:
        """Read the source to its end."""
        await source.start(_Nobody())
        while not source.exhausted():
            for batch in await source.poll():
                for record in batch.records:
                    self._record(record.value or b"", Position(*batch.partition, record.offset))
        await source.stop()
        for assembled in self._assembler.flush():
            extracted = self._extractor.extract(assembled)
            self._requests += extracted.requests
            self._feedback += extracted.feedback

    def rows(self) -> Iterator[dict[str, object]]:
        """The requests as plain objects."""
        by_trace: dict[str | None, list[Feedback]] = {}
        by_response: dict[str | None, list[Feedback]] = {}
        for item in self._feedback:
            if item.trace_id:
                by_trace.setdefault(item.trace_id, []).append(item)
            elif item.response_id:
                by_response.setdefault(item.response_id, []).append(item)
        for trace in self._requests:
            late = [*by_trace.get(trace.trace_id, ()), *by_response.get(trace.response_id, ())]
            yield row_of(replace(trace, feedback=(*trace.feedback, *late)))

    def _record(self, value: bytes, position: Position) -> None:
        if not value:
            return
        try:
            decoded = self._decoder.decode(value)
        except DecodeError as error:
            self.failures.append((f"{position.topic} record {position.offset}", str(error)))
            return
        self.understood += 1
        self._requests += decoded.requests
        self._feedback += decoded.feedback
        self._assembler.add(decoded.spans, decoded.logs, position, len(value), 0.0)


class _Nobody:
    """A RebalanceListener for reading files: nothing is ever committed."""

    async def assigned(self, committed: Mapping[TopicPartition, int | None]) -> None:
        """Nothing to do."""

    async def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """Nothing to do."""

    async def lost(self, partitions: Iterable[TopicPartition]) -> None:
        """Nothing to do."""

    def committable(self) -> Mapping[TopicPartition, int]:
        """Nothing."""
        return {}
