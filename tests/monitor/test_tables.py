"""Rules of the tables: every number with its uncertainty, and room for all of it in 80 columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from monitor import tables
from monitor.records import Outcome
from monitor.snapshot import Estimate, OutcomeCount, SliceKey, StageCount, WindowStats
from tests.exporters.samples import snapshot, window
from tests.monitor.quality.verdicts import SAMPLE


def shown(what: RenderableType, width: int = 80) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


def test_below_the_floor_stands_a_dot_and_no_number() -> None:
    assert tables.estimate(None) == "·"
    empty = replace(window(), mean=None, es10=None, p05=None, bounds=None, missing_ratio=None)
    (row,) = [line for line in shown(tables.scores([empty])).splitlines() if "faithfulness" in line]
    assert row.split() == ["faithfulness", str(empty.n), *"·····"]


@pytest.mark.parametrize("width", [80, 100])
def test_it_is_told_where_verdicts_are_enough_by_number_and_not_by_weight(width: int) -> None:
    few = replace(window(n=61), n_equal=29.98, mean=None, p05=None)
    light = replace(few, evaluation="safety.pii")
    enough = replace(window(n=61), evaluation="safety.fraud")
    text = " ".join(shown(tables.scores([few, light, enough, replace(window(n=29), n_equal=7.0)]), width).split())
    assert text.endswith(
        "faithfulness, safety.pii: 61 verdicts, some of which stand for many requests and others for few. "
        "They tell as much as 29.9 of equal weight, and those count for ·."
    )
    assert "of equal weight" not in shown(tables.scores([enough]), width)
    app = replace(few, slice=SliceKey("app", "[bold]shop"))
    assert "[bold]shop: 61 verdicts" in shown(tables.scores([app], by_slice=True), width)


def test_the_widest_numbers_fit_into_80_columns() -> None:
    one = Estimate(1.0, 1.0, 1.0)
    wide = replace(
        window(), evaluation="safety.injection", n=99999, mean=one, es10=one, p05=one, bounds=one, missing_ratio=1.0
    )
    text = shown(tables.scores([wide]))
    assert "…" not in text
    (row,) = [line for line in text.splitlines() if "safety" in line]
    assert row.split().count("1.00]") == 2
    assert "99999" in row
    assert "100%" in row


def test_the_judge_is_named_where_several_judge_the_same_and_no_name_is_cut() -> None:
    long = "answer.has.all.the.facts.of.the.manual"
    two = [replace(window(), evaluation=long, judge=name, fingerprint=name * 3) for name in ("gpt", "claude-verifier")]
    assert "judge" not in shown(tables.scores(two[:1]))
    text = shown(tables.scores(two), width=120)
    assert [line.split()[:2] for line in text.splitlines() if long in line] == [
        [long, "gpt"],
        [long, "claude-verifier"],
    ]
    narrow = shown(tables.scores(two))
    assert "…" not in narrow
    assert max(map(len, narrow.splitlines())) <= 80
    failed = [replace(one, outcomes=(OutcomeCount(Outcome.JUDGE_ERROR, "connect", 3, 3),)) for one in two]
    assert "claude-verifier" in shown(tables.outcomes(failed))


def test_names_of_usual_length_stay_whole_in_80_columns_where_two_judge_the_same() -> None:
    most = Estimate(0.98, 0.95, 0.99)
    full = replace(window(), n=64, mean=most, es10=most, p05=most, missing_ratio=0.1)
    two = [replace(full, judge=name, fingerprint=name * 3) for name in ("gpt", "embedded")]
    rows = [line.split()[:2] for line in shown(tables.scores(two)).splitlines() if "[" in line]
    assert rows == [["faithfulness", "gpt"], ["faithfulness", "embedded"]]


def test_a_bad_request_is_told_with_its_judge_where_two_judge_the_same() -> None:
    two = [replace(SAMPLE, judge=name) for name in ("gpt", "embedded")]
    assert "embedded" in shown(tables.worst(two))
    assert "gpt" not in shown(tables.worst(two[:1]))


def test_a_judge_is_told_with_what_it_judges() -> None:
    text = shown(tables.judges([window(), replace(window(), evaluation="safety.pii")]))
    assert f"{window().fingerprint}, faithfulness, safety.pii: not calibrated" in " ".join(text.split())


@pytest.mark.parametrize("width", range(76, 121))
def test_no_word_of_why_a_request_is_bad_is_lost(width: int) -> None:
    why = "a relevant passage stands first; claim 1 of 1 has a support of 0.00 by the passages that the model was given"
    bad = replace(
        SAMPLE, score=0.0, trace_id="0af7651916cd43dd8448eb211c80319c", cause="generation", cause_evidence=why
    )
    lines = shown(tables.worst([bad]), width).splitlines()
    at = next(line.index("cause") for line in lines if "cause" in line)
    assert (
        "".join(line[at:].strip() for line in lines[2:])
        .replace("─", "")
        .replace(" ", "")
        .endswith(why.replace(" ", ""))
    )
    assert bad.trace_id in "".join(lines)


def test_what_users_call_their_slices_is_no_markup() -> None:
    named = replace(window(), slice=SliceKey("app", "[red]x[/]"))
    assert "[red]x[/]" in shown(tables.scores([named], by_slice=True))


def test_verdicts_without_a_score_stand_with_their_reason() -> None:
    counts = (OutcomeCount(Outcome.SCORED, "", 7, 7), OutcomeCount(Outcome.SKIPPED, "queue_full", 3, 30))
    text = shown(tables.outcomes([replace(window(), outcomes=counts)]))
    assert "queue_full" in text
    assert "scored" not in text


def test_the_funnel_shows_the_stages_that_saw_something_and_what_they_dropped() -> None:
    stages = [
        StageCount("source", "records", 9, 6, {"empty": 2, "unsampled": 0}, 1),
        StageCount("emit", "verdicts", 0, 0, {}, 0),
    ]
    text = shown(tables.funnel(stages))
    assert "source (records)" in text
    assert "2 empty" in text
    assert "unsampled" not in text
    assert "emit" not in text


def test_overall_is_the_longest_window_unless_a_length_is_given() -> None:
    sliced = replace(window(), window_s=3600, slice=SliceKey("app", "shop"))
    windows = (replace(window(), window_s=300), replace(window(), window_s=3600), sliced)
    made = replace(snapshot(), windows=windows)
    assert [item.window_s for item in tables.overall(made)] == [3600]
    assert [item.window_s for item in tables.overall(made, 300)] == [300]
    assert tables.overall(replace(made, windows=())) == []


@pytest.mark.parametrize("windows", [(), (window(),)])
def test_a_report_is_complete_with_and_without_verdicts(windows: tuple[WindowStats, ...]) -> None:
    text = shown(tables.report(replace(snapshot(), windows=windows)))
    assert "Accounts" in text
    assert ("not calibrated against people" in text) == bool(windows)
    assert max(map(len, text.splitlines())) <= 80


def test_a_report_tells_of_candidates_and_only_where_there_are_any() -> None:
    with_one = shown(tables.report(snapshot()))
    (row,) = [line for line in with_one.splitlines() if "beside embedded" in line]
    assert row.split() == ["faithfulness", "llm", "beside", "embedded", "200", "-0.10", "[-0.15", "-0.05]", "0.61"]
    assert "Candidates" not in shown(tables.report(replace(snapshot(), shadows=())))


def test_a_report_says_why_a_candidate_gave_no_score() -> None:
    (one,) = snapshot().shadows
    dead = replace(one, candidate=replace(one.candidate, unscored={"judge_error{connect}": 5}))
    text = shown(tables.report(replace(snapshot(), shadows=(dead,))))
    assert "faithfulness by llm, without a score: 5 judge_error{connect}" in text
    assert "without a score: " not in shown(tables.report(snapshot()))
