"""SDKs that decorate functions: AgentOps, Netra, HoneyHive, Agenta, Mirascope, prompt flow; and Galileo's retriever."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from monitor.traces.conventions.flattened import gathered
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import LISTED, OPEN, RIDERS, RIGHT, Told, agent, dotted, filled, one, said, told
from tests.monitor.traces.spans import ANSWER, QUESTION, span

Write = Callable[[str, object, object], dict[str, AttributeValue]]
"""The attributes of a function by its kind, with what it was called with (by name) and what it returned."""


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _flat(prefix: str, value: object) -> dict[str, AttributeValue]:
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    if not pairs:
        return {prefix: str(value)}
    found: dict[str, AttributeValue] = {}
    for name, member in pairs:
        found |= _flat(f"{prefix}.{name}", member)
    return found


def _agentops(kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    word = {"chain": "session", "find": "task", "tool": "tool"}[kind]
    place = "entity" if kind == "chain" else word
    called = {"args": [], "kwargs": asked}
    return {
        "agentops.span.kind": word,
        f"agentops.{place}.input": _text(called),
        f"agentops.{place}.output": _text(returned),
    }


def _netra(kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    word = "workflow" if kind == "chain" else "task"
    return {
        "netra.entity.type": word,
        "netra.entity.input": _text(asked),
        "netra.entity.output": _text(returned),
        "netra.session_id": "s-1",
    }


def _honeyhive(kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    word = "chain" if kind == "chain" else "tool"
    return {
        "honeyhive_event_type": word,
        **_flat("honeyhive_inputs", asked),
        **_flat("honeyhive_outputs.result", returned),
    }


def _old_honeyhive(kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    found = _honeyhive(kind, {}, returned)
    return {**found, **_flat("honeyhive_inputs._params_", asked)}


def _agenta(kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    word = {"chain": "workflow", "find": "TASK", "tool": "tool"}[kind]
    shown = returned if isinstance(returned, str) else "@ag.type=json:" + json.dumps(returned)
    return {"ag.type.node": word, **_flat("ag.data.inputs", asked), "ag.data.outputs.__default__": shown}


def _promptflow(kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    word = "Retrieval" if kind == "find" else "Function"
    values: dict[str, AttributeValue] = {"inputs": json.dumps(asked), "output": json.dumps(returned)}
    return {"framework": "promptflow", "span_type": word, **values}


def _mirascope(_kind: str, asked: object, returned: object) -> dict[str, AttributeValue]:
    shown = {"mirascope.trace.arg_values": json.dumps(asked), "mirascope.trace.output": _text(returned)}
    return {"mirascope.type": "trace", **shown}


ALL = pytest.mark.parametrize(
    "write", [_mirascope, _old_honeyhive, _agentops, _netra, _honeyhive, _agenta, _promptflow]
)


def _request(write: Write, found: object, answer: object = ANSWER, kind: str = "find") -> tuple[Span, ...]:
    return (
        span("r", attributes=write("chain", {"question": QUESTION}, answer), name="answer"),
        span("k", "r", 1, attributes=write(kind, {"query": QUESTION}, found), name="retrieve"),
        filled("m", "r", 2),
    )


@ALL
def test_a_function_that_returned_documents_found_them(write: Write) -> None:
    assert told(one(*_request(write, LISTED))) == RIGHT


@ALL
def test_a_function_that_finds_by_name_may_return_texts(write: Write) -> None:
    assert told(one(*_request(write, [RIDERS, OPEN]))) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")


@ALL
def test_an_answer_in_an_object(write: Write) -> None:
    assert one(*_request(write, LISTED, {"answer": ANSWER, "files": ["hours.md"]})).answer == ANSWER


@pytest.mark.parametrize("write", [_agentops, _agenta, _honeyhive])
def test_a_tool_that_searches(write: Write) -> None:
    assert told(one(*_request(write, LISTED, kind="tool"))) == RIGHT


def test_a_run_of_langchain_under_a_session_of_agentops() -> None:
    """Its callbacks write under keys of their own; the session above shows nothing."""
    kind = "agentops.span.kind"
    found = json.dumps({"type": "tool", "content": json.dumps(LISTED), "tool_call_id": "c-1"})
    spans = (
        span("s", attributes={kind: "session"}),
        span("r", "s", attributes={kind: "chain", "chain.inputs": QUESTION, "chain.outputs": ANSWER}),
        span("k", "r", 1, attributes={kind: "tool", "langchain.tool.output": found}),
        filled("m", "r", 2),
    )
    request = one(*spans)
    assert (told(request), request.request_id) == (RIGHT, "r")


def test_a_result_that_netra_cut_makes_the_request_truncated() -> None:
    root, found, call = _request(_netra, LISTED)
    cut = json.dumps(LISTED)[:60]
    request = one(root, span("k", "r", 1, attributes={**found.attributes, "netra.entity.output": cut}), call)
    assert (request.truncated, request.session_id, request.answer) == (True, "s-1", ANSWER)


def test_a_retriever_of_galileo() -> None:
    searched = dotted(
        db__operation="search",
        gen_ai__system="galileo-otel",
        gen_ai__input__messages=json.dumps([{"role": "user", "content": QUESTION}]),
        gen_ai__output__messages=json.dumps([{"role": "assistant", "content": {"documents": LISTED}}]),
    )
    asked = agent(
        "r", gen_ai__input__messages=said(("user", QUESTION)), gen_ai__output__messages=said(("assistant", ANSWER))
    )
    assert told(one(asked, span("k", "r", 1, attributes=searched), filled("m", "r", 2))) == RIGHT


def test_parts_are_gathered_to_what_they_were() -> None:
    whole = {"question": QUESTION, "found": [{"id": "d-1"}, {"id": "d-2"}]}
    assert gathered(_flat("inputs", whole), "inputs") == whole


def test_a_list_with_gaps_keeps_its_order() -> None:
    """SDKs drop attributes over their limit."""
    assert gathered({"x.10.id": "c", "x.2.id": "b", "y": 1, "x.9.id": None}, "x") == [{"id": "b"}, {"id": "c"}]


def test_nothing_under_a_prefix() -> None:
    assert gathered({"inputs2.a": "b"}, "inputs") is None


def test_a_value_goes_before_parts_of_it() -> None:
    assert gathered({"x.a": "text", "x.a.b": "part"}, "x") == {"a": "text"}
    assert gathered({"x.a.b": "part", "x.a": "text"}, "x") == {"a": "text"}
