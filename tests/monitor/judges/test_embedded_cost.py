"""What the embedded judge costs: deadlines, threads, and time and memory that stay bounded."""

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.judges import embedded
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.grounding.assessment import assess
from monitor.judges.text.memo import LONGEST, MOST, Memo
from monitor.records import Outcome, Passage
from tests.fakes import FakeClock
from tests.growth import grows_linearly
from tests.monitor.judges.test_embedded import TRACE, judged


@pytest.mark.parametrize("passage", ["Entry costs 12 euros.", "Entry costs 12 euros. " * 1000])
def test_a_deadline_that_has_passed_is_a_judge_error(passage: str) -> None:
    judgement = judged(replace(TRACE, contexts=(Passage(passage),)), seconds=-1.0)
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "deadline")


class CountingExecutor(ThreadPoolExecutor):
    """Counts the calls that were handed to a thread."""

    calls = 0

    def submit(self, *call: Any, **named: Any) -> Future[Any]:  # noqa: ANN401 - whatever the loop hands in
        self.calls += 1
        return super().submit(*call, **named)


@pytest.mark.parametrize(("repeats", "calls"), [(1, 0), (1000, 2)])
def test_only_long_texts_are_judged_in_a_thread(repeats: int, calls: int) -> None:
    """One call sees whether the answer can be judged, one judges it."""

    async def judge() -> int:
        executor = CountingExecutor()
        asyncio.get_running_loop().set_default_executor(executor)
        clock = FakeClock()
        trace = replace(TRACE, contexts=(Passage("Entry costs 12 euros. " * repeats),))
        (judgement,) = await EmbeddedJudge(EmbeddedSettings(), clock).judge(trace, (), clock.monotonic() + 30.0)
        assert judgement.outcome is Outcome.SCORED
        return executor.calls

    assert asyncio.run(judge()) == calls


def test_the_loop_goes_on_while_a_decline_is_held_against_long_passages() -> None:
    async def judge() -> list[str]:
        happened: list[str] = []
        clock = FakeClock()
        trace = replace(TRACE, answer="Mild fever: unknown", contexts=(Passage("It is 9. " * 1000),))
        asyncio.get_running_loop().call_soon(happened.append, "something else")
        (judgement,) = await EmbeddedJudge(EmbeddedSettings(), clock).judge(trace, (), clock.monotonic() + 30.0)
        return [*happened, judgement.reason]

    assert asyncio.run(judge()) == ["something else", "abstention"]


def test_passages_beyond_the_limit_give_no_verdict_rather_than_a_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MAX_PASSAGES", 50)
    judgement = judged(TRACE)
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "too_long")


@pytest.mark.parametrize(
    "text", ["a. ", "[1", "but ", "百", "sorry i'm ", "1,", "\u200b", "a@", "|\n--", "# ", "a.md", "- 5", "三点五"]
)
def test_hostile_text_costs_linear_time(text: str) -> None:
    def read(length: int) -> Callable[[], object]:
        return lambda: assess(text * (length // len(text)), [text * (5 * length // len(text))])

    assert grows_linearly(read, 1_000)


@pytest.mark.parametrize(
    ("answer", "passages"),
    [
        ("a" * 1_000_000, ["b" * 400_000]),
        ("It is 5. " * 10_000, ["It is 5 or 6 of them, they say. " * 12_000]),
        ("保修期为两年，" * 3_000, ["保修期为两年，人为损坏不在保修范围内。" * 20_000]),
        ("Entry costs twelve euros in May. " * 600, ["Entry costs twelve euros in May, not -5 %. "] * 1_000),
        (" ".join(f"word{n} is" for n in range(2_000)), [" ".join(f"word{n} is." for n in range(35_000))]),
    ],
    ids=["without blanks", "short sentences", "Chinese", "a thousand passages", "all different"],
)
@pytest.mark.parametrize("parts", [16, pytest.param(4, marks=pytest.mark.slow)])
def test_the_longest_texts_cost_a_bounded_time(answer: str, passages: list[str], parts: int) -> None:
    """Answer and passages at their limits: what takes long grows with the length of the passages, not its square."""

    def cut(some: int) -> Callable[[], object]:
        return lambda: assess(answer, [passage[: len(passage) * some // parts] for passage in passages])

    assert grows_linearly(cut, 1, times=4, quick_s=1 / parts)


def test_what_is_remembered_of_texts_is_bounded() -> None:
    assess("Entry costs 12 euros.", [" ".join(f"{n}x{'y' * (n % 60)}" for n in range(5_000))])
    remembered = [memo for memo in gc.get_objects() if isinstance(memo, Memo)]
    assert remembered
    assert all(len(memo) <= MOST and max(map(len, memo), default=0) <= LONGEST for memo in remembered)
