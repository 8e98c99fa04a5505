"""What sets providers apart, as data: how they are found, how the key is sent, and their own words for a few things.

Whatever a server can be asked is not written down here: it is learned from its refusals (`dialect`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from monitor.config import judges as judge_settings
from monitor.judges.reasons import Lesson
from monitor.judges.servers.dialect import Dialect, Structured

Fields = Mapping[str, object]
"""Fields of a request body."""

Effort = Literal["none", "low", "medium", "high"]

_CHAT = (Structured.JSON_SCHEMA, Structured.JSON_OBJECT, Structured.TOOL, Structured.PROMPT)


_BUDGETS: Mapping[Effort, int] = {"low": 1024, "medium": 4096, "high": 16_384}
"""Tokens for servers that know no words for it."""


def _effort(level: Effort) -> Fields:
    return {"reasoning_effort": level}


def _efforts(none: Fields, given: Callable[[Effort], Fields]) -> Mapping[Effort, Fields]:
    return {"none": none, "low": given("low"), "medium": given("medium"), "high": given("high")}


@dataclass(frozen=True, slots=True)
class Provider:
    """One row of the table. The defaults are what OpenAI-compatible servers have in common."""

    hosts: tuple[str, ...] = ()
    """Host names, or their ends, by which `server: auto` knows it."""
    api: Literal["chat", "messages"] = "chat"
    key_header: str = "authorization"
    key_prefix: str = "Bearer "
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers that the API insists on; the settings may replace them."""
    deployment_query: str = ""
    """Query parameter that a URL of one deployment must have."""
    says_its_end: bool = False
    """Whether each reply has a finish reason. Not all do without streaming (LocalAI, mudler/LocalAI issue 788, and what
    is built on it): there none is the normal end, unless the reply is as long as its limit."""
    seed: str | None = "seed"
    """Name of the seed; None where there is none."""
    knows: frozenset[Lesson] = frozenset()
    """Lessons that need no refusal first."""
    rungs: tuple[Structured, ...] = _CHAT
    schema: Literal["json_schema", "value"] = "json_schema"
    """Where a response format carries its schema."""
    efforts: Mapping[Effort, Fields] = field(default_factory=lambda: _efforts(_effort("none"), _effort))
    """How much reasoning is asked for."""
    budget: Callable[[int], Fields] | None = None
    """How a limit of the reasoning tokens is set; None where there is none."""

    def path(self, base: str) -> str:
        """The path of a call below the base URL's path, which may be the whole path already."""
        base = base.rstrip("/")
        if base.endswith(("/chat/completions", "/v1/messages")):
            return base
        match self.api:
            case "chat":
                return f"{base}/chat/completions"
            case "messages":
                return f"{base.removesuffix('/v1')}/v1/messages"


PROVIDERS: Mapping[str, Provider] = {
    "compatible": Provider(),
    "openai": Provider(hosts=("api.openai.com",), says_its_end=True, knows=frozenset({Lesson.OUTPUT_LIMIT})),
    "azure": Provider(
        hosts=(".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"),
        key_header="api-key",
        key_prefix="",
        deployment_query="api-version",
        says_its_end=True,
    ),
    "anthropic": Provider(
        hosts=("api.anthropic.com",),
        api="messages",
        key_header="x-api-key",
        key_prefix="",
        headers={"anthropic-version": "2023-06-01"},
        seed=None,
        knows=frozenset({Lesson.RANGES}),
        rungs=(Structured.JSON_SCHEMA, Structured.TOOL, Structured.PROMPT),
        efforts=_efforts(
            {"thinking": {"type": "disabled"}},
            lambda level: {"thinking": {"type": "adaptive"}, "output_config": {"effort": level}},
        ),
        budget=lambda tokens: {"thinking": {"type": "enabled", "budget_tokens": tokens}},
    ),
    "mistral": Provider(hosts=("api.mistral.ai",), says_its_end=True, seed="random_seed"),
    "deepseek": Provider(
        hosts=("api.deepseek.com",),
        says_its_end=True,
        efforts=_efforts(
            {"thinking": {"type": "disabled"}}, lambda level: {"thinking": {"type": "enabled"}, **_effort(level)}
        ),
    ),
    "dashscope": Provider(
        hosts=(".aliyuncs.com",),
        efforts=_efforts(
            {"enable_thinking": False},
            lambda level: {"enable_thinking": True, "thinking_budget": _BUDGETS[level]},
        ),
        budget=lambda tokens: {"enable_thinking": True, "thinking_budget": tokens},
    ),
    "openrouter": Provider(
        hosts=("openrouter.ai",),
        efforts=_efforts({"reasoning": {"enabled": False}}, lambda level: {"reasoning": {"effort": level}}),
        budget=lambda tokens: {"reasoning": {"max_tokens": tokens}},
    ),
    "vllm": Provider(  # SGLang and llama.cpp, too: the chat template decides whether there is reasoning
        efforts=_efforts(
            {"chat_template_kwargs": {"enable_thinking": False}},
            lambda level: {"chat_template_kwargs": {"enable_thinking": True}, **_effort(level)},
        ),
        budget=lambda tokens: {"chat_template_kwargs": {"enable_thinking": True}, "thinking_token_budget": tokens},
    ),
    "tgi": Provider(rungs=(Structured.JSON_SCHEMA, Structured.TOOL, Structured.PROMPT), schema="value"),
}


def provider_of(config: judge_settings.LlmJudge) -> Provider:
    """The provider that the settings name, or the one that the host belongs to."""
    if config.server != "auto":
        return PROVIDERS[config.server]
    host = _host(config.base_url)
    known = (provider for provider in PROVIDERS.values() if any(_belongs(host, name) for name in provider.hosts))
    return next(known, PROVIDERS["compatible"])


def first_dialect(config: judge_settings.LlmJudge, provider: Provider) -> Dialect:
    """How the server is spoken to before anything is learned. A configured way of asking for JSON is insisted on."""
    rungs = provider.rungs if config.structured == "auto" else (Structured(config.structured),)
    return Dialect(rungs, provider.knows)


def reasoning_fields(config: judge_settings.LlmJudge, provider: Provider) -> Fields:
    """The fields of the request body that ask for as much reasoning as the settings say; none by default.

    Raises ValueError, in words that name the setting, for a budget where the provider takes none.
    """
    wish = config.reasoning
    if wish == "default":
        return {}
    if not isinstance(wish, int):
        return provider.efforts[wish]
    if provider.budget is None:
        msg = "reasoning is a number of tokens, which this server does not take; use none, low, medium or high"
        raise ValueError(msg)
    return provider.budget(wish)


def _host(base_url: str) -> str:
    try:
        return (urlsplit(base_url).hostname or "").lower()
    except ValueError:
        return ""  # reported where the URL is parsed


def _belongs(host: str, name: str) -> bool:
    return host == name or (name.startswith(".") and host.endswith(name))
