"""Spans and values as OpenLLMetry and the Traceloop SDK write them."""

from __future__ import annotations

import json

from monitor.wire import AttributeValue

OPEN = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"]} | {
    "kwargs": {"id": "d-1", "page_content": "Open.", "metadata": {"score": 0.6}}
}
NODE = json.dumps({"node": {"id_": "d-1", "text": "Open."}, "score": 0.4, "class_name": "NodeWithScore"})


def entity(
    kind: str, name: str = "step", *, asked: object = None, returned: object = None
) -> dict[str, AttributeValue]:
    """The attributes of an entity; None is not recorded."""
    held: dict[str, AttributeValue] = {"traceloop.span.kind": kind, "traceloop.entity.name": name}
    values = {"traceloop.entity.input": asked, "traceloop.entity.output": returned}
    return held | {key: json.dumps(value) for key, value in values.items() if value is not None}


def run(value: object) -> dict[str, object]:
    """What LangChain's callbacks make of a run's input."""
    return {"inputs": value, "tags": ["seq:step:1"], "metadata": {}, "kwargs": {"name": "run"}}


def ran(value: object) -> dict[str, object]:
    """What LangChain's callbacks make of a run's output."""
    return {"outputs": value, "kwargs": {"tags": []}}
