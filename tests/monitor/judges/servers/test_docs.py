"""The configurations in docs/llm-servers.md are what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from monitor import judge_settings
from monitor.judges.servers.providers import PROVIDERS, provider_of
from monitor.judges.servers.registry import server_of
from monitor.judges.transport import HttpTransport

PAGE = Path("docs/llm-servers.md").read_text(encoding="utf-8")
CONFIGURED: list[dict[str, Any]] = [
    judge for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) for judge in yaml.safe_load(block)
]


@pytest.mark.parametrize("judge", CONFIGURED, ids=lambda judge: judge["base_url"])
def test_a_configuration_can_be_used_as_it_stands(judge: dict[str, Any]) -> None:
    config = judge_settings.LlmJudge.model_validate(judge)
    server_of(config)
    HttpTransport(config, api_key="sk-1")


def test_every_kind_of_server_is_shown() -> None:
    shown = [provider_of(judge_settings.LlmJudge.model_validate(judge)) for judge in CONFIGURED]
    assert all(provider in shown for provider in PROVIDERS.values())
