"""Two judges and rows, for the commands that judge judges."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from pathlib import Path

PASSAGES = ("The desk closes at 18:00. Parking is free for guests.", "Breakfast is served until ten.")
GOOD = ("The desk closes at 18:00.", "Parking is free for guests.", "Breakfast is served until ten.")
BAD = ("Purple dragons sing forty songs.", "The pool has nine golden slides.", "Helicopters land hourly nearby.")


def row(number: int, **more: object) -> dict[str, object]:
    answer = (GOOD if number % 2 else BAD)[number % 3]
    return {"id": f"r{number}", "question": f"What of {number}?", "contexts": list(PASSAGES), "answer": answer, **more}


def rows_file(folder: Path, rows: Iterable[dict[str, object]]) -> Path:
    file = folder / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def config_file(folder: Path, url: str, more: str = "", *, candidate: str = "temperature: 0.0") -> Path:
    """An embedded judge, and one behind an endpoint that runs beside it."""
    file = folder / "ragmon.yaml"
    file.write_text(
        f"""\
judges:
- type: embedded
- type: llm
  name: candidate
  model: overlap-judge-1
  base_url: {url}
  allow_private: true
  input_price: 1.0
  output_price: 2.0
  shadow_of: embedded
  {candidate}
{more}""",
        encoding="utf-8",
    )
    return file


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def dead_shadow(folder: Path, retries: int = 0) -> Path:
    """A configuration with a judge beside the embedded one that cannot be reached."""
    file = folder / "ragmon.yaml"
    judge = {"type": "llm", "name": "gpt", "model": "m", "base_url": f"http://127.0.0.1:{closed_port()}/v1"}
    dead = judge | {"allow_private": True, "shadow_of": "embedded", "retries": retries}
    sampling = {"base": 1, "content_share": 1}
    file.write_text(json.dumps({"judges": [{"type": "embedded"}, dead], "sampling": sampling}))
    return file
