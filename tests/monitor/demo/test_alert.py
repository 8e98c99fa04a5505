"""The demo's alert has the semantics of the shipped rule: absent, above, pending, firing, reset."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from monitor.demo import alert
from monitor.demo.alert import QualityAlert, shipped_alert
from monitor.errors import RagmonError
from monitor.snapshot import Estimate, SliceKey, Snapshot
from tests.exporters.samples import snapshot, window

PROMETHEUS = Path(__file__).parents[3] / "deploy" / "prometheus"


def shown(upper: float | None, window_s: int = 300, **changes: object) -> Snapshot:
    mean = None if upper is None else Estimate(upper / 2, 0.0, upper)
    item = replace(window(), mean=mean, window_s=window_s)
    return replace(snapshot(), windows=(replace(item, **changes),))  # type: ignore[arg-type]  # the test names real fields


def made() -> QualityAlert:
    return QualityAlert("faithfulness", 0.8, "5m", 30.0)


@given(st.lists(st.sampled_from([None, 0.7, 0.79, 0.8, 0.9]), max_size=30), st.integers(1, 20))
def test_it_fires_when_the_condition_held_at_every_look_for_the_waiting_time(
    uppers: list[float | None], step: int
) -> None:
    quality = made()
    held_since: int | None = None
    for number, upper in enumerate(uppers):
        now = number * step
        bad = upper is not None and upper < 0.8
        held_since = None if not bad else now if held_since is None else held_since
        fires = held_since is not None and now - held_since >= 30
        assert quality.evaluate(shown(upper), float(now)) == fires
        assert (quality.fired_at is not None) == fires
        assert quality.pending == (bad and not fires)
        assert quality.value == upper


def test_the_time_of_firing_is_when_it_began_and_goes_with_a_reset() -> None:
    quality = made()
    for now in (0, 15, 30, 45):
        quality.evaluate(shown(0.5), now)
    began = quality.fired_at
    assert not quality.evaluate(shown(None), 60)
    assert (began, quality.fired_at, quality.pending) == (30, None, False)


@pytest.mark.parametrize(
    "changes",
    [{"window_s": 3600}, {"evaluation": "safety.pii"}, {"slice": SliceKey("app", "shop")}],
)
def test_other_windows_evaluations_and_slices_do_not_count(changes: dict[str, object]) -> None:
    quality = made()
    quality.evaluate(replace(shown(0.5), windows=(replace(window(), **changes),)), 0)  # type: ignore[arg-type]  # same
    assert quality.value is None


def test_the_shipped_rule_is_read_as_it_stands_in_the_files() -> None:
    rules = [
        rule
        for path in (PROMETHEUS / "rules" / "ragmon-alerts.yaml", PROMETHEUS / "demo" / "ragmon-objectives.yaml")
        for group in yaml.safe_load(path.read_text())["groups"]
        for rule in group["rules"]
    ]
    (rule,) = [rule for rule in rules if rule.get("alert") == "RagmonQualityDrop"]
    (objective,) = [
        rule
        for rule in rules
        if rule.get("record") == "ragmon:objective:mean" and rule["labels"]["evaluation"] == "faithfulness"
    ]
    shipped = shipped_alert()
    assert f'window="{shipped.window}"' in rule["expr"]
    assert rule["for"] == f"{shipped.wait_s:.0f}s"
    assert objective["expr"] == f"vector({shipped.objective})"
    assert "< on (evaluation)" in rule["expr"]


def test_an_evaluation_without_an_objective_is_told() -> None:
    with pytest.raises(RagmonError, match="no RagmonQualityDrop for safety"):
        shipped_alert("safety.nosuch")


def test_missing_or_changed_rule_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alert, "_RULES", tmp_path / "nosuch")
    with pytest.raises(RagmonError, match="not installed"):
        shipped_alert()
    monkeypatch.setattr(alert, "_RULES", shutil.copytree(PROMETHEUS, tmp_path / "copy"))
    rules = tmp_path / "copy" / "rules" / "ragmon-alerts.yaml"
    rules.write_text(rules.read_text().replace("ragmon_score_mean_upper", "other"))
    with pytest.raises(RagmonError, match="has a form that the demo does not know"):
        shipped_alert()
