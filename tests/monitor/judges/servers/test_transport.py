"""Against a real server on loopback: sockets, real time in tenths of a second."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import os
import random
import socket
import ssl
import subprocess
import time
import zlib
from pathlib import Path

import pytest

from monitor.clock import SystemClock
from monitor.config import judges as judge_settings
from monitor.errors import JudgeError
from monitor.judges.llm import LlmJudge
from monitor.judges.servers.transport import HttpReply, HttpTransport, _Inflater
from monitor.records import Judgement, Outcome, Passage, RagTrace
from tests.judge_server import Canned, JudgeServer

KEY = "sk-hunter2hunter2"
TRACE = RagTrace("t", "", "How long?", "It lasts 2 years.", contexts=(Passage("It lasts 2 years."),), language="en")


def config(url: str, **changes: object) -> judge_settings.LlmJudge:
    quick = {"connect_timeout": 2.0, "read_timeout": 2.0, "total_timeout": 4.0, "max_reply_bytes": 4096}
    given = {"base_url": url, "model": "m", "allow_private": True, "retries": 0}
    return judge_settings.LlmJudge.model_validate(given | quick | changes)


def post(url: str, **changes: object) -> HttpReply | str:
    """The reply to `{}`, or the reason of the failure."""

    async def main() -> HttpReply | str:
        transport = HttpTransport(config(url, **changes), api_key=KEY)
        try:
            return await transport.post(b"{}")
        except JudgeError as error:
            return str(error.reason)
        finally:
            await transport.close()
            await transport.close()

    return asyncio.run(main())


def judge(url: str, *traces: RagTrace, seconds: float = 20.0, **changes: object) -> list[Judgement]:
    async def main() -> list[Judgement]:
        judge = LlmJudge(config(url, **changes), SystemClock(), api_key=KEY, rng=random.Random(1))
        try:
            return [(await judge.judge(trace, (), time.monotonic() + seconds))[0] for trace in traces]
        finally:
            await judge.close()

    return asyncio.run(main())


# ------------------------------------------------------------------------------------------------------- the request


def test_a_call_goes_to_the_completions_of_the_base_url_with_the_key() -> None:
    with JudgeServer([Canned(200, b"{}", {"X-Two": "b"})]) as server:
        reply = post(f"{server.url}/?api-version=1", headers={"api-key": "k-2"})
    assert isinstance(reply, HttpReply)
    assert (reply.status, reply.body, reply.headers["x-two"]) == (200, b"{}", "b")
    assert server.paths == ["/v1/chat/completions?api-version=1"]
    sent = server.headers[0]
    assert (sent["authorization"], sent["api-key"], sent["host"]) == (
        f"Bearer {KEY}",
        "k-2",
        f"127.0.0.1:{server.port}",
    )
    assert "cookie" not in sent


def test_a_request_is_judged_end_to_end_over_a_real_socket() -> None:
    with JudgeServer() as server:
        first, second = judge(server.url, TRACE, TRACE, evaluations=["faithfulness"])
    assert (first.outcome, first.score, first.evidence[0].passage, second.score) == (Outcome.SCORED, 1.0, 1, 1.0)


def test_the_environment_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login thief password hunter2\n")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with JudgeServer() as server:
        (judgement,) = judge(server.url, TRACE)
    assert (judgement.outcome, server.headers[0]["authorization"]) == (Outcome.SCORED, f"Bearer {KEY}")


def test_cookies_are_not_kept() -> None:
    with JudgeServer([Canned(429, b"", {"set-cookie": "a=b"})]) as server:
        judge(server.url, TRACE, TRACE)
    assert [headers.get("cookie") for headers in server.headers] == [None, None]


# ---------------------------------------------------------------------------------------------- where a call may go


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with JudgeServer() as target, JudgeServer([Canned(status, b"", {"location": f"{target.url}/x"})]) as server:
        (judgement,) = judge(server.url, TRACE)
    assert (judgement.reason, target.bodies, len(server.bodies)) == ("redirect", [], 1)


class _Resolver:
    """Stands for the system's resolver: names lead where the test says. Counts the lookups."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = list(addresses)
        self.lookups = 0

    async def __call__(self, host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        del host
        self.lookups += 1
        kinds = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in self.addresses]
        pairs = zip(kinds, self.addresses, strict=True)
        return [(kind, socket.SOCK_STREAM, 6, "", (address, port)) for kind, address in pairs]


def post_by_name(server: JudgeServer, resolver: _Resolver, *, allow_private: bool = True) -> HttpReply | str:
    async def main() -> HttpReply | str:
        asyncio.get_running_loop().getaddrinfo = resolver  # type: ignore[method-assign, assignment]
        url = f"http://judge.example:{server.port}/v1"
        transport = HttpTransport(config(url, allow_private=allow_private), api_key=None)
        try:
            return await transport.post(b"{}")
        except JudgeError as error:
            return str(error.reason)
        finally:
            await transport.close()

    return asyncio.run(main())


def test_the_connection_goes_to_the_checked_address_under_the_configured_name() -> None:
    resolver = _Resolver("127.0.0.1")
    with JudgeServer([Canned()]) as server:
        reply = post_by_name(server, resolver)
    assert isinstance(reply, HttpReply)
    assert (server.headers[0]["host"], resolver.lookups) == (f"judge.example:{server.port}", 1)


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254", "fe80::1", "::ffff:169.254.169.254"])
def test_a_name_that_leads_to_metadata_is_never_called(address: str) -> None:
    with JudgeServer([Canned()]) as server:
        assert post_by_name(server, _Resolver(address)) == "forbidden_address"
    assert server.bodies == []


def test_a_name_that_leads_to_a_private_address_needs_permission() -> None:
    with JudgeServer([Canned()]) as server:
        assert post_by_name(server, _Resolver("127.0.0.1"), allow_private=False) == "forbidden_address"
    assert server.bodies == []


def test_a_forbidden_address_beside_an_allowed_one_is_left_out() -> None:
    with JudgeServer([Canned()]) as server:
        assert isinstance(post_by_name(server, _Resolver("169.254.169.254", "127.0.0.1")), HttpReply)


def test_the_next_address_of_a_name_is_tried_when_one_refuses() -> None:
    with JudgeServer([Canned()]) as server:
        assert isinstance(post_by_name(server, _Resolver("127.0.0.2", "127.0.0.1")), HttpReply)


def test_a_name_that_does_not_resolve_is_a_connection_failure() -> None:
    assert post("http://no-such-host.invalid/v1") == "dns"


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={name}"
    extra = ["-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*command.split(), *extra], check=True, capture_output=True)
    return key, cert


@pytest.mark.skipif(not any((Path(p) / "openssl").exists() for p in os.get_exec_path()), reason="needs openssl")
@pytest.mark.parametrize(
    ("name", "trusted_by", "result"),
    [
        ("judge.example", "ca_file", "reply"),
        ("other.example", "ca_file", "tls"),
        ("judge.example", "environment", "tls"),
    ],
)
def test_tls_verifies_the_configured_name_by_the_configured_authority(
    name: str, trusted_by: str, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, cert = certificate(tmp_path, name)
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    ca_file = str(cert) if trusted_by == "ca_file" else None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        await writer.drain()
        writer.close()

    async def main() -> str:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        asyncio.get_running_loop().getaddrinfo = _Resolver("127.0.0.1")  # type: ignore[method-assign, assignment]
        transport = HttpTransport(config(f"https://judge.example:{port}/v1", ca_file=ca_file), api_key=None)
        async with server:
            try:
                return "reply" if (await transport.post(b"{}")).body == b"{}" else "other"
            except JudgeError as error:
                return str(error.reason)
            finally:
                await transport.close()

    assert asyncio.run(main()) == result


# ------------------------------------------------------------------------------------------------- a hostile endpoint


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Canned(body=b"x" * 5000), "too_large"),
        (Canned.bomb(200 << 20), "too_large"),
        (Canned(body=zlib.compress(b" " * 5000), headers={"content-encoding": "deflate"}), "too_large"),
        (Canned(body=b"no gzip", headers={"content-encoding": "gzip"}), "parse"),
        (Canned(body=b"{}", headers={"content-encoding": "br"}), "parse"),
        (Canned(body=gzip.compress(b"{}" * 100)[:-9], headers={"content-encoding": "gzip"}), "connect"),
        (Canned(body=b"{}" * 100, cut=50), "connect"),
        (Canned(body=b"{}", cut=0), "connect"),
    ],
    ids=["large", "gzip-bomb", "deflate", "not-gzip", "unknown", "gzip-cut", "cut", "cut-at-once"],
)
def test_a_reply_that_is_too_large_broken_or_odd_is_refused(reply: Canned, reason: str) -> None:
    with JudgeServer([reply]) as server:
        assert post(server.url) == reason


def test_a_bomb_is_never_unpacked_beyond_the_limit() -> None:
    inflater = _Inflater("gzip", 1000)
    assert max(len(inflater.feed(piece)) for piece in (Canned.bomb(10 << 20).body,)) == 1001


def test_what_follows_a_compressed_reply_for_ever_is_not_kept() -> None:
    """A whole reply in gzip, and then bytes that mean nothing and would be kept until the total timeout."""
    body = gzip.compress(b"{}") + b"x" * (64 << 10)
    with JudgeServer([Canned(body=body, headers={"content-encoding": "gzip"})]) as server:
        assert post(server.url) == "too_large"


def test_a_compressed_reply_within_the_limit_is_read() -> None:
    with JudgeServer([Canned(body=gzip.compress(b'{"a": 1}'), headers={"content-encoding": "gzip"})]) as server:
        reply = post(server.url)
    assert isinstance(reply, HttpReply)
    assert reply.body == b'{"a": 1}'


def test_a_silent_server_is_a_timeout() -> None:
    with JudgeServer([Canned(body=b"{}", delay=30)]) as server:
        assert post(server.url, read_timeout=0.2) == "timeout"


def test_a_server_that_drips_is_cut_at_the_total_timeout() -> None:
    with JudgeServer([Canned(body=b" " * 3000, drip=0.05)]) as server:
        started = time.monotonic()
        (judgement,) = judge(server.url, TRACE, total_timeout=0.4)
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "timeout")
    assert time.monotonic() - started < 5


def test_a_request_is_cut_at_its_own_deadline() -> None:
    with JudgeServer([Canned(body=b"{}", delay=30)]) as server:
        (judgement,) = judge(server.url, TRACE, seconds=0.3)
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "deadline")


def test_nobody_there_is_a_connection_failure() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert post(f"http://127.0.0.1:{unused.getsockname()[1]}/v1") == "connect"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Canned(body=b"<html>sign in</html>", headers={"content-type": "text/html"}), "parse"),
        (Canned(body=json.dumps({"error": {"message": "overloaded", "code": 503}}).encode()), "server_error"),
        (Canned(status=204), "parse"),
        (Canned.chat(None), "parse"),
    ],
    ids=["html", "error-under-200", "no-content", "empty"],
)
def test_a_page_that_is_no_verdict_is_an_error(reply: Canned, reason: str) -> None:
    with JudgeServer([reply]) as server:
        (judgement,) = judge(server.url, TRACE)
    assert (judgement.outcome, judgement.reason, judgement.score) == (Outcome.JUDGE_ERROR, reason, None)


def test_a_representation_shows_no_key() -> None:
    transport = HttpTransport(
        config("https://judge.example/v1?key=hunter2", headers={"x": "hunter2"}), api_key="hunter2"
    )
    assert "hunter2" not in repr(transport) + str(transport)
    asyncio.run(transport.close())


def test_neither_the_key_nor_user_text_reaches_a_log_even_at_debug(caplog: pytest.LogCaptureFixture) -> None:
    trace = RagTrace("t", "", "MARKERTEXT?", "MARKERTEXT 1.", contexts=(Passage("MARKERTEXT 1."),), language="en")
    with caplog.at_level(logging.DEBUG), JudgeServer() as server:
        judge(server.url, trace, headers={"x-key": KEY})
        judge(server.url.replace("/v1", "/v1?key=hunter2"), trace)
    assert ("hunter2" in caplog.text, "MARKERTEXT" in caplog.text) == (False, False)
