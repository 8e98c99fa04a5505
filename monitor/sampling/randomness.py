"""One uniform number per trace, and the thresholds it is compared with.

R is a 56-bit integer, a function of the trace alone: every replica and every redelivery gets the same one. A trace is
kept iff R >= T, so it is included with probability (2^56 - T) / 2^56. Source: OpenTelemetry specification, "TraceState:
Probability Sampling" (status Development), which this follows so that upstream head sampling composes with ours.
"""

from __future__ import annotations

import binascii
import hashlib
import re

MAX = 1 << 56
"""R and T lie in [0, MAX]; T = MAX keeps nothing."""

R_BYTES = 7
"""R is the last bytes of a trace id."""
KEY_LENGTH = 32
"""A trace id as hex text: 32 characters."""

_DIGITS = 2 * R_BYTES
_THRESHOLD = re.compile(r"[0-9a-fA-F]{1,14}")
_RANDOM_VALUE = re.compile(r"[0-9a-fA-F]{14}")


def from_trace(trace_id: str, trace_state: str = "") -> int:
    """R of a trace: `rv` of the tracestate's `ot` entry, else the last 7 bytes of a trace id of 32 hex characters.

    Any other id (plain records may bring what they like) is hashed, as nothing says that its characters are random.
    """
    value = _ot_value(trace_state, "rv") if trace_state else None
    if value is not None and _RANDOM_VALUE.fullmatch(value):
        return int(value, 16)
    if len(trace_id) == KEY_LENGTH:
        try:
            return int.from_bytes(binascii.unhexlify(trace_id)[-R_BYTES:], "big")
        except ValueError:
            pass  # 32 characters that are no trace id
    digest = hashlib.blake2b(trace_id.encode("utf-8", "surrogatepass"), digest_size=R_BYTES).digest()
    return int.from_bytes(digest, "big")


def from_key(key: bytes | None) -> int | None:
    """R by a record key alone; None unless the key is a trace id as the Collector writes it: 32 hex characters."""
    if key is None or len(key) != KEY_LENGTH:
        return None
    try:
        return int.from_bytes(binascii.unhexlify(key)[-R_BYTES:], "big")
    except binascii.Error:
        return None


def threshold(one_in: int) -> int:
    """T of the rate 1/`one_in`, as near as integers allow; 0 means never. The larger the rate, the lower T."""
    if one_in <= 0:
        return MAX
    return MAX - max(1, (2 * MAX + one_in) // (2 * one_in))  # rounded half up


def head_threshold(trace_state: str) -> int | None:
    """T of upstream head sampling: `th` of the `ot` entry, padded with zeros; None when absent or not readable."""
    value = _ot_value(trace_state, "th") if trace_state else None
    if value is None or not _THRESHOLD.fullmatch(value):
        return None
    return int(value.ljust(_DIGITS, "0"), 16)


def probability(threshold: int) -> float:
    """The share of traces that T keeps, from 0 (T = MAX) to 1 (T = 0)."""
    return (MAX - threshold) / MAX


def _ot_value(trace_state: str, key: str) -> str | None:
    """One sub-key of OpenTelemetry's own tracestate entry; other vendors' entries may stand around it."""
    for member in trace_state.split(","):
        vendor, _, content = member.strip().partition("=")
        if vendor == "ot":
            for pair in content.split(";"):
                name, separator, value = pair.partition(":")
                if separator and name == key:
                    return value
    return None
