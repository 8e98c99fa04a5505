"""What the documents tell to type is a command that exists, with options that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from click import Command, Group

from monitor.cli import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "deploy").rglob("*.md")),
    *sorted((ROOT / "changes").glob("*.md")),
]
_CODE = re.compile(r"^(?: *)```[a-z]*\n(.*?)^ *```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"(?:^|[|;&]) *(?:\S*/)?ragmon +([^#;&\n]*)", re.MULTILINE)
ROOT_COMMAND = typer.main.get_command(app)


def calls(page: Path) -> list[list[str]]:
    """The arguments of each `ragmon ...` in code of a page."""
    code = [match[1] or match[2] for match in _CODE.finditer(page.read_text(encoding="utf-8"))]
    return [call[1].split() for text in code for call in _CALL.finditer(text)]


def command_of(words: list[str]) -> tuple[Command, list[str]]:
    """The command that is called, and its own arguments. KeyError when there is none."""
    command: Command = ROOT_COMMAND  # type: ignore[assignment]  # typer brings a click of its own
    while hasattr(command, "commands") and words:
        group: Group = command  # type: ignore[assignment]  # same
        if hasattr(group, "default") and words[0] not in group.commands:
            words = [group.default, *words]
        if words[0].startswith("-"):
            break
        name, *words = words
        for alternative in name.split("|"):  # such as show|export
            command = group.commands[alternative]
    return command, words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_command_that_a_page_tells_exists_with_its_options(page: Path) -> None:
    for words in calls(page):
        command, arguments = command_of(words)
        known = {name for parameter in command.params for name in parameter.opts} | {"--help"}
        named = {word.strip("[]()").partition("=")[0] for word in arguments if word.lstrip("[(").startswith("-")}
        assert named - {"-"} <= known, f"ragmon {' '.join(words)}"


def test_the_readme_tells_every_command_of_the_way_from_a_topic_to_numbers() -> None:
    told = {words[0] for words in calls(ROOT / "README.md") if words}
    assert told >= {"record", "extract", "replay", "check-config", "run", "judge", "dataset"}
