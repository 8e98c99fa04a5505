"""Plain records with keys of their writer's own: the configured paths are put under the names of `plain_record.py`.

Only text is moved; the values are read, checked and refused as in any plain record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from monitor.errors import DecodeError
from monitor.traces.decode.json_text import read_json
from monitor.traces.decode.plain_record import PlainRecord
from monitor.traces.text import Repairer

CONTEXTS: Final = "contexts"
_PASSAGE = f"{CONTEXTS}."
_PASSAGE_FIELDS = ("text", "id", "score", "source")

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])


class FieldMap:
    """Moves the fields of records. `paths` are by field, as in `source.plain_fields`; others keep their own names."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._paths = {field: paths.get(field, field) for field in PlainRecord.__struct_fields__}
        self._passage = {field: paths.get(_PASSAGE + field, field) for field in _PASSAGE_FIELDS}
        self._moved = {field: path for field, path in paths.items() if field != path}
        self._moves_passages = any(field.startswith(_PASSAGE) for field in self._moved)

    def apply(self, text: bytes, repairer: Repairer) -> bytes:
        """The record under the names that are read; the text itself when nothing is configured. Raises DecodeError."""
        if not self._moved:
            return text
        fields = _move(read_json(_OBJECT, text, repairer), self._paths)
        if self._moves_passages and fields.get(CONTEXTS, b"")[:1] == b"[":
            passages = read_json(_ARRAY, fields[CONTEXTS], repairer)
            fields[CONTEXTS] = b"[" + b",".join(self._passage_of(bytes(raw), repairer) for raw in passages) + b"]"
        return _written(fields)

    def explain(self, error: DecodeError) -> DecodeError:
        """The error with the path of the field that it names, which the writer knows by another name."""
        for field, path in self._moved.items():
            name = field.removeprefix(_PASSAGE)
            if f"`{name}`" in error.detail or f"`$.{name}" in error.detail:
                return DecodeError(error.kind, f"{error.detail} (source.plain_fields reads {field} from {path})")
        return error

    def _passage_of(self, raw: bytes, repairer: Repairer) -> bytes:
        if raw[:1] != b"{":
            return raw
        return _written(_move(read_json(_OBJECT, raw, repairer), self._passage))


def _move(keys: dict[str, msgspec.Raw], paths: Mapping[str, str]) -> dict[str, bytes]:
    """The values that are there, by field."""
    found = ((field, _find(keys, path)) for field, path in paths.items())
    return {field: bytes(value) for field, value in found if value is not None}


def _find(keys: dict[str, msgspec.Raw], path: str) -> msgspec.Raw | None:
    """The value at a key, else at a dotted path; a whole number in it counts elements of a list, -1 is the last."""
    if path in keys:
        return keys[path]
    at = path.find(".")
    while at >= 0:  # a key may itself have dots
        inner = keys.get(path[:at])
        found = None if inner is None else _inside(inner, path[at + 1 :])
        if found is not None:
            return found
        at = path.find(".", at + 1)
    return None


def _inside(value: msgspec.Raw, path: str) -> msgspec.Raw | None:
    try:
        if bytes(value)[:1] == b"[":
            return _element(_ARRAY.decode(value), path)
        return _find(_OBJECT.decode(value), path)
    except (msgspec.DecodeError, RecursionError):
        return None


def _element(items: list[msgspec.Raw], path: str) -> msgspec.Raw | None:
    number, dot, rest = path.partition(".")
    try:
        item = items[int(number)]
    except (ValueError, IndexError):
        return None
    return _inside(item, rest) if dot else item


def _written(fields: Mapping[str, bytes]) -> bytes:
    return b"{" + b",".join(b'"%s":%s' % (field.encode(), value) for field, value in fields.items()) + b"}"
