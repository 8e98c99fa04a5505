"""Which model really answered: the snapshot that the server names, kept apart in the fingerprint."""

from __future__ import annotations

from collections.abc import Mapping

from monitor import judge_settings
from monitor.judges.identity import fingerprint
from monitor.judges.parse import PARSER
from monitor.judges.prompts.rubric import Rubric
from monitor.records import JudgeIdentity

MAX_SNAPSHOTS = 8
"""Snapshots told apart; a server that names a new one each time would otherwise make a series for each verdict."""
OTHER = "other"


class Identities:
    """The identity under which a judgement stands.

    It is a fingerprint of: requested model, snapshot that the server named (the requested model until it names
    another), instructions of both languages, schema, temperature, seed, reasoning and further fields of the request
    where they are set, and version of the parser. Not part of it: where the model runs, limits of size and time, and
    how JSON was asked for; they decide whether there is a score, not which.

    A failure stands under the snapshot seen last, so that missing verdicts are beside the scores they are missing
    from. Until the first reply after a start that is the requested model: with a snapshot's name in the settings there
    is no gap.
    """

    def __init__(self, config: judge_settings.LlmJudge, rubrics: Mapping[str, Rubric]) -> None:
        self._config = config
        self._rubrics = rubrics
        self._known: dict[str, dict[str, JudgeIdentity]] = {}
        self._first: str | None = None
        self._last = config.model

    def current(self, evaluation: str) -> JudgeIdentity:
        """Who would judge now, as far as it is known."""
        return self._of(self._last)[evaluation]

    def seen(self, snapshot: str | None) -> bool:
        """Take note of the snapshot that a reply named; whether it differs from the first one seen."""
        if snapshot is None:
            return False
        if snapshot not in self._known and len(self._known) >= MAX_SNAPSHOTS:
            snapshot = OTHER
        self._first = self._first or snapshot
        self._last = snapshot
        return snapshot != self._first

    def _more(self) -> dict[str, object]:
        """Parameters that decide scores and are sent only where they are set, so that most fingerprints lack them."""
        wish = {} if self._config.reasoning == "default" else {"reasoning": self._config.reasoning}
        return wish | ({"extra_body": self._config.extra_body} if self._config.extra_body else {})

    def _of(self, snapshot: str) -> dict[str, JudgeIdentity]:
        if snapshot not in self._known:
            self._known[snapshot] = {
                name: JudgeIdentity(self._config.name, self._fingerprint(rubric, snapshot))
                for name, rubric in self._rubrics.items()
            }
        return self._known[snapshot]

    def _fingerprint(self, rubric: Rubric, snapshot: str) -> str:
        return fingerprint(
            "llm",
            self._config.model,
            snapshot,
            {"evaluation": rubric.evaluation, "version": rubric.version, "texts": dict(rubric.texts)},
            rubric.schema,
            {"temperature": self._config.temperature, "seed": self._config.seed, "parser": PARSER} | self._more(),
        )
