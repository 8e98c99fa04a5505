"""No pattern takes time by the square of a text's length, whatever the text: the texts come from users and services."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType, ModuleType

import pytest

import exporters
import monitor
from tests.pumped import pumps

SHORT, LONG = 20_000, 80_000
MOST_GROWTH = 9
"""Times that a text four times as long may take: 4 when time grows with the length, 16 when with its square."""
JUDGED_S = 0.02
"""What takes less for the shorter text is fast enough, and too little to tell from noise."""
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


@pytest.fixture
def _limited() -> Iterator[None]:
    """Interrupts a search that takes far too long: the engine looks for signals."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise _TooSlowError

    before = signal.signal(signal.SIGVTALRM, give_up)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def _took(ask: Callable[[str], object], text: str, limit_s: float, enough_s: float = JUDGED_S) -> float:
    """The least CPU time of three runs, in seconds, or that of the first that takes less than is `enough_s`."""
    least = float("inf")
    for _ in range(3):
        started = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
        ask(text)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        least = min(least, time.process_time() - started)
        if least < enough_s:
            break
    return least


def _slow_texts(ask: Callable[[str], object], units: list[str]) -> Iterator[str]:
    for unit in units:
        for end in ("", "\x00"):
            try:
                short = _took(ask, unit * (SHORT // len(unit)) + end, AT_MOST_S)
                if short < JUDGED_S:
                    continue
                growth = _took(ask, unit * (LONG // len(unit)) + end, 4 * AT_MOST_S) / short
            except _TooSlowError:
                yield f"{unit!r} repeated takes far too long"
                continue
            if growth > MOST_GROWTH:
                yield f"{unit!r} repeated takes {growth:.1f} times as long when it is 4 times as long"


@pytest.mark.timeout(300)  # each search has its own limit, in CPU time; a large pattern is asked some thousand times
@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("place", PATTERNS)
def test_a_pattern_takes_linear_time(place: str) -> None:
    pattern = PATTERNS[place]
    slow = (slow for ask in _asked(place) for slow in _slow_texts(ask, pumps(pattern)))
    assert next(slow, None) is None


@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("place", PATTERNS)
def test_a_line_is_read_at_once(place: str) -> None:
    """Parts that are repeated, each of them a few times, can be cut in a million ways on one long word."""
    texts = [unit * (LINE // len(unit)) + end for unit in pumps(PATTERNS[place], _OFTEN) for end in ("", "\x00")]
    slow = (
        text for ask in _asked(place) for text in texts if _took(ask, text, AT_MOST_S, LINE_AT_MOST_S) > LINE_AT_MOST_S
    )
    assert next(slow, None) is None
