"""Times as integer nanoseconds since the Unix epoch: what plain records write, and which numbers can be a time."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"(:\d\d)[.,](\d+)", re.ASCII)
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?", re.ASCII)
_SECONDS = re.compile(r"(\d{1,12})(?:\.(\d{1,20}))?s", re.ASCII)
END_NS = 7_258_118_400 * 10**9
"""The year 2200: no request ends there, and every later step has room for what is below it."""

_SCALES = ((10**11, 10**9), (10**14, 10**6), (10**17, 10**3))
"""An epoch number below the first is in units of the second: seconds up to the year 5138, then ms, then us, then ns."""


def read_time(value: float | str) -> int:
    """Nanoseconds from an ISO 8601 text or an epoch number in s, ms, us or ns, told apart by magnitude.

    A text without zone is UTC. All digits of a fraction count. Raises ValueError for anything else, also for times
    before 1970 or from the year 2200 on.
    """
    if isinstance(value, str):
        text = value.strip()
        nanoseconds = _epoch_text(text) if _NUMBER.fullmatch(text) else _iso(text)
    else:
        nanoseconds = _epoch(value)
    if not 0 <= nanoseconds < END_NS:
        msg = "outside 1970 to 2199"
        raise ValueError(msg)
    return nanoseconds


def usable_ns(nanoseconds: int | None) -> int:
    """The time of a span, event or log record; 0, which means unknown, when no request can have been then."""
    return nanoseconds if nanoseconds is not None and 0 <= nanoseconds < END_NS else 0


def read_micros(value: float | str | None) -> int:
    """Nanoseconds from microseconds, as a number or its text; 0 for anything that is no such number."""
    if isinstance(value, str):
        value = (float(value) if "." in value else int(value)) if _NUMBER.fullmatch(value) else None
    if value is None or not 0 < value < END_NS // 1000:  # False for NaN
        return 0
    return int(value) * 1000 if isinstance(value, int) else round(Decimal(repr(value)) * 1000)


def read_seconds(text: str) -> int:
    """Nanoseconds from a duration in protobuf's JSON form, such as `0.000324317s`; 0 for anything else."""
    match = _SECONDS.fullmatch(text)
    return int(match[1]) * 10**9 + int((match[2] or "")[:9].ljust(9, "0")) if match else 0


def _epoch(value: float) -> int:
    if isinstance(value, bool) or not math.isfinite(value):
        msg = "no number"
        raise ValueError(msg)
    scale = next((scale for limit, scale in _SCALES if abs(value) < limit), 1)
    return value * scale if isinstance(value, int) else round(Decimal(repr(value)) * scale)


def _epoch_text(text: str) -> int:
    whole, _, fraction = text.partition(".")
    return _epoch(int(whole)) if not fraction else _epoch(float(text))


def _iso(text: str) -> int:
    """The standard parser stops at microseconds, so the fraction is taken out first."""
    fraction = _FRACTION.search(text)
    digits = fraction[2] if fraction else ""
    time = datetime.fromisoformat(_FRACTION.sub(r"\1", text, count=1) if fraction else text)
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return (time - _EPOCH) // timedelta(seconds=1) * 10**9 + int(digits[:9].ljust(9, "0"))
