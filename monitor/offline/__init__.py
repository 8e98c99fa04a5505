"""The commands that need no Kafka, one file each: extract, judge, replay, dataset."""

from __future__ import annotations

import sys
from collections.abc import Sequence

OK, FAILED, WRONG_INPUT = 0, 1, 2
"""Exit codes."""
_TOLD = 20


def tell(failures: Sequence[tuple[str, str]]) -> None:
    """Say which files or records could not be read, and why; of very many only the first ones."""
    for place, message in failures[:_TOLD]:
        sys.stderr.write(f"ragmon: {place}: {message}\n")
    if len(failures) > _TOLD:
        sys.stderr.write(f"ragmon: and {len(failures) - _TOLD} more\n")
