"""The whole program on a local broker: an answer is judged, and what people say of it comes a restart later."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from exporters.messages import decode_line
from monitor.config.settings import Settings
from monitor.feedback import HeardFeedback
from monitor.records import Verdict
from tests.brokers import Message, Tansu, committed, create_topic, produce, read_all, run
from tests.integration.monitors import Running, messages, metric, monitoring, settings_for, traffic
from tests.monitor.streams import carrier, otlp, plain, said
from tests.monitor.terminal import ragmon

TRACES = messages(traffic(1), 1)
TRACE = (TRACES[0].key or b"").decode()
CARRIER = "dfcd4b63d21f88e9a0da8e1935fced07"
LATE = [
    Message(otlp(carrier(CARRIER, TRACE))),
    Message(said("order-7", label="thumbs_up", comment="write to alice.weber@post.example")),
    Message(otlp(carrier("e" * 32, "", **{"gen_ai.response.id": "chatcmpl-7"}))),
    Message(said("never-judged")),
]


def answers() -> list[Message]:
    """A trace, and a plain record; both of today, or no window would hold them."""
    now_ns = time.time_ns()
    return [*TRACES, Message(plain("order-7", response_id="chatcmpl-7", app="shop", end_time=now_ns))]


async def lines_in(broker: Tansu, settings: Settings) -> Sequence[Verdict | HeardFeedback]:
    return [decode_line(record.value) for record in await read_all(broker, settings.topics.verdicts)]


async def scores(running: Running) -> list[list[float]]:
    """Every quality number of the page."""
    page = (await running.get("/metrics")).text
    return [metric(page, f"ragmon_score_{name}") for name in ("bucket", "count", "sum", "mean")]


def joined(page: str, **labels: str) -> float:
    return sum(metric(page, "ragmon_feedback_joined_total", **labels))


async def check_page(running: Running) -> None:
    everything = {"dimension": "all", "human": "true"}
    page = (await running.get("/metrics")).text
    assert joined(page, sentiment="negative", **everything) == 2
    assert joined(page, sentiment="positive", **everything) == 1
    assert joined(page, sentiment="positive", dimension="app", value="shop") == 1
    assert metric(page, "ragmon_feedback_total", sentiment="negative", human="true") == [3]
    assert metric(page, "ragmon_conservation_problems") == [0]


def check_export(settings: Settings) -> None:
    rows = [json.loads(line) for line in ragmon("dataset", "export", settings.dataset.path).out.splitlines()]
    by_trace = {row["trace_id"]: [one["label"] for one in row["feedback"]] for row in rows}
    assert {name: sorted(labels) for name, labels in by_trace.items()} == {
        TRACE: ["thumbs_down"],
        "order-7": ["thumbs_down", "thumbs_up"],
    }
    comments = [one["comment"] for row in rows for one in row["feedback"] if one["comment"]]
    assert comments == ["write to <EMAIL_1>"]


def test_feedback_that_comes_a_restart_later_joins_what_was_judged(tansu: Tansu, tmp_path: Path) -> None:
    async def go() -> None:
        settings = settings_for(tansu, tmp_path)
        topic = settings.source.topics[0]
        await create_topic(tansu, topic)
        sent = answers()
        await produce(tansu, topic, sent)
        async with monitoring(settings) as running:
            await running.until(lambda: running.stage("harvest").passed == 2, "both answers are harvested")
        async with monitoring(settings) as running:
            await running.until(lambda: running.monitor.snapshot.caught_up, "the history is read")
            before = await scores(running)
            await produce(tansu, topic, [*LATE, *LATE])  # the service sends everything twice
            await running.until(lambda: running.stage("keep").passed == 4, "all feedback is kept")
            await running.until(lambda: _heard(running) == 4, "all feedback is counted")
            await check_page(running)
            assert await scores(running) == before
        check_export(settings)
        lines = await lines_in(tansu, settings)
        heard = {line.feedback_id: line.feedback for line in lines if isinstance(line, HeardFeedback)}
        assert (len(heard), {said.comment for said in heard.values()}) == (4, {None})
        assert await committed(tansu, settings.source.group, topic) == [len(sent) + 2 * len(LATE)]

    run(go())


def _heard(running: Running) -> int:
    return sum(item.count for item in running.monitor.snapshot.feedback.heard)
