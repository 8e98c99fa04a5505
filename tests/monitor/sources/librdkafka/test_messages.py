from __future__ import annotations

from confluent_kafka import Message
from hypothesis import given
from hypothesis import strategies as st

from monitor.records import TopicPartition
from monitor.sources.librdkafka.messages import MessageRecords, by_partition


def message(topic: str, partition: int, offset: int) -> Message[bytes, bytes]:
    return Message(topic=topic, partition=partition, offset=offset, key=b"k", value=b"v", timestamp=(1, 5))


def test_a_record_has_everything_of_its_message() -> None:
    whole = Message(
        topic="t", partition=3, offset=7, key=b"k", value=b"v", timestamp=(1, 5), headers=[("a", b"1"), ("a", b"")]
    )
    tombstone = Message(topic="t", partition=0, offset=0, key=None, value=None, timestamp=(1, 0))
    found = [
        (r.topic, r.partition, r.offset, r.key, r.value, r.timestamp, list(r.headers))
        for r in MessageRecords([whole, tombstone])
    ]
    assert found == [("t", 3, 7, b"k", b"v", 5, [("a", b"1"), ("a", b"")]), ("t", 0, 0, None, None, 0, [])]


places = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)))


@given(places)
def test_grouping_keeps_every_message_and_the_order_in_each_partition(taken: list[tuple[str, int]]) -> None:
    messages = [message(topic, partition, offset) for offset, (topic, partition) in enumerate(taken)]
    groups = by_partition(messages, one_topic=False)
    assert {tp: [m.offset() for m in group] for tp, group in groups.items()} == {
        TopicPartition(*tp): [offset for offset, place in enumerate(taken) if place == tp] for tp in set(taken)
    }


@given(st.lists(st.integers(0, 3)))
def test_in_one_topic_the_partition_number_is_enough(taken: list[int]) -> None:
    messages = [message("t", partition, offset) for offset, partition in enumerate(taken)]
    assert by_partition(messages, one_topic=True) == by_partition(messages, one_topic=False)


def test_records_are_made_when_they_are_asked_for_and_all_ways_give_the_same() -> None:
    messages = [Message(topic="t", offset=n, key=f"k{n}".encode(), value=b"v", timestamp=(1, 5)) for n in range(4)]
    records = MessageRecords(messages)
    everything = [(b"k0", 0), (b"k1", 1), (b"k2", 2), (b"k3", 3)]
    assert [(record.key, record.offset) for record in records] == everything
    assert [(records[at].key, records[at].offset) for at in range(4)] == everything
    assert [(record.key, record.offset) for record in records[1:-1]] == everything[1:-1]
    assert records.keys == [b"k0", b"k1", b"k2", b"k3"]
    assert (len(records), records[-1].offset) == (4, 3)
