"""Whether agents side by side answer different users, or work on one question together.

A search tells a request by itself: see `requests.py`. What tools give back does not: sub-agents use tools as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.traces.reading import ANSWER, OUTPUT, PROMPT, QUESTION, Role
from monitor.traces.tree import Node

_BEFORE = 8
"""Runs before one that are looked into: a job of thousands hands nothing from each to each."""
_SENTENCE = 20
"""Bytes from which on a text is no word that others would use as well."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What an agent was asked, what it answered (None when it failed), and all that people or programs told it."""

    asked: str
    answered: str | None
    given: Sequence[str]


def are_runs(agents: Sequence[Node]) -> bool:
    """Whether agents side by side are runs of their own: of a batch, a job, a session.

    They are when some use tools, each tells what it was asked and what it answered (but for one that failed), all were
    asked different things, and none was told what one before it had answered, or was asked what that had put down. Else
    they share the work on one question. An earlier answer among the messages of the model itself is only history.
    """
    if len(agents) < 2 or not any(Role.TOOL in agent.roles for agent in agents):  # noqa: PLR2004 - one has none beside it
        return False
    runs: list[_Run] = []
    for agent in sorted(agents, key=lambda agent: agent.order):
        run = _read(agent) if agent.role is Role.CHAIN else None
        if run is None or any(_hands_on(before, run) for before in runs[-_BEFORE:]):
            return False
        runs.append(run)
    return len({run.asked for run in runs}) == len(runs)


def _read(agent: Node) -> _Run | None:
    """None when it does not say what it was asked, or answered; its calls say it where the agent does not."""
    calls = sorted((node for node in agent.subtree() if node.role is Role.MODEL), key=lambda node: node.order)
    told = [message for call in calls for message in call.get(PROMPT) or ()]
    asked = agent.get(QUESTION) or next((one.text for one in told if one.role == "user" and one.text.strip()), "")
    replies = [output.text for call in calls if (output := call.get(OUTPUT)) is not None and output.text.strip()]
    answered = agent.get(ANSWER) or (replies[-1] if replies else None)
    if not asked.strip() or (answered is None and not agent.failed):
        return None
    given = [one.text for one in told if one.role not in {"assistant", "tool"} and one.text]
    return _Run(asked.strip(), None if answered is None else answered.strip(), list(dict.fromkeys([asked, *given])))


def _hands_on(before: _Run, after: _Run) -> bool:
    """Whether one run goes on with what the other one answered."""
    answer = before.answered
    if not answer:
        return False
    if answer == after.asked or (_is_sentence(after.asked) and after.asked in answer):
        return True
    return _is_sentence(answer) and any(answer in text for text in after.given)


def _is_sentence(text: str) -> bool:
    return len(text.encode(errors="replace")) >= _SENTENCE
