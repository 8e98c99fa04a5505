"""Configurations as people write them, and what is told to be wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.config.loading import load
from monitor.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    path = folder / "ragmon.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> list[str]:
    """What is wrong with the text, without the name of the file."""
    path = write(folder, text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    return [line.removeprefix(f"{path}:").strip() for line in caught.value.problems]
