"""Builds the panel of judges from the settings, and refuses judges that cannot or must not judge."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from monitor.calibration import load as load_calibration
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.judges import JudgeSettings
from monitor.config.judges import LlmJudge as LlmSettings
from monitor.config.judges import ReferenceJudge as ReferenceSettings
from monitor.config.judges import ScannerJudge as ScannerSettings
from monitor.config.loading import load_secret
from monitor.config.settings import Settings
from monitor.errors import ConfigError
from monitor.judges.calibrations import Calibrations
from monitor.judges.cascade import Cascade
from monitor.judges.embedded import EmbeddedJudge
from monitor.judges.families import akin
from monitor.judges.limits.outlook import worth_of
from monitor.judges.limits.patience import Patience, Tell
from monitor.judges.llm import LlmJudge
from monitor.judges.panel import Panel, PanelMember
from monitor.judges.reference.judge import ReferenceJudge, build_book
from monitor.judges.reference.references import GivenReferences, Reference
from monitor.judges.scanner import ScannerJudge
from monitor.judges.shadow import ShadowJudge
from monitor.protocols import Clock


def build_panel(
    settings: Settings,
    clock: Clock,
    judges: Sequence[JudgeSettings] | None = None,
    given: Mapping[str, Reference] | None = None,
    tell: Tell | None = None,
) -> Panel:
    """The panel of all configured judges, or of `judges`. Raises ConfigError with every problem.

    `given` are references of requests by trace id; golden files know those of the others. With `tell` remote judges
    wait for an endpoint that takes no call just now, and say so.
    """
    given = {} if given is None else given  # an empty one is filled later
    cascades, problems = _cascades(settings.judges)
    members = []
    for index, judge in enumerate(settings.judges):
        if judges is not None and judge not in judges:
            continue
        try:
            _refuse_own(judge, f"judges[{index}]", settings.service_models)
            _refuse_idle(judge, f"judges[{index}]")
            members.append(_member(judge, f"judges[{index}]", clock, given, tell))
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(problems)
    calibrations = build_calibrations(settings)
    members = [
        replace(member, judge=calibrations.apply(member.judge), cascade=cascades.get(member.judge.name))
        for member in members
    ]
    return Panel(_with_shadows(members, settings.judges), clock)


def _with_shadows(members: Sequence[PanelMember], judges: Sequence[JudgeSettings]) -> list[PanelMember]:
    """The members, and of them those that run beside others as such: they see what both judges' rates let through."""
    beside = {judge.name: judge.shadow_of for judge in judges if judge.shadow_of is not None}
    by_name = {member.judge.name: member for member in members}
    made = []
    for member in members:
        name = beside.get(member.judge.name)
        if name is None:
            made.append(member)
            continue
        incumbent = by_name.get(name, PanelMember(member.judge, 1))
        cascade = incumbent.cascade
        if cascade is not None:
            cascade = replace(cascade, one_in=max(member.one_in, cascade.one_in))
        one_in = max(member.one_in, incumbent.one_in)
        made.append(replace(member, judge=ShadowJudge(member.judge, name), one_in=one_in, cascade=cascade))
    return made


def _cascades(judges: Sequence[JudgeSettings]) -> tuple[dict[str, Cascade], list[str]]:
    """The cascades by the name of the judge that is asked afterwards, and what is wrong with the others."""
    first = {
        judge.name: frozenset(evaluations_of(judge))
        for judge in judges
        if not isinstance(judge, LlmSettings) and judge.shadow_of is None
    }
    made, problems = {}, []
    for index, judge in enumerate(judges):
        if not isinstance(judge, LlmSettings) or judge.cascade is None:
            continue
        asked, where = judge.cascade, f"judges[{index}].cascade"
        common = first.get(asked.after, frozenset()) & frozenset(judge.judged)
        if judge.shadow_of is not None:
            problems.append(f"{where}: a shadow is asked where {judge.shadow_of} is asked; leave it out")
        elif not common:
            able = [name for name, evaluations in first.items() if not evaluations.isdisjoint(judge.judged)]
            known = f"known are {', '.join(able)}" if able else "there is none"
            wanted = f"a local judge of {' or '.join(judge.judged)} whose scores count"
            problems.append(f"{where}.after: {asked.after!r} is not {wanted}; {known}")
        elif asked.uncertain > judge.rate:
            problems.append(f"{where}.uncertain: 1/{asked.uncertain} is less than the rate of the rest, 1/{judge.rate}")
        else:
            made[judge.name] = Cascade(asked.after, common, asked.band, asked.uncertain)
    return made, problems


def build_calibrations(settings: Settings) -> Calibrations:
    """What labels say of the judges. Raises ConfigError with every problem of the files."""
    files, problems = [], []
    for file in settings.calibration_files:
        try:
            files.append((file, load_calibration(file)))
        except ConfigError as error:
            problems += [f"calibration_files: {problem}" for problem in error.problems]
    if problems:
        raise ConfigError(problems)
    return Calibrations(files, settings.judges)


def _refuse_own(judge: JudgeSettings, where: str, service_models: Sequence[str]) -> None:
    """Raise ConfigError for a judge that must not judge a model of the service."""
    if isinstance(judge, LlmSettings) and judge.self_judging == "refuse" and akin([judge.model], service_models):
        problem = (
            f"{where}.model: {judge.model} is of the family of one of the service_models; take another judge, or set "
            "self_judging: mark"
        )
        raise ConfigError([problem])


def _refuse_idle(judge: JudgeSettings, where: str) -> None:
    """Raise ConfigError for a judge under whose limits not one call fits: it would never give a verdict."""
    if not isinstance(judge, LlmSettings):
        return
    problems = [
        f"{where}.{worth.limit.name}: not one call fits into {worth.cap:g}; the smallest may use {worth.least:.2g} "
        "(the instructions, and max_output_tokens of reply): raise the limit, or lower max_output_tokens"
        for worth in worth_of(judge)
        if worth.is_too_small
    ]
    if problems:
        raise ConfigError(problems)


def self_judging(settings: Settings) -> list[str]:
    """The judges that judge a model of their own family, each in one line; `refuse` never comes so far."""
    return [
        f"judge {judge.name} ({judge.model}) is of the family of one of the service_models: it may be kinder to their "
        "answers; its judgements are flagged self_judged"
        for judge in settings.judges
        if isinstance(judge, LlmSettings)
        and judge.self_judging == "mark"
        and akin([judge.model], settings.service_models)
    ]


def _member(
    judge: JudgeSettings, where: str, clock: Clock, given: Mapping[str, Reference], tell: Tell | None
) -> PanelMember:
    match judge:
        case EmbeddedSettings():
            return PanelMember(EmbeddedJudge(judge, clock), 1)
        case ScannerSettings():
            return PanelMember(ScannerJudge(judge, clock), 1)
        case ReferenceSettings():
            book = build_book(judge, where)
            references = GivenReferences(given, book)
            return PanelMember(ReferenceJudge(judge, clock, references, book.digest if book else ""), 1)
        case LlmSettings():
            book = build_book(ReferenceSettings(golden=judge.golden), where)
            made = LlmJudge(
                judge,
                clock,
                api_key=load_secret(judge.api_key, f"{where}.api_key"),
                rng=random.Random(),  # noqa: S311 - jitter and markers, no secrets
                references=GivenReferences(given, book),
                golden=book.digest if book else "",
                patience=Patience(judge.name, tell) if tell is not None else None,
            )
            return PanelMember(made, judge.rate, made if judge.is_limited else None)


def evaluations_of(judge: JudgeSettings) -> tuple[str, ...]:
    """What a configured judge judges."""
    match judge:
        case EmbeddedSettings():
            return EmbeddedJudge.evaluations
        case ScannerSettings():
            return ScannerJudge.evaluations
        case ReferenceSettings():
            return judge.evaluations
        case LlmSettings():
            return judge.judged
