"""What is said of tables that cannot be read: one line, without the library's own words for its parts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporters.table_troubles import nothing_at, plainly, unreadable

LOCKED = """Kernel error -> Generic LocalFileSystem error
          \x1b[31m↳\x1b[0m Unable to open file /data/_delta_log/_last_checkpoint
           \x1b[31m↳\x1b[0m Permission denied (os error 13)
"""
BROKEN = """Kernel error: Json error: Encountered unexpected 'g' whilst parsing value
   0: <unknown>
   1: start_thread
             at ./nptl/pthread_create.c:442:8
"""


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (LOCKED, "Unable to open file /data/_delta_log/_last_checkpoint: Permission denied (os error 13)"),
        (BROKEN, "Json error: Encountered unexpected 'g' whilst parsing value"),
        ("Generic S3 error: no answer\n", "no answer"),
        ("plain words", "plain words"),
    ],
)
def test_an_error_of_the_library_is_one_line_without_colours_stack_and_parts(said: str, plain: str) -> None:
    assert plainly(OSError(said)) == plain


def test_a_table_that_may_not_be_read_is_told_as_such(tmp_path: Path) -> None:
    assert unreadable(str(tmp_path), OSError(LOCKED)) == f"{tmp_path}: cannot be read (Permission denied)"


def test_what_is_no_folder_is_told_whatever_the_library_says(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_bytes(b"x")
    for name in ("fifo", "file"):
        path = str(tmp_path / name)
        expected = f"{path}: is no folder, and a sample set is one; see dataset.path in the configuration"
        assert [nothing_at(path), unreadable(path, OSError(BROKEN))] == [expected, expected]


@pytest.mark.parametrize("path", ["s3://bucket/cases", "{tmp_path}", "{tmp_path}/none"])
def test_where_nothing_is_the_setting_is_named(path: str, tmp_path: Path) -> None:
    path = path.format(tmp_path=tmp_path)
    assert nothing_at(path) == f"{path}: no sample set here; see dataset.path in the configuration"
