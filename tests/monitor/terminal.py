"""The command line as a user has it: arguments in, exit code and both outputs out."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from monitor import cli


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> list[str]:
        """The lines of standard error without the name of the program; every line has it."""
        lines = self.err.splitlines()
        assert all(line.startswith("ragmon: ") for line in lines), self.err
        return [line.removeprefix("ragmon: ") for line in lines]


def ragmon(*arguments: str | Path) -> Ended:
    """Run a command in this process; not one that sets up logging, which stays."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["ragmon", *map(str, arguments)]
    code: object = None
    with mock.patch.object(sys, "argv", argv), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main()
        except SystemExit as ended:
            code = ended.code
    assert isinstance(code, int)
    return Ended(code, out.getvalue(), err.getvalue())


def spawn(*arguments: str | Path, stdin: bytes = b"") -> Ended:
    """Run a command as a process of its own."""
    command = [sys.executable, "-W", "error", "-m", "monitor", *map(str, arguments)]
    environment = os.environ | {"COLUMNS": "80", "NO_COLOR": "1"}
    done = subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False, timeout=50)
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
