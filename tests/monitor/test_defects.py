"""What a poison record, a defect or a failing redaction costs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from monitor.wire import DeadLetter, RawRecord
from tests import virtual_time
from tests.fakes import FakeSource, ScriptedJudge
from tests.monitor import streams
from tests.monitor.streams import (
    Rig,
    crashing,
    entry,
    live,
    otlp,
    plain,
    plain_topic,
    record,
    retrieval,
    run,
    tps,
)
from tests.virtual_time import VirtualClock

REGION = 1 << 56


def test_a_dead_letter_holds_the_original_and_its_neighbours_survive() -> None:
    headers = (("origin", b"eu"), ("none", None))
    bad = RawRecord(streams.TOPIC, 0, 1, b"key", b"\xff\xfe raw", 5, headers)  # type: ignore[arg-type]  # Kafka allows it
    rig = run(FakeSource([record(plain("a"), 0), bad, record(plain("b"), 2)]))
    (letter,) = rig.dead_letters.items
    assert letter == DeadLetter(
        position=letter.position,
        key=b"key",
        value=b"\xff\xfe raw",
        headers=(("origin", b"eu"), ("none", b"")),
        error=letter.error,
        detail=letter.detail,
        failed_ns=letter.failed_ns,
    )
    assert (letter.position.topic, letter.position.partition, letter.position.offset) == (streams.TOPIC, 0, 1)
    assert letter.error
    assert letter.failed_ns > virtual_time.BASE_NS
    assert rig.judged() == {"a", "b"}
    assert rig.source.committed == rig.source.ends


def test_a_flood_of_poison_stops_intake_and_says_what_to_check_and_what_was_read_is_judged() -> None:
    good = [record(plain(f"g{number}"), number) for number in range(20)]
    good += [record(otlp(entry("1" * 32), retrieval("1" * 32)), 20)]
    flood = [record(b"\xff", offset) for offset in range(21, 3000)]

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(60)
        assert "source.encoding" in (rig.pipeline.problem() or "")
        assert rig.source.paused
        assert 500 < len(rig.dead_letters.items) < 1200
        assert len(rig.judged()) == 21
        assert rig.source.committed == {tps()[0]: rig.source.handed[tps()[0]]}

    live(FakeSource(good + flood, per_poll=100, endless=True), act)


def test_the_sources_own_problem_is_shown() -> None:
    source = FakeSource([])
    source.trouble = "the broker is away"
    rig = run(source)
    assert rig.pipeline.problem() == "the broker is away"


class DefectError(Exception):
    """Raised with user text in it."""


def broken(*_args: object, **_more: object) -> None:
    raise DefectError("user text that must not be logged")


def _sabotage_extractor(rig: Rig) -> None:
    real = rig.pipeline.intake.extraction.extractor
    rig.pipeline.intake.extraction.extractor = _Sabotaged(real, "extract")  # type: ignore[assignment]


def _sabotage_scan(rig: Rig) -> None:
    rig.pipeline.intake.chooser.redactor = _Sabotaged(rig.pipeline.intake.chooser.redactor, "scan")  # type: ignore[assignment]


def _sabotage_redact(rig: Rig) -> None:
    rig.pipeline.intake.chooser.redactor = _Sabotaged(rig.pipeline.intake.chooser.redactor, "redact")  # type: ignore[assignment]


def _sabotage_decoder(rig: Rig) -> None:
    rig.pipeline.intake.decoder = _Sabotaged(rig.pipeline.intake.decoder, "decode")


def _sabotage_verdicts(rig: Rig) -> None:
    rig.failing_verdicts.log = _Sabotaged(rig.verdicts, "append")


class _Sabotaged:
    """Stands before a part; the first call of one method fails with an error that quotes the request."""

    def __init__(self, part: object, method: str) -> None:
        self._part = part
        self._method = method
        self._failed = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - stands for any part
        if name == self._method and not self._failed:
            self._failed = True
            return broken
        return getattr(self._part, name)


@pytest.mark.parametrize(
    ("sabotage", "stage", "reason"),
    [
        (_sabotage_decoder, "decode", "dead_letter"),
        (_sabotage_extractor, "extract", "failed"),
        (_sabotage_scan, "sample", "failed"),
        (_sabotage_redact, "judge", "failed"),
        (_sabotage_verdicts, "judge", "failed"),
    ],
)
def test_a_defect_costs_one_request_is_logged_without_content_and_the_process_goes_on(
    sabotage: Callable[[Rig], None], stage: str, reason: str
) -> None:
    topic = [record(otlp(entry(f"{n}" * 32), retrieval(f"{n}" * 32)), n) for n in range(1, 4)]

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(FakeSource(topic), clock, settings={"judging": {"workers": 1}})
        sabotage(rig)
        await rig.pipeline.run(asyncio.Event())
        rig.check()
        return rig

    with structlog.testing.capture_logs() as lines:
        rig = virtual_time.run(main)
    assert rig.judged() == {"2" * 32, "3" * 32}
    assert rig.dropped(stage) == {reason: 1}
    assert rig.source.committed == rig.source.ends
    assert [line["error"] for line in lines if line["log_level"] == "error"] == ["DefectError"]
    assert "user text" not in f"{lines}{rig.dead_letters.items}"


def test_a_judge_that_raises_gives_a_judge_error_and_not_a_lost_request() -> None:
    with structlog.testing.capture_logs() as lines:
        rig = run(FakeSource(plain_topic("ab")), ScriptedJudge(crashing("a")))
    assert rig.outcomes() == [("a", "judge_error", "internal"), ("b", "scored", "")]
    assert "Answer" not in str(lines)


def test_without_redaction_no_content_leaves_and_the_verdicts_say_that_they_are_missing() -> None:
    remote, local = ScriptedJudge(remote=True, name="remote"), ScriptedJudge()

    async def main(clock: VirtualClock) -> Rig:
        source = FakeSource([record(plain("a", tenant="bob@example.com"), 0)])
        rig = Rig(source, clock, [remote, local])
        _sabotage_redact(rig)
        await rig.pipeline.run(asyncio.Event())
        return rig

    with structlog.testing.capture_logs():
        rig = virtual_time.run(main)
    assert rig.outcomes() == [("a", "skipped", "redaction_failed")] * 2
    assert {item.tenant for item in rig.verdicts.items} == {None}
    assert (remote.asked, local.asked, rig.cases.items) == ([], [], [])
    assert rig.source.committed == rig.source.ends


def test_what_a_judge_says_is_left_out_of_the_case_when_it_cannot_be_redacted() -> None:
    judge = ScriptedJudge(explain=lambda trace: f"It says {trace.answer}")

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(FakeSource(plain_topic("a")), clock, [judge])
        rig.pipeline.intake.chooser.redactor = _Sabotaged(rig.pipeline.intake.chooser.redactor, "redact_text")  # type: ignore[assignment]
        await rig.pipeline.run(asyncio.Event())
        return rig

    with structlog.testing.capture_logs() as lines:
        rig = virtual_time.run(main)
    (case,) = rig.cases.items
    assert [(item.score, item.explanation, item.evidence) for item in case.judgements] == [(1.0, "", ())]
    assert rig.judged() == {"a"}
    assert "Answer" not in str(lines)
