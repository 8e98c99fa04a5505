"""What is valid and may not be meant."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
import yaml

from monitor.config.cautions import shared_with_another
from monitor.config.loading import load
from monitor.config.settings import Settings

ROOT = Path(__file__).resolve().parents[3]


def shared(**sections: object) -> list[str]:
    return shared_with_another(Settings.model_validate(sections))


def test_a_group_of_its_own_beside_the_default_cases_and_harvest_group_looks_like_a_second_ragmon() -> None:
    [line] = shared(source={"group": "try-1"})
    assert line.startswith(
        "source.group is try-1, and of the defaults are topics.verdicts, topics.cases, dataset.group, dataset.path: "
    )


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"dataset": {"group": "mine"}},
        {"source": {"group": "mine"}, "dataset": {"group": "mine-harvest"}},
        {"source": {"group": "mine"}, "topics": {"cases": "mine"}},
    ],
)
def test_the_only_ragmon_and_one_with_cases_or_groups_of_its_own_are_left_alone(sections: dict[str, object]) -> None:
    assert shared(**sections) == []


@pytest.mark.parametrize("folder", ["", "kubernetes/fleet", "kubernetes/sidecar"])
def test_the_configurations_that_ship_share_nothing(folder: str) -> None:
    assert shared_with_another(load(ROOT / "deploy" / folder / "ragmon.yaml")) == []


def test_the_trial_in_the_readme_shares_nothing_with_a_ragmon_of_the_defaults() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = [
        one for one in re.findall(r"^ *```yaml\n(.*?)^ *```$", readme, re.MULTILINE | re.DOTALL) if "try-1" in one
    ]
    trial, default = Settings.model_validate(yaml.safe_load(textwrap.dedent(block))), Settings()
    assert shared_with_another(trial) == []
    for name in ("verdicts", "cases", "dead_letters"):
        assert getattr(trial.topics, name) != getattr(default.topics, name)
    assert trial.dataset.path != default.dataset.path
    assert trial.web.port != default.web.port
