"""Requests found in records, and what `docs/encodings.md` says that an encoding may change in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from monitor.config.settings import Assembly
from monitor.feedback import Feedback
from monitor.protocols import Decoder
from monitor.records import Position, RagTrace
from monitor.traces.assemble import Assembler
from monitor.traces.extract import Extractor
from monitor.wire import LogEvent

PAGE = Path(__file__).parents[4] / "docs" / "encodings.md"
_MICROSECOND = 1000
_TWICE = "a0fc321be70422e0008ecfbef872166d"
"""Two captures have this trace id: whose span is kept as the fuller one depends on the tags that an encoding adds."""


class Found(NamedTuple):
    """What some records held: requests by trace id and entry span, and feedback on others."""

    requests: Mapping[tuple[str, str], RagTrace]
    feedback: Sequence[Feedback]


def find(values: Iterable[bytes], decoder: Decoder, logs: Sequence[LogEvent] = (), partitions: int = 1) -> Found:
    """The requests in records that are dealt out to partitions in turn; nothing of them is skipped or repaired."""
    assembler = Assembler(Assembly())
    for offset, value in enumerate(values):
        decoded = decoder.decode(value)
        assert (decoded.skipped, decoded.repaired) == ({}, 0)
        position = Position("t", offset % partitions, offset)
        assembler.add(decoded.spans, decoded.logs, position, 0.0)
    assembler.add((), logs, Position("logs", 0, 0), 0.0)
    extractor = Extractor(Assembly(), ("ragmon",))
    found = [extractor.extract(trace) for trace in assembler.flush()]
    requests = {(one.trace_id, one.request_id): one for extracted in found for one in extracted.requests}
    return Found(requests, sorted((item for one in found for item in one.feedback), key=repr))


def differences(want: Found, got: Found, encodings: Iterable[str]) -> dict[str, tuple[object, object]]:
    """By field, the first difference that the page does not tell of for these encodings; times may be rounded."""
    assert got.requests.keys() == want.requests.keys()
    lost = set[str]().union(*map(lost_fields, encodings))
    found: dict[str, tuple[object, object]] = {}
    for key, request in want.requests.items():
        other = _without_losses(request, got.requests[key], lost)
        for name in (field.name for field in fields(RagTrace)):
            pair = getattr(request, name), getattr(other, name)
            if pair[0] != pair[1]:
                found.setdefault(name, pair)
    if want.feedback != got.feedback:
        found["feedback of others"] = want.feedback, got.feedback
    return found


def _without_losses(want: RagTrace, got: RagTrace, lost: set[str]) -> RagTrace:
    """The request with what was lost put back, as far as only that differs."""
    for name in lost & {"start_ns", "end_ns"}:
        if want.trace_id == _TWICE or abs(getattr(want, name) - getattr(got, name)) < 2 * _MICROSECOND:
            got = replace(got, **{name: getattr(want, name)})
    if "app" in lost and want.app is not None and got.app == want.app.lower():
        got = replace(got, app=want.app)
    return replace(got, truncated=True) if "truncated" in lost and want.truncated else got


@cache
def lost_fields(encoding: str) -> frozenset[str]:
    """The fields of a request that the page's table names for an encoding."""
    rows = [row.split("|")[1:-1] for row in PAGE.read_text().partition("| Lost |")[2].splitlines()[2:]]
    return frozenset(name for row in rows if f"`{encoding}`" in row[1] for name in re.findall(r"`(\w+)`", row[2]))
