from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import jsonschema
import msgspec
import pytest
import yaml
from pydantic import BaseModel

from exporters.catalog import CATALOG
from monitor.accounting import STAGES
from monitor.config.judges import LlmJudge
from monitor.config.settings import Settings
from monitor.config.values import Secret
from tests.exporters.samples import low_case, snapshot, totals

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "generate.py"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ragmon_docs_generate", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = path
    return module


def test_the_committed_pages_say_what_the_code_says() -> None:
    checked = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_a_stale_page_is_named_with_what_differs(
    generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    assert generate.main(["--check"]) == 1
    assert "stale: docs/metrics.md; run python docs/generate.py" in capsys.readouterr().out
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    page = tmp_path / "docs" / "metrics.md"
    page.write_text(page.read_text().replace("# Metrics", "# Measures"))
    capsys.readouterr()
    assert generate.main(["--check"]) == 1
    assert "    -# Measures\n    +# Metrics\n" in capsys.readouterr().out


def test_every_metric_stage_and_reason_has_its_row() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text()
    rows = set(re.findall(r"^\| `(ragmon_[a-z0-9_]+)", page, re.MULTILINE))
    assert rows == {metric.prometheus for metric in CATALOG}
    for stage in STAGES:
        for reason in stage.reasons:
            assert f"| `{stage.name}` | {stage.unit} | `{reason.name}` |" in page


def test_every_option_has_its_row_with_a_meaning() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    assert {row[1].strip("`") for row in rows if row[1]} == set(_variables("RAGMON", Settings))
    names = {row[0].removeprefix("| ").strip("`") for row in rows}
    assert names >= set(LlmJudge.model_fields)
    assert [row for row in rows if row[0] != "| `type`" and not row[5].removesuffix(" |").strip()] == []


def _variables(prefix: str, section: type[BaseModel]) -> list[str]:
    found: list[str] = []
    for name, field in section.model_fields.items():
        separator = "_" if prefix == "RAGMON" else "__"
        variable = f"{prefix}{separator}{name.upper()}"
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind is not Secret:
            found += _variables(variable, kind)
        else:
            found.append(variable)
    return found


def test_the_example_is_a_valid_configuration(generate: ModuleType) -> None:
    settings = Settings.model_validate(yaml.safe_load(generate.EXAMPLE))
    assert (settings.sampling.base, len(settings.judges)) == (100, 3)


def test_defaults_are_written_as_one_would_write_them_in_the_file(generate: ModuleType) -> None:
    page = generate.configuration_page()
    for row in (
        "| `windows` | `RAGMON_BOARD__WINDOWS` | list of duration | `[5m, 1h, 1d, 7d]` |",
        "| `base` | `RAGMON_SAMPLING__BASE` | rate | `1/100` | not off |",
        "| `session_timeout` | `RAGMON_SOURCE__SESSION_TIMEOUT` | duration | `30s` | >= 1 |",
        "| `stall_after` | `RAGMON_SOURCE__STALL_AFTER` | duration | `1m` | > 0 |",
        "| `password` | `RAGMON_KAFKA__SECURITY__PASSWORD` | secret |  |  |",
    ):
        assert row in page


def test_every_message_that_leaves_has_a_published_schema() -> None:
    for name in ("verdict", "case", "dead-letter", "snapshot"):
        schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)


def test_a_snapshot_fits_its_published_schema() -> None:
    schema = json.loads((ROOT / "docs" / "schemas" / "snapshot.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    shown = replace(snapshot((), (totals(exemplars=(low_case(),)),)), worst=(low_case(),))
    jsonschema.validate(json.loads(msgspec.json.encode(shown)), schema)
    jsonschema.validate(json.loads(msgspec.json.encode(snapshot())), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"taken_ns": 0}, schema)
