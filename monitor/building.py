"""Builds the parts before the judges from the settings; `app` and `offline` share it."""

from __future__ import annotations

from typing import Literal

from monitor.accounting import Accounting
from monitor.config.loading import load_secret
from monitor.config.settings import Settings, SourceSettings
from monitor.errors import ConfigError
from monitor.kafka_client.connection import KafkaConnection
from monitor.privacy.redactor import Redactor
from monitor.protocols import Clock, DeadLetters
from monitor.sampling.presample import Presample
from monitor.sampling.sampler import Sampler
from monitor.sources.kafka import KafkaSource
from monitor.sources.kafka_events import Count, no_count
from monitor.sources.offsets import OffsetLedger
from monitor.sources.supervisor import SupervisedSource
from monitor.stages.choosing import Chooser
from monitor.stages.extraction import Extraction
from monitor.stages.intake import Intake
from monitor.stages.unread import Unread
from monitor.stages.watch import TrafficWatch
from monitor.traces.assemble import Assembler
from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.decode import make_decoder
from monitor.traces.decode.glance import Glance
from monitor.traces.extract import Extractor
from monitor.traces.mappings import compile_mappings
from monitor.traffic import Traffic


def build_connection(settings: Settings) -> KafkaConnection:
    """The way to the brokers, with its secrets. Raises ConfigError for a missing one."""
    security = settings.kafka.security
    password = load_secret(security.password, "kafka.security.password")
    token = security.token
    if token is None:
        return KafkaConnection(settings.kafka, password)
    # read again at each connection, so that another process may renew it
    return KafkaConnection(settings.kafka, password, lambda: load_secret(token, "kafka.security.token") or "")


def build_source(
    connection: KafkaConnection,
    settings: SourceSettings,
    clock: Clock,
    *,
    dead_letters: DeadLetters | None = None,
    presample: Presample | None = None,
    count: Count = no_count,
) -> SupervisedSource:
    """The source by the client that the settings name. Raises ConfigError when that is not installed."""
    source = _source_type(settings.client)
    return source(connection, settings, clock, dead_letters=dead_letters, presample=presample, count=count)


def _source_type(client: Literal["aiokafka", "librdkafka"]) -> type[SupervisedSource]:
    match client:
        case "aiokafka":
            return KafkaSource
        case "librdkafka":
            try:
                from monitor.sources.librdkafka.source import LibrdkafkaSource  # noqa: PLC0415 - an extra: may be missing
            except ModuleNotFoundError as error:
                if error.name != "confluent_kafka":
                    raise
                problem = "source.client: librdkafka needs the extra: pip install 'ragmon[librdkafka]'"
                raise ConfigError([problem]) from None
            return LibrdkafkaSource


def build_redactor(settings: Settings) -> Redactor:
    """The redactor. Raises ConfigError for a missing pseudonym key."""
    key = load_secret(settings.privacy.pseudonym_key, "privacy.pseudonym_key")
    return Redactor(settings.privacy, key.encode() if key else None)


def build_extractor(settings: Settings) -> Extractor:
    """From traces to requests; mappings of the user come before the conventions."""
    conventions = (*compile_mappings(settings.mappings), *CONVENTIONS)
    return Extractor(settings.assembly, settings.source.own_services, conventions)


def build_intake(settings: Settings, accounting: Accounting, *, encoding: str | None = None) -> Intake:
    """The stages before the judges. Raises ConfigError."""
    decoder = make_decoder(encoding or settings.source.encoding, settings.source.plain_fields)
    glance = Glance(decoder, settings.source.plain_key)
    feedback = settings.source.plain_fields.get("feedback", "feedback")
    sampler = Sampler(settings.sampling)
    assembler, ledger = Assembler(settings.assembly), OffsetLedger()
    chooser = Chooser(sampler, build_redactor(settings), accounting)
    watch = TrafficWatch(settings.traffic, Traffic(settings.board.slice_values), glance, settings.source.own_services)
    return Intake(
        decoder=decoder,
        assembler=assembler,
        extraction=Extraction(build_extractor(settings), chooser, assembler, ledger, accounting, watch),
        chooser=chooser,
        presample=Presample(sampler.presample_threshold),
        ledger=ledger,
        accounting=accounting,
        watch=watch,
        unread=Unread(settings.assembly.quiet),
        feedback_key=feedback.rpartition(".")[2].encode(),
        most_bytes=settings.assembly.max_bytes,
        poison_stop_ratio=settings.source.poison_stop_ratio,
    )
