"""The metrics of the work itself: accounts of the stages, source, sampling, judges, export, process."""

from __future__ import annotations

from exporters.metric import counter, gauge

# ------------------------------------------------------------------------------------------------ the accounts

_STAGE = ("stage", "unit")
STAGE_RECEIVED = counter(
    "stage.received", "", _STAGE, "accounts", "Taken in by a stage.", "Does work arrive?", "The stage before it."
)
STAGE_PASSED = counter(
    "stage.passed", "", _STAGE, "accounts", "Handed on by a stage.", "Does work go on?", "The stage itself."
)
STAGE_DROPPED = counter(
    "stage.dropped",
    "",
    (*_STAGE, "reason"),
    "accounts",
    "Ended in a stage, by reason; not every reason is a fault.",
    "What is not judged, and why?",
    "The table of stages and reasons below.",
)
STAGE_HELD = gauge(
    "stage.held",
    "",
    _STAGE,
    "accounts",
    "In a stage now.",
    "Where does work pile up?",
    "judging.workers, judging.queue",
)
CONSERVATION = gauge(
    "conservation.problems",
    "{problem}",
    (),
    "accounts",
    "Sums of the accounts that do not add up, among them received = passed + dropped + held; anything but 0 is a bug.",
    "Does every record end in exactly one outcome?",
    "Report it.",
)

# ------------------------------------------------------------------------------------------------ source, sample, judge

_ROLE = ("role",)
SOURCE_UP = gauge(
    "source.up",
    "",
    _ROLE,
    "source",
    "1 when the source of the role has an assignment and the broker answers. The role `judge` reads the service's "
    "traces, `harvest` the cases; a process without the role does not show it.",
    "Do records come in?",
    "kafka.brokers",
)
SOURCE_PROBLEM = gauge(
    "source.problem",
    "",
    _ROLE,
    "source",
    "1 while no records can come; /readyz and the log say why.",
    "Is the source in trouble?",
    "see /readyz",
)
HARVEST_PROBLEM = gauge(
    "harvest.problem",
    "",
    (),
    "source",
    "1 while no case can be read or put into the sample set; /readyz and the log say why. Absent without that role.",
    "Is the harvester in trouble?",
    "see /readyz",
)
SOURCE_PARTITIONS = gauge(
    "source.partitions",
    "{partition}",
    _ROLE,
    "source",
    "Partitions assigned to this process.",
    "Is the work shared?",
    "Partitions of the topic; replicas.",
)
SOURCE_LAG = gauge(
    "source.lag",
    "{record}",
    ("role", "topic"),
    "source",
    "Records that wait in the assigned partitions.",
    "Do we keep up?",
    "More replicas; a lower sampling.base; judging.when_full",
)
SOURCE_REBUILDS = counter(
    "source.rebuilds",
    "{rebuild}",
    (),
    "source",
    "How often a client of any role of the process was rebuilt.",
    "Is the connection unstable?",
    "source.stall_after",
)
EVENTS = counter(
    "kafka.events",
    "",
    ("event",),
    "source",
    "What went wrong with Kafka, in any role of the process, and was got over. Occasions: `rebalance`, "
    "`revoke_timeout` (judgements outlasted one), `commit_failed`, `commit_timeout`, `made_anew` (a partition that "
    "ended before our position). "
    "Offsets passed over: `unreadable`, `out_of_range` (retention was faster). Records: `unreadable_verdict` (left out "
    "of the windows), `shortened_case`, `shortened_dead_letter` (too large for the broker).",
    "What was lost or done again without a word in the numbers?",
    "The log says where; the group's members, retention and max.message.bytes of the topics",
)
COMMIT_AGE = gauge(
    "source.commit.age",
    "s",
    _ROLE,
    "source",
    "Seconds since the last successful commit.",
    "Does progress become durable?",
    "source.commit_every",
)
ROUND_TRIP_AGE = gauge(
    "source.round_trip.age",
    "s",
    _ROLE,
    "source",
    "Seconds since the last answer of the broker.",
    "Is the broker there?",
    "kafka.request_timeout",
)
LEFT_OUT = counter(
    "decode.left_out",
    "{part}",
    ("reason",),
    "decode",
    "Parts of readable records that were not read: spans, log records, links, elements of an array. `mended_text`: "
    "read, with invalid characters replaced.",
    "Does a writer send what cannot be used?",
    "The writer; the reasons stand in encodings.md",
)
TRACES_CLOSED = counter(
    "traces.closed",
    "{trace}",
    ("reason",),
    "assemble",
    "Traces that stopped waiting for spans. `quiet`: the entry span came, then none for assembly.quiet. `timeout`: no "
    "end came. `evicted`: they took too much memory, so the oldest is read as it is and may lack spans. `flushed`: the "
    "input ended.",
    "Are requests judged by half of their trace?",
    "assembly.max_bytes and max_traces for `evicted`; assembly.timeout, and whether entry spans come, for `timeout`",
)
LOOP_LAG = gauge(
    "loop.lag",
    "s",
    (),
    "process",
    "Longest delay of the event loop seen lately; heartbeats live on it.",
    "Does something block the loop?",
    "judging.workers; report it when above 0.1",
)
QUEUE_LENGTH = gauge(
    "queue.length", "{item}", ("queue",), "process", "Items that wait.", "What is the bottleneck?", "judging.workers"
)
QUEUE_CAPACITY = gauge(
    "queue.capacity", "{item}", ("queue",), "process", "Items that fit.", "How much room is left?", "judging.queue"
)
SAMPLING_RATE = gauge(
    "sampling.rate",
    "1",
    ("policy",),
    "sample",
    "Rate in force of each policy; 0 when it is off.",
    "Which share of traffic is judged just now?",
    "sampling.base and the rates of the triggers; sampling.budget_per_minute",
)
SAMPLING_BUDGET = gauge(
    "sampling.budget",
    "{request}/min",
    (),
    "sample",
    "Requests that the process judges a minute at most; 0 is no limit. Each judge has its own, so replicas add up; "
    "absent without that role.",
    "What may it cost?",
    "sampling.budget_per_minute",
)
_JUDGE = ("judge",)
JUDGEMENTS = counter(
    "judge.judgements", "{judgement}", _JUDGE, "judge", "Judgements given.", "How much is judged?", "sampling.base"
)
JUDGE_DURATION = counter(
    "judge.duration",
    "s",
    _JUDGE,
    "judge",
    "Sum of the latencies of the judgements, over ragmon_judge_judgements_total their mean. That of a remote judge is "
    "the time of its calls, without their waiting for a place, a limit or a retry.",
    "How slow is the judge?",
    "judges.*.max_output_tokens, the model",
)
JUDGE_CALLS = counter(
    "judge.calls",
    "{call}",
    _JUDGE,
    "judge",
    "Calls of the endpoint, retries included.",
    "What do we ask?",
    "judges.*.rate",
)
JUDGE_RETRIES = counter(
    "judge.retries", "{call}", _JUDGE, "judge", "Repeated calls.", "Is the endpoint healthy?", "judges.*.retry_budget"
)
JUDGE_TOKENS = counter(
    "judge.tokens",
    "{token}",
    ("judge", "direction"),
    "judge",
    "Tokens, `input` or `output`.",
    "What drives the cost?",
    "judges.*.max_input_chars, judges.*.max_output_tokens",
)
JUDGE_COST = counter(
    "judge.cost",
    "{currency}",
    _JUDGE,
    "judge",
    "Cost in the currency of the configured prices.",
    "What does it cost?",
    "judges.*.cost_per_day, judges.*.rate, sampling.budget_per_minute",
)
JUDGE_CACHED = counter(
    "judge.tokens.cached",
    "{token}",
    _JUDGE,
    "judge",
    "Input tokens that the server had cached, among the `input` ones.",
    "Does the server's cache work?",
    "The endpoint; judges.*.prices",
)
JUDGE_REUSED = counter(
    "judge.reused",
    "{judgement}",
    _JUDGE,
    "judge",
    "Judgements given again for the same content, without a call.",
    "How much comes again?",
    "judges.*.reuse, judges.*.reuse_for",
)
JUDGE_ALLOWANCE = gauge(
    "judge.allowance",
    "",
    ("judge", "limit"),
    "judge",
    "A limit of what the judge may spend, named as its setting, in the unit of that.",
    "What may it cost?",
    "judges.*.cost_per_day, .cost_per_hour, .tokens_per_minute, .requests_per_minute",
)
JUDGE_ALLOWANCE_USED = gauge(
    "judge.allowance.used",
    "",
    ("judge", "limit"),
    "judge",
    "What of that limit was used in its last minute, hour or day, by all replicas: the same on each of them.",
    "How close is the limit?",
    "The limit; judges.*.rate",
)
JUDGE_SLOWDOWN = gauge(
    "judge.slowdown",
    "",
    _JUDGE,
    "judge",
    "What the judge's share of the sample is divided by to stay within its limits; 1 is not at all.",
    "Does the budget cost precision?",
    "The limits of the judge; judges.*.rate",
)
JUDGE_IN_FLIGHT = gauge(
    "judge.in_flight", "{call}", _JUDGE, "judge", "Calls that run.", "Is the judge busy?", "judges.*.max_concurrency"
)
JUDGE_LIMIT = gauge(
    "judge.concurrency.limit",
    "{call}",
    _JUDGE,
    "judge",
    "Parallel calls allowed just now; it adapts to errors.",
    "Does the endpoint push back?",
    "judges.*.max_concurrency, the endpoint's quota",
)
JUDGE_BREAKER = gauge(
    "judge.breaker",
    "",
    ("judge", "state"),
    "judge",
    "1 for the state of the circuit breaker, else 0.",
    "Did we stop asking?",
    "The judge's endpoint.",
)
JUDGE_PAUSED = gauge(
    "judge.paused",
    "",
    ("judge", "reason"),
    "judge",
    "1 while the circuit breaker is not closed, for the reason that opened it; absent while the judge is asked.",
    "Why did we stop asking?",
    "docs/judge-budget.md has what each reason asks for.",
)

# ------------------------------------------------------------------------------------------------ export, process

LABEL_OVERFLOW = counter(
    "label.overflow",
    "{value}",
    ("label",),
    "export",
    "Label values shown as `other`, counted on each page; a rate above 0 means that it happens now.",
    "Are there more values than series?",
    "board.slice_values, board.apps, web.max_series",
)
SERIES_DROPPED = counter(
    "series.dropped",
    "{series}",
    ("reason",),
    "export",
    "Series left out of a page: `cap` (too many), `collision` (two values look the same), `not_finite`.",
    "Is the page complete?",
    "web.max_series",
)
EXPORT_FAILURES = counter(
    "export.failures",
    "{export}",
    ("signal",),
    "export",
    "OTLP exports that failed, and events dropped because the queue was full.",
    "Does OTLP arrive?",
    "otlp.endpoint",
)
BUILD_INFO = gauge(
    "build.info", "", ("version",), "process", "1, with the version of ragmon.", "What is running?", "none"
)
