"""What a metric is, and how its Prometheus name follows from its name.

A name is written once, in OpenTelemetry's dotted form. The Prometheus name follows from it by the rules of the
OpenTelemetry specification ("Prometheus and OpenMetrics Compatibility"): a rule or dashboard therefore finds the same
names whether Prometheus scrapes ragmon or a Collector passes its OTLP metrics on.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple


class Kind(enum.StrEnum):
    """What can be done with the numbers: only counters and histograms may be summed over replicas and windows."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


_SUFFIXES = {"s": "_seconds", "By": "_bytes"}
_PER = {"s": "_per_second", "min": "_per_minute"}


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `unit` is UCUM; an annotation in braces (`{record}`) is a count of things, `1` is a share 0 to 1."""

    name: str
    kind: Kind
    unit: str
    labels: tuple[str, ...]
    help: str
    owner: str
    """The stage or part that it describes."""
    question: str
    """What an operator asks when looking at it."""
    knob: str
    """What to turn when the answer is bad."""

    @property
    def prometheus(self) -> str:
        """Prometheus name: dots become underscores, then the base unit, then `_total` for counters."""
        numerator, _, denominator = self.unit.partition("/")
        suffix = _SUFFIXES.get(numerator, "") + _PER.get(denominator, "")
        if self.unit == "1" and self.kind is Kind.GAUGE:
            suffix = "_ratio"
        total = "_total" if self.kind is Kind.COUNTER else ""
        return self.name.replace(".", "_") + suffix + total

    @property
    def series(self) -> tuple[str, ...]:
        """Names of the Prometheus series that it makes."""
        if self.kind is Kind.HISTOGRAM:
            return tuple(self.prometheus + suffix for suffix in ("_bucket", "_count", "_sum"))
        return (self.prometheus,)


class EstimateMetrics(NamedTuple):
    """A number and the ends of its 95 % interval."""

    value: Metric
    lower: Metric
    upper: Metric


def counter(name: str, unit: str, labels: tuple[str, ...], owner: str, what: str, question: str, knob: str) -> Metric:
    """A counter `ragmon.{name}`; `what` is its help text."""
    return Metric(f"ragmon.{name}", Kind.COUNTER, unit, labels, what, owner, question, knob)


def histogram(name: str, unit: str, labels: tuple[str, ...], owner: str, what: str, question: str, knob: str) -> Metric:
    """A histogram `ragmon.{name}`; `what` is its help text."""
    return Metric(f"ragmon.{name}", Kind.HISTOGRAM, unit, labels, what, owner, question, knob)


def gauge(name: str, unit: str, labels: tuple[str, ...], owner: str, what: str, question: str, knob: str) -> Metric:
    """A gauge `ragmon.{name}`; `what` is its help text."""
    return Metric(f"ragmon.{name}", Kind.GAUGE, unit, labels, what, owner, question, knob)


def estimate(
    name: str,
    unit: str,
    labels: tuple[str, ...],
    what: str,
    question: str,
    knob: str,
    owner: str = "board",
    level: str = "95 %",
) -> EstimateMetrics:
    """The three gauges of a number."""
    texts = (what, f"Lower end of the {level} interval of: {what}", f"Upper end of the {level} interval of: {what}")
    names = (name, f"{name}.lower", f"{name}.upper")
    made = (gauge(n, unit, labels, owner, t, question, knob) for n, t in zip(names, texts, strict=True))
    return EstimateMetrics(*made)
