"""What the limits of an LLM judge are worth, before its first call: how many, and whether even one fits.

By the estimates that hold calls back later (`asking`, `allowance`): what a prompt has, and the whole output limit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass

from monitor.config import judges as judge_settings
from monitor.judges.limits.allowance import LIMITS, USED, Limit
from monitor.judges.prompts.group import Group, grouped
from monitor.judges.prompts.registry import evaluations_of
from monitor.judges.servers.pricing import Tariff, add, tokens_of
from monitor.records import Usage

REQUEST_CHARS = 6000
"""Characters of question, passages and answer of the request that calls are counted for."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What one limit is worth."""

    limit: Limit
    cap: float
    requests: float
    """Requests of `REQUEST_CHARS` whose calls fit into the share of the limit that is used; infinite at no cost."""
    least: float
    """What the smallest call may use of it: the instructions alone, and the reply to one evaluation."""

    @property
    def is_too_small(self) -> bool:
        """Whether no call could ever be made under it."""
        return self.least > self.cap


def calls_of(config: judge_settings.LlmJudge) -> int:
    """Calls for a request to which all its evaluations apply, and whose passages fit into one window."""
    return len(grouped(evaluations_of(config), config.calls))


def worth_of(config: judge_settings.LlmJudge) -> Iterator[Worth]:
    """Of each limit that is set, in the order of `LIMITS`. Nothing for a judge without any evaluation."""
    groups = grouped(evaluations_of(config), config.calls)
    if not groups:
        return
    request = Usage()
    for group in groups:
        request = add(request, _estimate(config, group, len(group.evaluations), REQUEST_CHARS))
    smallest = [_estimate(config, group, 1, 0) for group in groups]
    for limit in LIMITS:
        cap: float | None = getattr(config, limit.name)
        if cap is not None:
            used = limit.measure(request)
            requests = USED * cap / used if used else math.inf
            yield Worth(limit, cap, requests, min(map(limit.measure, smallest)))


def _estimate(config: judge_settings.LlmJudge, group: Group, asked: int, chars: int) -> Usage:
    """What a call may use that asks for so many evaluations; instructions in the language that has fewer tokens."""
    instructions = min(tokens_of(text.encode()) for text in group.systems.values())
    schema = tokens_of(json.dumps(group.schema(group.evaluations[:asked])).encode()) if chars else 0
    reasoning = config.reasoning if isinstance(config.reasoning, int) else 0
    said = asked * config.max_output_tokens + reasoning
    return Tariff.of(config).estimated(instructions + schema + tokens_of(b"x" * chars), said, None)
