"""Each known shape of reply becomes the verdict that it states, or the one reason for none."""

from __future__ import annotations

import pytest

from monitor import judge_settings
from monitor.errors import JudgeRejected
from monitor.judges.parse import parse_verdict
from monitor.judges.pricing import Tariff
from monitor.judges.reasons import Failure
from monitor.judges.servers.reading import read_reply
from monitor.judges.servers.registry import server_of
from monitor.judges.transport import HttpReply
from tests.monitor.judges.replies import READ, REPAIRED, SHAPES, Shape
from tests.monitor.judges.servers.asks import ASK


def outcome(shape: Shape) -> tuple[str, str]:
    """What becomes of a reply, and its detail."""
    config = judge_settings.LlmJudge(base_url="https://judge.example", model="m", server=shape.server)
    reply = HttpReply(shape.status, shape.headers, shape.raw)
    result = read_reply(server_of(config), reply, ASK, Tariff({}, "m"), 0.0, 60.0)
    if isinstance(result, Failure):
        return result.reason, result.detail
    try:
        parsed = parse_verdict(result.text, frozenset({"verdict", "score"}))
    except JudgeRejected as rejected:
        return rejected.reason, rejected.detail
    assert parsed.value["verdict"] == "yes"
    assert parsed.value["score"] == 4
    return REPAIRED if parsed.repaired else READ, ""


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.server}: {shape.name}")
def test_a_reply_becomes_the_verdict_that_it_states_or_the_reason_for_none(shape: Shape) -> None:
    becomes, detail = outcome(shape)
    assert becomes == shape.becomes
    assert not shape.detail or detail == shape.detail
