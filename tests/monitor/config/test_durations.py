"""A duration that is out of bounds is told with the bound as durations are written, never as a bare number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.monitor.config.configured import problems

LLM = "judges: [{type: llm, model: m, base_url: 'https://a.example/v1', "
NO_DURATION = "is not a duration; write seconds, or a number with ms, s, m, h or d, such as 5m"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("anchors_every: 10s", "anchors_every: needs at least 1m"),
        ("assembly: {timeout: 0}", "assembly.timeout: needs more than 0s"),
        ("otlp: {interval: 500ms}", "otlp.interval: needs at least 1s"),
        ("board: {windows: [5m, -3]}", "board.windows[1]: needs at least 0s"),
        ("assembly: {timeout: .inf}", f"assembly.timeout: {NO_DURATION}"),
        (LLM + "read_timeout: 0}]", "judges[0].read_timeout: needs more than 0s"),
        ("web: {port: -1}", "web.port: Input should be greater than or equal to 0"),
    ],
)
def test_a_bound_of_a_duration_has_a_unit(tmp_path: Path, text: str, told: str) -> None:
    assert problems(tmp_path, text) == [told]
