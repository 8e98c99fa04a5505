"""Records from files: every file becomes a topic, so that accounting and offsets work as with Kafka."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from monitor.errors import InputError
from monitor.protocols import RebalanceListener
from monitor.records import TopicPartition
from monitor.sources.files import FileReader, expand
from monitor.sources.streams import DAMAGE, open_stream
from monitor.traces.decode.limits import MAX_BYTES
from monitor.wire import Batch, RawRecord

_BATCH_RECORDS = 500
_BATCH_BYTES = 8 << 20
_PAUSED_S = 0.05
_STOP_S = 2.0


class ReplaySource:
    """`protocols.Source` over files, folders (known suffixes, sorted) and `-` for standard input.

    A file that cannot be read does not end the rest: see `failures`. Files are read in a thread of their own, one batch
    ahead of nothing: memory holds one batch, and no record above `max_bytes`.
    """

    def __init__(
        self,
        paths: Sequence[str],
        encoding: str = "auto",
        *,
        plain_key: str = "trace_id",
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.by_line: set[str] = set()
        """Files of which every line is a record: its offset is the number of the line, from 1."""
        self._paths = paths
        self._encoding = encoding
        self._plain_key = plain_key
        self._max_bytes = max_bytes
        self._failures: list[tuple[str, str]] = []
        self._stopped = threading.Event()
        self._batches = self._read_all()
        self._worker = ThreadPoolExecutor(1, "replay")
        self._listener: RebalanceListener | None = None
        self._seen: set[TopicPartition] = set()
        self._paused = False
        self._exhausted = False

    async def start(self, listener: RebalanceListener) -> None:
        """Begin; opens nothing yet."""
        self._listener = listener

    async def poll(self) -> Sequence[Batch]:
        """The next batch; none while paused, or at the end."""
        if self._paused or self._exhausted or self._listener is None:
            await asyncio.sleep(_PAUSED_S)
            return ()
        batch = await asyncio.get_running_loop().run_in_executor(self._worker, next, self._batches, None)
        if batch is None:
            self._exhausted = True
            return ()
        if batch.partition not in self._seen:
            self._seen.add(batch.partition)
            await self._listener.assigned((batch.partition,))
        return (batch,)

    def pause(self) -> None:
        """Deliver nothing until `resume`. Idempotent."""
        self._paused = True

    def resume(self) -> None:
        """Deliver again. Idempotent."""
        self._paused = False

    async def commit(self, *, final: bool = False) -> None:
        """Files have no offsets to keep: nothing happens."""

    async def stop(self) -> None:
        """Close the open file. Idempotent."""
        self._stopped.set()
        if not self._exhausted:
            self._exhausted = True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STOP_S):
                    await asyncio.get_running_loop().run_in_executor(self._worker, self._batches.close)
        self._worker.shutdown(wait=False)

    def problem(self) -> str | None:
        """None: what cannot be read is in `failures`."""
        return None

    def exhausted(self) -> bool:
        """Whether everything was handed on."""
        return self._exhausted

    def failures(self) -> Sequence[tuple[str, str]]:
        """Path and reason of every file, or part of a file, that could not be read; complete once exhausted."""
        return tuple(self._failures)

    # ----------------------------------------------------------------------------------------- in the worker's thread

    def _read_all(self) -> Generator[Batch, None, None]:
        for path in self._files():
            if self._stopped.is_set():
                return
            reader = FileReader(path, self._encoding, self._plain_key, max_bytes=self._max_bytes)
            read = 0
            try:
                with contextlib.ExitStack() as cleanup:
                    stream, changed_ns = open_stream(path, self._stopped.is_set, cleanup)
                    reader.timestamp = changed_ns // 1_000_000
                    for batch in _batched(reader.records(stream)):
                        if reader.by_line:
                            self.by_line.add(path)
                        read += len(batch.records)
                        yield batch
            except (InputError, *DAMAGE) as error:
                after = f" (after {read} records)" if read else ""
                self._failures.append((path, f"{_words(error)}{after}"))
            self._failures += [(path, failure) for failure in reader.failures]

    def _closed(self, error: OSError) -> None:
        self._failures.append((str(error.filename), _words(error)))

    def _files(self) -> Iterator[str]:
        found = False
        for path in expand(self._paths, self._closed):
            found = True
            yield path
        if not (found or self._failures):
            self._failures.append((", ".join(self._paths), "no file with a known suffix is in there"))


def _batched(records: Iterator[RawRecord]) -> Iterator[Batch]:
    """Consecutive records of one partition; what was read before the input fails is handed on, too."""
    pending: list[RawRecord] = []
    size = 0
    try:
        for record in records:
            full = len(pending) >= _BATCH_RECORDS or size >= _BATCH_BYTES
            if pending and (full or record.partition != pending[-1].partition):
                yield _batch(pending)
                pending, size = [], 0
            pending.append(record)
            size += len(record.value or b"")
    except (InputError, *DAMAGE):
        if pending:
            yield _batch(pending)
        raise
    if pending:
        yield _batch(pending)


def _batch(records: Sequence[RawRecord]) -> Batch:
    last = records[-1]
    return Batch(TopicPartition(last.topic, last.partition), records, last.offset + 1)


def _words(error: Exception) -> str:
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return f"damaged or cut off ({error})"
