from __future__ import annotations

import sys
from pathlib import Path

import pytest
from confluent_kafka import Consumer

from monitor.building import build_source
from monitor.config.settings import Kafka, KafkaSecurity, SourceSettings
from monitor.errors import ConfigError
from monitor.kafka_client.connection import KafkaConnection
from monitor.sources.librdkafka.options import check, consumer_options
from tests.fakes import FakeClock


def secured(password: str | None = None, **security: object) -> KafkaConnection:
    return KafkaConnection(Kafka(security=KafkaSecurity.model_validate(security)), password)


@pytest.mark.parametrize(
    ("connection", "settings"),
    [
        (secured(), {}),
        (secured(), {"session_timeout": 6, "max_poll_interval": 2}),
        (secured(protocol="ssl", check_hostname=False), {"fetch_bytes": 1024, "poll_records": 100_000}),
        (secured("secret", protocol="sasl_plaintext", username="u"), {"rebalance_timeout": 1}),
        (secured("secret", protocol="sasl_ssl", mechanism="scram-sha-512", username="u"), {}),
    ],
)
def test_librdkafka_takes_what_we_give_it(connection: KafkaConnection, settings: dict[str, object]) -> None:
    """It refuses unknown properties, values out of range, and poll intervals below the session timeout."""
    options = consumer_options(connection, SourceSettings.model_validate(settings), FakeClock())
    Consumer(options).close()


def test_every_part_of_the_security_is_handed_on(tmp_path: Path) -> None:
    security = {"ca_file": tmp_path / "ca", "cert_file": tmp_path / "cert", "key_file": tmp_path / "key"}
    named = {"protocol": "sasl_ssl", "mechanism": "scram-sha-256", "username": "me", "check_hostname": False}
    options = consumer_options(secured("secret", **security, **named), SourceSettings(), FakeClock())
    assert {name: value for name, value in options.items() if name.startswith(("ssl", "sasl", "security"))} == {
        "security.protocol": "sasl_ssl",
        "ssl.ca.location": str(tmp_path / "ca"),
        "ssl.certificate.location": str(tmp_path / "cert"),
        "ssl.key.location": str(tmp_path / "key"),
        "ssl.endpoint.identification.algorithm": "none",
        "sasl.mechanisms": "SCRAM-SHA-256",
        "sasl.username": "me",
        "sasl.password": "secret",
    }


def test_a_token_is_asked_for_anew_each_time_and_lives_for_a_minute() -> None:
    tokens = iter(("first", "second"))
    kafka = Kafka(security=KafkaSecurity(protocol="sasl_plaintext", mechanism="oauthbearer"))
    connection = KafkaConnection(kafka, token=lambda: next(tokens))
    options = consumer_options(connection, SourceSettings(), FakeClock(5_000_000_000))
    seen = [options["oauth_cb"](""), options["oauth_cb"]("")]
    assert seen == [("first", 65.0), ("second", 65.0)]
    assert "sasl.username" not in options


def test_kerberos_and_every_other_problem_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        check(secured(protocol="sasl_ssl", mechanism="gssapi", ca_file=tmp_path / "missing.pem"))
    text = str(caught.value)
    assert "kafka.security.ca_file" in text
    assert "gssapi needs source.client: aiokafka" in text


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("monitor.sources.librdkafka")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)  # this is how Python itself marks a missing module
    with pytest.raises(ConfigError, match=r"source.client: .*pip install 'ragmon\[librdkafka\]'"):
        build_source(secured(), SourceSettings(client="librdkafka"), FakeClock())
