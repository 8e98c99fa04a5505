"""What others wrote is read in bounded time, and where it takes some not on the event loop."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from monitor.clock import SystemClock
from monitor.errors import JudgeRejected
from monitor.judges import llm
from monitor.judges.llm import LlmJudge
from monitor.judges.off_loop import SMALL, off_loop
from monitor.judges.prompts.material import whole
from monitor.judges.prompts.quotes import Quotable
from monitor.judges.servers.logprobs import tokens_of
from monitor.judges.servers.transport import HttpTransport
from monitor.judges.windows import Room, windows
from monitor.records import Outcome
from tests.judge_server import Canned, completion
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, asked, chat, claims, config, judge_all, judge_one

AT_MOST_S = 3.0


@pytest.mark.parametrize(("size", "is_elsewhere"), [(SMALL, False), (SMALL + 1, True)])
def test_much_work_is_done_on_another_thread(size: int, *, is_elsewhere: bool) -> None:
    thread = asyncio.run(off_loop(size, threading.get_ident))
    assert (thread != threading.get_ident()) is is_elsewhere


def test_a_long_reply_is_read_on_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[int] = set()
    read = llm._read

    def noted(*given: Any) -> None:  # noqa: ANN401 - as they are
        threads.add(threading.get_ident())
        read(*given)

    monkeypatch.setattr(llm, "_read", noted)
    reply = Canned.chat(claims("supported") + "\n" * 2 * SMALL)

    async def main() -> Outcome:
        transport = ScriptedTransport(reply)
        judge = LlmJudge(config(), SystemClock(), api_key=None, rng=random.Random(1), transport=transport)
        (judged,) = await judge.judge(TRACE, (), time.monotonic() + 30)
        return judged.outcome

    assert asyncio.run(main()) is Outcome.SCORED
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_reply_longer_than_its_limit_can_hold_is_no_verdict_and_teaches_nothing() -> None:
    transport = ScriptedTransport(Canned.chat(claims("supported") + "..." * 100_000))
    (judged,), _ = judge_all(transport, [TRACE])
    assert (judged.outcome, judged.reason, judged.explanation) == (Outcome.JUDGE_ERROR, "parse", "too_much_text")
    assert len(transport.requests) == 1


def test_a_long_thought_in_front_of_a_verdict_is_not_counted() -> None:
    judged = judge_one(Canned.chat("<think>" + "It lasts. " * 10_000 + "</think>" + claims("supported", "supported")))
    assert judged.outcome is Outcome.SCORED


def test_tokens_that_nearly_spell_a_text_are_placed_in_linear_time() -> None:
    half = "a" * 50_000
    started = time.process_time()
    assert tokens_of({"content": [{"token": "a" * 400_000, "logprob": -0.1}]}, f"{half}b{half}") == ()
    assert time.process_time() - started < AT_MOST_S


def test_many_quotations_that_begin_everywhere_are_looked_for_in_bounded_time() -> None:
    quotable = Quotable("a1a1" * 10_000)
    started = time.process_time()
    assert not any(quotable.find("a1" * length + "a") for length in range(1, 6) for _ in range(100))
    assert not any(quotable.find(f"a1a...{number}") for number in range(300))
    assert time.process_time() - started < AT_MOST_S


def test_a_quotation_is_found_again_where_it_was() -> None:
    quotable = Quotable("It lasts 2 years.")
    assert quotable.find("lasts 2 years") == quotable.find("lasts 2 years") == (3, 16)


@pytest.mark.parametrize("text", ["保修期为两年。" * 300_000, "&lt;<b>" * 300_000])
def test_a_passage_of_whatever_length_is_cut_in_bounded_time(text: str) -> None:
    material = whole(asked("q?", "保修期为两年。", text, language="zh"))
    started = time.process_time()
    cut = windows(material, Room(48_000), 500)
    for _ in range(5):
        next(cut)
    assert time.process_time() - started < AT_MOST_S


class _Dripping(httpx.AsyncByteStream):
    """An endless reply of one byte at a time."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b" "


def test_an_endless_reply_in_chunks_of_one_byte_ends_and_lets_others_have_their_turn() -> None:
    async def main() -> int:
        transport, turns, reading = HttpTransport(config(), api_key=None), 0, True

        async def others() -> None:
            nonlocal turns
            while reading:
                turns += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(others())
        with pytest.raises(JudgeRejected, match="too_large"):
            await transport._read(httpx.Response(200, stream=_Dripping()))
        reading = False
        await other
        await transport.close()
        return turns

    assert asyncio.run(main()) > 100


def test_probabilities_that_nobody_asked_for_are_not_read() -> None:
    verdict = json.dumps({"reason": "r", "score": 4})
    entries = [{"token": one, "logprob": -0.1, "top_logprobs": [{"token": "5", "logprob": -2.4}]} for one in verdict]
    body = completion(verdict)
    body["choices"][0]["logprobs"] = {"content": entries}
    reply = Canned(body=json.dumps(body).encode())
    criteria = [{"name": "tone", "criteria": "Is it polite?", "steps": ["read"], "scale": [1, 5]}]
    judged = judge_one(reply, evaluations=[], criteria=criteria, probabilities=False)
    assert (judged.score, judged.flags) == (0.75, ("score_from_number",))


def test_a_usual_reply_is_read_as_ever() -> None:
    assert judge_one(chat("supported", "supported")).score == 1.0
