"""How the commands that read traces end: what could not be read, what to do about it, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from monitor.offline import exit_code
from monitor.sources.files import BLANK, EMPTY
from monitor.sources.replay import ReplaySource
from monitor.traces.decode.sniff import NO_KNOWN_KEYS
from monitor.traces.decode.unreadable import says_what_to_do

_NAME_IT = "name what the records are with --encoding, docs/encodings.md says what each holds"
_OWN_JSON = "source.plain_fields says where JSON of your own has its fields, docs/encodings.md how"
_ONE_A_LINE = "write one JSON object a line"
_TRUNCATED = "Input data was truncated"


def ended(
    source: ReplaySource,
    encoding: str,
    records: Sequence[tuple[str, str]],
    reasons: Iterable[str],
    *,
    read: bool,
) -> int:
    """Say which files and `records` could not be read, and why; returns the exit code as `exit_code` does.

    Where nothing was understood, a last line says what to try, unless each of the `reasons` of the records, and of the
    files, says it itself.
    """
    failures = source.failures()
    code = exit_code([*failures, *records], read=read)
    whys = [*(why for place, why in failures if _is_other(place, why)), *reasons]
    hints = dict.fromkeys(hint for why in whys if (hint := _to_try(why, by_line=bool(source.by_line))))
    if _ONE_A_LINE in hints:
        hints.pop(_NAME_IT, None)  # the lines that follow begin anyhow
    if encoding == "auto" and hints and not read:
        sys.stderr.write(f"ragmon: nothing was understood; {'; '.join(hints)}\n")
    return code


def _to_try(why: str, *, by_line: bool) -> str:
    """What may help; nothing where the reason itself says what to do, or where JSON is broken."""
    if NO_KNOWN_KEYS in why:
        return _OWN_JSON
    if _TRUNCATED in why and by_line:
        return _ONE_A_LINE
    return "" if says_what_to_do(why) or why.startswith("bad_json") else _NAME_IT


def _is_other(place: str, why: str) -> bool:
    """Whether a file holds other things than were looked for: it can be read, holds something, and is not damaged."""
    return os.access(place, os.R_OK) and Path(place).is_file() and not why.startswith(("damaged", EMPTY, BLANK))
