"""Every report from the field (`tests/data/field-cases.jsonl`) through the real pipeline, and a scrape after each."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from exporters.messages import encode_dead_letter
from monitor.operational import BreakerState
from monitor.records import PassageKind
from monitor.wire import RawRecord
from tests import judge_server, virtual_time
from tests.fakes import FakeSource, ScriptedJudge
from tests.field_cases import REQUEST, Run, claim, explained, in_our_words, records_of, replied
from tests.judge_server import Canned
from tests.monitor.judges.scripted import CASES, canned_case
from tests.monitor.streams import TOPIC, Rig, plain, record, tps
from tests.virtual_time import VirtualClock

# -------------------------------------------------------------------------------------- what the judge's server says


def fc_001() -> None:
    given = '"verdict": True,\n    "reason": "Both claims appear in passage 1."'
    run = in_our_words("FC-001", given, f'"done": True, {claim("It is True.")}')
    assert run.faithfulness()[1] == ("scored", "", 1.0)
    assert run.verdict("llm").flags == ("repaired_reply",)
    assert explained(run) == ["It is True."]


def fc_002() -> None:
    reason = r"The passage gives \sigma = \sqrt{\lambda} and the answer repeats it."
    run = in_our_words("FC-002", f'"verdict": "yes", "reason": "{reason}"', claim(rf"{reason} caf\u00e9"))
    assert run.faithfulness()[1] == ("scored", "", 1.0)
    assert explained(run) == [f"{reason} café"]


def fc_003() -> None:
    run = replied("FC-003")
    assert run.faithfulness()[1] == ("judge_error", "truncated", None)
    first, second = run.transport.requests
    assert second["max_tokens"] > first["max_tokens"]


def fc_004() -> None:
    assert replied("FC-004").faithfulness()[1] == ("judge_error", "parse", None)


def fc_005() -> None:
    run = in_our_words(
        "FC-005", '"verdict": "yes", "reason": "Passage 2 states 14 March."', claim("Passage 2 states 14 March.")
    )
    assert run.faithfulness()[1] == ("scored", "", 1.0)
    assert "First guess" not in f"{run.rig.cases.items}{run.lines}"


def fc_006() -> None:
    run = replied("FC-006")
    assert run.faithfulness()[1] == ("judge_error", "refused", None)
    assert len(run.transport.requests) == 1


def fc_007() -> None:
    assert replied("FC-007").faithfulness()[1] == ("judge_error", "parse", None)


def fc_008() -> None:
    verdict = replied("FC-008").verdict("llm")
    assert (verdict.outcome, verdict.score) == ("judge_error", None)
    assert verdict.reason in {"parse", "invalid_score"}
    run = in_our_words(
        "FC-008", '"score": NaN, "reason": "no claims"', claim("r").replace('"claim_count": 1', '"claim_count": NaN')
    )
    assert (run.verdict("llm").outcome, run.verdict("llm").reason) == ("judge_error", "invalid_score")


def fc_013() -> None:
    run = replied("FC-013")
    assert run.faithfulness()[1] == ("judge_error", "refused", None)
    assert (len(run.transport.requests), run.verdict("llm").label) == (1, "provider_filter")
    (case,) = run.rig.cases.items
    assert any("violence (medium)" in judgement.explanation for judgement in case.judgements)


def fc_014() -> None:
    run = Run(
        [record(REQUEST, 0), record(plain("b", answer="Two years.", contexts=["Two years."]), 1)], canned_case("FC-014")
    )
    assert run.faithfulness("f" * 32)[1] == ("judge_error", "quota", None)
    assert run.faithfulness("b")[1] == ("skipped", "circuit_open", None)
    assert (len(run.transport.requests), run.load.breaker) == (1, BreakerState.OPEN)
    assert [line["log_level"] for line in run.lines] == ["error"] or [line["log_level"] for line in run.lines] == [
        "warning"
    ]
    assert run.sample("ragmon_judge_breaker", judge="llm", state="open") == 1


def fc_015() -> None:
    run = Run([record(REQUEST)], canned_case("FC-015"), judge_server.sensible)
    assert run.verdict("llm").outcome == "scored"
    first, second = run.transport.times
    assert 30 <= second - first <= 32


def fc_016() -> None:
    run = replied("FC-016")
    assert run.faithfulness()[1] == ("judge_error", "too_long", None)
    assert len(run.transport.requests) == 1


# -------------------------------------------------------------------------------------------- what the topic holds


def fc_009() -> None:
    run = Run(records_of("FC-009"))
    assert run.faithfulness() == [("not_scorable", "no_context", None)] * 2
    assert run.sample("ragmon_verdicts_total", evaluation="faithfulness", reason="no_context", dimension="all") == 2
    assert run.transport.requests == []


def fc_010() -> None:
    run = Run(records_of("FC-010"))
    assert run.faithfulness() == [("not_scorable", "abstention", None)] * 2
    assert run.transport.requests == []
    assert run.sample("ragmon_verdicts_total", evaluation="faithfulness", reason="abstention", dimension="all") == 2


def fc_011() -> None:
    run = Run(records_of("FC-011"))
    assert [outcome for outcome, _, _ in run.faithfulness()] == ["scored", "scored"]
    assert run.verdict().label == "faithful"
    assert (run.verdict().score or 0) > 0.6
    (case,) = run.rig.cases.items
    assert len(case.judgements[0].evidence) == 1


def fc_012() -> None:
    def echo(request: Mapping[str, Any]) -> Canned:
        said = "\n".join(message["content"] for message in request["messages"])
        return Canned.chat(f"{said}\n{{{claim('differs', 'not_found')}}}")

    run = Run(records_of("FC-012"), echo)
    assert (run.verdict().score or 0) < 1
    assert run.verdict("llm").score == 0.0
    assert "injection_suspected" in run.verdict("llm").flags
    assert run.verdict("scanner", evaluation="safety.injection").flags == ("injection_suspected",)


def fc_017() -> None:
    run = Run(records_of("FC-017"))
    assert (run.verdict().score or 0) > 0.9
    (case,) = run.rig.cases.items
    assert [(passage.kind, passage.text) for passage in case.trace.contexts] == [(PassageKind.TOOL, "397.8")]


def fc_018() -> None:
    """The case holds a chat without retrieval, whole; here the limit of its report cuts it as well."""
    assert Run(records_of("FC-018")).counted("extract") == {"plain_chat": 1}
    (whole,) = records_of("FC-018")
    message = json.loads(whole.value or b"")
    attribute = message["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"][1]
    attribute["value"]["stringValue"] = attribute["value"]["stringValue"][:900]
    for value, truncated in ((whole.value, False), (json.dumps(message).encode(), True)):
        run = Run([record(value)], assembly={"plain_chat": True})
        (case,) = run.rig.cases.items
        assert (case.trace.answer, case.trace.truncated) == ("You need form B.", truncated)
        assert run.rig.dead_letters.items == []
        expected = "incomplete_input" if truncated else "unknown_context"
        assert run.faithfulness() == [("not_scorable", expected, None)] * 2
        assert run.sample("ragmon_verdicts_total", evaluation="faithfulness", reason=expected, dimension="all") == 2


def fc_019() -> None:
    run = Run(records_of("FC-019"))
    answers = {case.trace.trace_id: case.trace.answer for case in run.rig.cases.items}
    assert answers == {"fc019a": "Yes \ufffd it is open.", "fc019b": "No, it is open \U0001f642."}
    assert [outcome for outcome, _, _ in [*run.faithfulness("fc019a"), *run.faithfulness("fc019b")]] == ["scored"] * 4


def fc_020() -> None:
    run = Run(records_of("FC-020"))
    (letter,) = run.rig.dead_letters.items
    assert letter.position[:3] == (TOPIC, 0, 1)
    assert letter.value == b"hello, not protobuf"
    assert letter.error
    assert encode_dead_letter(letter)[0] == letter.value
    assert run.counted("extract") == {"no_request": 2}  # the good span of offset 0, and offset 2
    assert run.rig.source.committed == {tps()[0]: 3}


def fc_021() -> None:
    deliveries = records_of("FC-021")
    results = []
    for order in itertools.permutations(deliveries):
        run = Run([RawRecord(TOPIC, 0, offset, None, item.value) for offset, item in enumerate(order)])
        (case,) = run.rig.cases.items
        assert [(passage.id, passage.text) for passage in case.trace.contexts] == [("k1", "The desk closes at 18:00.")]
        results.append((case.case_id, run.verdict().verdict_id, run.verdict().score))
        assert run.counted("assemble") == {"duplicate": 1}
    assert len(set(results)) == 1


def fc_022() -> None:
    run = Run(records_of("FC-022"))
    intake = Rig(FakeSource([]), virtual_time.run(_clock), [ScriptedJudge()]).pipeline.intake
    value = records_of("FC-022")[0].value or b""
    for given in (value, value.replace(b"5b8efff798038103", b"5B8EFFF798038103")):
        (span,) = intake.decoder.decode(given).spans
        assert (span.trace_id, span.span_id) == ("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174")
    assert run.counted("extract") == {"no_request": 1}


async def _clock(clock: VirtualClock) -> VirtualClock:
    return clock


def fc_023() -> None:
    """A kill while the fifth record is open, and a restart."""
    topic = [record(plain(f"r{offset}"), offset) for offset in CASES["FC-023"]["input"]["records"]]
    open_judge = asyncio.Event()

    async def main(clock: VirtualClock) -> FakeSource:
        async def score(trace: Any) -> float:  # noqa: ANN401 - a request
            if trace.trace_id == "r5":
                await open_judge.wait()
            return 1.0

        source = FakeSource(topic, endless=True)
        rig = Rig(source, clock, [ScriptedJudge(score)], {"judging": {"workers": 10, "deadline": 3600}})
        task = asyncio.create_task(rig.pipeline.run(asyncio.Event()))
        await asyncio.sleep(60)
        assert source.committed == {tps()[0]: 5}
        task.cancel()  # the kill: nothing more is committed
        await asyncio.wait({task})
        again = FakeSource([item for item in topic if item.offset >= source.committed[tps()[0]]], endless=True)
        open_judge.set()
        second = Rig(again, clock, [ScriptedJudge(score)])
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(second.pipeline.run(stop))
            await again.done.wait()
            stop.set()
        assert len({verdict.verdict_id for verdict in [*rig.verdicts.items, *second.verdicts.items]}) == 10
        assert len({case.case_id for case in [*rig.cases.items, *second.cases.items]}) == 10
        return again

    assert virtual_time.run(main).committed == {tps()[0]: 11}


def fc_024() -> None:
    run = Run(records_of("FC-024"))
    assert run.counted("source") == {"empty": 2}
    assert run.rig.dead_letters.items == []
    assert {verdict.trace_id for verdict in run.rig.verdicts.items} == {"fc024"}
    assert run.rig.source.committed == {tps()[0]: 3}


def fc_025() -> None:
    run = Run(records_of("FC-025"))
    models = {case.trace.trace_id: case.trace.model for case in run.rig.cases.items}
    assert models == {"fc025a": "gpt\ufffdx", "fc025b": "gpt-x"}


RULES: Mapping[str, Callable[[], None]] = {
    name.upper().replace("_", "-"): rule for name, rule in list(globals().items()) if name.startswith("fc_")
}


@pytest.mark.parametrize("case_id", CASES)
def test_field_case(case_id: str) -> None:
    RULES[case_id]()
