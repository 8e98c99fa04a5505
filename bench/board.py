"""What the board costs: time per verdict, time per snapshot, memory per series, and its second in steady traffic.

    python bench/board.py [--verdicts 10000] [--rate 10] [--minutes 60] [--seed 1]

4 windows (the default ones), 5 evaluations, 20 slices; scores with few values (a rubric) and with many (a share of
words). `steady` is 6 evaluations of 20 apps in 3 languages: so many requests a second for so many minutes, then 120
seconds with a snapshot each, as a running board takes them. Times are CPU time of this process.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace

from monitor.config.settings import BoardSettings
from monitor.quality.board import Board
from monitor.records import Outcome, Verdict

SECOND = 1_000_000_000
NOW = 1_790_000_000 * SECOND
WEEK_S = 604_800
EVALUATIONS, APPS = 5, 14
LANGUAGES = ("en", "zh", "de", "fr", "und")
STEADY_EVALUATIONS, STEADY_APPS = 6, 20
STEADY_LANGUAGES = ("en", "zh", "de")
STEADY_S = 120
FAILING = 0.04
PERFECT = 0.4


def rubric(rng: random.Random) -> float:
    """One of 0, 0.5, 1."""
    return rng.choices((1.0, 0.5, 0.0), (0.86, 0.08, 0.06))[0]


def spread(rng: random.Random) -> float:
    """40 % exactly 1, the rest anywhere."""
    return 1.0 if rng.random() < PERFECT else rng.betavariate(5, 2)


def verdict(score: float | None, rng: random.Random, number: int) -> Verdict:
    """The verdict with this number; ages are skewed to young, so that every window has its share."""
    end_ns = NOW - int(rng.random() ** 3 * WEEK_S * SECOND)
    return Verdict(
        verdict_id=f"{number:032x}",
        trace_id=f"{number:032x}",
        request_id="",
        evaluation=f"evaluation_{number % EVALUATIONS}",
        judge="embedded",
        fingerprint="0123456789ab",
        calibrated=False,
        outcome=Outcome.JUDGE_ERROR if score is None else Outcome.SCORED,
        reason="timeout" if score is None else "",
        score=score,
        label="",
        weight=rng.choice((100, 10)),
        probability=0.01,
        policies=("base",),
        end_ns=end_ns,
        judged_ns=end_ns + SECOND,
        app=f"app{rng.randrange(APPS)}",
        language=rng.choice(LANGUAGES),
    )


class Stopwatch:
    """CPU milliseconds since the last look."""

    def __init__(self) -> None:
        self._last = time.process_time()

    def lap(self) -> float:
        """Milliseconds, and begin anew."""
        now = time.process_time()
        milliseconds, self._last = (now - self._last) * 1000, now
        return milliseconds


def memory_of(sample: Sequence[Verdict]) -> int:
    """Bytes of a board with these verdicts."""
    tracemalloc.start()
    board = Board(BoardSettings())
    for one in sample:
        board.add(one, NOW)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size


def measure(name: str, sample: Sequence[Verdict]) -> None:
    """Print one line."""
    board, watch = Board(BoardSettings()), Stopwatch()
    for one in sample:
        board.add(one, NOW)
    adding = watch.lap() * 1000 / len(sample)
    windows = len(board.snapshot(NOW).windows)
    first = watch.lap()
    board.snapshot(NOW)
    unchanged = watch.lap()
    later = NOW + 6 * SECOND
    for one in sample[:100]:
        board.add(replace(one, verdict_id=f"{one.verdict_id}x", end_ns=later), later)
    watch.lap()
    board.snapshot(later)
    changed = watch.lap()
    size = memory_of(sample)
    print(
        f"{name:8} {len(sample):7} verdicts, {windows // 4} series: add {adding:.0f} us; "
        f"snapshot {first:.0f} ms first, {unchanged:.1f} ms unchanged, {changed:.0f} ms after 100 more; "
        f"{size / 1e6:.0f} MB, {size / (windows // 4) / 1e3:.0f} KB a series"
    )


def arrivals(scores: Callable[[random.Random], float], rng: random.Random, end_ns: int, rate: int) -> list[Verdict]:
    """What is judged in one second of steady traffic."""
    return [
        replace(
            verdict(None if rng.random() < FAILING else scores(rng), rng, number),
            verdict_id=f"{end_ns}-{number}",
            evaluation=f"evaluation_{number % STEADY_EVALUATIONS}",
            app=f"app{rng.randrange(STEADY_APPS)}",
            language=rng.choice(STEADY_LANGUAGES),
            end_ns=end_ns,
        )
        for number in range(rate * STEADY_EVALUATIONS)
    ]


def steady(scores: Callable[[random.Random], float], rate: int, minutes: int, seed: int) -> None:
    """Print what the snapshots of steady traffic cost."""
    rng, board, watch = random.Random(seed), Board(BoardSettings()), Stopwatch()
    for second in range(-60 * minutes, 0):
        for one in arrivals(scores, rng, NOW + second * SECOND, rate):
            board.add(one, one.end_ns)
    windows = len(board.snapshot(NOW).windows)
    gc.freeze()
    whole: list[float] = []
    longest: list[float] = []
    for second in range(STEADY_S):
        now = NOW + second * SECOND
        for one in arrivals(scores, rng, now, rate):
            board.add(one, now)
        watch.lap()
        steps = [watch.lap() for _ in board.prepare(now)]
        board.snapshot(now)
        steps.append(watch.lap())
        whole.append(sum(steps))
        longest.append(max(steps))
    gc.unfreeze()
    print(
        f"steady, {scores.__name__}: {windows} windows, {rate} requests a second for {minutes} minutes; "
        f"a snapshot takes {statistics.median(whole):.0f} ms (one in ten {statistics.quantiles(whole, n=10)[-1]:.0f}), "
        f"the event loop stands for {statistics.median(longest):.1f} ms of it at once (worst {max(longest):.1f})"
    )


def main() -> None:
    """Measure both kinds of scores."""
    parser = argparse.ArgumentParser(description="Cost of the board.")
    parser.add_argument("--verdicts", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=10)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for score in (rubric, spread):
        rng = random.Random(options.seed)
        sample = [
            verdict(None if rng.random() < FAILING else score(rng), rng, number) for number in range(options.verdicts)
        ]
        measure(score.__name__, sample)
    for score in (rubric, spread):
        steady(score, options.rate, options.minutes, options.seed)


if __name__ == "__main__":
    main()
