"""The shipped alert on a quality drop, evaluated on snapshots as Prometheus evaluates it on scrapes.

Window and waiting time are read from the rule files that ship in `deploy/prometheus/rules`, so the demo shows what an
operator will get; the objective is the demo's own, as the shipped one is unset. A test runs the same rules in a real
Prometheus.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from monitor.config.values import duration_text, parse_duration
from monitor.errors import RagmonError
from monitor.snapshot import EVERYTHING, Snapshot

_RULE = "RagmonQualityDrop"
_METRIC = "ragmon_score_mean_upper"
_OBJECTIVE = "ragmon:objective:mean"
_RULES = Path(__file__).parents[2] / "deploy" / "prometheus"
_FILES = ("rules/ragmon-alerts.yaml", "demo/ragmon-objectives.yaml")


@dataclass(slots=True)
class QualityAlert:
    """Fires when the upper bound of the mean has been below the objective for the rule's waiting time."""

    evaluation: str
    objective: float
    window: str
    """Label of the window as metrics have it, such as `5m`."""
    wait_s: float
    value: float | None = None
    """Upper bound of the mean at the last evaluation; None below the floor."""
    fired_at: float | None = None
    """When it began to fire, in the caller's seconds; None while it does not."""
    _pending_since: float | None = field(default=None, repr=False)

    def evaluate(self, snapshot: Snapshot, now: float) -> bool:
        """Whether the alert fires; `now` in seconds that never go back."""
        uppers = [
            item.mean.upper
            for item in snapshot.windows
            if item.evaluation == self.evaluation
            and item.slice == EVERYTHING
            and duration_text(item.window_s) == self.window
            and item.mean is not None
        ]
        self.value = max(uppers, default=None)
        if self.value is None or self.value >= self.objective:
            self._pending_since = self.fired_at = None
            return False
        if self._pending_since is None:
            self._pending_since = now
        if self.fired_at is None and now - self._pending_since >= self.wait_s:
            self.fired_at = now
        return self.fired_at is not None

    @property
    def pending(self) -> bool:
        """Whether the condition holds, but not long enough yet."""
        return self._pending_since is not None and self.fired_at is None


def shipped_alert(evaluation: str = "faithfulness") -> QualityAlert:
    """The alert as the rule files have it. Raises RagmonError when they are missing or have another form."""
    rules = _rules()
    rule = next((item for item in rules if item.get("alert") == _RULE), None)
    objective = next(
        (item for item in rules if item.get("record") == _OBJECTIVE and item["labels"]["evaluation"] == evaluation),
        None,
    )
    if rule is None or objective is None:
        raise RagmonError(f"the shipped rules have no {_RULE} for {evaluation}")
    window = re.search(_METRIC + r'\{[^}]*window="([^"]+)"', rule["expr"])
    number = re.fullmatch(r"vector\(([0-9.]+)\)", str(objective["expr"]).strip())
    wait = parse_duration(rule["for"])
    if window is None or number is None or not isinstance(wait, float):
        raise RagmonError(f"the shipped rule {_RULE} has a form that the demo does not know")
    return QualityAlert(evaluation, float(number[1]), window[1], wait)


def _rules() -> list[dict[str, Any]]:
    if not _RULES.is_dir():
        raise RagmonError("the shipped alert rules are not installed; run the demo from a checkout")
    documents = [yaml.safe_load((_RULES / name).read_text(encoding="utf-8")) for name in _FILES]
    return [rule for document in documents for group in document["groups"] for rule in group["rules"]]
