"""The `ot=` entry of the W3C tracestate: how many requests a head-sampled one stands for.

Source: OpenTelemetry specification, `trace/tracestate-handling.md` and `tracestate-probability-sampling.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_BITS = 56
_THRESHOLD = re.compile(r"[0-9a-f]{1,14}")


def ot_entry(trace_state: str) -> dict[str, str]:
    """The sub-keys of the `ot=` entry; empty when there is none. The first such entry counts."""
    if not trace_state:
        return {}
    for entry in trace_state.split(","):
        vendor, _, value = entry.strip().partition("=")
        if vendor == "ot":
            pairs = (pair.partition(":") for pair in value.split(";"))
            return {key: text for key, _, text in pairs if key}
    return {}


def has_entry(trace_state: str) -> bool:
    """Whether there is an `ot=` entry that says something."""
    return bool(ot_entry(trace_state))


def has_threshold(trace_state: str) -> bool:
    """Whether the `ot=` entry has a threshold, valid or not."""
    return "th" in ot_entry(trace_state)


def sampling_state(trace_states: Iterable[str]) -> str:
    """The first tracestate with a threshold in its `ot=` entry, else the first with such an entry, else empty."""
    marked = [(state, entry) for state in trace_states if (entry := ot_entry(state))]
    return next((state for state, entry in marked if "th" in entry), marked[0][0] if marked else "")


def adjusted_count(trace_state: str) -> float:
    """2^56 / (2^56 - T), with the rejection threshold T of `th`; 1 when no valid `th` is there."""
    threshold = ot_entry(trace_state).get("th", "")
    if _THRESHOLD.fullmatch(threshold) is None:
        return 1.0
    rejected = int(threshold.ljust(_BITS // 4, "0"), 16)
    return float(2**_BITS / (2**_BITS - rejected))
