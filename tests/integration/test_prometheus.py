"""Debian's Prometheus scrapes a running ragmon: rules, the drop alert, exemplars, dashboards, every metric."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiokafka import AIOKafkaProducer

from exporters.catalog import CATALOG
from monitor.clock import SystemClock
from monitor.config.settings import Settings
from monitor.demo.service import Service
from tests.brokers import Broker, Tansu, create_topic, run
from tests.deploy.dashboards import queries
from tests.deploy.promtool import needs_prometheus
from tests.deploy.test_prometheus_server import prometheus
from tests.integration.monitors import Running, config_for, monitoring
from tests.judge_server import MODEL, Canned, JudgeServer, sensible
from tests.monitor.offline.judging import row
from tests.monitor.offline.labelled import jsonl, rows
from tests.monitor.terminal import ragmon

pytestmark = [pytest.mark.slow, needs_prometheus, pytest.mark.timeout(240)]

PER_SECOND = 10.0
GOOD = 150
"""Judged before the service begins to invent facts."""
ALERT = "RagmonQualityDrop"
ANCHORS_EVERY = 60.0
"""Seconds; the least that settings allow. A change of an anchor exists from the second run on."""


class Server:
    """The API of a Prometheus server; every answer must be a success."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    async def get(self, path: str, **parameters: str) -> Any:  # noqa: ANN401 - JSON
        """The `data` of an answer."""
        answer = await asyncio.to_thread(self._client.get, f"/api/v1/{path}", params=parameters)
        if answer.is_server_error:  # it is not ready yet
            answer.raise_for_status()
        body = answer.json()
        assert body["status"] == "success", (path, parameters, body)
        return body["data"]

    async def query(self, expression: str) -> list[Any]:
        """The series of an instant query."""
        return list((await self.get("query", query=expression))["result"])

    async def rules(self) -> list[dict[str, Any]]:
        """All rules, with their health."""
        return [rule for group in (await self.get("rules"))["groups"] for rule in group["rules"]]


async def visit(broker: Broker, topic: str, service: Service, ids: set[str]) -> None:
    """Let visitors ask, and say what they think of it, until cancelled; `ids` gets the trace ids."""
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, acks="all")
    await producer.start()
    try:
        while True:
            for record in service.ask():
                ids.add(record.key.decode())
                await producer.send_and_wait(topic, record.value, record.key)
                label = "thumbs_down" if len(ids) % 3 == 0 else "thumbs_up"
                thumb = {"trace_id": record.key.decode(), "feedback": {"label": label, "human": True}}
                await producer.send_and_wait(topic, json.dumps(thumb).encode(), record.key)
            await asyncio.sleep(1 / PER_SECOND)
    finally:
        await producer.stop()


async def until(true: Callable[[], Any], what: str, within: float = 60.0) -> Any:  # noqa: ANN401 - the answer
    """The first answer that is not empty."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within
    while True:
        try:
            found = await true()
        except httpx.HTTPError:  # it starts just now
            found = None
        if found:
            return found
        assert loop.time() < deadline, f"did not happen within {within:.0f} s: {what}"
        await asyncio.sleep(0.2)


async def check_quiet(server: Server) -> None:
    """Before the fault: the target is up, all rules load and work, the numbers are there and good."""
    await until(lambda: server.get("targets"), "the server answers")
    await until(lambda: server.query("up == 1"), "the target is scraped")
    [target] = (await server.get("targets"))["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")
    await until(lambda: server.query('ragmon_score_mean_upper{window="5m",dimension="all"}'), "the mean is scraped")
    await until(lambda: _evaluated(server), "all rules were evaluated")
    uppers = await server.query('ragmon_score_mean_upper{window="5m",dimension="all",evaluation="faithfulness"}')
    assert {upper["metric"]["judge"]: float(upper["value"][1]) > 0.85 for upper in uppers} == {
        "embedded": True,
        "llm": True,
    }
    assert await server.query(f'ALERTS{{alertname="{ALERT}"}}') == []


async def _evaluated(server: Server) -> bool:
    rules = await server.rules()
    assert {rule["health"] for rule in rules} <= {"ok", "unknown"}
    return len(rules) > 20 and all(rule["health"] == "ok" for rule in rules)


async def check_alert(server: Server, fault_s: float) -> None:
    """After the fault: the alert fires, and it had not even been pending before."""
    await until(lambda: server.query(f'ALERTS{{alertname="{ALERT}",alertstate="firing"}}'), "the alert fires", 90)
    for series in await server.query(f'ALERTS{{alertname="{ALERT}"}}[10m]'):
        assert min(at for at, _ in series["values"]) > fault_s


async def check_metrics(server: Server) -> None:
    """Every metric of the catalog exists and every dashboard query works, the ones of the second anchor run last."""
    missing: list[str] = []

    async def complete() -> bool:
        names = set(await server.get("label/__name__/values"))
        missing[:] = sorted({series for metric in CATALOG for series in metric.series} - names)
        missing.extend([expression for expression in queries() if not await server.query(expression)] * (not missing))
        return not missing

    try:
        await until(complete, "all metrics are there", 2 * ANCHORS_EVERY)
    except AssertionError as error:
        raise AssertionError(missing) from error


async def check_exemplars(server: Server, ids: set[str]) -> None:
    """Low scores lead to traces that were produced."""
    window = {"start": "0", "end": str(SystemClock().now_ns() // 10**9 + 60)}
    found = await server.get("query_exemplars", query="ragmon_score_bucket", **window)
    traces = {exemplar["labels"]["trace_id"] for series in found for exemplar in series["exemplars"]}
    assert traces
    assert traces <= ids


def everything(
    config: dict[str, Any], folder: Path, judge: JudgeServer, candidate: JudgeServer, locked: JudgeServer
) -> Settings:
    """A configuration that uses all there is: limits, a shadow, a judge that is locked out, anchors, a calibration."""
    llm = {"type": "llm", "model": MODEL, "allow_private": True}
    limits = {"cost_per_hour": 1000, "prices": {MODEL: {"input": 1, "output": 1}}}
    judges = [
        {"type": "embedded"},
        {"type": "scanner"},
        llm | limits | {"base_url": judge.url},
        llm | {"base_url": candidate.url, "name": "candidate", "shadow_of": "embedded"},
        llm | {"base_url": locked.url, "name": "locked", "evaluations": ["completeness"]},
    ]
    anchors = jsonl(folder / "anchors.jsonl", *(row(number) for number in range(6)))
    calibration = folder / "calibration.json"
    labels = jsonl(folder / "labels.jsonl", *rows(120))
    assert ragmon("calibrate", labels, "--out", calibration).code == 0
    more = {"judges": judges, "anchors": anchors, "anchors_every": ANCHORS_EVERY, "calibration_files": [calibration]}
    return Settings.model_validate(config | more)


def test_a_real_prometheus_sees_the_quality_drop_and_not_before_it(tansu: Tansu, tmp_path: Path) -> None:
    service, ids = Service(random.Random(3)), set[str]()

    async def watch(running: Running, folder: Path) -> None:
        await running.until(lambda: running.stage("judge").passed >= GOOD, "good answers are judged", 60)
        with prometheus(folder, running.monitor.port) as client:
            server = Server(client)
            await check_quiet(server)
            fault_s = SystemClock().now_ns() / 1e9
            service.inventing = 1.0
            await check_alert(server, fault_s)
            await check_metrics(server)
            await check_exemplars(server, ids)

    async def go(settings: Settings) -> None:
        topic = settings.source.topics[0]
        await create_topic(tansu, topic, 2)
        folder = tmp_path / "prometheus"
        folder.mkdir()
        async with monitoring(settings) as running, asyncio.TaskGroup() as group:
            visiting = group.create_task(visit(tansu, topic, service, ids))
            await watch(running, folder)
            visiting.cancel()

    calls = itertools.count()

    def mostly_sensible(request: Mapping[str, Any]) -> Canned:
        """Refuses one in ten: missing verdicts, to be seen, too."""
        return sensible(request) if next(calls) % 10 else Canned.error(400, {"type": "invalid_request_error"})

    unknown = Canned.error(401, {"message": "no", "type": "invalid_api_key"})
    with (
        JudgeServer([mostly_sensible]) as judge,
        JudgeServer([sensible]) as candidate,
        JudgeServer([unknown]) as locked,
    ):
        run(go(everything(config_for(tansu, tmp_path), tmp_path, judge, candidate, locked)), 200)
    service.close()
