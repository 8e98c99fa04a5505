"""Families of models: a judge may be kinder to answers of its own family than to those of others.

Known by the words of a model's name, whatever its version, size, provider or deployment path. What a model was made
from counts, too: a distilled `deepseek-r1-distill-qwen-32b` belongs to two families. A name that says nothing, such as
that of a deployment, belongs to none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "gpt": ("gpt", "chatgpt", "davinci", "codex"),
    "claude": ("claude", "sonnet", "haiku", "opus"),
    "gemini": ("gemini", "gemma", "learnlm", "medgemma", "codegemma", "palm"),
    "qwen": ("qwen", "codeqwen", "qwq", "qvq", "tongyi"),
    "deepseek": ("deepseek",),
    "llama": ("llama", "codellama", "tinyllama", "vicuna", "alpaca"),
    "mistral": (
        "mistral",
        "mixtral",
        "ministral",
        "magistral",
        "codestral",
        "devstral",
        "mathstral",
        "pixtral",
        "voxtral",
        "zephyr",
    ),
    "glm": ("glm", "chatglm", "zhipu"),
    "kimi": ("kimi", "moonshot"),
    "doubao": ("doubao",),
    "ernie": ("ernie",),
    "hunyuan": ("hunyuan",),
    "minimax": ("minimax", "abab"),
    "yi": ("yi",),
    "baichuan": ("baichuan",),
    "internlm": ("internlm",),
    "grok": ("grok",),
    "command": ("command", "cohere", "aya"),
    "phi": ("phi",),
    "nova": ("nova",),
    "titan": ("titan",),
    "granite": ("granite",),
    "nemotron": ("nemotron",),
    "jamba": ("jamba",),
    "falcon": ("falcon",),
    "olmo": ("olmo", "tulu"),
    "smollm": ("smollm", "smollm2", "smollm3"),
    "solar": ("solar",),
    "exaone": ("exaone",),
    "step": ("stepfun",),
    "sonar": ("sonar", "pplx", "perplexity"),
    "spark": ("sparkdesk", "xinghuo"),
}
"""The words of each family. A digit may follow a word at once (`qwen2`, `gpt4o`), anything else ends it."""

_BY_WORD = {word: family for family, words in FAMILIES.items() for word in words}
_PARTS = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"([a-z]+)(?:[0-9].*|v[0-9].*)?")
_IN_CHINESE = {
    "qwen": ("通义", "千问"),
    "deepseek": ("深度求索",),
    "glm": ("智谱",),
    "kimi": ("月之暗面",),
    "doubao": ("豆包",),
    "ernie": ("文心",),
    "hunyuan": ("混元",),
    "yi": ("零一万物",),
    "baichuan": ("百川",),
    "internlm": ("书生",),
    "step": ("阶跃星辰",),
    "spark": ("星火",),
}
"""What stands in the names of models in Chinese."""
_STEP = re.compile(r"(?<![a-z0-9])step-?[1-9]")
"""`step-1-8k`: the word alone says nothing."""
_OTHERS = frozenset({"gpt4all"})
"""Words that begin like one of a family."""
_O_SERIES = re.compile(r"o[1-9]")
"""`o1`, `o3-mini`, `o4-mini`: reasoning models of the gpt family."""


def families_of(*models: str | None) -> frozenset[str]:
    """The families of these names together; none of those that are missing or say nothing."""
    names = [model.lower() for model in models if model]
    found = {_family(part) for name in names for part in _PARTS.split(name) if part and part not in _OTHERS}
    found |= {family for name in names for family, words in _IN_CHINESE.items() if any(word in name for word in words)}
    found |= {"step" for name in names if _STEP.search(name)}
    return frozenset(family for family in found if family is not None)


def akin(ours: Iterable[str | None], theirs: Iterable[str | None]) -> bool:
    """Whether two groups of models have a family in common, or a whole name."""
    ours, theirs = tuple(ours), tuple(theirs)
    names = {model.casefold() for model in ours if model} & {model.casefold() for model in theirs if model}
    return bool(names) or not families_of(*ours).isdisjoint(families_of(*theirs))


def _family(part: str) -> str | None:
    if _O_SERIES.fullmatch(part):
        return "gpt"
    found = _WORD.fullmatch(part)
    return _BY_WORD.get(part) or (_BY_WORD.get(found[1]) if found else None)
