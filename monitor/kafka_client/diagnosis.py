"""Why a cluster cannot be reached, in words for a person. aiokafka itself says only "unable to bootstrap"."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
from typing import Any

from aiokafka import errors
from aiokafka.conn import AIOKafkaConnection, collect_hosts

_BROKER = re.compile(r"\('([^']*)', (\d+), <AddressFamily[^<>]*>\)")
"""A broker as aiokafka's errors write it."""
_CLIENT_ONLY = ("bootstrap_servers", "retry_backoff_ms", "metadata_max_age_ms")
_FAREWELL_S = 1.0
"""For a connection to close: TLS says farewell first, and a frozen broker never answers it."""


async def why_unreachable(options: dict[str, Any], within: float) -> str:
    """Try each broker once, `within` seconds each; one clause for each, or what to say when all answer by now."""
    connect = {name: value for name, value in options.items() if name not in _CLIENT_ONLY}
    clauses = []
    for host, port, _ in sorted(collect_hosts(options["bootstrap_servers"])):
        connection = AIOKafkaConnection(host, port, request_timeout_ms=round(within * 1000), **connect)
        try:
            async with asyncio.timeout(within):
                await connection.connect()
            found = "answers again"
        except OSError as error:  # no connection; TimeoutError is an OSError
            found = describe(error)
        except errors.KafkaError as error:
            found = describe(error)
            await _closed(connection)
        else:
            await _closed(connection)
        clauses.append(f"{host}:{port}: {found}")
    return "; ".join(clauses)


async def _closed(connection: AIOKafkaConnection) -> None:
    """Wait until the socket is closed: a loop that ends before says so on standard error."""
    await asyncio.wait([connection.close()], timeout=_FAREWELL_S)


def describe(error: BaseException) -> str:
    """An error of a connection or a request, with what to do about it where that is known."""
    match error:
        case errors.KafkaError():
            text = _describe_kafka(error)
        case ssl.SSLCertVerificationError():
            text = f"certificate refused ({error.verify_message}); see kafka.security.ca_file and check_hostname"
        case ssl.SSLError():
            text = f"TLS failed ({error.reason}); see kafka.security.protocol"
        case socket.gaierror():
            text = "the host name cannot be resolved; see kafka.brokers or --brokers"
        case TimeoutError():
            text = "no answer in time"
        case OSError():
            text = os.strerror(error.errno).lower() if error.errno else str(error)
        case _:
            text = f"{type(error).__name__}: {error}"
    return text


_ADVICE = (
    (errors.SaslAuthenticationFailed, "authentication failed; see kafka.security.username, password and mechanism"),
    (errors.AuthenticationFailedError, "authentication failed; see kafka.security.username, password and mechanism"),
    (
        errors.UnsupportedSaslMechanismError,
        "the broker does not offer this way to log in; see kafka.security.mechanism",
    ),
    (errors.TopicAuthorizationFailedError, "not allowed on the topic; give the user READ, WRITE and DESCRIBE"),
    (errors.GroupAuthorizationFailedError, "not allowed in the consumer group; give the user READ"),
    (errors.UnsupportedCodecError, "let the topic be written with gzip, snappy, lz4 or zstd"),
)


def _describe_kafka(error: errors.KafkaError) -> str:
    text = _BROKER.sub(r"\1:\2", str(error)) or type(error).__name__
    for kind, advice in _ADVICE:
        if isinstance(error, kind):
            return f"{advice} ({text})"
    if isinstance(error, errors.KafkaConnectionError) and text.endswith("closed"):
        return f"the broker closed the connection; see kafka.security.protocol ({text})"
    return text
