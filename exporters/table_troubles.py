"""Why a table cannot be read or written, in one line for a person: what is there, and what to do."""

from __future__ import annotations

import re
import stat
from pathlib import Path

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STACK = re.compile(r"(?<!\s)\s++0: .*", re.DOTALL)
"""What the library writes below a message."""
_STEP = re.compile(r"(?<!\s)\s*+(?:->|↳)\s*")
_LAYERS = re.compile(r"^(?:(?:Kernel|Generic \w+) error: )+")
"""Names of the library's own parts before a message."""
_NO_FOLDER = "is no folder, and a sample set is one"
_SEE = "see dataset.path in the configuration"


def nothing_at(path: str) -> str:
    """What is to be found in place of a table. An object store is not asked."""
    try:
        is_folder = "://" in path or stat.S_ISDIR(Path(path).stat().st_mode)
    except PermissionError:
        return f"{path}: cannot be read (Permission denied)"
    except OSError:
        is_folder = True
    there = "no sample set here" if is_folder else _NO_FOLDER
    return f"{path}: {there}; {_SEE}"


def unreadable(path: str, error: Exception) -> str:
    """Why a table that seems to be there cannot be read, by the error of the library or of the system."""
    said = plainly(error)
    if "permission denied" in said.casefold():
        return f"{path}: cannot be read (Permission denied)"
    there = nothing_at(path)
    return there if _NO_FOLDER in there else f"{path}: cannot be read ({said})"


def plainly(error: Exception) -> str:
    """What an error says, on one line, without colours, stack and names of the library's parts."""
    said = _STEP.sub(": ", _STACK.sub("", _COLOUR.sub("", str(error))))
    return _LAYERS.sub("", " ".join(said.split()))
