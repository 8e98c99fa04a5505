"""`ragmon judge promote`: a candidate takes the place of its incumbent, on the word of a comparison.

It writes one line to the promotions file and prints what to change. The configuration stays the operator's: it is not
rewritten.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import yaml

from monitor.building_judges import evaluations_of
from monitor.clock import SystemClock
from monitor.config.judges import LlmJudge
from monitor.config.settings import Settings
from monitor.config.yaml_file import read_yaml
from monitor.errors import InputError, RagmonError
from monitor.offline import OK
from monitor.offline.compare import Rivals, configured_prints, rivals_of
from monitor.offline.figures import estimate
from monitor.offline.when import iso
from monitor.promotion import (
    VERSION,
    Prints,
    Promotion,
    Replaced,
    Report,
    encode_promotion,
    load_report,
    objections,
    replaced,
)

DEFAULT = "promotions.jsonl"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for. `beside`: the judge whose place it takes, where `shadow_of` does not say it."""

    candidate: str
    beside: str | None
    comparison: Path | None
    config: Path


def main(wanted: Wanted, settings: Settings, stdout: TextIO, *, force: bool) -> int:
    """Check, record, print. Raises InputError with every objection; nothing is recorded then."""
    rivals = rivals_of(wanted.candidate, wanted.beside, settings)
    now = configured_prints(rivals, settings)
    report = load_report(wanted.comparison) if wanted.comparison else None
    found = _objections(wanted, report, rivals, now)
    if found and not force:
        raise InputError("\n".join([*found, "not promoted; --force promotes all the same, and is recorded"]))
    promotion = Promotion(
        version=VERSION,
        made=iso(SystemClock().now_ns()),
        incumbent=rivals.incumbent.name,
        candidate=rivals.candidate.name,
        forced=bool(found),
        objections=tuple(found),
        replaced=replaced(report, now),
    )
    file = settings.promotions or wanted.config.parent / DEFAULT
    _append(file, encode_promotion(promotion))
    warnings = [f"warning: {line}" for line in _left_behind(rivals, settings)]
    told = [*_told(promotion), f"recorded in {file}", *warnings, *_change(wanted.config, rivals, settings, file)]
    stdout.writelines(f"{line}\n" for line in told)
    return OK


def _objections(wanted: Wanted, report: Report | None, rivals: Rivals, now: Mapping[str, Prints]) -> list[str]:
    """What speaks against it, each in one line."""
    incumbent, candidate = rivals.incumbent.name, rivals.candidate.name
    lost = [name for name in evaluations_of(rivals.incumbent) if name not in rivals.evaluations]
    found = [f"{candidate} does not give {', '.join(lost)}, which {incumbent} gives"] if lost else []
    if report is None:
        how = f"ragmon judge compare {candidate} ROWS -c {wanted.config} --out comparison.json"
        return [*found, f"{candidate} was not compared with {incumbent}: give --comparison FILE, made by `{how}`"]
    told = objections(report, incumbent, candidate, now)
    return [*found, *(f"{wanted.comparison}: {one}" for one in told)]


def _append(file: Path, line: bytes) -> None:
    """Add a line, durably. Raises RagmonError."""
    try:
        with file.open("ab") as out:
            out.write(line)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise RagmonError(f"{file}: cannot be written ({error.strerror}); nothing is promoted") from None


def _told(promotion: Promotion) -> list[str]:
    forced = ", by --force" if promotion.forced else ""
    head = f"{promotion.candidate} takes the place of {promotion.incumbent}{forced}"
    return [head, *map(_line, promotion.replaced), *(f"  in spite of: {told}" for told in promotion.objections)]


def _line(one: Replaced) -> str:
    series = f"  {one.evaluation}: a new series, {one.incumbent} -> {one.candidate}"
    if one.difference is None:
        return f"{series}; never compared"
    return f"{series}; the mean changes by {estimate(one.difference, '+')}, {one.pairs} pairs"


def _change(config: Path, rivals: Rivals, settings: Settings, file: Path) -> list[str]:
    """The lines of the configuration as they are to be."""
    content = read_yaml(config)
    judges = [_judge(judge, rivals) for judge in content.get("judges", ())]
    changed: dict[str, Any] = {"judges": [judge for judge in judges if judge is not None]}
    if settings.promotions is None:
        changed["promotions"] = os.path.relpath(file, config.parent)
    text = yaml.safe_dump(changed, sort_keys=False, allow_unicode=True, width=100)
    return [f"change in {config}:", "", *text.splitlines()]


def _left_behind(rivals: Rivals, settings: Settings) -> list[str]:
    """What the configuration says that does not fit a judge whose scores count, one line each."""
    incumbent, candidate = rivals.incumbent, rivals.candidate
    told = []
    share, before = (judge.rate if isinstance(judge, LlmJudge) else 1 for judge in (candidate, incumbent))
    if share > before:
        told.append(
            f"{candidate.name} keeps its rate: it judges 1/{share} of the sampled requests, of which {incumbent.name} "
            f"judged {'all' if before == 1 else f'1/{before}'}; change `rate` where that is too few"
        )
    told += [
        f"{judge.name}: cascade.after names {incumbent.name}, which goes; name another local judge, or leave it out"
        for judge in settings.judges
        if isinstance(judge, LlmJudge) and judge.cascade is not None and judge.cascade.after == incumbent.name
    ]
    if isinstance(incumbent, LlmJudge) and incumbent.cascade is not None:
        told.append(f"the cascade of {incumbent.name} goes with it: give {candidate.name} one where it is wanted")
    return told


def _judge(judge: object, rivals: Rivals) -> object:
    """A judge of the file as it is to be; None for the one that goes."""
    if not isinstance(judge, dict):
        return judge
    name = judge.get("name", judge.get("type"))
    if name == rivals.incumbent.name:
        return None
    if name == rivals.candidate.name or judge.get("shadow_of") == rivals.incumbent.name:
        return {key: value for key, value in judge.items() if key != "shadow_of"} | (
            {} if name == rivals.candidate.name else {"shadow_of": rivals.candidate.name}
        )
    return judge
