"""The settings of criteria that users write themselves: what an LLM judge is to score, in their own words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from monitor.config.section import Section

PREFIX = "criteria."
"""Criteria are evaluations; the prefix keeps their names apart from ragmon's own."""
MAX_SCALE = 100
"""Largest difference between the ends of a scale."""

_INLINE = "as {name: ..., criteria: ..., steps: [...]}"
_FILE = re.compile(r"\S+\.ya?ml", re.IGNORECASE)
_SHOWN = 120
_SCALE = re.compile(r"\s*(-?[0-9]{1,6})\s*\.\.\s*(-?[0-9]{1,6})\s*")


def parse_scale(value: object) -> object:
    """The ends of a scale from text such as `1..5`; what is no text is left as it is. Raises ValueError."""
    if not isinstance(value, str):
        return value
    match = _SCALE.fullmatch(value)
    if match is None:
        msg = f"{value[:40]!r} is no scale; write the lowest and the highest number, such as 1..5"
        raise ValueError(msg)
    return int(match[1]), int(match[2])


def _rising(scale: tuple[int, int]) -> tuple[int, int]:
    low, high = scale
    if not 0 < high - low <= MAX_SCALE:
        msg = f"{low} to {high} is no scale; write the lowest, then the highest, at most {MAX_SCALE} apart"
        raise ValueError(msg)
    return scale


def _each_once(given: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(given)) < len(given):
        msg = "each one once"
        raise ValueError(msg)
    return given


def _in_words(text: str) -> str:
    if not any(map(str.isalnum, text)):
        msg = "holds no letter and no digit; write it in words"
        raise ValueError(msg)
    return text


# checked field by field: what is wrong with the whole is told only when every field is right
Text = Annotated[str, Field(min_length=1, max_length=4000), AfterValidator(_in_words)]
Number = Annotated[int, Field(strict=True, ge=-999_999, le=999_999)]
Scale = Annotated[tuple[Number, Number], BeforeValidator(parse_scale), AfterValidator(_rising)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
Need = Literal["question", "answer", "contexts", "reference"]


class Criterion(Section):
    """One criterion, scored by a model in the way of G-Eval: criterion, steps, a number on a scale.

    It stands in the configuration, or alone in a file of `criteria_files`.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,31}$", description="The evaluation is called `criteria.NAME`.")
    criteria: Text = Field(description="What makes an answer good, in your own words.")
    steps: tuple[Text, ...] = Field(min_length=1, max_length=20, description="What the model is to do, in order.")
    scale: Scale = Field(
        (1, 5), description="Lowest and highest number; the score is the place between them, from 0 to 1."
    )
    languages: Annotated[tuple[Language, ...], AfterValidator(_each_once)] = Field(
        (), description="Languages of the requests that it is for, such as `zh`; none: all."
    )
    needs: Annotated[tuple[Need, ...], AfterValidator(_each_once)] = Field(
        ("question", "answer"), min_length=1, description="What the model is shown, and what a request must have."
    )

    @model_validator(mode="before")
    @classmethod
    def _one(cls, value: object) -> object:
        if isinstance(value, dict) and isinstance(value.get("criteria"), list):
            msg = f"holds criteria where the text of one belongs; write each in a file of its own, {_INLINE}"
            raise ValueError(msg)  # noqa: TRY004 - pydantic tells ValueError only
        return value

    @property
    def evaluation(self) -> str:
        """Its name as an evaluation."""
        return PREFIX + self.name


def _inline(value: object) -> object:
    """Criteria as they are; a name of a file is told where it belongs. Raises ValueError."""
    named = [str(one) for one in (value if isinstance(value, list | tuple) else [value]) if isinstance(one, str | Path)]
    if not named:
        return value
    if all(_FILE.fullmatch(name) for name in named):
        msg = (
            f"names files: write `criteria_files: [{', '.join(named)[:_SHOWN]}]`; `criteria` holds criteria, {_INLINE}"
        )
    else:
        msg = f"holds text: a criterion is written {_INLINE}, or in a file of its own that `criteria_files` names"
    raise ValueError(msg)


def _in_files(value: object) -> object:
    """Names of files as they are; a criterion is told where it belongs. Raises ValueError."""
    if any(isinstance(one, dict | Criterion) for one in (value if isinstance(value, list | tuple) else [value])):
        msg = f"holds criteria: write them under `criteria`, {_INLINE}; `criteria_files` names files"
        raise ValueError(msg)
    return value


Criteria = Annotated[tuple[Criterion, ...], BeforeValidator(_inline)]
CriteriaFiles = Annotated[tuple[Path, ...], BeforeValidator(_in_files)]
