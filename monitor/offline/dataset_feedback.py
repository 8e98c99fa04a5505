"""Joins the sample set with the feedback beside it: all that was said of a case, however late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_SHOWN = ("name", "score", "label", "comment", "negative", "human", "given_ns", "feedback_id")
_SAID = ("name", "score", "label", "comment", "negative", "human")
_KEYS = ("trace_id", "request_id", "response_id")

Row = Mapping[str, Any]


class FeedbackOfCases:
    """Feedback by the case that it speaks of.

    As on the board: by trace and span, else by trace, else by response id. What speaks of a trace with several cases is
    given to each of them.
    """

    def __init__(self, feedback: Iterable[Row], cases: Iterable[Row]) -> None:
        """`cases` need the columns trace_id, request_id and response_id only."""
        spans, traces, replies = set(), set(), set()
        for case in cases:
            trace_id, request_id, response_id = (case.get(key) for key in _KEYS)
            spans.add((trace_id, request_id))
            traces.add(trace_id)
            replies.add(response_id)
        self._said: dict[tuple[str, object], list[Row]] = {}
        self.total = 0
        self.joined: Counter[str] = Counter()
        """What is joined with a case, by `negative`, `positive` and `unrated`."""
        for said in feedback:
            self.total += 1
            span = (said["trace_id"], said["span_id"])
            if said["span_id"] and span in spans:
                place: tuple[str, object] = ("span", span)
            elif said["trace_id"] and said["trace_id"] in traces:
                place = ("trace", said["trace_id"])
            elif said["response_id"] and said["response_id"] in replies:
                place = ("reply", said["response_id"])
            else:
                continue
            self._said.setdefault(place, []).append(said)
            self.joined[sentiment_of(said)] += 1

    def complete(self, case: Row) -> dict[str, Any]:
        """The case with all feedback on it: what came with it first, then by the time when it was given."""
        inline = [{**dict.fromkeys(_SHOWN), **said} for said in case["feedback"] or ()]
        known = {_words(said) for said in inline}
        # a span of the trace that was delivered again, after the trace was closed, says nothing new
        late = [said for said in self._of(case) if said["carrier_trace_id"] or _words(said) not in known]
        late.sort(key=lambda said: (said["given_ns"] or 0, said["feedback_id"]))
        return {**case, "feedback": [*inline, *({key: said[key] for key in _SHOWN} for said in late)]}

    def _of(self, case: Row) -> Iterator[Row]:
        trace_id, request_id, response_id = (case.get(key) for key in _KEYS)
        yield from self._said.get(("span", (trace_id, request_id)), ())
        yield from self._said.get(("trace", trace_id), ())
        if response_id:
            yield from self._said.get(("reply", response_id), ())


def sentiment_of(said: Row) -> str:
    """`negative`, `positive` or `unrated`."""
    return {True: "negative", False: "positive"}.get(said["negative"], "unrated")


def _words(said: Row) -> tuple[object, ...]:
    return tuple(said[key] for key in _SAID)
