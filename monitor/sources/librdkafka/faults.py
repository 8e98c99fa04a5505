"""Errors of librdkafka in words for a person, with what to do about them where that is known."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from confluent_kafka import KafkaError, KafkaException

from monitor.errors import SourceError
from monitor.kafka_client.isolation import Fault

_STATE = re.compile(r" \(after \d+ms in state ")
"""What librdkafka puts behind an error, up to its end: how long the connection was in which state."""

_ADVICE = {
    KafkaError._AUTHENTICATION: "authentication failed; see kafka.security.username, password and mechanism",  # noqa: SLF001 - librdkafka's own codes are spelt so
    KafkaError.SASL_AUTHENTICATION_FAILED: "authentication failed; see kafka.security.username, password and mechanism",
    KafkaError.UNSUPPORTED_SASL_MECHANISM: "the broker does not offer this way to log in; see kafka.security.mechanism",
    KafkaError._RESOLVE: "the host name cannot be resolved; see kafka.brokers or --brokers",  # noqa: SLF001 - same
    KafkaError.TOPIC_AUTHORIZATION_FAILED: "not allowed on the topic; give the user READ, WRITE and DESCRIBE",
    KafkaError.GROUP_AUTHORIZATION_FAILED: "not allowed in the consumer group; give the user READ",
}

DAMAGE = {
    KafkaError._BAD_MSG: Fault.CORRUPT,  # noqa: SLF001 - same
    KafkaError._BAD_COMPRESSION: Fault.CORRUPT,  # noqa: SLF001 - same
    KafkaError._UNDERFLOW: Fault.CORRUPT,  # noqa: SLF001 - same
    KafkaError.INVALID_MSG: Fault.CORRUPT,
    KafkaError._NOT_IMPLEMENTED: Fault.CODEC,  # noqa: SLF001 - same
}
"""Errors of one place in a partition."""


def describe(error: KafkaError) -> str:
    """An error of a connection, a request or a partition."""
    text = _STATE.split(error.str(), maxsplit=1)[0]
    if error.code() == KafkaError._SSL or "SSL handshake failed" in text:  # noqa: SLF001 - same
        if "certificate verify failed" in text:
            return f"certificate refused; see kafka.security.ca_file and check_hostname ({text})"
        return f"TLS failed; see kafka.security.protocol ({text})"
    advice = _ADVICE.get(error.code())
    return text if advice is None else f"{advice} ({text})"


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Turns the client's exceptions into SourceError."""
    try:
        yield
    except KafkaException as error:
        raise SourceError(describe(error.args[0])) from error
