"""Who of the LLM judges is asked what, what their limits are worth, which golden files are read, what nobody judges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from monitor.building_judges import evaluations_of
from monitor.config.judges import LlmJudge, ReferenceJudge
from monitor.config.settings import Settings
from monitor.config.values import duration_text
from monitor.judges.limits.allowance import USED
from monitor.judges.limits.outlook import REQUEST_CHARS, Worth, calls_of, worth_of
from monitor.judges.panel import PanelMember
from monitor.judges.reference.golden import read_golden
from monitor.offline.shown import shown

_PERIODS = {60.0: "a minute", 3600.0: "an hour", 86_400.0: "a day"}


def asked(settings: Settings, members: Sequence[PanelMember]) -> Iterator[str]:
    """What each LLM judge is asked, of which requests, and in how many calls; one line each."""
    by_name = {member.judge.name: member for member in members}
    for judge in _llm_judges(settings):
        calls = calls_of(judge)
        what = f"{', '.join(judge.judged)}; {calls} call{'s' if calls > 1 else ''} a request"
        yield f"{judge.name}: {what}, {_who(by_name[judge.name])}"


def _who(member: PanelMember) -> str:
    one = member.cascade
    if one is None:
        return f"{_share(member.one_in)} of the sampled requests"
    return (
        f"{_share(one.one_in)} of the sampled requests of which {one.after} is in doubt ("
        f"{', '.join(sorted(one.evaluations))} {one.band[0]:g} to {one.band[1]:g}, or no verdict), "
        f"{_share(member.one_in)} of the others"
    )


def limited(settings: Settings) -> Iterator[str]:
    """What each limit of each LLM judge is worth, one line each."""
    for judge in _llm_judges(settings):
        for worth in worth_of(judge):
            yield f"{judge.name}: {worth.limit.name} {worth.cap:g}, {_worth(worth, calls_of(judge))}"


def _worth(worth: Worth, calls: int) -> str:
    if math.isinf(worth.requests):
        return "and its calls use nothing of it"
    number = _rounded(worth.requests * calls)
    if worth.requests < 1:
        return "not enough for one request: most of its verdicts will be missing; raise it, or lower max_output_tokens"
    return (
        f"about {number} call{'s' if number > 1 else ''} {_PERIODS[worth.limit.period_s]} in the long run ({USED:.0%} "
        f"of it; {REQUEST_CHARS} characters of content each, whole replies)"
    )


def _rounded(number: float) -> int:
    """Two digits: it is an estimate."""
    whole = math.floor(number)
    return whole if not whole else round(whole, 1 - math.floor(math.log10(whole)))


def golden(settings: Settings) -> Iterator[str]:
    """How many questions each golden file has, whose it is, and which of its fields are for people; one line each."""
    files: dict[Path, list[str]] = {}
    for judge in settings.judges:
        if isinstance(judge, LlmJudge | ReferenceJudge) and judge.golden is not None:
            files.setdefault(judge.golden, []).append(judge.name)
    for file, judges in files.items():
        entries = read_golden(file, "golden")
        wordings = sum(len(entry.wordings) for entry in entries)
        unread = sorted({name for entry in entries for name in entry.unread})
        number = f"{len(entries)} question{'s' if len(entries) > 1 else ''}"
        more = f" in {wordings} wordings" if wordings > len(entries) else ""
        named = ", ".join(shown(name, _SHOWN) for name in unread[:_NAMED]) + (", ..." if len(unread) > _NAMED else "")
        yield f"{number}{more} of {file} ({', '.join(judges)}){f'; not read: {named}' if unread else ''}"


_NAMED = 8
_SHOWN = 40


def not_judged(settings: Settings) -> list[str]:
    """The evaluations of the default panel that no configured judge gives, in one line; nothing without any."""
    given = {name for judge in settings.judges if judge.shadow_of is None for name in evaluations_of(judge)}
    panel = Settings.model_fields["judges"].default
    lacking = [name for judge in panel for name in evaluations_of(judge) if name not in given]
    return [f"not judged: {', '.join(lacking)} (in the default panel)"] if lacking else []


def cut_short(settings: Settings) -> Iterator[str]:
    """The LLM judges whose calls the deadline of a request ends before their own does, one line each."""
    deadline = settings.judging.deadline
    for judge in _llm_judges(settings):
        if judge.total_timeout > deadline:
            given = f"its total_timeout is {duration_text(judge.total_timeout)}"
            yield f"{judge.name}: {given}, but judging.deadline ends its calls after {duration_text(deadline)}"


def _llm_judges(settings: Settings) -> list[LlmJudge]:
    return [judge for judge in settings.judges if isinstance(judge, LlmJudge)]


def _share(one_in: int) -> str:
    return "all" if one_in == 1 else f"1/{one_in}"
