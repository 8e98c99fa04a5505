"""`ragmon demo`: a broker, a service that starts to invent facts, ragmon, and a view of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console, RenderableType
from rich.live import Live

from exporters.messages import to_json
from monitor import logs, tables
from monitor.app import Monitor
from monitor.building import build_connection
from monitor.clock import SystemClock
from monitor.config.settings import (
    Assembly,
    BoardSettings,
    Dataset,
    Kafka,
    Log,
    Sampling,
    Settings,
    SourceSettings,
    Web,
)
from monitor.demo.alert import QualityAlert, shipped_alert
from monitor.demo.broker import local_broker
from monitor.demo.collector import Collector
from monitor.demo.service import Service
from monitor.demo.view import WorstAnswers, alert_line, screen
from monitor.errors import InputError, plain_config_errors

_HOST = "127.0.0.1"
_TOPIC = "otlp_spans"
_PER_SECOND = 6.0
_INVENTING = 1 / 3
_REFRESH_S = 0.5
_UNTIL_LOW_S = 40.0
"""From the first invented facts until the upper bound of the mean is below the objective, on most machines."""


@dataclass(slots=True)
class Demo:
    """What the parts of the demo share."""

    monitor: Monitor
    service: Service
    alert: QualityAlert
    worst: WorstAnswers
    fault_after: float
    data: Path
    began: float = field(default_factory=time.monotonic)
    fault_at: float | None = None
    """Seconds after the first question at which the service began to invent facts."""

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.began


def main(*, seconds: float, as_json: bool, fault_after: float, port: int, data: Path) -> int:
    """Run the demo; returns the exit code. Raises InputError when the port cannot be had."""
    _check(port)
    console = Console(stderr=as_json)
    console.print("starting a local broker, a small RAG service and ragmon ...")
    logs.configure(Log(level="error", format="console"), SystemClock())
    with local_broker() as address:
        worst = WorstAnswers()
        monitor = Monitor(settings_for(address, port, data), observe_case=worst.observe)
        service = Service(random.Random(7))  # noqa: S311 - the same visitors in each demo
        demo = Demo(monitor, service, shipped_alert(), worst, fault_after, data)
        console.print(_try_it(demo), soft_wrap=True)
        with plain_config_errors():
            asyncio.run(_run(demo, seconds, console, live=not as_json and console.is_terminal))
    if as_json:
        sys.stdout.write(to_json(monitor.snapshot).decode() + "\n")
    else:
        console.print(tables.report(monitor.snapshot), alert_line(demo.alert, demo.elapsed))
        console.print(f"sample set: {data} (look at it: ragmon dataset show {data})")
        if advice := _advice(demo):
            console.print(advice)
    return 0


def _check(port: int) -> None:
    """Before anything is started. Raises InputError."""
    try:
        socket.create_server((_HOST, port)).close()
    except OSError as error:
        why = os.strerror(error.errno or 0).lower()
        raise InputError(f"--port {port}: cannot listen there ({why}); name another one, or 0 for any") from None


def settings_for(address: str, port: int, data: Path) -> Settings:
    """Everything is judged, windows are short, and little is waited for: a demo has minutes, not days."""
    return Settings(
        kafka=Kafka(brokers=(address,), idempotence=False),
        source=SourceSettings(
            topics=(_TOPIC,), start="earliest", commit_every=1.0, session_timeout=3.0, rebalance_timeout=5.0
        ),
        assembly=Assembly(quiet=0.5, timeout=10.0),
        sampling=Sampling(base=1, content_share=1),
        board=BoardSettings(windows=(60.0, 300.0, 3600.0)),
        dataset=Dataset(path=str(data), flush_every=5.0),
        web=Web(host=_HOST, port=port),
        log=Log(level="error", format="console"),
    )


async def _run(demo: Demo, seconds: float, console: Console, *, live: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if seconds:
        loop.call_later(seconds, stop.set)
    collector = Collector(build_connection(demo.monitor.settings), _TOPIC)
    await collector.start()
    async with asyncio.TaskGroup() as group:
        helpers = [group.create_task(_visit(demo, collector)), group.create_task(_show(demo, console, live=live))]
        try:
            await demo.monitor.run(stop)
        finally:
            for task in helpers:
                task.cancel()


async def _visit(demo: Demo, collector: Collector) -> None:
    """Let visitors ask, until cancelled."""
    try:
        while True:
            if demo.fault_at is None and demo.elapsed >= demo.fault_after:
                demo.service.inventing, demo.fault_at = _INVENTING, demo.elapsed
            await collector.send(demo.service.ask())
            await asyncio.sleep(1 / _PER_SECOND)
    finally:
        await collector.stop()


async def _show(demo: Demo, console: Console, *, live: bool) -> None:
    """Evaluate the alert and show what there is, until cancelled: a live picture, or a line when something changed."""
    told = ""
    with Live(console=console, auto_refresh=False, transient=True) if live else contextlib.nullcontext() as picture:
        while True:
            demo.alert.evaluate(demo.monitor.snapshot, demo.elapsed)
            if picture is not None:
                picture.update(_screen(demo), refresh=True)
            elif (state := _state(demo)) != told:
                console.print(f"{demo.elapsed:4.0f} s  {state}", soft_wrap=True)
                told = state
            await asyncio.sleep(_REFRESH_S)


def _screen(demo: Demo) -> RenderableType:
    status = [
        f"ragmon demo, {demo.elapsed:.0f} s  ·  Ctrl-C ends it",
        _phase(demo),
        f"metrics: {_metrics(demo)}  ·  sample set: {demo.data}",
        _try_it(demo),
    ]
    return screen(demo.monitor.snapshot, demo.alert, demo.worst, elapsed=demo.elapsed, status=status)


def _metrics(demo: Demo) -> str:
    """Their address, once there is one."""
    return f"http://127.0.0.1:{demo.monitor.port}/metrics" if demo.monitor.port else "not yet"


def _try_it(demo: Demo) -> str:
    """Where the traces are, as a command that can be tried meanwhile."""
    return f"traces: ragmon record {_TOPIC} --brokers {demo.monitor.settings.kafka.brokers[0]} --out traces.jsonl.gz"


def _advice(demo: Demo) -> str:
    """How long to run the demo so that the alert fires; empty when it did, or when that is not known."""
    if demo.alert.fired_at is not None:
        return ""
    fires = demo.fault_after + _UNTIL_LOW_S + demo.alert.wait_s
    return (
        f"the demo ended before the alert fired, which is at about {fires:.0f} s; run it for {fires + 30:.0f} s "
        "(--seconds), or until Ctrl-C"
    )


def _phase(demo: Demo) -> str:
    if demo.fault_at is not None:
        return f"the service invents facts in a third of its answers since {demo.fault_at:.0f} s"
    return f"the service answers from its documents; it starts to invent facts after {demo.fault_after:.0f} s"


def _state(demo: Demo) -> str:
    """What a log of the demo needs to say; it changes only when something happened."""
    if demo.alert.fired_at is not None:
        alert = "FIRING RagmonQualityDrop"
    else:
        alert = "pending RagmonQualityDrop" if demo.alert.pending else "ok"
    return f"{alert}; {_phase(demo)}; metrics: {_metrics(demo)}"
