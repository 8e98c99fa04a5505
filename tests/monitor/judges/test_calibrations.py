"""Calibrations in force: which file is about which judge, and what it changes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from monitor.building_judges import build_calibrations, build_panel
from monitor.calibration import Calibration, encode
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.settings import Settings
from monitor.errors import ConfigError
from monitor.judges import embedded
from monitor.judges.calibrated import CalibratedJudge, asked
from monitor.judges.calibrations import Calibrations
from monitor.judges.grounding.assessment import UNSUPPORTED
from monitor.protocols import Judge
from monitor.quality.calibration import Pair, fit, flag_rates
from monitor.records import ContextsSource, JudgeIdentity, Judgement, Outcome, Passage, RagTrace
from tests.fakes import FakeClock, ScriptedJudge
from tests.monitor.test_calibration import calibration

FAITHFULNESS = "faithfulness"
TRACE = RagTrace(
    "t", "r", "When?", "The desk closes at 18:00.", (Passage("The desk closes at 18:00."),), ContextsSource.SPAN
)
BARE = embedded.identity_of("embedded").fingerprint


def of_embedded(threshold: float | None = 0.55, **changes: object) -> Calibration:
    fixed: dict[str, Any] = {"judge": "embedded", "fingerprint": BARE, "configured": BARE, "threshold": threshold}
    return calibration(**(fixed | {"threshold_on": "worst"} | changes))


def found(*files: Calibration) -> Calibrations:
    return Calibrations([(Path(f"{number}.json"), one) for number, one in enumerate(files)], [EmbeddedSettings()])


def embedded_judge() -> Judge:
    return embedded.EmbeddedJudge(EmbeddedSettings(), FakeClock())


def judged(judge: Judge) -> Judgement:
    (judgement,) = asyncio.run(judge.judge(TRACE, (), 1e9))
    return judgement


# ----------------------------------------------------------------------------------------------------------- embedded


def test_a_file_of_the_judge_as_it_is_sets_the_flag_the_threshold_and_a_fingerprint_that_covers_it() -> None:
    judge = found(of_embedded()).apply(embedded_judge())
    told = asked(judge, FAITHFULNESS)
    assert judge.identity(FAITHFULNESS) == replace(embedded.identity_of("embedded", 0.55), calibrated=True)
    assert judged(judge).judge == judge.identity(FAITHFULNESS)
    assert judge.identity(FAITHFULNESS).fingerprint != BARE
    assert (told.uncalibrated, told.labels, [rates.rule for rates in told.rates]) == (
        "",
        60,
        ["threshold", "below_half"],
    )


def test_applying_a_file_does_not_make_it_void() -> None:
    """It is bound to the bare judge, and the judge that scores under it is known to be that one."""
    calibrations = found(of_embedded())
    scored = judged(calibrations.apply(embedded_judge())).judge.fingerprint
    assert calibrations.bare(scored) == BARE
    assert calibrations.bare("ffffffffffff") == "ffffffffffff"
    assert calibrations.warnings([calibrations.apply(embedded_judge())]) == []


def test_the_label_of_an_answer_follows_the_threshold_and_the_score_does_not() -> None:
    plain, strict = judged(embedded_judge()), judged(found(of_embedded(0.9999)).apply(embedded_judge()))
    assert plain.score == strict.score
    assert (plain.label, strict.label) == ("faithful", "unfaithful")


def test_a_file_without_a_threshold_leaves_the_fingerprint() -> None:
    judge = found(of_embedded(None)).apply(embedded_judge())
    assert judge.identity(FAITHFULNESS) == JudgeIdentity("embedded", BARE, calibrated=True)


def test_a_threshold_that_is_worse_than_the_cut_at_half_on_answers_held_out_is_not_in_force() -> None:
    one = of_embedded()
    half = flag_rates("below_half", [(True, True), (False, False)] * 30)
    for wrong, threshold in ((3, UNSUPPORTED), (0, 0.55)):
        answers = [(True, True), (False, False)] * (30 - wrong) + [(True, False), (False, True)] * wrong
        rates = (flag_rates("threshold", answers), half)
        file = replace(one, overall=replace(one.overall, rates=rates))
        assert found(file).threshold("embedded") == threshold


def test_a_file_of_another_fingerprint_changes_nothing_and_is_told() -> None:
    calibrations = found(of_embedded(fingerprint="aaaaaaaaaaaa", configured="aaaaaaaaaaaa"))
    judge = calibrations.apply(embedded_judge())
    assert judge.identity(FAITHFULNESS) == JudgeIdentity("embedded", BARE)
    assert asked(judge, FAITHFULNESS).uncalibrated == "other_fingerprint"
    (told,) = calibrations.warnings([judge])
    assert told.startswith(
        f"0.json: faithfulness by embedded was calibrated as aaaaaaaaaaaa, and the judge is {BARE} now"
    )


def test_a_file_of_the_judge_without_sentence_vectors_says_nothing_of_the_one_with_them() -> None:
    with_vectors = embedded.identity_of("embedded", embeddings=True).fingerprint
    thresholds = []
    for fingerprint in (BARE, with_vectors):
        file = (Path("0.json"), of_embedded(fingerprint=fingerprint, configured=fingerprint))
        thresholds.append(Calibrations([file], [EmbeddedSettings(embeddings=True)]).threshold("embedded"))
    assert thresholds == [UNSUPPORTED, 0.55]


def test_a_file_that_says_not_calibrated_applies_its_threshold_and_its_reason() -> None:
    of_a_judge = replace(of_embedded(), labels_by="judge", calibrated=False, uncalibrated="labels_of_a_judge")
    judge = found(of_a_judge).apply(embedded_judge())
    assert judge.identity(FAITHFULNESS) == embedded.identity_of("embedded", 0.55)
    assert (asked(judge, FAITHFULNESS).uncalibrated, asked(judge, FAITHFULNESS).labels) == ("labels_of_a_judge", 60)


@pytest.mark.parametrize(("labels", "is_in_force"), [(2, False), (9, False), (49, False), (50, True)])
def test_a_threshold_of_too_few_labels_is_not_in_force_and_the_judge_stays_who_it_is(
    labels: int, *, is_in_force: bool
) -> None:
    one = of_embedded(overall=calibration([Pair(i % 2, i % 2, i % 2, "en") for i in range(labels)]).overall)
    few = one if is_in_force else replace(one, calibrated=False, uncalibrated="few_labels")
    judge = found(few).apply(embedded_judge())
    bare = replace(embedded.identity_of("embedded"), calibrated=False)
    assert (judge.identity(FAITHFULNESS) == bare) is not is_in_force
    told = asked(judge, FAITHFULNESS)
    assert (told.uncalibrated, told.labels) == ("" if is_in_force else "few_labels", labels)
    said = "0.json: the threshold is not in force: 50 labelled answers are the least for one"
    assert (said in found(few).described([judge])) is not is_in_force


@pytest.mark.parametrize(("bad", "is_in_force"), [(1, False), (4, False), (5, True), (55, True), (56, False)])
def test_nor_is_one_of_too_few_bad_or_good_answers(bad: int, *, is_in_force: bool) -> None:
    kinds = [float(number >= bad) for number in range(60)]
    pairs = [Pair(kind, kind, kind, "en") for kind in kinds]
    one = of_embedded(overall=calibration(pairs).overall)
    judge = found(one).apply(embedded_judge())
    assert (judge.identity(FAITHFULNESS).fingerprint == BARE) is not is_in_force
    said = "0.json: the threshold is not in force: 5 bad and 5 good answers are the least for one"
    assert (said in found(one).described([judge])) is not is_in_force


def test_without_a_file_there_is_nothing_between() -> None:
    judge = embedded_judge()
    applied = found().apply(judge)
    assert not isinstance(applied, CalibratedJudge)
    assert asked(applied, FAITHFULNESS).uncalibrated == "no_labels"


# --------------------------------------------------------------------------------------------------------- an LLM judge


class Changing(ScriptedJudge):
    """A judge that learns its fingerprint from its first answer, as one behind a server does."""

    def __init__(self) -> None:
        super().__init__(self._answer, "llm", remote=True)
        self.now = "000000000000"

    def identity(self, evaluation: str) -> JudgeIdentity:
        del evaluation
        return JudgeIdentity("llm", self.now)

    async def _answer(self, trace: RagTrace) -> float:
        del trace
        self.now = "0123456789ab"
        return 1.0


class Failing(Changing):
    async def judge(self, trace: RagTrace, hits: object, deadline: float) -> list[Judgement]:
        del trace, hits, deadline
        return [Judgement(FAITHFULNESS, self.identity(FAITHFULNESS), Outcome.JUDGE_ERROR, "timeout")]


def test_a_judge_behind_a_server_is_calibrated_from_its_first_answer_on() -> None:
    calibrations = found(calibration(configured="000000000000"))
    judge = calibrations.apply(Changing())
    assert calibrations.warnings([judge]) == []
    assert not judge.identity(FAITHFULNESS).calibrated
    assert judged(judge).judge.fingerprint == "0123456789ab"
    assert judge.identity(FAITHFULNESS).calibrated
    assert asked(judge, FAITHFULNESS).uncalibrated == ""


def test_a_score_under_a_fingerprint_that_was_never_compared_is_told_once() -> None:
    judge = found(calibration(fingerprint="bbbbbbbbbbbb", configured="000000000000")).apply(Changing())
    with structlog.testing.capture_logs() as logs:
        for _ in range(3):
            assert not judged(judge).judge.calibrated
    (told,) = logs
    assert told["log_level"] == "warning"
    assert (told["judge"], told["fingerprint"]) == ("llm", "0123456789ab")


def test_a_failure_is_not_taken_for_a_change_of_the_judge() -> None:
    judge = found(calibration(fingerprint="bbbbbbbbbbbb")).apply(Failing())
    with structlog.testing.capture_logs() as logs:
        assert judged(judge).outcome is Outcome.JUDGE_ERROR
    assert logs == []


def test_a_file_about_a_judge_that_is_not_there_is_told() -> None:
    (told,) = found(calibration()).warnings([embedded_judge()])
    assert told == "0.json: no judge llm gives faithfulness here"


# ------------------------------------------------------------------------------------------------------- configuration


def test_two_files_about_the_same_judge_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"1\.json is about the same judge as 0\.json; keep one"):
        found(of_embedded(), of_embedded(0.7))


def test_the_share_is_corrected_by_calibrated_judges_with_enough_labels_only() -> None:
    many = [Pair(i % 2, 0.2 + 0.6 * (i % 2) + i / 1000, 0.3, "en") for i in range(100)]
    enough = of_embedded(overall=calibration(many).overall)
    key = (FAITHFULNESS, "embedded", embedded.identity_of("embedded", 0.55).fingerprint)
    assert {name: rates.rule for name, rates in found(enough).rates().items()} == {key: "below_half"}
    assert found(of_embedded()).rates() == {}
    assert found(of_embedded()).described([embedded_judge()])[1:] == [
        "0.json: the share of bad answers is not corrected by it: few_labels"
    ]
    assert found(replace(enough, calibrated=False, uncalibrated="low_correlation")).rates() == {}


@pytest.mark.parametrize(
    ("labels", "why"), [((0.5, 1.0), "one_kind_of_answers"), ((0.0, 1.0), "no_power"), ((0.0, 0.6), "no_power")]
)
def test_a_judge_without_power_corrects_no_share_and_the_reason_is_told(labels: tuple[float, float], why: str) -> None:
    """Its scores are in the order of the labels, and all on one side of 0.5: as a flag they are a coin."""
    pairs = [Pair(labels[i % 2], 0.6 + 0.2 * (i % 2) + i / 10_000, 0.3, "en") for i in range(200)]
    made = fit(pairs)
    file = of_embedded(made.threshold, overall=made.overall)
    assert found(file).rates() == {}
    assert found(file).described([embedded_judge()]) == [
        "0.json: faithfulness by embedded is calibrated by 200 labels",
        f"0.json: the share of bad answers is not corrected by it: {why}",
    ]


def test_every_broken_file_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "good.json").write_bytes(encode(of_embedded()))
    files = tuple(tmp_path / name for name in ("broken.json", "good.json", "missing.json"))
    with pytest.raises(ConfigError) as raised:
        build_calibrations(Settings(calibration_files=files))
    assert [line.rpartition("/")[2].partition(":")[0] for line in raised.value.problems] == [
        "broken.json",
        "missing.json",
    ]


def test_the_panel_judges_with_the_calibrations_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(encode(of_embedded()))
    panel = build_panel(Settings(calibration_files=(tmp_path / "good.json",)), FakeClock())
    identities = {member.judge.name: member.judge.identity(FAITHFULNESS).calibrated for member in panel.members}
    assert identities == {"embedded": True, "scanner": False}
    assert judged(panel.members[0].judge).outcome == Outcome.SCORED
