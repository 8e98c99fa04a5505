"""`check-config` says who is asked what, what limits are worth, and what nobody judges."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from monitor.building_judges import build_panel
from monitor.clock import SystemClock
from monitor.config.settings import Settings
from monitor.errors import ConfigError
from monitor.offline.check_config import check, describe

LLM: dict[str, object] = {"type": "llm", "name": "gpt", "model": "m", "base_url": "https://j.example/v1"}
PRICED: dict[str, object] = LLM | {"prices": {"m": {"input": 1, "output": 2}}}
TONE = {"name": "tone", "criteria": "Friendly.", "steps": ["Read it."], "scale": "1..5"}
LOCAL = ({"type": "embedded"}, {"type": "scanner"})


def said(what: str, *judges: Mapping[str, object]) -> list[str]:
    lines = describe(Settings.model_validate({"judges": judges}))
    return [line.removeprefix(f"{what:8}") for line in lines if line.startswith(f"{what:8}")]


def test_every_llm_judge_has_a_line_of_what_it_is_asked_and_how_often() -> None:
    wide = LLM | {"evaluations": ["faithfulness", "completeness", "correctness"], "criteria": [TONE], "rate": "1/10"}
    beside = LLM | {"name": "next", "shadow_of": "gpt"}
    assert said("asks", *LOCAL, wide, beside) == [
        "gpt: faithfulness, completeness, correctness, criteria.tone; 2 calls a request, 1/10 of the sampled requests",
        "next: faithfulness; 1 call a request, 1/10 of the sampled requests",
    ]
    assert not said("asks", *LOCAL)


def test_every_golden_file_has_a_line_of_how_many_questions_were_read(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text(
        '{"question": "A", "wordings": ["B", "C"], "reference": "1", "note": 1}\n{"question": "D", "reference": "2"}\n'
    )
    golden = {"golden": str(file)}
    judges = ({"type": "reference", "evaluations": ["mrr"]} | golden, LLM | {"evaluations": ["correctness"]} | golden)
    assert said("golden", *LOCAL, *judges) == [f"2 questions in 4 wordings of {file} (reference, gpt); not read: note"]
    assert not said("golden", *LOCAL)


def test_golden_entries_that_contradict_each_other_are_told_with_both_lines(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text(
        '{"question": "Is it free?", "reference": "Yes"}\n\n{"question": "is it free", "reference": "No"}\n'
    )
    with pytest.raises(ConfigError) as raised:
        said("golden", {"type": "reference", "golden": str(file), "evaluations": ["mrr"]})
    (problem,) = raised.value.problems
    assert problem.startswith(f"judges[0].golden: {file}:3: asks the question of line 1 and says something else")


def test_a_limit_says_about_how_many_calls_it_is_worth() -> None:
    (money,) = said("limits", PRICED | {"cost_per_day": 0.2})
    assert money.startswith("gpt: cost_per_day 0.2, about ")
    assert " calls a day in the long run (70% of it; " in money
    (calls,) = said("limits", LLM | {"requests_per_minute": 300, "evaluations": ["faithfulness", "correctness"]})
    assert "about 210 calls a minute" in calls


def test_twice_the_money_is_worth_twice_the_calls() -> None:
    def calls(cap: float) -> int:
        (line,) = said("limits", PRICED | {"cost_per_day": cap})
        return int(line.split("about ")[1].split(" ")[0])

    assert calls(20) == pytest.approx(2 * calls(10), rel=0.1)


def test_a_limit_that_is_enough_for_a_call_but_for_no_request_of_usual_size_is_told() -> None:
    (line,) = said("limits", PRICED | {"cost_per_hour": 0.005})
    assert "not enough for one request" in line


def test_a_limit_of_free_calls_is_no_limit() -> None:
    (line,) = said("limits", LLM | {"prices": {"m": {"input": 0, "output": 0}}, "cost_per_day": 1})
    assert line == "gpt: cost_per_day 1, and its calls use nothing of it"


@pytest.mark.parametrize("limit", [{"cost_per_day": 0.0001}, {"cost_per_hour": 0.001}, {"tokens_per_minute": 1000}])
def test_a_limit_under_which_not_one_call_fits_is_refused(limit: dict[str, float]) -> None:
    settings = Settings.model_validate({"judges": [PRICED | limit]})
    with pytest.raises(ConfigError) as refused:
        build_panel(settings, SystemClock())
    (problem,) = refused.value.problems
    (name,) = limit
    assert problem.startswith(f"judges[0].{name}: not one call fits into {limit[name]:g}; the smallest may use ")
    wide = Settings.model_validate({"judges": [PRICED | limit | {name: 1e6}]})
    asyncio.run(build_panel(wide, SystemClock()).close())


def test_evaluations_of_the_default_panel_that_nobody_gives_are_named() -> None:
    assert not said("warns", *LOCAL, LLM)
    (line,) = said("warns", LLM)
    assert line.startswith("not judged: safety.")
    assert line.endswith(" (in the default panel)")
    assert "faithfulness" not in line
    shadowed = ({"type": "scanner"}, LLM | {"evaluations": ["completeness"]}, {"type": "embedded", "shadow_of": "gpt"})
    assert said("warns", *shadowed) == ["not judged: faithfulness (in the default panel)"]


def test_what_is_wrong_with_several_parts_is_told_at_once_with_the_secrets_that_are_missing(tmp_path: Path) -> None:
    settings = Settings.model_validate(
        {
            "judges": [LLM | {"base_url": "ftp://j", "api_key": {"env": "NO_SUCH_KEY"}}],
            "calibration_files": [tmp_path / "none.yaml"],
            "promotions": tmp_path,
            "anchors": tmp_path / "none.jsonl",
        }
    )
    with pytest.raises(ConfigError) as caught:
        check(settings)
    told = "\n".join(caught.value.problems)
    assert len(caught.value.problems) == len(set(caught.value.problems)) == 5
    assert all(word in told for word in ("NO_SUCH_KEY", "base_url", "none.yaml", str(tmp_path), "none.jsonl"))


def test_a_judge_that_may_take_longer_than_the_request_is_told() -> None:
    slow, quick = LLM | {"total_timeout": "2m"}, LLM | {"name": "quick", "total_timeout": "1m"}
    assert said("warns", *LOCAL, slow, quick) == [
        "gpt: its total_timeout is 2m, but judging.deadline ends its calls after 1m"
    ]
