"""`ragmon replay` says what limits did to the judges."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

from monitor.offline.replay import worst_of
from monitor.offline.spending import spending
from monitor.operational import JudgeLoad, LimitFill
from tests.judge_server import JudgeServer
from tests.monitor.quality.verdicts import SAMPLE
from tests.monitor.streams import plain
from tests.monitor.terminal import ragmon


def many(count: int) -> bytes:
    """Plain records whose ids are random: they are what the sample is drawn by."""
    rng = random.Random(5)
    passages = ["The desk closes at 18:00."]
    return b"\n".join(plain(rng.randbytes(16).hex(), answer=passages[0], contexts=passages) for _ in range(count))


def test_a_judge_with_limits_says_what_it_was_asked_and_spent(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(40))
    config = tmp_path / "ragmon.yaml"
    with JudgeServer() as server:
        judge = f"type: llm, name: gpt, model: m, base_url: '{server.url}', allow_private: true, calls: apart"
        limits = "prices: {'*': {input: 1, output: 1000}}, cost_per_day: 20, requests_per_minute: 6000"
        config.write_text(
            f"judges: [{{{judge}, {limits}}}, {{type: scanner}}]\nsampling: {{base: 1/1, content_share: 1/1}}\n"
        )
        ended = ragmon("replay", tmp_path / "a.jsonl", "-c", config)
    (line,) = (one for one in ended.told if "was asked" in one)
    found = re.fullmatch(
        r"gpt was asked about (\d+) of 40 requests, each stands for 1 to (\d+), "
        r"spent ([0-9.e-]+) of requests_per_minute 6000, ([0-9.e-]+) of cost_per_day 20",
        line,
    )
    assert found is not None
    asked, weight, calls, money = map(float, found.groups())
    assert (ended.code, len(server.bodies)) == (0, calls)
    assert 0 < calls <= asked <= 40
    assert weight >= 1
    assert 0 < money <= 20
    assert asked < 40 or weight == 1


def test_without_limits_nothing_is_said_of_them(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(4))
    assert ragmon("replay", tmp_path / "a.jsonl").err == ""


def test_requests_that_stand_for_as_many_each_are_told_by_one_number() -> None:
    load = JudgeLoad("gpt", limits=(LimitFill("cost_per_day", 1.0, 0.5),))
    (line,) = spending([load], [replace(SAMPLE, judge="gpt", weight=1)], 8)
    assert "gpt was asked about 1 of 8 requests, each stands for 1, spent" in line


def test_word_overlap_makes_no_worst_request() -> None:
    lows = [replace(SAMPLE, score=0.0, evaluation=name) for name in ("exact_match", "faithfulness", "bleu")]
    assert [one.evaluation for one in worst_of(lows)] == ["faithfulness"]
