"""Which judges a request goes to, and whether the weights of their verdicts are right."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config.settings import Sampling
from monitor.judges.cascade import UNCERTAIN, Cascade
from monitor.judges.panel import Panel, PanelMember
from monitor.records import ContextsSource, Decision, JudgeIdentity, Judgement, Outcome, RagTrace
from monitor.sampling.sampler import Sampler
from monitor.stages.selection import Selection
from tests.fakes import FakeClock, ScriptedJudge
from tests.monitor.quality.simulation import Hits, stats_of

R = 1 << 56
SAMPLER = Sampler(Sampling.model_validate({"base": "1/2", "content_share": 1}))
PANEL = Panel(
    [
        PanelMember(ScriptedJudge(name="cheap"), 1),
        PanelMember(
            ScriptedJudge(name="dear", remote=True),
            20,
            cascade=Cascade("cheap", frozenset(["faithfulness"]), (0.2, 0.6), 2),
        ),
    ],
    FakeClock(),
)


def request(r: int) -> RagTrace:
    return RagTrace(f"{r:032x}", "", "q", "a", (), ContextsSource.UNKNOWN)


def said(score: float | None) -> Judgement:
    outcome = Outcome.JUDGE_ERROR if score is None else Outcome.SCORED
    return Judgement(
        "faithfulness",
        JudgeIdentity("cheap", "0123456789ab"),
        outcome,
        "" if outcome is Outcome.SCORED else "too_long",
        score,
    )


def selection(r: int) -> Selection:
    trace = request(r)
    decision = SAMPLER.decide(trace, safety_hit=False, by_key=False)
    return Selection(PANEL, lambda one_in: SAMPLER.nest(decision, trace, one_in))


def chosen(r: int, score: float | None) -> dict[str, Decision]:
    made = selection(r)
    if made.first():
        made.second([said(score)])
    return made.decisions


def test_the_verdicts_of_a_request_in_doubt_have_the_probability_and_the_policy_of_that_share() -> None:
    top = R - 1
    sure, in_doubt = chosen(top, 0.9), chosen(top, 0.4)
    assert (sure["cheap"], sure["dear"].policies, in_doubt["dear"].policies) == (
        in_doubt["cheap"],
        ("base",),
        ("base", UNCERTAIN),
    )
    assert (sure["cheap"].weight, sure["dear"].weight, in_doubt["dear"].weight) == (2, 40, 4)
    assert [sure["dear"].probability, in_doubt["dear"].probability] == pytest.approx([1 / 40, 1 / 4])
    assert chosen(top, None)["dear"] == chosen(top, 0.4)["dear"]


@given(st.integers(0, R - 1), st.sampled_from([None, 0.4, 0.9]))
def test_who_is_asked_nests(r: int, score: float | None) -> None:
    """By one random number: whoever is asked without a doubt is asked with one, too."""
    names, possible = set(chosen(r, score)), {member.judge.name for member in selection(r).possible()}
    assert names <= set(chosen(r, 0.4)) == possible
    assert set(chosen(r, 0.9)) <= names
    assert "dear" not in names or "cheap" in names


@given(st.integers(0, R - 1))
def test_where_nobody_is_asked_the_missing_verdict_of_the_first_judge_is_a_doubt(r: int) -> None:
    made = selection(r)
    skipped = made.skipped("queue_full")
    assert made.decisions == chosen(r, None)
    assert [item.judge.name for item in skipped] == list(made.decisions)
    assert all((item.outcome, item.reason) == (Outcome.SKIPPED, "queue_full") for item in skipped)


# ---------------------------------------------------------------------------------------------------------- estimates

GRADES = (0.0, 0.5, 1.0)
SHARES = (0.07, 0.06, 0.87)
"""What the dear judge says of all requests."""
CHEAP = ((2.0, 3.5), (2.5, 2.5), (5.0, 1.5))
"""The cheap judge's score is Beta with these, by what the dear one says: related, and often wrong."""
LOST = 0.02
"""Share of requests that the cheap judge fails on."""
TRUTH = {"mean": math.fsum(x * p for x, p in zip(GRADES, SHARES, strict=True)), "below_half": SHARES[0]}
WINDOWS, SAMPLED = 120, 1400


def test_the_numbers_of_a_judge_in_a_cascade_are_unbiased_and_their_intervals_hold_the_truth() -> None:
    rng, ids = np.random.default_rng(11), random.Random(11)
    values: dict[str, list[float]] = {name: [] for name in TRUTH}
    hits = {name: Hits() for name in TRUTH}
    plain = []
    for _ in range(WINDOWS):
        grades = rng.choice(3, SAMPLED, p=SHARES)
        cheap = rng.beta(*np.array(CHEAP)[grades].T)
        scores = [
            None if lost else score for lost, score in zip(rng.random(SAMPLED) < LOST, cheap.tolist(), strict=True)
        ]
        sample = []
        for grade, score in zip(grades.tolist(), scores, strict=True):
            decision = chosen(R - 1 - ids.getrandbits(55), score).get("dear")
            if decision is not None:
                sample.append((GRADES[grade], decision.weight))
        stats = stats_of(sample)
        plain.append(float(np.mean([score for score, _ in sample])))
        for name, truth in TRUTH.items():
            estimate = getattr(stats, name)
            values[name].append(estimate.value)
            hits[name].add(estimate, truth, 1e-9)
    for name, truth in TRUTH.items():
        error = float(np.std(values[name], ddof=1)) / WINDOWS**0.5
        assert abs(float(np.mean(values[name])) - truth) < 3.5 * error
        assert hits[name].coverage >= 0.89
    assert float(np.mean(plain)) < TRUTH["mean"] - 0.05  # without the weights it would be far off
