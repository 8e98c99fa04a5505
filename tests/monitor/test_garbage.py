from __future__ import annotations

import gc

from monitor import garbage


def test_what_was_loaded_is_left_out_and_cycles_are_still_found() -> None:
    class Loop:
        """Refers to itself."""

        def __init__(self) -> None:
            self.me = self

    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        garbage.settle()
        assert gc.get_freeze_count() > frozen
        assert gc.get_threshold() > before
        assert gc.isenabled()
        for _ in range(50_000):
            Loop()
        assert sum(isinstance(item, Loop) for item in gc.get_objects()) < 50_000
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
