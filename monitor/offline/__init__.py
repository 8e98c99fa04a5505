"""The commands for a person at a terminal, one file each, named after it; what they share stands in the others."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from monitor.offline.places import grouped
from monitor.offline.shown import shown

OK, FAILED, WRONG_INPUT = 0, 1, 2
"""Exit codes."""
_TOLD = 20
_LONGEST = 4000


def exit_code(failures: Sequence[tuple[str, str]], *, read: bool) -> int:
    """Say which files or records could not be read, and why; of very many only the first ones.

    The code is 0 without failures; 1 when other parts of the input were `read`; 2 when none could be understood, as the
    input is then wrong as a whole.
    """
    lines = grouped(failures)
    sys.stderr.writelines(f"ragmon: {shown(line, _LONGEST)}\n" for line in lines[:_TOLD])
    if len(lines) > _TOLD:
        sys.stderr.write(f"ragmon: and {len(lines) - _TOLD} more\n")
    if not failures:
        return OK
    return FAILED if read else WRONG_INPUT
