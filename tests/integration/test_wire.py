"""What a real Collector wrote to Kafka gives the same requests as the captures that it was sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.privacy.scan import KINDS
from tests.brokers import Broker, RealKafka, Tansu, create_topic, read_all, run
from tests.integration.monitors import cases_in, monitoring, settings_for
from tests.integration.recorded import ENCODINGS, expected, found, produce_again, records_of


def check(broker: Broker, folder: Path, encoding: str) -> None:
    """Produce the recorded records, let the judge role read them, compare what stands in the case topic."""
    wanted = expected()
    assert wanted.total() == 81

    async def go() -> None:
        # nothing is redacted, so that texts can be compared; a trace without an entry span waits for the timeout
        settings = settings_for(broker, folder, privacy={"disable": KINDS}, assembly={"quiet": 1.5, "timeout": 4})
        topic = settings.source.topics[0]
        await create_topic(broker, topic)
        await produce_again(broker, topic, records_of(encoding))
        async with monitoring(settings, ("judge",)) as running:
            await running.until(lambda: running.stage("judge").passed >= wanted.total(), "every request is judged")
            await running.until(lambda: not running.stage("assemble").held, "no trace is open")
        cases = {case.case_id: case for case in await cases_in(broker, settings)}  # a slow broker gets some twice
        requests = found(cases.values())
        assert (requests - wanted, wanted - requests) == ({}, {})
        assert await read_all(broker, settings.topics.dead_letters) == []

    run(go())


def test_keyed_protobuf_gives_the_requests_of_the_captures(tansu: Tansu, tmp_path: Path) -> None:
    check(tansu, tmp_path, "otlp_proto")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_recorded_encoding_gives_them_on_a_real_kafka(kafka: RealKafka, tmp_path: Path, encoding: str) -> None:
    check(kafka, tmp_path, encoding)
