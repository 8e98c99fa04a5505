"""What a judge may spend: calls and tokens a minute, money an hour and a day.

Each limit acts twice. Long before it is reached the judge's share of the sample falls, so that what it spends settles
at 70 % of the limit whatever the demand; the rate that applied is on every verdict, so estimates stay unbiased. And no
call is made that would pass the limit: over any period of its length, what is spent is at most the limit, as far as the
estimates of calls under way are right.

Why the first keeps the second from acting: spending at most pours into a bucket that leaks 70 % of the limit over its
period, so over one period it is at most 70 % and the rise of the level. The level settles at allowance x (1 + log2(D /
leak)) for a demand D (`sampling/slowing.py`): with an allowance of 2 %, below 30 % up to 16,000 times of what leaks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from monitor.config import judges as judge_settings
from monitor.judges.limits.spent import Spent
from monitor.judges.reasons import Reason
from monitor.operational import LimitFill
from monitor.records import Usage
from monitor.sampling.slowing import MAX_DOUBLINGS, slowdown

USED = 0.7
"""Share of a limit that is used in the long run."""
_MONEY_ALLOWANCE = 0.02
_MINUTE_ALLOWANCE = 0.1
"""Shares of a limit that may stand in the bucket before the rate falls. That of a minute is larger: few calls make up
a minute, and where its limit is reached a call waits instead of being left out."""

_SMOOTHING = 0.1
_LOOK_AGAIN_S = 1.0
"""There is room, but calls under way might need it: they mostly cost less than they could."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A kind of limit; `name` is its setting."""

    name: str
    period_s: float
    allowance: float
    measure: Callable[[Usage], float]
    reason: Reason
    """Why a call is left out that would pass it."""
    waits: bool
    """Whether such a call waits as long as its request may. Where that is rarely enough, it holds others up."""


LIMITS = (
    Limit("requests_per_minute", 60.0, _MINUTE_ALLOWANCE, lambda usage: usage.calls, Reason.RATE_LIMITED, waits=True),
    Limit(
        "tokens_per_minute",
        60.0,
        _MINUTE_ALLOWANCE,
        lambda usage: usage.input_tokens + usage.output_tokens,
        Reason.RATE_LIMITED,
        waits=True,
    ),
    Limit("cost_per_hour", 3600.0, _MONEY_ALLOWANCE, lambda usage: usage.cost, Reason.OVER_BUDGET, waits=False),
    Limit("cost_per_day", 86_400.0, _MONEY_ALLOWANCE, lambda usage: usage.cost, Reason.OVER_BUDGET, waits=False),
)


class Wait(NamedTuple):
    """Seconds until a call may be made, and the limit's reason and name for it; 0 when it may be made now."""

    seconds: float
    reason: Reason
    limit: str = ""


class Allowance:
    """All limits of one judge. Times are seconds of one monotonic clock."""

    def __init__(self, config: judge_settings.LlmJudge) -> None:
        caps = [(limit, getattr(config, limit.name)) for limit in LIMITS]
        self._meters = [_Meter(limit, cap) for limit, cap in caps if cap is not None]

    def wait(self, estimate: Usage, now: float) -> Wait:
        """How long a call of this size has to wait; for ever when it cannot be made in any time that counts."""
        waits = [Wait(meter.wait_s(estimate, now), meter.limit.reason, meter.limit.name) for meter in self._meters]
        return max(waits, key=lambda wait: wait.seconds, default=Wait(0.0, Reason.RATE_LIMITED))

    def hold(self, estimate: Usage) -> None:
        """A call begins: keep room for it until it is settled."""
        for meter in self._meters:
            meter.hold(meter.limit.measure(estimate))

    def settle(self, estimate: Usage, usage: Usage, now: float) -> None:
        """The call is over, and cost this."""
        for meter in self._meters:
            meter.settle(meter.limit.measure(estimate), meter.limit.measure(usage))
        self.heard(usage, 0.0, now)

    def heard(self, usage: Usage, age_s: float, now: float) -> None:
        """This was spent so long ago, here or elsewhere."""
        for meter in self._meters:
            meter.spent.add(now - max(0.0, age_s), meter.limit.measure(usage), now)

    def slowdown(self, now: float) -> float:
        """What the judge's rate is divided by, at least 1; the strictest limit counts."""
        return max((meter.slowdown(now) for meter in self._meters), default=1.0)

    def fills(self, now: float) -> tuple[LimitFill, ...]:
        """How much of each limit is used."""
        return tuple(LimitFill(meter.limit.name, meter.cap, meter.spent.total(now)) for meter in self._meters)


class _Meter:
    """One limit, and what of it is used."""

    def __init__(self, limit: Limit, cap: float) -> None:
        self.limit = limit
        self.cap = cap
        full = (1 + MAX_DOUBLINGS) * limit.allowance * cap  # more changes no rate, and would only last
        self.spent = Spent(limit.period_s, USED * cap / limit.period_s, full)
        self._under_way = 0
        self._held = 0.0
        """What the calls under way may cost."""
        self._usual: float | None = None
        """What a call costs on average, half the limit at most."""

    def hold(self, estimate: float) -> None:
        self._under_way += 1
        self._held += estimate

    def settle(self, estimate: float, amount: float) -> None:
        self._under_way -= 1
        self._held = self._held - estimate if self._under_way else 0.0
        amount = min(amount, self.cap / 2)  # or one absurd count would end all, long after its period
        self._usual = amount if self._usual is None else self._usual + _SMOOTHING * (amount - self._usual)

    def wait_s(self, estimate: Usage, now: float) -> float:
        usual = self._usual or 0.0  # a server may count more than a call was allowed
        room = self.cap - max(self.limit.measure(estimate), usual)
        wait_s = self.spent.wait_s(room, now)
        if wait_s > 0:
            return wait_s if self.limit.waits else math.inf
        held = max(self._held, self._under_way * usual)
        return _LOOK_AGAIN_S if self.spent.total(now) + held > room else 0.0

    def slowdown(self, now: float) -> float:
        # at what they may cost at most, calls under way would lower the rate too much
        under_way = self._held if self._usual is None else self._under_way * self._usual
        return slowdown(self.spent.level(now) + under_way, self.limit.allowance * self.cap)
