"""Rules of parts of keyless records that wait unread while the budget keeps the rates low."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from monitor.accounting import Accounting
from monitor.building import build_intake
from monitor.config.settings import Settings
from monitor.stages.intake import Intake
from monitor.stages.steps import Work
from monitor.traces.decode import make_decoder
from monitor.wire import Batch, RawRecord
from tests.monitor.stages.test_unread import HIGH, MIDDLE, OFF, close, keyed, slowed, take
from tests.monitor.streams import BASE_NS, carrier, entry, exhaust, otlp, record, retrieval, tps
from tests.monitor.traces.decode.otlp_encoders import otlp_proto

LOW = "0" * 18 + "1" * 14
OTHER = MIDDLE[:-1] + "1"
Write = Callable[..., bytes]


def in_json(*spans: Mapping[str, object]) -> bytes:
    return otlp(*spans)


def in_protobuf(*spans: Mapping[str, object]) -> bytes:
    return b"".join(otlp_proto(make_decoder("otlp_json").decode(otlp(*spans)).spans))


@pytest.fixture(params=[in_json, in_protobuf])
def write(request: pytest.FixtureRequest) -> Write:
    made: Write = request.param
    return made


def keyless(value: bytes, offset: int = 0) -> RawRecord:
    return record(value, offset)


def whole(trace_id: str) -> list[Mapping[str, object]]:
    return [retrieval(trace_id), entry(trace_id)]


def spans(intake: Intake, kind: str) -> int:
    return intake.accounting.stage("assemble").count().dropped[kind]


def test_what_no_policy_can_want_is_settled_unread_when_its_trace_is_quiet(write: Write) -> None:
    """Its record stays uncommitted until then; what a policy can want is read at once."""
    intake = slowed()
    take(intake, keyless(write(*whole(MIDDLE), *whole(HIGH), *whole(LOW))), keyless(write(*whole(OTHER)), 1))
    assert (intake.open_records(), intake.open_spans(), intake.assembler.open_traces) == (0, 2, 1)
    assert intake.unread.bytes > 0
    assert spans(intake, "unsampled") == 2
    assert intake.accounting.problems({"assemble": intake.open_spans()}) == []
    close(intake, 2.1)
    assert intake.accounting.stage("extract").count().dropped["unsampled"] == 2
    assert intake.unread.bytes == 0
    assert intake.ledger.committable() == {tps()[0]: 0}
    (item,) = intake.chooser.ready
    item.receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 2}
    assert intake.accounting.problems({}) == []


def test_what_is_wanted_by_the_time_its_trace_is_quiet_is_read_after_all(write: Write) -> None:
    """The same request comes of it as of a trace that never waited, from all records that it was in."""
    intake = slowed()
    records = [write(retrieval(MIDDLE), *whole(LOW)), write(entry(MIDDLE), *whole(OTHER))]
    take(intake, *map(keyless, records, range(2)))
    close(intake, 1e6)
    close(intake, 2e6)
    at_once = build_intake(Settings.model_validate({"sampling": {"base": 1, "content_share": 1, **OFF}}), Accounting())
    at_once.assign(tps()[0])
    take(at_once, *map(keyless, records, range(2)))
    close(at_once, 100.0)
    reference = {item.trace.trace_id: item.trace for item in at_once.chooser.ready}
    items = {item.trace.trace_id: item for item in intake.chooser.ready}
    assert {name: item.trace for name, item in items.items()} == {name: reference[name] for name in (MIDDLE, OTHER)}
    assert items[MIDDLE].decision.probability == 0.5
    items[OTHER].receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 0}
    items[MIDDLE].receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 2}
    assert intake.accounting.stage("assemble").count().passed == 4


def test_feedback_is_read_at_once_and_brings_the_rest_of_its_trace_with_it(write: Write) -> None:
    intake = slowed()
    thumb = {"events": carrier(MIDDLE, "")["events"]}
    take(intake, keyless(write(retrieval(MIDDLE), *whole(OTHER))))
    assert intake.open_spans() == 0
    take(intake, keyless(write(entry(MIDDLE) | thumb), 1))
    assert intake.open_spans() == 2


def test_traces_that_are_open_stay_whole_when_the_rates_fall(write: Write) -> None:
    sampling = {"base": "1/2", "content_share": 1, **OFF, "budget_per_minute": 1}
    intake = build_intake(Settings.model_validate({"sampling": sampling}), Accounting())
    intake.assign(tps()[0])
    take(intake, keyless(write(retrieval(MIDDLE))))
    exhaust(intake)
    take(intake, keyless(write(entry(MIDDLE), *whole(OTHER)), 1))
    assert intake.open_spans() == 2
    assert intake.unread.bytes > 0


def test_what_is_read_when_rates_have_recovered_brings_what_waits_with_it(write: Write) -> None:
    intake = slowed()
    take(intake, keyless(write(retrieval(MIDDLE))))
    intake.chooser.sampler.tick(1e6)
    take(intake, keyless(write(entry(MIDDLE)), 1), now=1.0)
    assert intake.open_spans() == 2
    assert intake.unread.bytes == 0


def test_parts_and_whole_records_of_a_trace_wait_together(write: Write) -> None:
    intake = slowed()
    take(intake, keyless(write(retrieval(MIDDLE))), keyed(write(entry(MIDDLE)), MIDDLE, 1))
    assert intake.open_records() == 1
    close(intake, 2.1)
    assert intake.accounting.stage("extract").count().dropped["unsampled"] == 1
    assert intake.accounting.stage("source").count().dropped["unsampled"] == 1
    assert intake.ledger.committable() == {tps()[0]: 2}
    assert intake.accounting.problems({}) == []


def test_spans_that_come_after_their_trace_was_settled_are_late(write: Write) -> None:
    intake = slowed()
    take(intake, keyless(write(retrieval(MIDDLE))))
    close(intake, 3.0)
    take(intake, keyless(write(entry(MIDDLE)), 1), now=3.0)
    assert spans(intake, "late") == 1
    assert intake.ledger.committable() == {tps()[0]: 2}


def test_partitions_that_go_take_their_parts_along(write: Write) -> None:
    intake = slowed()
    take(intake, keyless(write(*whole(MIDDLE))))
    intake.forget(tps(0))
    assert intake.unread.bytes == 0
    assert close(intake, 1e6) == []
    assert intake.accounting.problems({}) == []


def test_no_part_is_taken_once_its_partition_has_gone() -> None:
    """It may go while something large is read, between two parts of a record."""
    intake = slowed()
    own = {"spanId": "ab" * 8, "traceState": "ot=rv:ffffffffffffff"}
    large = in_json(entry(MIDDLE, question="q" * 1_200_000))
    follows = in_json(entry(MIDDLE) | own, *whole(OTHER), *whole(OTHER[:-1] + "2"))
    take(intake, keyless(large))
    for step in intake.take(Batch(tps()[0], [keyless(follows, 1)], 2), 1, 0.0, BASE_NS):
        if isinstance(step, Work):
            intake.ledger.drop(tps()[0])
            intake.forget(tps(0))
            step.do()
    assert intake.unread.bytes == 0
    assert intake.accounting.problems({"assemble": intake.open_spans()}) == []


def test_a_broken_span_of_a_part_costs_only_itself() -> None:
    broken = entry(MIDDLE) | {"spanId": "0" * 16}
    for together in ([broken, retrieval(MIDDLE)], [broken]):
        intake = slowed()
        take(intake, keyless(in_json(*together)))
        close(intake, 1e6)
        assert intake.left_out["bad_span_id"] == 1
        assert intake.open_spans() == len(together) - 1
        assert intake.accounting.problems({"assemble": intake.open_spans()}) == []
