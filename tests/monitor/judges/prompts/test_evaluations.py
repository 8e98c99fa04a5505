"""Rules of the files: what the words ask for is what the schema says and the reader reads."""

from __future__ import annotations

import importlib.resources
import json
import re

import jsonschema
import pytest

from monitor.config import judges as judge_settings
from monitor.config.criteria import Criterion
from monitor.judges.prompts.evaluation import Evaluation, load_evaluation, of_criterion
from monitor.judges.prompts.registry import evaluations_of
from monitor.judges.scorable import Needs
from tests.monitor.judges.scripted import config

FILES = sorted(
    file.name.removesuffix(".yaml")
    for file in importlib.resources.files("monitor.judges.prompts").iterdir()
    if file.name.endswith(".yaml") and file.name != "frame.yaml"
)


def objects(schema: object) -> list[dict[str, object]]:
    """Every object in a schema."""
    if not isinstance(schema, dict):
        return []
    inside = [*schema.get("properties", {}).values(), schema.get("items")]
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for part in inside for found in objects(part)]


def options(evaluation: Evaluation) -> set[str]:
    listed = re.findall(r'"enum": (\[[^\]]*\])', json.dumps(evaluation.json_schema))
    return {word for words in listed for word in json.loads(words)}


def test_there_is_a_file_for_each_evaluation_and_rubric() -> None:
    names = judge_settings.Evaluation.__args__  # type: ignore[attr-defined]
    every = evaluations_of(config(evaluations=names))
    others = evaluations_of(config(evaluations=names, rubric="graded", relevance="hypothetical"))
    assert [one.evaluation for one in every] == [one.evaluation for one in others] == list(names)
    changed = [one.evaluation for one, other in zip(every, others, strict=True) if one != other]
    assert changed == ["faithfulness", "answer_relevance"]


@pytest.mark.parametrize("file", FILES)
def test_each_language_names_every_key_and_option_of_the_schema(file: str) -> None:
    evaluation = load_evaluation(file)
    keys = {key for found in objects(evaluation.json_schema) for key in found["properties"]}  # type: ignore[attr-defined]
    for texts in ((evaluation.instructions.en, evaluation.reply.en), (evaluation.instructions.zh, evaluation.reply.zh)):
        said = "\n".join(texts)
        assert {word for word in keys | options(evaluation) if f'"{word}"' not in said} == set()


@pytest.mark.parametrize("file", FILES)
def test_schemas_are_valid_and_strict(file: str) -> None:
    evaluation = load_evaluation(file)
    jsonschema.Draft202012Validator.check_schema(evaluation.json_schema)
    for found in objects(evaluation.json_schema):
        assert found["additionalProperties"] is False
        assert list(found["properties"]) == found["required"]  # type: ignore[call-overload]


@pytest.mark.parametrize("file", FILES)
def test_the_reader_scores_every_option_of_the_schema_and_no_other(file: str) -> None:
    evaluation = load_evaluation(file)
    scored = set(getattr(evaluation.reads, "verdicts", {}))
    families = set(getattr(evaluation.reads, "families", ()))
    assert scored | families == options(evaluation)
    assert all(0 <= score <= 1 for score in getattr(evaluation.reads, "verdicts", {}).values())


@pytest.mark.parametrize("file", FILES)
def test_reasons_stand_before_verdicts_so_that_they_are_thought_of_first(file: str) -> None:
    for found in objects(load_evaluation(file).json_schema):
        keys = list(found["properties"])  # type: ignore[call-overload]
        if "reason" in keys:
            assert keys[-2] == "reason"


def test_a_criterion_becomes_an_evaluation_in_the_words_of_its_user() -> None:
    criterion = Criterion(
        name="tone",
        criteria="Polite and {low}-key.",
        steps=("Read it.", "Score it."),
        scale=(1, 3),
        languages=("en",),
        needs=("answer", "contexts"),
    )
    made = of_criterion(criterion)
    assert made.instructions.en.startswith("Criterion: Polite and {low}-key.\n")
    assert "1. Read it.\n2. Score it.\n" in made.instructions.zh
    assert (made.evaluation, made.data, made.languages) == ("criteria.tone", ("answer", "passages"), ("en",))
    assert made.needs == Needs(question=False, answer=True, contexts=True, whole=True)
    assert made.json_schema["properties"]["score"] == {"type": "integer", "enum": [1, 2, 3]}  # type: ignore[index]
