"""How often Python looks for reference cycles: seldom, as a process that reads spans makes many objects and few cycles.

Spans wait in memory for their trace to close. With Python's defaults each thousand of them that survives has the
collector go through all objects again, those of the libraries included. Process-wide, so set by the command alone.
"""

from __future__ import annotations

import gc

_NEW_OBJECTS = 20_000
_YOUNG_ROUNDS = 10
_OLD_ROUNDS = 20


def settle() -> None:
    """Leave out for good what the process has loaded so far, and look less often at what comes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, _YOUNG_ROUNDS, _OLD_ROUNDS)
