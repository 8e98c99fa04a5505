"""The points of the work itself: accounts, source, sampling, judges, and what the page left out."""

from __future__ import annotations

from collections.abc import Iterable

from exporters import metrics_process as process
from exporters.labels import clean
from exporters.metric import Metric
from exporters.points import Page
from monitor import __version__
from monitor.operational import BreakerState, JudgeLoad, Operational, SourceState
from monitor.snapshot import StageCount

_GUARDED = ("evaluation", "judge", "fingerprint", "dimension", "value", "reason", "stage", "topic", "policy", "queue")


def process_points(page: Page, stages: Iterable[StageCount], operational: Operational) -> None:
    """Put in the state of the process."""
    _left_out_zeros(page)  # first, so that they have a place when all others are taken
    page.gauge(process.BUILD_INFO, (clean(__version__),), 1)
    _kafka(page, operational)
    for source in operational.sources:
        _source(page, source)
    _accounts(page, tuple(stages), operational)
    page.gauge(process.LOOP_LAG, (), operational.loop_lag_s)
    _optional(page, process.SAMPLING_BUDGET, operational.budget_per_minute)
    for reason, count in operational.left_out.items():
        page.count(process.LEFT_OUT, (clean(reason),), count)
    for reason, count in operational.closed.items():
        page.count(process.TRACES_CLOSED, (clean(reason),), count)
    value = page.guard.vocabulary.value
    for policy, one_in in operational.rates.items():
        page.gauge(process.SAMPLING_RATE, (value("policy", policy),), 1 / one_in if one_in else 0)
    for queue in operational.queues:
        labels = (value("queue", queue.queue),)
        page.gauge(process.QUEUE_LENGTH, labels, queue.length)
        page.gauge(process.QUEUE_CAPACITY, labels, queue.capacity)
    for load in operational.judges:
        _judge(page, load)
    for signal in ("metrics", "events"):
        page.count(process.EXPORT_FAILURES, (signal,), operational.export_failures.get(signal, 0))


def left_out_points(page: Page) -> None:
    """Put in what this page and those before it left out; comes last."""
    for label, count in tuple(page.guard.vocabulary.overflow.items()):
        page.count(process.LABEL_OVERFLOW, (label,), count)
    for reason, count in tuple(page.guard.dropped.items()):
        page.count(process.SERIES_DROPPED, (reason,), count)


def _left_out_zeros(page: Page) -> None:
    for label in _GUARDED:
        page.count(process.LABEL_OVERFLOW, (label,), 0)
    for reason in page.guard.dropped:
        page.count(process.SERIES_DROPPED, (reason,), 0)


def _kafka(page: Page, operational: Operational) -> None:
    if operational.harvest_problem is not None:
        page.gauge(process.HARVEST_PROBLEM, (), float(bool(operational.harvest_problem)))
    page.count(process.SOURCE_REBUILDS, (), operational.rebuilds)
    for event, number in operational.events.items():
        page.count(process.EVENTS, (clean(event),), number)


def _source(page: Page, source: SourceState) -> None:
    role = (source.role,)
    page.gauge(process.SOURCE_UP, role, float(source.up))
    page.gauge(process.SOURCE_PROBLEM, role, float(bool(source.problem)))
    page.gauge(process.SOURCE_PARTITIONS, role, source.assigned)
    _optional(page, process.COMMIT_AGE, source.commit_age_s, role)
    _optional(page, process.ROUND_TRIP_AGE, source.round_trip_age_s, role)
    lag: dict[str, int] = {}
    for partition, records in source.lag.items():
        topic = page.guard.vocabulary.value("topic", partition.topic)
        lag[topic] = lag.get(topic, 0) + records
    for topic, records in lag.items():
        page.gauge(process.SOURCE_LAG, (*role, topic), records)


def _accounts(page: Page, stages: tuple[StageCount, ...], operational: Operational) -> None:
    value = page.guard.vocabulary.value
    for stage in stages:
        labels = (value("stage", stage.stage), clean(stage.unit))
        page.count(process.STAGE_RECEIVED, labels, stage.received)
        page.count(process.STAGE_PASSED, labels, stage.passed)
        page.gauge(process.STAGE_HELD, labels, stage.held)
        for reason, count in stage.dropped.items():
            page.count(process.STAGE_DROPPED, (*labels, value("reason", reason)), count)
    wrong = sum(s.received != s.passed + sum(s.dropped.values()) + s.held for s in stages)
    page.gauge(process.CONSERVATION, (), wrong + len(operational.conservation))


def _judge(page: Page, load: JudgeLoad) -> None:
    labels = (page.guard.vocabulary.value("judge", load.judge),)
    page.count(process.JUDGEMENTS, labels, load.judgements)
    page.count(process.JUDGE_DURATION, labels, load.duration_s)
    page.count(process.JUDGE_CALLS, labels, load.calls)
    page.count(process.JUDGE_RETRIES, labels, load.retries)
    page.count(process.JUDGE_TOKENS, (*labels, "input"), load.input_tokens)
    page.count(process.JUDGE_TOKENS, (*labels, "output"), load.output_tokens)
    page.count(process.JUDGE_COST, labels, load.cost)
    page.count(process.JUDGE_CACHED, labels, load.cached_tokens)
    page.count(process.JUDGE_REUSED, labels, load.reused)
    page.gauge(process.JUDGE_IN_FLIGHT, labels, load.in_flight)
    _optional(page, process.JUDGE_LIMIT, load.concurrency_limit, labels)
    if load.breaker is not None:
        for state in BreakerState:
            page.gauge(process.JUDGE_BREAKER, (*labels, state.value), float(state is load.breaker))
    if load.paused:
        page.gauge(process.JUDGE_PAUSED, (*labels, page.guard.vocabulary.value("reason", load.paused)), 1)
    if load.limits:
        page.gauge(process.JUDGE_SLOWDOWN, labels, load.slowdown)
    for fill in load.limits:
        page.gauge(process.JUDGE_ALLOWANCE, (*labels, fill.limit), fill.cap)
        page.gauge(process.JUDGE_ALLOWANCE_USED, (*labels, fill.limit), fill.used)


def _optional(page: Page, metric: Metric, value: float | None, labels: tuple[str, ...] = ()) -> None:
    if value is not None:
        page.gauge(metric, labels, value)
