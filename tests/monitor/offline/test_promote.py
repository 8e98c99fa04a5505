"""`ragmon judge promote` as a user has it: refused without a comparison that is good enough."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from monitor.building_judges import build_panel
from monitor.config.loading import load
from monitor.offline.compare import configured_prints, rivals_of
from monitor.promotion import VERSION, Report, encode_report, load_promotions, unrecorded
from monitor.quality.comparison import Given, Pair, compare
from monitor.records import Outcome
from tests.fakes import FakeClock
from tests.monitor.offline.judging import config_file
from tests.monitor.terminal import Ended, ragmon

URL = "https://judge.example/v1"


def given(judge: str, fingerprint: str, score: float) -> Given:
    return Given(judge, fingerprint, calibrated=False, outcome=Outcome.SCORED, score=score, label="")


def report_of(config: Path, pairs: int = 100) -> Report:
    """What a comparison of both judges as they are configured would hold."""
    settings = load(config)
    prints = configured_prints(rivals_of("candidate", None, settings), settings)["faithfulness"]
    scores = [(0.5, 0.25 if number % 2 else 0.5) for number in range(pairs)]
    judged = [Pair(given("embedded", prints.incumbent, a), given("candidate", prints.candidate, b)) for a, b in scores]
    made = compare("faithfulness", judged)
    return Report(VERSION, "2026-11-29T10:00:00+00:00", "rows", "embedded", "candidate", {"faithfulness": prints}, made)


def promote(config: Path, report: Report | None, *more: str) -> Ended:
    file = config.parent / "comparison.json"
    if report is not None:
        file.write_bytes(encode_report(report))
    named = ("--comparison", str(file)) if report else ()
    return ragmon("judge", "promote", "candidate", "-c", config, *named, *more)


def recorded(config: Path) -> list[dict[str, Any]]:
    file = config.parent / "promotions.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return config_file(tmp_path, URL)


def test_a_compared_candidate_is_promoted_recorded_and_the_lines_to_change_are_printed(config: Path) -> None:
    report = report_of(config)
    ended = promote(config, report)
    assert (ended.code, ended.err) == (0, "")
    (line,) = recorded(config)
    prints = report.configured["faithfulness"]
    assert (line["incumbent"], line["candidate"], line["forced"], line["objections"]) == (
        "embedded",
        "candidate",
        False,
        [],
    )
    (one,) = line["replaced"]
    assert (one["incumbent"], one["candidate"], one["pairs"]) == (*prints, 100)
    assert one["difference"]["value"] == pytest.approx(-0.125)
    assert "the mean changes by -0.125 [" in ended.out


def test_the_printed_yaml_is_a_configuration_in_which_only_the_candidate_counts(config: Path) -> None:
    before = config.read_text()
    ended = promote(config, report_of(config))
    assert config.read_text() == before
    changed = ended.out.partition("change in ")[2].partition("\n\n")[2]
    config.write_text(changed)
    (judge,) = load(config).judges
    assert (judge.name, judge.shadow_of) == ("candidate", None)
    assert load(config).promotions == config.parent / "promotions.jsonl"
    assert yaml.safe_load(changed)["promotions"] == "promotions.jsonl"


def test_a_process_that_starts_with_the_promoted_judge_knows_its_promotion(config: Path) -> None:
    report = report_of(config)
    (found,) = report.comparisons
    named = replace(found, candidate=replace(found.candidate, fingerprint="a" * 12))  # as the server names its model
    ended = promote(config, replace(report, comparisons=(named,)))
    config.write_text(ended.out.partition("\n\n")[2])
    settings = load(config)
    panel = build_panel(settings, FakeClock())
    asyncio.run(panel.close())
    promotions = load_promotions(settings.promotions)
    assert [one.candidate for promotion in promotions for one in promotion.replaced] == ["a" * 12]
    assert unrecorded({("faithfulness", "embedded")}, panel.asked(), promotions) == []
    assert len(unrecorded({("faithfulness", "embedded")}, panel.asked(), ())) == 1


def test_other_candidates_then_run_beside_the_new_judge(tmp_path: Path) -> None:
    other = f"- {{type: llm, name: third, model: m-3, base_url: '{URL}', shadow_of: embedded}}\n"
    config = config_file(tmp_path, URL, other)
    ended = promote(config, report_of(config))
    config.write_text(ended.out.partition("\n\n")[2])
    assert [(judge.name, judge.shadow_of) for judge in load(config).judges] == [
        ("candidate", None),
        ("third", "candidate"),
    ]


def refused(config: Path, report: Report | None) -> list[str]:
    ended = promote(config, report)
    assert (ended.code, ended.out, recorded(config)) == (2, "", [])
    assert ended.told[-1] == "not promoted; --force promotes all the same, and is recorded"
    return ended.told[:-1]


def test_without_a_comparison_it_is_refused_and_how_to_make_one_is_told(config: Path) -> None:
    (told,) = refused(config, None)
    assert told.startswith("candidate was not compared with embedded: give --comparison FILE, made by `ragmon judge")


def test_with_fewer_than_100_pairs_it_is_refused(config: Path) -> None:
    (told,) = refused(config, report_of(config, 99))
    assert told.endswith("faithfulness: both judges scored 99 requests, and 100 are needed")


def test_a_comparison_of_other_judges_does_not_count(config: Path) -> None:
    (told,) = refused(config, replace(report_of(config), candidate="x"))
    assert told.endswith("it compares x with embedded, not candidate with embedded")


def test_a_comparison_of_a_judge_that_has_changed_since_does_not_count(config: Path, tmp_path: Path) -> None:
    report = report_of(config)
    config_file(tmp_path, URL, candidate="temperature: 0.5")
    (told,) = refused(config, report)
    assert "faithfulness: candidate changed since (another model, prompt, parameter or version)" in told


def test_every_evaluation_of_the_incumbent_has_to_be_compared(tmp_path: Path) -> None:
    config = config_file(tmp_path, URL, candidate="evaluations: [faithfulness, completeness]")
    evaluations = "[faithfulness, completeness, answer_relevance]"
    incumbent = f"- {{type: llm, name: embedded, model: m, base_url: '{URL}', evaluations: {evaluations}}}"
    config.write_text(config.read_text().replace("- type: embedded", incumbent))
    told = refused(config, report_of(config))
    assert told[0] == "candidate does not give answer_relevance, which embedded gives"
    assert told[1].endswith("it says nothing of completeness")


def warnings(ended: Ended) -> list[str]:
    return [line.removeprefix("warning: ") for line in ended.out.splitlines() if line.startswith("warning: ")]


def test_a_candidate_that_would_see_fewer_requests_than_its_incumbent_did_is_warned_of(tmp_path: Path) -> None:
    config = config_file(tmp_path, URL, candidate="rate: 1/10")
    (told,) = warnings(promote(config, report_of(config)))
    assert told.startswith(
        "candidate keeps its rate: it judges 1/10 of the sampled requests, of which embedded judged all;"
    )
    whole = config_file(tmp_path, URL)
    assert not warnings(promote(whole, report_of(whole)))


def test_a_cascade_after_the_judge_that_goes_is_warned_of(config: Path) -> None:
    other = f"- {{type: llm, name: other, model: m, base_url: '{URL}', cascade: {{after: embedded}}}}"
    text = config.read_text().replace("judges:\n", "judges:\n" + other + "\n", 1)
    assert other in text
    config.write_text(text)
    (told,) = warnings(promote(config, report_of(config)))
    assert told == "other: cascade.after names embedded, which goes; name another local judge, or leave it out"


def test_a_cascade_that_goes_with_its_judge_is_warned_of(tmp_path: Path) -> None:
    config = config_file(tmp_path, URL)
    cheap = "- {type: embedded, name: cheap}\n"
    dear = f"- {{type: llm, name: embedded, model: m, base_url: '{URL}', cascade: {{after: cheap}}}}"
    config.write_text(config.read_text().replace("- type: embedded", cheap + dear))
    (told,) = warnings(promote(config, report_of(config)))
    assert told == "the cascade of embedded goes with it: give candidate one where it is wanted"


def test_force_promotes_and_what_spoke_against_it_is_recorded(config: Path) -> None:
    ended = promote(config, report_of(config, 40), "--force")
    assert ended.code == 0
    (line,) = recorded(config)
    assert line["forced"]
    assert "both judges scored 40 requests, and 100 are needed" in line["objections"][0]
    assert f"in spite of: {line['objections'][0]}" in ended.out
    bare = promote(config, None, "--force")
    assert (bare.code, len(recorded(config))) == (0, 2)
    assert "never compared" in bare.out


def test_force_without_need_is_not_recorded_as_forced(config: Path) -> None:
    promote(config, report_of(config), "--force")
    assert not recorded(config)[0]["forced"]


def test_a_configured_promotions_file_is_added_to(tmp_path: Path) -> None:
    config = config_file(tmp_path, URL, "promotions: log/p.jsonl\n")
    (tmp_path / "log").mkdir()
    ended = promote(config, report_of(config))
    assert "promotions:" not in ended.out
    assert len(load_promotions(tmp_path / "log" / "p.jsonl")) == 1


@pytest.mark.parametrize("content", [b"", b"{}", b'{"version": 99}', b"\xff"])
def test_a_damaged_comparison_is_told(config: Path, content: bytes) -> None:
    file = config.parent / "comparison.json"
    file.write_bytes(content)
    ended = ragmon("judge", "promote", "candidate", "-c", config, "--comparison", file)
    assert (ended.code, ended.told[0].startswith(f"{file}: ")) == (2, True)
