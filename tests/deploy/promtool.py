"""promtool as the tests need it: there, or a reason to skip; in CI it must be there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _needs(program: str) -> pytest.MarkDecorator:
    missing = shutil.which(program) is None and not os.environ.get("CI")
    return pytest.mark.skipif(missing, reason=f"{program} is not installed (Debian: prometheus)")


needs_promtool = _needs("promtool")
needs_prometheus = _needs("prometheus")


def promtool(*arguments: str, folder: Path) -> str:
    """What promtool says; an exit code other than 0 fails the test with it."""
    done = subprocess.run(["promtool", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
