"""The published JSON Schema of each message that ragmon writes to Kafka."""

from __future__ import annotations

from typing import Any

import msgspec

from exporters.messages import (
    CASE_SCHEMA,
    DEAD_LETTER_SCHEMA,
    FEEDBACK_SCHEMA,
    VERDICT_SCHEMA,
    CaseMessage,
    DeadLetterNote,
    FeedbackMessage,
)
from monitor.records import Verdict

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schemas() -> dict[str, dict[str, Any]]:
    """The published JSON Schema (2020-12) of each message, by the name of its file without `.schema.json`."""
    return {
        "verdict": _published(Verdict, "Verdict", VERDICT_SCHEMA),
        "case": _published(CaseMessage, "CaseMessage", CASE_SCHEMA),
        "feedback": _published(FeedbackMessage, "FeedbackMessage", FEEDBACK_SCHEMA),
        "dead-letter": _published(DeadLetterNote, "DeadLetterNote", DEAD_LETTER_SCHEMA),
    }


def _published(kind: type[Any], name: str, identifier: str) -> dict[str, Any]:
    schema = msgspec.json.schema(kind)
    definitions: dict[str, Any] = schema["$defs"]
    top = definitions.pop(name)
    top["properties"] = {"schema": {"const": identifier}} | {
        key: value for key, value in top["properties"].items() if key != "schema"
    }
    top["required"] = ["schema", *(key for key in top.get("required", ()) if key != "schema")]
    if kind is Verdict:
        top["properties"]["score"] = {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]}
        top["properties"]["weight"] |= {"minimum": 1}
        top["properties"]["probability"] |= {"exclusiveMinimum": 0, "maximum": 1}
    result: dict[str, Any] = {"$schema": _DIALECT, "$id": f"urn:ragmon:{identifier}"} | top
    return result | ({"$defs": definitions} if definitions else {})
