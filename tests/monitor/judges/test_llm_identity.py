from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.errors import JudgeUnavailable
from monitor.judges.calibrated import CalibratedJudge
from monitor.judges.reasons import Reason
from monitor.judges.servers.transport import NOT_SENT
from monitor.judges.snapshots import MAX_SNAPSHOTS
from monitor.operational import BreakerState
from monitor.records import JudgeIdentity, is_somebody
from tests.fakes import ScriptedJudge
from tests.judge_server import Canned
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, Step, chat, judge_all
from tests.monitor.test_calibration import calibration


def fingerprints(*models: str | None, change: dict[str, object] | None = None) -> list[str]:
    replies = [chat("supported", model=model) for model in models]
    judged, _ = judge_all(ScriptedTransport(*replies), [TRACE] * len(models), **(change or {}))
    return [item.judge.fingerprint for item in judged]


def test_the_snapshot_that_the_server_names_is_a_part_of_the_identity() -> None:
    first, same, other, back = fingerprints("m-1-a", "m-1-a", "m-1-b", "m-1-a")
    assert (first == same == back, first == other) == (True, False)


def test_a_server_that_names_the_requested_model_or_none_gives_the_identity_known_before() -> None:
    judged, judge = judge_all(
        ScriptedTransport(chat("supported", model="m-1"), chat("supported", model=None)), [TRACE] * 2
    )
    assert {item.judge for item in judged} == {judge.identity("faithfulness")}


def test_another_snapshot_than_the_first_is_flagged() -> None:
    replies = [chat("supported", model=model) for model in ("m-a", "m-b", "m-a")]
    judged, _ = judge_all(ScriptedTransport(*replies), [TRACE] * 3)
    assert [item.flags for item in judged] == [(), ("model_changed",), ()]


def test_a_failure_stands_under_the_snapshot_seen_last() -> None:
    replies = [chat("supported", model="m-a"), Canned.error(500, {}), Canned.chat("no json", model="m-b")]
    judged, _ = judge_all(ScriptedTransport(*replies), [TRACE] * 3, retries=0)
    good, failed, unreadable = (item.judge.fingerprint for item in judged)
    assert (good == failed, good == unreadable) == (True, False)


def test_a_server_that_names_a_new_snapshot_each_time_makes_a_bounded_number_of_identities() -> None:
    seen = fingerprints(*[f"m-{index}" for index in range(100)])
    assert len(set(seen)) <= MAX_SNAPSHOTS + 1


@pytest.mark.parametrize("change", [{"model": "m-2"}, {"temperature": 0.5}, {"seed": 8}, {"seed": None}])
def test_what_can_change_a_score_changes_the_fingerprint(change: dict[str, object]) -> None:
    assert fingerprints(None) != fingerprints(None, change=change)


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "https://other.example/v1"},
        {"name": "other"},
        {"structured": "prompt"},
        {"max_output_tokens": 999},
        {"input_price": 3.0},
        {"prices": {"m-1": {"input": 1, "output": 2}}, "cost_per_day": 5, "requests_per_minute": 9},
        {"reuse": 5, "reuse_for": 60},
        {"evaluations": ("faithfulness",)},
        {"headers": {"x-version": "2"}},
    ],
)
def test_what_cannot_leaves_it_as_it_is(change: dict[str, object]) -> None:
    assert fingerprints(None) == fingerprints(None, change=change)


def test_the_load_adds_up() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    replies: list[Step] = [chat("supported", usage=usage), JudgeUnavailable(Reason.CONNECT, NOT_SENT)]
    replies.append(replies[0])
    judged, judge = judge_all(ScriptedTransport(*replies), [TRACE] * 2, input_price=1e6)
    load = judge.load()
    assert (load.judge, load.calls, load.retries) == ("llm", 3, 1)
    assert (load.input_tokens, load.output_tokens, load.cost) == (20, 4, 20.0)
    assert load.calls == sum(item.usage.calls for item in judged)
    assert (load.concurrency_limit, load.breaker) == (2, BreakerState.CLOSED)


def test_snapshots_beyond_those_are_nobody_whose_calibration_holds_for_the_next() -> None:
    seen = fingerprints(*[f"m-{index}" for index in range(MAX_SNAPSHOTS + 2)])
    assert [is_somebody(one) for one in seen] == [True] * MAX_SNAPSHOTS + [False] * 2
    other = JudgeIdentity("llm", seen[-1])
    calibrated = replace(calibration(), evaluation="faithfulness", judge="llm", fingerprint=other.fingerprint)

    class Other(ScriptedJudge):
        def identity(self, evaluation: str) -> JudgeIdentity:
            assert evaluation == "faithfulness"
            return other

    judge = CalibratedJudge(Other(), [(other.fingerprint, calibrated)])
    assert calibrated.calibrated
    assert not judge.identity("faithfulness").calibrated
    assert judge.asked("faithfulness").uncalibrated == "other_fingerprint"
