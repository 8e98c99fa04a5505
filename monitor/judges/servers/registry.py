"""The wire APIs by name."""

from __future__ import annotations

from monitor import judge_settings
from monitor.errors import ConfigError
from monitor.judges.servers.chat import ChatCompletions
from monitor.judges.servers.messages import Messages
from monitor.judges.servers.providers import provider_of
from monitor.judges.servers.wire import Server

APIS: dict[str, type[ChatCompletions | Messages]] = {"chat": ChatCompletions, "messages": Messages}


def server_of(config: judge_settings.LlmJudge) -> Server:
    """The adapter for the configured server. Raises ConfigError for a setting that the server cannot follow."""
    provider = provider_of(config)
    if config.structured not in ("auto", *provider.rungs):
        problem = f"judge {config.name}: structured: {config.structured} is no way in which this server is asked"
        raise ConfigError([problem])
    try:
        return APIS[provider.api](config, provider)
    except ValueError as error:
        problem = f"judge {config.name}: {error}"
        raise ConfigError([problem]) from None
