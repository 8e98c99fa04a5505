"""A real Prometheus server scrapes a real page: rules load, the alert rises, every dashboard query runs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

import httpx
import pytest
import yaml

from exporters.prometheus import SnapshotCollector, build_registry
from exporters.web import MetricsPage, WebServer, bind, build_app
from monitor.snapshot import Estimate, SliceKey, Snapshot
from tests.deploy.dashboards import queries
from tests.deploy.promtool import ROOT, needs_prometheus
from tests.exporters.samples import NOW_NS, low_case, operational, snapshot, totals, window
from tests.fakes import FakeClock

pytestmark = [
    pytest.mark.slow,
    needs_prometheus,
    pytest.mark.timeout(120),
]
APP = SliceKey("app", "shop")
T = TypeVar("T")
TRACE = "0af7651916cd43dd8448eb211c80319c"


class TickingClock(FakeClock):
    """A clock on which each look is two seconds after the last: no page is taken from the cache."""

    def monotonic(self) -> float:
        self.advance(2)
        return super().monotonic()


@contextlib.contextmanager
def page_server(shown: Callable[[], Snapshot]) -> Iterator[int]:
    """The web endpoints in a thread with a loop of its own; gives the port."""
    listener = bind("127.0.0.1", 0)
    port = int(listener.getsockname()[1])
    stop, started = asyncio.Event(), Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        page = MetricsPage(build_registry(SnapshotCollector(shown, operational, 5000)), TickingClock())
        running = asyncio.create_task(WebServer(build_app(page, tuple), listener).run())
        started.set()
        await stop.wait()
        running.cancel()
        await asyncio.wait({running})
        page.close()

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(10)
    try:
        yield port
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join()


@contextlib.contextmanager
def prometheus(folder: Path, target: int) -> Iterator[httpx.Client]:
    """The shipped configuration with our target and the demo's objectives, each second; gives a client of its API."""
    config = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yaml").read_text())
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    shipped = ROOT / "deploy" / "prometheus"
    rules = [path for path in (shipped / "rules").glob("*.yaml") if path.name != "ragmon-objectives.yaml"]
    config["rule_files"] = [str(path) for path in (*rules, shipped / "demo" / "ragmon-objectives.yaml")]
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{target}"]
    del config["alerting"]
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(config))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    flags = ["--enable-feature=exemplar-storage", f"--web.listen-address=127.0.0.1:{port}"]
    files = ["--config.file=prometheus.yaml", f"--storage.tsdb.path={folder / 'data'}"]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(["prometheus", *files, *flags], cwd=folder, stderr=log) as server,
    ):
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
                until(lambda: client.get("/-/ready").is_success)  # before that the API answers 503, and not in JSON
                yield client
        finally:
            server.terminate()


def until(answer: Callable[[], T], seconds: float = 60) -> T:
    """The first answer that is not empty; errors count as empty."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError, KeyError):
            found = answer()
            if found:
                return found
        Event().wait(0.2)
    pytest.fail(f"nothing within {seconds} s")


def test_a_real_server_reads_the_page_the_rules_and_the_dashboards(tmp_path: Path) -> None:
    number = [0]
    mean = [Estimate(0.95, 0.93, 0.97)]

    def shown() -> Snapshot:
        number[0] += 1
        scores = (0.0,) * number[0] + (1.0,) * 20 * number[0]
        total = totals(scores=scores, exemplars=(low_case(TRACE, 0.0, NOW_NS),))
        windows = (window(mean=mean[0]), window(window_s=3600), window(APP))
        return replace(snapshot(windows, (total, totals(APP))), taken_ns=NOW_NS)

    def states() -> dict[str, str]:
        found = client.get("/api/v1/alerts").json()["data"]["alerts"]
        return {alert["labels"]["alertname"]: alert["state"] for alert in found}

    def query(expr: str) -> list[Any]:
        answer = client.get("/api/v1/query", params={"query": expr}).json()
        assert answer["status"] == "success", (expr, answer)
        return list(answer["data"]["result"])

    with page_server(shown) as port, prometheus(tmp_path, port) as client:
        until(lambda: query('increase(ragmon_score_count{dimension="all"}[1m]) > 0'))
        groups = client.get("/api/v1/rules").json()["data"]["groups"]
        until(lambda: query("ragmon:bad:lower1h"))
        assert {rule["health"] for group in groups for rule in group["rules"]} <= {"ok", "unknown"}
        assert "RagmonQualityDrop" not in states()

        mean[0] = Estimate(0.7, 0.6, 0.8)
        assert until(lambda: states().get("RagmonQualityDrop")) in {"pending", "firing"}
        until(lambda: states().get("RagmonQualityDrop") == "firing")

        bad = query("ragmon:bad:ratio5m")
        assert [round(float(item["value"][1]), 3) for item in bad] == [round(1 / 21, 3)]
        for expr in queries():
            query(expr)
        answered = [expr for expr in queries() if query(expr)]
        assert len(answered) > 0.7 * len(queries())
        [series] = client.get(
            "/api/v1/query_exemplars",
            params={"query": "ragmon_score_bucket", "start": "0", "end": str(NOW_NS // 10**9 + 10**8)},
        ).json()["data"]
        assert series["exemplars"][0]["labels"] == {"trace_id": TRACE}
        [target] = client.get("/api/v1/targets").json()["data"]["activeTargets"]
        assert target["lastError"] == ""
