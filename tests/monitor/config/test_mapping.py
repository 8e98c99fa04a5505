"""Mappings in the configuration: from the file or from files of their own, every problem in one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.config.loading import load
from monitor.config.mapping import Place, unread_fields
from monitor.errors import ConfigError
from tests.monitor.terminal import ragmon

ROLES = "Input should be 'chain', 'retriever', 'reranker', 'model', 'tool', 'step', 'guardrail', 'evaluator' or 'other'"
GOOD = "mappings: [{name: shop, version: 3, spans: [{when: {name: ask}, role: chain, fields: {question: q.text}}]}]\n"


def write(folder: Path, text: str, name: str = "ragmon.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(path)
    return [problem.removeprefix(f"{path}: ") for problem in caught.value.problems]


def test_a_key_alone_is_a_place(tmp_path: Path) -> None:
    (mapping,) = load(write(tmp_path, GOOD)).mappings
    assert mapping.spans[0].fields.question == (Place(attribute="q.text"),)
    assert (mapping.name, mapping.version) == ("shop", "3")


@pytest.mark.parametrize(
    ("path", "steps"),
    [("0", ("0",)), ("-1", ("-1",)), ("'0'", ("0",)), ("a.0", ("a", "0")), ("[a.b, c]", ("a.b", "c")), ("", ())],
)
def test_a_path_is_read_as_it_stands_in_yaml(tmp_path: Path, path: str, steps: tuple[str, ...]) -> None:
    """`path: 0` is the number 0, and was no path at all."""
    kind = f"{{when: {{name: x}}, role: chain, fields: {{question: {{attribute: x, path: {path}}}}}}}"
    (mapping,) = load(write(tmp_path, f"mappings: [{{name: own, version: 1, spans: [{kind}]}}]")).mappings
    assert mapping.spans[0].fields.question is not None
    assert mapping.spans[0].fields.question[0].path == steps


@pytest.mark.parametrize("path", ["1.10", "yes"])
def test_a_path_that_yaml_reads_as_something_else_has_to_be_in_quotes(tmp_path: Path, path: str) -> None:
    kind = f"{{when: {{name: x}}, role: chain, fields: {{question: {{attribute: x, path: {path}}}}}}}"
    file = write(tmp_path, f"mappings: [{{name: own, version: 1, spans: [{kind}]}}]")
    assert problems(file) == [
        "mappings[0].spans[0].fields.question[0].path: is no path as YAML reads it; put it in quotes"
    ]


def test_files_of_mappings_are_found_beside_the_configuration_and_come_after_it(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("shop", "desk"), "desk.yaml")
    settings = load(write(tmp_path, GOOD + "mapping_files: [desk.yaml]\n"))
    assert [mapping.name for mapping in settings.mappings] == ["shop", "desk"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("question", "questoin", "mappings[0].spans[0].fields.questoin: unknown key; did you mean `question`?"),
        ("{name: ask}", "{nam: ask}", "mappings[0].spans[0].when.nam: unknown key; did you mean `name`?"),
        ("q.text", "{attribute: q, pth: x}", "mappings[0].spans[0].fields.question[0].pth: unknown key; did you mean"),
        ("q.text", "5", "mappings[0].spans[0].fields.question[0].attribute: Input should be a valid string"),
        ("version: 3, ", "", "mappings[0].version: is required"),
        ("role: chain", "role: chian", "mappings[0].spans[0].role: Input should be 'chain'"),
        ("role: chain", "role: retreiver", f"mappings[0].spans[0].role: {ROLES}; did you mean `retriever`?"),
        ("{name: ask}", "{}", "mappings[0].spans[0].when: give at least one of service, name, scope, attributes"),
    ],
)  # fmt: skip
def test_a_problem_has_its_path_and_the_way_to_mend_it(tmp_path: Path, old: str, new: str, said: str) -> None:
    (problem,) = problems(write(tmp_path, GOOD.replace(old, new)))
    assert problem.startswith(said)


def test_a_name_stands_for_one_mapping(tmp_path: Path) -> None:
    write(tmp_path, GOOD, "more.yaml")
    path = write(tmp_path, GOOD + "mapping_files: [more.yaml]\n")
    assert problems(path) == ["mappings: the name 'shop' is used twice"]


def test_problems_of_a_mapping_file_name_that_file(tmp_path: Path) -> None:
    more = write(tmp_path, GOOD.replace("question", "questoin"), "more.yaml")
    path = write(tmp_path, "mapping_files: [more.yaml, missing.yaml]\n")
    assert problems(path) == [
        f"{more}: mappings[0].spans[0].fields.questoin: unknown key; did you mean `question`?",
        f"mapping_files: {tmp_path / 'missing.yaml'}: cannot be read (No such file or directory)",
    ]


def test_check_config_tells_what_is_mapped(tmp_path: Path) -> None:
    ended = ragmon("check-config", write(tmp_path, GOOD))
    assert "maps    shop@3 (1 kinds of spans), then the conventions" in ended.out


@pytest.mark.parametrize("command", ["extract", "replay"])
def test_commands_on_files_use_the_mappings(tmp_path: Path, command: str) -> None:
    config = write(tmp_path, GOOD.replace("q.text", "other"))
    bad = write(tmp_path, GOOD.replace("question", "questoin"), "bad.yaml")
    capture = Path(__file__).parents[2] / "data" / "traces" / "manual-notrag.pb"
    assert ragmon(command, "-c", config, capture).code == 0
    assert ragmon(command, "-c", bad, capture).code == 2


def test_a_field_that_is_not_read_of_its_role_is_told(tmp_path: Path) -> None:
    wrong = GOOD.replace("role: chain", "role: retriever").replace("question", "output")
    said = "mapping shop: spans[0] gives `output` of a retriever, and it is only read of a model or chain"
    assert f"warns   {said}" in ragmon("check-config", write(tmp_path, wrong)).out
    assert list(unread_fields(load(write(tmp_path, GOOD)).mappings)) == []
