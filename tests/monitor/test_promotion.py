"""A judge in the place of another one is told, unless a promotion is recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from monitor.config.settings import BoardSettings
from monitor.errors import ConfigError
from monitor.operational import Asked
from monitor.promotion import VERSION, Promotion, Replaced, encode_promotion, load_promotions, renewed, unrecorded
from monitor.quality.memory import VerdictMemory
from monitor.records import JudgeIdentity
from tests.monitor.quality.verdicts import NOW, scored

REPLACED = Replaced("faithfulness", "0" * 12, "1" * 12, 120, None, None)
PROMOTION = Promotion(
    VERSION, "2026-11-29T10:00:00+00:00", "old", "new", forced=False, objections=(), replaced=(REPLACED,)
)


def asked(judge: str, evaluation: str = "faithfulness", fingerprint: str = "1" * 12) -> Asked:
    return Asked(evaluation, JudgeIdentity(judge, fingerprint))


def test_a_judge_in_the_place_of_another_one_is_told() -> None:
    (told,) = unrecorded({("faithfulness", "old")}, [asked("new")], ())
    assert told.startswith("faithfulness was judged by old so far and is judged by new from now on: a new series")


def test_a_recorded_promotion_is_not_told() -> None:
    assert unrecorded({("faithfulness", "old")}, [asked("new")], [PROMOTION]) == []
    assert len(unrecorded({("completeness", "old")}, [asked("new", "completeness")], [PROMOTION])) == 1


def test_a_promotion_is_of_a_fingerprint_not_of_a_name() -> None:
    seen = {("faithfulness", "old")}
    (told,) = unrecorded(seen, [asked("new", fingerprint="3" * 12)], [PROMOTION])
    assert told.endswith("a new series begins, and no promotion of 333333333333 is recorded")
    assert unrecorded(seen, [asked("renamed")], [PROMOTION]) == []


def test_a_remote_judge_is_known_by_its_fingerprint_before_the_first_answer() -> None:
    seen, before_answer = {("faithfulness", "old")}, asked("new", fingerprint="4" * 12)
    named = replace(PROMOTION, replaced=(replace(REPLACED, configured="4" * 12),))
    assert unrecorded(seen, [before_answer], [named]) == unrecorded(seen, [asked("new")], [named]) == []
    assert len(unrecorded(seen, [before_answer], [PROMOTION])) == 1


def test_a_judge_that_was_there_before_and_a_new_evaluation_are_not_told() -> None:
    seen = {("faithfulness", "old"), ("faithfulness", "new")}
    assert unrecorded(seen, [asked("new"), asked("other", "completeness")], ()) == []


def test_the_same_name_with_another_fingerprint_is_told() -> None:
    seen = {("faithfulness", "same", "0" * 12), ("faithfulness", "old", "2" * 12)}
    (told,) = renewed(seen, [asked("same"), asked("new"), asked("same", "completeness")])
    assert told == (
        "faithfulness was judged by same as 000000000000 so far and is judged as 111111111111 from now on "
        "(another version, calibration or setting): a new series begins"
    )


def test_a_fingerprint_that_was_there_before_is_not_told() -> None:
    seen = {("faithfulness", "same", "0" * 12), ("faithfulness", "same", "1" * 12)}
    assert renewed(seen, [asked("same")]) == []


def test_a_shadow_was_no_judge_whose_scores_counted() -> None:
    memory = VerdictMemory(BoardSettings())
    for judge, shadow_of in (("old", ""), ("new", "old")):
        memory.add(scored(1.0, judge=judge, shadow_of=shadow_of), NOW)
    assert memory.judges == {("faithfulness", "old")}
    assert {key.judge for key in memory.judged_as} == {"old"}


def test_promotions_come_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "promotions.jsonl"
    assert load_promotions(None) == load_promotions(file) == ()
    file.write_bytes(encode_promotion(PROMOTION) * 2)
    assert load_promotions(file) == (PROMOTION, PROMOTION)


def test_a_promotion_of_a_time_before_configured_fingerprints_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "promotions.jsonl"
    file.write_bytes(encode_promotion(PROMOTION).replace(b',"configured":""', b""))
    assert load_promotions(file) == (PROMOTION,)


def test_a_line_with_a_key_given_twice_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "promotions.jsonl"
    line = encode_promotion(PROMOTION)
    file.write_bytes(line + line.replace(b'"forced":false', b'"forced":false,"forced":true'))
    told = (
        f"^promotions: {file}:2: is not what `ragmon judge` wrote: the key `forced` stands twice in it; .* writes it$"
    )
    with pytest.raises(ConfigError, match=told):
        load_promotions(file)
