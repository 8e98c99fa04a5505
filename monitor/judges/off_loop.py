"""Work on what others wrote, off the event loop where there is much of it: heartbeats and deadlines live on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

SMALL = 4096
"""Characters or bytes that are read in less time than another thread would take to be asked."""
T = TypeVar("T")


async def off_loop(size: int, work: Callable[[], T], small: int = SMALL) -> T:
    """What `work` gives, on another thread when it has more than `small` characters or bytes to read."""
    return await asyncio.to_thread(work) if size > small else work()
