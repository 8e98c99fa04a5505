"""What several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monitor.config.settings import Settings

# `readable=False`: whether it can be read is told where it is, in a line of our own
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="YAML file; every option is in docs/configuration.md.", readable=False),
]


def settings_of(config: Path | None) -> Settings:
    """The settings of a file and of the environment. Raises ConfigError."""
    from monitor.config.loading import load

    return load(config)
