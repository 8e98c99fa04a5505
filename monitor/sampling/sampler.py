"""Decide which requests are judged, and with what probability.

All policies share the trace's one random number R, so the largest rate among the matching policies wins and the
inclusion probability stays exact. Upstream head sampling and the choice by the record key alone may lower it. What
upstream claims comes from outside, so it is believed up to a bound only: weights have to stay comparable.
"""

from __future__ import annotations

import math

from monitor.config.settings import Sampling
from monitor.records import Decision, DecisionKind, RagTrace
from monitor.sampling.budget import Budget
from monitor.sampling.policies import BASE, POLICIES, SAFETY, TRIGGERS
from monitor.sampling.randomness import MAX, from_trace, head_threshold, probability, threshold

_WHOLE = 1e-6  # relative; a rate 1/k is k only to the precision of 56 bits, `th` often only of 24
_ROUGH = 1.001
"""A `th` of few digits gives a count a little above the one that was meant."""


class Sampler:
    """The sampling decision. A function of the request alone, but for the budget, which lowers rates over time."""

    def __init__(self, settings: Sampling) -> None:
        self._policies = [(policy, k) for policy in POLICIES if (k := policy.one_in(settings))]
        self._content_share = settings.content_share
        self._most = settings.max_upstream_count
        triggers = [max(k, settings.content_share) for policy in TRIGGERS if (k := policy.one_in(settings))]
        self._presample = min([settings.base, *triggers])
        self._presample_threshold = threshold(self._presample)
        self._budget = Budget(settings.budget_per_minute, settings.base_share)
        self._taken = {"base": 0, "triggers": 0}
        safety = settings.safety_hit and max(settings.safety_hit, settings.content_share)
        self._heeds_safety = 0 < safety < settings.base
        self._in_force: int | None = None

    @property
    def presample_threshold(self) -> int:
        """A record whose key gives an R below it needs no decoding: no policy can want it.

        It does not follow the budget: a record passes at one time and is decided at another, and its probability must
        be that of both.
        """
        return self._presample_threshold

    @property
    def presample_one_in(self) -> int:
        """The k of the share 1/k of all traces that pass `presample_threshold`."""
        return self._presample

    @property
    def threshold_in_force(self) -> int:
        """A request with a lower R is not sampled now, whatever it holds: the T of the largest rate of any policy.

        It follows the budget, so it says something about requests that are decided at this moment only.
        """
        if self._in_force is None:
            able = [(policy, k) for policy, k in self._policies if policy is not SAFETY or self._heeds_safety]
            self._in_force = threshold(min(self._one_in(policy.name, k, by_key=True) for policy, k in able))
        return self._in_force

    @property
    def heeds_safety(self) -> bool:
        """Whether a safety hit can raise a request's rate: then scanners have to see every decoded request.

        Not so when the share of traffic that triggers see is no larger than the base rate.
        """
        return self._heeds_safety

    def decide(self, trace: RagTrace, *, safety_hit: bool, by_key: bool, floor: int = 0) -> Decision:
        """Whether the request is judged.

        `by_key`: its record passed `presample_threshold` by the trace id, so triggers saw only `content_share` of the
        traffic and cannot have a larger rate. `safety_hit`: the safety scanners found something.
        `floor`: with a lower R the request would have been left unread at an earlier moment.
        """
        r = from_trace(trace.trace_id, trace.trace_state)
        # with `rv` in the tracestate, R is not the number that the key was chosen by: two independent choices
        chosen = self._presample if by_key and r != from_trace(trace.trace_id) else 1
        head = self._believed_head(trace.trace_state)
        matching = sorted(
            (
                (threshold(-(-self._one_in(policy.name, one_in, by_key=by_key) // chosen)), policy.name)
                for policy, one_in in self._policies
                if policy.condition(trace, safety_hit)
            ),
            key=lambda match: match[0],
        )
        cut = max(matching[0][0], head or 0, floor)
        # `th` shares our R; without it upstream sampling is a choice of its own
        others = chosen * (1.0 if head is not None else self._believed_count(trace.adjusted_count))
        if r < cut:
            return Decision(DecisionKind.NOT_SAMPLED, probability(cut) / others, 0, threshold=cut)
        kept = tuple(name for limit, name in matching if r >= limit)
        self._taken["base" if BASE.name in kept else "triggers"] += 1
        return _sampled(DecisionKind.SAMPLED, r, cut, others, kept)

    def nest(self, decision: Decision, trace: RagTrace, one_in: int) -> Decision:
        """The decision of a judge that sees only 1/`one_in` of the sampled requests, by the same R.

        Kept is the upper part of the region that R was kept in, so sub-samples of any depth nest. Probability and
        weight are those of the request in the sub-sample. `one_in` is at least 1.
        """
        if not decision.sampled or one_in == 1:
            return decision
        r = from_trace(trace.trace_id, trace.trace_state)
        region = MAX - decision.threshold
        part = max(1, (2 * region + one_in) // (2 * one_in))
        if r < MAX - part:
            return Decision(DecisionKind.NOT_SAMPLED, decision.probability * part / region, 0, threshold=MAX - part)
        others = probability(decision.threshold) / decision.probability
        return _sampled(decision.kind, r, MAX - part, others, decision.policies)

    def judged(self, now: float) -> None:
        """The requests that were sampled since the last call are being judged: charge them to the budget.

        `now` is in monotonic seconds.
        """
        self._budget.judged(now, **self._taken)
        self._in_force = None
        self._taken = {"base": 0, "triggers": 0}

    def tick(self, now: float) -> None:
        """Let time pass (monotonic seconds), so that rates that the budget lowered recover; every few seconds."""
        self._budget.tick(now)
        self._in_force = None

    def rates(self) -> dict[str, int]:
        """The k of the rate 1/k that is in force now for each policy that is on, the budget included."""
        return {policy.name: self._one_in(policy.name, one_in, by_key=True) for policy, one_in in self._policies}

    def _believed_head(self, trace_state: str) -> int | None:
        """T of upstream head sampling; None also when its count is too large to be believed."""
        head = head_threshold(trace_state)
        return head if head is None or (MAX - head) * self._most * _ROUGH >= MAX else None

    def _believed_count(self, adjusted_count: float) -> float:
        """The requests that this one stands for; 1 when the count is below that, or too large to be believed."""
        return adjusted_count if 1.0 <= adjusted_count <= self._most else 1.0

    def _one_in(self, name: str, one_in: int, *, by_key: bool) -> int:
        base = name == BASE.name
        slowed = self._budget.slowed(one_in, base=base)
        return max(slowed, self._content_share) if by_key and not base else slowed


def _sampled(kind: DecisionKind, r: int, cut: int, others: float, policies: tuple[str, ...]) -> Decision:
    """A decision to keep. `others` is the inverse probability of the choices that are independent of R."""
    region = MAX - cut
    exact = MAX / region * others
    return Decision(kind, 1.0 / exact, _whole(exact, (r - cut) / region), policies, cut)


def _whole(weight: float, uniform: float) -> int:
    """The weight as an integer, equal to it on average: R within its region is uniform and decides up or down."""
    nearest = round(weight)
    if abs(weight - nearest) <= _WHOLE * weight:
        return nearest
    return math.floor(weight) + (uniform < weight - math.floor(weight))
