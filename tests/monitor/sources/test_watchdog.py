from __future__ import annotations

from monitor.records import TopicPartition
from monitor.sources.watchdog import Reading, Watchdog

A, B = TopicPartition("t", 0), TopicPartition("t", 1)


def watchdog() -> Watchdog:
    return Watchdog(stall_after=60.0, join_after=90.0, since=1000.0)


def test_a_client_whose_broker_answers_is_alive() -> None:
    dog = watchdog()
    dog.answered(1055.0)
    assert dog.broken(1110.0) is None


def test_silence_of_the_brokers_is_told_with_its_reason() -> None:
    dog = watchdog()
    dog.unanswered("no answer in time")
    assert (dog.unreachable(), dog.broken(1060.0)) == ("no answer in time", None)
    assert dog.broken(1061.0) == "no broker has answered for 61 s: no answer in time"


def test_the_age_of_a_commit_counts_from_when_it_was_first_wanted() -> None:
    dog = watchdog()
    for now in (1010.0, 1040.0, 1070.0):
        dog.answered(now)
        dog.commit_wanted(now)
    assert dog.broken(1071.0) == "no offset commit has succeeded for 61 s"
    dog.committed(12.0)
    assert dog.broken(1071.0) is None


def test_a_group_that_does_not_share_out_its_partitions_is_left_after_a_time() -> None:
    dog = watchdog()
    for now in (1010.0, 1060.0, 1100.0):
        dog.answered(now)
        dog.joining(now)
    assert dog.broken(1100.0) is None
    assert dog.broken(1101.0) == "the group has not shared out the partitions for 91 s"
    dog.joined()
    assert dog.broken(1101.0) is None


def test_a_partition_that_stands_still_with_records_ahead_is_broken() -> None:
    dog = watchdog()
    for now, other in ((1000.0, 5), (1030.0, 6), (1061.0, 7)):
        dog.answered(now)
        dog.read({A: Reading(5, 9), B: Reading(other, 9)}, now)
    assert dog.broken(1061.0) == "t/0 stands at offset 5 for 61 s with records ahead"


def test_a_partition_at_its_end_or_not_being_read_is_not_stalled() -> None:
    dog = watchdog()
    dog.read({A: Reading(5, 9), B: Reading(9, 9)}, 1000.0)
    dog.read({}, 1030.0)
    dog.read({A: Reading(5, 9), B: Reading(9, 9)}, 1061.0)
    dog.answered(1061.0)
    assert dog.broken(1061.0) is None
