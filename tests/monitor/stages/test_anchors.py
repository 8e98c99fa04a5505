"""The anchor set is judged once in each run, behind requests, whatever restarts and replicas there are."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from monitor.config.loading import load
from monitor.config.settings import BoardSettings, Privacy
from monitor.errors import ConfigError
from monitor.feedback import HeardFeedback
from monitor.judges.llm import LlmJudge
from monitor.judges.panel import Panel, PanelMember
from monitor.judges.shadow import ShadowJudge
from monitor.operational import JudgeLoad
from monitor.privacy.redactor import Redactor
from monitor.quality.memory import VerdictMemory
from monitor.records import JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit, Verdict
from monitor.stages.anchors import Anchors, load_anchors
from tests import virtual_time
from tests.fakes import SECOND
from tests.judge_server import sensible
from tests.monitor.judges.scripted import ScriptedTransport, config
from tests.virtual_time import BASE_NS, VirtualClock

DAY = 86_400.0
SETTINGS = BoardSettings(windows=(300.0, 7 * DAY))
ROWS = [
    {"question": "When?", "contexts": ["It opens at ten."], "answer": "At ten, says ada@example.org.", "label": 1},
    {"id": 7, "question": "When?", "contexts": ["It opens at ten."], "answer": "At noon.", "label_2": 0},
]


def rows_file(folder: Path, *rows: object) -> Path:
    file = folder / "anchors.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    return file


def run_number(clock: VirtualClock | None) -> int:
    """Of the clock's time; of the beginning of virtual time without one."""
    now_ns = BASE_NS if clock is None else clock.now_ns()
    return now_ns // round(DAY * SECOND)


class Drifting:
    """A remote judge whose scores fall from run to run, or that fails."""

    evaluations: tuple[str, ...] = ("faithfulness",)
    remote = True

    def __init__(self, clock: VirtualClock, name: str = "llm") -> None:
        self.name = name
        self.asked: list[RagTrace] = []
        self.fails = False
        self._clock = clock

    def identity(self, evaluation: str) -> JudgeIdentity:
        del evaluation
        return JudgeIdentity(self.name, "0123456789ab")

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        del hits, deadline
        await asyncio.sleep(1)
        self.asked.append(trace)
        who = self.identity("faithfulness")
        if self.fails:
            return (Judgement("faithfulness", who, Outcome.JUDGE_ERROR, "timeout"),)
        day = run_number(self._clock) - run_number(None)
        return (Judgement("faithfulness", who, Outcome.SCORED, score=max(0.0, 1 - 0.25 * day)),)

    def load(self) -> JudgeLoad:
        return JudgeLoad(self.name)

    async def close(self) -> None:
        """Nothing to free."""


@dataclass
class Topic:
    """A verdict topic that everyone reads at once."""

    clock: VirtualClock
    readers: list[VerdictMemory] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    async def append(self, verdicts: Sequence[Verdict]) -> None:
        await asyncio.sleep(0.1)
        self.verdicts += verdicts
        for reader in self.readers:
            for verdict in verdicts:
                reader.add(verdict, self.clock.now_ns())

    async def read(self, since_ns: int) -> AsyncGenerator[Sequence[Verdict | HeardFeedback]]:
        del since_ns
        yield ()


def replica(topic: Topic, rows: Sequence[RagTrace], *judges: PanelMember, seed: int = 1) -> Anchors:
    """A process that has read the topic."""
    memory = VerdictMemory(SETTINGS)
    for verdict in topic.verdicts:
        memory.add(verdict, topic.clock.now_ns(), live=False)
    topic.readers.append(memory)
    return Anchors(
        rows=rows,
        every_s=DAY,
        deadline_s=60.0,
        panel=Panel(judges, topic.clock),
        redactor=Redactor(Privacy(), None),
        verdicts=topic,
        book=memory.anchors,
        judged_before=memory.seen,
        busy=lambda: False,
        clock=topic.clock,
        rng=random.Random(seed),
    )


async def let_run(*replicas: Anchors, days: float) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one.run()) for one in replicas]
        await asyncio.sleep(days * DAY)
        for task in tasks:
            task.cancel()


def rows_of(folder: Path) -> tuple[RagTrace, ...]:
    return load_anchors(rows_file(folder, *ROWS))


def scored_by_row(topic: Topic) -> dict[str, list[tuple[float | None, float | None]]]:
    """Scores and first scores by row, in the order in which they were written."""
    found: dict[str, list[tuple[float | None, float | None]]] = {}
    for verdict in topic.verdicts:
        found.setdefault(verdict.trace_id, []).append((verdict.score, verdict.baseline))
    return found


def test_each_row_is_judged_once_in_each_run_and_carries_its_first_score(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> Topic:
        topic = Topic(clock)
        await let_run(replica(topic, rows_of(tmp_path), PanelMember(Drifting(clock), 1)), days=3)
        return topic

    topic = virtual_time.run(main)
    runs = sorted({int(verdict.request_id) for verdict in topic.verdicts})
    assert runs == list(range(runs[0], runs[0] + 4))
    for judged in scored_by_row(topic).values():
        assert judged == [(1.0, None), (0.75, 1.0), (0.5, 1.0), (0.25, 1.0)]
    assert all(verdict.anchor and verdict.weight == 1 for verdict in topic.verdicts)
    assert {verdict.end_ns for verdict in topic.verdicts} == {run * round(DAY * SECOND) for run in runs}


def test_a_restart_goes_on_with_the_run_and_with_the_first_scores(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> tuple[Topic, Drifting]:
        topic, judge = Topic(clock), Drifting(clock)
        for _ in range(4):
            topic.readers.clear()
            await let_run(replica(topic, rows_of(tmp_path), PanelMember(judge, 1)), days=0.25)
        return topic, judge

    topic, judge = virtual_time.run(main)
    runs = {verdict.request_id for verdict in topic.verdicts}
    assert len(topic.verdicts) == len(judge.asked) == 2 * len(runs)


def test_replicas_share_a_run_and_what_both_judged_counts_once(tmp_path: Path) -> None:
    rows = load_anchors(rows_file(tmp_path, *({"answer": f"{n}", "contexts": ["x"]} for n in range(50))))

    async def main(clock: VirtualClock) -> tuple[int, VerdictMemory]:
        topic = Topic(clock)
        replicas = [replica(topic, rows, PanelMember(Drifting(clock), 1), seed=seed) for seed in (1, 2)]
        await let_run(*replicas, days=0.1)
        return len(topic.verdicts), topic.readers[0]

    written, memory = virtual_time.run(main)
    (scores,) = memory.anchors.scores()
    assert scores.rows == 50
    assert 50 <= written < 75
    assert memory.duplicates == written - 50


def test_requests_come_first(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> tuple[int, int, int]:
        topic = Topic(clock)
        judge = Drifting(clock)
        anchors = replica(topic, rows_of(tmp_path), PanelMember(judge, 1))
        until = clock.monotonic() + 100
        task = asyncio.create_task(replace(anchors, busy=lambda: clock.monotonic() < until).run())
        seen = []
        for seconds in (99, 3, 20):
            await asyncio.sleep(seconds)
            seen.append(len(judge.asked))
        task.cancel()
        return seen[0], seen[1], seen[2]

    assert virtual_time.run(main) == (0, 1, 2)


def test_a_judge_that_is_always_busy_judges_a_row_now_and_then(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> int:
        judge = Drifting(clock)
        anchors = replica(Topic(clock), rows_of(tmp_path), PanelMember(judge, 1))
        await let_run(replace(anchors, busy=lambda: True), days=0.01)
        return len(judge.asked)

    assert virtual_time.run(main) == 2


def test_a_failure_is_written_and_no_score_and_the_next_run_has_its_first_score(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> Topic:
        topic, judge = Topic(clock), Drifting(clock)
        judge.fails = True
        anchors = replica(topic, rows_of(tmp_path), PanelMember(judge, 1))
        task = asyncio.create_task(anchors.run())
        await asyncio.sleep(60)
        judge.fails = False
        await asyncio.sleep(DAY)
        task.cancel()
        return topic

    for judged in scored_by_row(virtual_time.run(main)).values():
        assert judged == [(None, None), (0.75, None)]


def test_each_run_asks_a_judge_with_a_long_memory_anew(tmp_path: Path) -> None:
    transport = ScriptedTransport(sensible)

    async def main(clock: VirtualClock) -> Topic:
        topic = Topic(clock)
        settings = config(reuse=1000, reuse_for=30 * DAY)
        judge = LlmJudge(settings, clock, api_key=None, rng=random.Random(3), transport=transport)
        await let_run(replica(topic, rows_of(tmp_path), PanelMember(judge, 1)), days=2.5)
        return topic

    verdicts = virtual_time.run(main).verdicts
    runs = len({verdict.end_ns for verdict in verdicts})
    assert runs >= 3
    assert len(transport.requests) == len(verdicts) == runs * len(ROWS)
    assert {verdict.outcome for verdict in verdicts} == {Outcome.SCORED}


def test_a_remote_judge_gets_redacted_rows_and_verdicts_hold_no_content(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> tuple[Topic, Drifting]:
        topic, judge = Topic(clock), Drifting(clock)
        await let_run(replica(topic, rows_of(tmp_path), PanelMember(judge, 1)), days=0.01)
        return topic, judge

    topic, judge = virtual_time.run(main)
    assert all("ada@" not in str(trace.answer) for trace in judge.asked)
    assert all(word not in repr(verdict) for verdict in topic.verdicts for word in ("opens", "noon", "ada"))


def test_shadows_and_rare_judges_judge_the_anchors_too(tmp_path: Path) -> None:
    async def main(clock: VirtualClock) -> Topic:
        topic = Topic(clock)
        members = (
            PanelMember(Drifting(clock), 1000),
            PanelMember(ShadowJudge(Drifting(clock, "candidate"), "llm"), 1000),
        )
        await let_run(replica(topic, rows_of(tmp_path), *members), days=0.01)
        return topic

    topic = virtual_time.run(main)
    assert sorted((v.judge, v.shadow_of, v.anchor) for v in topic.verdicts) == [
        ("candidate", "llm", True),
        ("candidate", "llm", True),
        ("llm", "", True),
        ("llm", "", True),
    ]


# ---------------------------------------------------------------------------------------------------------------- rows


def test_a_row_has_its_content_for_an_id(tmp_path: Path) -> None:
    first, second = rows_of(tmp_path)
    changed = load_anchors(rows_file(tmp_path, {**ROWS[0], "label": 0, "id": "x"}, {**ROWS[1], "answer": "At one."}))
    assert first.trace_id == changed[0].trace_id
    assert second.trace_id != changed[1].trace_id
    assert len(load_anchors(rows_file(tmp_path, ROWS[0], ROWS[0]))) == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "has no row"),
        ('{"answer": "x"}\n{', "2: is not JSON: "),
        ("[1]", "1: is not an object {id, question, contexts, answer}"),
        ('{"question": "x"}', "1: has no answer"),
        ("\xff", "1: is not JSON: "),
    ],
)
def test_a_row_that_cannot_be_judged_is_told_with_its_line(content: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    file.write_text(content, encoding="latin-1")
    with pytest.raises(ConfigError) as refused:
        load_anchors(file)
    assert len(refused.value.problems) == 1
    assert told in refused.value.problems[0]


def test_a_file_that_is_not_there_or_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_anchors(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="1000 are judged at most"):
        load_anchors(rows_file(tmp_path, *({"answer": f"{n}"} for n in range(1001))))


def test_runs_are_close_enough_for_the_first_score_to_be_handed_on(tmp_path: Path) -> None:
    file = tmp_path / "ragmon.yaml"
    file.write_text("anchors: a.jsonl\nanchors_every: 4d\n")
    with pytest.raises(ConfigError, match="anchors_every: must be at most half of the longest"):
        load(file)
    file.write_text("anchors: a.jsonl\nanchors_every: 3d\n")
    assert load(file).anchors == tmp_path / "a.jsonl"
