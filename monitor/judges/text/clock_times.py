"""Times of day in twenty-four hours: `8 pm`, `晚上8点` and `20:00` become `20`, `6:30 p.m.` becomes `18:30`."""

from __future__ import annotations

import re

_HOUR, _MINUTES = "(?:1[0-2]|0?[1-9])", "(?:[:.][0-5][0-9])?"
_TWELVE = re.compile(
    rf"""(?<![0-9:.,$€£¥])(?:(?P<first>{_HOUR})(?P<first_minutes>{_MINUTES})
         (?P<between>[ ]?[-–—][ ]?|[ ](?:to|and|until|till)[ ]))?
         (?P<hour>{_HOUR})(?P<minutes>{_MINUTES})[ ]?(?P<half>[ap])(?:m\b|\.[ ]?m\b\.?)""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_MARK = re.compile(r"[0-9][ ]?[ap]\.?[ ]?m\b", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"(?<![0-9:.,])([01]?[0-9]|2[0-4]):00(?![0-9:])")

_MORNING = "凌晨|清晨|早晨|早上|早间|上午|(?<![每当今昨明])早"
_NOON = "中午"
_AFTERNOON = "下午|午后"
_EVENING = "傍晚|晚上|晚间|夜里|夜间|深夜|夜晚|(?<![每当今昨明傍夜])晚"
_OF_DAY = f"{_MORNING}|{_NOON}|{_AFTERNOON}|{_EVENING}"
_CHINESE_MINUTES = "(?:点(?:半|[0-9]{1,2}分|[0-9]{2}(?![0-9点])|[13一三]刻)?[整钟]?|:[0-5][0-9])"
_CHINESE = re.compile(
    rf"(?P<of_day>{_OF_DAY})(?P<hour>2[0-4]|[01]?[0-9])(?P<minutes>{_CHINESE_MINUTES})"
    rf"(?:(?P<between>[-—~至到])(?P<last>2[0-4]|[01]?[0-9])(?P<last_minutes>{_CHINESE_MINUTES}))?"
)
_PLAIN_CHINESE = re.compile("(?<![0-9])([012]?[0-9])点(半|[0-9]{1,2}分|[13一三]刻)")
_NOON_HOUR, _FIRST_OF_EVENING, _LAST_OF_NOON = 12, 5, 2


def fold_times(text: str) -> str:
    """`text` with its times of day in twenty-four hours, without minutes at a whole hour. Expects digits.

    Half a day counts for both ends of a range: `2-4 pm` is `14-16`. `8点` alone stays, as nothing says which it is.
    """
    if _MARK.search(text):
        text = _TWELVE.sub(_english, text)
    if "点" in text or ":" in text:
        text = _PLAIN_CHINESE.sub(_plain_chinese, _CHINESE.sub(_chinese, text))
        text = _WHOLE.sub(r"\1", text)
    return text


def _english(match: re.Match[str]) -> str:
    after = match["half"].lower() == "p"
    hour = int(match["hour"])
    until = f"{_in_half(hour, after=after)}{_colon(match['minutes'])}"
    if match["first"] is None:
        return until
    first = int(match["first"])
    same = first % _NOON_HOUR < hour % _NOON_HOUR
    return f"{_in_half(first, after=after is same)}{_colon(match['first_minutes'])}{match['between']}{until}"


def _in_half(hour: int, *, after: bool) -> int:
    return hour % _NOON_HOUR + _NOON_HOUR * after


def _colon(minutes: str) -> str:
    return "" if minutes[1:] in {"", "00"} else f":{minutes[1:]}"


def _chinese(match: re.Match[str]) -> str:
    hour = _in_day(match["of_day"], int(match["hour"]))
    first = f"{hour}{_minutes(match['minutes'])}"
    if match["last"] is None:
        return first
    last = int(match["last"])
    if last < hour <= last + _NOON_HOUR:
        last += _NOON_HOUR
    return f"{first}{match['between']}{last}{_minutes(match['last_minutes'])}"


def _in_day(of_day: str, hour: int) -> int:
    if re.fullmatch(_MORNING, of_day):
        return hour % _NOON_HOUR if of_day == "凌晨" else hour
    if of_day == _NOON:
        return hour + _NOON_HOUR if hour <= _LAST_OF_NOON else hour
    if hour < _NOON_HOUR and (hour >= _FIRST_OF_EVENING or re.fullmatch(_AFTERNOON, of_day)):
        return hour + _NOON_HOUR
    return hour


def _plain_chinese(match: re.Match[str]) -> str:
    return f"{match[1]}{_minutes(f'点{match[2]}')}"


def _minutes(text: str) -> str:
    """Behind the hour: `点` for a whole one, else minutes behind a colon."""
    said = text[1:].rstrip("整钟分")
    minutes = {"": "00", "半": "30", "1刻": "15", "一刻": "15", "3刻": "45", "三刻": "45"}.get(said, said)
    return "点" if minutes == "00" else f":{minutes.zfill(2)}"
