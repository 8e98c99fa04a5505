"""The demo's RAG service as a process of its own, which sends its spans to a Collector over OTLP/HTTP.

python -m monitor.demo.serve --endpoint http://collector:4318 --rate 5 --fault-after 120

It stands in for an application in `deploy/compose.yaml`. SIGTERM or SIGINT ends it, after its last spans are sent.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from monitor.clock import SystemClock
from monitor.demo.service import Service
from monitor.protocols import Clock

_SEND_EVERY_MS = 1000
_SEND_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What the visitors do and what goes wrong."""

    rate: float
    """Questions a second, above 0."""
    fault_after: float
    """Seconds until the service starts to invent facts."""
    fault_share: float
    """Share of the answers that then hold an invented sentence, 0 to 1."""
    seconds: float
    """Ends after so long; 0 runs until stopped."""


def serve(service: Service, plan: Plan, clock: Clock, stop: threading.Event) -> int:
    """Ask at the planned pace until `stop` is set or the time is over; gives the number of questions asked.

    A pause of the process is made up for: the number of questions follows from the time that has passed.
    """
    begun = clock.monotonic()
    asked = 0
    while not stop.wait(max(0.0, begun + asked / plan.rate - clock.monotonic())):
        elapsed = clock.monotonic() - begun
        if plan.seconds and elapsed >= plan.seconds:
            break
        service.inventing = plan.fault_share if elapsed >= plan.fault_after else 0.0
        service.ask()
        asked += 1
    return asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the service; gives the exit code."""
    options = _parser().parse_args(arguments)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    exporter = OTLPSpanExporter(endpoint=f"{options.endpoint.rstrip('/')}/v1/traces", timeout=_SEND_TIMEOUT_S)
    service = Service(
        random.Random(options.seed),  # noqa: S311 - which visitor asks what
        BatchSpanProcessor(exporter, schedule_delay_millis=_SEND_EVERY_MS),
    )
    sys.stdout.write(f"sending {options.rate:g} questions a second to {options.endpoint}\n")
    sys.stdout.flush()
    plan = Plan(options.rate, options.fault_after, options.fault_share, options.seconds)
    try:
        asked = serve(service, plan, SystemClock(), stop)
    finally:
        service.close()
    sys.stdout.write(f"asked {asked} questions\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m monitor.demo.serve", description="The demo's RAG service.")
    parser.add_argument("--endpoint", default="http://127.0.0.1:4318", help="OTLP/HTTP address without /v1/traces")
    parser.add_argument("--rate", type=_positive, default=5.0, help="questions a second")
    parser.add_argument("--fault-after", type=float, default=120.0, help="seconds until it invents facts")
    parser.add_argument("--fault-share", type=_share, default=1 / 3, help="share of invented answers then")
    parser.add_argument("--seconds", type=float, default=0.0, help="end after so long; 0 runs until stopped")
    parser.add_argument("--seed", type=int, default=None, help="seed of the visitors' choices")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value <= 10_000:  # noqa: PLR2004 - the bound stands in the message
        raise argparse.ArgumentTypeError("must be above 0 and at most 10000")
    return value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError("must be from 0 to 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
