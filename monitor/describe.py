"""What a configuration would run, for `ragmon check-config`."""

from __future__ import annotations

import asyncio

from monitor import tables
from monitor.anchors import load_anchors
from monitor.building import build_calibrations, build_connection, build_panel, build_source, cascades, self_judging
from monitor.clock import SystemClock
from monitor.config import check_secrets
from monitor.errors import ConfigError
from monitor.promotion import load_promotions
from monitor.settings import Settings


def describe(settings: Settings) -> list[str]:
    """What would run, one line each, for `check-config`. Raises ConfigError, for a wrong address, say."""
    if problems := check_secrets(settings):
        raise ConfigError(problems)
    build_source(build_connection(settings), settings.source, SystemClock()).check()
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
        "the configuration is valid",
        *([f"maps    {maps}, then the conventions"] if maps else []),
        f"reads   {read} from {', '.join(settings.kafka.brokers)} as {source.group}",
        f"samples 1/{sampling.base} of the requests, {budget}; judges: {judges}",
        *(f"asks    {line}" for line in cascades(settings)),
        *(f"labels  {line}" for line in labels),
        *_anchored(settings),
        *(f"warns   {line}" for line in self_judging(settings)),
        f"writes  {topics.verdicts}, {topics.cases}, {topics.dead_letters}; sample set in {settings.dataset.path}",
        f"serves  http://{settings.web.host}:{settings.web.port}/metrics",
    ]


def _anchored(settings: Settings) -> list[str]:
    """What is judged again and again. Raises ConfigError for rows that cannot be."""
    load_promotions(settings.promotions)
    if settings.anchors is None:
        return []
    rows = len(load_anchors(settings.anchors))
    return [f"anchors {rows} rows of {settings.anchors}, every {tables.duration(settings.anchors_every)}"]
