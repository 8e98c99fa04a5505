"""`ragmon judge`: rows of questions, contexts and answers in; one verdict a line out, in the same order."""

from __future__ import annotations

import asyncio
import sys
from typing import TextIO

from monitor.config.settings import Settings
from monitor.errors import InputError
from monitor.offline import FAILED, OK, WRONG_INPUT
from monitor.offline.bench import build_task
from monitor.offline.ends import Ends
from monitor.offline.places import name_of
from monitor.offline.progress import progress_bar
from monitor.offline.row_keys import RowKeys
from monitor.offline.rows import Row, read_rows
from monitor.offline.shown import json_line
from monitor.sources.streams import STDIN


def main(file: str, evaluation: str, judge_name: str | None, settings: Settings, out: TextIO) -> int:
    """Judge the rows of a file; returns the exit code.

    1: a row could not be read (its line then says so), or none has a score and the judge owes some; 2: no row could be
    read, or a file has none. Standard input may have nothing to say. Raises InputError when no row has a key without
    which none can have a score.
    """
    task = build_task(evaluation, judge_name, settings)
    rows = read_rows(file)
    unreadable, ends, keys = 0, Ends(), RowKeys()
    with progress_bar(f"judging {evaluation}", None, shown=not out.isatty()) as advance:

        def write(row: Row, verdict: dict[str, object]) -> None:
            nonlocal unreadable
            unreadable += row.trace is None
            keys.take(row.keys)
            if row.trace is not None:
                ends.take(str(verdict["outcome"]), str(verdict["reason"]), str(verdict["explanation"]))
            out.write(json_line(verdict))
            advance()

        asyncio.run(task.run(rows, write))
    if not ends.has_scored and (problem := keys.problem(evaluation, ends.reasons)):
        raise InputError(f"{name_of(file)}: {problem}")
    if ends.has_missing:
        sys.stderr.write(f"ragmon: {ends.told('rows')}\n")
    if ends.has_missing and not ends.has_scored:
        return FAILED
    if unreadable:
        return FAILED if ends.total else WRONG_INPUT
    if not ends.total and file != STDIN:
        raise InputError(f"{name_of(file)}: has no row")
    return OK
