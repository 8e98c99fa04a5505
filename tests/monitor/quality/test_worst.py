from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.grid import ONE, to_billionths
from monitor.quality.worst import Low, WorstCases, low_of
from tests.fakes import SECOND
from tests.monitor.quality.verdicts import NOW, scored

DAY_S = 86_400
LENGTHS = (300.0, 3600.0, 86_400.0, 604_800.0)


def low(score: float, age_s: int = 0, trace: str = "t", evaluation: str = "faithfulness") -> Low:
    verdict = scored(score, end_ns=NOW - age_s * SECOND, trace_id=trace, evaluation=evaluation)
    return low_of(verdict, to_billionths(score))


def listed(*lows: Low, limit: int = 3, now_ns: int = NOW) -> list[tuple[str, float]]:
    worst = WorstCases(LENGTHS, limit)
    for one in lows:
        worst.add(one)
    worst.advance(now_ns)
    return [(case.trace_id, case.score) for case in worst.listed(now_ns)]


def test_the_lowest_scores_come_first_and_the_newest_among_equals() -> None:
    cases = (low(0.5, 10, "a"), low(0.0, 20, "b"), low(0.0, 10, "c"), low(0.9, 10, "d"))

    assert listed(*cases) == [("c", 0.0), ("b", 0.0), ("a", 0.5)]


def test_one_family_does_not_hide_another() -> None:
    leaks = [low(0.0, n, f"s{n}", "safety.leak") for n in range(3)]

    assert listed(low(0.4, 0, "f"), *leaks, low(0.2, 0, "h", "safety.harm"), limit=2) == [
        ("f", 0.4),
        ("s0", 0.0),
        ("s1", 0.0),
    ]


def test_a_perfect_score_is_nothing_to_look_at() -> None:
    assert listed(low(1.0), low(0.99, 0, "x")) == [("x", 0.99)]


def test_the_words_of_a_right_answer_may_be_others_so_those_scores_are_nothing_to_look_at() -> None:
    words = [low(0.0, 0, name, name) for name in ("exact_match", "f1", "rouge_l", "bleu")]
    assert listed(*words, low(0.1, 0, "x", "correctness")) == [("x", 0.1)]


def test_a_request_is_shown_once_with_its_lowest_score() -> None:
    """Two judges of the same evaluation may both have judged it."""
    assert listed(low(0.5, 0, "a"), low(0.25, 0, "a"), low(0.75, 0, "a")) == [("a", 0.25)]


def test_what_lies_ahead_is_not_shown_yet() -> None:
    case = low(0.0, -DAY_S, "ahead")

    assert listed(case) == []
    assert listed(case, now_ns=NOW + DAY_S * SECOND) == [("ahead", 0.0)]


def test_a_case_older_than_a_day_is_gone() -> None:
    assert listed(low(0.0, DAY_S * 2, "old"), low(0.1, 0, "new")) == [("new", 0.1)]


def test_a_limit_of_zero_shows_nothing() -> None:
    assert listed(low(0.0), limit=0) == []


CASES = st.lists(
    st.builds(
        # the age is a function of the trace id, as a request ends once
        lambda score, trace, evaluation: low(score, trace * 97, f"t{trace}", evaluation),
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        st.integers(0, 400),
        st.sampled_from(["faithfulness", "safety.leak", "safety.harm"]),
    ),
    max_size=40,
)


@given(CASES)
def test_the_lowest_of_all_are_kept_whatever_the_order(cases: list[Low]) -> None:
    lowest: dict[tuple[str, str, str], Low] = {}
    for one in cases:
        lowest[one.request] = min(one, lowest.get(one.request, one))
    expected = [
        (one.trace_id, one.score / ONE)
        for family in ("faithfulness", "safety")
        for one in sorted(one for one in lowest.values() if one.evaluation.startswith(family) and one.score < ONE)[:3]
    ]

    assert listed(*cases) == expected
    assert listed(*reversed(cases)) == expected
