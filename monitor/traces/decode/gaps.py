"""How many attributes an SDK must have dropped, where the encoding has no count of them.

Over its limit of attributes an SDK drops some, and Jaeger and Zipkin carry no count. Lists that are spread over
numbered keys tell: their numbers begin at 0 and go up by one, so that a missing number is a dropped attribute.
"""

from __future__ import annotations

from collections.abc import Collection

from monitor.traces import semconv

_LISTS = (
    semconv.OI_DOCUMENTS,
    semconv.OI_RERANKED,
    semconv.OI_INPUT_MESSAGES,
    semconv.OI_OUTPUT_MESSAGES,
    "gen_ai.prompt",
    "gen_ai.completion",
)
_PREFIXES = tuple(f"{name}." for name in _LISTS)
_FIRST_FREE = (
    (f"{semconv.OI_INPUT_MESSAGES}.", semconv.OI_INPUT),
    (f"{semconv.OI_OUTPUT_MESSAGES}.", semconv.OI_OUTPUT),
)
_MAX_DIGITS = 6


def missing_numbers(keys: Collection[str]) -> int:
    """A lower bound of the dropped attributes: numbers missing in the known lists; 0 when none is missing.

    Messages that begin at 1 are whole where `input.value` or `output.value` is there: OpenInference keeps the place of
    instructions free, and that of a search by the model's service; an SDK that drops the oldest attributes drops those
    values first.
    """
    listed = [key for key in keys if key.startswith(_PREFIXES)]
    if not listed:
        return 0  # the usual case
    seen: dict[str, set[int]] = {}
    for key in listed:
        name = next(prefix for prefix in _PREFIXES if key.startswith(prefix))
        digits = key[len(name) :].partition(".")[0]
        if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS:
            seen.setdefault(name, set()).add(int(digits))
    for name, whole in _FIRST_FREE:
        if name in seen and whole in keys:
            seen[name].add(0)
    return sum(max(numbers) + 1 - len(numbers) for numbers in seen.values())
