"""Which model really answered: the snapshot that the server names, kept apart in the fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from monitor.config import judges as judge_settings
from monitor.judges.identity import fingerprint
from monitor.judges.prompts.evaluation import Evaluation
from monitor.judges.prompts.group import Group
from monitor.judges.prompts.scale import BY_NUMBER, BY_PROBABILITIES, Scale
from monitor.judges.reasons import Lesson
from monitor.judges.replies.parse import PARSER
from monitor.records import NOBODY, JudgeIdentity

MAX_SNAPSHOTS = 8
"""Snapshots told apart; a server that names a new one each time would otherwise make a series for each verdict."""
OTHER = "other"
"""All others: models that nobody has seen, so no calibration and no comparison holds for them."""


class Identities:
    """The identity under which a judgement stands.

    It is a fingerprint of: requested model, snapshot that the server named (the requested model until it names
    another), the evaluation, the instructions of both languages and the files of all that is asked together with it
    (judged in other company is judged by another judge), the way in which its score is made, temperature, seed,
    reasoning and further fields of the request where they are set, and version of the parser; for what is judged on
    passages also where those are cut into windows, for what needs a reference also the golden file. A temperature, seed
    or reasoning that the server refused is none, as its own is in force. Not part of it:
    where the model runs, limits of time and of the reply, how JSON was asked for, and which of the evaluations that are
    asked together do not apply to a request; they decide whether there is a score, not which.

    A failure stands under the snapshot and the way seen last, so that missing verdicts are beside the scores they are
    missing from. Until the first reply after a start that is the requested model: with a snapshot's name in the
    settings there is no gap.
    """

    def __init__(
        self,
        config: judge_settings.LlmJudge,
        groups: Iterable[Group],
        golden: str = "",
        unsaid: Callable[[], frozenset[Lesson]] = frozenset,
    ) -> None:
        """`unsaid` is what the server refused to be told so far."""
        self._config = config
        self._unsaid = unsaid
        self._golden = golden
        self._groups = {one.evaluation: (group, one) for group in groups for one in group.evaluations}
        self._made: dict[tuple[str, str, str, frozenset[Lesson]], JudgeIdentity] = {}
        self._methods = {name: self._first_method(one) for name, (_, one) in self._groups.items()}
        self._snapshots: set[str] = set()
        self._first: str | None = None
        self._last = config.model

    @property
    def models(self) -> tuple[str, str]:
        """The requested model, and the snapshot that was seen last."""
        return self._config.model, self._last

    def current(self, evaluation: str) -> JudgeIdentity:
        """Who would judge now, as far as it is known."""
        key = self._last, evaluation, self._methods[evaluation], self._unsaid()
        if key not in self._made:
            self._made[key] = JudgeIdentity(self._config.name, self._fingerprint(*key))
        return self._made[key]

    def seen(self, snapshot: str | None) -> bool:
        """Take note of the snapshot that a reply named; whether it differs from the first one seen."""
        if snapshot is None:
            return False
        if snapshot not in self._snapshots and len(self._snapshots) >= MAX_SNAPSHOTS:
            snapshot = OTHER
        self._snapshots.add(snapshot)
        self._first = self._first or snapshot
        self._last = snapshot
        return snapshot != self._first

    def made_by(self, evaluation: str, method: str) -> None:
        """Take note of the way in which a score of this evaluation was just made."""
        self._methods[evaluation] = method

    def _first_method(self, evaluation: Evaluation) -> str:
        if not isinstance(evaluation.reads, Scale):
            return ""
        return BY_PROBABILITIES if self._config.probabilities else BY_NUMBER

    def _fingerprint(self, snapshot: str, name: str, method: str, unsaid: frozenset[Lesson]) -> str:
        config = self._config
        group, evaluation = self._groups[name]
        windows = (config.max_input_chars, config.context_tokens, config.window_overlap)
        made = fingerprint(
            "llm",
            config.model,
            snapshot,
            {"evaluation": name, "method": method, "texts": group.systems},
            {one.evaluation: one.model_dump(mode="json") for one in group.evaluations},
            {
                "temperature": None if Lesson.TEMPERATURE in unsaid else config.temperature,
                "seed": None if Lesson.SEED in unsaid else config.seed,
                "parser": PARSER,
                **_more(config, unsaid),
            },
            {"windows": windows if evaluation.wants_passages else None},
            {"golden": self._golden if evaluation.wants_reference else ""},
        )
        return made if snapshot != OTHER else NOBODY + made[len(NOBODY) :]


def _more(config: judge_settings.LlmJudge, unsaid: frozenset[Lesson]) -> dict[str, object]:
    """Parameters that decide scores and are sent only where they are set, so that most fingerprints lack them."""
    wish = {} if config.reasoning == "default" or Lesson.REASONING in unsaid else {"reasoning": config.reasoning}
    return wish | ({"extra_body": config.extra_body} if config.extra_body else {})
