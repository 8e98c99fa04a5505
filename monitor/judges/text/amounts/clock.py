"""Times of day as English and Chinese write them: `16:30`, `half past four`, `8 in the evening`, `下午4点半`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DIGIT = re.compile("[0-9]")
_CLOCK = re.compile(
    r"(?:(?P<part>凌晨|早上|早晨|清晨|早|上午|中午|下午|傍晚|晚上|晚|夜里|夜间|深夜)[ ]?)?"
    r"(?<![0-9.:])(?P<hour>[01]?[0-9]|2[0-4])"
    r"(?:[:：](?P<minute>[0-5]?[0-9])|\.(?P<part_of_hour>[0-5][0-9]?)(?=[ ]?[ap]\.?m\b)"
    r"|[ ]?点(?:(?P<half>半)|(?P<quarter>一刻)|(?P<minutes>[0-5]?[0-9])分?)?)?(?![0-9])"
    r"(?:[ ]?(?P<noon>[ap])\.?m\b|[ ](?:o'clock[ ])?(?P<day>in[ ]the[ ](?:morning|afternoon|evening)|at[ ]night)"
    r"|[ ](?P<bare>o['’]clock))?",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(half|(?:a[ ])?quarter)[ ](past|to)[ ](?P<hour>[0-9]{1,2})\b", re.IGNORECASE)
_NAMED = re.compile(r"[nNmM正午](?:(?<!\w.)(?ai:oon|idday|(?P<night>idnight))\b|(?<=正)午|(?P<late>(?<=午)夜))")
"""Begins with the class of its first characters, as a search skips all others many times as fast."""
_LATE = frozenset(
    ("下午", "傍晚", "晚上", "晚", "夜里", "夜间", "深夜", "p", "in the afternoon", "in the evening", "at night")
)
_EARLY = frozenset(("凌晨", "早上", "早晨", "清晨", "早", "上午", "a", "in the morning"))
_NOON, _DAY = 12, 24


def times_in(text: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """The words of each time and its minutes since midnight; both halves of the day where none is told.

    Expects what `normalise` gave.
    """
    for match in _CLOCK.finditer(text) if _DIGIT.search(text) is not None else ():
        minute, told = match["minute"], (match["noon"] or match["day"] or match["part"] or "").lower()
        if not (minute or match["noon"] or match["day"] or match["bare"] or "点" in match[0]):
            continue
        past = int(minute or match["minutes"] or (30 if match["half"] else 15 if match["quarter"] else 0))
        words = (str(int(match["hour"])), *(str(int(digits)) for digits in (minute, match["minutes"]) if digits))
        if match["part_of_hour"]:
            past, words = int(match["part_of_hour"].ljust(2, "0")), (f"{match['hour']}.{match['part_of_hour']}",)
        if match["noon"]:
            words = (*words, f"{told}m")
        for hour in _hours(int(match["hour"]), told):
            yield words, 60.0 * hour + past
    for match in _PAST.finditer(text):
        minutes = (30 if match[1].lower() == "half" else 15) * (1 if match[2].lower() == "past" else -1)
        for hour in _hours(int(match["hour"]), ""):
            yield (match["hour"],), 60.0 * hour + minutes
    for match in _NAMED.finditer(text):
        yield (), 0.0 if match["night"] or match["late"] else 60.0 * _NOON


def _hours(hour: int, told: str) -> tuple[int, ...]:
    late, early = hour % _NOON + _NOON, hour % _NOON
    if hour > _NOON or hour == 0:
        return (hour % _DAY,)
    if told in _LATE:
        return (late,)
    return (early,) if told in _EARLY else (early, late)
