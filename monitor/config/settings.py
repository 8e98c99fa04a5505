"""The settings: frozen, each with its unit, range and default; `monitor/config/loading.py` loads them.

Every field's description is what `docs/configuration.md` prints. Durations are seconds, or text such as `90s`, `5m`,
`24h`, `7d`. Rates are `1/k` so that weights are whole numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from monitor.config.judges import EmbeddedJudge, JudgeSettings, ScannerJudge
from monitor.config.mapping import TracerMapping
from monitor.config.plain_paths import plain_path_problem
from monitor.config.section import Section
from monitor.config.values import OneIn, Seconds, Secret


class KafkaSecurity(Section):
    """How to reach the brokers safely."""

    protocol: Literal["plaintext", "ssl", "sasl_plaintext", "sasl_ssl"] = Field(
        "plaintext", description="Security protocol of the listeners."
    )
    ca_file: Path | None = Field(None, description="PEM file of the authority that signed the brokers' certificates.")
    cert_file: Path | None = Field(None, description="PEM client certificate (mutual TLS).")
    key_file: Path | None = Field(None, description="PEM key of the client certificate.")
    check_hostname: bool = Field(default=True, description="Check that the certificate names the broker's host.")
    mechanism: Literal["plain", "scram-sha-256", "scram-sha-512", "oauthbearer", "gssapi"] = Field(
        "plain", description="SASL mechanism. `gssapi` needs the `kerberos` extra."
    )
    username: str | None = Field(None, description="SASL user name.")
    password: Secret | None = Field(None, description="SASL password.")
    token: Secret | None = Field(
        None, description="OAUTHBEARER token; a file is read again at each connection, so another process may renew it."
    )


class Kafka(Section):
    """The Kafka cluster: the same for reading traces and for our own topics."""

    brokers: tuple[str, ...] = Field(("127.0.0.1:9092",), min_length=1, description="host:port of one or more brokers.")
    security: KafkaSecurity = Field(KafkaSecurity(), description="TLS and SASL.")
    client_id: str = Field("ragmon", description="Client id shown in the brokers' logs.")
    request_timeout: Seconds = Field(
        10.0, gt=0, description="Bound on every call to a broker; at most `source.stall_after`."
    )
    idempotence: bool = Field(
        default=True,
        description="Idempotent producer (right: IDEMPOTENT_WRITE); off only for brokers that lack it (the demo's).",
    )


Encoding = Literal[
    "auto",
    "otlp_proto",
    "otlp_json",
    "jaeger_proto",
    "jaeger_json",
    "zipkin_proto",
    "zipkin_json",
    "python_json",
    "plain",
]


class SourceSettings(Section):
    """Which records to read, and how."""

    topics: tuple[str, ...] = Field(("otlp_spans",), description="Topics with the service's traces.")
    pattern: str | None = Field(
        None,
        description="Regular expression of topic names, instead of `topics`; it must match none that ragmon writes.",
    )
    encoding: Encoding = Field(
        "auto", description="Encoding of the records, see encodings.md; `auto` looks at each record's first bytes."
    )
    plain_fields: dict[str, str] = Field(
        {}, description="Where plain records have their fields: field to key or dotted path, see plain-records.md."
    )
    client: Literal["aiokafka", "librdkafka"] = Field(
        "aiokafka",
        description="Kafka client that reads. `librdkafka` needs the extra of that name, and far less CPU; its members "
        "have `max_poll_interval` to rejoin, not `rebalance_timeout`.",
    )
    group: str = Field("ragmon", min_length=1, description="Consumer group; its replicas share the partitions.")
    start: Literal["earliest", "latest"] = Field(
        "latest", description="Where a group without committed offsets begins."
    )
    session_timeout: Seconds = Field(30.0, ge=1, description="Silence after which the broker drops a member.")
    rebalance_timeout: Seconds = Field(60.0, ge=1, description="Time that members have to rejoin in a rebalance.")
    max_poll_interval: Seconds = Field(300.0, ge=1, description="Longest time between two polls.")
    poll_records: int = Field(2000, ge=1, le=100_000, description="Records at most that are handed on at once.")
    fetch_bytes: int = Field(4 << 20, ge=1024, description="Bytes per partition and fetch.")
    commit_every: Seconds = Field(2.0, gt=0, description="Time between offset commits.")
    stall_after: Seconds = Field(
        60.0, gt=0, description="No broker round trip or no successful commit for so long rebuilds the client."
    )
    own_services: tuple[str, ...] = Field(
        ("ragmon",), description="service.name values whose spans are dropped first: ragmon never judges its own judge."
    )
    poison_stop_ratio: float = Field(
        0.5, gt=0, le=1, description="Stop and alarm when more than this share of the last 1000 records is unreadable."
    )

    @property
    def plain_key(self) -> str:
        """Key or path under which plain records have their trace id."""
        return self.plain_fields.get("trace_id", "trace_id")

    @field_validator("plain_fields")
    @classmethod
    def _known_fields(cls, paths: dict[str, str]) -> dict[str, str]:
        problems = [plain_path_problem(field, path) for field, path in paths.items()]
        if any(problems):
            raise ValueError("; ".join(filter(None, problems)))
        return paths


class Topics(Section):
    """The topics that ragmon writes. They are created if missing and allowed."""

    verdicts: str = Field(
        "rag.verdicts", description="Verdicts and feedback: no content; keep them longer than the longest window."
    )
    cases: str = Field(
        "rag.cases", description="Sampled requests and feedback with redacted content; restrict who reads it."
    )
    dead_letters: str = Field("rag.dead-letters", description="Unreadable records: original bytes and why.")
    create: bool = Field(default=True, description="Create missing topics at start.")
    partitions: int = Field(4, ge=1, description="Partitions of a created topic.")
    replication: int = Field(
        -1, ge=-1, description="Replication factor of a created topic; -1 is the broker's default."
    )


class Assembly(Section):
    """How spans become requests."""

    quiet: Seconds = Field(
        2.0, description="Wait after the entry span for late spans of the same trace; at most `timeout`."
    )
    timeout: Seconds = Field(30.0, gt=0, description="A trace is taken as it is this long after its first span came.")
    max_traces: int = Field(20_000, ge=1, description="Open traces at most; the oldest is taken as it is.")
    max_bytes: int = Field(
        256 << 20, ge=1 << 20, description="Memory of open traces at most, in bytes; the oldest is taken as it is."
    )
    decided_cache: int = Field(200_000, ge=1, description="Closed trace ids remembered, to recognise late spans.")
    plain_chat: bool = Field(default=False, description="Treat model calls without any retrieval as requests, too.")


class Sampling(Section):
    """Who is judged. The largest rate among the matching policies applies; the weights correct for it."""

    base: OneIn = Field(100, ge=1, description="Rate of the base sample, drawn from all requests.")
    content_share: OneIn = Field(
        10, ge=1, description="Share of traffic that is decoded so that triggers can see it; triggers cannot exceed it."
    )
    negative_feedback: OneIn = Field(
        1, description="Rate of requests with negative feedback in their own trace or record."
    )
    error: OneIn = Field(10, description="Rate of failed requests.")
    empty_retrieval: OneIn = Field(10, description="Rate of requests whose retrieval found nothing.")
    safety_hit: OneIn = Field(1, description="Rate of requests with a hit of the safety scanners.")
    budget_per_minute: float = Field(
        0.0, ge=0, allow_inf_nan=False, description="Judged requests a minute at most; then rates fall. 0: no limit."
    )
    base_share: float = Field(0.6, gt=0, le=1, description="Share of the budget that the base sample gets at least.")
    max_upstream_count: int = Field(
        100,
        ge=1,
        le=1_000_000,
        description=(
            "Requests that one may stand for after head sampling upstream. Larger counts are not believed, because one "
            "forged tracestate could outweigh all others; the request then counts as one. Set it to the largest count "
            "that your own head sampling gives; 1 believes none."
        ),
    )


class Privacy(Section):
    """What is found and replaced before text leaves memory."""

    allow: tuple[str, ...] = Field((), description="Public texts that are never redacted: hotlines, mailboxes.")
    disable: tuple[str, ...] = Field((), description="Kinds of sensitive text that are not looked for.")
    pseudonym_key: Secret | None = Field(
        None,
        description="Key that turns user, session and tenant ids into pseudonyms; without it cases hold no such ids.",
    )


class Judging(Section):
    """The stage that judges."""

    workers: int = Field(8, ge=1, le=1000, description="Requests judged at the same time.")
    queue: int = Field(1000, ge=1, description="Sampled requests that wait for a worker.")
    when_full: Literal["pause", "shed"] = Field(
        "pause", description="`pause` reads no further until there is room; `shed` skips the request and counts it."
    )
    deadline: Seconds = Field(60.0, gt=0, description="Time for all judges of one request.")
    drain: Seconds = Field(
        10.0, description="Time for running judgements at shutdown; at most 5 s of it in a rebalance."
    )


class BoardSettings(Section):
    """Windows, slices and floors of the published numbers."""

    windows: tuple[Seconds, ...] = Field(
        (300.0, 3600.0, 86400.0, 604800.0),
        min_length=1,
        description="Window lengths. One with many requests may be shown up to 10 s late.",
    )
    lateness: Seconds = Field(300.0, description="How far ahead of our clock an event time may lie.")
    slice_values: int = Field(20, ge=1, le=1000, description="Values per slice dimension; the rest is `other`.")
    apps: tuple[str, ...] = Field((), description="Values of the `app` slice; empty takes the first that come.")
    worst: int = Field(10, ge=0, le=100, description="Worst cases shown.")


class Web(Section):
    """The HTTP endpoints /metrics, /healthz, /readyz."""

    host: str = Field("0.0.0.0", description="Address to listen on.")  # noqa: S104 - a container must be scraped from outside
    port: int = Field(9464, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    max_series: int = Field(
        20_000, ge=100, description="Series on the page at most; the sample limit of the scrape is above."
    )


class Otlp(Section):
    """Export of metrics and `gen_ai.evaluation.result` events over OTLP."""

    endpoint: str | None = Field(None, description="OTLP endpoint, such as http://collector:4318; none: off.")
    protocol: Literal["http", "grpc"] = Field("http", description="OTLP transport.")
    headers: dict[str, str] = Field({}, description="More request headers.")
    interval: Seconds = Field(60.0, ge=1, description="Time between metric exports.")
    events: bool = Field(default=True, description="Send each verdict as an event linked to the judged trace.")


class Dataset(Section):
    """The production sample set (a Delta table)."""

    path: str = Field(
        "ragmon-data/cases",
        description="Folder or URI of the table; what is said later of its cases is in `<path>-feedback`.",
    )
    group: str = Field(
        "ragmon-harvest", min_length=1, description="Consumer group of the harvester, another one than `source.group`."
    )
    flush_every: Seconds = Field(30.0, gt=0, description="Time between versions.")
    flush_cases: int = Field(500, ge=1, description="Cases per version at most.")


class Log(Section):
    """Logging. What an event's last line said is held back for ten seconds; the next line counts it as `repeated`."""

    level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severe level written.")
    format: Literal["json", "console"] = Field("json", description="One JSON object a line, or text for a terminal.")


class Settings(Section):
    """The whole configuration."""

    kafka: Kafka = Kafka()
    source: SourceSettings = SourceSettings()
    topics: Topics = Topics()
    mappings: tuple[TracerMapping, ...] = Field(
        (), description="How spans of tracers of your own are read, before all conventions; see mappings.md."
    )
    mapping_files: tuple[Path, ...] = Field(
        (), description="YAML files with more of `mappings`; tried after those here."
    )
    assembly: Assembly = Assembly()
    sampling: Sampling = Sampling()
    traffic: Literal["all", "sampled", "off"] = Field(
        "sampled",
        description="How the service's requests, errors, latencies, tokens and empty retrievals are counted: `sampled` "
        "estimates them from what is decoded anyway, `all` looks into every record, at 20 us or more of CPU each. See "
        "metrics.md.",
    )
    privacy: Privacy = Privacy()
    judges: tuple[JudgeSettings, ...] = Field(
        (EmbeddedJudge(), ScannerJudge()),
        min_length=1,
        description="The panel; every judge sees every sampled request.",
    )
    promotions: Path | None = Field(
        None,
        description="File that `ragmon judge promote` adds to. A judge in the place of "
        "another one that is not in it is told at start.",
    )
    anchors: Path | None = Field(
        None,
        description="Rows that every judge judges again and again, JSON lines as `ragmon judge` reads: "
        "they tell a judge that drifts from traffic that does. See changing-judges.md.",
    )
    anchors_every: Seconds = Field(86400.0, ge=60, description="Time from one run of the anchors to the next.")
    service_models: tuple[str, ...] = Field(
        (), description="Models that the service answers with: a judge of the same family is told at start."
    )
    calibration_files: tuple[Path, ...] = Field(
        (),
        description="Files that `ragmon calibrate` wrote; see calibration.md. Give them to every role.",
    )
    judging: Judging = Judging()
    board: BoardSettings = BoardSettings()
    web: Web = Web()
    otlp: Otlp = Otlp()
    dataset: Dataset = Dataset()
    log: Log = Log()
