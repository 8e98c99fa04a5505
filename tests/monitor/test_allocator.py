from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

_ARENAS = """
import ctypes, threading
from monitor.allocator import share_arena
assert share_arena()
threads = [threading.Thread(target=lambda: [bytearray(9999) for _ in range(99)]) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not glibc")
def test_threads_take_their_memory_from_one_arena() -> None:
    done = subprocess.run([sys.executable, "-c", _ARENAS], capture_output=True, text=True, check=True)
    assert [line for line in done.stderr.splitlines() if line.startswith("Arena")] == ["Arena 0:"]


def test_who_sets_the_number_of_arenas_gets_it() -> None:
    asked = "from monitor.allocator import share_arena; print(share_arena())"
    environment = {**os.environ, "MALLOC_ARENA_MAX": "4"}
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "False\n"
