"""What the service's requests are like: how many, how many failed, how long, how many tokens, by slice.

The counters are those of a process: they say what the records that it read held. A record that is read again, after
a crash or a rebalance, is counted again; over a fleet the counters add up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from monitor.operational import LATENCY_BOUNDS, TrafficTotals
from monitor.snapshot import EVERYTHING, OTHER, UNKNOWN, SliceKey

_MAX_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Sight:
    """One request as far as traffic counts it, or what a record adds to one whose entry span is elsewhere."""

    app: str | None = None
    model: str | None = None
    seconds: float | None = None
    """How long it took; None when that is not known."""
    failed: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    empty: bool = False
    """Its retrieval found nothing."""
    is_request: bool = True
    """False for what belongs to a request whose entry span is in another record."""


@dataclass(slots=True)
class _Totals:
    requests: float = 0.0
    errors: float = 0.0
    empty_retrievals: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=lambda: [0.0] * (len(LATENCY_BOUNDS) + 1))

    def add(self, sight: Sight, weight: float) -> None:
        self.input_tokens += weight * sight.input_tokens
        self.output_tokens += weight * sight.output_tokens
        self.empty_retrievals += weight * sight.empty
        self.requests += weight * sight.is_request
        self.errors += weight * sight.failed
        if sight.seconds is not None:
            self.seconds += weight * sight.seconds
            self.latencies[bisect_left(LATENCY_BOUNDS, sight.seconds)] += weight


class Traffic:
    """Counts requests by slice: all of them, by app, by requested model. Each dimension has `values` values at most.

    The first values that come keep their place as long as the process lives; the rest is `other`, as a counter must
    not go back.
    """

    def __init__(self, values: int) -> None:
        self._values = values
        self._slices: dict[str, dict[str, _Totals]] = {"app": {}, "model": {}}
        self._all = _Totals()
        self.unreadable = 0
        """Records that held nothing that could be counted, as they cannot be decoded."""

    def count(self, sight: Sight, weight: float = 1.0) -> None:
        """Count a sight that stands for `weight` of its kind."""
        self._all.add(sight, weight)
        self._slice("app", sight.app).add(sight, weight)
        if sight.model is not None:
            self._slice("model", sight.model).add(sight, weight)

    def totals(self) -> tuple[TrafficTotals, ...]:
        """The counters as of now; everything first."""
        return tuple(_frozen(key, totals) for key, totals in self._keyed())

    def _slice(self, dimension: str, value: str | None) -> _Totals:
        known = self._slices[dimension]
        name = (value or "")[:_MAX_LENGTH] or UNKNOWN
        totals = known.get(name)
        if totals is None:
            name = name if len(known) < self._values else OTHER
            totals = known.setdefault(name, _Totals())
        return totals

    def _keyed(self) -> Iterator[tuple[SliceKey, _Totals]]:
        yield EVERYTHING, self._all
        for dimension, values in self._slices.items():
            for value, totals in values.items():
                yield SliceKey(dimension, value), totals


def _frozen(key: SliceKey, totals: _Totals) -> TrafficTotals:
    reached, buckets = 0.0, []
    for count in totals.latencies:
        reached += count
        buckets.append(reached)
    return TrafficTotals(
        key,
        totals.requests,
        totals.errors,
        totals.empty_retrievals,
        totals.input_tokens,
        totals.output_tokens,
        totals.seconds,
        tuple(buckets),
    )
