"""An error of Kafka is told in words for a person."""

from __future__ import annotations

import pytest
from aiokafka.errors import KafkaConnectionError

from monitor.kafka_client.diagnosis import describe


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "broker.example"])
def test_a_broker_is_named_by_host_and_port_and_not_as_python_writes_an_address(host: str) -> None:
    brokers = f"[('{host}', 9092, <AddressFamily.AF_INET: 2>), ('{host}', 9093, <AddressFamily.AF_UNSPEC: 0>)]"
    told = describe(KafkaConnectionError(f"Unable to bootstrap from {brokers}"))
    assert told.endswith(f"Unable to bootstrap from [{host}:9092, {host}:9093]")
