"""What every aiokafka client of ours is built with: brokers, TLS, SASL, bounds."""

from __future__ import annotations

import asyncio
import importlib.util
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiokafka import codec
from aiokafka.abc import AbstractTokenProvider

from monitor.config.settings import Kafka, KafkaSecurity
from monitor.errors import ConfigError

_RETRY_BACKOFF_MS = 200
_METADATA_MAX_AGE_MS = 30_000  # how late a new partition or topic is noticed


@dataclass(frozen=True, slots=True)
class KafkaConnection:
    """The cluster and the secrets to reach it.

    `token` gives the OAUTHBEARER token; it is called in a worker thread at each new connection, so it may block and
    should give a fresh token each time.
    """

    kafka: Kafka
    password: str | None = field(default=None, repr=False)
    token: Callable[[], str] | None = field(default=None, repr=False)

    def check(self) -> None:
        """Raise ConfigError with every problem that needs no broker to be seen. Reads the certificate files."""
        problems = [*_codec_problems(), *_sasl_problems(self)]
        try:
            _ssl_context(self.kafka.security)
        except ConfigError as error:
            problems += error.problems
        if problems:
            raise ConfigError(problems)

    def options(self) -> dict[str, Any]:
        """Keyword arguments for any aiokafka client but the request timeout. Raises ConfigError.

        Reads certificate files (call it in a thread) each time, so that a renewed certificate is taken up with the
        next client.
        """
        security = self.kafka.security
        options: dict[str, Any] = {
            "bootstrap_servers": list(self.kafka.brokers),
            "client_id": self.kafka.client_id,
            "retry_backoff_ms": _RETRY_BACKOFF_MS,
            "metadata_max_age_ms": _METADATA_MAX_AGE_MS,
            "security_protocol": security.protocol.upper(),
            "ssl_context": _ssl_context(security),
        }
        if security.protocol.startswith("sasl"):
            options |= {
                "sasl_mechanism": security.mechanism.upper(),
                "sasl_plain_username": security.username,
                "sasl_plain_password": self.password,
                "sasl_oauth_token_provider": None if self.token is None else _TokenProvider(self.token),
            }
        return options


class _TokenProvider(AbstractTokenProvider):  # type: ignore[misc]  # aiokafka is untyped
    """Hands aiokafka a fresh token without blocking the event loop, on which the heartbeats live."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    async def token(self) -> str:
        return await asyncio.to_thread(self._read)


def _codec_problems() -> list[str]:
    """A missing codec would show only when the first such batch comes, and then block its partition for ever."""
    present = {"gzip": codec.has_gzip(), "snappy": codec.has_snappy(), "lz4": codec.has_lz4(), "zstd": codec.has_zstd()}
    missing = [name for name, there in present.items() if not there]
    if not missing:
        return []
    return [f"Kafka compression {', '.join(missing)} cannot be read: install aiokafka[snappy,lz4,zstd]"]


def _sasl_problems(connection: KafkaConnection) -> list[str]:
    security = connection.kafka.security
    if not security.protocol.startswith("sasl"):
        return []
    if security.mechanism == "gssapi":
        there = importlib.util.find_spec("gssapi") is not None
        return [] if there else ["kafka.security.mechanism: gssapi needs the extra: pip install 'ragmon[kerberos]'"]
    if security.mechanism == "oauthbearer":
        return [] if connection.token is not None else ["kafka.security.token: oauthbearer needs a token"]
    problems = []
    if not security.username:
        problems.append(f"kafka.security.username: {security.mechanism} needs a user name")
    if not connection.password:
        problems.append(f"kafka.security.password: {security.mechanism} needs a password")
    return problems


def _ssl_context(security: KafkaSecurity) -> ssl.SSLContext | None:
    if security.protocol not in {"ssl", "sasl_ssl"}:
        return None
    try:
        context = ssl.create_default_context(cafile=security.ca_file)
    except OSError as error:  # ssl.SSLError is one
        raise ConfigError([f"kafka.security.ca_file: {security.ca_file} cannot be used ({error})"]) from None
    context.check_hostname = security.check_hostname
    if security.cert_file is not None:
        try:
            context.load_cert_chain(security.cert_file, security.key_file)
        except OSError as error:
            problem = f"kafka.security.cert_file, key_file: {security.cert_file} cannot be used ({error})"
            raise ConfigError([problem]) from None
    return context
