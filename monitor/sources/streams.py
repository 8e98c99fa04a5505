"""Opening a file, or standard input, as one stream of bytes: plain, gzip or zstd, told by its first bytes."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import select
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import zstandard

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer  # exists for type checkers only

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_WAKE_S = 0.2
_ZSTD_INPUT = 1024
"""Compressed bytes per step: a kilobyte of zstd can hold 40 MB, so no more at once."""

STDIN = "-"
DAMAGE = (EOFError, OSError, zlib.error, zstandard.ZstdError)
"""What reading a damaged, cut off or unreadable stream raises."""


def open_stream(
    path: str, stopped: Callable[[], bool], cleanup: contextlib.ExitStack
) -> tuple[io.BufferedReader[Any], int]:
    """The decompressed stream and the time of the last change (ns). Raises OSError. `cleanup` closes what was opened.

    `path` is a file or `-`. `stopped` ends standard input and pipes early, which may otherwise wait for ever.
    """
    if path == STDIN:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        raw: io.RawIOBase = _Polled(sys.stdin.fileno(), stopped)
    elif Path(path).is_fifo():
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # else this would wait until somebody writes
        cleanup.callback(os.close, descriptor)
        raw = _Polled(descriptor, stopped)
    else:
        raw = Path(path).open("rb", buffering=0)  # noqa: SIM115 - the clean-up stack closes it
    cleanup.callback(raw.close)
    stream = io.BufferedReader(raw)
    changed_ns = os.fstat(raw.fileno()).st_mtime_ns
    head = stream.peek(len(_ZSTD))
    if head.startswith(_GZIP):
        return io.BufferedReader(cleanup.enter_context(gzip.GzipFile(fileobj=stream))), changed_ns
    if head.startswith(_ZSTD):
        return io.BufferedReader(_Zstd(stream)), changed_ns
    return stream, changed_ns


class _Polled(io.RawIOBase):
    """A file descriptor that is not ours to close, read in steps that can be ended from outside."""

    def __init__(self, descriptor: int, stopped: Callable[[], bool]) -> None:
        self._descriptor = descriptor
        self._stopped = stopped

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._stopped():
            ready, _, _ = select.select([self._descriptor], [], [], _WAKE_S)
            if ready:
                view = memoryview(buffer)
                data = os.read(self._descriptor, len(view))
                view[: len(data)] = data
                return len(data)
        return 0


class _Zstd(io.RawIOBase):
    """Decompresses frames as they are read; unlike the library's own reader it notices that a file is cut off."""

    def __init__(self, source: io.BufferedIOBase) -> None:
        self._source = source
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._fed = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._ready:
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
                self._fed = False
            data = data or self._source.read(_ZSTD_INPUT)
            if not data:
                if self._fed:
                    msg = "the zstd data is cut off"
                    raise EOFError(msg)
                return 0
            self._fed = True
            self._ready = memoryview(self._frame.decompress(data))
        view = memoryview(buffer)
        size = min(len(view), len(self._ready))
        view[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
