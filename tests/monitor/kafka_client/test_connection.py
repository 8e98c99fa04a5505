from __future__ import annotations

import asyncio
import random
import ssl
from pathlib import Path

import pytest
from aiokafka import errors

from monitor.building import build_connection
from monitor.config.settings import Kafka, KafkaSecurity, Settings
from monitor.config.values import Secret
from monitor.errors import ConfigError
from monitor.kafka_client.backoff import backoff
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.diagnosis import describe, why_unreachable
from tests.brokers import free_ports, run


def secured(**security: object) -> KafkaConnection:
    return KafkaConnection(Kafka(security=KafkaSecurity.model_validate(security)))


def problems(connection: KafkaConnection) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        connection.check()
    return caught.value.problems


def test_every_missing_part_of_the_security_is_named_at_once(tmp_path: Path) -> None:
    connection = secured(protocol="sasl_ssl", mechanism="scram-sha-256", ca_file=tmp_path / "missing.pem")
    found = problems(connection)
    assert [problem.split(":")[0] for problem in found] == [
        "kafka.security.username",
        "kafka.security.password",
        "kafka.security.ca_file",
    ]


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    assert str(file) in problems(secured(protocol="ssl", ca_file=file))[0]


def test_oauthbearer_needs_a_token() -> None:
    assert problems(secured(protocol="sasl_plaintext", mechanism="oauthbearer")) == [
        "kafka.security.token: oauthbearer needs a token"
    ]


def test_a_token_file_is_read_at_each_connection(tmp_path: Path) -> None:
    file = tmp_path / "token"
    security = KafkaSecurity(protocol="sasl_plaintext", mechanism="oauthbearer", token=Secret(file=file))
    options = build_connection(Settings(kafka=Kafka(security=security))).options()
    provider = options["sasl_oauth_token_provider"]
    seen = []
    for token in ("first\n", " second"):
        file.write_text(token)
        seen.append(asyncio.run(provider.token()))
    assert seen == ["first", "second"]


def test_secrets_are_not_shown() -> None:
    assert "hush" not in repr(KafkaConnection(Kafka(), "hush", lambda: "hush"))


def test_an_unchecked_host_name_is_a_choice() -> None:
    context = secured(protocol="ssl", check_hostname=False).options()["ssl_context"]
    assert isinstance(context, ssl.SSLContext)
    assert (context.check_hostname, context.verify_mode) == (False, ssl.CERT_REQUIRED)


def test_a_port_where_nobody_listens_is_told() -> None:
    (port,) = free_ports(0)
    options = KafkaConnection(Kafka(brokers=(f"127.0.0.1:{port}",))).options()
    why = run(why_unreachable(options, 2.0))
    assert why == f"127.0.0.1:{port}: connection refused"


def test_an_error_says_which_setting_to_look_at() -> None:
    told = describe(errors.SaslAuthenticationFailed("wrong password"))
    assert "kafka.security.username" in told


def test_waiting_grows_and_is_bounded() -> None:
    rng = random.Random(7)
    waits = [backoff(attempt, rng) for attempt in range(1, 2000)]
    assert 0.25 <= waits[0] <= 0.5
    assert max(waits) <= 10.0
    assert min(waits[10:]) >= 5.0
