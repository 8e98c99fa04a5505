"""One HTTP call to the judge's endpoint; the only module that sees httpx.

What is sent goes to the configured host and to nowhere else: no redirects, no proxy and no `.netrc` from the
environment, no cookies (httpx's transport is used without its client, which would bring them). The host's name is
resolved and checked before each call, and the connection is made to the checked address, so that a second lookup cannot
lead elsewhere (DNS rebinding); TLS still verifies the name.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Protocol

import httpx

from monitor.config import judges as judge_settings
from monitor.errors import ConfigError, JudgeRejected, JudgeUnavailable
from monitor.judges.reasons import Reason
from monitor.judges.servers.addresses import Endpoint, bracketed, is_allowed, parse_endpoint
from monitor.judges.servers.providers import provider_of

NOT_SENT = "not_sent"
"""Detail of a failure before anything of the request was sent: it cost nothing."""
_KEEPALIVE_S = 30.0
_BYTES_EACH, _FEW = 64, 1000
"""A reply may come in chunks of one byte, and each costs time: more than a few must hold so many on average."""
_AT_A_TIME = 100
"""Pieces after which others have their turn."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole reply. Header names are lower-case; `body` is decompressed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends one request body to the endpoint."""

    async def post(self, body: bytes) -> HttpReply:
        """The reply, whatever its status. Raises JudgeUnavailable or JudgeRejected with a bounded reason."""
        ...

    async def close(self) -> None:
        """Free what it holds. Idempotent."""
        ...


class HttpTransport:
    """`Transport` over HTTP/1.1 with a pool of connections, one for each judge."""

    def __init__(self, config: judge_settings.LlmJudge, *, api_key: str | None) -> None:
        """Raises ConfigError for a URL, header or certificate file that cannot be used."""
        self._endpoint = _endpoint(config)
        self._allow_private = config.allow_private
        self._max_reply_bytes = config.max_reply_bytes
        self._max_pieces = max(_FEW, config.max_reply_bytes // _BYTES_EACH)
        self._connect_timeout = config.connect_timeout
        self._headers = _headers(config, self._endpoint, api_key)
        self._timeouts = {
            "connect": config.connect_timeout,
            "read": config.read_timeout,
            "write": config.read_timeout,
            "pool": config.total_timeout,
        }
        self._http = httpx.AsyncHTTPTransport(
            verify=_tls(config),
            trust_env=False,
            limits=httpx.Limits(max_connections=config.max_concurrency, keepalive_expiry=_KEEPALIVE_S),
        )

    async def post(self, body: bytes) -> HttpReply:
        """See `Transport`. The total timeout is the caller's."""
        addresses = await self._resolve()
        for address in addresses[:-1]:
            try:
                return await self._post_to(address, body)
            except _NotConnectedError:
                continue  # nothing was sent: the next address of the same name may answer
        try:
            return await self._post_to(addresses[-1], body)
        except _NotConnectedError as error:
            raise JudgeUnavailable(error.reason, NOT_SENT) from None

    async def close(self) -> None:
        """See `Transport`."""
        await self._http.aclose()

    def __repr__(self) -> str:
        return f"HttpTransport(host={self._endpoint.host!r})"  # no headers, no query: they hold secrets

    async def _resolve(self) -> list[str]:
        """The allowed addresses of the host, in the resolver's order; never empty."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._connect_timeout):
                found = await loop.getaddrinfo(self._endpoint.host, self._endpoint.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # a timeout is an OSError
            raise JudgeUnavailable(Reason.DNS, NOT_SENT) from None
        hosts = [str(entry[4][0]).partition("%")[0] for entry in found]
        allowed = [host for host in hosts if is_allowed(ip_address(host), allow_private=self._allow_private)]
        if not allowed:
            raise JudgeRejected(Reason.FORBIDDEN_ADDRESS, NOT_SENT)
        return allowed

    async def _post_to(self, address: str, body: bytes) -> HttpReply:
        endpoint = self._endpoint
        request = httpx.Request(
            "POST",
            f"{endpoint.scheme}://{bracketed(address)}:{endpoint.port}{endpoint.target}",
            headers=self._headers,
            content=body,
            extensions={"timeout": self._timeouts, "sni_hostname": endpoint.host},
        )
        try:
            response = await self._http.handle_async_request(request)
            try:
                return await self._read(response)
            finally:
                await response.aclose()
        except httpx.ConnectTimeout:
            raise _NotConnectedError(Reason.TIMEOUT) from None
        except httpx.ConnectError as error:
            raise _NotConnectedError(Reason.TLS if _is_about_tls(error) else Reason.CONNECT) from None
        except httpx.TimeoutException:
            raise JudgeUnavailable(Reason.TIMEOUT) from None
        except httpx.TransportError:
            raise JudgeUnavailable(Reason.CONNECT) from None

    async def _read(self, response: httpx.Response) -> HttpReply:
        inflate = _Inflater(response.headers.get("content-encoding", ""), self._max_reply_bytes)
        received, sent, pieces = bytearray(), 0, 0
        async for piece in response.aiter_raw():
            pieces += 1
            if pieces % _AT_A_TIME == 0:
                await asyncio.sleep(0)  # a connection that always has more to give would keep all else waiting
            sent += len(piece)  # counted too: an encoded reply may go on for ever and say nothing more
            received += inflate.feed(piece)
            if max(sent, len(received)) > self._max_reply_bytes or pieces > self._max_pieces:
                raise JudgeRejected(Reason.TOO_LARGE)
        if not inflate.finished:
            raise JudgeUnavailable(Reason.CONNECT, "cut")
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpReply(response.status_code, headers, bytes(received))


class _NotConnectedError(Exception):
    """No connection to one address: nothing was sent."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class _Inflater:
    """Undoes the content encoding piece by piece, never giving more than `limit` + 1 bytes for one piece.

    We ask for no compression; gateways compress all the same. Ratios of 1000 and more make a bomb of a small reply.
    """

    def __init__(self, encoding: str, limit: int) -> None:
        encoding = encoding.strip().lower()
        self._limit = limit
        match encoding:
            case "" | "identity":
                self._zlib = None
            case "gzip" | "x-gzip" | "deflate":
                self._zlib = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # 32: gzip or zlib by its header
            case _:
                raise JudgeRejected(Reason.PARSE, "content_encoding")

    def feed(self, piece: bytes) -> bytes:
        if self._zlib is None:
            return piece
        try:
            return self._zlib.decompress(piece, self._limit + 1)
        except zlib.error:
            raise JudgeRejected(Reason.PARSE, "content_encoding") from None

    @property
    def finished(self) -> bool:
        return self._zlib is None or self._zlib.eof


_BROKEN = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""The connection ended in the handshake, as any may."""


def _is_about_tls(error: BaseException | None) -> bool:
    """Whether both sides did not agree on TLS, at the bottom of an error that came through several layers."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return not isinstance(error, _BROKEN)
        error = error.__cause__ or error.__context__
    return False


def _endpoint(config: judge_settings.LlmJudge) -> Endpoint:
    try:
        return parse_endpoint(config.base_url, provider_of(config).path, allow_private=config.allow_private)
    except ValueError as error:
        problem = f"judge {config.name}: {error}"
        raise ConfigError([problem]) from None


def _headers(config: judge_settings.LlmJudge, endpoint: Endpoint, api_key: str | None) -> list[tuple[str, str]]:
    headers = {
        "host": endpoint.authority,
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "identity",
        "user-agent": "ragmon",
    }
    provider = provider_of(config)
    headers |= provider.headers
    if api_key is not None:
        headers[provider.key_header] = provider.key_prefix + api_key
    headers |= {name.lower(): value for name, value in config.headers.items()}
    unfit = [name for name, value in headers.items() if not _fits_a_header(name) or not _fits_a_header(value)]
    if unfit:
        names = ", ".join("api_key" if name == provider.key_header else ascii(name) for name in unfit)
        problem = f"judge {config.name}: {names} holds characters that cannot stand in a request header"
        raise ConfigError([problem])
    return list(headers.items())


def _fits_a_header(text: str) -> bool:
    return bool(text) and all(" " <= character <= "~" for character in text) and text == text.strip()


def _tls(config: judge_settings.LlmJudge) -> ssl.SSLContext | bool:
    if config.ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=str(config.ca_file))
    except (OSError, ssl.SSLError) as error:
        problem = f"judge {config.name}: ca_file {config.ca_file} cannot be read as PEM certificates ({error.strerror})"
        raise ConfigError([problem]) from None
