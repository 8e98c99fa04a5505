"""How messages name a file and its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from monitor.sources.streams import STDIN

_NUMBERED = re.compile(r"(.* (?:line|record) )([0-9]+)", re.DOTALL)
_TOLD = 50
_RANGES = 10


def name_of(file: str) -> str:
    """What messages call a file."""
    return "standard input" if file == STDIN else file


def told(file: str, problems: Sequence[tuple[int, str]]) -> str:
    """What is wrong with a file, each problem with its lines; of very many problems the first ones."""
    lines: dict[str, list[int]] = {}
    for line, problem in problems:
        lines.setdefault(problem, []).append(line)
    shown = [f"{name_of(file)}:{_ranges(at)}: {problem}" for problem, at in list(lines.items())[:_TOLD]]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"and {more} more"] if more else [])])


def grouped(failures: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each problem, with its place; lines and records of a file that have the same one are told together."""
    places: dict[tuple[str, str], list[int]] = {}
    for place, why in failures:
        match = _NUMBERED.fullmatch(place)
        numbers = places.setdefault((match[1] if match else place, why), [])
        if match:
            numbers.append(int(match[2]))
    return [f"{place}{_ranges(numbers)}: {why}" for (place, why), numbers in places.items()]


def _ranges(lines: Sequence[int]) -> str:
    """Ascending line numbers as `2-51,60`; of very many ranges the first ones."""
    ranges: list[tuple[int, int]] = []
    for line in lines:
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:_RANGES]]
    return ",".join([*shown, *(["..."] if len(ranges) > _RANGES else [])])
