from __future__ import annotations

import datetime as dt
import math
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.servers.retry_after import http_date, wait_wish

NOW = dt.datetime(2026, 10, 21, 7, 27, 0, tzinfo=dt.UTC).timestamp()
SERVER_DATE = "Wed, 21 Oct 2026 07:27:30 GMT"
MAX = 60.0


def wish(retry_after: str | None = None, *, text: str = "", **headers: str) -> float:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return wait_wish(named if retry_after is None else named | {"retry-after": retry_after}, text, NOW, MAX)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("3600", MAX),
        ("999999999999", MAX),
        ("9223372036854775807", MAX),
        ("10, 20", 20.0),
        ("-5, 7", 7.0),
        ("-3", 0.0),
        ("-0.5", 0.0),
    ],
)
def test_seconds_are_whole_or_fractions_and_clamped(value: str, seconds: float) -> None:
    assert wish(value) == seconds


@pytest.mark.parametrize(
    "value",
    [
        "Wed, 21 Oct 2026 07:28:00 GMT",
        "Wednesday, 21-Oct-26 07:28:00 GMT",
        "Wed Oct 21 07:28:00 2026",
    ],
)
def test_each_http_date_form_is_measured_against_the_servers_own_clock(value: str) -> None:
    assert wish(value, date=SERVER_DATE) == 30.0


def test_without_a_date_header_the_local_clock_counts() -> None:
    assert wish("Wed, 21 Oct 2026 07:27:45 GMT") == 45.0


def test_an_unreadable_date_header_is_ignored() -> None:
    assert wish("Wed, 21 Oct 2026 07:27:45 GMT", date="yesterday") == 45.0


def test_a_date_in_the_past_is_no_wish() -> None:
    assert wish("Wed, 21 Oct 2026 07:27:00 GMT", date=SERVER_DATE) == 0.0


@pytest.mark.parametrize(
    "value",
    [
        "",
        "soon",
        "1e9",
        "inf",
        "nan",
        "+5",
        "5 s",
        "٣",
        "9" * 400,
        "Wed, 32 Oct 2026 07:28:00 GMT",
        "Wed, 21 Oct 2026 25:28:00 GMT",
        "Wed, 00 Oct 2026 07:28:00 GMT",
        "Wed, 29 Feb 2026 07:28:00 GMT",
        "21 Oct 2026 07:28:00",
        "2026-10-21T07:28:00Z",
        "Wed, 21 Oct 2026 07:28:00 +0200",
        "Wed Oct 21 07:28:00 0000",
    ],
)
def test_garbage_is_no_wish(value: str) -> None:
    assert wish(value) == 0.0


def test_milliseconds_are_the_more_precise_wish() -> None:
    assert wish("9", retry_after_ms="250") == 0.25
    assert wish("9", retry_after_ms="soon") == 9.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit reached. Please try again in 1ms.", 0.001),
        ("Please try again in 1.5s. Visit the site", 1.5),
        ("try again in 1m30s", MAX),
        ("try again in 0m6.5s", 6.5),
        ("Please retry after 20 seconds.", 20.0),
        ("Please retry in 34.07s.", 34.07),
        ("Try again in 2 hours", MAX),
        ("Too many requests. Please wait 17 seconds before retrying.", 17.0),
        ("Your quota will reset after 39s.", 39.0),
        ("您的请求过于频繁，请 20 秒后重试", 20.0),
        ("请在2分钟后再试", MAX),
        ("请30秒后再重新尝试", 30.0),
        ("请0分30秒后重试", 30.0),
        ("请 0 分钟 6.5 秒后重试", 6.5),
        ("请1分钟后再试", MAX),
        ("保修期为 20 秒后的两年", 0.0),
        ("please wait until 5 people have left", 0.0),
        ("try again in 3 apples", 0.0),
        ("try again in 30 sons", 0.0),
        ("try again later", 0.0),
        ("", 0.0),
    ],
)
def test_a_wish_in_the_text_only_is_understood(text: str, seconds: float) -> None:
    assert wish(text=text) == pytest.approx(seconds)


def test_a_wish_of_several_units_is_their_sum() -> None:
    for text in ("请1分30秒后重试", "请 1 分钟 30 秒之后再试", "请0小时1分30秒后重试", "try again in 1m30s"):
        assert wait_wish({}, text, NOW, 6000.0) == 90.0


def test_the_header_comes_before_the_text() -> None:
    assert wish("2", text="try again in 9s") == 2.0


@given(st.text(), st.text(), st.text(), st.text(), st.floats(0, 4e9), st.floats(0, 1e6))
def test_the_wish_is_finite_and_in_range_whatever_is_sent(
    value: str, millis: str, date: str, text: str, now: float, maximum: float
) -> None:
    seconds = wait_wish({"retry-after": value, "retry-after-ms": millis, "date": date}, text, now, maximum)
    assert math.isfinite(seconds)
    assert 0.0 <= seconds <= maximum


@given(st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2090, 1, 1)))  # noqa: DTZ001 - made aware below
def test_a_formatted_date_is_read_back_to_the_second(moment: dt.datetime) -> None:
    moment = moment.replace(microsecond=0, tzinfo=dt.UTC)
    asctime = moment.strftime("%a %b ") + f"{moment.day:2d}" + moment.strftime(" %H:%M:%S %Y")
    assert http_date(format_datetime(moment, usegmt=True), NOW) == moment.timestamp()
    assert http_date(asctime, NOW) == moment.timestamp()


@pytest.mark.parametrize(("year", "full"), [("26", 2026), ("75", 2075), ("76", 2076), ("77", 1977), ("94", 1994)])
def test_two_digits_of_a_year_lie_at_most_fifty_years_ahead(year: str, full: int) -> None:
    expected = dt.datetime(full, 11, 6, 8, 49, 37, tzinfo=dt.UTC).timestamp()
    assert http_date(f"Sunday, 06-Nov-{year} 08:49:37 GMT", NOW) == expected
