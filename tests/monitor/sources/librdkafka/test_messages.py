from __future__ import annotations

from hashlib import blake2b
from itertools import count

from confluent_kafka import Message
from hypothesis import given
from hypothesis import strategies as st

from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from monitor.sampling.randomness import MAX
from monitor.sources.librdkafka.messages import Haul, MessageRecord, by_partition


def message(topic: str, partition: int, offset: int) -> Message[bytes, bytes]:
    return Message(topic=topic, partition=partition, offset=offset, key=b"k", value=b"v", timestamp=(1, 5))


def test_a_record_has_everything_of_its_message() -> None:
    whole = Message(
        topic="t", partition=3, offset=7, key=b"k", value=b"v", timestamp=(1, 5), headers=[("a", b"1"), ("a", b"")]
    )
    tombstone = Message(topic="t", partition=0, offset=0, key=None, value=None, timestamp=(1, 0))
    found = [
        (r.topic, r.partition, r.offset, r.key, r.value, r.timestamp, list(r.headers))
        for r in map(MessageRecord, [whole, tombstone])
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


@given(st.lists(st.lists(st.integers(0, 1), max_size=5), max_size=4), st.integers(1, MAX - 1))
def test_a_haul_hands_on_what_is_wanted_and_counts_the_rest(reads: list[list[int]], threshold: int) -> None:
    """Whatever was read in whatever order, no message is lost or told of twice."""
    haul, presample = Haul(Presample(threshold)), Presample(threshold)
    offsets = count()
    everything: dict[TopicPartition, list[Message[bytes, bytes]]] = {}
    for read in reads:
        for tp in (TopicPartition("t", number) for number in read):
            offset = next(offsets)
            key = blake2b(bytes([offset]), digest_size=16).hexdigest().encode()
            one = Message(topic="t", partition=tp.partition, offset=offset, key=key, value=b"v", timestamp=(1, 5))
            everything.setdefault(tp, []).append(one)
            haul.add(tp, [one], offset + 1)
    batches = haul.batches()
    assert {batch.partition: batch.next_offset - 1 for batch in batches} == {
        tp: taken[-1].offset() for tp, taken in everything.items()
    }
    for batch in batches:
        taken = everything[batch.partition]
        wanted = presample.wanted("t", [m.key() for m in taken])
        assert [(r.key, r.offset) for r in batch.records] == [(taken[at].key(), taken[at].offset()) for at in wanted]
        assert batch.unwanted == len(taken) - len(wanted)
    assert haul.size == sum(len(batch.records) for batch in batches)
    assert haul.bytes == sum(len(record.value or b"") for batch in batches for record in batch.records)


def test_without_a_presample_everything_is_handed_on() -> None:
    haul = Haul(None)
    haul.add(TopicPartition("t", 0), [message("t", 0, 4), message("t", 0, 5)], 6)
    haul.add(TopicPartition("t", 0), [message("t", 0, 6)], 9)
    (batch,) = haul.batches()
    assert ([r.offset for r in batch.records], batch.next_offset, batch.unwanted) == ([4, 5, 6], 9, 0)


def test_what_was_dropped_is_in_no_batch_and_no_sum() -> None:
    haul, a, b = Haul(None), TopicPartition("t", 0), TopicPartition("t", 1)
    haul.add(a, [message("t", 0, 4), message("t", 0, 5)], 6)
    haul.add(b, [message("t", 1, 7)], 8)
    haul.drop([a, TopicPartition("t", 2)])
    assert ([batch.partition for batch in haul.batches()], haul.size, haul.bytes) == ([b], 1, 1)
