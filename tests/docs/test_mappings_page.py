"""The example of docs/mappings.md is what it says: valid, and read from the spans that it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

from monitor.building import build_extractor
from monitor.config.loading import load
from monitor.records import Passage
from monitor.wire import Assembled, AttributeValue, CloseReason, SpanEvent
from tests.monitor.traces.spans import TRACE, only, span

PAGE = (Path(__file__).parents[2] / "docs" / "mappings.md").read_text(encoding="utf-8")
ASK, SEARCH = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
RESOURCE: dict[str, AttributeValue] = {"service.name": "harbour-desk", "harbour.index": "kb-12"}


def test_the_example_reads_the_spans_that_the_page_shows(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    config = tmp_path / "ragmon.yaml"
    config.write_text(example, encoding="utf-8")
    asked = SpanEvent("llm.request", 2, {"llm.text": "The desk closes at 18:00.\nWhen does the desk close?"})
    call: dict[str, AttributeValue] = {"llm.model": "chat-1", "llm.reply": "At 18:00.", "llm.in": 31, "llm.out": "5"}
    spans = (
        span("a", attributes=ASK, resource=RESOURCE),
        span("b", "a", 1, attributes=SEARCH, resource=RESOURCE),
        span("c", "a", 2, name="llm chat-1", attributes=call, events=(asked,), resource=RESOURCE),
        span("d", "a", 3, scope="harbour.eval", resource=RESOURCE),
    )
    request = only(build_extractor(load(config)).extract(Assembled(TRACE, spans, (), CloseReason.QUIET)))
    assert (request.question, request.answer) == ("When does the desk close?", "At 18:00.")
    assert request.contexts == (Passage("The desk closes at 18:00.", "hours-01", 0.83),)
    assert (request.search_query, request.model, request.input_tokens, request.output_tokens) == (
        "desk closing time",
        "chat-1",
        31,
        5,
    )
    assert (request.prompt_version, request.knowledge_base, request.convention) == ("p-7", "kb-12", "harbour@3")
