from __future__ import annotations

import random
from typing import Any

import pytest

from monitor.accounting import Accounting
from monitor.building import build_intake
from monitor.config.settings import Settings
from monitor.operational import TrafficTotals
from monitor.stages.intake import Intake
from monitor.wire import Batch, RawRecord
from tests.monitor.streams import BASE_NS, entry, otlp, plain, record, retrieval, tps

OFF = dict.fromkeys(("negative_feedback", "error", "empty_retrieval", "safety_hit"), 0)


def make(traffic: str, **sampling: Any) -> Intake:  # noqa: ANN401 - settings
    settings = Settings.model_validate({"traffic": traffic, "sampling": {"content_share": 1, **OFF, **sampling}})
    intake = build_intake(settings, Accounting())
    intake.assign(tps()[0])
    return intake


def run(intake: Intake, records: list[RawRecord]) -> TrafficTotals:
    for _ in intake.take(Batch(tps()[0], records, len(records)), 1, 0.0, BASE_NS):
        pass
    for now in (3.0, 100.0):
        for _ in intake.close_due(now, BASE_NS):
            pass
    return intake.watch.count().totals[0]


def topic(count: int, state: str = "") -> list[RawRecord]:
    """Keyed traces of one request each, half of which failed."""
    rng = random.Random(5)
    records = []
    for offset in range(count):
        trace = f"{rng.getrandbits(128):032x}"
        spans = [entry(trace), retrieval(trace)]
        spans[0] |= {"traceState": state, "status": {"code": 2 * (offset % 2)}}
        records.append(record(otlp(*spans), offset, key=trace.encode()))
    return records


def test_all_counts_every_record_whatever_is_sampled() -> None:
    intake = make("all", base="1/1000000")
    totals = run(intake, [*topic(50), record(b"\xff", 50), record(None, 51), record(plain("a"), 52, key=b"1" * 32)])
    assert (totals.requests, totals.errors, totals.buckets[-1]) == (51, 25, 50)
    assert intake.watch.count().unreadable == 1
    assert intake.accounting.stage("source").count().dropped["unsampled"] >= 50


def test_our_own_service_is_no_traffic() -> None:
    intake = make("all", base="1/1000000")
    spans = [entry("0" * 31 + "1"), retrieval("0" * 31 + "1")]
    totals = run(intake, [record(otlp(*spans, service=name), at) for at, name in enumerate(("ragmon", "support-rag"))])
    assert totals.requests == 1


def test_all_lets_the_event_loop_breathe() -> None:
    intake = make("all", base="1/1000000")
    wide = [record(plain("0" * 31 + "1", question="q" * 400_000), n, key=b"0" * 31 + b"1") for n in range(10)]
    assert list(intake.take(Batch(tps()[0], wide, 10), 1, 0.0, BASE_NS)) == [None] * 3


@pytest.mark.parametrize("state", ["", "ot=th:8"])
def test_sampled_estimates_what_came(state: str) -> None:
    """What upstream sampling dropped did not come; where it shares R with us, less of the rest is dropped here."""
    records = [r for r in topic(3000, state) if not state or r.key is None or int(r.key[-14:], 16) >= 1 << 55]
    totals = run(make("sampled", base="1/10"), records)
    assert abs(totals.requests - len(records)) < 4 * (len(records) * 9) ** 0.5
    assert abs(totals.errors - len(records) / 2) < 4 * (len(records) / 2 * 9) ** 0.5
    assert totals.requests % (5 if state else 10) == 0


def test_sampled_stays_right_while_the_budget_lowers_the_rates() -> None:
    """Traces that no policy can want any more are passed over, and those that are looked into stand for them."""
    intake = make("sampled", base="1/2", budget_per_minute=60)
    for number in range(40):
        intake.chooser.sampler.decide(_wanted(), safety_hit=False, by_key=True)
        intake.chooser.sampler.judged(number / 1000)
    totals = run(intake, topic(12_000))
    dropped = intake.accounting.stage("source").count().dropped["unsampled"]
    looked = intake.accounting.stage("extract").count().passed
    assert dropped > 7500  # half of them by the rate of the settings alone
    assert looked > 50
    p = looked / 12_000
    assert abs(totals.requests - 12_000) < 4 * (12_000 * (1 / p - 1)) ** 0.5


def test_traces_with_feedback_are_always_read_and_count_for_as_many_as_their_records_stand_for() -> None:
    thumb = {"events": [{"name": "gen_ai.evaluation.result", "attributes": []}], "traceState": "ot=th:8"}
    trace = "0" * 18 + "f" * 14
    totals = run(make("sampled", base="1/10"), [record(otlp(entry(trace) | thumb, retrieval(trace)), 0)])
    assert totals.requests == pytest.approx(5)


def test_a_random_number_in_the_tracestate_is_not_what_the_record_was_chosen_by() -> None:
    state = {"traceState": "ot=th:8;rv:fffffffffffff0"}
    trace = "0" * 18 + "f" * 14
    totals = run(make("sampled", base="1/10"), [record(otlp(entry(trace) | state, retrieval(trace)), 0)])
    assert totals.requests == pytest.approx(10)


def test_a_record_that_is_read_again_counts_again() -> None:
    intake = make("all", base=1)
    (one,) = topic(1)
    assert [run(intake, [one]).requests for _ in range(2)] == [1, 2]


def test_off_counts_nothing() -> None:
    intake = make("off", base=1)
    for _ in intake.take(Batch(tps()[0], topic(3), 3), 1, 0.0, BASE_NS):
        pass
    assert intake.watch.count().totals == ()
    assert intake.watch.count().basis == "off"


def _wanted() -> Any:  # noqa: ANN401 - a request
    intake = make("off", base=1)
    for _ in intake.take(Batch(tps()[0], [record(plain("f" * 32))], 1), 1, 0.0, BASE_NS):
        pass
    return intake.chooser.ready[0].trace
