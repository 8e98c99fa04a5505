"""Our settings as librdkafka's configuration properties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from monitor.config.settings import KafkaSecurity, SourceSettings
from monitor.errors import ConfigError
from monitor.kafka_client.connection import KafkaConnection
from monitor.protocols import Clock

log = structlog.get_logger(__name__)

_FETCH_WAIT_MS = 250
_METADATA_MAX_AGE_MS = 30_000  # how late a new partition is noticed
_RECONNECT_MAX_MS = 5000
_QUEUE_KB = 64 << 10  # fetched ahead, over all partitions
_QUEUE_BACKOFF_MS = 10  # by default a full queue stops fetching for a second: longer than it takes to empty it
_ERROR_BACKOFF_MS = 50  # a damaged batch is walked over offset by offset, each with this pause
_MAX_HEARTBEAT_S = 3.0
_TOKEN_LIFE_S = 60.0


def check(connection: KafkaConnection) -> None:
    """Raise ConfigError with every problem that needs no broker to be seen. Reads the certificate files."""
    problems = []
    try:
        connection.check()
    except ConfigError as error:
        problems += error.problems
    security = connection.kafka.security
    if security.protocol.startswith("sasl") and security.mechanism == "gssapi":
        problems.append(
            "kafka.security.mechanism: gssapi needs source.client: aiokafka; this build of librdkafka has none"
        )
    if problems:
        raise ConfigError(problems)


def consumer_options(connection: KafkaConnection, settings: SourceSettings, clock: Clock) -> dict[str, Any]:
    """Everything but the callbacks of one consumer."""
    kafka = connection.kafka
    return {
        "bootstrap.servers": ",".join(kafka.brokers),
        "client.id": kafka.client_id,
        "group.id": settings.group,
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "auto.offset.reset": "error",  # we decide: "latest" would jump over records without a word
        "enable.partition.eof": True,  # tells the position behind transaction markers and compacted records
        "isolation.level": "read_committed",
        "check.crcs": True,
        "allow.auto.create.topics": False,
        # range first: partition k of every topic goes to one member, so that spans and logs of a trace meet. Both are
        # eager: everything is revoked, committed and then shared out anew.
        "partition.assignment.strategy": "range,roundrobin",
        "session.timeout.ms": _ms(settings.session_timeout),
        "heartbeat.interval.ms": _ms(min(_MAX_HEARTBEAT_S, settings.session_timeout / 5)),
        # it is also the time to rejoin, and may not be below the session timeout
        "max.poll.interval.ms": _ms(max(settings.max_poll_interval, settings.session_timeout)),
        "socket.timeout.ms": _ms(kafka.request_timeout),
        "socket.connection.setup.timeout.ms": max(1000, _ms(kafka.request_timeout)),
        "reconnect.backoff.max.ms": _RECONNECT_MAX_MS,
        "topic.metadata.refresh.interval.ms": _METADATA_MAX_AGE_MS,
        "fetch.wait.max.ms": _FETCH_WAIT_MS,
        "fetch.error.backoff.ms": _ERROR_BACKOFF_MS,
        "fetch.queue.backoff.ms": _QUEUE_BACKOFF_MS,
        "max.partition.fetch.bytes": settings.fetch_bytes,
        "queued.max.messages.kbytes": _QUEUE_KB,
        "logger": _Log(),
        **_security(connection, clock),
    }


def _security(connection: KafkaConnection, clock: Clock) -> dict[str, Any]:
    security = connection.kafka.security
    options: dict[str, Any] = {"security.protocol": security.protocol}
    if security.protocol in {"ssl", "sasl_ssl"}:
        options |= _tls(security)
    if security.protocol.startswith("sasl"):
        options["sasl.mechanisms"] = security.mechanism.upper()
        if security.mechanism == "oauthbearer" and connection.token is not None:
            options["oauth_cb"] = _token_source(connection.token, clock)
        else:
            options |= {"sasl.username": security.username, "sasl.password": connection.password}
    return options


def _tls(security: KafkaSecurity) -> dict[str, Any]:
    named = {
        "ssl.ca.location": security.ca_file,
        "ssl.certificate.location": security.cert_file,
        "ssl.key.location": security.key_file or security.cert_file,
    }
    files = {name: str(path) for name, path in named.items() if path is not None}
    return files | {"ssl.endpoint.identification.algorithm": "https" if security.check_hostname else "none"}


def _token_source(read: Callable[[], str], clock: Clock) -> Callable[[str], tuple[str, float]]:
    """A token is asked for again well before the end of a short life: another process may have renewed it."""

    def token(_config: str) -> tuple[str, float]:
        return read(), clock.now_ns() / 1e9 + _TOKEN_LIFE_S

    return token


class _Log:
    """What librdkafka would write to the standard error. Its errors come as events, too, so this is for debugging."""

    def log(self, _level: int, text: str, *values: object) -> None:
        log.debug("librdkafka", text=text % values)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
