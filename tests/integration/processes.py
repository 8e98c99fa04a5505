"""`ragmon run` as a process of its own, which can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import yaml

from tests.brokers import free_ports


class Ragmon:
    """A program with its configuration file; it may be started again and again. Its log goes on in one file."""

    def __init__(self, folder: Path, config: Mapping[str, Any], *, cwd: Path | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (self.port,) = free_ports(0)
        self.file, self.log = folder / "ragmon.yaml", folder / "ragmon.log"
        self.log.touch()
        web = {"host": "127.0.0.1", "port": self.port}
        self.file.write_text(yaml.safe_dump({**config, "web": web}), encoding="utf-8")
        self.prefix: Sequence[str] = ()
        """A command that runs the program given to it, if it shall not be run as it is."""
        self._cwd = cwd or folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The running process."""
        assert self._process is not None
        return self._process

    def start(self) -> None:
        """Start it; does not wait for anything."""
        command = [*self.prefix, sys.executable, "-m", "monitor", "run", "-c", str(self.file)]
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(command, cwd=self._cwd, stdout=output, stderr=output)

    def kill(self) -> None:
        """Kill with signal 9, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    async def stop(self, within: float = 30.0) -> int:
        """Ask it to end; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended(within)

    async def ended(self, within: float) -> int:
        """Wait for the end; gives the exit code. AssertionError when it goes on for longer than `within` seconds."""
        try:
            return await asyncio.to_thread(self.process.wait, within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it still runs after {within:.0f} s: {self.tail()}") from None

    async def get(self, path: str) -> httpx.Response | None:
        """Ask its web endpoint; None while nobody answers there."""
        with contextlib.suppress(httpx.HTTPError):
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", trust_env=False) as client:
                return await client.get(path)
        return None

    async def until(self, path: str, text: str, within: float = 40.0) -> httpx.Response:
        """Wait until a page holds a text; AssertionError with the log when it does not come."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while True:
            assert self.process.poll() is None, f"it ended with {self.process.returncode}: {self.tail()}"
            answer = await self.get(path)
            if answer is not None and text in answer.text:
                return answer
            seen = answer.text[:500] if answer is not None else "no answer"
            assert loop.time() < deadline, f"{path} has no {text!r} within {within:.0f} s: {seen} {self.tail()}"
            await asyncio.sleep(0.05)

    def tail(self) -> str:
        """The end of its log."""
        return "\n" + "\n".join(self.log.read_text(encoding="utf-8").splitlines()[-20:])


@contextlib.asynccontextmanager
async def ended_for_sure(*programs: Ragmon) -> AsyncIterator[None]:
    """Whatever happens in the block, no process outlives it."""
    try:
        yield
    finally:
        for program in programs:
            if program._process is not None:
                program.kill()
