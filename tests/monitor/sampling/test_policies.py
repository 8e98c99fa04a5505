from __future__ import annotations

import pytest

from monitor.config.settings import Sampling
from monitor.feedback import Feedback
from monitor.records import ContextsSource, Passage, RagTrace, RequestError
from monitor.sampling.policies import POLICIES


def trace(**changes: object) -> RagTrace:
    return RagTrace("t", "", "q", "a", **changes)  # type: ignore[arg-type]  # fields by name, as the tests need them


def matching(request: RagTrace, *, safety_hit: bool = False) -> set[str]:
    return {policy.name for policy in POLICIES if policy.condition(request, safety_hit)}


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (trace(), set()),
        (trace(feedback=(Feedback("thumb", negative=True),)), {"negative_feedback"}),
        (trace(feedback=(Feedback("thumb", negative=False), Feedback("note", negative=None))), set()),
        (trace(error=RequestError("TimeoutError", "retrieval")), {"error"}),
        (trace(contexts_source=ContextsSource.SPAN), {"empty_retrieval"}),
        (trace(contexts_source=ContextsSource.RECORD), {"empty_retrieval"}),
        (trace(contexts_source=ContextsSource.PROMPT), set()),
        (trace(contexts_source=ContextsSource.SPAN, contexts=(Passage("p"),)), set()),
    ],
)
def test_a_policy_matches_what_its_name_says(request_: RagTrace, expected: set[str]) -> None:
    assert matching(request_) == expected | {"base"}


def test_a_safety_hit_is_a_policy_of_its_own() -> None:
    assert matching(trace(), safety_hit=True) == {"safety_hit", "base"}


def test_every_policy_takes_its_rate_from_the_setting_of_its_name() -> None:
    names = [policy.name for policy in POLICIES]
    settings = Sampling.model_validate({name: f"1/{k}" for k, name in enumerate(names, 2)})
    assert len({policy.one_in(settings) for policy in POLICIES}) == len(POLICIES)
    for policy in POLICIES:
        assert policy.one_in(settings) == getattr(settings, policy.name)
