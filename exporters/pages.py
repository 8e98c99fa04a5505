"""One page: everything that is shown at one moment."""

from __future__ import annotations

from exporters.judge_points import anchor_points, shadow_points
from exporters.points import Guard, Page, Point
from exporters.process_points import left_out_points, process_points
from exporters.quality_points import quality_points
from exporters.traffic_points import traffic_points
from monitor.operational import Operational
from monitor.snapshot import Snapshot


def page_points(guard: Guard, snapshot: Snapshot, operational: Operational) -> list[Point]:
    """Every point of one page, in the order of the catalog."""
    page = Page(guard)
    process_points(page, snapshot.stages, operational)
    quality_points(page, snapshot, operational)
    if snapshot.caught_up:
        shadow_points(page, snapshot.shadows)
        anchor_points(page, snapshot.anchors)
    traffic_points(page, operational.traffic)
    left_out_points(page)
    return page.points()
