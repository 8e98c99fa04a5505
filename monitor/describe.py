"""What a configuration would run, for `ragmon check-config`."""

from __future__ import annotations

import asyncio

from monitor.anchors import load_anchors
from monitor.building import build_connection, build_source
from monitor.building_judges import build_calibrations, build_panel, self_judging
from monitor.clock import SystemClock
from monitor.config import check_secrets
from monitor.describe_judges import asked, limited, not_judged
from monitor.judge_settings import LlmJudge
from monitor.kafka_client.connection import KafkaConnection
from monitor.mapping import unread_fields
from monitor.promotion import load_promotions
from monitor.setting_types import duration_text
from monitor.settings import Settings

_ANY = "not-looked-at"
"""Stands for the secrets of the brokers where they are not there."""


def check(settings: Settings, *, secrets: bool = True) -> tuple[list[str], list[str]]:
    """What would run, one line each, and what is wrong with the secrets; they are not looked at without `secrets`.

    The lines are there without the secrets, too. Raises ConfigError for all else that is wrong, an address, say.
    """
    if not secrets:
        return ["the configuration is valid; its secrets were not looked at", *describe(settings, secrets=False)], []
    if problems := check_secrets(settings):
        head = f"the configuration is valid, but for the secrets ({len(problems)} missing)"
        return [head, *describe(settings, secrets=False)], problems
    return ["the configuration is valid", *describe(settings)], []


def describe(settings: Settings, *, secrets: bool = True) -> list[str]:
    """What would run, one line each. Raises ConfigError. Without `secrets` none is read."""
    if secrets:
        connection = build_connection(settings)
    else:
        connection, settings = KafkaConnection(settings.kafka, _ANY, lambda: _ANY), _without_keys(settings)
    build_source(connection, settings.source, SystemClock()).check()
    panel = build_panel(settings, SystemClock())
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
        *(f"labels  {line}" for line in labels),
        *_anchored(settings),
        *(
            f"warns   {line}"
            for line in (*self_judging(settings), *not_judged(settings), *unread_fields(settings.mappings))
        ),
        f"writes  {topics.verdicts}, {topics.cases}, {topics.dead_letters}; sample set in {settings.dataset.path}",
        f"serves  http://{settings.web.host}:{settings.web.port}/metrics",
    ]


def _without_keys(settings: Settings) -> Settings:
    judges = (
        judge.model_copy(update={"api_key": None}) if isinstance(judge, LlmJudge) else judge
        for judge in settings.judges
    )
    return settings.model_copy(update={"judges": tuple(judges)})


def _anchored(settings: Settings) -> list[str]:
    """What is judged again and again. Raises ConfigError for rows that cannot be."""
    load_promotions(settings.promotions)
    if settings.anchors is None:
        return []
    rows = len(load_anchors(settings.anchors))
    again = sum(bool(line.strip()) for line in settings.anchors.read_bytes().splitlines()) - rows
    left_out = f" ({again} duplicates left out)" if again else ""
    return [f"anchors {rows} rows{left_out} of {settings.anchors}, every {duration_text(settings.anchors_every)}"]
