"""A file for content of users: readable by its owner only, whole or not there."""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from monitor.errors import InputError, RagmonError


class PrivateFile:
    """Lines under a temporary name beside the place of the file; `keep` gives them the file's name.

    The temporary file is made with mode 0600, so no one else can read it at any moment. A path that ends in `.gz` or
    `.zst` is compressed. Errors of the file system are RagmonError.
    """

    def __init__(self, path: Path, raw: BinaryIO, temporary: Path) -> None:
        self.path = path
        self.lines = 0
        self.bytes = 0
        """Before compression."""
        self._raw = raw
        self._temporary = temporary
        self._out = _compressed(path, raw)

    def write(self, line: bytes) -> None:
        """Add a line, given with its line feed. Raises RagmonError."""
        with self._told():
            self._out.write(line)
        self.lines += 1
        self.bytes += len(line)

    def clear(self) -> None:
        """Begin anew. Raises RagmonError."""
        with self._told():
            with contextlib.suppress(OSError):
                self._end()
            self._raw.seek(0)
            self._raw.truncate()
        self._out = _compressed(self.path, self._raw)
        self.lines = self.bytes = 0

    def keep(self, *, force: bool) -> None:
        """Finish the file under its name; with `force` another one of that name is replaced. Raises RagmonError."""
        with self._told():
            self._end()
            self._raw.flush()
            os.fsync(self._raw.fileno())
            if force:
                self._temporary.replace(self.path)
            else:
                self._link()

    def _link(self) -> None:
        """Rename, unless a file of that name came into being in the meantime."""
        try:
            os.link(self._temporary, self.path)
        except FileExistsError:
            raise RagmonError(_taken(self.path)) from None
        except OSError:  # a file system without links
            self._temporary.replace(self.path)

    def discard(self) -> None:
        """Remove what has the temporary name; never raises."""
        with contextlib.suppress(OSError):
            self._end()
        with contextlib.suppress(OSError):
            self._raw.close()
        with contextlib.suppress(OSError):
            self._temporary.unlink(missing_ok=True)

    def _end(self) -> None:
        """Write what the compression still holds."""
        if self._out is not self._raw:
            self._out.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            msg = f"{self.path}: cannot be written ({error.strerror}); nothing of it is kept"
            raise RagmonError(msg) from None


@contextlib.contextmanager
def private_file(path: Path, *, force: bool, example: str = "traces.jsonl.gz") -> Iterator[PrivateFile]:
    """A new file for the time of a block; it is gone afterwards unless it was kept.

    Raises InputError when there is one already (unless `force`), or when none can be made.
    """
    try:
        _refuse(path, example, force=force)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise InputError(f"--out {path}: cannot be written ({error.strerror})") from None
    file = PrivateFile(path, os.fdopen(descriptor, "wb"), Path(name))
    try:
        yield file
    finally:
        file.discard()


def _refuse(path: Path, example: str, *, force: bool) -> None:
    """Raise InputError when no file can be made of this name, or there is one. Raises OSError."""
    if path.is_dir():
        raise InputError(f"--out {path}: is a folder; give the name of a file, such as {path / example}")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InputError(f"--out {path}: is no regular file; give the name of one")
    if not force and path.exists():
        raise InputError(f"--out {_taken(path)}")


def _taken(path: Path) -> str:
    return f"{path}: exists already; give another name, or --force to replace it"


def _compressed(path: Path, raw: BinaryIO) -> BinaryIO:
    match path.suffix:
        case ".gz":
            return cast("BinaryIO", gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0))
        case ".zst":
            return cast("BinaryIO", zstandard.ZstdCompressor().stream_writer(raw, closefd=False))
        case _:
            return raw
