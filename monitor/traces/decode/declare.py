"""Protobuf messages declared in code: a view of a foreign message that names the fields that are read, and no others.

Nothing is generated and nobody's descriptors are imported. A field may be declared as `BYTES` where its writer has a
message: the wire format is the same, and its content stays unparsed. Enums are read as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_Proto = descriptor_pb2.FieldDescriptorProto

BOOL: Final[int] = _Proto.TYPE_BOOL
BYTES: Final[int] = _Proto.TYPE_BYTES
DOUBLE: Final[int] = _Proto.TYPE_DOUBLE
FIXED32: Final[int] = _Proto.TYPE_FIXED32
FIXED64: Final[int] = _Proto.TYPE_FIXED64
INT32: Final[int] = _Proto.TYPE_INT32
INT64: Final[int] = _Proto.TYPE_INT64
STRING: Final[int] = _Proto.TYPE_STRING
UINT64: Final[int] = _Proto.TYPE_UINT64


class Field(NamedTuple):
    """A field: name, number, and a type of the wire format, or the name of another message of the same file."""

    name: str
    number: int
    kind: int | str
    repeated: bool = False


def declare(package: str, messages: Mapping[str, Sequence[Field]]) -> dict[str, Any]:
    """The message classes, by name, in a pool of their own: they never meet a program's own descriptors."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for field in fields:
            label = _Proto.LABEL_REPEATED if field.repeated else _Proto.LABEL_OPTIONAL
            declared = message.field.add(name=field.name, number=field.number, label=label)
            if isinstance(field.kind, str):
                declared.type, declared.type_name = _Proto.TYPE_MESSAGE, f".{package}.{field.kind}"
            else:
                declared.type = _Proto.Type.ValueType(field.kind)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    find = pool.FindMessageTypeByName
    return {name: message_factory.GetMessageClass(find(f"{package}.{name}")) for name in messages}
