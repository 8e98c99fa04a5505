"""Evaluations that are asked together: one system text, one schema, one reply.

The system text is the same in every call of a group, so that servers can cache it; which of its evaluations a request
gets is said at the end of the prompt. Of a group of one the reply is the verdict itself, of several it is an object
with a verdict under each name.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from monitor.config.section import Section
from monitor.judges.prompts import material
from monitor.judges.prompts.evaluation import Evaluation, Language, Texts, load_yaml
from monitor.judges.prompts.odds import odds_of
from monitor.judges.prompts.reading import Said, reject, whole_number
from monitor.judges.prompts.scale import Scale
from monitor.judges.replies.parse import Parsed, is_echo, parse_verdict
from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.logprobs import Token


class Frame(Section):
    """The words around every evaluation."""

    version: int
    opening: Texts
    fields: dict[Language, dict[material.Field, str]]
    closing: Texts
    closing_together: Texts
    heading: Texts
    reminder: Texts


FRAME = Frame.model_validate(load_yaml("frame"))


@dataclass(frozen=True)
class Group:
    """Evaluations of one judge that are asked together, in their order."""

    evaluations: tuple[Evaluation, ...]

    @functools.cached_property
    def systems(self) -> Mapping[Language, str]:
        """The instructions by language."""
        return {"en": self._system("en"), "zh": self._system("zh")}

    @property
    def nested(self) -> bool:
        """Whether a reply holds verdicts under their names."""
        return len(self.evaluations) > 1

    def schema(self, asked: Sequence[Evaluation]) -> Mapping[str, object]:
        """JSON Schema of a reply to some of its evaluations."""
        if not self.nested:
            return asked[0].json_schema
        return {
            "type": "object",
            "additionalProperties": False,
            "required": [evaluation.evaluation for evaluation in asked],
            "properties": {evaluation.evaluation: evaluation.json_schema for evaluation in asked},
        }

    def name(self, asked: Sequence[Evaluation]) -> str:
        """Name of that schema."""
        return asked[0].evaluation.replace(".", "_") if not self.nested else "evaluations"

    def parse(self, text: str, asked: Sequence[Evaluation], shown: Sequence[str]) -> Parsed:
        """The object of a reply. Raises JudgeRejected when the reply is of no use for any evaluation."""
        if not self.nested:
            return parse_verdict(text, asked[0].keys, shown, name=asked[0].evaluation)
        names = frozenset(one.evaluation for one in asked)
        parsed = parse_verdict(text, names, shown, some=True)
        if parsed.repaired and not parsed.value.keys() <= names:
            reject("unclear_keys")  # a repair may have moved it there out of a verdict
        return parsed

    def said(
        self, parsed: Parsed, evaluation: Evaluation, shown: Sequence[str], text: str, tokens: Sequence[Token]
    ) -> Said:
        """The verdict of one evaluation. Raises JudgeRejected, which says nothing about the others."""
        verdict = self._verdict(parsed, evaluation, shown)
        number = whole_number(verdict.get("score"))
        if not isinstance(evaluation.reads, Scale) or number is None or parsed.repaired:
            return Said(verdict)
        path = [evaluation.evaluation, "score"] if self.nested else ["score"]
        return Said(verdict, odds_of(text, tokens, path, number, evaluation.reads.numbers))

    def _verdict(self, parsed: Parsed, evaluation: Evaluation, shown: Sequence[str]) -> Mapping[str, Json]:
        if not self.nested:
            return parsed.value
        verdict = parsed.value.get(evaluation.evaluation)
        if not isinstance(verdict, dict) or not evaluation.keys <= verdict.keys():
            reject("no_verdict" if verdict is None else "schema")
        if parsed.repaired and verdict.keys() != evaluation.keys:
            reject("unclear_keys")
        if is_echo(verdict, shown):
            reject("echo")
        return verdict

    def _system(self, language: Language) -> str:
        shown = dict.fromkeys(name for evaluation in self.evaluations for name in evaluation.data)
        described = FRAME.fields[language]
        fields = "".join(f"- {described[name]}\n" for name in described if name in shown)
        opening = FRAME.opening.by(language) + fields
        if not self.nested:
            (only,) = self.evaluations
            return (
                f"{opening}\n{only.instructions.by(language)}\n{FRAME.closing.by(language)}{only.reply.by(language)}\n"
            )
        tasks = "\n".join(
            f'# {FRAME.heading.by(language)} "{one.evaluation}"\n{one.instructions.by(language)}'
            for one in self.evaluations
        )
        replies = ",\n ".join(f'"{one.evaluation}": {one.reply.by(language)}' for one in self.evaluations)
        return f"{opening}\n{tasks}\n{FRAME.closing_together.by(language)}{{{replies}}}\n"


def grouped(evaluations: Sequence[Evaluation], calls: Literal["together", "apart"]) -> tuple[Group, ...]:
    """The evaluations by the calls that ask for them, in the order of the first of each.

    What is shown a reference is not asked with the rest: the reference would be evidence for them, and their scores of
    requests with and without one could not be compared.
    """
    calls_of: dict[object, list[Evaluation]] = {}
    for evaluation in evaluations:
        own = calls == "apart" or evaluation.alone
        calls_of.setdefault(evaluation.evaluation if own else evaluation.wants_reference, []).append(evaluation)
    return tuple(Group(tuple(together)) for together in calls_of.values())
