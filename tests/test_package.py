"""The shape of the package: what importing it costs and offers, and who may import whom."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import exporters
import monitor

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*(ROOT / "monitor").rglob("*.py"), *(ROOT / "exporters").rglob("*.py")])
HEAVY = ("numpy", "scipy", "aiokafka", "pyarrow", "deltalake", "httpx", "google.protobuf", "opentelemetry", "uvicorn")
EDGES = {
    "aiokafka": r"monitor/(sources|kafka_client)/|exporters/kafka|monitor/demo/collector",
    "scipy": r"monitor/quality/stats\.py",
    "numpy": r"monitor/quality/|monitor/judges/(embedded\.py|text/|grounding/)",
    "google": r"monitor/traces/decode/",
    "opentelemetry": r"monitor/traces/decode/|exporters/otlp|monitor/demo/",
    "httpx": r"monitor/judges/servers/transport\.py",
    "deltalake": r"exporters/delta\.py",
    "pyarrow": r"exporters/(delta|dataset|dataset_feedback)\.py",
    "prometheus_client": r"exporters/",
    "starlette": r"exporters/web\.py",
    "uvicorn": r"exporters/web\.py",
    "typer": r"monitor/cli\w*\.py",
    "confluent_kafka": r"monitor/sources/librdkafka",
    "onnxruntime": r"monitor/judges/grounding/vectors\.py",
    "tokenizers": r"monitor/judges/grounding/vectors\.py",
}
"""Third parties, and where alone they may be imported."""


@functools.cache
def imported(path: Path) -> set[str]:
    """The top names of all modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=found):
                names |= {alias.name.partition(".")[0] for alias in found}
            case ast.ImportFrom(module=str(module), level=0):
                names.add(module.partition(".")[0])
            case _:
                pass
    return names


@pytest.mark.parametrize("package", [monitor, exporters])
def test_a_package_offers_its_description_and_version_only(package: object) -> None:
    own = {name for name in vars(package) if not name.startswith("_")}
    modules = {path.stem for path in Path(str(package.__file__)).parent.iterdir()}  # type: ignore[attr-defined] # a module
    assert own <= modules
    assert package.__doc__


def test_the_version_is_that_of_the_distribution() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|[ab]\d+|rc\d+)?", monitor.__version__)


@pytest.mark.parametrize("library", EDGES)
def test_a_third_party_stays_at_its_edge(library: str) -> None:
    where = [str(path.relative_to(ROOT)) for path in SOURCES if library in imported(path)]
    assert [path for path in where if not re.match(EDGES[library], path)] == []


def test_the_import_contracts_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_help_loads_nothing_heavy_and_is_there_at_once() -> None:
    script = (
        "import sys, time\n"
        "began = time.process_time()\n"
        "sys.argv = ['ragmon', '--help']\n"
        "from monitor import cli\n"
        "try: cli.main()\n"
        "except SystemExit as ended: code = ended.code\n"
        "print('LOADED', code, time.process_time() - began, *sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    _, code, seconds, *modules = done.stderr.split()
    assert (code, "replay" in done.stdout) == ("0", True)
    assert [name for name in HEAVY if name in modules] == []
    assert float(seconds) < 1.0


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(path) for path in SOURCES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert silent == []


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    long = [str(path) for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 400]
    assert long == []
