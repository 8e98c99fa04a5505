"""`ragmon extract`: what ragmon understands of recorded traces, one JSON object a line for each request."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import TextIO

import msgspec

from monitor.building import build_extractor
from monitor.config.settings import Settings
from monitor.offline.ending import ended
from monitor.offline.reader import FileReader
from monitor.offline.shown import json_line
from monitor.records import RagTrace
from monitor.sources.replay import ReplaySource


def main(paths: Sequence[str], encoding: str, settings: Settings, out: TextIO) -> int:
    """Write the requests of the files; returns the exit code (1: some of it could not be read, 2: nothing)."""
    source, reader = ReplaySource(paths, encoding, plain_key=settings.source.plain_key), FileReader(encoding, settings)
    asyncio.run(reader.read(source))
    extractor = build_extractor(settings)
    requests = [request for request, _ in reader.requests]
    traces = 0
    for _, extracted in reader.traces(extractor.extract):
        traces += 1
        requests += extracted.requests
        reader.hear(extracted.feedback)
    rows = (row_of(reader.with_feedback(request)) for request in requests)
    out.writelines(json_line(row) for row in rows)
    if traces and not requests:
        sys.stderr.write(f"ragmon: no request in {traces} {'trace' if traces == 1 else 'traces'}; --explain says why\n")
    reasons = (why for _, why in reader.failures)
    return ended(source, encoding, reader.lost(), reasons, read=reader.understood > 0)


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
