"""Snapshots to render: one of every kind, and the parts to vary."""

from __future__ import annotations

from monitor.accounting import Accounting
from monitor.comparisons import AnchorScores, Comparison, Side
from monitor.operational import (
    Asked,
    BreakerState,
    FlagRates,
    JudgeLoad,
    LimitFill,
    Operational,
    QueueFill,
    SourceState,
    TrafficCount,
)
from monitor.records import JudgeIdentity, Outcome, TopicPartition
from monitor.snapshot import (
    SCORE_BOUNDS,
    Estimate,
    FeedbackCount,
    FeedbackTotals,
    JoinedFeedback,
    OutcomeCount,
    ScoreTotals,
    Sentiment,
    SliceKey,
    Snapshot,
    WindowStats,
    WorstCase,
)
from monitor.traffic import Sight, Traffic

SECOND = 1_000_000_000
NOW_NS = 1_790_000_000 * SECOND
ALL = SliceKey("all", "all")
GOOD = Estimate(0.9, 0.85, 0.94)
JUDGE = JudgeIdentity("embedded", "0123456789ab")


SHARE = Estimate(0.8, 0.7, 0.87)
RATES = FlagRates("below_half", 100, 80, 100, 80, SHARE, SHARE, SHARE)


def traffic(basis: str = "sampled") -> TrafficCount:
    """Three requests, one of them slow and failed, that stand for 100 each."""
    counted = Traffic(20)
    for sight in (
        Sight("shop", "m-1", 0.7, input_tokens=120, output_tokens=30),
        Sight("shop", "m-1", 700.0, failed=True),
        Sight("wiki", None, 0.05, empty=True),
    ):
        counted.count(sight, 100.0)
    return TrafficCount(basis, counted.totals())


FEEDBACK = FeedbackTotals(
    heard=(FeedbackCount(Sentiment.NEGATIVE, True, 7), FeedbackCount(Sentiment.UNRATED, False, 2)),  # noqa: FBT003 - by a person, and not
    joined=(
        JoinedFeedback(ALL, Sentiment.NEGATIVE, True, 3, 300),  # noqa: FBT003 - by a person
        JoinedFeedback(SliceKey("app", "shop"), Sentiment.NEGATIVE, True, 3, 300),  # noqa: FBT003 - by a person
    ),
    left_out={"duplicate": 4, "refused": 0, "too_many": 0, "forgotten": 0},
)


def low_case(trace_id: str = "a" * 32, score: float = 0.0, end_ns: int = NOW_NS) -> WorstCase:
    return WorstCase(trace_id, "b" * 16, "faithfulness", score, end_ns, "shop")


def totals(
    where: SliceKey = ALL,
    scores: tuple[float, ...] = (0.0, 1.0, 1.0),
    weight: int = 10,
    exemplars: tuple[WorstCase, ...] = (),
    evaluation: str = "faithfulness",
) -> ScoreTotals:
    buckets = tuple(weight * sum(score <= bound for score in scores) for bound in SCORE_BOUNDS)
    outcomes = (
        OutcomeCount(Outcome.SCORED, "", len(scores), weight * len(scores)),
        OutcomeCount(Outcome.JUDGE_ERROR, "timeout", 1, weight),
    )
    return ScoreTotals(
        evaluation,
        JUDGE.name,
        JUDGE.fingerprint,
        JUDGE.calibrated,
        where,
        buckets,
        weight * sum(scores),
        outcomes,
        exemplars,
    )


def window(
    where: SliceKey = ALL,
    window_s: int = 300,
    mean: Estimate | None = GOOD,
    p01: Estimate | None = None,
    n: int = 120,
    last_end_ns: int | None = NOW_NS - 5 * SECOND,
) -> WindowStats:
    return WindowStats(
        evaluation="faithfulness",
        judge=JUDGE.name,
        fingerprint=JUDGE.fingerprint,
        calibrated=JUDGE.calibrated,
        slice=where,
        window_s=window_s,
        n=n,
        n_eff=float(n),
        n_equal=float(n),
        weight=10 * n,
        mean=mean,
        es10=Estimate(0.2, 0.1, 0.4),
        p01=p01,
        p05=Estimate(0.0, 0.0, 0.5),
        p10=Estimate(0.5, 0.0, 0.5),
        below_half=Estimate(0.06, 0.03, 0.1),
        bounds=Estimate(0.9, 0.8, 0.97),
        missing_ratio=0.02,
        outcomes=(),
        last_end_ns=last_end_ns,
        below_half_corrected=Estimate(0.03, 0.0, 0.08),
    )


def shadow(fingerprint: str = "ba9876543210", *, pairs: int = 200) -> Comparison:
    """A candidate beside the judge of the other samples."""
    incumbent = Side("embedded", "0123456789ab", JUDGE.calibrated, pairs, 0, 0.9, 0.0, 0, 0, 0.002)
    candidate = Side("llm", fingerprint, JUDGE.calibrated, pairs, 5, 0.8, 4.1, 90_000, pairs, 1.5)
    difference = Estimate(-0.1, -0.15, -0.05)
    return Comparison(
        "faithfulness", incumbent, candidate, pairs + 5, pairs, difference, GOOD, GOOD, 0.61, words="label"
    )


CHANGED = Estimate(-0.08, -0.12, -0.04)


def anchors(change: Estimate | None = CHANGED) -> AnchorScores:
    """The anchor set as the judge of the other samples scored it."""
    spread = None if change is None else 0.1
    return AnchorScores(
        "faithfulness", "embedded", "0123456789ab", JUDGE.calibrated, 120, 0.7, 118, change, spread, NOW_NS
    )


def snapshot(
    windows: tuple[WindowStats, ...] = (window(),),
    score_totals: tuple[ScoreTotals, ...] = (totals(),),
    *,
    caught_up: bool = True,
) -> Snapshot:
    accounting = Accounting()
    accounting.stage("source").received(7)
    accounting.stage("source").passed(5)
    accounting.stage("source").dropped("unsampled", 2)
    return Snapshot(
        NOW_NS,
        windows,
        score_totals,
        (),
        accounting.counts(),
        caught_up,
        duplicates=3,
        late=1,
        feedback=FEEDBACK,
        shadows=(shadow(),),
        anchors=(anchors(),),
    )


def operational() -> Operational:
    return Operational(
        started_ns=NOW_NS - 3600 * SECOND,
        sources=(
            SourceState(
                "judge", "", 4, {TopicPartition("otlp_spans", 0): 5, TopicPartition("otlp_spans", 1): 7}, 0.5, 1.5
            ),
            SourceState("harvest", "", 2, {TopicPartition("rag.cases", 0): 3}, 0.5, 20.0),
        ),
        rebuilds=1,
        events={"rebalance": 2, "out_of_range": 0},
        harvest_problem="",
        loop_lag_s=0.01,
        rates={"base": 100, "error": 0},
        budget_per_minute=60,
        left_out={"bad_link": 2, "mended_text": 0},
        closed={"quiet": 12, "evicted": 1},
        queues=(QueueFill("judge", 3, 1000),),
        judges=(
            JudgeLoad("embedded", judgements=9, duration_s=0.5),
            JudgeLoad(
                "llm",
                9,
                18.0,
                10,
                1,
                5000,
                900,
                0.25,
                2,
                8,
                BreakerState.HALF_OPEN,
                paused="quota",
                cached_tokens=3000,
                reused=4,
                slowdown=2.5,
                limits=(LimitFill("cost_per_day", 20.0, 12.5),),
            ),
        ),
        asked=(Asked("faithfulness", JUDGE, "low_correlation", 200, (RATES,)),),
        traffic=traffic(),
        export_failures={"metrics": 2},
    )
