"""Joins feedback with the verdicts on the requests that it speaks of, whichever of the two comes first.

A request is found by trace and span, else by trace, else by response id. Of several judged requests of one trace, the
one whose verdict came first stands for the trace: verdicts and feedback of a trace are in one partition, so every board
sees the same one. Feedback waits for its verdict within the longest window, so far as there is room.

All sizes are bounded: whoever can write traces can forge feedback, and must not be able to do more than be counted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from monitor.feedback import Feedback, HeardFeedback
from monitor.quality.admission import is_sound_feedback
from monitor.quality.index import ERAS, MAX_NAMES, JudgedIndex, Place
from monitor.quality.seen import SeenIds, short
from monitor.quality.windows import WindowPlan
from monitor.records import Verdict
from monitor.snapshot import FeedbackCount, FeedbackTotals, JoinedFeedback, Sentiment, SliceKey

MAX_FEEDBACK = 2_000_000
"""Ids that are remembered, about 16 MB; then the oldest bucket is forgotten, and what is told twice counts twice."""
MAX_WAITING = 50_000
"""Feedback that waits for its verdict, about 25 MB; then the one that came first waits no longer."""

LEFT_OUT = ("duplicate", "refused", "too_many", "forgotten")
"""Why feedback is not counted (`forgotten`: counted, but no longer waited for)."""


class Voice(NamedTuple):
    """What kind of feedback it is."""

    sentiment: Sentiment
    human: bool


class _Waiting(NamedTuple):
    voice: Voice
    weight: int
    era: int
    names: tuple[int, ...]


class FeedbackBoard:
    """The part of the board that knows judged requests and what was said of them."""

    def __init__(
        self, plan: WindowPlan, *, names: int = MAX_NAMES, feedback: int = MAX_FEEDBACK, waiting: int = MAX_WAITING
    ) -> None:
        self._plan = plan
        self._index = JudgedIndex(names)
        self._ids = SeenIds(feedback)
        self._most_waiting = waiting
        self._waiting: dict[int, _Waiting] = {}  # in the order in which they came
        self._by_name: dict[int, dict[int, None]] = {}
        self._number = 0
        self._last = ("", "", 0)
        self._heard: dict[Voice, int] = {}
        self._joined: dict[SliceKey, dict[Voice, tuple[int, int]]] = {}
        self._left_out = dict.fromkeys(LEFT_OUT, 0)

    def judged(self, verdict: Verdict, slices: tuple[SliceKey, ...], *, live: bool) -> None:
        """Note where the request of a verdict counts, and count what was said of it before (not in history)."""
        trace_id, request_id, weight = self._last
        if (trace_id, request_id) == (verdict.trace_id, verdict.request_id) and weight <= verdict.weight:
            return  # the usual case: the verdicts on one request stand together
        self._last = (verdict.trace_id, verdict.request_id, verdict.weight)
        place = Place(slices, verdict.weight, self._plan.era(verdict.end_ns))
        for name in _names_of(verdict.trace_id, verdict.request_id, verdict.response_id):
            if self._index.put(name, place):
                for number in tuple(self._by_name.get(name, ())):
                    self._join(self._leave(number), place, live=live)

    def hear(self, heard: HeardFeedback, now_ns: int, *, live: bool) -> bool:
        """Count feedback once; False when it was left out."""
        if not is_sound_feedback(heard):
            return self._leave_out("refused", live=live)
        oldest = self._plan.oldest_era(self._plan.tick(now_ns))
        # clocks of those who send feedback may be wrong: a time outside of the window counts as its nearest end
        era = max(min(self._plan.era(heard.feedback.given_ns), self._plan.era(now_ns)), oldest)
        bucket = max(era // ERAS, self._ids.floor or 0)
        if self._ids.has_anywhere(heard.feedback_id):
            return self._leave_out("duplicate", live=live)
        if self._ids.full(bucket):
            return self._leave_out("too_many", live=live)
        self._ids.add(heard.feedback_id, bucket)
        said = heard.feedback
        voice = Voice(_sentiment_of(said), said.human)
        if live:
            self._heard[voice] = self._heard.get(voice, 0) + 1
        names = _names_of(said.trace_id, said.span_id or "", said.response_id)
        waiting = _Waiting(voice, heard.weight, era, names)
        place = next((place for name in names if (place := self._index.find(name, oldest)) is not None), None)
        if place is None:
            self._wait(waiting)
        else:
            self._join(waiting, place, live=live)
        return True

    def forget(self, oldest_era: int) -> None:
        """Forget what has left the longest window."""
        self._index.forget(oldest_era)
        self._ids.forget(oldest_era // ERAS)
        for number in [number for number, item in self._waiting.items() if item.era < oldest_era]:
            self._leave(number)

    def retain(self, used: Collection[SliceKey]) -> None:
        """Drop the totals of slices that no series uses any more."""
        for key in [key for key in self._joined if key not in used]:
            del self._joined[key]

    def totals(self) -> FeedbackTotals:
        """What was counted so far, in a fixed order."""
        return FeedbackTotals(
            heard=tuple(FeedbackCount(*voice, count) for voice, count in sorted(self._heard.items())),
            joined=tuple(
                JoinedFeedback(key, *voice, *counted)
                for key in sorted(self._joined, key=lambda key: (key.dimension, key.value))
                for voice, counted in sorted(self._joined[key].items())
            ),
            left_out=dict(self._left_out),
        )

    def _leave_out(self, reason: str, *, live: bool) -> bool:
        self._left_out[reason] += live
        return False

    def _wait(self, item: _Waiting) -> None:
        self._number += 1
        self._waiting[self._number] = item
        for name in item.names:
            self._by_name.setdefault(name, {})[self._number] = None
        if len(self._waiting) > self._most_waiting:
            self._leave(next(iter(self._waiting)))
            self._left_out["forgotten"] += 1

    def _leave(self, number: int) -> _Waiting:
        item = self._waiting.pop(number)
        for name in item.names:
            numbers = self._by_name[name]
            del numbers[number]
            if not numbers:
                del self._by_name[name]
        return item

    def _join(self, item: _Waiting, place: Place, *, live: bool) -> None:
        if not live:
            return
        for key in place.slices:
            counted = self._joined.setdefault(key, {})
            count, weight = counted.get(item.voice, (0, 0))
            counted[item.voice] = (count + 1, weight + place.weight * item.weight)


def _names_of(trace_id: str | None, span_id: str, response_id: str | None) -> tuple[int, ...]:
    """By what a request can be found, the surest first."""
    names: Sequence[tuple[str, str]] = (
        ("span", f"{trace_id}\x1f{span_id}" if trace_id and span_id else ""),
        ("trace", trace_id or ""),
        ("reply", response_id or ""),
    )
    return tuple(short(f"{kind}\x1f{name}") for kind, name in names if name)


def _sentiment_of(said: Feedback) -> Sentiment:
    if said.negative is None:
        return Sentiment.UNRATED
    return Sentiment.NEGATIVE if said.negative else Sentiment.POSITIVE
