"""A bar of progress for commands whose standard output is their result."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import Progress

from monitor import logs


@contextlib.contextmanager
def progress_bar(what: str, total: int | None, *, shown: bool = True) -> Iterator[Callable[[], None]]:
    """A bar on standard error for the time of a block, where that is a terminal; gives what moves it one on.

    `total` is None when it is not known. Logs become lines of standard error meanwhile.
    """
    console = Console(stderr=True) if shown and sys.stderr.isatty() else None
    with logs.on_stderr(), Progress(console=console, disable=console is None, transient=True) as progress:
        bar = progress.add_task(what, total=total)
        yield lambda: progress.advance(bar)
