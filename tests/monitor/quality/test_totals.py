from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.totals import EXEMPLAR_AGE_NS, Totals
from monitor.quality.worst import low_of
from monitor.records import Outcome
from monitor.snapshot import SCORE_BOUNDS, OutcomeCount
from tests.fakes import SECOND
from tests.monitor.quality.verdicts import NOW, reading, scored


def totals_of(*cases: tuple[float | None, int, int]) -> Totals:
    """Totals of (score, weight, event time)."""
    totals = Totals()
    for score, weight, end_ns in cases:
        one = reading(score, weight, end_ns)
        verdict = scored(score or 0.0, end_ns=end_ns, trace_id=f"t{end_ns - NOW}")
        totals.add(one, None if one.score is None else low_of(verdict, one.score))
    return totals


def test_buckets_are_cumulative_weights_at_the_bounds() -> None:
    totals = totals_of((0.0, 1, NOW), (0.3, 10, NOW), (0.5, 100, NOW), (0.7, 1000, NOW), (1.0, 10_000, NOW))

    assert SCORE_BOUNDS == (0.0, 0.25, 0.499, 0.5, 0.75, 0.999, 1.0)
    assert totals.buckets() == (1, 1, 11, 111, 1111, 1111, 11111)
    assert totals.sum() == 10_753


def test_the_bucket_below_an_atom_holds_exactly_what_is_below_the_atom() -> None:
    totals = totals_of((0.49999, 1, NOW), (0.5, 10, NOW), (0.9999, 100, NOW), (1.0, 1000, NOW), (0.0001, 10_000, NOW))

    assert totals.buckets() == (0, 10_000, 10_001, 10_011, 10_011, 10_111, 11_111)


def test_a_failure_is_counted_and_is_no_score() -> None:
    totals = totals_of((None, 7, NOW), (1.0, 3, NOW))

    assert (totals.buckets()[-1], totals.sum()) == (3, 3.0)
    assert totals.outcomes() == (
        OutcomeCount(Outcome.JUDGE_ERROR, "timeout", 1, 7),
        OutcomeCount(Outcome.SCORED, "", 1, 3),
    )


def test_exemplars_are_the_newest_low_score_under_each_bound() -> None:
    totals = totals_of((0.0, 1, NOW), (0.0, 1, NOW - 5), (0.3, 1, NOW - 1), (0.5, 1, NOW), (1.0, 1, NOW))

    assert [(case.trace_id, case.score) for case in totals.exemplars(NOW)] == [("t0", 0.0), ("t-1", 0.3)]


def test_an_old_exemplar_is_no_exemplar() -> None:
    totals = totals_of((0.0, 1, NOW))

    assert totals.exemplars(NOW + EXEMPLAR_AGE_NS - SECOND) != ()
    assert totals.exemplars(NOW + EXEMPLAR_AGE_NS) == ()


@given(st.lists(st.tuples(st.none() | st.floats(0, 1), st.integers(1, 1000), st.integers(NOW - 100, NOW))))
def test_buckets_never_fall_and_end_in_the_weight_of_all_scores(cases: list[tuple[float | None, int, int]]) -> None:
    totals = totals_of(*cases)

    assert list(totals.buckets()) == sorted(totals.buckets())
    assert totals.buckets()[-1] == sum(weight for score, weight, _ in cases if score is not None)
    assert sum(count.count for count in totals.outcomes()) == len(cases)
    assert totals.exemplars(NOW) == totals_of(*reversed(cases)).exemplars(NOW)
