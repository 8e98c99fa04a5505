"""Which requests are in doubt, who is asked afterwards, and what a limit does to both shares."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.building_judges import build_panel
from monitor.clock import SystemClock
from monitor.config.loading import load
from monitor.config.settings import Settings
from monitor.errors import ConfigError
from monitor.judges.cascade import Cascade
from monitor.judges.panel import HEAD_START, Panel, PanelMember
from monitor.offline.check_config import describe
from monitor.records import JudgeIdentity, Judgement, Outcome, Usage
from tests import virtual_time
from tests.fakes import FakeClock, ScriptedJudge
from tests.monitor.judges.test_panel import RAW, REDACTED
from tests.virtual_time import VirtualClock

CASCADE = Cascade("cheap", frozenset(["faithfulness"]), (0.2, 0.6), 1)


def judgement(
    outcome: Outcome = Outcome.SCORED,
    score: float | None = None,
    judge: str = "cheap",
    evaluation: str = "faithfulness",
) -> Judgement:
    return Judgement(
        evaluation,
        JudgeIdentity(judge, "0123456789ab"),
        outcome,
        "" if outcome is Outcome.SCORED else "too_long",
        score,
    )


@pytest.mark.parametrize(("score", "doubt"), [(0.199, False), (0.2, True), (0.4, True), (0.6, True), (0.601, False)])
def test_a_score_in_the_band_is_a_doubt_both_ends_included(score: float, doubt: bool) -> None:  # noqa: FBT001 - a table
    assert CASCADE.is_uncertain([judgement(score=score)]) is doubt


@pytest.mark.parametrize(
    ("outcome", "doubt"), [(Outcome.JUDGE_ERROR, True), (Outcome.SKIPPED, True), (Outcome.NOT_SCORABLE, False)]
)
def test_a_missing_verdict_is_a_doubt_and_one_that_does_not_apply_is_none(outcome: Outcome, doubt: bool) -> None:  # noqa: FBT001 - a table
    assert CASCADE.is_uncertain([judgement(outcome)]) is doubt


def test_only_the_judge_before_and_the_common_evaluations_count() -> None:
    others = [judgement(score=0.4, judge="other"), judgement(score=0.4, evaluation="safety.leak")]
    assert not CASCADE.is_uncertain([])
    assert not CASCADE.is_uncertain([*others, judgement(score=1.0)])
    assert CASCADE.is_uncertain([*others, judgement(score=0.4)])


# ---------------------------------------------------------------------------------------------------- what a limit does


class Slowed:
    """A Spender that slows its judge down by this much."""

    def __init__(self, by: float) -> None:
        self._by = by

    def slowdown(self) -> float:
        return self._by

    def heard(self, usage: Usage, age_s: float) -> None:
        """Nothing to do."""


def shares(slowdown: float, rest: int = 10, uncertain: int = 2) -> tuple[int, int]:
    cascade = Cascade("cheap", frozenset(["faithfulness"]), (0.2, 0.6), uncertain)
    member = PanelMember(ScriptedJudge(name="dear"), rest, Slowed(slowdown), cascade)
    return member.one_in_now, member.uncertain_one_in_now


def test_a_limit_lowers_the_share_of_the_rest_first_and_then_both() -> None:
    assert shares(1.0) == (10, 2)
    assert shares(HEAD_START) == (10 * HEAD_START, 2)
    assert shares(4.0 * HEAD_START) == (40 * HEAD_START, 8)


@given(st.floats(1, 2**30), st.integers(1, 1000), st.integers(0, 1000))
def test_requests_in_doubt_are_never_asked_about_less_than_the_rest(slowdown: float, uncertain: int, more: int) -> None:
    rest_now, uncertain_now = shares(slowdown, uncertain + more, uncertain)
    assert rest_now >= uncertain_now >= 1


# ------------------------------------------------------------------------------------------------------- the two phases


def members(clock: VirtualClock | None = None, cascade: Cascade | None = CASCADE) -> dict[str, PanelMember]:
    async def later(_: object) -> float:
        if clock is not None:
            await asyncio.sleep(2.0)
        return 1.0

    cheap = PanelMember(ScriptedJudge(name="cheap"), 1)
    remote = PanelMember(ScriptedJudge(later, name="remote", remote=True), 1)
    dear = PanelMember(ScriptedJudge(later, name="dear", remote=True), 20, cascade=cascade)
    return {member.judge.name: member for member in (remote, cheap, dear)}


def names(chosen: Sequence[PanelMember]) -> list[str]:
    return [member.judge.name for member in chosen]


def test_local_judges_are_asked_first_and_nobody_waits_for_a_remote_one() -> None:
    panel = Panel([*members().values()], FakeClock())
    assert (names(panel.first), names(panel.second)) == (["cheap"], ["remote", "dear"])


def test_without_a_cascade_all_are_asked_at_once() -> None:
    panel = Panel([*members(cascade=None).values()], FakeClock())
    assert (names(panel.first), names(panel.second)) == (["remote", "cheap", "dear"], [])


def test_the_second_phase_goes_by_what_the_first_one_said_and_is_asked_at_the_same_time() -> None:
    heard: list[Judgement] = []

    async def main(clock: VirtualClock) -> tuple[list[str], float]:
        panel = Panel([*members(clock).values()], clock)

        def then(said: Sequence[Judgement]) -> Sequence[PanelMember]:
            heard.extend(said)
            return panel.second

        judgements = await panel.judge(RAW, REDACTED, (), panel.first, 10.0, then)
        return [item.judge.name for item in judgements], clock.monotonic()

    started = virtual_time.run(_now)
    given, ended = virtual_time.run(main)
    assert ([item.judge.name for item in heard], given) == (["cheap"], ["cheap", "remote", "dear"])
    assert ended - started == pytest.approx(2.0)


async def _now(clock: VirtualClock) -> float:
    return clock.monotonic()


def test_both_phases_share_one_deadline() -> None:
    async def main(clock: VirtualClock) -> list[tuple[str, Outcome]]:
        async def slow(_: object) -> float:
            await asyncio.sleep(3.0)
            return 0.4

        first = PanelMember(ScriptedJudge(slow, name="cheap"), 1)
        second = PanelMember(ScriptedJudge(slow, name="dear", remote=True), 1, cascade=CASCADE)
        panel = Panel([first, second], clock)
        given = await panel.judge(RAW, REDACTED, (), panel.first, 4.0, lambda _: panel.second)
        return [(item.judge.name, item.outcome) for item in given]

    assert virtual_time.run(main) == [("cheap", Outcome.SCORED), ("dear", Outcome.JUDGE_ERROR)]


# ------------------------------------------------------------------------------------------------------ in the settings

LLM = {"type": "llm", "name": "dear", "model": "m-1", "base_url": "https://j.example/v1", "rate": "1/20"}
CHEAP = {"type": "embedded", "name": "cheap"}
SCANNER = {"type": "scanner"}


def panel_of(*judges: Mapping[str, object]) -> Panel:
    return build_panel(Settings.model_validate({"judges": judges}), SystemClock())


def test_a_configured_cascade_is_after_the_evaluations_that_both_judge() -> None:
    asked = LLM | {"evaluations": ["answer_relevance", "faithfulness"], "cascade": {"after": "cheap"}}
    panel = panel_of(asked, CHEAP, SCANNER)
    assert (panel.second[0].one_in, panel.second[0].cascade) == (20, CASCADE)
    assert names(panel.first) == ["cheap", "scanner"]


def test_a_shadow_sees_no_request_that_its_incumbent_in_a_cascade_does_not_see() -> None:
    incumbent = LLM | {"cascade": {"after": "cheap", "uncertain": "1/2"}}
    beside = [LLM | {"name": f"s{k}", "rate": f"1/{k}", "shadow_of": "dear"} for k in (1, 7, 40)]
    panel = panel_of(CHEAP, incumbent, *beside, CHEAP | {"name": "local", "shadow_of": "dear"})
    assert [(member.one_in, member.cascade) for member in panel.second] == [
        (20, replace(CASCADE, one_in=2)),
        (20, replace(CASCADE, one_in=2)),
        (20, replace(CASCADE, one_in=7)),
        (40, replace(CASCADE, one_in=40)),
        (20, replace(CASCADE, one_in=2)),
    ]


@pytest.mark.parametrize(
    ("judges", "problem"),
    [
        (
            [CHEAP, SCANNER, LLM | {"cascade": {"after": "other"}}],
            "judges[2].cascade.after: 'other' is not a local judge of faithfulness whose scores count; known are cheap",
        ),
        (
            [SCANNER, LLM | {"cascade": {"after": "scanner"}}],
            "judges[1].cascade.after: 'scanner' is not a local judge of faithfulness whose scores count; there is none",
        ),
        (
            [CHEAP, LLM, LLM | {"name": "b", "cascade": {"after": "dear"}}],
            "judges[2].cascade.after: 'dear' is not a local judge of faithfulness whose scores count; known are cheap",
        ),
        (
            [CHEAP, CHEAP | {"name": "b", "shadow_of": "cheap"}, LLM | {"cascade": {"after": "b"}}],
            "judges[2].cascade.after: 'b' is not a local judge of faithfulness whose scores count; known are cheap",
        ),
        (
            [CHEAP, LLM | {"evaluations": ["completeness"], "cascade": {"after": "cheap"}}],
            "judges[1].cascade.after: 'cheap' is not a local judge of completeness whose scores count; there is none",
        ),
        (
            [CHEAP, LLM | {"cascade": {"after": "cheap", "uncertain": "1/30"}}],
            "judges[1].cascade.uncertain: 1/30 is less than the rate of the rest, 1/20",
        ),
        (
            [CHEAP, LLM, LLM | {"name": "b", "shadow_of": "dear", "cascade": {"after": "cheap"}}],
            "judges[2].cascade: a shadow is asked where dear is asked; leave it out",
        ),
    ],
)
def test_a_cascade_that_cannot_be_is_told_in_one_line(judges: list[Mapping[str, object]], problem: str) -> None:
    with pytest.raises(ConfigError) as refused:
        panel_of(*judges)
    assert refused.value.problems == [problem]


def test_a_band_the_wrong_way_round_is_told_with_its_path(tmp_path: Path) -> None:
    file = tmp_path / "ragmon.yaml"
    file.write_text("judges: [{type: llm, model: m, base_url: 'https://j.example/v1', cascade: {band: [0.6, 0.2]}}]\n")
    with pytest.raises(ConfigError) as refused:
        load(file)
    assert refused.value.problems == [
        f"{file}: judges[0].cascade.band: write the lowest score first, such as [0.2, 0.6]"
    ]


def test_check_config_says_what_would_be_asked() -> None:
    asked = LLM | {"cascade": {"after": "cheap"}}
    lines = describe(Settings.model_validate({"judges": [CHEAP, asked], "source": {"topics": ["t"]}}))
    (line,) = (line for line in lines if line.startswith("asks"))
    assert line == (
        "asks    dear: faithfulness; 1 call a request, all of the sampled requests of which cheap is in doubt "
        "(faithfulness 0.2 to 0.6, or no verdict), 1/20 of the others"
    )


def test_a_cascade_is_no_part_of_the_fingerprint() -> None:
    alone, beside = panel_of(CHEAP, LLM), panel_of(CHEAP, LLM | {"cascade": {"after": "cheap"}})
    one, other = (panel.members[1].judge.identity("faithfulness") for panel in (alone, beside))
    assert one == other
