"""The plain words of one library on another's span are not read: a wrong value is worse than a missing one."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.reading import Convention
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.convention_keys import strange_keys
from tests.monitor.traces.spans import ANSWER, QUESTION, chat, extract, only, retrieval, span, workflow

OTHER = "Something else that was put here by somebody"
OTHERS: tuple[AttributeValue, ...] = (
    OTHER,
    json.dumps([{"role": "user", "content": OTHER}, {"role": "assistant", "content": OTHER}]),
    json.dumps([{"id": "9", "text": OTHER, "content": OTHER, "page_content": OTHER}]),
    json.dumps({"question": OTHER, "answer": OTHER, "messages": [{"role": "user", "content": OTHER}]}),
    json.dumps({"message": {"role": "assistant", "content": OTHER}, "context": OTHER, "documents": [OTHER]}),
    json.dumps([
        {"event.name": "gen_ai.user.message", "role": "user", "content": OTHER},
        {"event.name": "gen_ai.choice", "message": {"role": "assistant", "content": OTHER}},
    ]),
)  # fmt: skip
COMMON = (
    "input", "output", "inputs", "outputs", "events", "result", "request_data", "response_data", "llm.messages",
    "tool.result", "tool_response", "final_result", "metadata", "template_arguments", "prompt", "completion",
    "response", "question", "query", "answer", "messages", "retrieval.query", "llm.generated_message", "chain.inputs",
    "chain.outputs", "data.input", "workflow.input", "workflow.output", "input.value", "logfire.msg", "span.type",
)  # fmt: skip
"""Keys that more than one writes, or that mean nothing in particular."""
VAGUE = ("context", "results", "return", "chunks", "hits", "docs", "sql.results", "sql.query")
DOCUMENTS = {"retrieval.documents", "output.value"}
"""Keys that say documents, or hold a list of them, whatever the library."""
OWN = ("crewai.", "genkit:", "honeyhive_", "mlflow.", "scope.agentic.", "spring.ai.", "gen_ai.")
"""Keys that name their library."""
TELLING = {"all_messages_events", "model_request_parameters", "honeyhive_inputs", "honeyhive_outputs"}
"""Heads that are marks themselves: no other library writes them."""
FOREIGN = [one for one in CONVENTIONS if one.heads and "gen_ai" not in one.heads]
STRANGE = tuple(
    sorted({key for one in CONVENTIONS for key in strange_keys(one) if not key.startswith(OWN)} - DOCUMENTS)
)
HEADS = sorted({head for one in FOREIGN for head in one.heads} - TELLING)


def _tool(**held: AttributeValue) -> Span:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.result": "Riders are sixteen or older.",
    }
    return span("tool", "root", 1, attributes=attributes | held)


def _told(*parts: Span, **added: AttributeValue) -> tuple[str | None, str | None, list[str | None]]:
    """Question, answer and texts of contexts, with something added to each span."""
    spans = [replace(part, attributes={**part.attributes, **added}) for part in parts]
    request = only(extract(*spans))
    return request.question, request.answer, [passage.text for passage in request.contexts]


RETRIEVED = (workflow("root"), retrieval("found", "root"), chat("chat", "root"))
SEARCHED = (workflow("root"), _tool(), chat("chat", "root", prompt=QUESTION))


@pytest.mark.parametrize("spans", [RETRIEVED, SEARCHED], ids=["retrieval", "tool"])
@pytest.mark.parametrize("head", HEADS)
def test_a_key_of_another_library_does_not_make_common_words_count(head: str, spans: tuple[Span, ...]) -> None:
    plain = _told(*spans)
    for value in OTHERS:
        common = dict.fromkeys((*COMMON, *STRANGE), value)
        assert _told(*spans, **{**common, f"{head}.guid": "MXxBUE18"}) == plain
        assert _told(*spans, **{**common, head: "web"}) == plain


@pytest.mark.parametrize("key", VAGUE)
def test_a_vague_name_beside_no_question_as_plain_is_no_context(key: str) -> None:
    for value in OTHERS:
        assert _told(*SEARCHED, **{key: value}) == _told(*SEARCHED)


@pytest.mark.parametrize(
    ("marks", "held"),
    [
        ({"entity.guid": "MXxBUE18"}, {"output": "HTTP body"}),
        ({"entity.type": ["agent"]}, {"output": "HTTP body", "input": "/api/chat"}),
        ({"eval.score": 0.5}, {"output": "ok", "llm.messages": OTHERS[1]}),
        ({"entity.guid": "x"}, {"input": "/api/chat", "output": "200 OK"}),
        ({"span_type": "web"}, {"inputs": OTHERS[3], "output": "x", "llm.generated_message": "A generated message."}),
        ({"agent_name": "bob"}, {"request_data": OTHERS[3], "response_data": OTHERS[4]}),
        ({"agent_name": "bob"}, {"events": OTHERS[5]}),
        ({"logfire.msg": "call"}, {"final_result": "Something else.", "tool_response": "Something else."}),
        ({}, {"tool.result": "ok 200"}),
        ({"agentops.session": "s"}, {"tool.result": "ok 200", "workflow.input": "Else?", "workflow.output": "Else."}),
        ({"mlflow.run": "r"}, {"template_arguments": '{"context": "Something else.", "question": "Else?"}'}),
        ({"langsmith.metadata.user_id": "u"}, {"gen_ai.prompt": "Else?", "gen_ai.completion": "Something else."}),
        ({"openinference.project": "p"}, {"input.value": "Else?", "output.value": "Something else."}),
        ({"spring.application": "a"}, {"db.vector.query.response.documents": OTHERS[2]}),
    ],
)
def test_a_librarys_words_are_read_on_its_own_spans_only(
    marks: dict[str, AttributeValue], held: dict[str, AttributeValue]
) -> None:
    for spans in (RETRIEVED, SEARCHED):
        assert _told(*spans, **marks, **held) == _told(*spans)


def test_a_model_call_alone_keeps_its_question_and_answer() -> None:
    call = chat("chat", prompt=QUESTION)
    marked = replace(call, attributes={**call.attributes, "entity.guid": "x", "llm.messages": OTHERS[1], "output": "x"})
    request = only(extract(marked, plain_chat=True))
    assert (request.question, request.answer) == (QUESTION, ANSWER)


@pytest.mark.parametrize("convention", FOREIGN, ids=lambda one: one.name)
def test_an_event_of_another_library_changes_nothing(convention: Convention) -> None:
    events = tuple(SpanEvent(f"{head}.done", 1, {"output": OTHER, "input": OTHER}) for head in sorted(convention.heads))
    spans = [replace(part, events=events) for part in RETRIEVED]
    assert _told(*spans) == _told(*RETRIEVED)
