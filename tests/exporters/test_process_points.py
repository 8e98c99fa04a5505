from __future__ import annotations

import pytest

from exporters.pages import page_points
from exporters.points import Guard
from monitor.operational import Operational
from tests.exporters.samples import snapshot


@pytest.mark.parametrize(("problem", "shown"), [(None, []), ("", [0.0]), ("the sample set cannot be written", [1.0])])
def test_the_harvesters_trouble_is_a_number_where_there_is_a_harvester(problem: str | None, shown: list[float]) -> None:
    points = page_points(Guard(10_000), snapshot(), Operational(harvest_problem=problem))
    assert [point.value for point in points if point.metric.name == "ragmon.harvest.problem"] == shown
