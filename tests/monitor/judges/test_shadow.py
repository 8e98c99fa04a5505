"""A judge that runs beside another one, in the panel and in the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from monitor.building_judges import build_panel
from monitor.cause import Cause
from monitor.clock import SystemClock
from monitor.config.loading import load
from monitor.config.settings import Settings
from monitor.errors import ConfigError
from monitor.judges.panel import Panel, PanelMember
from monitor.judges.shadow import ShadowJudge
from monitor.records import JudgeIdentity, Judgement, Outcome
from monitor.stages.verdicts import skipped, told_apart
from tests import virtual_time
from tests.monitor.judges.test_panel import RAW, REDACTED, ScriptedJudge
from tests.virtual_time import VirtualClock

LLM = {"type": "llm", "name": "candidate", "model": "m-1", "base_url": "https://j.example/v1", "rate": "1/10"}
FIRST = LLM | {"name": "first", "model": "m-0", "rate": 1}


def settings(*judges: Mapping[str, object]) -> Settings:
    return Settings.model_validate({"judges": judges})


class Named(ScriptedJudge):
    def __init__(self, name: str, score: float) -> None:
        super().__init__(self.give)
        self.name = name
        self._score = score

    async def give(self, _: ScriptedJudge) -> list[Judgement]:
        return [Judgement("faithfulness", self.identity("faithfulness"), Outcome.SCORED, score=self._score)]

    def identity(self, evaluation: str) -> JudgeIdentity:
        del evaluation
        return JudgeIdentity(self.name, "0123456789ab")


def judged(*scores: float) -> tuple[Judgement, ...]:
    """Of an incumbent and its shadow."""

    async def main(clock: VirtualClock) -> tuple[Judgement, ...]:
        judges = Named("incumbent", scores[0]), ShadowJudge(Named("candidate", scores[1]), "incumbent")
        panel = Panel([PanelMember(judge, 1) for judge in judges], clock)
        return await panel.judge(RAW, REDACTED, (), panel.members, 10)

    return virtual_time.run(main)


def test_each_judgement_of_a_shadow_says_so_and_comes_before_that_of_its_incumbent() -> None:
    assert [(item.judge.name, item.judge.shadow_of) for item in judged(1.0, 1.0)] == [
        ("candidate", "incumbent"),
        ("incumbent", ""),
    ]


def test_a_shadow_neither_has_a_cause_nor_is_part_of_one() -> None:
    candidate, incumbent = judged(0.0, 0.0)
    assert (candidate.cause, incumbent.cause in set(Cause)) == ("", True)
    assert judged(0.0, 1.0)[1] == incumbent


def test_what_a_shadow_skips_is_that_of_a_shadow() -> None:
    member = PanelMember(ShadowJudge(Named("candidate", 1.0), "incumbent"), 1)
    assert [item.judge.shadow_of for item in skipped([member], "queue_full")] == ["incumbent"]


def test_a_shadow_that_is_the_same_judge_has_verdict_ids_of_its_own() -> None:
    identity = JudgeIdentity("candidate", "0123456789ab")
    assert told_apart(identity) == "0123456789ab"
    assert told_apart(replace(identity, shadow_of="incumbent")) == "0123456789ab/candidate"


@pytest.mark.parametrize(
    ("incumbent", "candidate", "both"), [("1/4", "1/10", 10), ("1/40", "1/10", 40), ("1/1", "1/10", 10)]
)
def test_a_shadow_sees_no_request_that_its_incumbent_does_not_see(incumbent: str, candidate: str, both: int) -> None:
    panel = build_panel(
        settings(FIRST | {"rate": incumbent}, LLM | {"shadow_of": "first", "rate": candidate}), SystemClock()
    )
    assert panel.members[1].one_in == both


def test_a_shadow_beside_a_counting_judge_is_told_apart_by_its_identity() -> None:
    panel = build_panel(settings(FIRST, LLM | {"shadow_of": "first"}), SystemClock())
    (counting, shadow) = (member.judge.identity("faithfulness") for member in panel.members)
    assert (counting.shadow_of, shadow.shadow_of, panel.members[1].one_in) == ("", "first", 10)


def test_a_shadow_is_none_of_the_judges_that_have_to_give_scores() -> None:
    """Or it would look like a judge that died, as no number of the board is about it."""
    panel = build_panel(settings(FIRST, LLM | {"shadow_of": "first"}), SystemClock())
    assert [item.judge.name for item in panel.asked()] == ["first"]


def test_being_a_shadow_is_no_part_of_the_fingerprint() -> None:
    alone = build_panel(settings(LLM), SystemClock()).members[0].judge
    beside = build_panel(settings(FIRST, LLM | {"shadow_of": "first"}), SystemClock()).members[1].judge
    assert alone.identity("faithfulness").fingerprint == beside.identity("faithfulness").fingerprint


@pytest.mark.parametrize("shadow_of", ["candidate", "nobody"])
def test_a_shadow_runs_beside_a_judge_whose_scores_count(shadow_of: str, tmp_path: Path) -> None:
    file = tmp_path / "ragmon.yaml"
    file.write_text(f"judges: [{{type: embedded}}, {{type: embedded, name: candidate, shadow_of: {shadow_of}}}]\n")
    with pytest.raises(ConfigError) as refused:
        load(file)
    assert refused.value.problems == [
        f"judges[1].shadow_of: {shadow_of!r} is no judge whose scores count; known are embedded"
    ]
