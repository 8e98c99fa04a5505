"""What single fields of the settings cannot see: names used twice, parts that need each other, topics in a circle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from monitor.judge_settings import JudgeSettings, LlmJudge
from monitor.prices import price_of
from monitor.settings import KafkaSecurity, Settings

_BROKER = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_LAST_PORT = 65535


def contradictions(settings: Settings) -> list[str]:
    """What is wrong with valid settings, one line each, with its path and the way to mend it; empty when nothing is."""
    problems = _broker_problems(settings.kafka.brokers) + _security_problems(settings.kafka.security)
    if settings.source.pattern is not None:
        try:
            re.compile(settings.source.pattern)
        except re.error as error:
            problems.append(f"source.pattern: is not a regular expression: {error}")
    elif not settings.source.topics:
        problems.append("source.topics: name at least one topic, or give source.pattern")
    for section in ("judges", "mappings"):
        names = [one.name for one in getattr(settings, section)]
        twice = sorted({name for name in names if names.count(name) > 1})
        problems += [f"{section}: the name {name!r} is used twice" for name in twice]
    problems += _judge_problems(settings.judges)
    if settings.anchors is not None and settings.anchors_every * 2 > max(settings.board.windows):
        problems.append(
            "anchors_every: must be at most half of the longest of board.windows, as far as the verdict topic is read "
            "back at a start"
        )
    written = (settings.topics.verdicts, settings.topics.cases, settings.topics.dead_letters)
    if len(set(written)) < len(written):
        problems.append("topics: verdicts, cases and dead_letters must be three different topics")
    if settings.source.pattern is None and set(written) & set(settings.source.topics):
        problems.append("source.topics: ragmon would read what it writes; see topics")
    return problems


def _judge_problems(judges: Sequence[JudgeSettings]) -> list[str]:
    problems = _shadow_problems(judges)
    for index, judge in enumerate(judges):
        if not isinstance(judge, LlmJudge):
            continue
        where = f"judges[{index}]"
        twice = sorted({name for name in judge.judged if judge.judged.count(name) > 1})
        problems += [f"{where}: {name!r} is judged twice; give each evaluation and criterion once" for name in twice]
        if not judge.judged and not judge.criteria_files:
            problems.append(f"{where}.evaluations: name at least one, or give criteria")
        problems += _price_problems(judge, where)
    return problems


def _shadow_problems(judges: Sequence[JudgeSettings]) -> list[str]:
    """A shadow runs beside a judge whose scores count."""
    counting = [judge.name for judge in judges if judge.shadow_of is None]
    known = ", ".join(counting) or "none"
    return [
        f"judges[{index}].shadow_of: {judge.shadow_of!r} is no judge whose scores count; known are {known}"
        for index, judge in enumerate(judges)
        if judge.shadow_of is not None and judge.shadow_of not in counting
    ]


def _price_problems(judge: LlmJudge, where: str) -> list[str]:
    """A limit of money needs to know what is spent."""
    caps = [name for name in ("cost_per_hour", "cost_per_day") if getattr(judge, name) is not None]
    if not caps:
        return []
    if (judge.input_price is None) != (judge.output_price is None):
        return [f"{where}.{caps[0]}: needs both input_price and output_price, not one of them"]
    if price_of(judge.price_table, judge.model):
        return []
    entry = f"{{{judge.model}: {{input: ..., output: ...}}}}"
    return [
        f"{where}.{caps[0]}: nothing prices model {judge.model!r}; give `prices: {entry}`, 0 where it costs nothing"
    ]


def _broker_problems(brokers: Sequence[str]) -> list[str]:
    return [
        f"kafka.brokers[{index}]: {broker!r} is no address; write host:port, such as localhost:9092"
        for index, broker in enumerate(brokers)
        if not is_broker(broker)
    ]


def is_broker(text: str) -> bool:
    """Whether a text is `host:port`; an IPv6 address stands in brackets."""
    match = _BROKER.fullmatch(text)
    return match is not None and 0 < int(match[1]) <= _LAST_PORT


def _security_problems(security: KafkaSecurity) -> list[str]:
    where, problems = "kafka.security", []
    if security.protocol.startswith("sasl"):
        if security.mechanism == "oauthbearer" and security.token is None:
            problems.append(f"{where}.token: is required for oauthbearer")
        if security.mechanism in {"plain", "scram-sha-256", "scram-sha-512"}:
            problems += [
                f"{where}.{name}: is required for {security.mechanism}"
                for name in ("username", "password")
                if getattr(security, name) is None
            ]
    if (security.cert_file is None) != (security.key_file is None):
        problems.append(f"{where}: give both cert_file and key_file, or neither")
    for name in ("ca_file", "cert_file", "key_file"):
        file: Path | None = getattr(security, name)
        if file is not None and not file.is_file():
            problems.append(f"{where}.{name}: {file} is not a file")
    return problems
