from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.calibration import Calibration, encode, load, uncalibrated
from monitor.errors import ConfigError
from monitor.quality.calibration import Pair, fit
from monitor.records import JudgeIdentity
from monitor.snapshot import Estimate


def calibration(pairs: list[Pair] | None = None, labels_by: str = "people", **changes: Any) -> Calibration:  # noqa: ANN401 - fields of the record
    """A file of 60 answers that a judge gets right, unless told."""
    given_pairs = [Pair(i % 2, 0.2 + 0.6 * (i % 2) + i / 1000, 0.3, "en") for i in range(60)]
    fitted = fit(given_pairs if pairs is None else pairs)
    reason = uncalibrated(labels_by, fitted.overall)
    made = Calibration(
        version=1,
        evaluation="faithfulness",
        judge="llm",
        fingerprint="0123456789ab",
        configured="0123456789ab",
        made="2026-11-30T00:00:00+00:00",
        labels_by="people" if labels_by == "people" else "judge",
        reference=None if labels_by == "people" else JudgeIdentity("strong", "ba9876543210"),
        calibrated=not reason,
        uncalibrated=reason,
        threshold=0.4,
        threshold_on="score",
        overall=fitted.overall,
        languages=fitted.languages,
        raters=None,
        no_score={"judge_error:timeout": 2},
    )
    return replace(made, **changes)


def written(path: Path, content: bytes) -> Path:
    file = path / "calibration.json"
    file.write_bytes(content)
    return file


def test_a_file_reads_back_as_it_was_written(tmp_path: Path) -> None:
    made = calibration()
    assert load(written(tmp_path, encode(made))) == made
    assert made.calibrated


@given(st.lists(st.builds(Pair, st.sampled_from([0.0, 0.5, 1.0]), *[st.floats(0, 1)] * 2, st.just("en")), max_size=20))
def test_a_file_of_any_answers_reads_back_and_holds_no_number_that_json_has_not(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Pair]
) -> None:
    made = calibration(pairs)
    content = encode(made)
    assert load(written(tmp_path_factory.getbasetemp(), content)) == made

    def refuse(name: str) -> None:
        raise AssertionError(name)

    json.loads(content, parse_constant=refuse)


def pairs_of(n: int, noise: float = 0.0) -> list[Pair]:
    return [Pair(i % 2, (0.2 + 0.6 * (i % 2) + i * noise) % 1.0, 0.3, "en") for i in range(n)]


@pytest.mark.parametrize(
    ("pairs", "labels_by", "reason"),
    [
        (pairs_of(50), "people", ""),
        (pairs_of(49), "people", "few_labels"),
        (pairs_of(50), "judge", "labels_of_a_judge"),
        (pairs_of(50, 0.37), "people", "low_correlation"),
        ([Pair(1.0, i / 60, 0.5, "en") for i in range(60)], "people", "no_correlation"),
        ([Pair(i % 2, 0.5, 0.5, "en") for i in range(60)], "people", "no_correlation"),
    ],
)
def test_a_judge_is_calibrated_by_50_labels_of_people_and_a_correlation(
    pairs: list[Pair], labels_by: str, reason: str
) -> None:
    made = calibration(pairs, labels_by)
    assert (made.calibrated, made.uncalibrated) == (not reason, reason)


@pytest.mark.parametrize(
    ("value", "reason"), [(0.7, ""), (math.nextafter(0.7, 0), "low_correlation"), (-0.9, "low_correlation")]
)
def test_a_correlation_of_seven_tenths_is_enough(value: float, reason: str) -> None:
    overall = replace(calibration().overall, spearman=Estimate(value, -1.0, 1.0))
    assert uncalibrated("people", overall) == reason


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda raw: raw.update(version=2), "has version 2, and this ragmon reads version 1"),
        (lambda raw: raw["overall"].update(n=12), "says something else of `calibrated` than its figures"),
        (lambda raw: raw.update(calibrated=False), "says something else of `calibrated`"),
        (lambda raw: raw["overall"]["spearman"].update(value=7.0), "holds a number outside -1 to 1"),
        (lambda raw: raw.update(threshold=0.0), "has the threshold 0.0"),
        (lambda raw: raw.pop("fingerprint"), "is not a calibration file"),
        (lambda raw: raw.update(judge="two\nlines"), "names no evaluation, judge or fingerprint"),
        (lambda raw: raw.update(fingerprint="a" * 1000), "names no evaluation, judge or fingerprint"),
        (lambda raw: raw["overall"]["rates"][1].update(flagged=61), "figures that contradict each other"),
        (lambda raw: raw["overall"]["rates"][1].update(bad=0), "figures that contradict each other"),
        (lambda raw: raw["overall"]["rates"][1].update(passed=-1), "figures that contradict each other"),
        (lambda raw: raw["overall"]["rates"][1].update(sensitivity=None), "figures that contradict each other"),
        (lambda raw: raw["overall"]["rates"][1]["specificity"].update(lower=1.0, upper=0.0), "contradict each other"),
        (lambda raw: raw["overall"]["rates"][1]["balanced_accuracy"].update(value=0.6), "contradict each other"),
        (lambda raw: raw["overall"]["rates"][0].update(rule="below_half"), "figures that contradict each other"),
        (lambda raw: raw["overall"].update(missing_bad=-1), "figures that contradict each other"),
        (lambda raw: raw["languages"]["en"].update(n=-5), "figures that contradict each other"),
        (lambda raw: raw.update(labels_by="experts"), "is not a calibration file"),
    ],
)
def test_a_file_that_was_edited_or_is_of_another_version_is_refused(tmp_path: Path, change: Change, told: str) -> None:
    raw = json.loads(encode(calibration()))
    change(raw)
    with pytest.raises(ConfigError, match=told.replace("`", ".")):
        load(written(tmp_path, json.dumps(raw).encode()))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_calibration_file_is_told(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ConfigError, match="is not a calibration file"):
        load(written(tmp_path, content))


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(ConfigError, match="has more than"):
        load(Path("/dev/zero"))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.json: cannot be read"):
        load(tmp_path / "none.json")


@pytest.mark.parametrize("key", ["threshold", "n"], ids=["at the top", "inside"])
def test_a_file_with_a_key_given_twice_is_damaged(tmp_path: Path, key: str) -> None:
    twice = encode(calibration()).replace(b'"%s":' % key.encode(), b'"%s": 0.9, "%s":' % ((key.encode(),) * 2), 1)
    if key == "n":
        twice = twice.replace(b'"n": 0.9', b'"n": 9')
    file = written(tmp_path, twice)
    told = f"^{file}: is not a calibration file of this version: the key `{key}` stands twice in it"
    with pytest.raises(ConfigError, match=told):
        load(file)
