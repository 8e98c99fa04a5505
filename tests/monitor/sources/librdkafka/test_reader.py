"""What the reader makes of messages, errors and rebalances that come out of one `consume`; brokers show the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from confluent_kafka import OFFSET_BEGINNING, OFFSET_END, KafkaError, KafkaException, Message
from confluent_kafka import TopicPartition as ClientPartition

from monitor.config.settings import SourceSettings
from monitor.errors import SourceError
from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from monitor.sampling.randomness import MAX
from monitor.sources.librdkafka import reader
from monitor.sources.librdkafka.damage import Gap
from monitor.sources.librdkafka.reader import ConsumerReader
from monitor.sources.librdkafka.worker import Worker
from monitor.wire import Batch
from tests.brokers import run
from tests.fakes import FakeClock

A, B = TopicPartition("t", 0), TopicPartition("t", 1)


SETTINGS = SourceSettings(poll_records=4)
UNWANTED = b"0" * 32


def message(
    tp: TopicPartition, offset: int, error: int | None = None, key: bytes | None = None, value: bytes = b"v"
) -> Message[bytes, bytes]:
    failure = None if error is None else KafkaError(error, "text")
    return Message(topic=tp.topic, partition=tp.partition, offset=offset, key=key, value=value, error=failure)


def unwanted(tp: TopicPartition, *offsets: int) -> list[Message[bytes, bytes]]:
    return [message(tp, offset, key=UNWANTED) for offset in offsets]


class Client:
    """Stands in for a librdkafka consumer: each step of the script is what one `consume` does, or gives."""

    def __init__(self, script: Sequence[Callable[[Client], list[Message[bytes, bytes]]]]) -> None:
        self.script = list(script)
        self.callbacks: dict[str, Any] = {}
        self.committed_offsets = {A: 5, B: 50}
        self.commits: list[dict[TopicPartition, int]] = []
        self.seeks: list[tuple[TopicPartition, int]] = []
        self.paused: set[TopicPartition] = set()
        self.fetched: dict[TopicPartition, int] = {}
        self.astray = False
        self.asked: list[int] = []

    def subscribe(self, _topics: list[str], **callbacks: Any) -> None:  # noqa: ANN401 - the client's own callbacks
        self.callbacks = callbacks

    def consume(self, number: int, _timeout: float) -> list[Message[bytes, bytes]]:
        self.asked.append(number)
        return self.script.pop(0)(self)

    def tell(self, callback: str, *tps: TopicPartition) -> None:
        self.callbacks[callback](self, [ClientPartition(*tp) for tp in tps])

    def committed(self, tps: list[ClientPartition], timeout: float) -> list[ClientPartition]:  # noqa: ARG002 - the client's signature
        return [ClientPartition(p.topic, p.partition, self.committed_offsets[_tp(p)]) for p in tps]

    def commit(self, offsets: list[ClientPartition], asynchronous: bool) -> list[ClientPartition]:  # noqa: ARG002, FBT001 - same
        self.commits.append({_tp(p): p.offset for p in offsets})
        return offsets

    def seek(self, partition: ClientPartition) -> None:
        if self.astray:
            raise KafkaException(KafkaError(KafkaError._STATE, "Erroneous state"))
        self.seeks.append((_tp(partition), partition.offset))

    def assign(self, tps: list[ClientPartition]) -> None:
        self.fetched = {_tp(p): p.offset for p in tps}

    def unassign(self) -> None:
        self.fetched = {}

    def pause(self, tps: list[ClientPartition]) -> None:
        self.paused |= set(map(_tp, tps))

    def resume(self, tps: list[ClientPartition]) -> None:
        self.paused -= set(map(_tp, tps))

    def get_watermark_offsets(self, _tp: ClientPartition, cached: bool) -> tuple[int, int]:  # noqa: ARG002, FBT001 - same
        return 0, 1000


def _tp(partition: ClientPartition) -> TopicPartition:
    return TopicPartition(partition.topic, partition.partition)


class Ear:
    """Remembers what it is told; finishes everything below the offsets given."""

    def __init__(self, finished: Mapping[TopicPartition, int]) -> None:
        self.finished = finished
        self.heard: list[str] = []
        self.gaps: list[Gap] = []
        self.confirm = True

    async def assigned(
        self, committed: Mapping[TopicPartition, int | None], starts: Mapping[TopicPartition, int]
    ) -> None:
        assert committed == starts
        self.heard.append("assigned")

    async def revoked(self, gone: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        self.heard.append("revoked")
        return {tp: self.finished[tp] for tp in gone}

    async def given_away(
        self, gone: Sequence[TopicPartition], offsets: Mapping[TopicPartition, int], failure: SourceError | None
    ) -> None:
        assert failure is None
        assert offsets.keys() == set(gone)
        self.heard.append("given away")

    async def lost(self, gone: Sequence[TopicPartition]) -> None:
        self.heard.append(f"lost {len(gone)}")

    async def moved(self, starts: Mapping[TopicPartition, int]) -> None:
        self.heard.append(f"moved {dict(starts)}")

    async def unreadable(self, gap: Gap) -> bool:
        self.gaps.append(gap)
        return self.confirm


def shape(batches: list[Batch]) -> dict[TopicPartition, tuple[list[int], int]]:
    return {b.partition: ([r.offset for r in b.records], b.next_offset) for b in batches}


def read(
    client: Client,
    ear: Ear,
    then: Callable[[ConsumerReader], None] | None = None,
    settings: SourceSettings = SETTINGS,
) -> list[Any]:
    """Make every step of the script, in the reader's thread; what each read gave."""

    async def go() -> list[Any]:
        made = ConsumerReader({}, settings, 5.0, ear, FakeClock(), Presample(MAX - 1))
        made._opened = client  # type: ignore[assignment]  # stands in for the real one
        worker = Worker("test")
        await worker.submit(lambda: made.subscribe(["t"]))
        found = []
        while client.script:
            found.append(shape(await worker.submit(lambda: made.read(0.1, paused=False))))
        if then is not None:
            then(made)
        worker.finish()
        return found

    return run(go(), 10)


def assign(client: Client) -> list[Message[bytes, bytes]]:
    client.tell("on_assign", A, B)
    return []


def give(*messages: Message[bytes, bytes]) -> Callable[[Client], list[Message[bytes, bytes]]]:
    return lambda _client: list(messages)


def test_records_of_all_partitions_come_with_the_position_after_them() -> None:
    client = Client([assign, give(message(A, 5), message(B, 50), message(A, 6))])
    assert read(client, Ear({})) == [{}, {A: ([5, 6], 7), B: ([50], 51)}]


def test_full_polls_of_which_nothing_is_wanted_are_gathered_until_there_is_no_more() -> None:
    client = Client([assign, give(*unwanted(A, 5, 6, 7, 8)), give(*unwanted(B, 50, 51, 52, 53)), give(message(A, 9))])
    assert read(client, Ear({})) == [{}, {A: ([9], 10), B: ([], 54)}]


def test_what_was_gathered_before_a_rebalance_is_read_again() -> None:
    def rebalance(client: Client) -> list[Message[bytes, bytes]]:
        client.tell("on_revoke", A, B)
        client.tell("on_assign", A)
        return []

    client = Client([assign, give(*unwanted(A, 4, 5, 6), message(A, 7)), rebalance, give(message(A, 5))])
    assert read(client, Ear({A: 5, B: 50})) == [{}, {}, {A: ([5], 6)}]
    assert client.fetched == {A: 5}


def test_damage_behind_gathered_records_is_a_gap_behind_them() -> None:
    bad = message(A, 8, KafkaError._BAD_MSG)
    ear = Ear({})
    client = Client(
        [assign, give(*unwanted(A, 4, 5, 6), message(A, 7)), give(bad), give(bad), give(bad), give(message(A, 9))]
    )
    assert read(client, ear) == [{}, {A: ([7], 8)}, {}, {}, {A: ([9], 10)}]
    assert [(gap.first, gap.end) for gap in ear.gaps] == [(8, 9)]


@pytest.mark.parametrize("gathered", [[message(A, 8)], [message(A, 8), message(A, 9)]], ids=["before", "with it"])
def test_what_was_gathered_of_a_partition_that_was_made_anew_is_not_handed_on(
    gathered: list[Message[bytes, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind `moved` the old topic's offsets would be committed in the new one, beyond its end."""
    ends = {OFFSET_BEGINNING: 0, OFFSET_END: 3}
    monkeypatch.setattr(reader, "edges", lambda _client, tps, edge, _bound: dict.fromkeys(tps, ends[edge]))
    ear, gone = Ear({}), message(A, 10, KafkaError._AUTO_OFFSET_RESET)
    takes = [*unwanted(A, 5, 6, 7), gathered[0]], [message(B, 50), *gathered[1:], gone]
    client = Client([assign, give(*takes[0]), give(*takes[1]), give(message(A, 0))])
    assert read(client, ear) == [{}, {B: ([50], 51)}, {A: ([0], 1)}]
    assert ear.heard == ["assigned", f"moved { ({A: 0}) }"]
    assert client.fetched == {A: 0, B: 51}


def test_what_was_gathered_of_a_partition_whose_position_is_there_after_all_is_handed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = {OFFSET_BEGINNING: 0, OFFSET_END: 9}
    monkeypatch.setattr(reader, "edges", lambda _client, tps, edge, _bound: dict.fromkeys(tps, ends[edge]))
    ear = Ear({})
    gone = message(A, 9, KafkaError._AUTO_OFFSET_RESET)
    client = Client([assign, give(*unwanted(A, 5, 6, 7), message(A, 8)), give(gone)])
    assert read(client, ear) == [{}, {A: ([8], 9)}]
    assert ear.heard == ["assigned"]


@pytest.mark.parametrize("nothing", [[], [message(A, 7, value=b"")]], ids=["idle", "empty values"])
def test_takes_stay_small_while_nothing_tells_of_the_size_of_records(nothing: list[Message[bytes, bytes]]) -> None:
    large = [message(A, offset, value=bytes(1 << 20)) for offset in (5, 6)]
    client = Client([assign, give(*large), give(*nothing), give(message(A, 8)), give()])
    read(client, Ear({}), settings=SourceSettings(poll_records=500))
    assert client.asked == [20, 20, 2, 2, 500]


def test_what_one_call_took_around_a_rebalance_is_read_again() -> None:
    """librdkafka may give messages of before the rebalance together with those of the new assignment."""

    def rebalance(client: Client) -> list[Message[bytes, bytes]]:
        client.tell("on_revoke", A, B)
        client.tell("on_assign", A)
        return [message(A, 7), message(B, 51), message(A, 5)]

    ear = Ear({A: 5, B: 51})
    client = Client([assign, give(message(A, 5), message(A, 6)), rebalance, give(message(A, 5), message(A, 6))])
    assert read(client, ear) == [{}, {A: ([5, 6], 7)}, {}, {A: ([5, 6], 7)}]
    assert ear.heard == ["assigned", "revoked", "given away", "assigned"]
    assert client.commits == [{A: 5, B: 51}]
    assert client.fetched == {A: 5}


def test_nothing_is_committed_of_partitions_that_were_lost() -> None:
    def lose(client: Client) -> list[Message[bytes, bytes]]:
        client.tell("on_lost", A, B)
        return [message(A, 5)]

    ear = Ear({})
    client = Client([assign, lose])
    assert read(client, ear) == [{}, {}]
    assert (ear.heard, client.commits) == (["assigned", "lost 2"], [])


def test_the_end_of_a_partition_moves_the_position_past_transaction_markers() -> None:
    eof = KafkaError._PARTITION_EOF
    client = Client([assign, give(message(A, 5), message(A, 7, eof)), give(message(A, 7, eof), message(B, 50, eof))])
    assert read(client, Ear({})) == [{}, {A: ([5], 7)}, {}]


def test_behind_damage_nothing_is_trusted_and_the_gap_is_told_before_it_is_passed() -> None:
    bad = message(A, 6, KafkaError._BAD_MSG)
    ear = Ear({})
    script = [assign, give(message(A, 5), bad, message(A, 900)), give(bad), give(bad), give(bad), give(message(A, 8))]
    client = Client(script)
    assert read(client, ear) == [{}, {A: ([5], 6)}, {}, {}, {}, {A: ([8], 9)}]
    assert client.seeks == [(A, 6), (A, 6), (A, 7), (A, 8)]
    assert [(gap.first, gap.end) for gap in ear.gaps] == [(6, 8)]


def test_where_librdkafka_seeks_no_more_all_partitions_are_fetched_anew_from_where_they_stand() -> None:
    bad = message(A, 6, KafkaError._BAD_MSG)
    client = Client([assign, give(message(B, 50), message(A, 5), bad), give(bad), give(bad)])
    client.astray = True
    assert read(client, Ear({})) == [{}, {A: ([5], 6), B: ([50], 51)}, {}, {}]
    assert client.fetched == {A: 7, B: 51}


def test_a_gap_is_not_passed_before_its_dead_letter_is_written() -> None:
    bad = message(A, 5, KafkaError._BAD_MSG)
    ear = Ear({})
    ear.confirm = False
    client = Client([assign, give(bad), give(bad), give(bad), give(message(A, 6))])
    assert read(client, ear) == [{}, {}, {}, {}, {}]
    assert client.seeks[-1] == (A, 6)


def test_an_error_of_the_group_is_a_problem_until_records_come() -> None:
    complaints = []
    denied = Message(error=KafkaError(KafkaError.GROUP_AUTHORIZATION_FAILED, "denied"))
    client = Client([assign, give(denied)])
    read(client, Ear({}), lambda reader: complaints.append(reader.complaint))
    client = Client([assign, give(denied), give(message(A, 5))])
    read(client, Ear({}), lambda reader: complaints.append(reader.complaint))
    assert complaints == ["not allowed in the consumer group; give the user READ (denied)", None]


def test_a_commit_of_an_earlier_assignment_is_refused() -> None:
    def refused(reader: ConsumerReader) -> None:
        with pytest.raises(SourceError, match="a rebalance came in between"):
            reader.commit({A: 6}, reader.assignment - 1)

    client = Client([assign])
    read(client, Ear({}), refused)
    assert client.commits == []
