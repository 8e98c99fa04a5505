"""Labelled rows, and `ragmon calibrate` by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from monitor.judges import embedded
from tests.judge_server import JudgeServer
from tests.monitor.offline.judging import row
from tests.monitor.terminal import Ended, ragmon

OWN = embedded.identity_of("embedded").fingerprint


def rows(n: int, *, right: bool = True) -> list[dict[str, object]]:
    return [row(number, label=(number % 2 if right else int(number % 4 > 1))) for number in range(n)]


def jsonl(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return path


def figures(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def calibrated(path: Path, *lines: object, options: tuple[str | Path, ...] = ()) -> dict[str, Any]:
    return figures(ragmon("calibrate", jsonl(path / "labels.jsonl", *lines), "--json", *options))


def llm(path: Path, server: JudgeServer) -> Path:
    config = path / "llm.yaml"
    config.write_text(
        f"judges: [{{type: embedded}}, {{type: llm, base_url: '{server.url}', model: m, allow_private: true}}]\n"
    )
    return config
