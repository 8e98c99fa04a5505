from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from exporters.catalog import CATALOG
from exporters.metric import Kind
from exporters.prometheus import render, wants_openmetrics
from monitor.cause import Cause
from monitor.config.settings import Settings
from monitor.operational import Asked, BreakerState, JudgeLoad
from monitor.snapshot import OTHER, Estimate, SliceKey, Snapshot, StageCount
from tests.exporters.pages import page, parse_openmetrics, registry, values
from tests.exporters.samples import ALL, JUDGE, NOW_NS, SECOND, low_case, operational, snapshot, totals, window


def test_a_page_shows_every_metric_of_the_catalog_and_nothing_else() -> None:
    seen = {sample.name for sample in page(snapshot())}
    assert seen == {name for metric in CATALOG for name in metric.series}


def test_every_series_carries_exactly_the_labels_of_the_catalog() -> None:
    declared = {
        name: {*metric.labels, *({"le"} if name.endswith("_bucket") else ())}
        for metric in CATALOG
        for name in metric.series
    }
    for sample in page(snapshot()):
        assert set(sample.labels) == declared[sample.name]


def test_the_histogram_is_weighted_integer_and_named_by_the_client_formatter() -> None:
    body = render(registry(snapshot()), as_openmetrics=False).body.decode()
    lines = [line for line in body.splitlines() if line.startswith("ragmon_score_bucket")]
    found = {line.split('le="')[1].split('"')[0]: line.rsplit(" ", 1)[1] for line in lines}
    assert found == {
        "0.0": "10.0",
        "0.25": "10.0",
        "0.499": "10.0",
        "0.5": "10.0",
        "0.75": "10.0",
        "0.999": "10.0",
        "1.0": "30.0",
        "+Inf": "30.0",
    }
    assert values(page(snapshot()), "ragmon_score_count", dimension="all") == [30]
    assert values(page(snapshot()), "ragmon_score_sum", dimension="all") == [20]


def test_window_numbers_come_with_their_interval() -> None:
    samples = page(snapshot())
    assert values(samples, "ragmon_score_mean", window="5m") == [0.9]
    assert values(samples, "ragmon_score_mean_lower", window="5m") == [0.85]
    assert values(samples, "ragmon_score_mean_upper", window="5m") == [0.94]
    assert values(samples, "ragmon_score_below_half_upper_ratio", window="5m") == [0.1]
    assert values(samples, "ragmon_score_bound_lower", window="5m") == [0.8]
    assert values(samples, "ragmon_score_quantile", q="0.05") == [0.0]


def test_a_judge_says_whether_it_is_calibrated_why_not_and_how_often_it_is_right() -> None:
    samples = page(snapshot())
    who = {"evaluation": "faithfulness", "judge": JUDGE.name, "fingerprint": JUDGE.fingerprint}
    assert values(samples, "ragmon_judge_calibrated", **who, reason="low_correlation") == [0]
    assert values(samples, "ragmon_judge_labels", **who) == [200]
    assert values(samples, "ragmon_judge_sensitivity_ratio", **who, rule="below_half") == [0.8]
    assert values(samples, "ragmon_judge_specificity_lower_ratio", **who, rule="below_half") == [0.7]
    assert values(samples, "ragmon_score_below_half_corrected_upper_ratio", window="5m") == [0.08]
    yes = Asked("faithfulness", replace(JUDGE, calibrated=True), "", 200)
    samples = page(snapshot(), replace(operational(), asked=(yes, Asked("safety.pii", JUDGE))))
    assert values(samples, "ragmon_judge_calibrated", evaluation="faithfulness", reason="") == [1]
    assert values(samples, "ragmon_judge_calibrated", evaluation="safety.pii", reason="no_labels") == [0]


def test_a_judge_says_what_it_may_spend_what_that_does_to_its_rate_and_why_it_is_paused() -> None:
    samples = page(snapshot())
    limit = {"judge": "llm", "limit": "cost_per_day"}
    assert values(samples, "ragmon_judge_allowance", **limit) == [20.0]
    assert values(samples, "ragmon_judge_allowance_used", **limit) == [12.5]
    assert values(samples, "ragmon_judge_slowdown") == [2.5]  # none of a judge without limits
    assert values(samples, "ragmon_judge_paused") == values(samples, "ragmon_judge_paused", reason="quota") == [1]
    assert values(samples, "ragmon_judge_tokens_cached_total", judge="llm") == [3000]
    assert values(samples, "ragmon_judge_reused_total", judge="llm") == [4]
    well = replace(operational(), judges=(JudgeLoad("llm", breaker=BreakerState.CLOSED),))
    assert values(page(snapshot(), well), "ragmon_judge_paused") == []


def test_every_quality_number_of_a_judge_says_whether_it_is_calibrated() -> None:
    for metric in CATALOG:
        if {"evaluation", "dimension"} <= set(metric.labels):
            assert {"judge", "fingerprint", "calibrated"} <= set(metric.labels), metric.name


def test_below_its_floor_a_number_is_absent_but_the_count_that_explains_it_is_there() -> None:
    few = replace(window(mean=None, n=4), es10=None, p05=None, p10=None, bounds=None)
    few = replace(few, below_half=None, below_half_corrected=None)
    samples = page(snapshot((few,)))
    assert values(samples, "ragmon_window_verdicts") == [4]
    assert not [s for s in samples if re.match(r"ragmon_score_(mean|es10|quantile|below|bound)", s.name)]


def test_p01_appears_when_there_are_enough_cases() -> None:
    assert values(page(snapshot()), "ragmon_score_quantile", q="0.01") == []
    enough = snapshot((window(p01=Estimate(0.25, 0.0, 0.5)),))
    assert values(page(enough), "ragmon_score_quantile_lower", q="0.01") == [0.0]


def test_windows_are_absent_until_the_history_has_been_read() -> None:
    samples = page(snapshot(caught_up=False))
    assert values(samples, "ragmon_board_caught_up") == [0]
    assert not [s for s in samples if s.name.startswith(("ragmon_window_", "ragmon_score_mean", "ragmon_last_scored"))]
    assert values(samples, "ragmon_score_count", dimension="all") == [30]


def test_a_process_without_a_board_does_not_say_that_the_board_has_caught_up() -> None:
    judge = replace(snapshot((), ()), shows_quality=False)
    assert values(page(judge), "ragmon_board_caught_up") == []


def test_counters_that_alerts_need_exist_before_the_first_verdict() -> None:
    samples = page(snapshot((), ()))
    assert values(samples, "ragmon_score_count", evaluation="faithfulness", dimension="all") == [0]
    assert values(samples, "ragmon_verdicts_total", evaluation="faithfulness", outcome="scored") == [0]
    assert values(samples, "ragmon_stage_dropped_total", stage="decode", reason="dead_letter") == [0]


def test_a_judge_that_never_scored_is_as_old_as_the_process() -> None:
    samples = page(snapshot((window(last_end_ns=None),), ()))
    assert values(samples, "ragmon_last_scored_timestamp_seconds") == [(NOW_NS - 3600 * SECOND) / SECOND]


def test_the_time_of_the_last_score_says_whether_the_judge_was_calibrated() -> None:
    for calibrated in ("true", "false"):
        shown = page(snapshot((replace(window(), calibrated=calibrated == "true"),), ()))
        assert len(values(shown, "ragmon_last_scored_timestamp_seconds", calibrated=calibrated)) == 1
        assert len(values(shown, "ragmon_last_scored_timestamp_seconds")) == 1


def test_a_judge_that_is_no_longer_asked_does_not_look_dead() -> None:
    state = replace(operational(), asked=(Asked("safety.pii", JUDGE),))
    samples = page(snapshot(), state)
    assert [s.labels["evaluation"] for s in samples if s.name.startswith("ragmon_last_scored")] == ["safety.pii"]


def test_as_many_apps_as_have_a_slice_fit_the_page_as_it_ships() -> None:
    shipped, evaluations = (
        Settings(),
        [f"evaluation {number}" for number in range(6)],
    )  # as many as the judges that ship
    apps = [SliceKey("app", f"app {number}") for number in range(shipped.board.slice_values)]
    slices = [ALL, *apps, *(SliceKey("language", language) for language in ("en", "zh", "de", OTHER))]
    windows = [
        replace(window(where, round(length)), evaluation=evaluation)
        for evaluation in evaluations
        for where in slices
        for length in shipped.board.windows
    ]
    judged = [totals(where, evaluation=evaluation) for evaluation in evaluations for where in slices]
    samples = page(snapshot(tuple(windows), tuple(judged)), max_series=shipped.web.max_series)
    assert values(samples, "ragmon_series_dropped_total", reason="cap") == [0]
    assert len(values(samples, "ragmon_score_mean", dimension="app")) == len(apps) * 6 * 4
    assert len(samples) <= shipped.web.max_series


def test_accounts_that_do_not_add_up_are_counted() -> None:
    assert values(page(snapshot()), "ragmon_conservation_problems") == [0]
    wrong = replace(snapshot(), stages=(StageCount("decode", "records", 5, 3, {"dead_letter": 1}, 0),))
    state = replace(operational(), conservation=("judge: ...",))
    assert values(page(wrong, state), "ragmon_conservation_problems") == [2]


def test_lag_is_summed_over_the_partitions_of_a_topic() -> None:
    assert values(page(snapshot()), "ragmon_source_lag", topic="otlp_spans") == [12]


def test_a_rate_that_is_off_is_zero() -> None:
    samples = page(snapshot())
    assert values(samples, "ragmon_sampling_rate_ratio", policy="base") == [0.01]
    assert values(samples, "ragmon_sampling_rate_ratio", policy="error") == [0]


def test_the_same_snapshot_gives_the_same_page() -> None:
    one = registry(snapshot())
    other = registry(replace(snapshot(), windows=snapshot().windows[::-1]))
    ours = [line for line in render(one, as_openmetrics=True).body.splitlines() if b"ragmon_" in line]
    assert ours == [line for line in render(other, as_openmetrics=True).body.splitlines() if b"ragmon_" in line]


# ---------------------------------------------------------------------------------------------------------- exemplars


def exemplars(shown: Snapshot) -> dict[str, Mapping[str, str]]:
    return {s.labels["le"]: s.exemplar.labels for s in page(shown) if s.exemplar is not None}


def test_low_scores_carry_the_newest_trace_id_of_their_bucket() -> None:
    cases = (
        low_case("c" * 32, 0.3, NOW_NS),
        low_case("a" * 32, 0.0, NOW_NS),
        low_case("b" * 32, 0.0, NOW_NS - 1),
        low_case("d" * 32, 0.5),
    )
    shown = snapshot((), (totals(exemplars=cases),))
    assert exemplars(shown) == {"0.0": {"trace_id": "a" * 32}, "0.499": {"trace_id": "c" * 32}}


def test_a_trace_id_that_cannot_be_shown_costs_the_exemplar_and_nothing_else() -> None:
    for hostile in ("x" * 129, "a\nb", "\udca0", "", 'quo"te\n'):
        shown = snapshot((), (totals(exemplars=(low_case(hostile),)),))
        assert exemplars(shown) == {}


def test_the_plain_format_has_no_exemplars() -> None:
    shown = snapshot((), (totals(exemplars=(low_case(),)),))
    assert b"trace_id" not in render(registry(shown), as_openmetrics=False).body
    assert b"trace_id" in render(registry(shown), as_openmetrics=True).body


# --------------------------------------------------------------------------------------------------------- negotiation


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", True),
        ("application/openmetrics-text", True),
        ("application/openmetrics-text; version=0.0.1", False),
        ("application/openmetrics-text;version=2.0.0", False),
        ("application/openmetrics-text;version=what", False),
        ("text/plain", False),
        ("", False),
        (",;,=;;version", False),
    ],
)
def test_the_format_follows_the_accept_header(accept: str, expected: bool) -> None:  # noqa: FBT001 - a table
    assert wants_openmetrics(accept) is expected


def test_every_kind_has_its_family() -> None:
    kinds: dict[str, str] = {}
    for family in parse_openmetrics(render(registry(snapshot()), as_openmetrics=True).body.decode()):
        kinds[family.name] = family.type
    assert {kinds[m.prometheus.removesuffix("_total")] for m in CATALOG if m.kind is Kind.COUNTER} == {"counter"}
    assert {kinds[m.prometheus] for m in CATALOG if m.kind is Kind.GAUGE} == {"gauge"}


def test_low_scores_are_shown_by_cause_and_each_cause_from_the_start() -> None:
    low = replace(totals(), causes={"retrieval": 15})
    shown = {s.labels["cause"]: s.value for s in page(snapshot((), (low,))) if s.name == "ragmon_low_scores_total"}
    assert shown == dict.fromkeys((cause.value for cause in Cause), 0.0) | {"retrieval": 15.0}


def test_a_finding_of_the_scanner_has_no_cause() -> None:
    samples = page(snapshot((), ()), replace(operational(), asked=(Asked("safety.pii", JUDGE),)))
    assert values(samples, "ragmon_low_scores_total") == []
