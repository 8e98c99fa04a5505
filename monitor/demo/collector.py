"""The Collector's part in the demo: writes the service's spans to the topic as its Kafka exporter does."""

from __future__ import annotations

from collections.abc import Sequence

from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from exporters.kafka_batches import Outgoing
from exporters.kafka_writer import KafkaWriter
from monitor.clock import SystemClock
from monitor.config.settings import Topics
from monitor.demo.service import TraceRecord
from monitor.kafka_client.connection import KafkaConnection

PARTITIONS = 2


class Collector:
    """Creates the topic and writes to it, every record confirmed."""

    def __init__(self, connection: KafkaConnection, topic: str) -> None:
        self._connection = connection
        self._topic = topic
        self._writer = KafkaWriter(connection, Topics(create=False), 0.0, SystemClock())

    async def start(self) -> None:
        """Create the topic. Raises KafkaError."""
        admin = AIOKafkaAdminClient(**self._connection.options())
        try:
            await admin.start()
            await admin.create_topics([NewTopic(self._topic, PARTITIONS, 1)])
        finally:
            await admin.close()

    async def send(self, records: Sequence[TraceRecord]) -> None:
        """Write the records; returns when they are confirmed. Raises SinkError."""
        await self._writer.write(self._topic, [Outgoing(record.key, record.value) for record in records])

    async def stop(self) -> None:
        """Flush and close. Idempotent."""
        await self._writer.stop()
