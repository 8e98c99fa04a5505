"""What the service that runs a model found itself before it answered, in the forms in which replies show it.

OpenAI's `file_search_call.results`, OpenTelemetry's `server_tool_call_response`, the citations of Azure's "on your
data", and the retrieved chunks of Gemini's and Vertex' grounding. One reader for all conventions: `messages.py` and
`exchange.py` ask it about every message, part and reply, and it becomes `Message.results`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.values import as_json, as_mapping
from monitor.wire import AttributeValue, Span

_PARTS: Final[Mapping[str, str]] = {
    "server_tool_call_response": "server_tool_call_response",
    "file_search_call": "results",
}
"""Types of parts, or of items of a reply, and the member that holds what was found."""
_BESIDE: Final = (
    ("context", "citations"),
    ("grounding_metadata", "grounding_chunks"),
    ("groundingMetadata", "groundingChunks"),
)
"""Members of a message or of a candidate, and what in them lists what was found."""
_HOLDERS: Final = frozenset([holder for holder, _ in _BESIDE])
_CHUNKS: Final = ("retrieved_context", "retrievedContext")
"""What a chunk of a document store stands in: one of the web has no text."""
_STORES: Final = '"vector_store_ids"'
_TOOLS: Final = (semconv.TOOL_DEFINITIONS, semconv.OI_INPUT, "langfuse.observation.input", "mlflow.spanInputs")
"""Where libraries have the tools of a call: by themselves, or in its body."""
MARKS: Final = (*_PARTS, "citations", "rounding_chunks", "roundingChunks")
"""Words of which a text that is JSON has one when it shows something of this kind."""


def searches_files(span: Span) -> bool:
    """Whether a call has OpenAI's file search among its tools: what that found may well not be on the wire."""
    return any(isinstance(text := span.attributes.get(key), str) and _STORES in text for key in _TOOLS)


def is_hosted(part: Mapping[str, AttributeValue]) -> bool:
    """Whether it is a part that shows what the service found."""
    kind = part.get("type")
    return isinstance(kind, str) and kind in _PARTS


def found_in_part(part: Mapping[str, AttributeValue]) -> AttributeValue:
    """What such a part shows; None when it shows nothing."""
    return as_json(part.get(_PARTS[str(part["type"])])) or None


def found_beside(held: Mapping[str, AttributeValue]) -> Iterator[str]:
    """What stands beside the text of a message or of a candidate, as JSON that lists documents."""
    if _HOLDERS.isdisjoint(held):
        return  # the usual case
    for holder, member in _BESIDE:
        if holder in held and (listed := as_json(as_mapping(held[holder]).get(member))):
            items = [as_json(item) for item in listed] if isinstance(listed, list) else []
            kept = [item for item in items if isinstance(item, dict) and _has_text(item, holder)]
            if kept:
                yield json.dumps(kept, ensure_ascii=False, default=str)


def _has_text(item: Mapping[str, AttributeValue], holder: str) -> bool:
    if holder == "context":
        return isinstance(item.get("content"), str)
    return any(isinstance(as_mapping(item.get(key)).get("text"), str) for key in _CHUNKS)
