from __future__ import annotations

import json
import math
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.config.settings import Sampling
from monitor.operational import FlagRates
from monitor.quality.board import MAX_JUDGES, Board
from monitor.quality.calibration import flag_rates
from monitor.quality.stats import prevalence
from monitor.records import Outcome, RagTrace, Verdict
from monitor.sampling.sampler import Sampler
from monitor.snapshot import OutcomeCount, Snapshot, StageCount, WindowStats
from tests.fakes import SECOND
from tests.monitor.quality.boards import ALL, WINDOWS, board_of, window
from tests.monitor.quality.verdicts import NOW, failed, scored


def without_arrivals(snapshot: Snapshot) -> Snapshot:
    """The snapshot without what counts arrivals rather than verdicts."""
    return replace(snapshot, duplicates=0, late=0, refused=0)


SLOPPY = st.builds(
    lambda number, score, changes: replace(
        scored(1.0), **{"verdict_id": f"id{number}", "trace_id": f"t{number}", "score": score, **changes}
    ),
    st.integers(0, 12),
    st.sampled_from([0.0, 0.1234, 1 / 3, 0.5, 1.0]),
    st.fixed_dictionaries(
        {
            "weight": st.sampled_from([1, 10, 100]),
            "evaluation": st.sampled_from(["faithfulness", "safety.leak"]),
            "fingerprint": st.sampled_from(["0123456789ab", "ba9876543210"]),
            "calibrated": st.booleans(),
            "end_ns": st.integers(-5000, 400).map(lambda s: NOW + s * SECOND),
            "judged_ns": st.integers(0, 3).map(lambda s: NOW + s),
            "app": st.sampled_from(["shop", "desk", None]),
            "language": st.sampled_from(["en", "zh", "und"]),
        }
    ),
)
"""Verdicts; two of them may share an id."""


def by_id(verdicts: list[Verdict]) -> list[Verdict]:
    return list({verdict.verdict_id: verdict for verdict in verdicts}.values())


@given(st.lists(SLOPPY, max_size=15).map(by_id), st.data())
@settings(deadline=None)
def test_redelivery_in_any_order_changes_nothing(verdicts: list[Verdict], data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(1, 5), min_size=len(verdicts), max_size=len(verdicts)))
    deliveries = data.draw(st.permutations([v for v, n in zip(verdicts, times, strict=True) for _ in range(n)]))

    once, again = board_of(*verdicts).snapshot(NOW), board_of(*deliveries).snapshot(NOW)

    assert without_arrivals(again) == without_arrivals(once)
    counted = sum(verdict.end_ns > NOW - 3600 * SECOND and verdict.end_ns <= NOW + 300 * SECOND for verdict in verdicts)
    assert again.duplicates + again.late >= len(deliveries) - len(verdicts)
    assert len(deliveries) - again.duplicates - again.late >= counted


@given(st.lists(SLOPPY, max_size=25))
@settings(deadline=None)
def test_every_verdict_is_counted_once_or_said_to_be_left_out(verdicts: list[Verdict]) -> None:
    board = Board(WINDOWS)
    added = sum(board.add(verdict, NOW) for verdict in verdicts)
    snapshot = board.snapshot(NOW)

    assert added + snapshot.duplicates + snapshot.late + snapshot.refused == len(verdicts)
    for dimension in ("all", "app"):
        totals = [total for total in snapshot.totals if total.slice.dimension == dimension]
        assert sum(count.count for total in totals for count in total.outcomes) == added
    later = board.snapshot(NOW + 300 * SECOND)  # whatever lay ahead has come into the longest window
    for dimension in ("all", "app", "language"):
        held = [stats.n for stats in later.windows if stats.slice.dimension == dimension and stats.window_s == 3600]
        assert sum(held) <= added
        assert sum(held) == sum(s.n for s in later.windows if s.slice == ALL and s.window_s == 3600)


@given(st.lists(SLOPPY, max_size=25))
@settings(deadline=None)
def test_a_snapshot_is_the_same_when_nothing_was_cached(verdicts: list[Verdict]) -> None:
    often, once = Board(WINDOWS), Board(WINDOWS)
    for verdict in verdicts:
        often.add(verdict, NOW)
        often.snapshot(NOW)
        once.add(verdict, NOW)

    for now in (NOW, NOW + 200 * SECOND, NOW + 4000 * SECOND):
        assert often.snapshot(now) == once.snapshot(now)


HOSTILE = st.builds(
    lambda base, changes: replace(base, **changes),
    SLOPPY,
    st.fixed_dictionaries(
        {},
        optional={
            "score": st.none() | st.floats(allow_nan=True, allow_infinity=True),
            "weight": st.integers(-(2**70), 2**70),
            "end_ns": st.integers(-(2**70), 2**70),
            "judged_ns": st.integers(-(2**70), 2**70),
            "app": st.text(st.characters(codec=None)),
            "language": st.text(st.characters(codec=None)),
            "evaluation": st.text(st.characters(codec=None)),
            "judge": st.text(st.characters(codec=None)),
            "trace_id": st.text(st.characters(codec=None)),
            "request_id": st.text(st.characters(codec=None)),
            "reason": st.text(st.characters(codec=None)),
            "outcome": st.sampled_from(Outcome),
        },
    ),
)


@given(st.lists(HOSTILE, max_size=15), st.integers(1, 40))
@settings(deadline=None)
def test_no_hostile_verdict_puts_anything_but_plain_finite_values_into_a_snapshot(
    verdicts: list[Verdict], copies: int
) -> None:
    board = Board(WINDOWS)
    for copy in range(copies):
        for verdict in verdicts:
            board.add(replace(verdict, verdict_id=f"{verdict.verdict_id}-{copy}"), NOW)

    snapshot = board.snapshot(NOW)

    json.dumps(asdict(snapshot), allow_nan=False, ensure_ascii=False).encode()  # no NaN, no lone surrogate
    assert all(math.isfinite(stats.n_eff) for stats in snapshot.windows)


def test_scores_of_two_fingerprints_stay_apart() -> None:
    board = board_of(
        *(scored(0.0, fingerprint="old") for _ in range(30)), *(scored(1.0, fingerprint="new") for _ in range(40))
    )

    snapshot = board.snapshot(NOW)

    old, new = window(snapshot, fingerprint="old"), window(snapshot, fingerprint="new")
    assert old.mean is not None
    assert new.mean is not None
    assert (old.n, old.mean.value, new.n, new.mean.value) == (30, 0.0, 40, 1.0)
    assert len(snapshot.totals) == 4


def test_failing_verdicts_leave_mean_and_percentiles_and_raise_the_missing_ratio() -> None:
    sound = [scored(score) for score in (0.0, *[0.5] * 10, *[1.0] * 400)]
    failing = [
        *(failed("timeout") for _ in range(40)),
        *(failed("budget", Outcome.SKIPPED) for _ in range(9)),
        *(failed("abstention", Outcome.NOT_SCORABLE) for _ in range(100)),
    ]

    before, after = (window(board_of(*verdicts).snapshot(NOW)) for verdicts in (sound, sound + failing))

    numbers = ("n", "n_eff", "mean", "es10", "p01", "p05", "p10", "below_half")
    assert [getattr(after, name) for name in numbers] == [getattr(before, name) for name in numbers]
    assert (before.missing_ratio, after.missing_ratio) == (0.0, 49 / 460)
    assert after.outcomes == (
        OutcomeCount(Outcome.JUDGE_ERROR, "timeout", 40, 40),
        OutcomeCount(Outcome.NOT_SCORABLE, "abstention", 100, 100),
        OutcomeCount(Outcome.SCORED, "", 411, 411),
        OutcomeCount(Outcome.SKIPPED, "budget", 9, 9),
    )


def test_a_counted_verdict_is_seen_by_its_id_and_time() -> None:
    verdict = scored(1.0, verdict_id="a")
    board = board_of(verdict)

    assert board.seen("a", verdict.end_ns)
    assert not board.seen("b", verdict.end_ns)
    assert not board.add(verdict, NOW)
    assert board.snapshot(NOW).duplicates == 1


def test_the_newest_verdict_says_whether_its_judge_is_calibrated() -> None:
    newer, older = scored(1.0, calibrated=True, judged_ns=NOW + 1), scored(1.0, calibrated=False, judged_ns=NOW)
    board = board_of(older)
    assert not window(board.snapshot(NOW)).calibrated

    board.add(newer, NOW)

    assert window(board.snapshot(NOW)).calibrated
    assert window(board_of(newer, older).snapshot(NOW)).calibrated


RATES = flag_rates(
    "below_half", [(True, True)] * 90 + [(True, False)] * 10 + [(False, False)] * 80 + [(False, True)] * 20
)


def test_the_share_of_bad_answers_is_corrected_for_a_calibrated_judge_whose_errors_are_known() -> None:
    verdicts = [scored(0.0 if n < 27 else 1.0, trace_id=f"t{n}", calibrated=True) for n in range(100)]
    key = (verdicts[0].evaluation, verdicts[0].judge, verdicts[0].fingerprint)

    def shown(rates: dict[tuple[str, str, str], FlagRates], of: list[Verdict]) -> WindowStats:
        board = Board(WINDOWS, rates)
        for verdict in of:
            board.add(verdict, NOW)
        return window(board.snapshot(NOW))

    stats = shown({key: RATES}, verdicts)
    assert stats.below_half is not None
    assert stats.below_half_corrected == prevalence(0.27, stats.n_eff, RATES)
    assert shown({}, verdicts).below_half_corrected is None
    assert shown({(*key[:2], "another"): RATES}, verdicts).below_half_corrected is None
    assert shown({key: RATES}, [replace(one, calibrated=False) for one in verdicts]).below_half_corrected is None
    assert shown({key: RATES}, verdicts[:20]).below_half_corrected is None


def test_one_judge_too_many_is_refused() -> None:
    board = board_of(*(scored(1.0, fingerprint=f"f{n}") for n in range(MAX_JUDGES + 5)))

    snapshot = board.snapshot(NOW)

    assert snapshot.refused == 5
    assert len({stats.fingerprint for stats in snapshot.windows}) == MAX_JUDGES


def test_the_worst_cases_are_the_lowest_of_each_family() -> None:
    board = board_of(
        scored(0.25, trace_id="a"),
        scored(0.75, trace_id="b"),
        scored(1.0, trace_id="c"),
        scored(0.0, trace_id="d", evaluation="safety.leak"),
        failed(trace_id="e"),
    )

    assert [(case.trace_id, case.evaluation, case.score) for case in board.snapshot(NOW).worst] == [
        ("a", "faithfulness", 0.25),
        ("b", "faithfulness", 0.75),
        ("d", "safety.leak", 0.0),
    ]


def test_stages_are_passed_on() -> None:
    stages = (StageCount("judge", "request", 2, 1, {}, 1),)

    assert Board(WINDOWS).snapshot(NOW, stages).stages == stages


def test_one_forged_head_rate_or_count_does_not_take_the_numbers_away() -> None:
    """Of 400 good requests and a bad one that claims to stand for more than all of them."""
    sampler = Sampler(Sampling.model_validate({"base": "1/10"}))
    good = RagTrace("f" * 32, "", "Q", "A")
    forged = (
        replace(good, trace_state="ot=th:ffffffffffffff;rv:ffffffffffffff", adjusted_count=2.0**56),
        replace(good, adjusted_count=100_000.0),
    )
    for bad in forged:
        weights = [sampler.decide(trace, safety_hit=False, by_key=False).weight for trace in (*[good] * 400, bad)]
        board = board_of(*(scored(float(index < 400), weight=weight) for index, weight in enumerate(weights)))

        stats = window(board.snapshot(NOW))

        assert stats.n_eff > 390
        assert stats.mean is not None
        assert stats.mean.value == pytest.approx(400 / 401, abs=0.01)


def test_low_scores_are_counted_by_cause_with_their_weight() -> None:
    board = board_of(
        scored(0.2, cause="retrieval", weight=10),
        scored(0.9, cause="generation", weight=2),
        scored(0.1, cause="retrieval", weight=5),
        scored(0.9, weight=100),
    )
    everything, _ = board.snapshot(NOW).totals
    assert everything.causes == {"generation": 2, "retrieval": 15}
