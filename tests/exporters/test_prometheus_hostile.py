"""Whatever stands in traces, the page is valid, bounded, in time, and loses no count."""

from __future__ import annotations

import json
import math
import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import REGISTRY, CollectorRegistry

from exporters.prometheus import SnapshotCollector, build_registry, render
from monitor.operational import SourceState
from monitor.snapshot import Estimate, ScoreTotals, SliceKey, Snapshot, StageCount
from tests.deploy.promtool import needs_promtool
from tests.exporters.pages import page, parse_openmetrics, registry, values
from tests.exporters.samples import GOOD, operational, snapshot, totals, window
from tests.growth import grows_linearly

CASES = Path(__file__).parents[1] / "data" / "field-cases.jsonl"


def test_a_page_is_valid_after_every_record_of_the_field_cases() -> None:
    """FC-025, and every other text of the bug log as a slice value."""
    values_ = [SliceKey(dimension, text) for dimension, text in _texts_of_field_cases()]
    assert SliceKey("model", "gpt\udca0x") in values_
    for key in values_:
        assert parse_openmetrics(render(registry(snapshot((), (totals(key),))), as_openmetrics=True).body.decode())
    everything = page(snapshot(tuple(window(k) for k in values_), tuple(totals(k) for k in values_)))
    assert {s.labels.get("value") for s in everything} >= {"gpt\ufffdx", 'line\ufffdbreak"quote\\'}


def _texts_of_field_cases() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []

    def walk(name: str, node: object) -> None:
        match node:
            case str():
                found.append((name, node))
            case dict():
                for key, value in node.items():
                    walk(key, value)
            case list():
                for value in node:
                    walk(name, value)
            case _:
                pass  # numbers and nulls

    for line in CASES.read_text().splitlines():
        walk("input", json.loads(line)["input"])
    return list(dict.fromkeys(found))


def _flood(count: int) -> Snapshot:
    keys = [SliceKey("tenant", f"t{n}\udca0\n\x00{'x' * (n % 300)}") for n in range(count)]
    return snapshot((window(), *map(window, keys)), (totals(), *map(totals, keys)))


def _rendered(count: int) -> Callable[[], bytes]:
    made = registry(_flood(count))
    return lambda: render(made, as_openmetrics=True).body


def test_a_flood_of_hostile_values_stays_below_the_cap_in_time_and_loses_no_count() -> None:
    families = parse_openmetrics(_rendered(40_000)().decode())
    samples = [s for family in families for s in family.samples]
    assert len(samples) <= 5000
    assert sum(s.value for s in samples if s.name == "ragmon_score_count") == 30 * 40_001
    assert values(samples, "ragmon_label_overflow_total", label="value")[0] > 0
    assert values(samples, "ragmon_series_dropped_total", reason="cap")[0] > 0
    assert values(samples, "ragmon_score_mean", dimension="all") == [0.9]
    assert grows_linearly(_rendered, 5_000)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sets(st.integers(0, 39), min_size=10), min_size=2, max_size=5))
def test_counters_never_go_back_when_values_come_and_go_beyond_the_cap(pages: list[set[int]]) -> None:
    shown = snapshot()
    made = build_registry(SnapshotCollector(lambda: shown, operational, 400))
    age: dict[int, int] = {}
    before: Counters = {}
    for present in pages:
        age = {number: age.get(number, 0) + 1 for number in present}  # one that comes again begins anew
        shown = snapshot((), tuple(_grown(number, pages) for number, pages in sorted(age.items())))
        after = _counters(made)
        assert all(after[series] >= value for series, value in before.items() if series in after)
        assert {s for s in after if ("value", "other") in s[1] and ("dimension", "other") in s[1]}
        before = after


def _grown(number: int, pages: int) -> ScoreTotals:
    return totals(SliceKey("tenant", f"t{number}"), (0.0, 0.3, 1.0) * pages)


def test_apps_that_come_and_go_do_not_use_up_the_page() -> None:
    shown = snapshot()
    made = build_registry(SnapshotCollector(lambda: shown, operational, 500))
    for number in range(30):
        app = SliceKey("app", f"branch-{number}")
        shown = snapshot((window(), window(app)), (totals(), totals(app)))
        samples = [s for family in made.collect() for s in family.samples]
        assert values(samples, "ragmon_score_mean", value=app.value) == [GOOD.value]
        assert values(samples, "ragmon_score_count", value=app.value) == [30]
        assert values(samples, "ragmon_series_dropped_total", reason="cap") == [0]


def test_the_whole_traffic_of_a_new_judge_takes_the_place_of_slices_on_a_full_page() -> None:
    apps = [window(SliceKey("app", f"app-{number}")) for number in range(30)]
    shown = snapshot((window(), *apps))
    made = build_registry(SnapshotCollector(lambda: shown, operational, 600))
    list(made.collect())
    new = replace(window(), fingerprint="new")
    for _ in range(2):
        shown = snapshot((window(), new, *apps))
        samples = [s for family in made.collect() for s in family.samples]
        assert values(samples, "ragmon_series_dropped_total", reason="cap")[0] > 0
        assert values(samples, "ragmon_score_mean", dimension="all", fingerprint="new") == [GOOD.value]
        assert len(values(samples, "ragmon_score_mean", dimension="app")) > 3


Counters = dict[tuple[str, frozenset[tuple[str, str]]], float]


def _counters(made: CollectorRegistry) -> Counters:
    families = parse_openmetrics(render(made, as_openmetrics=True).body.decode())
    return {
        (s.name, frozenset(s.labels.items())): s.value
        for family in families
        if family.type in {"counter", "histogram"} and family.name.startswith("ragmon")
        for s in family.samples
    }


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=40), max_size=8), st.integers(100, 300))
def test_any_text_gives_a_valid_page_within_any_cap(texts: list[str], cap: int) -> None:
    keys = [SliceKey(text, text) for text in texts]
    stages = tuple(StageCount(t, t, 1, 0, {t: 1}, 0) for t in texts)
    shown = replace(snapshot(tuple(map(window, keys)), tuple(map(totals, keys))), stages=stages)
    assert len(page(shown, max_series=cap)) <= cap


def test_no_number_that_is_not_finite_leaves() -> None:
    bad = replace(window(mean=Estimate(math.nan, -math.inf, math.inf)), missing_ratio=math.nan)
    state = replace(operational(), loop_lag_s=math.inf, sources=(SourceState("judge", commit_age_s=math.nan),))
    samples = page(snapshot((bad,), (replace(totals(), sum=math.nan),)), state)
    assert all(math.isfinite(s.value) for s in samples)
    assert values(samples, "ragmon_series_dropped_total", reason="not_finite")[0] > 0


def test_two_scrapes_at_once_do_not_disturb_each_other() -> None:
    made = registry(snapshot())
    failures: list[BaseException] = []

    def scrape() -> None:
        try:
            for _ in range(20):
                render(made, as_openmetrics=True)
        except BaseException as error:  # noqa: BLE001 - a thread's failure must reach the test
            failures.append(error)

    threads = [threading.Thread(target=scrape) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_nothing_enters_the_library_s_own_registry() -> None:
    registry(snapshot())
    assert not [family.name for family in REGISTRY.collect() if family.name.startswith("ragmon")]


@needs_promtool
def test_promtool_finds_nothing_to_say() -> None:
    keys = [SliceKey("app", text) for text in ("shop", "gpt\udca0x", 'line\nbreak"quote\\')]
    shown = snapshot((window(), *map(window, keys)), (totals(), *map(totals, keys)))
    body = render(registry(shown), as_openmetrics=False).body
    checked = subprocess.run(["promtool", "check", "metrics"], input=body, capture_output=True, check=False)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, b"")
