"""The wire APIs by name."""

from __future__ import annotations

from monitor.config import judges as judge_settings
from monitor.errors import ConfigError
from monitor.judges.servers.chat import ChatCompletions
from monitor.judges.servers.messages import Messages
from monitor.judges.servers.providers import Provider, provider_of
from monitor.judges.servers.wire import Server

APIS: dict[str, type[ChatCompletions | Messages]] = {"chat": ChatCompletions, "messages": Messages}


def server_of(config: judge_settings.LlmJudge) -> Server:
    """The adapter for the configured server. Raises ConfigError for settings that the server cannot follow."""
    provider = provider_of(config)
    try:
        _check(config, provider)
        return APIS[provider.api](config, provider)
    except ValueError as error:
        problem = f"judge {config.name}: {error}"
        raise ConfigError([problem]) from None


def _check(config: judge_settings.LlmJudge, provider: Provider) -> None:
    if config.structured not in ("auto", *provider.rungs):
        msg = f"structured: {config.structured} is no way in which this server is asked"
        raise ValueError(msg)
    wanted = provider.deployment_query
    if wanted and "/deployments/" in config.base_url and f"{wanted}=" not in config.base_url:
        msg = f"base_url names a deployment; add ?{wanted}= with the version to it, or use the path /openai/v1"
        raise ValueError(msg)
