"""One arena for the memory of all threads, where the C library is glibc; nothing elsewhere.

The thread that reads records takes the memory of each, and the event loop gives it back. With an arena for every thread
that memory is fresh from the kernel each time, page by page; with one it is used again. Process-wide, and only of use
before there are threads, so set by the command alone and before anything large is imported.
"""

from __future__ import annotations

import ctypes
import os
import sys

_M_ARENA_MAX = -8
"""`mallopt`'s number of the option, see mallopt(3)."""


def share_arena() -> bool:
    """Let all threads share one arena; False where the C library cannot, or the environment says how many."""
    if sys.platform != "linux" or "MALLOC_ARENA_MAX" in os.environ:
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
    return mallopt is not None and mallopt(_M_ARENA_MAX, 1) == 1
