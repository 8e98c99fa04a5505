"""Rules of the synchronous stages: what is decoded at all, and what one record may cost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from monitor.accounting import Accounting
from monitor.building import build_intake
from monitor.config.settings import Settings
from monitor.errors import where
from monitor.stages.intake import Intake
from monitor.traces import decode
from monitor.traces.decode.tally import LEFT_OUT
from monitor.wire import Batch, DeadLetter, RawRecord
from tests.monitor.streams import BASE_NS, TOPIC, entry, exhaust, idle, otlp, plain, record, retrieval, tps

LOW, HIGH = "0" * 18 + "0" * 13 + "1", "0" * 18 + "f" * 14
OFF = dict.fromkeys(("negative_feedback", "error", "empty_retrieval", "safety_hit"), 0)


def make(**sampling: object) -> Intake:
    settings = Settings.model_validate({"sampling": {"base": "1/100", "content_share": 1, **OFF, **sampling}})
    intake = build_intake(settings, Accounting())
    intake.assign(tps()[0])
    return intake


def take(intake: Intake, *records: RawRecord) -> list[DeadLetter]:
    batch = Batch(tps()[0], records, records[-1].offset + 1)
    return [item for item in intake.take(batch, 1, 0.0, BASE_NS) if isinstance(item, DeadLetter)]


def dropped(intake: Intake, stage: str) -> dict[str, int]:
    return {reason: n for reason, n in intake.accounting.stage(stage).count().dropped.items() if n}


def sampled(intake: Intake) -> list[str]:
    return [item.trace.trace_id for item in intake.chooser.ready]


def test_the_key_alone_drops_what_no_policy_can_want() -> None:
    intake = make()
    take(intake, record(b"\xff never decoded", 0, key=LOW.encode()), record(plain(HIGH), 1, key=HIGH.upper().encode()))
    assert dropped(intake, "source") == {"unsampled": 1}
    assert sampled(intake) == [HIGH]


def logged(trace_id: str, span_id: str) -> bytes:
    """A log record that may hold the answer, as OTLP/JSON."""
    event = {"traceId": trace_id, "spanId": span_id, "timeUnixNano": str(BASE_NS), "eventName": "gen_ai.choice"}
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [event]}]}]}).encode()


def test_log_records_that_come_too_late_or_name_no_span_are_counted() -> None:
    intake = make(base=1)
    trace = "a" * 32
    take(intake, record(otlp(entry(trace), retrieval(trace)), 0), record(logged(trace, "ee" * 8), 1))
    assert not any(intake.close_due(60.0, BASE_NS))
    take(intake, record(logged(trace, "d1" * 8), 2))
    assert {reason: n for reason, n in intake.left_out.items() if n} == {"log_of_unknown_span": 1, "late_log": 1}


def test_parts_that_cannot_be_read_are_counted_by_why() -> None:
    intake = make(base=1)
    broken = {**entry("1" * 32), "spanId": "short"}
    take(intake, record(otlp(entry("2" * 32), broken, broken, {**entry("3" * 32), "name": "\ud800"}), 0))
    assert {reason: n for reason, n in intake.left_out.items() if n} == {"bad_span_id": 2, "mended_text": 1}


def test_every_reason_that_decoders_give_has_a_counter() -> None:
    """They begin at zero: a counter that appears with its first event shows no increase."""
    folder = Path(decode.__file__).parent
    code = "\n".join(path.read_text() for path in folder.glob("*.py"))
    given = re.findall(r'"((?:bad_|unreadable_|log_without_|too_|unknown_f)\w+)"', code)
    of_whole_records = {"bad_json", "bad_frame", "too_large", "too_many_unusable"}
    assert set(given) - of_whole_records == set(LEFT_OUT)


@pytest.mark.parametrize("key", [None, b"", b"customer-7", b"order:0000000000000000000000000001", b"+" * 32, b"_" * 32])
def test_a_key_that_is_no_trace_id_decides_nothing(key: bytes | None) -> None:
    intake = make()
    take(intake, record(plain(HIGH), 0, key=key), record(plain(HIGH), 1, key=HIGH[:18].encode() + b"0_0000000_0000"))
    assert sampled(intake) == [HIGH, HIGH]


@given(st.binary(min_size=32, max_size=32) | st.text("0123456789abcdefABCDEF_+ ", min_size=32, max_size=32))
def test_a_record_is_dropped_by_its_key_only_if_the_key_is_a_trace_id_below_the_threshold(key: bytes | str) -> None:
    raw = key.encode() if isinstance(key, str) else key
    intake = make(base="1/2")
    take(intake, record(b"\xff", 0, key=raw))
    hexadecimal = all(byte in b"0123456789abcdefABCDEF" for byte in raw)
    assert bool(dropped(intake, "source")) == (hexadecimal and int(raw[-14:], 16) < 1 << 55)


def test_a_topic_whose_keys_turn_out_to_be_something_else_is_decoded_whole_from_then_on() -> None:
    intake = make()
    with structlog.testing.capture_logs() as lines:
        take(intake, record(plain(HIGH), 0, key=HIGH[::-1].replace("0", "f").encode()))
        take(intake, record(plain(HIGH), 1, key=LOW.encode()))
    assert [(line["log_level"], line["topic"]) for line in lines] == [("warning", TOPIC)]
    assert sampled(intake) == [HIGH, HIGH]


def test_a_record_of_many_traces_is_charged_for_those_that_are_kept() -> None:
    intake = make()
    names = [LOW[:17] + f"{n}" + LOW[18:] for n in range(1, 10)]
    value = otlp(*(entry(name) for name in [*names, HIGH]))
    take(intake, record(value, 0))
    alone = make()
    take(alone, record(otlp(entry(HIGH)), 0))
    assert (intake.assembler.open_traces, intake.assembler.held_bytes) == (1, alone.assembler.held_bytes)


def test_a_plain_record_without_a_time_ended_when_it_was_written() -> None:
    intake = make(base=1)
    take(intake, record(plain("a", end_time=None), 0))
    (item,) = intake.chooser.ready
    assert (item.trace.start_ns, item.trace.end_ns) == (BASE_NS, BASE_NS)


def test_tombstones_and_empty_values_are_counted_and_no_dead_letters() -> None:
    intake = make()
    assert take(intake, record(None, 0), record(b"", 1), record(plain(HIGH), 2)) == []
    assert dropped(intake, "source") == {"empty": 2}
    intake.chooser.ready.pop().receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 3}


def test_an_empty_batch_moves_the_position() -> None:
    intake = make()
    assert list(intake.take(Batch(tps()[0], (), 7), 1, 0.0, 0)) == []
    assert intake.ledger.committable() == {tps()[0]: 7}


def test_nothing_of_a_batch_is_committable_before_all_of_it_was_looked_at() -> None:
    intake = make()
    items = intake.take(Batch(tps()[0], [record(b"\xff", n) for n in range(3)], 3), 1, 0.0, 0)
    for _ in range(3):
        next(items)
        assert intake.ledger.committable() == {tps()[0]: 0}
    assert list(items) == []
    assert intake.ledger.committable() == {tps()[0]: 3}


def test_a_trace_in_several_records_keeps_the_first_of_them_until_all_its_requests_are_done() -> None:
    intake = make(base=1)
    name = "1" * 32
    take(intake, record(otlp(retrieval(name)), 0), record(otlp(entry(name)), 1), record(plain("b"), 2))
    assert list(intake.close_due(100.0, BASE_NS)) == [None]
    receipts = {item.trace.trace_id: item.receipt for item in intake.chooser.ready}
    receipts["b"].done()
    assert intake.ledger.committable() == {tps()[0]: 0}
    receipts[name].done()
    assert intake.ledger.committable() == {tps()[0]: 3}


def test_an_array_of_plain_records_waits_for_the_last_of_them() -> None:
    intake = make(base=1)
    take(intake, record(b"[" + plain("a") + b"," + plain("b") + b"]", 0))
    first, second = intake.chooser.ready
    first.receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 0}
    second.receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 1}


@pytest.mark.parametrize(("poison", "flooded"), [(500, False), (501, True)])
def test_a_flood_is_more_than_the_configured_share_of_the_last_thousand(poison: int, flooded: bool) -> None:  # noqa: FBT001 - a table
    intake = make()
    records = [record(b"\xff" if n < poison else otlp(idle(HIGH)), n) for n in range(1000)]
    take(intake, *records[:-1])
    assert not intake.flooded()
    take(intake, records[-1])
    assert intake.flooded() == flooded


@pytest.mark.parametrize("hidden", [{"redacted": True}, {"question": "[REDACTED]"}, {"contexts": ["***"]}])
def test_a_request_that_its_producer_hid_is_not_looked_into(hidden: dict[str, object]) -> None:
    intake = make(base=1, safety_hit=1)
    take(intake, record(plain("a", answer="Write to bob@example.com.", **hidden), 0))
    (item,) = intake.chooser.ready
    assert (item.hits, item.decision.policies) == ((), ("base",))


@pytest.mark.parametrize("base", ["1/1", "1/100"])
def test_a_sampled_request_brings_every_hit_also_where_its_answer_has_none(base: str) -> None:
    """What is not among the hits is not replaced later; at 1/100 the scanners look before the decision."""
    intake = make(base=base, safety_hit=1)
    mail = {"contexts": [{"text": "Write to bob@example.com."}]}
    take(intake, record(plain(HIGH, **mail), 0), record(plain(f"1{HIGH[1:]}", answer="To bob@example.com.", **mail), 1))
    found = [[(hit.target, hit.kind) for hit in item.hits] for item in intake.chooser.ready]
    assert found == [[("contexts", "email")], [("contexts", "email"), ("answer", "email")]]


def test_a_trigger_keeps_what_the_base_rate_would_not() -> None:
    low = "0" * 31 + "1"
    intake = make(base="1/100", error=1)
    take(intake, record(plain(low), 0), record(plain(low, error="TimeoutError"), 1))
    assert [item.decision.policies for item in intake.chooser.ready] == [("error",)]


def test_where_names_the_place_of_an_error_and_never_its_text() -> None:
    try:
        json.loads("user text")
    except ValueError as error:
        told = where(error)
    assert told["error"] == "JSONDecodeError"
    assert told["place"].startswith("decoder.py:")
    assert "user text" not in str(told)
    assert where(ValueError("user text")) == {"error": "ValueError", "place": "unknown"}


def test_a_trace_that_no_policy_can_want_now_is_settled_without_a_look() -> None:
    intake = make(base="1/2", budget_per_minute=1)
    exhaust(intake)
    middle = "0" * 18 + "c" + "0" * 13
    take(intake, record(otlp(entry(middle), retrieval(middle)), 0), record(otlp(entry(HIGH), retrieval(HIGH)), 1))
    assert len(list(intake.close_due(100.0, BASE_NS))) == 1
    assert dropped(intake, "extract") == {"unsampled": 1}
    assert sampled(intake) == [HIGH]
    assert intake.assembler.decided(middle)
    intake.chooser.ready.pop().receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 2}
    assert intake.accounting.problems({}) == []


def test_a_trigger_that_is_on_has_every_trace_looked_into() -> None:
    intake = make(base="1/2", budget_per_minute=1, error=1)
    exhaust(intake)
    middle = "0" * 18 + "c" + "0" * 13
    take(intake, record(otlp(entry(middle) | {"status": {"code": 2}}, retrieval(middle)), 0))
    list(intake.close_due(100.0, BASE_NS))
    assert [item.decision.policies for item in intake.chooser.ready] == [("error",)]


def test_feedback_and_random_numbers_of_their_own_are_always_read() -> None:
    intake = make(base="1/2", budget_per_minute=1)
    exhaust(intake)
    traces = [f"{0:018x}c{n:013x}" for n in range(2)]
    thumb = {"name": "gen_ai.evaluation.result", "attributes": []}
    spans = [entry(traces[0]) | {"events": [thumb]}, entry(traces[1]) | {"traceState": "ot=rv:ffffffffffffff"}]
    take(intake, *(record(otlp(span, retrieval(traces[n])), n) for n, span in enumerate(spans)))
    list(intake.close_due(100.0, BASE_NS))
    assert dropped(intake, "extract") == {}
    assert sampled(intake) == [traces[1]]


def test_what_a_record_without_a_key_holds_of_unwanted_traces_is_counted() -> None:
    intake = make()
    own_log = {"traceId": LOW, "spanId": "d1" * 8, "eventName": "e"}
    logs = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [own_log]}]}]}).encode()
    array = b"[" + plain(LOW) + b"," + plain(HIGH) + b"]"
    values = (plain(LOW), array, otlp(entry(LOW), retrieval(LOW)), otlp(entry(LOW), entry(HIGH)), logs)
    take(intake, *(record(value, offset) for offset, value in enumerate(values)))
    assert (dropped(intake, "extract"), dropped(intake, "assemble")) == ({"unsampled": 2}, {"unsampled": 3})
    held = {"assemble": intake.open_spans(), "sample": len(intake.chooser.ready)}
    assert intake.accounting.stage("extract").count().received == 3
    assert [line for line in intake.accounting.problems(held) if line.startswith(("assemble", "extract"))] == []
