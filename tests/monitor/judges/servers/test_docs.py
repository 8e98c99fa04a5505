"""The configurations in docs/llm-servers.md are what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from monitor.config import judges as judge_settings
from monitor.config.loading import load
from monitor.errors import ConfigError
from monitor.judges.servers.providers import PROVIDERS, provider_of
from monitor.judges.servers.registry import server_of
from monitor.judges.servers.transport import HttpTransport

PAGE = Path("docs/llm-servers.md").read_text(encoding="utf-8")
WHOLE, *BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
CONFIGURED: list[dict[str, Any]] = [judge for block in BLOCKS for judge in yaml.safe_load(block)]


@pytest.mark.parametrize("judge", CONFIGURED, ids=lambda judge: judge["base_url"])
def test_a_configuration_can_be_used_as_it_stands(judge: dict[str, Any]) -> None:
    config = judge_settings.LlmJudge.model_validate(judge)
    server_of(config)
    HttpTransport(config, api_key="sk-1")


def test_each_can_be_moved_under_the_judges_that_the_page_begins_with(tmp_path: Path) -> None:
    lines = [line for line in WHOLE.splitlines() if "- type: llm" not in line]
    for block in BLOCKS:
        file = tmp_path / "ragmon.yaml"
        file.write_text("\n".join([*lines, *(f"  {line}" for line in block.splitlines())]))
        assert [judge.type for judge in load(file).judges] == ["embedded", "scanner", "llm"]


def test_one_that_stands_alone_in_a_file_is_told_where_it_belongs(tmp_path: Path) -> None:
    file = tmp_path / "ragmon.yaml"
    for content, told in ((BLOCKS[0], "is a list of judges"), (yaml.safe_dump(CONFIGURED[0]), "is a single judge")):
        file.write_text(content)
        with pytest.raises(ConfigError) as refused:
            load(file)
        (problem,) = refused.value.problems
        assert problem.startswith(f"{file}: {told}; write it ")


def test_every_kind_of_server_is_shown() -> None:
    shown = [provider_of(judge_settings.LlmJudge.model_validate(judge)) for judge in CONFIGURED]
    assert all(provider in shown for provider in PROVIDERS.values())
