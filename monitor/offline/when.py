"""The time as files of ours say it."""

from __future__ import annotations

import datetime as dt

_NS = 1_000_000_000


def iso(now_ns: int) -> str:
    """ISO 8601 in UTC, to the second."""
    return dt.datetime.fromtimestamp(now_ns // _NS, dt.UTC).isoformat(timespec="seconds")
