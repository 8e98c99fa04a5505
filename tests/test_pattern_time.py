"""No pattern takes time by the square of a text's length, whatever the text: the texts come from users and services."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import pkgutil
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType, ModuleType

import pytest

import exporters
import monitor
from tests.growth import ATTEMPTS, seconds
from tests.pumped import pumps

Size = tuple[int, float, float]
SHORT: Size = (2_000, 0.0001, 6)
LONG: Size = (10_000, 0.001, 9)
"""Characters, CPU seconds, and growth: what takes so long, and grows so on a text `MORE` times as long, is slow."""
MORE = 4
"""Growth by as much is linear, by sixteen the square."""
AT_MOST_S = 1.0
LINE = 200
LINE_AT_MOST_S = 0.006
"""A hundred times what such a line takes, as a rule; on parts that can be cut in many ways it takes more."""
_OFTEN = 6
_OPTIONAL = ("monitor.judges.grounding.vectors",)
_NESTED = 3
_METHODS = re.compile(r"\.(?:match|fullmatch)\(")


class _TooSlowError(Exception):
    pass


def _modules() -> Iterator[ModuleType]:
    for package in (monitor, exporters):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__") and found.name not in _OPTIONAL:
                yield importlib.import_module(found.name)


def _patterns() -> dict[str, re.Pattern[str]]:
    """All compiled patterns of text, by the place where each was found first."""
    found: dict[re.Pattern[str], str] = {}
    for module in _modules():
        for name, value in vars(module).items():
            for place, pattern in _held(value, f"{module.__name__}:{name}"):
                if isinstance(pattern.pattern, str):
                    found.setdefault(pattern, place)
    return {place: pattern for pattern, place in found.items()}


def _held(value: object, place: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns in a global: itself, in collections, in fields of records."""
    if isinstance(value, re.Pattern):
        yield place, value
    elif depth == _NESTED or isinstance(value, type):
        return
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _held(item, f"{place}[{key!r}]", depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for at, item in enumerate(value):
            yield from _held(item, f"{place}[{at}]", depth + 1)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _held(getattr(value, field.name, None), f"{place}.{field.name}", depth + 1)


def _is_only_matched(place: str) -> bool:
    """Whether its module uses a pattern at a fixed place of a text only: then it is not looked for from everywhere."""
    module, _, name = place.partition(":")
    source = Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")
    uses = [source[found.end() :] for found in re.finditer(rf"\b{re.escape(name)}\b", source)]
    return name.startswith("_") and len(uses) > 1 and all(_METHODS.match(use) for use in uses[1:])


def _asked(place: str) -> list[Callable[[str], object]]:
    pattern = PATTERNS[place]
    return [pattern.match, pattern.fullmatch] if _is_only_matched(place) else [pattern.search]


PATTERNS = _patterns()
PLACES = {module: list(places) for module, places in itertools.groupby(PATTERNS, lambda place: place.partition(":")[0])}


@pytest.fixture
def _limited() -> Iterator[None]:
    """Interrupts a search that takes far too long: the engine looks for signals."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise _TooSlowError

    before = signal.signal(signal.SIGVTALRM, give_up)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def _took(ask: Callable[[str], object], text: str, limit_s: float) -> float:
    """The CPU time in seconds; endless when it is more than `limit_s`."""
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        return seconds(lambda: ask(text))
    except _TooSlowError:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _is_slow(ask: Callable[[str], object], unit: str, end: str, size: Size) -> bool:
    length, quick_s, most = size
    short, long = (unit * (count // len(unit)) + end for count in (length, MORE * length))
    for _ in range(ATTEMPTS):
        before = _took(ask, short, AT_MOST_S)
        if before < quick_s:
            return False
        took = _took(ask, long, MORE * AT_MOST_S)
        after = _took(ask, short, AT_MOST_S)  # the machine may have become slower in between
        if took < most * min(max(before, after), AT_MOST_S):
            return False
    return True


def _slow_units(place: str, *sizes: Size) -> Iterator[str]:
    for ask in _asked(place):
        for unit in pumps(PATTERNS[place]):
            for end in ("", "\x00"):
                if all(_is_slow(ask, unit, end, size) for size in sizes):
                    yield unit + end


def _slow_lines(place: str) -> Iterator[str]:
    for ask in _asked(place):
        for unit in pumps(PATTERNS[place], _OFTEN):
            for end in ("", "\x00"):
                line = unit * (LINE // len(unit)) + end
                if all(_took(ask, line, AT_MOST_S) > LINE_AT_MOST_S for _ in range(ATTEMPTS)):
                    yield line


@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("module", PLACES)
def test_a_pattern_takes_linear_time(module: str) -> None:
    slow = {place: next(_slow_units(place, SHORT, LONG), None) for place in PLACES[module]}
    assert {place: text for place, text in slow.items() if text} == {}


@pytest.mark.slow
@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("module", PLACES)
def test_a_pattern_takes_linear_time_on_long_texts(module: str) -> None:
    slow = {place: next(_slow_units(place, LONG), None) for place in PLACES[module]}
    assert {place: text for place, text in slow.items() if text} == {}


@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("module", PLACES)
def test_a_line_is_read_at_once(module: str) -> None:
    """Parts that are repeated, each of them a few times, can be cut in a million ways on one long word."""
    slow = {place: next(_slow_lines(place), None) for place in PLACES[module]}
    assert {place: line for place, line in slow.items() if line} == {}
