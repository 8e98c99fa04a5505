"""What a configuration would run, for `ragmon check-config`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from monitor.building import build_connection, build_source
from monitor.building_judges import build_calibrations, build_panel, self_judging
from monitor.clock import SystemClock
from monitor.config.cautions import shared_with_another
from monitor.config.judges import LlmJudge
from monitor.config.loading import check_secrets
from monitor.config.mapping import unread_fields
from monitor.config.settings import Settings
from monitor.config.values import duration_text
from monitor.errors import ConfigError
from monitor.judges.panel import Panel
from monitor.kafka_client.connection import KafkaConnection
from monitor.offline.check_config_judges import asked, cut_short, golden, limited, not_judged
from monitor.promotion import load_promotions
from monitor.stages.anchors import load_anchors

T = TypeVar("T")

_ANY = "not-looked-at"
"""Stands for the secrets of the brokers where they are not there."""


def check(settings: Settings, *, secrets: bool = True) -> tuple[list[str], list[str]]:
    """What would run, one line each, and what is wrong with the secrets; they are not looked at without `secrets`.

    The lines are there without the secrets, too. Raises ConfigError, with the secrets in it, when something else is
    wrong, an address, say.
    """
    missing = check_secrets(settings) if secrets else []
    try:
        lines = describe(settings, secrets=secrets and not missing)
    except ConfigError as error:
        raise ConfigError([*missing, *error.problems]) from None
    head = "the configuration is valid"
    if not secrets:
        head += "; its secrets were not looked at"
    if missing:
        head += f", but for the secrets ({len(missing)} missing)"
    return [head, *lines], missing


def describe(settings: Settings, *, secrets: bool = True) -> list[str]:
    """What would run, one line each. Raises ConfigError with all that is wrong. Without `secrets` none is read."""
    if secrets:
        connection = build_connection(settings)
    else:
        connection, settings = KafkaConnection(settings.kafka, _ANY, lambda: _ANY), _without_keys(settings)
    panel, anchors = _built(connection, settings)
    labels = build_calibrations(settings).described([member.judge for member in panel.members])
    asyncio.run(panel.close())
    source, sampling, topics = settings.source, settings.sampling, settings.topics
    read = source.pattern or ", ".join(source.topics)
    beside = {judge.name: f", beside {judge.shadow_of}" for judge in settings.judges if judge.shadow_of}
    judges = ", ".join(f"{judge.name} ({judge.type}{beside.get(judge.name, '')})" for judge in settings.judges)
    budget = f"{sampling.budget_per_minute:g} a minute at most" if sampling.budget_per_minute else "no budget"
    maps = ", ".join(f"{one.name}@{one.version} ({len(one.spans)} kinds of spans)" for one in settings.mappings)
    return [
        *([f"maps    {maps}, then the conventions"] if maps else []),
        f"reads   {read} from {', '.join(settings.kafka.brokers)} as {source.group}",
        f"samples 1/{sampling.base} of the requests, {budget}; judges: {judges}",
        *(f"asks    {line}" for line in asked(settings, panel.members)),
        *(f"limits  {line}" for line in limited(settings)),
        *(f"golden  {line}" for line in golden(settings)),
        *(f"labels  {line}" for line in labels),
        *anchors,
        *(
            f"warns   {line}"
            for line in (
                *shared_with_another(settings),
                *self_judging(settings),
                *not_judged(settings),
                *cut_short(settings),
                *unread_fields(settings.mappings),
            )
        ),
        f"writes  {topics.verdicts}, {topics.cases}, {topics.dead_letters}; sample set in {settings.dataset.path}",
        f"serves  http://{settings.web.host}:{settings.web.port}/metrics",
    ]


def _built(connection: KafkaConnection, settings: Settings) -> tuple[Panel, list[str]]:
    """The panel, and what is said of the anchors; raises ConfigError with what is wrong with any part."""
    problems: list[str] = []

    def tried(build: Callable[[], T]) -> T | None:
        try:
            return build()
        except ConfigError as error:
            problems.extend(problem for problem in error.problems if problem not in problems)
            return None

    tried(lambda: build_source(connection, settings.source, SystemClock()).check())
    panel = tried(lambda: build_panel(settings, SystemClock()))
    tried(lambda: build_calibrations(settings))
    tried(lambda: load_promotions(settings.promotions))
    anchors = tried(lambda: _anchored(settings))
    if panel is not None and anchors is not None and not problems:
        return panel, anchors
    if panel is not None:
        asyncio.run(panel.close())
    raise ConfigError(problems)


def _without_keys(settings: Settings) -> Settings:
    judges = (
        judge.model_copy(update={"api_key": None}) if isinstance(judge, LlmJudge) else judge
        for judge in settings.judges
    )
    return settings.model_copy(update={"judges": tuple(judges)})


def _anchored(settings: Settings) -> list[str]:
    """What is judged again and again. Raises ConfigError for rows that cannot be."""
    if settings.anchors is None:
        return []
    rows = len(load_anchors(settings.anchors))
    again = sum(bool(line.strip()) for line in settings.anchors.read_bytes().splitlines()) - rows
    left_out = f" ({again} duplicates left out)" if again else ""
    return [f"anchors {rows} rows{left_out} of {settings.anchors}, every {duration_text(settings.anchors_every)}"]
