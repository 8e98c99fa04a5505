from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
import structlog
from opentelemetry import _logs, metrics
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric

from exporters.catalog import CATALOG
from exporters.hex_ids import hex_id
from exporters.metric import Kind
from exporters.otlp import OtlpExport
from monitor.config.settings import Otlp
from monitor.errors import ConfigError
from monitor.records import Outcome, Verdict
from monitor.snapshot import SliceKey, Snapshot
from tests.exporters.receiver import Receiver, grpc_receiver
from tests.exporters.samples import NOW_NS, SECOND, low_case, operational, snapshot, totals, window
from tests.fakes import FakeClock

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def verdict(outcome: Outcome = Outcome.SCORED, score: float | None = 0.25, reason: str = "", **more: str) -> Verdict:
    made = Verdict(
        verdict_id="f" * 32,
        trace_id=TRACE,
        request_id=SPAN,
        evaluation="faithfulness",
        judge="embedded",
        fingerprint="0123456789ab",
        calibrated=False,
        outcome=outcome,
        reason=reason,
        score=score,
        label="unsupported" if score is not None else "",
        weight=100,
        probability=0.01,
        policies=("base",),
        end_ns=NOW_NS,
        judged_ns=NOW_NS + SECOND,
    )
    return replace(made, **more)  # type: ignore[arg-type] # text fields only


@contextlib.contextmanager
def exporting(
    endpoint: str, shown: Snapshot | None = None, clock: FakeClock | None = None, **settings: object
) -> Iterator[OtlpExport]:
    chosen = Otlp.model_validate({"endpoint": endpoint, "interval": 3600.0, **settings})
    page = shown or snapshot()
    made = OtlpExport(chosen, lambda: page, operational, clock or FakeClock(), 5000)
    try:
        yield made
    finally:
        made.close(0.1)


def attributes(pairs: Iterable[KeyValue]) -> dict[str, object]:
    def value(pair: KeyValue) -> object:
        return getattr(pair.value, pair.value.WhichOneof("value") or "")

    return {pair.key: value(pair) for pair in pairs}


def exported_metrics(receiver: Receiver) -> dict[str, Metric]:
    [resource] = receiver.metrics.get(timeout=10).resource_metrics
    assert attributes(resource.resource.attributes)["service.name"] == "ragmon"
    return {metric.name: metric for scope in resource.scope_metrics for metric in scope.metrics}


def exported_events(receiver: Receiver) -> list[LogRecord]:
    [resource] = receiver.logs.get(timeout=10).resource_logs
    assert attributes(resource.resource.attributes)["service.name"] == "ragmon"
    return [record for scope in resource.scope_logs for record in scope.log_records]


# ------------------------------------------------------------------------------------------------------------- metrics


def test_every_metric_of_the_catalog_arrives_as_declared() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.flush()
        arrived = exported_metrics(receiver)
    kinds = {Kind.COUNTER: "sum", Kind.GAUGE: "gauge", Kind.HISTOGRAM: "histogram"}
    assert {name: (m.unit, m.description, m.WhichOneof("data")) for name, m in arrived.items()} == {
        m.name: (m.unit, m.help, kinds[m.kind]) for m in CATALOG
    }
    assert all(m.sum.is_monotonic and m.sum.aggregation_temporality == 2 for m in arrived.values() if m.HasField("sum"))


def test_each_process_is_an_instance_of_its_own_in_metrics_and_events_alike() -> None:
    instances: list[object] = []
    for _ in range(2):
        with Receiver() as receiver, exporting(receiver.endpoint) as export:
            export.emit(verdict())
            export.flush()
            [metrics] = receiver.metrics.get(timeout=10).resource_metrics
            [events] = receiver.logs.get(timeout=10).resource_logs
        own = {attributes(found.resource.attributes)["service.instance.id"] for found in (metrics, events)}
        assert len(own) == 1
        instances += own
    assert instances[0] != instances[1], "counters of two replicas would overwrite each other"


def test_both_exporters_show_the_same_numbers() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.flush()
        arrived = exported_metrics(receiver)
    [mean] = arrived["ragmon.score.mean"].gauge.data_points
    assert mean.as_double == 0.9
    assert attributes(mean.attributes) == {
        "evaluation": "faithfulness",
        "judge": "embedded",
        "fingerprint": "0123456789ab",
        "calibrated": "false",
        "dimension": "all",
        "value": "all",
        "window": "5m",
    }


def test_the_score_histogram_keeps_its_bounds_weights_and_exemplars() -> None:
    cases = (low_case(TRACE, 0.0), low_case("not hex", 0.1), low_case(TRACE, 0.7))
    shown = snapshot((), (totals(scores=(0.0, 0.5, 1.0, 1.0), exemplars=cases),))
    with Receiver() as receiver, exporting(receiver.endpoint, shown) as export:
        export.flush()
        [point] = exported_metrics(receiver)["ragmon.score"].histogram.data_points
    assert list(point.explicit_bounds) == [0.0, 0.25, 0.499, 0.5, 0.75, 0.999, 1.0]
    assert list(point.bucket_counts) == [10, 0, 0, 10, 0, 0, 20, 0]
    assert (point.count, point.sum, point.HasField("min")) == (40, 25.0, False)
    assert (point.start_time_unix_nano, point.time_unix_nano) == (NOW_NS - 3600 * SECOND, NOW_NS)
    assert [(e.trace_id.hex(), e.as_double) for e in point.exemplars] == [(TRACE, 0.0)]


def test_a_number_that_is_no_longer_known_is_no_longer_sent() -> None:
    shown = [snapshot()]
    with Receiver() as receiver:
        export = OtlpExport(
            Otlp(endpoint=receiver.endpoint, interval=3600.0), lambda: shown[0], operational, FakeClock(), 5000
        )
        export.flush()
        assert exported_metrics(receiver)["ragmon.score.mean"].gauge.data_points
        shown[0] = snapshot((window(mean=None),))
        export.flush()
        later = exported_metrics(receiver)
        export.close()
    assert "ragmon.score.mean" not in later
    assert later["ragmon.score.es10"].gauge.data_points


def test_apps_that_come_and_go_do_not_use_up_what_can_be_sent() -> None:
    shown = [snapshot()]
    with Receiver() as receiver:
        export = OtlpExport(
            Otlp(endpoint=receiver.endpoint, interval=3600.0), lambda: shown[0], operational, FakeClock(), 900
        )
        for turn in range(120):
            apps = [window(SliceKey("app", f"branch-{turn}-{number}")) for number in range(8)]
            shown[0] = snapshot((window(), *apps))
            export.flush()
            sent = exported_metrics(receiver)["ragmon.score.mean"].gauge.data_points
            assert len(sent) == 9
            assert all("window" in attributes(point.attributes) for point in sent)
        export.close()


def test_one_collection_shows_one_moment() -> None:
    taken = iter(range(1, 100))

    def moment() -> Snapshot:
        number = next(taken)
        return replace(snapshot(), duplicates=number, late=number)

    with Receiver() as receiver:
        export = OtlpExport(Otlp(endpoint=receiver.endpoint, interval=3600.0), moment, operational, FakeClock(), 5000)
        pairs = []
        for _ in range(2):
            export.flush()
            arrived = exported_metrics(receiver)
            names = ("ragmon.board.duplicates", "ragmon.board.late")
            pairs.append([arrived[name].sum.data_points[0].as_int for name in names])
        export.close()
    assert pairs == [[1, 1], [2, 2]]


# -------------------------------------------------------------------------------------------------------------- events


def test_a_verdict_is_an_event_beside_the_judged_span() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.emit(verdict())
        export.flush()
        [event] = exported_events(receiver)
    assert event.event_name == "gen_ai.evaluation.result"
    assert (event.trace_id.hex(), event.span_id.hex(), event.time_unix_nano) == (TRACE, SPAN, NOW_NS + SECOND)
    assert attributes(event.attributes) == {
        "gen_ai.evaluation.name": "faithfulness",
        "gen_ai.evaluation.score.value": 0.25,
        "gen_ai.evaluation.score.label": "unsupported",
        "ragmon.verdict.id": "f" * 32,
        "ragmon.trace.id": TRACE,
        "ragmon.outcome": "scored",
        "ragmon.judge": "embedded",
        "ragmon.judge.fingerprint": "0123456789ab",
        "ragmon.judge.calibrated": False,
        "ragmon.weight": 100,
    }


@pytest.mark.parametrize("outcome", [Outcome.JUDGE_ERROR, Outcome.SKIPPED])
def test_a_missing_verdict_is_an_error_without_a_score(outcome: Outcome) -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.emit(verdict(outcome, None, "timeout"))
        export.flush()
        [event] = exported_events(receiver)
    sent = attributes(event.attributes)
    assert (sent["error.type"], sent["ragmon.outcome"]) == ("timeout", outcome.value)
    assert "gen_ai.evaluation.score.value" not in sent


def test_what_cannot_be_scored_is_neither_a_score_nor_an_error() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.emit(verdict(Outcome.NOT_SCORABLE, None, "no_context"))
        export.flush()
        [event] = exported_events(receiver)
    sent = attributes(event.attributes)
    assert sent["ragmon.reason"] == "no_context"
    assert not {"error.type", "gen_ai.evaluation.score.value"} & set(sent)


def test_a_request_without_usable_ids_still_gets_its_event() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.emit(verdict(trace_id="order-1\udca0", request_id=""))
        export.emit(verdict(request_id=""))
        export.flush()
        first, second = exported_events(receiver)
    assert (first.trace_id, first.span_id) == (b"", b"")
    assert attributes(first.attributes)["ragmon.trace.id"] == "order-1?"
    assert (second.trace_id.hex(), second.span_id) == (TRACE, b"")


def test_events_can_be_switched_off() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint, events=False) as export:
        export.emit(verdict())
        export.flush()
        assert receiver.logs.empty()
        assert not receiver.metrics.empty()


# ------------------------------------------------------------------------------------------------------------ failures


def test_refused_exports_are_counted_and_logged_once_a_minute() -> None:
    clock = FakeClock()
    with Receiver() as receiver, structlog.testing.capture_logs() as lines:
        receiver.status = 400
        with exporting(receiver.endpoint, clock=clock) as export:
            for _ in range(3):
                export.emit(verdict())
                export.flush()
            assert export.failures() == {"metrics": 3, "events": 3}
            assert sorted(line["signal"] for line in lines) == ["events", "metrics"]
            clock.advance(61)
            export.flush()
            assert [line["failures"] for line in lines if line["signal"] == "metrics"] == [1, 4]


def test_after_an_outage_it_goes_on() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        receiver.status = 400
        export.flush()
        receiver.status = 200
        export.flush()
        assert "ragmon.score.mean" in exported_metrics(receiver)
        assert export.failures() == {"metrics": 1}


def test_a_full_queue_drops_events_at_once_and_counts_them() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        receiver.gate.clear()
        for _ in range(300):
            export.emit(verdict())
        assert receiver.asked.wait(10)
        started = time.thread_time()
        for _ in range(3000):
            export.emit(verdict())
        took = time.thread_time() - started
        assert export.failures()["events"] == 3300 - 2048
        assert took < 3
        receiver.gate.set()


def test_a_snapshot_that_fails_costs_one_export() -> None:
    outcomes: list[Snapshot | None] = [None, snapshot()]

    def sometimes() -> Snapshot:
        made = outcomes.pop(0) if len(outcomes) > 1 else outcomes[0]
        if made is None:
            raise RuntimeError
        return made

    with Receiver() as receiver:
        chosen = Otlp(endpoint=receiver.endpoint, interval=3600.0)
        export = OtlpExport(chosen, sometimes, operational, FakeClock(), 5000)
        export.flush()
        assert (export.failures(), receiver.metrics.empty()) == ({"metrics": 1}, True)
        export.flush()
        assert "ragmon.score.mean" in exported_metrics(receiver)
        export.close()


def test_closing_is_bounded_when_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:  # accepts, never answers
        port = listener.getsockname()[1]
        with structlog.testing.capture_logs():
            export = OtlpExport(
                Otlp(endpoint=f"http://127.0.0.1:{port}", interval=3600.0, events=False),
                snapshot,
                operational,
                FakeClock(),
                5000,
            )
            started = time.monotonic()
            export.close(0.2)
    assert time.monotonic() - started < 8


def test_grpc_failures_are_counted_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with (
        structlog.testing.capture_logs(),
        exporting(f"http://127.0.0.1:{port}", protocol="grpc", events=False) as export,
    ):
        threading.Thread(target=export.close, args=(0.1,)).start()
        export.flush(0.1)
        assert export.failures()["metrics"] >= 1


def test_grpc_carries_the_same_metrics() -> None:
    with grpc_receiver() as (endpoint, requests), exporting(endpoint, protocol="grpc", events=False) as export:
        export.flush()
        [resource] = requests.get(timeout=10).resource_metrics
        assert {m.name for scope in resource.scope_metrics for m in scope.metrics} == {m.name for m in CATALOG}
        assert export.failures() == {}


def test_headers_are_sent() -> None:
    with Receiver() as receiver, exporting(receiver.endpoint + "/", headers={"x-key": "k"}) as export:
        export.flush()
        assert receiver.headers[0]["x-key"] == "k"


def test_nothing_process_wide_is_left_behind() -> None:
    before = (metrics.get_meter_provider(), _logs.get_logger_provider())
    name = "opentelemetry.exporter.otlp.proto.http.metric_exporter"
    filters = list(logging.getLogger(name).filters)
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.flush()
    assert (metrics.get_meter_provider(), _logs.get_logger_provider()) == before
    assert logging.getLogger(name).filters == filters


def test_without_an_endpoint_there_is_nothing_to_start() -> None:
    with pytest.raises(ConfigError, match=r"otlp\.endpoint"):
        OtlpExport(Otlp(), snapshot, operational, FakeClock(), 5000)


def test_an_id_is_a_number_only_when_it_is_complete() -> None:
    assert [hex_id(text, 4) for text in ("00ff", "00FF", "ff", "", "00fg", " 0ff", "00ff\n")] == [
        255,
        255,
        0,
        0,
        0,
        0,
        0,
    ]


def test_a_low_score_says_what_it_comes_from() -> None:
    low = replace(verdict(), cause="retrieval", cause_evidence="first relevant passage: none of 3")
    with Receiver() as receiver, exporting(receiver.endpoint) as export:
        export.emit(low)
        export.flush()
        [event] = exported_events(receiver)
    sent = attributes(event.attributes)
    assert (sent["ragmon.cause"], sent["ragmon.cause.evidence"]) == ("retrieval", "first relevant passage: none of 3")
