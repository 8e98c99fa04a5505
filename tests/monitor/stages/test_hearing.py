"""Rules of feedback on earlier requests, over doubles and in virtual time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from monitor.building import build_redactor
from monitor.config.settings import Settings
from monitor.errors import SinkError
from monitor.feedback import Feedback, HeardFeedback
from monitor.stages.verdicts import heard_of
from monitor.wire import RawRecord
from tests.fakes import FakeSource
from tests.monitor.streams import (
    BASE_NS,
    Rig,
    carrier,
    entry,
    live,
    otlp,
    plain,
    record,
    retrieval,
    run,
    said,
    tps,
)

LOW, HIGH = "0" * 18 + "0" * 13 + "1", "0" * 18 + "f" * 14
CARRIER = "c" * 32
SAMPLED = {"base": "1/100", "content_share": "1/10"}


def heard(*values: bytes, **settings: object) -> list[HeardFeedback]:
    """What is written of the feedback in these records."""
    return run(FakeSource([record(value, at) for at, value in enumerate(values)]), **settings).feedback.items


def test_a_record_that_only_speaks_of_an_earlier_request_is_written_and_then_committed() -> None:
    rig = run(FakeSource([record(said("a"))]))
    (line,) = rig.feedback.items
    assert (line.feedback.trace_id, line.feedback.label, line.feedback.negative) == ("a", "thumbs_down", True)
    assert (line.feedback.comment, line.inline, line.weight) == ("On a.", False, 1)
    assert line.feedback.given_ns == BASE_NS  # the record's own time
    assert (rig.source.committed, rig.verdicts.items, rig.cases.items) == (rig.source.ends, [], [])


def test_a_trace_that_only_speaks_of_another_is_written_and_names_it() -> None:
    rig = run(FakeSource([record(otlp(carrier(CARRIER, HIGH)))]))
    (line,) = rig.feedback.items
    meant = (line.feedback.trace_id, line.feedback.span_id, line.feedback.carrier_trace_id)
    assert (meant, line.feedback.given_ns) == ((HIGH, "d1" * 8, CARRIER), BASE_NS)
    assert rig.dropped("extract") == {"feedback": 1}
    assert rig.source.committed == rig.source.ends


def test_a_carrier_stands_for_all_the_traces_that_were_not_looked_at() -> None:
    (line,) = heard(otlp(carrier("f" * 32, "f" * 32 + "")), otlp(carrier("f" * 31 + "e", HIGH)), sampling=SAMPLED)[1:]
    assert line.weight == 10


def test_feedback_that_names_a_reply_only_is_written_with_it() -> None:
    more = {"gen_ai.response.id": "chatcmpl-1"}
    (line,) = heard(otlp(carrier(CARRIER, "", **more)))
    meant = (line.feedback.trace_id, line.feedback.response_id, line.feedback.carrier_trace_id)
    assert meant == (None, "chatcmpl-1", CARRIER)


def test_nothing_is_committed_until_feedback_is_durable() -> None:
    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_feedback.failures = float("inf")
        await asyncio.sleep(30)
        assert rig.source.committed == {tps()[0]: 1}  # the request before it is done
        rig.failing_feedback.failures = 0
        async with asyncio.timeout(60):
            await rig.source.done.wait()

    rig = live(FakeSource([record(plain("a")), record(said("a"), 1)], endless=True), act)
    assert [line.feedback.trace_id for line in rig.feedback.items] == ["a"]


def test_feedback_that_is_refused_for_good_costs_itself_only() -> None:
    class RefusedError(SinkError):
        retryable = False

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_feedback.failures, rig.failing_feedback.error = 1, RefusedError("too large")
        async with asyncio.timeout(60):
            await rig.source.done.wait()

    rig = live(FakeSource([record(said("a")), record(plain("b"), 1)], endless=True), act)
    assert (rig.feedback.items, rig.judged(), rig.dropped("hear")) == ([], {"b"}, {"failed": 1})


def test_the_same_words_have_one_id_however_often_they_come_and_other_words_another() -> None:
    first, again, other, later = heard(
        said("a"), said("a"), said("a", comment="No."), json.dumps(json.loads(said("a")) | {"end_time": 1.7e9}).encode()
    )
    assert first.feedback_id == again.feedback_id
    assert len({first.feedback_id, other.feedback_id, later.feedback_id}) == 3


def test_what_came_with_a_judged_request_is_written_for_the_boards_with_the_id_that_it_has_alone() -> None:
    with_it = plain("a", feedback={"label": "thumbs_down", "comment": "On a."})
    inline, alone = sorted(heard(with_it, said("a")), key=lambda line: not line.inline)
    assert (inline.inline, alone.inline, inline.feedback_id) == (True, False, alone.feedback_id)


def test_what_came_with_a_request_that_is_not_judged_is_not_written() -> None:
    off = {"base": "1/100", "content_share": 1, "negative_feedback": 0}
    assert heard(plain(LOW, feedback="thumbs_down"), sampling=off) == []


def test_inline_feedback_follows_its_verdicts() -> None:
    """Boards count what they can join at once; and a kill in between is mended by judging again."""
    order: list[str] = []

    class Told(list[Any]):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def extend(self, items: Iterable[Any]) -> None:
            order.append(self.name)
            super().extend(items)

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.verdicts.items, rig.feedback.items = Told("verdicts"), Told("feedback")
        async with asyncio.timeout(60):
            await rig.source.done.wait()

    live(FakeSource([record(plain("a", feedback="down"))], endless=True), act)
    assert order == ["verdicts", "feedback"]


def test_feedback_on_a_request_that_cannot_have_been_sampled_is_left_out_unless_it_names_the_reply() -> None:
    rig = run(
        FakeSource([record(said(LOW)), record(said(HIGH), 1), record(said(LOW, response_id="r-1"), 2)]),
        sampling=SAMPLED,
    )
    assert [line.feedback.trace_id for line in rig.feedback.items] == [HIGH, LOW]
    assert rig.dropped("hear") == {"unsampled": 1}


@pytest.mark.parametrize("key", [None, b"", b"customer-7", b"thumb:00000000000000000000000001", "者".encode() * 8])
def test_plain_feedback_is_read_whatever_its_key_is(key: bytes | None) -> None:
    rig = run(FakeSource([record(said(HIGH), key=key)]), sampling=SAMPLED)
    assert [line.feedback.trace_id for line in rig.feedback.items] == [HIGH]


def test_keys_of_feedback_that_look_like_trace_ids_and_are_not_are_found_out() -> None:
    records = [record(said(HIGH), at, key=key.encode()) for at, key in enumerate(["e" * 32, "0" * 32])]
    rig = run(FakeSource(records, per_poll=1), sampling=SAMPLED)
    assert len(rig.feedback.items) == 2


def test_sensitive_texts_and_long_ones_do_not_leave() -> None:
    mail, number = "alice.weber@post.example", "13800138000"
    (line,) = heard(said("a", name=f"call {number}", label=mail, comment=f"write to {mail} " + "x" * 20_000))
    text = repr(line)
    assert (mail in text, number in text) == (False, False)
    assert "EMAIL" in (line.feedback.comment or "")
    assert len(text) < 6000
    (cut,) = heard(said("a", comment="y" * 8190 + number))  # the cut leaves no half of it
    assert "138" not in (cut.feedback.comment or "")


def test_feedback_that_names_nothing_is_counted() -> None:
    rig = run(FakeSource([record(otlp(carrier(CARRIER, "")))]))
    assert (len(rig.feedback.items), rig.dropped("extract")) == (1, {"feedback": 1})
    assert rig.feedback.items[0].feedback.trace_id == CARRIER  # a late span of its own trace, perhaps


def test_feedback_whose_keys_are_misspelt_is_counted_and_not_written() -> None:
    """`ragmon extract --explain` says the same of one record; the funnel says it of all."""
    misspelt = json.dumps({"trace_id": "a", "feedback": {"lable": "thumbs_down"}}).encode()
    rig = run(FakeSource([record(misspelt), record(said("b"), 1)]))
    assert [line.feedback.trace_id for line in rig.feedback.items] == ["b"]
    assert rig.dropped("hear") == {"says_nothing": 1}
    assert rig.source.committed == rig.source.ends


@pytest.mark.parametrize("told", [{"name": "thumbs_up"}, {"score": 0}, {"label": "bad"}, {"comment": "No."}])
def test_feedback_that_says_anything_is_written(told: dict[str, object]) -> None:
    assert len(heard(json.dumps({"trace_id": "a", "feedback": told}).encode())) == 1


def test_feedback_on_a_span_that_comes_after_its_trace_was_closed_is_heard() -> None:
    source = FakeSource([record(otlp(entry(HIGH), retrieval(HIGH)))], endless=True)

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(10)
        source.logs[tps()[0]].append(record(otlp(carrier(HIGH, "")), 1))
        await asyncio.sleep(10)
        assert source.committed == source.ends
        assert rig.dropped("assemble") == {"late": 1}

    rig = live(source, act)
    assert [(line.feedback.trace_id, line.feedback.label) for line in rig.feedback.items] == [(HIGH, "thumbs_down")]


def test_feedback_of_a_partition_that_was_taken_away_is_read_again() -> None:
    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_feedback.failures = float("inf")
        await asyncio.sleep(3)
        await rig.source.lose(tps())
        rig.failing_feedback.failures = 0
        await rig.source.assign(tps())
        async with asyncio.timeout(120):
            await rig.source.done.wait()

    rig = live(FakeSource([record(said(name), at) for at, name in enumerate("abc")], endless=True), act)
    assert {line.feedback.trace_id for line in rig.feedback.items} == set("abc")
    assert len({line.feedback_id for line in rig.feedback.items}) == 3


def test_a_revoke_waits_for_feedback_that_is_being_written() -> None:
    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_feedback.failures = 3
        await asyncio.sleep(0.3)
        assert rig.feedback.items == []
        await rig.source.revoke(tps())
        assert len(rig.feedback.items) == 1
        assert rig.source.committed == rig.source.ends

    live(FakeSource([record(said("a"))], endless=True), act)


def test_a_flood_pauses_the_source_and_all_of_it_is_written() -> None:
    flood = b"[" + b",".join([said(f"t{number}") for number in range(1500)]) + b"]"
    source = FakeSource([record(flood, at) for at in range(4)], per_poll=1, pace=0.01, endless=True)

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_feedback.failures = float("inf")
        await asyncio.sleep(20)
        assert (rig.source.paused, rig.pipeline.in_flight()["hear"]) == (True, 3000)
        rig.failing_feedback.failures = 0
        async with asyncio.timeout(600):
            await rig.source.done.wait()

    rig = live(source, act)
    assert len(rig.feedback.items) == 6000


def test_what_is_not_durable_at_the_end_stays_uncommitted_and_accounted_for() -> None:
    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_feedback.failures = float("inf")
        await asyncio.sleep(3)

    rig = live(FakeSource([record(said("a"))], endless=True), act, judging={"drain": 1})
    assert (rig.source.committed, rig.dropped("hear")) == ({tps()[0]: 0}, {"revoked": 1})


def test_one_array_may_hold_requests_and_feedback() -> None:
    value = b"[" + plain("a") + b"," + said("b") + b"," + plain("c") + b"]"
    rig = run(FakeSource([RawRecord("otlp_spans", 0, 0, None, value, BASE_NS // 10**6)]))
    assert (rig.judged(), [line.feedback.trace_id for line in rig.feedback.items]) == ({"a", "c"}, ["b"])
    assert rig.source.committed == rig.source.ends


def test_the_feedback_of_a_request_is_bounded() -> None:
    lines = heard(plain("a", feedback=[{"label": f"l{number}"} for number in range(300)]))
    assert len(lines) == 100


def test_a_number_that_is_not_finite_is_left_out() -> None:

    odd = Feedback("thumb", score=float("nan"), trace_id="a", span_id="s" * 999, given_ns=2**70)
    kept = heard_of(odd, build_redactor(Settings()), arrived_ns=0).feedback
    assert kept == replace(odd, score=None, span_id=None, given_ns=2**63 - 1)
