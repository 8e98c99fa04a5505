"""The `ot=` entry of the W3C tracestate: how many requests a head-sampled one stands for.

Source: OpenTelemetry specification, `trace/tracestate-handling.md` and `tracestate-probability-sampling.md`.
"""

from __future__ import annotations

import re

_BITS = 56
_THRESHOLD = re.compile(r"[0-9a-f]{1,14}")


def ot_entry(trace_state: str) -> dict[str, str]:
    """The sub-keys of the `ot=` entry; empty when there is none. The first such entry counts."""
    for entry in trace_state.split(","):
        vendor, _, value = entry.strip().partition("=")
        if vendor == "ot":
            pairs = (pair.partition(":") for pair in value.split(";"))
            return {key: text for key, _, text in pairs if key}
    return {}


def adjusted_count(trace_state: str) -> float:
    """2^56 / (2^56 - T), with the rejection threshold T of `th`; 1 when no valid `th` is there."""
    threshold = ot_entry(trace_state).get("th", "")
    if _THRESHOLD.fullmatch(threshold) is None:
        return 1.0
    rejected = int(threshold.ljust(_BITS // 4, "0"), 16)
    return float(2**_BITS / (2**_BITS - rejected))
