"""What several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from monitor.config.settings import Settings
from monitor.errors import ConfigError

# `readable=False`: whether it can be read is told where it is, in a line of our own
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="YAML file; every option is in docs/configuration.md.", readable=False),
]


def settings_of(config: Path | None) -> Settings:
    """The settings of a file and of the environment. Raises ConfigError."""
    from monitor.config.loading import load

    return load(config)


class ConfiguredCommand(TyperCommand):
    """A command with a configuration file, `config` or `file`: what is wrong with an option is told with the file.

    Whatever finds it out, loading, building or running, knows the path of the option only.
    """

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - a context of typer's own copy of click
        """Run the command. Raises ConfigError with the file in front of each problem of its options."""
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            from monitor.config.validation import in_file

            file = ctx.params.get("config" if "config" in ctx.params else "file")
            raise ConfigError([in_file(problem, file) for problem in error.problems]) from None
