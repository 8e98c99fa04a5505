"""Rules of closing: a producer that is given up fails what it holds, and leaves nothing for asyncio to complain of."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer, errors

from monitor.kafka_client.closing import abandon_producer
from tests.brokers import Tansu, run, unique


def test_what_a_given_up_producer_holds_fails_without_a_complaint(tansu: Tansu) -> None:
    complaints: list[dict[str, Any]] = []

    async def go() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
        producer = AIOKafkaProducer(bootstrap_servers=tansu.address)
        await producer.start()
        topic = unique("closing")
        await producer.partitions_for(topic)
        batch = producer.create_batch()
        batch.append(key=None, value=b"v", timestamp=None)
        written = await producer.send_batch(batch, topic, partition=0)
        await abandon_producer(producer)
        with pytest.raises(errors.ProducerClosed):
            await written
        del batch, producer, written
        gc.collect()

    run(go())
    gc.collect()
    assert complaints == []
