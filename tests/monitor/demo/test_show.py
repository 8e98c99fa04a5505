"""The parts of the demo that need no broker: its settings, its picture, what its log says."""

from __future__ import annotations

import importlib.util
import random
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from monitor.app import Monitor
from monitor.config.values import duration_text
from monitor.demo import broker, view
from monitor.demo.alert import QualityAlert, shipped_alert
from monitor.demo.service import Service
from monitor.demo.show import Demo, _advice, _phase, _screen, _state, settings_for
from monitor.demo.view import WorstAnswers
from monitor.errors import RagmonError
from monitor.offline.check_config import check
from monitor.records import (
    Case,
    Decision,
    DecisionKind,
    Evidence,
    JudgeIdentity,
    Judgement,
    Outcome,
    Position,
    RagTrace,
)
from tests.exporters.samples import snapshot, window
from tests.monitor.terminal import ragmon

SETTINGS = settings_for("127.0.0.1:9", 0, Path("data"))


def shown(what: RenderableType, width: int = 100) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


def case(score: float | None, answer: str = "True. Invented.", evaluation: str = "faithfulness") -> Case:
    trace = RagTrace("t", "r", f"Question about {answer}?", answer)
    judge = JudgeIdentity("embedded", "0123456789ab")
    evidence = (Evidence("True.", 1.0, label="supported"), Evidence("Invented.", 0.0, label="unsupported"))
    if score is None:
        judgement = Judgement(evaluation, judge, Outcome.SKIPPED, "queue_full")
    else:
        judgement = Judgement(evaluation, judge, Outcome.SCORED, score=score, evidence=evidence)
    decision = Decision(DecisionKind.SAMPLED, 1.0, 1)
    return Case("c", trace, decision, (judgement,), (), "r", "base", Position("t", 0, 0), 0)


def test_the_settings_are_valid_and_judge_everything() -> None:
    assert check(SETTINGS)[0][0] == "the configuration is valid"
    assert (SETTINGS.sampling.base, SETTINGS.sampling.content_share, SETTINGS.kafka.idempotence) == (1, 1, False)
    assert SETTINGS.source.start == "earliest"
    assert SETTINGS.web.host == "127.0.0.1"


def test_the_window_of_the_shipped_alert_is_one_of_the_demos() -> None:
    assert shipped_alert().window in {duration_text(seconds) for seconds in SETTINGS.board.windows}


def test_the_three_latest_low_answers_are_kept_with_the_unsupported_sentence_marked() -> None:
    worst = WorstAnswers()
    assert "none yet" in shown(worst.render())
    for number, score in enumerate([0.9, 0.1, None, 0.5, 0.0, 0.2]):
        worst.observe(case(score, f"True. Answer {number}. Invented."))
    worst.observe(case(0.0, "Another evaluation.", "safety.pii"))
    text = shown(worst.render())
    assert [number for number in range(6) if f"Answer {number}." in text] == [3, 4, 5]
    assert "Another evaluation" not in text
    console = Console(width=100, color_system="standard", force_terminal=True)
    with console.capture() as captured:
        console.print(worst.render())
    marked = [line for line in captured.get().splitlines() if "Invented." in line and "Question" not in line]
    assert all("\x1b[1;4;31mInvented." in line for line in marked)
    assert len(marked) == 3


def test_what_an_answer_says_is_no_markup() -> None:
    worst = WorstAnswers()
    worst.observe(case(0.0, "[bold]x[/bold] [/] (a+"))
    assert "[bold]x[/bold] [/] (a+" in shown(worst.render())


@pytest.mark.parametrize(
    ("times", "text"),
    [((), " ok: "), ((0,), " pending: "), ((0, 30), " FIRING for 12 s: ")],
)
def test_the_alert_is_one_line_that_says_what_is_compared(times: tuple[int, ...], text: str) -> None:
    alert = QualityAlert("faithfulness", 0.95, "5m", 30.0)
    low = replace(snapshot(), windows=(replace(window(), window_s=300),))
    for now in times:
        alert.evaluate(low, now)
    line = view.alert_line(alert, 42).plain
    assert line.startswith(text)
    assert "upper bound of the 5m mean of faithfulness < 0.95" in line
    assert ("not enough verdicts yet" in line) == (not times)


def demo(fault_at: float | None = None) -> Demo:
    monitor = Monitor(SETTINGS)
    monitor.snapshot = snapshot()
    monitor.port = 9464
    made = Demo(monitor, Service(random.Random(1)), shipped_alert(), WorstAnswers(), 40.0, Path("data"))
    made.fault_at = fault_at
    return made


def test_the_picture_holds_the_address_the_set_and_the_scores() -> None:
    text = shown(_screen(demo()))
    for part in ("http://127.0.0.1:9464/metrics", "sample set: data", "Scores", "Accounts", "ok: RagmonQualityDrop"):
        assert part in text


def test_an_address_is_shown_when_it_is_known_and_never_port_0() -> None:
    made = demo()
    made.monitor.port = 0
    for text in (_state(made), shown(_screen(made))):
        assert "metrics: not yet" in text
        assert ":0/metrics" not in text
    made.monitor.port = 9464
    assert _state(made).endswith("; metrics: http://127.0.0.1:9464/metrics")


def test_the_traces_of_the_demo_can_be_recorded_by_the_command_that_it_shows() -> None:
    command = "ragmon record otlp_spans --brokers 127.0.0.1:9 --out traces.jsonl.gz"
    assert command in shown(_screen(demo()), 120)


def test_the_phase_tells_what_the_service_does() -> None:
    assert _phase(demo()) == "the service answers from its documents; it starts to invent facts after 40 s"
    assert _phase(demo(41.2)) == "the service invents facts in a third of its answers since 41 s"


def test_the_log_of_the_demo_changes_with_the_state_only() -> None:
    made = demo()
    assert _state(made) == _state(made)
    assert _state(made).startswith("ok; ")
    made.alert.fired_at = 3.0
    assert _state(made).startswith("FIRING RagmonQualityDrop; ")


def test_a_demo_that_ends_before_the_alert_fires_says_how_long_it_takes() -> None:
    made = demo()
    assert "the alert fired, which is at about 110 s; run it for 140 s (--seconds)" in _advice(made)
    made.alert.fired_at = 110.0
    assert not _advice(made)


def test_a_missing_broker_is_told_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(RagmonError, match=r"pip install 'ragmon\[demo\]'"), broker.local_broker():
        pass


def test_a_broker_that_ends_at_once_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_program", lambda: "/bin/false")
    with pytest.raises(RagmonError, match="ended at once with code 1"), broker.local_broker():
        pass


def test_a_port_that_is_taken_is_told_by_the_name_of_the_option() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = ragmon("demo", "--port", port)
    assert (ended.code, ended.out) == (2, "")
    assert ended.told == [
        f"--port {port}: cannot listen there (address already in use); name another one, or 0 for any"
    ]
