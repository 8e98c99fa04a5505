from __future__ import annotations

from monitor.kafka_client.isolation import Fault
from monitor.records import TopicPartition
from monitor.sources.librdkafka.damage import Damage, Gap

TP = TopicPartition("t", 1)


def fail(damage: Damage, times: int, fault: Fault = Fault.CORRUPT, now: float = 0.0) -> list[int]:
    return [damage.failed(TP, 10, fault, "why", now) for _ in range(times)]


def test_a_place_is_tried_three_times_and_then_walked_over() -> None:
    damage = Damage()
    assert fail(damage, 5) == [10, 10, 11, 12, 13]
    assert damage.problem() == "t/1 is unreadable from offset 10 on: why"
    assert damage.gap(TP, 20) == Gap(TP, 10, 20, Fault.CORRUPT, "why")
    damage.read_to(TP, 30)
    assert (bool(damage), damage.problem(), damage.gap(TP, 40)) == (False, None, None)


def test_a_batch_garbled_on_its_way_skips_nothing() -> None:
    damage = Damage()
    assert fail(damage, 2) == [10, 10]
    assert (damage.gap(TP, 10), damage.problem()) == (None, None)
    damage.read_to(TP, 15)
    assert not damage


def test_an_unknown_codec_waits_for_a_person_and_is_tried_again() -> None:
    damage = Damage()
    assert fail(damage, 3, Fault.CODEC) == [10, 10, 10]
    assert damage.problem() == "t/1 offset 10 cannot be read: why"
    assert (set(damage.waiting()), damage.due(9.0), damage.gap(TP, 20)) == ({TP}, [], None)
    assert damage.due(10.0) == [TP]
    assert not damage.waiting()
    assert fail(damage, 1, Fault.CODEC, 11.0) == [10]
    assert set(damage.waiting()) == damage.stuck() == {TP}
    damage.forget(TP)
    assert (damage.problem(), damage.stuck(), list(damage.waiting())) == (None, frozenset(), [])
