"""Joins the sample set with the feedback beside it: all that was said of a case, however late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

_SHOWN = ("name", "score", "label", "comment", "negative", "human", "given_ns", "feedback_id")
_SAID = ("name", "score", "label", "comment", "negative", "human")
_KEYS = ("trace_id", "request_id", "response_id")
CASE_COLUMNS = ("case_id", "judged_ns", *_KEYS)
"""What of a case is needed to find the feedback on it."""

Row = Mapping[str, Any]
_Name = tuple[str, object]


class FeedbackOfCases:
    """Feedback by the case that it speaks of.

    As on the board: by trace and span, else by trace, else by response id; of several cases that could be meant the one
    that was judged first, so that each feedback is on one case.
    """

    def __init__(self, feedback: Iterable[Row], cases: Iterable[Row]) -> None:
        """`cases` need the columns `CASE_COLUMNS` only."""
        owners: dict[_Name, tuple[int, str]] = {}
        for case in cases:
            owner = (case.get("judged_ns") or 0, case["case_id"])
            for name in _names(*(case.get(key) for key in _KEYS)):
                owners[name] = min(owners.get(name, owner), owner)
        self._said: dict[str, list[Row]] = {}
        self.total = 0
        self.joined: Counter[str] = Counter()
        """What is joined with a case, by `negative`, `positive` and `unrated`."""
        for said in feedback:
            self.total += 1
            names = _names(said["trace_id"], said["span_id"], said["response_id"])
            meant = next((owners[name][1] for name in names if name in owners), None)
            if meant is not None:
                self._said.setdefault(meant, []).append(said)
                self.joined[sentiment_of(said)] += 1

    def complete(self, case: Row) -> dict[str, Any]:
        """The case with all feedback on it: what came with it first, then by the time when it was given."""
        inline = [{**dict.fromkeys(_SHOWN), **said} for said in case["feedback"] or ()]
        known = {_words(said) for said in inline}
        # a span of the trace that was delivered again, after the trace was closed, says nothing new
        late = [
            said
            for said in self._said.get(case["case_id"], ())
            if said["carrier_trace_id"] or _words(said) not in known
        ]
        late.sort(key=lambda said: (said["given_ns"] or 0, said["feedback_id"]))
        return {**case, "feedback": [*inline, *({key: said[key] for key in _SHOWN} for said in late)]}


def _names(trace_id: str | None, span_id: str | None, response_id: str | None) -> list[_Name]:
    """By what a case can be found, the surest first."""
    named: list[_Name] = [("span", (trace_id, span_id))] if trace_id and span_id else []
    named += [("trace", trace_id)] if trace_id else []
    return [*named, ("reply", response_id)] if response_id else named


def sentiment_of(said: Row) -> str:
    """`negative`, `positive` or `unrated`."""
    return {True: "negative", False: "positive"}.get(said["negative"], "unrated")


def _words(said: Row) -> tuple[object, ...]:
    return tuple(said[key] for key in _SAID)
