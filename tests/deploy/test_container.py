"""ragmon where it may write next to nothing: as uid 65532, without capabilities, on a read-only root file system.

No container engine is needed: a mount namespace with the system's folders bound read-only, and `setpriv`, confine a
process as `deploy/compose.yaml` and the manifests do.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from monitor.config.loading import load
from monitor.demo.service import Service
from tests.brokers import Tansu, free_ports, unique

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = ROOT / "deploy" / "ragmon.yaml"
USER = "65532"

CONFINE = f"""
set -eu
root=$1; data=$2; shift 2
mount -t tmpfs -o mode=0755 none "$root"
mkdir -p "$root/proc" "$root/dev" "$root/data" "$root/tmp"
mount -t tmpfs -o size=64m,mode=1777 none "$root/tmp"  # before the rest: the checkout may lie below it
while [ "$1" != -- ]; do  # read-only, at the same place
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  mount -o remount,bind,ro "$root$1"
  shift
done
shift
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o "$data" none "$root/data"
mount -o remount,ro "$root"
cd "$root"
exec chroot "$root" setpriv --reuid {USER} --regid {USER} --clear-groups --no-new-privs --bounding-set=-all \
  --inh-caps=-all -- "$@"
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(shutil.which(name) for name in ("unshare", "setpriv", "chroot")),
        reason="needs root, unshare and setpriv",
    ),
]


@contextmanager
def _confined(folder: Path, data: str, environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`python -m monitor ARGUMENTS`, confined; `data` are the options of the file system at /data."""
    root = folder / "root"
    root.mkdir()
    visible = {
        Path(name) for name in ("/usr", "/bin", "/lib", "/lib64", "/etc", sys.base_prefix, sys.prefix, str(ROOT))
    }
    binds = sorted(str(path) for path in visible if path.exists())
    command = [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        CONFINE,
        "sh",
        str(root),
        data,
        *binds,
        "--",
    ]
    command += [sys.executable, "-m", "monitor", *arguments]
    base = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/tmp", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}  # noqa: S108 - of the confined process
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, env=base | environment, stdout=log, stderr=log, text=True)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def _get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()
    except OSError as error:
        return 0, str(error)
    finally:
        connection.close()


def _wait(process: subprocess.Popen[str], log: Path, port: int, path: str, expected: str) -> None:
    deadline = time.monotonic() + 60
    while expected not in (answer := _get(port, path))[1]:
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, (answer, log.read_text())
        time.sleep(0.1)


async def _create(broker: Tansu, topic: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=broker.address)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(topic, 2, 1)])
    finally:
        await admin.close()


async def _produce(broker: Tansu, topic: str, questions: int) -> None:
    service = Service(random.Random(1))
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, enable_idempotence=False)
    await producer.start()
    try:
        for record in (record for _ in range(questions) for record in service.ask()):
            await producer.send_and_wait(topic, record.value, key=record.key)
    finally:
        await producer.stop()


def _environment(broker: Tansu, port: int, topic: str) -> dict[str, str]:
    return {
        "RAGMON_KAFKA__BROKERS": f'["{broker.address}"]',
        "RAGMON_KAFKA__IDEMPOTENCE": "false",
        "RAGMON_SOURCE__TOPICS": f'["{topic}"]',
        "RAGMON_SOURCE__GROUP": topic,
        "RAGMON_SOURCE__START": "earliest",
        "RAGMON_SOURCE__SESSION_TIMEOUT": "6s",  # Tansu lets the first member of a group wait for so long
        "RAGMON_TOPICS__VERDICTS": f"{topic}.verdicts",
        "RAGMON_TOPICS__CASES": f"{topic}.cases",
        "RAGMON_TOPICS__DEAD_LETTERS": f"{topic}.dead-letters",
        "RAGMON_TOPICS__REPLICATION": "1",
        "RAGMON_SAMPLING__BASE": "1/1",
        "RAGMON_SAMPLING__CONTENT_SHARE": "1/1",
        "RAGMON_SAMPLING__BUDGET_PER_MINUTE": "0",
        "RAGMON_DATASET__GROUP": f"{topic}-harvest",
        "RAGMON_DATASET__FLUSH_EVERY": "1s",
        "RAGMON_WEB__PORT": str(port),
    }


@pytest.mark.timeout(180)
def test_it_judges_and_harvests_as_a_nobody_on_a_read_only_root(tansu: Tansu, tmp_path: Path) -> None:
    (port,) = free_ports(0)
    topic = unique("confined")
    asyncio.run(_create(tansu, topic))
    asyncio.run(_produce(tansu, topic, 20))
    writable = f"size=64m,mode=0750,uid={USER},gid={USER}"
    with _confined(tmp_path, writable, _environment(tansu, port, topic), "run", "-c", str(CONFIGURATION)) as process:
        harvested = 'ragmon_stage_passed_total{stage="harvest",unit="cases"} 20.0'
        _wait(process, tmp_path / "log", port, "/metrics", harvested)
        assert _get(port, "/readyz") == (200, "ready\n")
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{process.pid}/status").read_text().splitlines())
        assert (status["Uid"].split(), status["Gid"].split()) == ([USER] * 4, [USER] * 4)
        assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
        assert status["NoNewPrivs"] == "1"
        inside = Path(f"/proc/{process.pid}/root")
        assert os.statvfs(inside).f_flag & os.ST_RDONLY
        assert list((inside / "data" / "cases" / "_delta_log").glob("*.json"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=load(CONFIGURATION).judging.drain + 10) == 0, (tmp_path / "log").read_text()


@pytest.mark.timeout(120)
def test_a_volume_that_cannot_be_written_is_told_at_the_start(tansu: Tansu, tmp_path: Path) -> None:
    (port,) = free_ports(0)
    topic = unique("confined")
    asyncio.run(_create(tansu, topic))
    roots_own = "size=64m,mode=0755"
    with _confined(tmp_path, roots_own, _environment(tansu, port, topic), "run", "-c", str(CONFIGURATION)) as process:
        assert process.wait(timeout=60) == 2, (tmp_path / "log").read_text()
    assert "dataset.path" in (tmp_path / "log").read_text()
