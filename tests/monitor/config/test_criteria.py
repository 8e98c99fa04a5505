"""Rules of criteria in files and in the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.building_judges import evaluations_of
from monitor.config.criteria import Criterion
from monitor.config.judges import LlmJudge
from monitor.config.loading import load
from monitor.errors import ConfigError

TONE = "name: tone\ncriteria: Polite.\nsteps: [Read it., Score it.]\nscale: 1..5\n"
JUDGE = (
    "judges: [{type: llm, base_url: 'https://judge.example/v1', model: m, criteria_files: [tone.yaml, other.yaml]}]\n"
)


def load_with(tmp_path: Path, *, config: str = JUDGE, **files: str) -> LlmJudge:
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    path = tmp_path / "ragmon.yaml"
    path.write_text(f"source: {{topics: [t]}}\n{config}", encoding="utf-8")
    (judge,) = load(path).judges
    assert isinstance(judge, LlmJudge)
    return judge


def problems_of(tmp_path: Path, *, config: str = JUDGE, **files: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_with(tmp_path, config=config, **files)
    return [problem.replace(f"{tmp_path}/", "") for problem in caught.value.problems]


def test_criteria_are_read_from_files_beside_the_configuration(tmp_path: Path) -> None:
    judge = load_with(tmp_path, tone=TONE, other=TONE.replace("tone", "other").replace("1..5", "[0, 10]"))
    assert [(one.name, one.scale, one.needs) for one in judge.criteria] == [
        ("tone", (1, 5), ("question", "answer")),
        ("other", (0, 10), ("question", "answer")),
    ]
    assert evaluations_of(judge) == ("faithfulness", "criteria.tone", "criteria.other")


def test_every_problem_of_every_file_is_told_at_once_with_its_path(tmp_path: Path) -> None:
    problems = problems_of(
        tmp_path,
        tone="name: Tone!\ncriteria: ' '\nstep: [a]\nscale: 5..1\nneeds: [passages]\nlanguages: [english]\n",
        other="name: other\n  criteria: x\n",
    )
    told = "\n".join(problems)
    for place in ("name", "criteria", "steps", "step", "scale", "needs[0]", "languages[0]"):
        assert f"tone.yaml: {place}: " in told
    assert "unknown key; did you mean `steps`?" in told
    assert "other.yaml: line 2 is not YAML" in told


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("scale: 5..1", "scale: 5 to 1 is no scale; write the lowest, then the highest, at most 100 apart"),
        ("needs: [answer, answer]", "needs: each one once"),
        ("languages: [zh, en, zh]", "languages: each one once"),
    ],
)
def test_what_is_wrong_is_told_with_its_key_alone_and_beside_other_problems(
    tmp_path: Path, wrong: str, told: str
) -> None:
    alone = TONE.replace("scale: 1..5", wrong)
    beside = alone.replace("steps: [Read it., Score it.]", "steps: []").replace("tone", "Tone!")
    for tone, number in ((alone, 1), (beside, 3)):
        problems = problems_of(tmp_path, tone=tone, other=TONE.replace("tone", "other"))
        assert len(problems) == number
        assert f"tone.yaml: {told}" in problems


@pytest.mark.parametrize("scale", ["5..1", "1..1", "0..101", "1-5", "[1]", "[1, 2, 3]", "[1.5, 3]", "[true, 3]", "3"])
def test_what_is_no_scale_is_refused(tmp_path: Path, scale: str) -> None:
    problems = problems_of(tmp_path, tone=TONE.replace("1..5", scale), other=TONE.replace("tone", "other"))
    assert len(problems) >= 1
    assert all(problem.startswith("tone.yaml: ") for problem in problems)


@pytest.mark.parametrize("scale", ["[1:30, 2:00]", "[01, 010]", "[1.0e+23, 2.0e+23]", f"[1{'0' * 23}, 1{'0' * 22}1]"])
def test_a_scale_in_numbers_that_nobody_means_is_refused(tmp_path: Path, scale: str) -> None:
    problems = problems_of(tmp_path, tone=TONE.replace("1..5", scale), other=TONE.replace("tone", "other"))
    assert all("tone.yaml: " in problem for problem in problems)


@pytest.mark.parametrize("text", ["\u200b", " ", "\u2060 …", "***"])
def test_a_criterion_without_a_word_is_refused(tmp_path: Path, text: str) -> None:
    tone = TONE.replace("Polite.", f'"{text}"').replace("Read it.", f'"{text}"')
    assert problems_of(tmp_path, tone=tone, other=TONE.replace("tone", "other")) == [
        "tone.yaml: criteria: holds no letter and no digit; write it in words",
        "tone.yaml: steps[0]: holds no letter and no digit; write it in words",
    ]


def test_a_key_that_stands_twice_in_a_file_of_criteria_is_told(tmp_path: Path) -> None:
    assert problems_of(tmp_path, tone=f"{TONE}name: other\n", other=TONE.replace("tone", "other")) == [
        "judges[0].criteria_files: tone.yaml: line 5: the key `name` stands twice; join the two"
    ]


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    assert problems_of(tmp_path, tone=TONE) == [
        "judges[0].criteria_files: other.yaml: cannot be read (No such file or directory)"
    ]


def test_a_criterion_twice_is_named(tmp_path: Path) -> None:
    problems = problems_of(tmp_path, tone=TONE, other=TONE)
    assert problems == ["judges[0]: 'criteria.tone' is judged twice; give each evaluation and criterion once"]


def test_a_judge_that_judges_nothing_is_named(tmp_path: Path) -> None:
    config = "judges: [{type: llm, base_url: 'https://judge.example/v1', model: m, evaluations: []}]\n"
    assert problems_of(tmp_path, config=config) == ["judges[0].evaluations: name at least one, or give criteria"]


def test_criteria_may_stand_in_the_configuration_itself(tmp_path: Path) -> None:
    config = JUDGE.replace("criteria_files: [tone.yaml, other.yaml]", "criteria: [{name: a, criteria: c, steps: [s]}]")
    assert load_with(tmp_path, config=config).criteria == (Criterion(name="a", criteria="c", steps=("s",)),)


INLINE = "as {name: ..., criteria: ..., steps: [...]}"


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (
            "criteria: [tone.yaml, more/other.yml]",
            (
                "criteria: names files: write `criteria_files: [tone.yaml, more/other.yml]`; "
                f"`criteria` holds criteria, {INLINE}"
            ),
        ),
        (
            "criteria: tone.yaml",
            f"criteria: names files: write `criteria_files: [tone.yaml]`; `criteria` holds criteria, {INLINE}",
        ),
        (
            "criteria: [be polite]",
            (
                f"criteria: holds text: a criterion is written {INLINE}, "
                "or in a file of its own that `criteria_files` names"
            ),
        ),
        *(
            (
                f"criteria_files: {given}",
                f"criteria_files: holds criteria: write them under `criteria`, {INLINE}; `criteria_files` names files",
            )
            for given in (
                "[{name: a, criteria: c, steps: [s]}]",
                "{name: a, criteria: c, steps: [s]}",
                "[tone.yaml, {name: a, criteria: c, steps: [s]}]",
            )
        ),
    ],
)
def test_a_file_in_the_place_of_criteria_and_the_reverse_are_told_once_and_where_they_belong(
    tmp_path: Path, option: str, told: str
) -> None:
    config = JUDGE.replace("criteria_files: [tone.yaml, other.yaml]", option)
    assert problems_of(tmp_path, config=config, tone=TONE) == [f"ragmon.yaml: judges[0].{told}"]


def test_a_file_with_several_criteria_is_told_to_hold_one(tmp_path: Path) -> None:
    wrapped = "criteria:\n- {name: tone, criteria: c, steps: [s]}\n"
    problems = problems_of(tmp_path, tone=wrapped, other=TONE)
    told = f"holds criteria where the text of one belongs; write each in a file of its own, {INLINE}"
    assert problems == [f"tone.yaml: the file: {told}"]
