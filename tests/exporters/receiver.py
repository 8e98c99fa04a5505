"""Real OTLP receivers on the loopback: they parse what comes, and answer as they are told."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import grpc  # type: ignore[import-untyped] # ships no types
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc import (
    MetricsServiceServicer,
    add_MetricsServiceServicer_to_server,
)


class Receiver:
    """Keeps the parsed requests of both signals; `status` is what it answers; `gate` holds every answer back."""

    def __init__(self) -> None:
        self.metrics: queue.Queue[ExportMetricsServiceRequest] = queue.Queue()
        self.logs: queue.Queue[ExportLogsServiceRequest] = queue.Queue()
        self.headers: list[dict[str, str]] = []
        self.status = 200
        self.gate = threading.Event()
        self.gate.set()
        self.asked = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.headers.append(dict(self.headers))
                receiver.asked.set()
                receiver.gate.wait(10)
                if receiver.status == 200:
                    receiver.take(self.path, body)
                self.send_response(receiver.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"

    def take(self, path: str, body: bytes) -> None:
        if path == "/v1/metrics":
            self.metrics.put(ExportMetricsServiceRequest.FromString(body))
        elif path == "/v1/logs":
            self.logs.put(ExportLogsServiceRequest.FromString(body))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _GrpcMetrics(MetricsServiceServicer):
    def __init__(self) -> None:
        self.requests: queue.Queue[ExportMetricsServiceRequest] = queue.Queue()

    def Export(self, request: ExportMetricsServiceRequest, _: object) -> ExportMetricsServiceResponse:  # noqa: N802 - gRPC
        self.requests.put(request)
        return ExportMetricsServiceResponse()


@contextlib.contextmanager
def grpc_receiver() -> Iterator[tuple[str, queue.Queue[ExportMetricsServiceRequest]]]:
    """Endpoint of a gRPC receiver of metrics, and what it got."""
    server = grpc.server(ThreadPoolExecutor(1))
    service = _GrpcMetrics()
    add_MetricsServiceServicer_to_server(service, server)  # type: ignore[no-untyped-call] # generated
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"http://127.0.0.1:{port}", service.requests
    finally:
        server.stop(None).wait()
