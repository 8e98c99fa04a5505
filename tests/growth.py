"""How the time of some work grows with its size, told from the noise of a busy machine."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator

ATTEMPTS = 3
"""A machine that is busy may disturb one measurement; by the square, all of them grow too much."""


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Without the garbage collector: a full run of it reads the whole process, which is not the work's cost."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of one run."""
    with _uncollected():
        started = time.process_time()
        work()
        return time.process_time() - started


def grows_linearly(
    prepared: Callable[[int], Callable[[], object]], size: int, times: int = 8, *, quick_s: float = 0.02
) -> bool:
    """Whether work of `times` the size takes less than the middle between `times` and its square as long.

    `prepared` makes the work of a size: what it does itself is not measured. Less than `quick_s` for the smaller work
    counts as that, since so short a time tells nothing.
    """
    for _ in range(ATTEMPTS):
        small = max(seconds(prepared(size)), quick_s)
        if seconds(prepared(size * times)) < times**1.5 * small:
            return True
    return False
