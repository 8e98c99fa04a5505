"""Captures to which something happened on the way: no crash, no hang, and no text in a place where it is not true.

What is uncertain is flagged (truncated, redacted), missing, or said to be unknown.
"""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.traces.extract import REASONS
from tests.monitor.traces.captures import EXTRACTOR, NAMES, assembled, load
from tests.monitor.traces.mutations import MUTATIONS, misplace, mixed, sayings, sayings_apart, untrue

SECONDS = 5.0
"""For one small trace, with all the room that a loaded machine needs."""
SEEDS = 1000
"""Of each capture, once with one mutation and once with three: about a minute for all of them."""


def untruths(name: str, random: Random, count: int) -> list[str]:
    """What is untrue in what a capture gives after so many mutations of each of its traces."""
    mutations = random.choices(MUTATIONS, k=count)
    wrong = []
    for trace in load(name).traces:
        spans = list(trace.spans)
        for mutate in mutations:
            spans = mutate(spans, random) if spans else spans
        started = time.perf_counter()
        extracted = EXTRACTOR.extract(assembled(trace.trace_id, *spans))
        assert time.perf_counter() - started < SECONDS
        assert bool(extracted.requests) != (sum(extracted.dropped.values()) == 1)
        assert set(extracted.dropped) <= set(REASONS)
        # a false parent says of parts of several requests that they are of one
        apart = () if misplace in mutations else sayings_apart(name)
        for request in extracted.requests:
            wrong += untrue(request, sayings(name)) or mixed(request, apart)
    return [f"{fault} after {[mutate.__name__ for mutate in mutations]}" for fault in wrong]


@given(st.sampled_from(NAMES), st.integers(0, 2**32), st.sampled_from([1, 1, 1, 2, 3]))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_a_mutated_capture_says_nothing_untrue(name: str, seed: int, count: int) -> None:
    assert untruths(name, Random(seed), count) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_thousands_of_mutants_of_each_capture_say_nothing_untrue(name: str) -> None:
    """Three things at once can destroy all that tells: of a thousand such mutants three may pass."""
    assert [fault for seed in range(SEEDS) for fault in untruths(name, Random(f"{name}/{seed}"), 1)] == []
    thrice = [found for seed in range(SEEDS) if (found := untruths(name, Random(f"{name}/{seed}"), 3))]
    assert len(thrice) <= SEEDS * 3 // 1000, thrice
