"""The demo's service as a process: real spans over real OTLP/HTTP to a receiver on the loopback."""

from __future__ import annotations

import gzip
import json
import os
import queue
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

from monitor.demo import serve
from monitor.demo.corpus import INVENTED
from monitor.demo.service import Service
from tests.fakes import FakeClock


class Receiver(ThreadingHTTPServer):
    """An OTLP/HTTP receiver that keeps the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.arrived: queue.Queue[ExportTraceServiceRequest] = queue.Queue()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self) -> list[Span]:
        requests = [self.arrived.get_nowait() for _ in range(self.arrived.qsize())]
        return [span for r in requests for rs in r.resource_spans for ss in rs.scope_spans for span in ss.spans]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        assert self.path == "/v1/traces"
        self.server.arrived.put(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _start(receiver: Receiver, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "monitor.demo.serve", "--endpoint", receiver.address, *arguments]
    environment = os.environ | {"NO_PROXY": "127.0.0.1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def _answers(spans: Sequence[Span]) -> list[str]:
    found = []
    for span in spans:
        attributes = {item.key: item.value.string_value for item in span.attributes}
        if attributes.get("gen_ai.operation.name") == "invoke_workflow":
            found.append(json.loads(attributes["gen_ai.output.messages"])[0]["parts"][0]["content"])
    return found


def _invented(answer: str) -> bool:
    return any(answer.endswith(sentence) for sentences in INVENTED.values() for sentence in sentences)


def test_every_question_arrives_as_a_trace_of_three_spans_before_the_process_ends(receiver: Receiver) -> None:
    with _start(receiver, "--rate", "50", "--seconds", "0.5", "--fault-after", "60") as process:
        output, _ = process.communicate(timeout=40)
    asked = int(output.split()[-2])
    spans = receiver.spans()
    assert process.returncode == 0
    assert asked > 0
    assert len({span.trace_id for span in spans}) == asked
    assert len(spans) == 3 * asked
    assert not any(_invented(answer) for answer in _answers(spans))


def test_sigterm_ends_the_process_after_its_last_spans_are_sent(receiver: Receiver) -> None:
    with _start(receiver, "--seed", "1", "--rate", "50", "--fault-after", "0", "--fault-share", "1") as process:
        first = receiver.arrived.get(timeout=40)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=40)
    receiver.arrived.put(first)
    spans = receiver.spans()
    assert process.returncode == 0
    assert len(spans) == 3 * int(output.split()[-2])
    assert all(_invented(answer) for answer in _answers(spans))


class _Pace(threading.Event):
    """Nobody stops it; a wait moves the clock."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self.clock = clock

    def wait(self, timeout: float | None = None) -> bool:
        self.clock.advance(timeout or 0.0)
        return False


class _Kept(SpanProcessor):
    def __init__(self) -> None:
        self.answers: list[str] = []

    def on_end(self, span: ReadableSpan) -> None:
        attributes = span.attributes or {}
        if attributes["gen_ai.operation.name"] == "invoke_workflow":
            answer = json.loads(str(attributes["gen_ai.output.messages"]))
            self.answers.append(answer[0]["parts"][0]["content"])


def test_the_fault_starts_when_planned_and_not_before() -> None:
    clock, kept = FakeClock(), _Kept()
    service = Service(random.Random(1), kept)
    asked = serve.serve(service, serve.Plan(rate=4, fault_after=5, fault_share=1, seconds=10), clock, _Pace(clock))
    assert asked == 40
    assert [_invented(answer) for answer in kept.answers] == [False] * 20 + [True] * 20


@pytest.mark.parametrize("arguments", [["--rate", "0"], ["--rate", "nan"], ["--fault-share", "2"]])
def test_an_impossible_plan_is_refused_with_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        serve.main(arguments)
    assert refused.value.code == 2
    assert "must be" in capsys.readouterr().err
