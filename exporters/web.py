"""The HTTP endpoints: /metrics, /healthz, /readyz, and an index that leads to them.

Liveness is answered by the event loop itself and asks nothing else: a probe that is answered proves that the loop
moves, and a broker or judge that is away never restarts the process. Readiness says what is missing, in its body.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import uvicorn
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from exporters.prometheus import Rendered, render, wants_openmetrics
from monitor.errors import ConfigError
from monitor.operational import Operational
from monitor.protocols import Clock
from monitor.snapshot import Snapshot

_CACHE_S = 1.0
"""Scrapers that come at the same moment share one page."""
_GZIP_LEVEL = 3
_CONNECTIONS = 200
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_INDEX = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>ragmon</title></head>
<body><h1>ragmon</h1><ul>
<li><a href="/metrics">/metrics</a>: numbers for Prometheus</li>
<li><a href="/readyz">/readyz</a>: whether it works, and what is missing</li>
<li><a href="/healthz">/healthz</a>: whether it is alive</li>
</ul></body></html>
"""


def not_ready(
    snapshot: Snapshot,
    operational: Operational,
    *,
    source: bool,
    board: bool,
    stale_s: float,
    troubles: Mapping[str, str | None],
) -> tuple[str, ...]:
    """Why the process is not ready, one line each; empty when it is.

    `source` and `board` say which roles run here; `stale_s` is how old the broker's last answer may be, in seconds.
    `troubles` is what stops judging, the board and the harvester, by the roles' names; None where nothing does.
    """
    reasons: list[str] = []
    if source:
        age = operational.source.round_trip_age_s
        if operational.source.problem:
            reasons.append(f"source: {operational.source.problem}")
        if operational.source.assigned == 0:
            reasons.append("source: no partitions are assigned")
        if age is None or age > stale_s:
            seen = "no answer yet" if age is None else f"last answer {age:.0f} s ago"
            reasons.append(f"source: the broker does not answer ({seen})")
    if board and not snapshot.caught_up:
        reasons.append("board: still reads the history of the verdict topic")
    reasons += [
        f"{role}: {' '.join(why.split())}"
        for role, why in troubles.items()
        if why is not None and why != operational.source.problem  # of a process that only harvests it is told above
    ]
    return tuple(reasons)


def paused_judges(operational: Operational) -> tuple[str, ...]:
    """Which judges are not asked just now, and why, one line each. The others go on: the process is ready."""
    return tuple(
        f"judge {load.judge}: is not asked just now ({load.paused})" for load in operational.judges if load.paused
    )


def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip."""
    for choice in header.lower().split(","):
        coding, *parameters = (part.strip() for part in choice.split(";"))
        if coding == "gzip":
            return not any(p.replace(" ", "").rstrip("0").rstrip(".") in {"q=", "q=0"} for p in parameters)
    return False


class MetricsPage:
    """The rendered page: made on a thread of its own, and kept for a second."""

    def __init__(self, registry: CollectorRegistry, clock: Clock) -> None:
        self._registry = registry
        self._clock = clock
        self._made: dict[tuple[bool, bool], tuple[float, Rendered]] = {}
        self._lock = asyncio.Lock()  # one rendering at a time: the next one finds the cache filled
        self._thread = ThreadPoolExecutor(1, "metrics")  # the shared pool may be busy with judging

    async def get(self, *, as_openmetrics: bool, gzipped: bool) -> Rendered:
        """The page in one of its forms, at most a second old."""
        async with self._lock:
            form = (as_openmetrics, gzipped)
            made_at, rendered = self._made.get(form, (float("-inf"), Rendered("", b"")))
            if self._clock.monotonic() - made_at < _CACHE_S:
                return rendered
            asked_at = self._clock.monotonic()
            loop = asyncio.get_running_loop()
            rendered = await loop.run_in_executor(self._thread, self._render, as_openmetrics, gzipped)
            self._made[form] = (asked_at, rendered)
            return rendered

    def close(self) -> None:
        """Let the thread go; a rendering that runs is not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _render(self, as_openmetrics: bool, gzipped: bool) -> Rendered:  # noqa: FBT001 - an executor passes no names
        page = render(self._registry, as_openmetrics=as_openmetrics)
        return Rendered(page.content_type, gzip.compress(page.body, _GZIP_LEVEL, mtime=0)) if gzipped else page


def build_app(
    metrics: MetricsPage, reasons: Callable[[], Sequence[str]], notes: Callable[[], Sequence[str]] = tuple
) -> Starlette:
    """The application. It answers GET and HEAD only.

    `reasons` says why the process is not ready (see `not_ready`), `notes` what else a person should know.
    """

    async def index(_: Request) -> Response:
        return HTMLResponse(_INDEX, headers=_HEADERS)

    async def healthz(_: Request) -> Response:
        return _text("alive\n")

    async def readyz(_: Request) -> Response:
        missing = reasons()
        lines = (*(missing or ("ready",)), *notes())
        return _text("".join(f"{line}\n" for line in lines), 503 if missing else 200)

    async def page(request: Request) -> Response:
        gzipped = accepts_gzip(request.headers.get("accept-encoding", ""))
        accept = request.headers.get("accept", "")
        rendered = await metrics.get(as_openmetrics=wants_openmetrics(accept), gzipped=gzipped)
        encoding = {"Content-Encoding": "gzip"} if gzipped else {}
        headers = {**_HEADERS, **encoding, "Vary": "Accept, Accept-Encoding", "Content-Type": rendered.content_type}
        return Response(rendered.body, headers=headers)

    paths = {"/": index, "/healthz": healthz, "/readyz": readyz, "/metrics": page}
    return Starlette(routes=[Route(path, answer, methods=["GET"]) for path, answer in paths.items()])


def _text(body: str, status: int = 200) -> Response:
    return Response(body.encode(errors="replace"), status, _HEADERS, "text/plain; charset=utf-8")


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises ConfigError when the address cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        # the text of create_server repeats the address as Python writes it
        why = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        problem = f"web: cannot listen on {host}:{port}: {why}; set web.host and web.port (0: any)"
        raise ConfigError([problem]) from error


class _Connection(H11Protocol):
    """A connection that makes room: of too many, the one that has been open for longest is cut, whatever it does.

    uvicorn waits without end for a client that sends no request or reads no answer, and its own limit refuses the
    newest connection: the probe.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        self.opened_at = self.loop.time()
        super().connection_made(transport)
        if len(self.connections) > _CONNECTIONS:
            oldest = min((c for c in self.connections if isinstance(c, _Connection)), key=lambda c: c.opened_at)
            self.connections.discard(oldest)
            oldest.transport.abort()


class _Server(uvicorn.Server):
    """uvicorn without signal handlers: the entry point of the process owns the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(slots=True)
class WebServer:
    """Serves an application on a listening socket, in the task that runs `run`."""

    app: Starlette
    listener: socket.socket
    grace_s: float = 2.0
    """Time that requests have to end at shutdown."""
    _server: _Server = field(init=False)

    def __post_init__(self) -> None:
        config = uvicorn.Config(
            self.app,
            http=_Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.listener.getsockname()[1])

    async def run(self) -> None:
        """Serve until cancelled; then end within `grace_s` and about a second."""
        serving = asyncio.create_task(self._server.serve([self.listener]), name="web")
        try:
            await asyncio.shield(serving)
        finally:
            self._server.should_exit = True
            _, pending = await asyncio.wait({serving}, timeout=self.grace_s)
            for task in pending:
                self._server.force_exit = True
                task.cancel()
            self.listener.close()
