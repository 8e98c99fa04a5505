"""Counts of what an answer lists itself: "There are two plans: ..." counts what stands behind the colon or below it.

Such a count is the answer's own: who wants to know whether it is right counts. One that is not the number of items is
judged, and so is what measures something ("within two days:").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.judges.text.amounts.measures import NAMES
from monitor.judges.text.sentences import LIST_MARK

_WORDS = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - a word list reads as text
_NUMERALS = dict(zip(_WORDS, range(2, 13), strict=True)) | dict(zip("二三四五六七八九十", range(2, 11), strict=True))
_NUMERALS |= {"两": 2}
_DIGITS = "[2-9]|1[0-2]"
_COUNT = re.compile(
    rf"(?<![\w.,$€£¥-])(?<!\bor[ ])(?P<count>{'|'.join(_WORDS)}|{_DIGITS})[*_]{{0,3}}"
    rf"(?![ -](?:{NAMES}|percent|%)(?![a-z]))"
    r"(?:[ ][*_]{0,3}(?>[a-z'’-]{1,24})){1,6}[*_]{0,3}[ ]?[:：]"
    rf"|(?<![第百千万十零0-9.])(?P<han>[二两三四五六七八九十]|{_DIGITS})(?=[个点项种类条步家份款方部大])"
    r"(?!个(?:半|月|小时|工作日|星期|世纪))"
    r"[^，。；,.;:：0-9\n]{1,10}[:：]",
    re.IGNORECASE,
)
_OF_A_NAME = re.compile(
    r"(?:(?<=[ ])[A-Z][\w'’-]{0,20}|\b(?ai:step|section|part|chapter|phase|stage|level|option|page|type"
    r"|article|passage|document|source|table|figure|room|day|week|year|number|no\.))[ *_]{1,4}$"
)
"""What a number behind it is a part of: `step 2`, `Windows 11`."""
_BOLD = re.compile(r"[*_]{2,3}[^*_\n]{1,80}[*_]{2,3}")
_PART = re.compile(r",?[ ](?:and|or)[ ]|[,，、][ ]?|以及|[和及或与]")
_JOINED = re.compile(r"[ ](?:and|or)[ ]|以及|[和或与]")
_RELATIVE = re.compile(r"[ ]*(?:which|who|where|that|with|each|including|其|分别)\b")
_MARKED = re.compile(r"(?:^|(?<=[\s;,，；：]))(?:[(（]?[0-9]{1,2}[)）.、]|[①-⑫])")
_FAR = 24
"""Characters in front of a count that are looked at."""
_LONGEST = 4000
"""Characters behind a sentence in which a list is counted."""


def without_count(stated: str, below: str) -> str:
    """`stated` without the number of the items that it lists behind its colon, or that are listed `below`."""
    start, end = _place_of_count(stated, below)
    return f"{stated[:start].rstrip()} {stated[end:].lstrip()}" if end else stated


def count_in(stated: str, below: str) -> str:
    """That number in digits; empty where there is none."""
    start, end = _place_of_count(stated, below)
    return str(_value(stated[start:end])) if end else ""


def _place_of_count(stated: str, below: str) -> tuple[int, int]:
    """Where such a number stands (half-open); (0, 0) where there is none."""
    if ":" not in stated and "：" not in stated:
        return 0, 0
    match = _COUNT.search(stated)
    if match is None or (match["count"] and _OF_A_NAME.search(stated, max(0, match.start() - _FAR), match.start())):
        return 0, 0
    place = match.span("count" if match["count"] else "han")
    beside = stated[match.end() :].strip(" *_")
    counted = _beside(beside) if beside else _below(below[:_LONGEST])
    return place if _value(stated[slice(*place)]) in counted else (0, 0)


def _value(written: str) -> int:
    return _NUMERALS[written.lower()] if written.lower() in _NUMERALS else int(written)


def _beside(text: str) -> Iterator[int]:
    """How many items a stretch may be said to have."""
    yield len(re.split("[;；]", text))
    yield len(_JOINED.split(text))
    yield len(_MARKED.findall(text))
    yield sum(not _RELATIVE.match(part) for part in _PART.split(text))


def _below(text: str) -> Iterator[int]:
    """How many items a list has, or what a table may compare: its rows or its columns."""
    lines = list(filter(str.strip, text.splitlines()))
    if lines and lines[0].lstrip().startswith("|"):
        rows = sum(1 for line in lines if line.lstrip().startswith("|"))
        yield rows - 2
        yield lines[0].strip().strip("|").count("|")
    else:
        yield _items(lines)


def _items(lines: list[str]) -> int:
    """The items of a list that begins with the first line; more lines, and lists of another kind, may be in them."""
    kinds = [(_kind_of(line.strip()), len(line) - len(line.lstrip())) for line in lines]
    first = kinds[0] if kinds else ("", 0)
    if not first[0]:
        return 0
    count = 0
    for kind, indent in kinds:
        if (kind, indent) == first:
            count += 1
        elif indent <= first[1] and (kind in {"#", "bold"} or first[0] not in {"#", "bold", "number"}):
            break
    return count


def _kind_of(line: str) -> str:
    """Which list a line is an item of: by its mark, `number` for all that count, `bold`; empty for plain text."""
    mark = LIST_MARK.match(line)
    if mark is None:
        return "bold" if _BOLD.match(line) else ""
    plain = mark[0].strip(" \t*_()（）.、") or mark[0].strip()
    return "number" if plain[0].isalnum() else plain[0]
