"""Attributes of OTLP/JSON as Python values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable

from monitor.traces.decode.limits import MAX_DEPTH
from monitor.traces.decode.otlp_json_types import AnyValue, KeyValue
from monitor.traces.decode.tally import UnusableError
from monitor.wire import AttributeValue

_LEAST, _MOST = -(2**63), 2**63 - 1


def read_attributes(pairs: Iterable[KeyValue] | None, depth: int = 0) -> dict[str, AttributeValue]:
    """Key-value pairs as a dict. An unset value is left out: it means absent. Of equal keys the last wins."""
    attributes: dict[str, AttributeValue] = {}
    for pair in pairs or ():
        if pair.value is None:
            continue
        value: AttributeValue = pair.value.string_value
        if value is None:
            value = read_value(pair.value, depth)
        if value is not None:
            attributes[pair.key] = value
    return attributes


def read_value(value: AnyValue | None, depth: int = 0) -> AttributeValue:
    """One value; None when it is unset. Raises UnusableError `too_deep`."""
    if depth > MAX_DEPTH:
        reason = "too_deep"
        raise UnusableError(reason)
    if value is None:
        return None
    if value.array_value is not None:
        return [read_value(item, depth + 1) for item in value.array_value.values or ()]
    if value.kvlist_value is not None:
        return read_attributes(value.kvlist_value.values, depth + 1)
    if value.go_value is not None:
        return read_value(value.go_value, depth + 1)
    return _scalar(value)


def read_int(value: float | str | None) -> int | None:
    """A whole number from a number or its text; None when it is neither or needs more than 64 bits.

    A number may be written with an exponent or a fraction of zeros, as protobuf allows; any other fraction is none.
    """
    if isinstance(value, float) and not value.is_integer():  # True for no infinity and NaN
        return None
    try:
        number = None if value is None else int(value)
    except ValueError:  # also for thousands of digits
        return None
    return number if number is None or _LEAST <= number <= _MOST else None


def fit_numbers(value: AttributeValue) -> AttributeValue:
    """A parsed value without whole numbers of more than 64 bits: those are None. Its parser bounds its nesting."""
    match value:
        case int():
            return value if _LEAST <= value <= _MOST else None
        case list():
            return [fit_numbers(item) for item in value]
        case dict():
            return {key: fit for key, item in value.items() if (fit := fit_numbers(item)) is not None}
        case _:
            return value


def read_float(value: float | str) -> float | None:
    """A number; protobuf's JSON form spells NaN and the infinities as text."""
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def read_bytes(text: str) -> bytes | None:
    """Bytes from base64, standard or URL-safe, with or without padding."""
    standard = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _scalar(value: AnyValue) -> AttributeValue:
    if value.string_value is not None:
        return value.string_value
    if value.bool_value is not None:
        return value.bool_value
    if value.int_value is not None:
        return read_int(value.int_value)
    if value.double_value is not None:
        return read_float(value.double_value)
    return None if value.bytes_value is None else read_bytes(value.bytes_value)
