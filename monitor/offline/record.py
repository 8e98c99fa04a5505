"""`ragmon record`: records of a topic to a file that `extract` and `replay` read, and that can be sent to someone."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from monitor import logs
from monitor.building import build_connection
from monitor.clock import SystemClock
from monitor.config.loading import load_secret
from monitor.config.settings import Log, Settings
from monitor.errors import InputError, RagmonError, SourceError
from monitor.kafka_client.topic import TopicReader
from monitor.offline import FAILED, exit_code
from monitor.offline.last import LastRecords
from monitor.offline.output import PrivateFile, private_file
from monitor.records import TopicPartition
from monitor.sources.recorded import encode
from monitor.wire import Record

_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
DEFAULT = 1000
"""Records when nothing else is said."""
TERMINATED = 128 + signal.SIGTERM
"""Exit code after SIGTERM."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which records: the last ones there are, or what comes in `seconds` when that is given."""

    topic: str
    last: int
    seconds: float | None = None


def main(wanted: Wanted, out: Path, settings: Settings, *, force: bool, console: Console | None) -> int:
    """Record; returns the exit code (1 when nothing was recorded, or a part of it could not be read).

    When it is interrupted or Kafka goes away, the records so far are kept, and the exception goes on.
    """
    _check(wanted.topic, out)
    load_secret(settings.kafka.security.token, "kafka.security.token")
    connection = build_connection(settings)
    connection.check()
    logs.configure(Log(level="error", format="console"), SystemClock())  # troubles are told here, each once
    reader, progress = TopicReader(connection, wanted.topic), _progress(console)
    with private_file(out, force=force) as file:
        recording = _Recording(reader, wanted, file, progress)
        try:
            with recording.progress, _held():
                asyncio.run(recording.run())
        except SourceError as error:
            raise RagmonError(f"{error}{_so_far(file, force=force)}") from None
        except (KeyboardInterrupt, asyncio.CancelledError):  # asyncio gives either for SIGINT
            if recording.terminated:
                _tell(f"terminated{_so_far(file, force=force)}")
                return TERMINATED
            _tell(f"interrupted{_so_far(file, force=force)}")
            raise KeyboardInterrupt from None
        failures = exit_code(recording.reader.failures(), read=True)
        if not file.lines:
            _tell(recording.nothing())
            return FAILED
        file.keep(force=force)
        _tell(f"{file.lines} records of {wanted.topic} are in {out}")
        _warn(out)
        return failures


@contextmanager
def _held() -> Iterator[None]:
    """Let signals wait until the event loop takes them: one that comes while it is made breaks the making of it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _check(topic: str, out: Path) -> None:
    if not _TOPIC.fullmatch(topic) or topic in {".", ".."}:
        raise InputError(f"{topic!r} cannot be the name of a topic: up to 249 letters, digits, dots, _ and -")
    if str(out) == "-":
        raise InputError("--out -: records of users go to a file that you alone can read; give its name")


@dataclass(slots=True)
class _Recording:
    """One run of the command."""

    reader: TopicReader
    wanted: Wanted
    file: PrivateFile
    progress: Progress
    terminated: bool = False
    """Whether SIGTERM came."""
    _task: TaskID = field(init=False)

    def __post_init__(self) -> None:
        self._task = self.progress.add_task(f"recording {self.wanted.topic}", total=None, size="")

    async def run(self) -> None:
        """Write the records to the file. Raises InputError, ConfigError, SourceError, RagmonError (file)."""
        task = asyncio.current_task()
        if task is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._terminate, task)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        async with self.reader:
            offsets = await self.reader.offsets()
            if self.wanted.seconds is not None:
                ends = {tp: item.end for tp, item in offsets.items()}
                await self.reader.follow(ends, self._write, self.wanted.seconds)
            else:
                at_most = sum(item.end - item.begin for item in offsets.values())
                self.progress.update(self._task, total=min(self.wanted.last, at_most))
                await self._last(LastRecords(self.wanted.last, offsets))

    def _terminate(self, task: asyncio.Task[object]) -> None:
        self.terminated = True
        task.cancel()

    def nothing(self) -> str:
        """What to say when there was no record."""
        topic, seconds = self.wanted.topic, self.wanted.seconds
        held = "holds no records" if seconds is None else f"got no records in {seconds:g} s"
        return f"topic {topic} {held}; nothing was written"

    async def _last(self, search: LastRecords) -> None:
        """Write at once what are the last records if no offset is missing; else begin anew once they are found."""

        def write(tp: TopicPartition, records: Sequence[Record]) -> None:
            look(tp, records)
            self._write(tp, records)

        def look(tp: TopicPartition, records: Sequence[Record]) -> None:
            search.saw(tp, (record.offset for record in records))

        await self.reader.read(search.windows(), write)
        windows = search.windows()
        if not windows:
            return
        self.file.clear()
        while windows:
            await self.reader.read(windows, look)
            windows = search.windows()
        await self.reader.read(search.ranges(), self._write)

    def _write(self, _tp: TopicPartition, records: Sequence[Record]) -> None:
        for record in records:
            self.file.write(encode(record))
        self.progress.update(self._task, completed=self.file.lines, size=decimal(self.file.bytes))


def _so_far(file: PrivateFile, *, force: bool) -> str:
    """Keep what there is; says so in the rest of a sentence."""
    if not file.lines:
        return "; nothing was written"
    file.keep(force=force)
    _warn(file.path)
    return f"; the {file.lines} records so far are in {file.path}"


def _warn(path: Path) -> None:
    _tell(f"warning: {path} holds what users wrote and were told, unredacted (mode 0600); be careful whom you send it")


def _tell(text: str) -> None:
    sys.stderr.write(f"ragmon: {text}\n")


def _progress(console: Console | None) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[size]}"))
    return Progress(*columns, TimeElapsedColumn(), console=console, disable=console is None, transient=True)
