"""The budget controller: judged requests per minute, kept by lowering rates, never by cutting off.

Two leaky buckets, one for the base sample and one for the triggers. Each judged request adds 1 to its bucket; together
they leak the budget, each its own share and what the other does not use, so the base sample can count on `base_share`.
While a bucket stands below its allowance (10 s of the budget) rates are as configured; above, every k of a rate 1/k is
multiplied by 2^(excess / allowance), rounded up.

Why this holds, whatever the traffic: a bucket's level is at least what was judged minus what leaked, so the judged
requests of any period are at most budget x period + the levels, and a level settles where the demand D is met: at
allowance x (1 + log2(D / budget)). A level above zero leaks at the full rate, so a budget that demand can use is used.
Estimates stay unbiased as a rate depends on earlier requests only and is written on each decision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from monitor.sampling.slowing import MAX_DOUBLINGS, slowdown

_ALLOWANCE_S = 10.0
_LEAST_ALLOWANCE = 2.0  # requests; below this the rate would jump with every single one
_MINUTE_S = 60.0


@dataclass(slots=True)
class _Bucket:
    """`leak` in requests per second; `level` in requests."""

    leak: float
    level: float = 0.0

    @property
    def allowance(self) -> float:
        return max(self.leak * _ALLOWANCE_S, _LEAST_ALLOWANCE)

    def pour(self, count: int) -> None:
        self.level = min(self.level + count, self.allowance * (1.0 + MAX_DOUBLINGS))

    def drain(self, amount: float) -> float:
        """Take up to `amount` out; returns what was left over of it."""
        spare = max(0.0, amount - self.level)
        self.level = max(0.0, self.level - amount)
        return spare

    def slowdown(self) -> float:
        return slowdown(self.level, self.allowance)


class Budget:
    """Slows the rates down so that about `per_minute` requests are judged at most; 0 means no limit.

    `now` is in monotonic seconds. It is a limit of this process: replicas each have their own.
    """

    def __init__(self, per_minute: float, base_share: float) -> None:
        self._limited = per_minute > 0
        rate = per_minute / _MINUTE_S
        self._base = _Bucket(rate * base_share)
        self._triggers = _Bucket(rate * (1.0 - base_share))
        self._now: float | None = None

    def judged(self, now: float, *, base: int = 0, triggers: int = 0) -> None:
        """Requests that were taken for judging: by the base policy (whatever else kept them), or by triggers alone."""
        self.tick(now)
        if self._limited:
            self._base.pour(base)
            self._triggers.pour(triggers)

    def tick(self, now: float) -> None:
        """Let time pass, so that slowed rates recover; call it every few seconds. Time never goes back."""
        passed = 0.0 if self._now is None else max(0.0, now - self._now)
        self._now = now if self._now is None else max(now, self._now)
        spare_base = self._base.drain(self._base.leak * passed)
        spare_triggers = self._triggers.drain(self._triggers.leak * passed)
        self._base.drain(spare_triggers)
        self._triggers.drain(spare_base)

    def slowed(self, one_in: int, *, base: bool) -> int:
        """The k of the rate 1/k that applies now instead of 1/`one_in`; never less than `one_in`, 0 stays 0."""
        bucket = self._base if base else self._triggers
        return min(math.ceil(one_in * bucket.slowdown()), max(one_in, 1_000_000_000))
