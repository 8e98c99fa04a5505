"""A report from the field (`tests/data/field-cases.jsonl`) through the real pipeline, and what came of it."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families as parse_text

from exporters.messages import encode_case, encode_verdict, to_json
from exporters.prometheus import SnapshotCollector, build_registry, render
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.judges import ScannerJudge as ScannerSettings
from monitor.config.settings import BoardSettings
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.llm import LlmJudge
from monitor.judges.scanner import ScannerJudge
from monitor.operational import Operational
from monitor.quality.board import Board
from monitor.records import Verdict
from monitor.snapshot import Snapshot
from monitor.wire import RawRecord
from tests import judge_server, virtual_time
from tests.fakes import FakeSource
from tests.judge_server import Canned
from tests.monitor.judges.scripted import CASES, ScriptedTransport, canned_case, config
from tests.monitor.streams import BASE_NS, TOPIC, Rig, plain, record
from tests.virtual_time import VirtualClock

REQUEST = plain("f" * 32, question="How long?", answer="Two years. With a receipt.", contexts=["Two years."])


def records_of(case_id: str) -> list[RawRecord]:
    """The records as the case gives them, in its order; a second delivery gets an offset of its own."""
    return [_record(given, offset) for offset, given in enumerate(CASES[case_id]["input"]["records"])]


def _record(given: Mapping[str, Any], offset: int) -> RawRecord:
    if given.get("value") is not None:
        value: bytes | None = json.dumps(given["value"]).encode()
    elif "value_base64" in given:
        value = base64.b64decode(given["value_base64"])
    else:
        value = None
    key = given.get("key")
    return RawRecord(TOPIC, 0, offset, key and key.encode(), value, BASE_NS // 1_000_000)


class Run:
    """One run of the pipeline with the embedded judge, the scanners and an LLM judge, and what came of it."""

    def __init__(
        self, records: Sequence[RawRecord], *script: Canned | Callable[[Mapping[str, Any]], Canned], **settings: object
    ) -> None:
        self.settings = {"judging": {"workers": 1}, **settings}
        self.transport = ScriptedTransport(*(script or (judge_server.sensible,)))
        with structlog.testing.capture_logs() as self.lines:
            virtual_time.run(lambda clock: self._run(clock, records))
        self.snapshot = self._snapshot()
        self.page = self._scrape()

    async def _run(self, clock: VirtualClock, records: Sequence[RawRecord]) -> None:
        self.llm = LlmJudge(config(), clock, api_key=None, rng=random.Random(1), transport=self.transport)
        embedded, scanner = EmbeddedJudge(EmbeddedSettings(), clock), ScannerJudge(ScannerSettings(), clock)
        source = FakeSource(records)
        self.rig = Rig(source, clock, [embedded, scanner, self.llm], self.settings)
        await self.rig.pipeline.run(asyncio.Event())
        self.rig.check()
        self.load = self.llm.load()
        assert source.committed == source.ends

    def verdict(
        self, judge: str = "embedded", trace_id: str | None = None, evaluation: str = "faithfulness"
    ) -> Verdict:
        (verdict,) = (
            item
            for item in self.rig.verdicts.items
            if (item.judge, item.evaluation) == (judge, evaluation) and trace_id in {None, item.trace_id}
        )
        return verdict

    def faithfulness(self, trace_id: str | None = None) -> list[tuple[str, str, float | None]]:
        """Outcome, reason and score of the embedded and the LLM judge."""
        return [
            (verdict.outcome.value, verdict.reason, verdict.score)
            for verdict in (self.verdict("embedded", trace_id), self.verdict("llm", trace_id))
        ]

    def _snapshot(self) -> Snapshot:
        board = Board(BoardSettings())
        board.mark_caught_up()
        verdicts = self.rig.verdicts.items
        newest = max((verdict.end_ns for verdict in verdicts), default=BASE_NS)
        for verdict in verdicts:
            board.add(verdict, newest)
        return board.snapshot(newest, self.rig.accounting.counts())

    def _scrape(self) -> str:
        """The metrics page; it, and all that is written, is UTF-8 without NaN or Infinity."""
        state = Operational(judges=self.rig.pipeline.panel.loads())
        registry = build_registry(SnapshotCollector(lambda: self.snapshot, lambda: state, 5000))
        page = render(registry, as_openmetrics=False).body.decode()
        own = [sample for family in parse_text(page) for sample in family.samples if sample.name.startswith("ragmon")]
        assert own
        assert all(math.isfinite(sample.value) for sample in own)
        written = [encode_verdict(verdict) for verdict in self.rig.verdicts.items]
        written += [encode_case(case) for case in self.rig.cases.items]
        written.append(to_json(self.snapshot))
        for line in written:
            json.loads(line.decode(), parse_constant=pytest.fail)
        return page

    def counted(self, stage: str) -> dict[str, int]:
        return self.rig.dropped(stage)

    def sample(self, name: str, **labels: str) -> float:
        """The sum of the page's samples with this name and these labels."""
        found = [sample for family in parse_text(self.page) for sample in family.samples if sample.name == name]
        return sum(sample.value for sample in found if labels.items() <= sample.labels.items())


def replied(case_id: str) -> Run:
    """One good request, and the judge's endpoint answers as in the case."""
    return Run([record(REQUEST)], canned_case(case_id))


def in_our_words(case_id: str, found: str, verdict: str) -> Run:
    """The case's own reply has one verdict; ours stands in its place, in the same mishap."""
    given = CASES[case_id]["input"]["body"]["choices"][0]["message"]["content"]
    assert found in given
    return Run([record(REQUEST)], Canned.chat(given.replace(found, verdict)))


def claim(reason: str, verdict: str = "supported") -> str:
    said = f'"quote": "Two years.", "reason": "{reason}", "verdict": "{verdict}"'
    one = f'{{"claim": "Two years.", "passage": 1, {said}}}'
    return f'"claims": [{one}], "claim_count": 1'


def explained(run: Run) -> list[str]:
    (case,) = run.rig.cases.items
    return [item.note for judgement in case.judgements if judgement.judge.name == "llm" for item in judgement.evidence]
