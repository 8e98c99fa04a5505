"""Attributes of OTLP protobuf messages as Python values: texts first, then numbers, because nearly all are either."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from monitor.traces.text import Repairer
from monitor.wire import AttributeValue

if TYPE_CHECKING:
    from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

_SCALARS = frozenset({"string_value", "int_value", "double_value", "bool_value", "bytes_value"})


def read_attributes(pairs: Iterable[KeyValue], repairer: Repairer) -> dict[str, AttributeValue]:
    """Key-value pairs as a dict. An unset value is left out: it means absent. Of equal keys the last wins."""
    attributes: dict[str, AttributeValue] = {}
    for pair in pairs:
        key, value = pair.key, pair.value
        text = value.string_value
        if "\x00" in key or "\x00" in text:
            key, text = repairer.text(key), repairer.text(text)
        if text:
            attributes[key] = text
        elif number := value.int_value:
            attributes[key] = number
        elif (other := read_value(value, repairer)) is not None:
            attributes[key] = other
    return attributes


def read_value(value: AnyValue, repairer: Repairer) -> AttributeValue:
    """One value; None when it is unset or of a kind unknown to us. Nesting is bounded by protobuf's parser (100)."""
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [read_value(item, repairer) for item in value.array_value.values]
    if kind == "kvlist_value":
        return read_attributes(value.kvlist_value.values, repairer)
    if kind not in _SCALARS:
        return None
    scalar: bool | int | float | str | bytes = getattr(value, kind)
    return repairer.parsed(scalar) if isinstance(scalar, str) else scalar
