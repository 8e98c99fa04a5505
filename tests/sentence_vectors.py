"""Whether the sentence vectors of the embedded judge can be had here."""

from __future__ import annotations

from functools import cache

import pytest

from monitor.errors import ConfigError
from monitor.judges.embedded import Nearest, load_nearest


@cache
def _found() -> Nearest | None:
    try:
        return load_nearest()
    except ConfigError:
        return None


def nearest_or_skip() -> Nearest:
    """The cosines; skips the test without the extra."""
    found = _found()
    if found is None:
        pytest.skip("no sentence vectors: make embeddings installs them")
    return found
