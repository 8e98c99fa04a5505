from __future__ import annotations

from typing import get_args

import pytest

from monitor.config import judges as judge_settings
from monitor.errors import ConfigError
from monitor.judges.servers.dialect import Structured
from monitor.judges.servers.providers import PROVIDERS, first_dialect, provider_of
from monitor.judges.servers.registry import server_of
from tests.monitor.judges.servers.asks import config


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://my-resource.openai.azure.com/openai/v1", "azure"),
        ("https://my-resource.cognitiveservices.azure.com/openai/deployments/d?api-version=2024-10-21", "azure"),
        ("https://api.anthropic.com", "anthropic"),
        ("https://api.mistral.ai/v1", "mistral"),
        ("https://api.deepseek.com", "deepseek"),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "dashscope"),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "dashscope"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("https://api.groq.com/openai/v1", "compatible"),
        ("http://127.0.0.1:11434/v1", "compatible"),
        ("https://api.openai.com.evil.example/v1", "compatible"),
        ("https://evil-api.openai.com/v1", "compatible"),
        ("https://API.OpenAI.com/v1", "openai"),
    ],
)
def test_a_server_is_known_by_its_host(url: str, name: str) -> None:
    assert provider_of(config(base_url=url, allow_private=True)) is PROVIDERS[name]


def test_a_configured_server_wins_over_the_host() -> None:
    assert provider_of(config(base_url="https://api.openai.com/v1", server="vllm")) is PROVIDERS["vllm"]


def test_every_provider_can_be_configured_and_every_name_is_one() -> None:
    names = get_args(judge_settings.LlmJudge.model_fields["server"].annotation)
    assert set(names) == {"auto", *PROVIDERS}


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_ends_with_the_prompt_and_knows_every_effort(name: str) -> None:
    provider = PROVIDERS[name]
    assert provider.rungs[-1] is Structured.PROMPT
    assert provider.efforts.keys() == {"none", "low", "medium", "high"}


@pytest.mark.parametrize(
    ("server", "base", "path"),
    [
        ("compatible", "/v1", "/v1/chat/completions"),
        ("compatible", "/v1/", "/v1/chat/completions"),
        ("compatible", "", "/chat/completions"),
        ("compatible", "/v1/chat/completions", "/v1/chat/completions"),
        ("azure", "/openai/deployments/d", "/openai/deployments/d/chat/completions"),
        ("anthropic", "", "/v1/messages"),
        ("anthropic", "/v1", "/v1/messages"),
        ("anthropic", "/v1/messages", "/v1/messages"),
        ("anthropic", "/proxy/anthropic", "/proxy/anthropic/v1/messages"),
    ],
)
def test_the_path_is_completed_once(server: str, base: str, path: str) -> None:
    assert PROVIDERS[server].path(base) == path


def test_a_configured_way_of_asking_for_json_is_the_only_one() -> None:
    settings = config(structured="json_object")
    assert first_dialect(settings, provider_of(settings)).rungs == (Structured.JSON_OBJECT,)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"server": "anthropic", "structured": "json_object"}, "structured: json_object"),
        ({"server": "compatible", "reasoning": 2048}, "reasoning is a number of tokens"),
        (
            {"base_url": "https://r.openai.azure.com/openai/deployments/d"},
            r"add \?api-version= with the version",
        ),
    ],
)
def test_a_setting_that_the_server_cannot_follow_is_named_at_the_start(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        server_of(config(**changes))
