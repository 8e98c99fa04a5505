from __future__ import annotations

import pytest

from exporters.pages import page_points
from exporters.points import Guard
from monitor.operational import Operational, SourceState
from monitor.records import TopicPartition
from tests.exporters.samples import snapshot


@pytest.mark.parametrize(("problem", "shown"), [(None, []), ("", [0.0]), ("the sample set cannot be written", [1.0])])
def test_the_harvesters_trouble_is_a_number_where_there_is_a_harvester(problem: str | None, shown: list[float]) -> None:
    points = page_points(Guard(10_000), snapshot(), Operational(harvest_problem=problem))
    assert [point.value for point in points if point.metric.name == "ragmon.harvest.problem"] == shown


def test_a_source_is_told_by_its_role_and_not_at_all_where_the_role_is_not() -> None:
    judge = SourceState("judge", "no such topic", 0, {TopicPartition("otlp_spans", 0): 7}, None, None)
    harvest = SourceState("harvest", "", 2, {TopicPartition("rag.cases", 0): 3}, 0.5, 20.0)

    def shown(*sources: SourceState) -> dict[tuple[str, ...], object]:
        points = page_points(Guard(10_000), snapshot(), Operational(sources=sources))
        names = {"ragmon.source.up", "ragmon.source.problem", "ragmon.source.lag", "ragmon.source.commit.age"}
        return {
            (point.metric.name.removeprefix("ragmon.source."), *point.labels): point.value
            for point in points
            if point.metric.name in names
        }

    of_judge = {("up", "judge"): 0.0, ("problem", "judge"): 1.0, ("lag", "judge", "otlp_spans"): 7}
    of_harvest = {
        ("up", "harvest"): 1.0,
        ("problem", "harvest"): 0.0,
        ("lag", "harvest", "rag.cases"): 3,
        ("commit.age", "harvest"): 20.0,
    }
    assert shown() == {}
    assert shown(harvest) == of_harvest
    assert shown(judge, harvest) == of_judge | of_harvest


def test_only_a_judge_has_a_budget() -> None:
    budgets = [None, 0.0, 60.0]
    pages = [page_points(Guard(10_000), snapshot(), Operational(budget_per_minute=budget)) for budget in budgets]
    shown = [[point.value for point in points if point.metric.name == "ragmon.sampling.budget"] for points in pages]
    assert shown == [[], [0.0], [60.0]]
