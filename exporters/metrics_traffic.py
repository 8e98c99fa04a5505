"""The metrics of the service's own traffic, as counted from the records that this process read."""

from __future__ import annotations

from exporters.metric import counter, histogram

_LABELS = ("dimension", "value", "basis")
_KNOB = "traffic; board.slice_values"

TRAFFIC_REQUESTS = counter(
    "traffic.requests",
    "{request}",
    _LABELS,
    "traffic",
    "Requests in the records that this process read, those read again too; an estimate with basis `sampled`, the entry "
    "spans with `all`.",
    "How much traffic does the service have?",
    _KNOB,
)
TRAFFIC_ERRORS = counter(
    "traffic.errors",
    "{request}",
    _LABELS,
    "traffic",
    "Those of them that failed.",
    "Does the service fail?",
    "The service; errors are sampled more often by sampling.error.",
)
TRAFFIC_EMPTY = counter(
    "traffic.empty_retrievals",
    "{request}",
    _LABELS,
    "traffic",
    "Requests whose retrieval found nothing.",
    "Is the knowledge base there, and does it have what users ask for?",
    "The service's retriever; such requests are sampled more often by sampling.empty_retrieval.",
)
TRAFFIC_TOKENS = counter(
    "traffic.tokens",
    "{token}",
    (*_LABELS, "direction"),
    "traffic",
    "Tokens that the service used, `input` or `output`, where its spans say it.",
    "What does the service use?",
    _KNOB,
)
TRAFFIC_DURATION = histogram(
    "traffic.duration",
    "s",
    _LABELS,
    "traffic",
    "Latency of the requests.",
    "How long do users wait?",
    "The service.",
)
TRAFFIC_UNREADABLE = counter(
    "traffic.unreadable",
    "{record}",
    (),
    "traffic",
    "Records that could not be decoded to be counted; with basis `all` only.",
    "Is something missing in the other counters?",
    "source.encoding",
)
