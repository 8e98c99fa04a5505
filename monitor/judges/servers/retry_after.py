"""How long a server wants us to wait: every form of `Retry-After`, and the wish that stands in the text only."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping

_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,12})?")
"""As long as the largest number of 64 bits, by which some servers say "not in this life"."""
_SIGNED = re.compile(r"-[0-9]{1,12}(?:\.[0-9]{1,12})?")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_DATES = (
    # RFC 9110 section 5.6.7: the preferred form, RFC 850's, and that of C's asctime; nothing more lenient
    re.compile(rf"[A-Z][a-z]{{2}}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"),
    re.compile(rf"[A-Z][a-z]{{5,8}}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"),
    re.compile(rf"[A-Z][a-z]{{2}} {_MONTH} (?P<day>[ 0-9][0-9]) {_TIME} (?P<year>[0-9]{{4}})"),
)
_DURATION = (
    r"(?:[0-9]{1,9}(?:\.[0-9]{1,9})?\s?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![a-z])\s?)"
)
_CHINESE_DURATION = r"(?:[0-9]{1,9}(?:\.[0-9]{1,9})?\s?(?:秒钟?|分钟|分(?=\s?[0-9]|后)|小时)\s?)"
_IN_TEXT = re.compile(
    rf"""(?:(?:re)?try(?:ing)?\s(?:again\s)?(?:in|after) | wait | resets?\s(?:in|after))\s((?:{_DURATION}){{1,4}})
    | (?<![0-9.])({_CHINESE_DURATION}{{1,3}})(?:之?后|再)\s?[再请]?\s?[重试尝]""",
    re.IGNORECASE | re.VERBOSE,
)
_PART = re.compile(r"(?<![0-9])([0-9]++(?:\.[0-9]++)?)\s?(ms|milli|s|m|h|秒|分|小时)", re.IGNORECASE)
_UNITS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "秒": 1.0, "分": 60.0, "小时": 3600.0}
_HUNDRED_YEARS_CUT = 50


def wait_wish(headers: Mapping[str, str], text: str, now_s: float, maximum_s: float) -> float:
    """Seconds that the server asks us to wait: finite, in [0, `maximum_s`].

    0 means no usable wish (none, in the past, negative, unreadable): wait by the normal backoff. `headers` have
    lower-case names, `text` is the error message, `now_s` is the local clock in seconds since the Unix epoch; a date is
    measured against the response's own `Date` header where there is one, so that neither clock has to be right.
    """
    millis = _number(headers.get("retry-after-ms", ""))
    if millis is not None:
        return _clamp(millis / 1000, maximum_s)
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is None:
        seconds = _until(value, headers.get("date", "").strip(), now_s)
    if seconds is None:
        seconds = _from_text(text)
    return 0.0 if seconds is None else _clamp(seconds, maximum_s)


def http_date(value: str, now_s: float) -> float | None:
    """Seconds since the Unix epoch of one of the three HTTP date forms; None for anything else.

    A two-digit year lies at most 50 years ahead of `now_s` (RFC 9110).
    """
    match = next((found for form in _DATES if (found := form.fullmatch(value))), None)
    if match is None:
        return None
    year, month, day = int(match["year"]), _MONTHS.index(match["month"]) + 1, int(match["day"])
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"])
    if len(match["year"]) == 2:  # noqa: PLR2004 - RFC 850 writes two digits
        year = _full_year(year, now_s)
    if not (year >= 1 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    if hour > 23 or minute > 59 or second > 60:  # noqa: PLR2004 - a clock's limits, with the leap second
        return None
    return float(calendar.timegm((year, month, day, hour, minute, second)))


def _full_year(two_digits: int, now_s: float) -> int:
    this_year = 1970 + int(now_s // 31_556_952)  # mean Gregorian year; an error of a day cannot matter here
    year = this_year - this_year % 100 + two_digits
    return year - 100 if year > this_year + _HUNDRED_YEARS_CUT else year


def _number(value: str) -> float | None:
    value = value.strip()
    if "," in value:  # the header twice; a date is no number in either part
        parts = [_number(part) for part in value.split(",")[:8]]
        return None if None in parts else max(filter(None, parts), default=0.0)
    if _SIGNED.fullmatch(value):
        return 0.0
    return float(value) if _NUMBER.fullmatch(value) else None


def _until(value: str, date: str, now_s: float) -> float | None:
    then = http_date(value, now_s)
    if then is None:
        return None
    base = http_date(date, now_s)
    return then - (now_s if base is None else base)


def _from_text(text: str) -> float | None:
    match = _IN_TEXT.search(text[:4000])
    if match is None:
        return None
    said = match[1] or match[2]
    return sum(float(number) * _UNITS[unit.lower()] for number, unit in _PART.findall(said))


def _clamp(seconds: float, maximum_s: float) -> float:
    return min(max(seconds, 0.0), maximum_s)
