"""A file for content of users: readable by its owner only, whole or not there."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zstandard

from monitor.errors import InputError, RagmonError
from monitor.offline.output import PrivateFile, private_file

LINES = [b"%d\n" % number for number in range(1000)]


def content(path: Path) -> bytes:
    data = path.read_bytes()
    match path.suffix:
        case ".gz":
            return gzip.decompress(data)
        case ".zst":
            return zstandard.ZstdDecompressor().decompressobj().decompress(data)
        case _:
            return data


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.jsonl.zst", "x"])
def test_the_ending_says_how_it_is_compressed_and_only_the_owner_may_read_it(tmp_path: Path, name: str) -> None:
    before = os.umask(0)
    try:
        with private_file(tmp_path / name, force=False) as file:
            file.write(b"not this\n")
            file.clear()
            for line in LINES:
                file.write(line)
            (unfinished,) = tmp_path.iterdir()
            assert (unfinished.name.startswith(f".{name}."), unfinished.suffix) == (True, ".part")
            assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
            file.keep(force=False)
    finally:
        os.umask(before)
    assert (file.lines, file.bytes) == (1000, sum(map(len, LINES)))
    assert content(tmp_path / name) == b"".join(LINES)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_what_is_not_kept_is_gone(tmp_path: Path) -> None:
    with private_file(tmp_path / "x.gz", force=False) as file:
        file.write(b"a\n")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o644)
    with pytest.raises(InputError, match=r"--out .*exists already; .*--force"), private_file(path, force=False):
        pass
    with private_file(path, force=True) as file:
        file.write(b"new")
        assert path.read_text() == "old"
        file.keep(force=True)
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


def test_a_file_that_came_into_being_in_the_meantime_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with private_file(path, force=False) as file:
        file.write(b"new")
        path.write_text("old")
        with pytest.raises(RagmonError, match="exists already"):
            file.keep(force=False)
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])


@pytest.mark.parametrize("name", ["", "nowhere/x"])
def test_a_place_that_takes_no_file_is_told_at_once(tmp_path: Path, name: str) -> None:
    with (
        pytest.raises(InputError, match=r"--out .*(is a folder|No such file)"),
        private_file(tmp_path / name, force=True),
    ):
        pass


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """No file can grow beyond `size`, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("name", ["x", "x.gz", "x.zst"])
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    def fill(file: PrivateFile) -> None:
        for _ in range(100):
            file.write(os.urandom(1000) + b"\n")
        file.keep(force=False)

    told = r"cannot be written \(File too large\); nothing of it is kept"
    with private_file(tmp_path / name, force=False) as file, disk_of(20_000), pytest.raises(RagmonError, match=told):
        fill(file)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_regular_file_is_never_replaced(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "elsewhere")
    for path in (pipe, link, Path(os.devnull)):
        with pytest.raises(InputError, match="is no regular file"), private_file(path, force=True):
            pass
    assert pipe.is_fifo()
