from __future__ import annotations

import asyncio
import contextlib
import gzip
import signal
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace

import httpx
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.parser import text_string_to_metric_families as parse_text
from prometheus_client.registry import Collector

from exporters.prometheus import SnapshotCollector, build_registry
from exporters.web import MetricsPage, WebServer, accepts_gzip, bind, build_app, not_ready, paused_judges
from monitor.errors import ConfigError
from monitor.operational import Operational, SourceState
from tests.exporters.samples import operational, snapshot
from tests.fakes import FakeClock

OPENMETRICS = {"Accept": "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"}


def shown() -> CollectorRegistry:
    return build_registry(SnapshotCollector(snapshot, operational, 5000))


@contextlib.asynccontextmanager
async def served(
    registry: CollectorRegistry | None = None,
    reasons: Sequence[str] = (),
    clock: FakeClock | None = None,
    notes: Sequence[str] = (),
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a real server on a free port of the loopback."""
    page = MetricsPage(registry or shown(), clock or FakeClock())
    server = WebServer(build_app(page, lambda: reasons, lambda: notes), bind("127.0.0.1", 0))
    running = asyncio.create_task(server.run())
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", trust_env=False) as client:
            yield client
    finally:
        running.cancel()
        await asyncio.wait({running})
        page.close()


class Counting(Collector):
    """Gives how often it was asked; waits for `gate` before it answers."""

    def __init__(self) -> None:
        self.calls = 0
        self.gate = threading.Event()
        self.gate.set()
        self.asked = threading.Event()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        self.calls += 1
        self.asked.set()
        assert self.gate.wait(10)
        yield GaugeMetricFamily("calls", "How often.", self.calls)


def counting() -> tuple[Counting, CollectorRegistry]:
    collector, registry = Counting(), CollectorRegistry()
    registry.register(collector)
    return collector, registry


def test_the_format_is_negotiated() -> None:
    async def scenario() -> None:
        async with served() as client:
            plain = await client.get("/metrics")
            full = await client.get("/metrics", headers=OPENMETRICS)
        assert plain.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert full.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
        assert full.text.endswith("# EOF\n")
        assert "ragmon_score_mean" in {family.name for family in parse_text(plain.text)}

    asyncio.run(scenario())


def test_a_page_is_compressed_only_for_those_who_ask() -> None:
    async def scenario() -> None:
        async with served() as client:
            request = client.build_request("GET", "/metrics", headers={"Accept-Encoding": "gzip"})
            response = await client.send(request, stream=True)
            raw = b"".join([chunk async for chunk in response.aiter_raw()])
            plain = await client.get("/metrics", headers={"Accept-Encoding": "identity"})
        assert response.headers["content-encoding"] == "gzip"
        assert len(raw) < len(gzip.decompress(raw)) / 5
        assert "content-encoding" not in plain.headers

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("header", "expected"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("gzip;q=0", False), ("gzip; q=0.0", False), ("identity", False)],
)
def test_gzip_is_allowed_by_the_header(header: str, expected: bool) -> None:  # noqa: FBT001 - a table
    assert accepts_gzip(header) is expected


def test_a_page_is_made_once_a_second_at_most() -> None:
    async def scenario() -> None:
        collector, registry = counting()
        clock = FakeClock()
        async with served(registry, clock=clock) as client:
            pages = [(await client.get("/metrics")).text for _ in range(3)]
            clock.advance(1.1)
            later = (await client.get("/metrics")).text
        assert (collector.calls, len(set(pages)), "calls 2.0" in later) == (2, 1, True)

    asyncio.run(scenario())


def test_liveness_is_answered_while_a_page_is_being_made_and_nothing_is_ready() -> None:
    async def scenario() -> None:
        collector, registry = counting()
        collector.gate.clear()
        async with served(registry, ["source: the broker does not answer"]) as client:
            slow = asyncio.create_task(client.get("/metrics"))
            assert await asyncio.to_thread(collector.asked.wait, 10)
            alive = await client.get("/healthz")
            collector.gate.set()
            assert (alive.status_code, (await slow).status_code) == (200, 200)

    asyncio.run(scenario())


def test_readiness_says_what_is_missing() -> None:
    async def scenario() -> None:
        async with served() as client:
            ready = await client.get("/readyz")
        async with served(reasons=["source: no \udca0 answer", "board: reads"]) as client:
            missing = await client.get("/readyz")
        assert (ready.status_code, ready.text) == (200, "ready\n")
        assert (missing.status_code, missing.text) == (503, "source: no ? answer\nboard: reads\n")

    asyncio.run(scenario())


def reasons(now: Operational | None = None, *, caught_up: bool = True, **troubles: str) -> tuple[str, ...]:
    """Why a process with all roles is not ready."""
    shown = snapshot(caught_up=caught_up)
    return not_ready(shown, now or operational(), source=True, board=True, stale_s=30, troubles=troubles)


def test_a_process_is_ready_with_partitions_an_answering_broker_and_a_read_history() -> None:
    assert reasons() == ()
    away = replace(operational(), sources=(SourceState("judge", "connection refused"),))
    assert reasons(away, caught_up=False) == (
        "source: connection refused",
        "source: no partitions are assigned",
        "source: the broker does not answer (no answer yet)",
        "board: still reads the history of the verdict topic",
    )
    old = replace(operational(), sources=(SourceState("judge", assigned=4, round_trip_age_s=31.0),))
    assert reasons(old) == ("source: the broker does not answer (last answer 31 s ago)",)


def test_a_role_that_is_stopped_says_why_in_one_line_and_once() -> None:
    why = "the sample set cannot be written: /data:\n  disk full"
    assert reasons(board="topic rag.verdicts: no rights", harvest=why) == (
        "board: topic rag.verdicts: no rights",
        "harvest: the sample set cannot be written: /data: disk full",
    )
    refused = SourceState("harvest", "connection refused", assigned=4, round_trip_age_s=0.5)
    away = replace(operational(), sources=(refused,))
    assert reasons(away, harvest="connection refused") == ("source: connection refused",)


def test_a_paused_judge_is_named_and_the_process_is_ready_all_the_same() -> None:
    notes = paused_judges(operational())
    assert notes == ("judge llm: is not asked just now (quota)",)

    async def scenario() -> None:
        async with served(notes=notes) as client:
            answer = await client.get("/readyz")
        assert (answer.status_code, answer.text) == (200, f"ready\n{notes[0]}\n")

    asyncio.run(scenario())


def test_only_the_roles_that_run_here_have_to_be_ready() -> None:
    assert (
        not_ready(
            snapshot(caught_up=False),
            replace(operational(), sources=()),
            source=False,
            board=False,
            stale_s=30,
            troubles={},
        )
        == ()
    )


def test_only_reading_is_possible() -> None:
    async def scenario() -> None:
        async with served() as client:
            answers = [await client.request(m, "/metrics") for m in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "X")]
            head = await client.head("/metrics")
        assert [a.status_code for a in answers] == [405] * 6
        assert (head.status_code, head.content) == (200, b"")

    asyncio.run(scenario())


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc", "/%00", "/metrics/x", "/" + "a" * 5000])
def test_any_other_path_is_not_found(path: str) -> None:
    async def scenario() -> None:
        async with served() as client:
            assert (await client.get(path)).status_code == 404

    asyncio.run(scenario())


def test_bytes_that_are_not_http_cost_one_connection() -> None:
    async def scenario() -> None:
        async with served() as client:
            port = client.base_url.port
            for attack in (
                b"\x16\x03\x01\x02\x00",
                b"GET / HTTP/9\r\n\r\n",
                b"A" * 100_000,
                b"GET \xff\xfe HTTP/1.1\r\n\r\n",
            ):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                with contextlib.suppress(ConnectionError):
                    writer.write(attack)
                    writer.write_eof()
                    await reader.read()
                writer.close()
            assert (await client.get("/healthz")).status_code == 200

    asyncio.run(scenario())


@pytest.mark.parametrize("sent", [b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 20])
def test_connections_that_do_nothing_or_read_nothing_keep_no_probe_out(sent: bytes) -> None:
    async def scenario() -> None:
        async with served() as client:
            writers = []
            for _ in range(210):
                _, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
                writer.write(sent)
                writers.append(writer)
            answers = [await client.get(path) for path in ("/healthz", "/readyz", "/metrics")]
            for writer in writers:
                writer.transport.abort()
        assert [answer.status_code for answer in answers] == [200] * 3

    asyncio.run(scenario())


def test_of_too_many_connections_the_oldest_are_cut() -> None:
    async def scenario() -> None:
        async with served() as client:
            readers = []
            for _ in range(203):
                reader, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
                readers.append((reader, writer))
            for reader, _ in readers[:3]:
                with contextlib.suppress(ConnectionError):
                    assert await reader.read() == b""
            _, writer = readers[3]
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert (await readers[3][0].read()).startswith(b"HTTP/1.1 200 ")
            for _, writer in readers:
                writer.transport.abort()

    asyncio.run(scenario())


def test_the_index_leads_to_the_endpoints() -> None:
    async def scenario() -> None:
        async with served() as client:
            index = await client.get("/")
        assert {f'href="{path}"' in index.text for path in ("/metrics", "/healthz", "/readyz")} == {True}

    asyncio.run(scenario())


def test_it_stops_in_time_though_a_client_holds_on() -> None:
    async def scenario() -> float:
        collector, registry = counting()
        loop = asyncio.get_running_loop()
        page = MetricsPage(registry, FakeClock())
        server = WebServer(build_app(page, tuple), bind("127.0.0.1", 0))
        running = asyncio.create_task(server.run())
        collector.gate.clear()
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await asyncio.to_thread(collector.asked.wait, 10)
        started = loop.time()
        running.cancel()
        await asyncio.wait({running})
        took = loop.time() - started
        collector.gate.set()
        page.close()
        writer.close()
        return took

    assert asyncio.run(scenario()) < 4


def test_the_signals_stay_with_the_entry_point() -> None:
    async def scenario() -> None:
        before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
        async with served() as client:
            await client.get("/healthz")
            assert [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)] == before

    asyncio.run(scenario())


def test_a_taken_port_is_a_configuration_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ConfigError, match=r"web\.port"):
        bind("127.0.0.1", taken.getsockname()[1])


def test_an_address_that_is_not_ours_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match=r"web\.host"):
        bind("no.such.host.invalid", 0)
