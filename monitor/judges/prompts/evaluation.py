"""What an evaluation is: a file of rubric, schema and instructions, and the reader of its verdicts.

The files of this package are the evaluations of ragmon; a criterion of the user becomes one by the same file.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Callable
from typing import Annotated, Literal

import yaml
from pydantic import Field

from monitor.config.criteria import Criterion
from monitor.config.section import Section
from monitor.judges.prompts import material
from monitor.judges.prompts.choice import Choice
from monitor.judges.prompts.claims import Claims
from monitor.judges.prompts.findings import Findings
from monitor.judges.prompts.grades import Grades
from monitor.judges.prompts.questions import Questions
from monitor.judges.prompts.scale import Scale
from monitor.judges.scorable import OTHER_LANGUAGE, Needs, Scorable, needs_of
from monitor.records import RagTrace

_BLANK = re.compile(r"\{(criteria|steps|low|high)\}")

Language = Literal["en", "zh"]
Reader = Annotated[Claims | Grades | Choice | Findings | Questions | Scale, Field(discriminator="kind")]


class Texts(Section):
    """One text in both languages."""

    en: str
    zh: str

    def by(self, language: Language) -> str:
        """The text in one language."""
        return self.en if language == "en" else self.zh

    def filled(self, fill: Callable[[str], str]) -> Texts:
        """Both texts, each with something done to it."""
        return Texts(en=fill(self.en), zh=fill(self.zh))


class Evaluation(Section):
    """One evaluation by a model. All of it is part of the judge's identity."""

    evaluation: str = Field(description="Its name.")
    version: int = Field(ge=1, description="For people; the fingerprint covers the texts themselves.")
    data: tuple[material.Field, ...] = Field(min_length=1, description="What it is shown.")
    alone: bool = Field(default=False, description="It must see nothing else, so it is never asked with others.")
    reads: Reader = Field(description="How a verdict becomes a score.")
    json_schema: dict[str, object] = Field(description="Of the verdict.")
    reply: Texts = Field(description="The verdict as the model is told to give it.")
    instructions: Texts
    needs: Needs = Needs()
    languages: tuple[str, ...] = Field((), description="Languages of the requests that it judges; none: all.")

    @property
    def keys(self) -> frozenset[str]:
        """Keys of the verdict."""
        required = self.json_schema["required"]
        return frozenset(required if isinstance(required, list) else ())

    @property
    def wants_reference(self) -> bool:
        """Whether it is shown the reference of the request."""
        return "reference" in self.data

    @property
    def wants_passages(self) -> bool:
        """Whether it is shown what was retrieved."""
        return "passages" in self.data

    def why_not(self, trace: RagTrace, scorable: Scorable, absence: str) -> str | None:
        """Why the request is not scorable, None when it is; `absence` is why there is no reference, or empty."""
        reason = scorable.why_not(self.needs)
        if reason is None and self.languages and trace.language.partition("-")[0] not in self.languages:
            return OTHER_LANGUAGE
        return reason or (absence or None if self.wants_reference else None)


@functools.cache
def load_evaluation(file: str) -> Evaluation:
    """An evaluation of this package."""
    evaluation = Evaluation.model_validate(load_yaml(file))
    return evaluation.model_copy(update={"needs": needs_of(evaluation.evaluation)})


def load_yaml(file: str) -> object:
    """The content of one of the files of this package."""
    return yaml.safe_load(importlib.resources.files(__package__ or "").joinpath(f"{file}.yaml").read_text("utf-8"))


def of_criterion(criterion: Criterion, *, settled: bool = False) -> Evaluation:
    """The evaluation that asks for a criterion of the user; `settled`: at temperature 0."""
    low, high = criterion.scale
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(criterion.steps, start=1))
    words = {"criteria": criterion.criteria.strip(), "steps": steps, "low": str(low), "high": str(high)}

    def fill(text: str) -> str:
        return _BLANK.sub(lambda blank: words[blank[1]], text)  # in one pass: the user's words may hold braces, too

    template = load_evaluation("criterion")
    shown = tuple("passages" if need == "contexts" else need for need in criterion.needs)
    return template.model_copy(
        update={
            "evaluation": criterion.evaluation,
            "data": shown,
            "reads": Scale(kind="scale", low=low, high=high, settled=settled),
            "json_schema": _with_numbers(template.json_schema, low, high),
            "reply": template.reply.filled(fill),
            "instructions": template.instructions.filled(fill),
            "needs": Needs(
                question="question" in criterion.needs,
                answer="answer" in criterion.needs,
                contexts="contexts" in criterion.needs,
                whole=True,
            ),
            "languages": criterion.languages,
        }
    )


def _with_numbers(schema: dict[str, object], low: int, high: int) -> dict[str, object]:
    properties = schema["properties"]
    assert isinstance(properties, dict)  # noqa: S101 - our own file, tested
    return schema | {"properties": properties | {"score": {"type": "integer", "enum": list(range(low, high + 1))}}}
