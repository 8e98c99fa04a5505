"""Rules of records that wait unread while the budget keeps the rates low."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from monitor.accounting import Accounting
from monitor.building import build_intake
from monitor.config.settings import Settings
from monitor.stages.intake import Intake
from monitor.stages.steps import Work, worked
from monitor.wire import Batch, DeadLetter, RawRecord
from tests.monitor.streams import BASE_NS, entry, exhaust, otlp, plain, record, retrieval, said, tps

MIDDLE, HIGH = "0" * 18 + "c" + "0" * 13, "0" * 18 + "f" * 14
OFF = dict.fromkeys(("negative_feedback", "error", "empty_retrieval", "safety_hit"), 0)


def slowed(base: str = "1/2", **assembly: object) -> Intake:
    """An intake whose budget is used up, so that a trace of medium R is not wanted now."""
    sampling = {"base": base, "content_share": 1, **OFF, "budget_per_minute": 1}
    intake = build_intake(Settings.model_validate({"sampling": sampling, "assembly": assembly}), Accounting())
    intake.assign(tps()[0])
    exhaust(intake)
    return intake


def walk(steps: Iterable[object]) -> list[DeadLetter]:
    letters = []
    for step in steps:
        if isinstance(step, Work):
            step.do()
        if isinstance(step, DeadLetter):
            letters.append(step)
    return letters


def keyed(value: bytes, trace_id: str, offset: int = 0) -> RawRecord:
    return record(value, offset, key=trace_id.encode())


def take(intake: Intake, *records: RawRecord, now: float = 0.0) -> list[DeadLetter]:
    return walk(intake.take(Batch(tps()[0], records, records[-1].offset + 1), 1, now, BASE_NS))


def close(intake: Intake, now: float) -> list[DeadLetter]:
    return walk(intake.close_due(now, BASE_NS))


def unsampled(intake: Intake) -> int:
    return intake.accounting.stage("source").count().dropped["unsampled"]


def test_what_no_policy_can_want_is_never_decoded_and_committed_when_its_trace_is_quiet() -> None:
    intake = slowed()
    take(intake, keyed(b"no encoding at all", MIDDLE), keyed(otlp(entry(MIDDLE)), MIDDLE, 1))
    assert intake.ledger.committable() == {tps()[0]: 0}
    assert intake.accounting.problems({"source": intake.open_records()}) == []
    close(intake, 1.9)
    assert (unsampled(intake), intake.open_records()) == (0, 2)
    assert close(intake, 2.1) == []
    assert (unsampled(intake), intake.open_records()) == (2, 0)
    assert intake.ledger.committable() == {tps()[0]: 2}
    assert intake.accounting.problems({}) == []


def test_spans_that_come_after_that_are_late_also_when_rates_have_recovered() -> None:
    intake = slowed()
    take(intake, keyed(otlp(retrieval(MIDDLE)), MIDDLE))
    close(intake, 3.0)
    intake.chooser.sampler.tick(1e6)
    take(intake, keyed(otlp(entry(MIDDLE)), MIDDLE, 1), now=1e6)
    close(intake, 1e6 + 100)
    assert intake.accounting.stage("assemble").count().dropped["late"] == 1
    assert not intake.chooser.ready


@pytest.mark.parametrize("value", [otlp(entry(MIDDLE), retrieval(MIDDLE)), plain(MIDDLE)])
def test_what_is_wanted_by_the_time_its_trace_is_quiet_is_read_after_all(value: bytes) -> None:
    intake = slowed()
    take(intake, keyed(value, MIDDLE))
    close(intake, 1e6)
    close(intake, 2e6)
    (item,) = intake.chooser.ready
    assert (item.trace.trace_id, item.decision.probability) == (MIDDLE, 0.5)
    assert intake.ledger.committable() == {tps()[0]: 0}
    item.receipt.done()
    assert intake.ledger.committable() == {tps()[0]: 1}


def test_a_poison_record_that_is_read_after_all_is_a_dead_letter() -> None:
    intake = slowed()
    take(intake, keyed(b"{no json", MIDDLE), keyed(otlp(entry(MIDDLE), retrieval(MIDDLE)), MIDDLE, 1))
    (letter,) = close(intake, 1e6)
    assert (letter.value, letter.position.offset) == (b"{no json", 0)
    close(intake, 2e6)
    assert len(intake.chooser.ready) == 1


def test_a_wanted_part_brings_the_unread_parts_of_its_trace_with_it() -> None:
    """Feedback is always read; with it the rest of the trace, so that no request is made of a part."""
    intake = slowed()
    thumb = {"events": [{"name": "gen_ai.evaluation.result", "attributes": []}]}
    take(intake, keyed(otlp(retrieval(MIDDLE)), MIDDLE), keyed(otlp(entry(MIDDLE) | thumb), MIDDLE, 1))
    assert intake.open_records() == 0
    assert intake.open_spans() == 2
    close(intake, 100.0)
    assert intake.accounting.stage("sample").count().received == 1


def test_feedback_in_a_plain_record_is_read_whatever_its_number() -> None:
    intake = slowed()
    take(intake, keyed(said(MIDDLE), MIDDLE))
    assert [item.feedback.trace_id for item in intake.chooser.heard] == [MIDDLE]


def test_traces_that_are_open_stay_whole_when_the_rates_fall() -> None:
    sampling = {"base": "1/2", "content_share": 1, **OFF, "budget_per_minute": 1}
    intake = build_intake(Settings.model_validate({"sampling": sampling}), Accounting())
    intake.assign(tps()[0])
    take(intake, keyed(otlp(retrieval(MIDDLE)), MIDDLE))
    exhaust(intake)
    take(intake, keyed(otlp(entry(MIDDLE)), MIDDLE, 1))
    assert (intake.open_records(), intake.open_spans()) == (0, 2)


def test_a_decision_knows_the_rate_at_which_its_trace_was_nearly_left_unread() -> None:
    """It waits for its entry span, meanwhile rates recover: the probability is the lower one of the two moments."""
    intake, trace_id, now = slowed(base="1/1"), "0" * 18 + "f" + "0" * 13, 100.0
    take(intake, keyed(otlp(retrieval(trace_id)), trace_id), now=now)
    while intake.chooser.sampler.threshold_in_force > int(trace_id[-14:], 16):
        now += 1.0
        intake.chooser.sampler.tick(now)
    close(intake, now)
    floor = intake.chooser.sampler.threshold_in_force
    intake.chooser.sampler.tick(1e6)
    take(intake, keyed(otlp(entry(trace_id)), trace_id, 1), now=now + 1)
    close(intake, 1e6)
    (item,) = intake.chooser.ready
    assert 0 == intake.chooser.sampler.presample_threshold < floor == item.decision.threshold


def test_partitions_that_go_take_their_unread_records_along() -> None:
    intake = slowed()
    take(intake, keyed(otlp(entry(MIDDLE)), MIDDLE))
    intake.forget(tps(0))
    assert intake.open_records() == 0
    assert intake.accounting.stage("source").count().dropped["revoked"] == 1
    assert intake.accounting.problems({}) == []


def test_unread_records_keep_to_the_memory_of_open_traces() -> None:
    intake = slowed(max_bytes=1 << 20)
    rng = random.Random(1)
    names = [f"{0:018x}c{rng.getrandbits(52):013x}" for _ in range(40)]
    take(intake, *(keyed(plain(name, question="q" * 50_000), name, n) for n, name in enumerate(names)))
    assert intake.unread.bytes > 1 << 20
    close(intake, 0.5)
    assert 0 < intake.unread.bytes <= 1 << 20
    assert unsampled(intake) == 40 - intake.open_records()


def test_large_work_is_a_step_of_its_own_and_fails_in_its_stage() -> None:
    steps = worked(lambda: 1 // 0, large=True)
    work = next(steps)
    work.do()
    with pytest.raises(ZeroDivisionError):
        next(steps)


def test_a_large_record_is_read_off_the_loop_and_dropped_if_its_partition_went_meanwhile() -> None:
    for gone in (False, True):
        sampling = {"base": 1, "content_share": 1}
        intake = build_intake(Settings.model_validate({"sampling": sampling}), Accounting())
        intake.assign(tps()[0])
        steps = intake.take(Batch(tps()[0], [record(plain(HIGH, question="q" * (1 << 20)))], 1), 1, 0.0, BASE_NS)
        work = next(steps)
        assert isinstance(work, Work)
        assert intake.open_records() == 1
        work.do()
        if gone:
            intake.forget(tps(0))
        assert walk(steps) == []
        assert len(intake.chooser.ready) == (0 if gone else 1)
        assert intake.accounting.stage("source").count().dropped["revoked"] == int(gone)


def test_the_spans_of_a_long_trace_are_extracted_off_the_loop() -> None:
    intake = build_intake(Settings.model_validate({"sampling": {"base": 1, "content_share": 1}}), Accounting())
    intake.assign(tps()[0])
    many = [retrieval(HIGH) | {"spanId": f"{number:016x}"} for number in range(1, 601)]
    take(intake, record(otlp(entry(HIGH), *many)))
    steps = list_until_work(intake)
    assert steps == 1
    assert len(intake.chooser.ready) == 1


def list_until_work(intake: Intake) -> int:
    """Walk through a close; how many steps of it were work."""
    works = 0
    for step in intake.close_due(100.0, BASE_NS):
        if isinstance(step, Work):
            assert intake.open_spans() == 601
            step.do()
            works += 1
    return works


def test_random_numbers_of_their_own_are_looked_for() -> None:
    intake = slowed()
    own = {"traceState": "ot=rv:ffffffffffffff"}
    take(intake, keyed(otlp(entry(MIDDLE) | own, retrieval(MIDDLE)), MIDDLE))
    assert (intake.open_records(), intake.assembler.open_traces) == (0, 1)
    close(intake, 3.0)
    assert [item.trace.trace_id for item in intake.chooser.ready] == [MIDDLE]
