"""What limits did to the judges of files: they hold there as they would in live traffic."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.operational import JudgeLoad
from monitor.records import Outcome, Verdict


def spending(loads: Sequence[JudgeLoad], verdicts: Sequence[Verdict], sampled: int) -> list[str]:
    """A line for each judge with a limit: what it was asked of the `sampled` requests, and what it spent of each limit.

    What a limit left out at the last moment (`skipped`) was not asked.
    """
    return [_line(load, [one for one in verdicts if one.judge == load.judge], sampled) for load in loads if load.limits]


def _line(load: JudgeLoad, verdicts: Sequence[Verdict], sampled: int) -> str:
    asked = [verdict for verdict in verdicts if verdict.outcome is not Outcome.SKIPPED]
    requests = len({(verdict.trace_id, verdict.request_id) for verdict in asked})
    weights = [verdict.weight for verdict in asked]
    stands = f"each stands for {_range(weights)}, " if weights else ""
    spent = ", ".join(f"{fill.used:.4g} of {fill.limit} {fill.cap:g}" for fill in load.limits)
    return f"{load.judge} was asked about {requests} of {sampled} requests, {stands}spent {spent}"


def _range(weights: Sequence[int]) -> str:
    least, most = min(weights), max(weights)
    return f"{least} to {most}" if most > least else str(most)
