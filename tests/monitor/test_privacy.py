"""What users wrote stays inside: marker texts planted everywhere are looked for in everything that leaves."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import structlog

from exporters.messages import encode_case, encode_dead_letter, encode_verdict, to_json
from monitor import logs
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.judges import ScannerJudge as ScannerSettings
from monitor.config.settings import BoardSettings, Log
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.llm import LlmJudge
from monitor.judges.scanner import ScannerJudge
from monitor.protocols import Judge
from monitor.quality.board import Board
from monitor.wire import RawRecord
from tests import judge_server, virtual_time
from tests.fakes import FakeClock, FakeSource, ScriptedJudge
from tests.judge_server import Canned
from tests.monitor.judges.scripted import ScriptedTransport, config
from tests.monitor.streams import Rig, crashing, entry, otlp, plain, record, retrieval
from tests.virtual_time import VirtualClock

PROSE = "zebrafinch"
"""Stands in every text; not redactable, so it may reach a case and a judge, but no verdict, metric or log."""
MAIL = "quentin.marker@example.com"
KEY = "AKIAQ7MARKERTEXT4ZQX"
PHONE = "+49 170 5551234"
REDACTABLE = (MAIL, KEY, PHONE)
TEXT = f"The {PROSE} said: write to {MAIL}, call {PHONE}, use {KEY}."


def planted() -> list[RawRecord]:
    """Markers in every field that people fill, in two encodings, and in what cannot be read."""
    feedback = {"name": "user", "score": 0, "label": TEXT, "comment": TEXT}
    everything: dict[str, object] = {
        "question": TEXT,
        "answer": f"{TEXT} {PROSE} is unsupported.",
        "contexts": [{"id": MAIL, "text": TEXT}, TEXT],
        "search_query": TEXT,
        "feedback": feedback,
    }
    values = [
        plain("a", **everything),
        plain(
            "b", **everything | {"error": f"TimeoutError: {TEXT}", "user_id": MAIL, "session_id": MAIL, "tenant": MAIL}
        ),
        plain("c", error=TEXT),
        otlp(entry("1" * 32, TEXT, TEXT), retrieval("1" * 32, TEXT)),
        json.dumps({"trace_id": TEXT * 20, "question": [TEXT]}).encode(),
        json.dumps({TEXT: TEXT}).encode(),
        TEXT.encode() + b"\xff",
    ]
    return [record(value, offset) for offset, value in enumerate(values)]


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    """Everything that is logged, of ours and of libraries, at every level."""
    kept = io.StringIO()
    handler = logging.StreamHandler(kept)
    root, level = logging.getLogger(), logging.getLogger().level
    logs.configure(Log(level="debug"), FakeClock())
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(kept), cache_logger_on_first_use=False)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield kept
    root.removeHandler(handler)
    root.setLevel(level)
    structlog.reset_defaults()


def quoting(request: Mapping[str, Any]) -> Canned:
    """A judge that quotes all it was sent, in its verdict and beside it."""
    said = "\n".join(message["content"] for message in request["messages"])
    claim = {"claim": said, "passage": 1, "reason": said, "verdict": "unsupported"}
    return Canned.chat(json.dumps({"claims": [claim], "claim_count": 1}))


def failing(request: Mapping[str, Any]) -> Canned:
    """A server whose error quotes what it was sent."""
    return Canned.error(400, {"message": str(request), "type": "invalid_request_error", "code": str(request)})


def run(*judges: Judge, transport: ScriptedTransport | None = None) -> Rig:
    async def main(clock: VirtualClock) -> Rig:
        remote: list[Judge] = []
        if transport is not None:
            remote.append(LlmJudge(config(), clock, api_key="k", rng=random.Random(1), transport=transport))
        panel = [*judges, *remote, EmbeddedJudge(EmbeddedSettings(), clock), ScannerJudge(ScannerSettings(), clock)]
        rig = Rig(FakeSource(planted()), clock, panel)
        await rig.pipeline.run(asyncio.Event())
        return rig

    return virtual_time.run(main)


def leaves(rig: Rig) -> bytes:
    """Verdicts, and the snapshot of them."""
    board = Board(BoardSettings())
    for verdict in rig.verdicts.items:
        board.add(verdict, verdict.end_ns)
    shown = to_json(board.snapshot(rig.verdicts.items[0].end_ns, rig.accounting.counts()))
    return b"\n".join(map(encode_verdict, rig.verdicts.items)) + shown


@pytest.mark.parametrize("respond", [judge_server.sensible, quoting, failing])
def test_no_marker_leaves_where_it_must_not(respond: Any, log_lines: io.StringIO) -> None:  # noqa: ANN401 - a reply or a function
    transport = ScriptedTransport(respond)
    rig = run(ScriptedJudge(crashing("b"), remote=True), transport=transport)
    assert len(rig.cases.items) == 4
    verdicts, written = leaves(rig).decode(), log_lines.getvalue()
    cases = b"\n".join(map(encode_case, rig.cases.items)).decode()
    notes = "".join(str(encode_dead_letter(letter)[1]) for letter in rig.dead_letters.items)
    sent = json.dumps(transport.requests, ensure_ascii=False)
    assert transport.requests
    assert written  # the judge that crashed
    for marker in (PROSE, *REDACTABLE):
        assert marker not in verdicts
        assert marker not in written
        assert marker not in notes
    for marker in REDACTABLE:
        assert marker not in sent
        assert marker not in cases
    assert PROSE in cases  # the looking itself works
    assert PROSE in sent


def test_dead_letters_keep_the_original_bytes_and_only_those() -> None:
    rig = run()
    assert len(rig.dead_letters.items) == 3
    assert all(PROSE.encode() in (letter.value or b"") for letter in rig.dead_letters.items)
    assert all(PROSE not in f"{letter.error}{letter.detail}" for letter in rig.dead_letters.items)


def test_a_remote_judge_is_asked_about_the_redacted_request_and_a_local_one_about_the_raw_one() -> None:
    remote, local = ScriptedJudge(remote=True, name="remote"), ScriptedJudge()
    run(remote, local)

    assert all(marker not in str(trace) for trace in remote.asked for marker in REDACTABLE)
    assert any(MAIL in str(trace) for trace in local.asked)


def test_an_unwritable_case_does_not_tell_its_content(log_lines: io.StringIO) -> None:
    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(FakeSource(planted()), clock)
        rig.failing_cases.failures = 3
        await rig.pipeline.run(asyncio.Event())
        return rig

    virtual_time.run(main)
    assert "write not confirmed" in log_lines.getvalue()
    assert PROSE not in log_lines.getvalue()
