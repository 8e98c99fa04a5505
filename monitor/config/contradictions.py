"""What single options of the settings cannot see: names used twice, parts that need each other, topics in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from monitor.config.judges import JudgeSettings, LlmJudge
from monitor.config.prices import price_of
from monitor.config.settings import KafkaSecurity, Settings

_BROKER = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_LAST_PORT = 65535
_OF_TLS = ("ca_file", "cert_file", "key_file")
_OF_SASL = ("username", "password", "token")


class _Found(NamedTuple):
    """What a person reads, with the path and the way to mend it, and the paths of all options that it rests on."""

    text: str
    options: tuple[str, ...]


def contradictions(settings: Settings, wrong: Sequence[str] = ()) -> list[str]:
    """What is wrong with options that are valid one by one, one line each; empty when nothing is.

    `wrong` are the paths of options that were wrong by themselves: what rests on one of these is not told.
    """
    return [
        found.text
        for found in _all(settings)
        if not any(_is_part(one, other) or _is_part(other, one) for one in found.options for other in wrong)
    ]


def _is_part(inner: str, outer: str) -> bool:
    """Whether a path is that of an option, a section or an item, or leads into it."""
    return inner == outer or inner.startswith((f"{outer}.", f"{outer}["))


def _all(settings: Settings) -> Iterator[_Found]:
    yield from _broker_problems(settings.kafka.brokers)
    yield from _security_problems(settings.kafka.security)
    yield from _topic_problems(settings)
    yield from _names_twice("judges", [judge.name for judge in settings.judges])
    yield from _names_twice("mappings", [mapping.name for mapping in settings.mappings])
    yield from _shadow_problems(settings.judges)
    for index, judge in enumerate(settings.judges):
        if isinstance(judge, LlmJudge):
            yield from _judged_problems(judge, f"judges[{index}]")
            yield from _price_problems(judge, f"judges[{index}]")
    yield from _time_problems(settings)


# ------------------------------------------------------------------------------------------------------------- Kafka


def _broker_problems(brokers: Sequence[str]) -> Iterator[_Found]:
    for index, broker in enumerate(brokers):
        if not is_broker(broker):
            where = f"kafka.brokers[{index}]"
            yield _Found(f"{where}: {broker!r} is no address; write host:port, such as localhost:9092", (where,))


def is_broker(text: str) -> bool:
    """Whether a text is `host:port`; an IPv6 address stands in brackets."""
    match = _BROKER.fullmatch(text)
    return match is not None and 0 < int(match[1]) <= _LAST_PORT


def _security_problems(security: KafkaSecurity) -> Iterator[_Found]:
    def found(name: str, text: str, *others: str) -> _Found:
        where = "kafka.security"
        return _Found(f"{where}.{name}: {text}", tuple(f"{where}.{option}" for option in (name, *others)))

    given = {name for name in (*_OF_TLS, *_OF_SASL) if getattr(security, name) is not None}
    if security.protocol.startswith("sasl"):
        for name in _needed_by(security.mechanism):
            if name not in given:
                yield found(name, f"is required for {security.mechanism}", "protocol", "mechanism")
    for names, protocols in ((_OF_TLS, ("ssl", "sasl_ssl")), (_OF_SASL, ("sasl_ssl", "sasl_plaintext"))):
        if security.protocol not in protocols and (useless := next((name for name in names if name in given), None)):
            wanted = f"set kafka.security.protocol to {' or '.join(protocols)}, or leave it out"
            yield found(useless, f"has no effect with protocol {security.protocol}; {wanted}", "protocol")
    if ("cert_file" in given) != ("key_file" in given):
        text = "kafka.security: give both cert_file and key_file, or neither"
        yield _Found(text, ("kafka.security.cert_file", "kafka.security.key_file"))
    for name in _OF_TLS:
        file: Path | None = getattr(security, name)
        if file is not None and not file.is_file():
            yield found(name, f"{file} is not a file")


def _needed_by(mechanism: str) -> tuple[str, ...]:
    """The options that a SASL mechanism needs."""
    match mechanism:
        case "oauthbearer":
            return ("token",)
        case "gssapi":
            return ()
        case _:
            return ("username", "password")


def _topic_problems(settings: Settings) -> Iterator[_Found]:
    source, topics = settings.source, settings.topics
    of_ours = ("topics.verdicts", "topics.cases", "topics.dead_letters")
    written = (topics.verdicts, topics.cases, topics.dead_letters)
    if len(set(written)) < len(written):
        yield _Found("topics: verdicts, cases and dead_letters must be three different topics", of_ours)
    if source.pattern is not None:
        yield from _pattern_problems(source.pattern, written, of_ours)
    elif not source.topics:
        text = "source.topics: name at least one topic, or give source.pattern"
        yield _Found(text, ("source.topics", "source.pattern"))
    elif set(written) & set(source.topics):
        text = "source.topics: ragmon would read what it writes; see topics"
        yield _Found(text, ("source.topics", "source.pattern", *of_ours))
    if source.group == settings.dataset.group:
        text = "dataset.group: must be another consumer group than source.group, as it reads another topic"
        yield _Found(text, ("dataset.group", "source.group"))


def _pattern_problems(pattern: str, written: Iterable[str], of_ours: Sequence[str]) -> Iterator[_Found]:
    try:
        read = [topic for topic in written if re.match(pattern, topic)]  # as the clients match it
    except re.error as error:
        yield _Found(f"source.pattern: is not a regular expression: {error}", ("source.pattern",))
        return
    if read:
        text = f"source.pattern: matches {', '.join(read)}: ragmon would read what it writes; see topics"
        yield _Found(text, ("source.pattern", *of_ours))


# ------------------------------------------------------------------------------------------------------------- judges


def _names_twice(section: str, names: Sequence[str]) -> Iterator[_Found]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        places = tuple(f"{section}[{index}].name" for index, one in enumerate(names) if one == name)
        yield _Found(f"{section}: the name {name!r} is used twice", places)


def _shadow_problems(judges: Sequence[JudgeSettings]) -> Iterator[_Found]:
    """A shadow runs beside a judge whose scores count."""
    counting = [judge.name for judge in judges if judge.shadow_of is None]
    known = ", ".join(counting) or "none"
    rests_on = tuple(f"judges[{index}].{name}" for index in range(len(judges)) for name in ("name", "shadow_of"))
    for index, judge in enumerate(judges):
        if judge.shadow_of is not None and judge.shadow_of not in counting:
            text = f"{judge.shadow_of!r} is no judge whose scores count; known are {known}"
            yield _Found(f"judges[{index}].shadow_of: {text}", rests_on)


def _judged_problems(judge: LlmJudge, where: str) -> Iterator[_Found]:
    rests_on = tuple(f"{where}.{name}" for name in ("evaluations", "criteria", "criteria_files"))
    for name in sorted({name for name in judge.judged if judge.judged.count(name) > 1}):
        yield _Found(f"{where}: {name!r} is judged twice; give each evaluation and criterion once", rests_on)
    if not judge.judged and not judge.criteria_files:
        yield _Found(f"{where}.evaluations: name at least one, or give criteria", rests_on)


def _price_problems(judge: LlmJudge, where: str) -> Iterator[_Found]:
    """A limit of money needs to know what is spent."""
    caps = [name for name in ("cost_per_hour", "cost_per_day") if getattr(judge, name) is not None]
    if not caps:
        return
    rests_on = tuple(f"{where}.{name}" for name in (*caps, "model", "prices", "input_price", "output_price"))
    if (judge.input_price is None) != (judge.output_price is None):
        yield _Found(f"{where}.{caps[0]}: needs both input_price and output_price, not one of them", rests_on)
    elif not price_of(judge.price_table, judge.model):
        entry = f"{{{judge.model}: {{input: ..., output: ...}}}}"
        text = f"nothing prices model {judge.model!r}; give `prices: {entry}`, 0 where it costs nothing"
        yield _Found(f"{where}.{caps[0]}: {text}", rests_on)


# ------------------------------------------------------------------------------------------------------------- times


def _time_problems(settings: Settings) -> Iterator[_Found]:
    if settings.assembly.quiet > settings.assembly.timeout:
        yield _Found(
            "assembly.quiet: must be at most assembly.timeout, after which a trace is taken as it is, however quiet",
            ("assembly.quiet", "assembly.timeout"),
        )
    if settings.kafka.request_timeout > settings.source.stall_after:
        yield _Found(
            "kafka.request_timeout: must be at most source.stall_after, or one slow answer has the client rebuilt",
            ("kafka.request_timeout", "source.stall_after"),
        )
    if settings.anchors is not None and settings.anchors_every * 2 > max(settings.board.windows):
        yield _Found(
            "anchors_every: must be at most half of the longest of board.windows, as far as the verdict topic is read "
            "back at a start",
            ("anchors", "anchors_every", "board.windows"),
        )
