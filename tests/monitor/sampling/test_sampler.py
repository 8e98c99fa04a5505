from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from monitor.config.settings import Sampling
from monitor.feedback import Feedback
from monitor.records import ContextsSource, Decision, DecisionKind, Passage, RagTrace, RequestError
from monitor.sampling.randomness import MAX, from_key, from_trace, head_threshold, threshold
from monitor.sampling.sampler import Sampler


def settings(budget: float = 0, **one_in: int) -> Sampling:
    """Settings with these k of rates 1/k."""
    rates: dict[str, object] = {name: f"1/{k}" if k else "off" for name, k in one_in.items()}
    return Sampling.model_validate(rates | {"budget_per_minute": budget, "max_upstream_count": 1000})


SETTINGS = settings(base=12, content_share=3, negative_feedback=1, error=4, empty_retrieval=5, safety_hit=2)
TRIGGERS = ("negative_feedback", "error", "empty_retrieval", "safety_hit")
COMBINATIONS = [names for n in range(5) for names in itertools.combinations(TRIGGERS, n)]


def request(names: tuple[str, ...] = (), r: int | None = None, state: str = "", count: float = 1.0) -> RagTrace:
    """A request that matches the triggers of these names, with the given random number."""
    return RagTrace(
        f"{0xABC << 64 | (MAX - 1 if r is None else r):032x}",
        "",
        "q",
        "a",
        contexts=() if "empty_retrieval" in names else (Passage("p"),),
        contexts_source=ContextsSource.SPAN,
        error=RequestError("E", "request") if "error" in names else None,
        feedback=(Feedback("thumb", negative=True),) if "negative_feedback" in names else (),
        trace_state=state,
        adjusted_count=count,
    )


def decide(sampler: Sampler, trace: RagTrace, names: tuple[str, ...] = (), *, by_key: bool = False) -> Decision:
    return sampler.decide(trace, safety_hit="safety_hit" in names, by_key=by_key)


def passes_by_key(sampler: Sampler, trace: RagTrace) -> bool:
    r = from_key(trace.trace_id.encode())
    return r is not None and r >= sampler.presample_threshold


def close(total: float, expected: float, variance: float) -> bool:
    return abs(total - expected) <= 4 * math.sqrt(variance) + 1e-9


@pytest.mark.parametrize("by_key", [False, True])
@pytest.mark.parametrize("names", COMBINATIONS, ids="+".join)
def test_kept_as_often_as_the_probability_says_and_the_weights_add_up(names: tuple[str, ...], by_key: bool) -> None:  # noqa: FBT001 - a parameter of the test
    sampler, rng, n = Sampler(SETTINGS), random.Random(7), 2000
    p = decide(sampler, request(names), names, by_key=by_key).probability
    kept = weights = 0
    for _ in range(n):
        trace = request(names, rng.getrandbits(56))
        if by_key and not passes_by_key(sampler, trace):
            continue
        decision = decide(sampler, trace, names, by_key=by_key)
        assert decision.probability == p
        kept += decision.sampled
        weights += decision.weight
    if p == 1:
        assert (kept, weights) == (n, n)
        return
    assert chisquare([kept, n - kept], [n * p, n * (1 - p)]).pvalue > 1e-4
    assert close(weights, n, n * (1 / p - 1))


@given(st.sampled_from(COMBINATIONS), st.integers(0, MAX - 1), st.booleans())
def test_the_largest_rate_among_the_matching_policies_applies(names: tuple[str, ...], r: int, by_key: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    trace, sampler = request(names, r), Sampler(SETTINGS)
    rates = {name: getattr(SETTINGS, name) for name in names}
    if by_key:
        rates = {name: max(rate, SETTINGS.content_share) for name, rate in rates.items()}
    rates["base"] = SETTINGS.base
    decision = decide(sampler, trace, names, by_key=by_key)
    largest = min(rates.values())
    assert decision.probability == pytest.approx(1 / largest)
    assert decision.sampled == (r >= threshold(largest))
    assert set(decision.policies) == {name for name, rate in rates.items() if r >= threshold(rate)}
    assert [rates[name] for name in decision.policies] == sorted(rates[name] for name in decision.policies)
    assert decision.weight == (largest if decision.sampled else 0)


@given(st.sampled_from(COMBINATIONS), st.integers(0, MAX - 1))
def test_what_the_key_drops_would_not_have_been_sampled(names: tuple[str, ...], r: int) -> None:
    """The key path and the path that decodes everything agree, when triggers are capped by the content share."""
    sampler, trace = Sampler(SETTINGS), request(names, r)
    if not passes_by_key(sampler, trace):
        assert not decide(sampler, trace, names, by_key=True).sampled


@given(st.sampled_from(COMBINATIONS), st.integers(0, MAX - 1))
def test_a_decision_is_a_function_of_the_request(names: tuple[str, ...], r: int) -> None:
    first, second = Sampler(SETTINGS), Sampler(SETTINGS)
    for other in range(5):
        decide(first, request((), other * 2**50))
    assert decide(first, request(names, r), names) == decide(second, request(names, r), names)


def test_the_key_threshold_follows_the_largest_rate_that_any_policy_can_have() -> None:
    assert Sampler(SETTINGS).presample_threshold == threshold(3)
    assert Sampler(settings(base=2, content_share=10)).presample_threshold == threshold(2)
    late = settings(base=100, content_share=10, negative_feedback=50, error=0, empty_retrieval=0, safety_hit=0)
    assert Sampler(late).presample_threshold == threshold(50)
    off = late.model_copy(update={"negative_feedback": 0})
    assert Sampler(off).presample_threshold == threshold(100)


def test_the_key_threshold_does_not_follow_the_budget() -> None:
    sampler = Sampler(settings(base=2, budget=1))
    before = sampler.presample_threshold
    for number in range(50):
        decide(sampler, request())
        sampler.judged(float(number) / 1000)
    assert sampler.presample_threshold == before
    assert decide(sampler, request()).probability < 0.01


@given(st.sampled_from(COMBINATIONS), st.integers(0, MAX - 1), st.integers(0, 40), st.sampled_from([1, 3, 1000]))
def test_what_lies_below_the_threshold_in_force_is_not_sampled_whatever_it_holds(
    names: tuple[str, ...], r: int, judged: int, share: int
) -> None:
    sampler = Sampler(settings(base=12, content_share=share, error=4, empty_retrieval=5, safety_hit=2, budget=5))
    for number in range(judged):
        sampler.decide(request(TRIGGERS, MAX - 1), safety_hit=False, by_key=True)
        sampler.decide(request((), MAX - 1), safety_hit=False, by_key=True)
        sampler.judged(number / 1000)
    in_force = sampler.threshold_in_force
    assert in_force >= sampler.presample_threshold
    seen = "safety_hit" in names and sampler.heeds_safety  # else no scanner looks before the decision
    if r < in_force:
        assert not sampler.decide(request(names, r), safety_hit=seen, by_key=True).sampled
    everything = request(tuple(name for name in TRIGGERS if name != "safety_hit"), in_force)
    assert sampler.decide(everything, safety_hit=sampler.heeds_safety, by_key=True).sampled


@pytest.mark.parametrize(("th", "count"), [("0", 1), ("8", 2), ("c", 4), ("fd70a4", 100)])
def test_head_sampling_sets_the_weight_of_a_request_that_every_policy_wants(th: str, count: int) -> None:
    decision = decide(Sampler(SETTINGS), request(("negative_feedback",), state=f"ot=th:{th}"), ("negative_feedback",))
    assert (decision.kind, decision.weight) == (DecisionKind.SAMPLED, count)


@given(st.integers(0, MAX - 1), st.sampled_from(["0", "8", "c", "e", "fd70a4", "ff"]))
def test_head_sampling_shares_r_so_the_higher_threshold_decides(r: int, th: str) -> None:
    state = f"ot=th:{th}"
    head = head_threshold(state)
    assert head is not None
    decision = decide(Sampler(SETTINGS), request((), r, state))
    cut = max(head, threshold(SETTINGS.base))
    assert decision.sampled == (r >= cut)
    assert decision.probability == pytest.approx((MAX - cut) / MAX)


@pytest.mark.parametrize("th", ["8", "c", "e", "fd"])
def test_weights_are_unbiased_under_head_sampling(th: str) -> None:
    sampler, rng, n, weights, variance = Sampler(SETTINGS), random.Random(3), 6000, 0, 0.0
    state = f"ot=th:{th}"
    head = head_threshold(state) or 0
    for _ in range(n):
        r = rng.getrandbits(56)
        if r >= head:
            decision = decide(sampler, request((), r, state))
            weights += decision.weight
            variance = n * (1 / decision.probability - 1)
    assert close(weights, n, variance)


def test_an_adjusted_count_without_th_is_a_choice_of_its_own_and_multiplies() -> None:
    decision = decide(Sampler(SETTINGS), request(count=5.0))
    assert decision.weight == 60
    assert decision.probability == pytest.approx(1 / 60)


@pytest.mark.parametrize("count", [float("nan"), float("inf"), 0.0, -3.0, 0.5])
def test_an_adjusted_count_that_cannot_be_one_is_taken_as_one(count: float) -> None:
    assert decide(Sampler(SETTINGS), request(count=count)).weight == SETTINGS.base


@pytest.mark.parametrize("state", ["ot=th:ffffffffffffff;rv:ffffffffffffff", "ot=th:ffbf", "ot=th:ffbe76"])
def test_a_head_rate_is_believed_up_to_the_largest_count_only(state: str) -> None:
    decision = decide(Sampler(SETTINGS), request(state=state, count=2.0**56))
    assert decision.weight == (999 if state.endswith("ffbe76") else SETTINGS.base)


@pytest.mark.parametrize(("count", "weight"), [(1000.0, 12_000), (1001.0, 12), (100_000.0, 12)])
def test_an_adjusted_count_is_believed_up_to_the_largest_count_only(count: float, weight: int) -> None:
    assert decide(Sampler(SETTINGS), request(count=count)).weight == weight


@given(st.one_of(st.floats(), st.sampled_from([1e3, 1e5, 2.0**56])), st.text("0123456789abcdef", max_size=14))
def test_no_claim_from_outside_gives_a_weight_beyond_the_bound(count: float, th: str) -> None:
    state = f"ot=th:{th};rv:ffffffffffffff"
    decision = decide(Sampler(SETTINGS), request(state=state, count=count), by_key=True)
    assert 1 <= decision.weight <= SETTINGS.base * 1002 * 3


@pytest.mark.parametrize("count", [1.5, 2.25, 1.01])
def test_a_weight_that_is_not_whole_is_rounded_without_bias(count: float) -> None:
    sampler, rng, n = Sampler(settings(base=3)), random.Random(11), 20_000
    kept = [d for _ in range(n) if (d := decide(sampler, request((), rng.getrandbits(56), count=count))).sampled]
    mean = sum(decision.weight for decision in kept) / len(kept)
    assert close(mean, 3 * count, 0.25 / len(kept))
    assert {decision.weight for decision in kept} == {int(3 * count), int(3 * count) + 1}


def test_when_rv_makes_r_another_number_than_the_keys_the_two_choices_multiply() -> None:
    sampler, rng, n = Sampler(SETTINGS), random.Random(5), 20_000
    kept = Counter[str]()
    weights = Counter[str]()
    for _ in range(n):
        trace = request((), rng.getrandbits(56), f"ot=rv:{rng.getrandbits(56):014x}")
        if passes_by_key(sampler, trace):
            for names in ((), ("safety_hit",)):
                decision = decide(sampler, replace(trace), names, by_key=True)
                kept["+".join(names)] += decision.sampled
                weights["+".join(names)] += decision.weight
    for name, one_in in (("", 12), ("safety_hit", 3)):
        assert close(kept[name], n / one_in, n / one_in)
        assert close(weights[name], n, n * (one_in - 1))


@given(st.integers(0, MAX - 1), st.integers(1, 50), st.integers(1, 50))
def test_a_sub_sample_of_a_sub_sample_lies_within_it(r: int, first: int, second: int) -> None:
    sampler, trace = Sampler(SETTINGS), request((), r)
    decision = decide(sampler, trace)
    outer = sampler.nest(decision, trace, first)
    inner = sampler.nest(outer, trace, second)
    assert decision.sampled >= outer.sampled >= inner.sampled
    if inner.sampled:
        assert inner.weight == pytest.approx(12 * first * second, rel=1e-6)
        assert inner.probability == pytest.approx(1 / (12 * first * second))
        assert inner.policies == decision.policies


@pytest.mark.parametrize(("state", "count"), [("", 1.0), ("ot=th:e", 1.0), ("", 2.5)])
def test_weights_of_a_sub_sample_are_unbiased(state: str, count: float) -> None:
    sampler, rng, n, one_in = Sampler(settings(base=2)), random.Random(2), 20_000, 5
    head = head_threshold(state) or 0
    total, p = 0, 1.0
    for _ in range(n):
        trace = request((), rng.getrandbits(56), state, count)
        if from_trace(trace.trace_id) >= head:
            nested = sampler.nest(decide(sampler, trace), trace, one_in)
            if nested.sampled:
                total, p = total + nested.weight, nested.probability
    assert close(total, n * count, n * count * (1 / p))


def test_a_shed_request_stays_shed_in_the_sub_sample() -> None:
    sampler, trace = Sampler(SETTINGS), request()
    shed = replace(decide(sampler, trace), kind=DecisionKind.SHED)
    assert sampler.nest(shed, trace, 3).kind is DecisionKind.SHED


def test_a_request_that_is_not_sampled_is_in_no_sub_sample() -> None:
    sampler, trace = Sampler(SETTINGS), request((), 0)
    assert sampler.nest(decide(sampler, trace), trace, 1) == decide(sampler, trace)


@pytest.mark.parametrize("by_key", [False, True])
def test_the_weighted_mean_is_unbiased_although_bad_requests_are_sampled_more(by_key: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The plain mean of what was judged is far off; the Hajek mean is not."""
    sampler, rng = Sampler(SETTINGS), random.Random(13)
    weighted = weight = plain = judged = 0.0
    truth = []
    for _ in range(30_000):
        bad = rng.random() < 0.1
        names = ("negative_feedback",) if bad else ()
        score = float(rng.random() < (0.3 if bad else 0.95))
        truth.append(score)
        trace = request(names, rng.getrandbits(56))
        if by_key and not passes_by_key(sampler, trace):
            continue
        decision = decide(sampler, trace, names, by_key=by_key)
        if decision.sampled:
            weighted, weight = weighted + decision.weight * score, weight + decision.weight
            plain, judged = plain + score, judged + 1
    mean = sum(truth) / len(truth)
    assert abs(weighted / weight - mean) < 0.02
    assert abs(plain / judged - mean) > 0.1


def test_the_budget_lowers_the_rate_and_the_weights_stay_unbiased() -> None:
    sampler, rng, n = Sampler(settings(base=2, budget=120)), random.Random(17), 60_000
    total = judged = 0
    variance = 0.0
    for number in range(n):
        now = number / 50
        sampler.tick(now)
        decision = decide(sampler, request((), rng.getrandbits(56)))
        variance += 1 / decision.probability - 1
        if decision.sampled:
            total, judged = total + decision.weight, judged + 1
            sampler.judged(now)
    assert close(total, n, variance)
    assert 0.5 * 120 < judged / (n / 50 / 60) <= 1.1 * 120
