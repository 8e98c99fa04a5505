"""What real runs of instrumentation packages showed: each test has the spans in the form in which they were written."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from monitor.traces.decode.gaps import missing_numbers
from monitor.traces.prompts import context_block
from monitor.traces.reading import Message
from tests.monitor.traces.library_spans import (
    CALLED,
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    agent,
    answered,
    dotted,
    dropped,
    model,
    oi,
    oi_documents,
    oi_messages,
    oi_model,
    one,
    said,
    told,
    tool,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, span

BOTH = f"{RIDERS}\n\n{OPEN}"
IDS = json.dumps([{"id": "d-1", "score": None}, {"id": "d-2", "score": None}])


def workflow(**more: Any) -> Any:  # noqa: ANN401 - any attribute
    """The entry of OpenTelemetry's LangChain instrumentation."""
    return span("w", attributes=dotted(gen_ai__operation__name="invoke_workflow", **more))


def ids_only(parent: str = "w", at: int = 1) -> Any:  # noqa: ANN401 - a span
    """Its retrieval: ids without texts."""
    named = dotted(gen_ai__operation__name="retrieval", gen_ai__retrieval__query__text=QUESTION)
    return span("r", parent, at, attributes=named | {"gen_ai.retrieval.documents": IDS})


# ------------------------------------------------------------------------------------------------ OpenTelemetry GenAI


@pytest.mark.parametrize(
    "inputs",
    [
        {"question": QUESTION, "language": "English"},
        {"input": QUESTION, "chat_history": ["content='Hello' additional_kwargs={}"]},
        {"query": QUESTION},
        {"input": ""},
        {"nights": 2, "rooms": [1]},
    ],
)
def test_a_workflows_inputs_stand_as_json_in_its_users_message(inputs: dict[str, object]) -> None:
    """Of a streamed run they are empty: the prompt's variable knows the question then, as when no name is known."""
    variables = {"gen_ai.prompt.variable.question": QUESTION, "gen_ai.prompt.variable.context": BOTH}
    asked, replied = said(("user", f"Use this:\n{BOTH}\n\nQuestion: {QUESTION}")), said(("assistant", ANSWER))
    entry = workflow(gen_ai__input__messages=said(("user", json.dumps(inputs))))
    call = model("m", "w", 2, asked, replied)
    call = replace(call, attributes={**call.attributes, **variables})
    assert told(one(entry, ids_only(), call)) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


def test_a_workflows_outputs_may_be_json_too() -> None:
    entry = workflow(
        gen_ai__input__messages=said(("user", QUESTION)),
        gen_ai__output__messages=said(("assistant", json.dumps({"answer": ANSWER, "context": [RIDERS]}))),
    )
    assert one(entry, ids_only()).answer == ANSWER


def test_what_a_user_types_to_an_agent_may_be_json() -> None:
    typed = '{"question": "What does this mean?"}'
    entry = agent("w", gen_ai__input__messages=said(("user", typed)), gen_ai__output__messages=said(("assistant", "A")))
    assert one(entry, ids_only()).question == typed


def test_a_tool_says_what_the_retriever_inside_it_found_when_that_shows_only_ids() -> None:
    entry = agent(
        "w", gen_ai__input__messages=said(("user", QUESTION)), gen_ai__output__messages=said(("assistant", ANSWER))
    )
    first = model("m1", "w", 1, said(("user", QUESTION)), said(("assistant", CALLED)))
    search = tool("t", "w", 2, gen_ai__tool__call__result=BOTH)
    last = said(("user", QUESTION), ("assistant", CALLED), ("tool", answered(BOTH)))
    final = model("m2", "w", 4, last, said(("assistant", ANSWER)))
    assert told(one(entry, first, search, ids_only("t", 3), final)) == Told(QUESTION, ANSWER, (BOTH,), "span")


def test_a_call_that_was_tried_again_was_given_the_same_variables() -> None:
    variables = {"gen_ai.prompt.variable.question": QUESTION, "gen_ai.prompt.variable.context": BOTH}
    asked = said(("user", f"Read.\n\n{BOTH}\n\nQuestion: {QUESTION}"))
    failed = span("m1", "w", 2, attributes={"gen_ai.operation.name": "chat", "gen_ai.input.messages": asked})
    failed = replace(failed, attributes={**failed.attributes, **variables})
    again = model("m2", "w", 3, asked, said(("assistant", ANSWER)))
    assert told(one(workflow(), ids_only(), failed, again)) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


def test_a_model_call_inside_the_retrieval_does_not_answer() -> None:
    """LlamaIndex's fusion retriever has queries made up, and the answering call stands beside it."""
    server = span("w", attributes={"http.route": "/ask"})
    inside = model("m1", "r", 2, said(("user", "Generate 1 search query.")), said(("assistant", "age of riders")))
    answer = model("m2", "w", 3, said(("user", FILLED)), said(("assistant", ANSWER)))
    wanted = Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")
    assert told(one(server, ids_only(), inside, answer)) == wanted


# ------------------------------------------------------------------------------------------------------- OpenInference


def test_a_plain_completion_has_prompts_and_choices() -> None:
    attributes = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "chat-1",
        "llm.prompts.0.prompt.text": f"{FILLED}\nAnswer:",
        "llm.choices.0.completion.text": ANSWER,
        "output.value": json.dumps({"choices": [{"text": ANSWER}]}),
        "output.mime_type": "application/json",
    }
    assert told(one(span("m", attributes=attributes))) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


def test_messages_that_begin_at_one_are_whole() -> None:
    """The first place is that of instructions, of which there may be none."""
    shown = {"openinference.span.kind": "LLM", "input.value": FILLED, "llm.model_name": "chat-1"}
    said_to = {"llm.input_messages.1.message.role": "user", "llm.input_messages.1.message.content": FILLED}
    call = span("m", attributes=shown | said_to | oi_messages("llm.output_messages", [("assistant", ANSWER)]))
    assert not one(call).truncated
    lost = dict(call.attributes)
    del lost["input.value"]
    assert one(replace(call, attributes=lost)).truncated


def test_a_gap_behind_the_first_message_is_a_loss() -> None:
    keys = {f"llm.input_messages.{at}.message.role" for at in (1, 3)} | {"input.value"}
    assert missing_numbers(keys) == 1


def test_metadata_says_who_asked() -> None:
    entry = oi(
        "CHAIN", "a", asked=QUESTION, returned=ANSWER, metadata=json.dumps({"user_id": "u-1", "thread_id": "t-1"})
    )
    request = one(entry, oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents()))
    assert (request.user_id, request.session_id) == ("u-1", "t-1")
    stated = replace(entry, attributes={**entry.attributes, "session.id": "s-1", "user.id": "u-2"})
    request = one(stated, oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents()))
    assert (request.user_id, request.session_id) == ("u-2", "s-1")


def test_a_chain_that_is_handed_a_filled_prompt_was_not_asked_that() -> None:
    """Instructor's spans stand around a model call that is given everything."""
    chain = oi("CHAIN", "a", asked=[{"role": "user", "content": FILLED}], returned={"answer": ANSWER})
    call = oi_model("m", "a", 1, [("user", FILLED)], "call:Answer")
    assert told(one(chain, call)) == Told(QUESTION, ANSWER, (f"{RIDERS}\n{OPEN}",), "prompt")


def test_a_question_that_speaks_of_its_context_is_a_question() -> None:
    typed = "Is this right?\nContext: I ride to work."
    chain = oi("CHAIN", "a", asked=typed, returned=ANSWER)
    assert one(chain, oi("RETRIEVER", "r", "a", 1, asked=typed, **oi_documents())).question == typed


def test_a_stream_that_was_empty_when_the_span_ended_is_no_answer() -> None:
    """LlamaIndex's chat engines end their span before the answer is read."""
    chain = oi("CHAIN", "a", asked={"message": QUESTION}, returned={"response": "", "sources": []})
    found = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    call = oi_model("m", "a", 2, [("system", BOTH), ("user", QUESTION)], ANSWER)
    assert told(one(chain, found, call)) == RIGHT


def test_an_answer_that_was_handed_to_a_tool_for_it_is_the_answer() -> None:
    """The output of a streamed run of smolagents is what its events look like in Python."""
    steps = "ToolCall(name='search', arguments={'query': 'age'}, id='c-1')ToolOutput(id='c-1', output='x')"
    entry = oi("AGENT", "a", asked={"task": QUESTION, "stream": True}, returned=steps)
    first = oi_model("m1", "a", 1, [("user", QUESTION)], "call:search")
    search = oi("TOOL", "t1", "a", 2, returned=BOTH, tool__name="search")
    last = oi_model("m2", "a", 3, [("user", QUESTION), ("tool", BOTH)], "call:final_answer")
    handed = {"args": [], "sanitize_inputs_outputs": True, "kwargs": {"answer": ANSWER}}
    over = oi("TOOL", "t2", "a", 4, asked=handed, returned=ANSWER, tool__name="final_answer")
    assert told(one(entry, first, search, last, over)) == Told(QUESTION, ANSWER, (BOTH,), "span")


def crew(tasks: list[dict[str, object]]) -> Any:  # noqa: ANN401 - a span
    """A crew that was started without inputs: what it is told to do stands in its tasks."""
    return oi("CHAIN", "a", returned={"raw": ANSWER, "tasks_output": []}, crew_tasks=json.dumps(tasks))


def test_a_crew_of_one_task_is_asked_that() -> None:
    search = oi("TOOL", "t", "a", 2, returned=BOTH, tool__name="search")
    assert told(one(crew([{"description": QUESTION}]), search)) == Told(QUESTION, ANSWER, (BOTH,), "span", None)


@pytest.mark.parametrize(
    "tasks", [[{"description": "{question}"}], [{"description": "Search."}, {"description": "Write."}], [{}], []]
)
def test_what_a_crew_is_asked_may_not_be_told(tasks: list[dict[str, object]]) -> None:
    assert dropped(crew(tasks), oi("TOOL", "t", "a", 2, returned=BOTH)) == {"no_request": 1}


# ---------------------------------------------------------------------------------- calls that the answer is made from


def half(span_id: str, at: int, document: str, reply: str, parent: str = "a") -> Any:  # noqa: ANN401 - a span
    """A call that is given one of the documents."""
    return oi_model(span_id, parent, at, [("user", f"Context:\n{document}\nQuestion: {QUESTION}")], reply)


def test_each_document_was_given_to_a_call_of_its_own() -> None:
    """LlamaIndex's `accumulate`: the answer holds the replies."""
    replies = ("Riders must be at least sixteen.", "It is open on every day of the week.")
    chain = oi("CHAIN", "a", asked=QUESTION, returned=f"Response 1: {replies[0]}\n---\nResponse 2: {replies[1]}")
    found = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    request = one(chain, found, half("m1", 2, RIDERS, replies[0]), half("m2", 3, OPEN, replies[1]))
    assert told(request).contexts == RIGHT.contexts


def test_an_answer_is_refined_with_the_next_document() -> None:
    chain = oi("CHAIN", "a", asked=QUESTION, returned=ANSWER)
    found = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    refine = f"Context:\n{OPEN}\nExisting answer: Riders must be at least sixteen.\nQuestion: {QUESTION}"
    last = oi_model("m2", "a", 3, [("user", refine)], ANSWER)
    first = half("m1", 2, RIDERS, "Riders must be at least sixteen.")
    assert told(one(chain, found, first, last)) == RIGHT


def test_a_tool_that_answers_from_documents_was_given_all_of_them() -> None:
    """The agent sees an answer that quotes one of them."""
    entry = oi("AGENT", "a", asked=QUESTION, returned=ANSWER)
    asks = oi_model("m1", "a", 1, [("user", QUESTION)], "call:handbook")
    handbook = oi("TOOL", "t", "a", 2, returned=f"It says: {RIDERS}", tool__name="handbook")
    found = oi("RETRIEVER", "r", "t", 3, asked="age of riders", **oi_documents())
    inner = oi_model("m2", "t", 4, [("user", f"Context:\n{RIDERS}\n{OPEN}\nQuestion: age")], f"It says: {RIDERS}")
    last = oi_model("m3", "a", 5, [("user", QUESTION), ("tool", f"It says: {RIDERS}")], ANSWER)
    assert told(one(entry, asks, handbook, found, inner, last)).contexts == RIGHT.contexts


def test_a_call_that_only_sorts_documents_out_gives_none_of_them() -> None:
    chain = oi("CHAIN", "a", asked=QUESTION, returned=ANSWER)
    found = oi("RETRIEVER", "r", "a", 1, asked=QUESTION, **oi_documents())
    grader = oi_model("m1", "a", 2, [("user", f"Which help?\n1. {RIDERS}\n2. {OPEN}")], "Only number 1 is relevant.")
    final = half("m2", 3, RIDERS, ANSWER)
    assert told(one(chain, found, grader, final)).contexts == ((RIDERS, "d-1"),)


# ------------------------------------------------------------------------------------------------------------ Traceloop


def task(span_id: str, parent: str, at: int, kind: str, asked: object, returned: object) -> Any:  # noqa: ANN401 - a span
    """A span of Traceloop's instrumentation of LlamaIndex."""
    attributes = {
        "traceloop.span.kind": kind,
        "traceloop.entity.name": f"CompactAndRefine.{kind}",
        "traceloop.entity.input": json.dumps(asked),
        "traceloop.entity.output": json.dumps(returned),
    }
    return span(span_id, parent, at, attributes=attributes)


@pytest.mark.parametrize(("nodes", "count"), [([], 1), (LISTED, 0)])
def test_a_step_that_is_handed_no_nodes_shows_an_empty_retrieval(nodes: list[object], count: int) -> None:
    """A retriever that found nothing has no span, and LlamaIndex answers by itself."""
    replied = {"response": "Empty Response", "metadata": None}
    entry = task("a", "", 0, "workflow", {"str_or_query_bundle": QUESTION}, replied)
    entry = replace(entry, attributes={**entry.attributes, "traceloop.entity.name": "RetrieverQueryEngine.workflow"})
    step = task("b", "a", 1, "task", {"query": {"query_str": QUESTION}, "nodes": nodes}, replied)
    if not count:
        assert dropped(entry, step) == {"no_request": 1}
        return
    lost = replace(entry, parent_id="f" * 16, flags=0x100)
    for top in (entry, lost):
        request = one(top, step)
        assert told(request) == Told(QUESTION, "Empty Response", (), "span", None)
        assert not request.truncated


def test_the_only_task_of_a_crew_is_the_question() -> None:
    named = dotted(gen_ai__provider__name="crewai", gen_ai__operation__name="invoke_agent")
    entry = span("a", attributes=named | {"crewai.crew.result": ANSWER, "traceloop.workflow.name": "crewai"})
    work = {"traceloop.span.kind": "task", "crewai.task.description": QUESTION, "traceloop.entity.output": ANSWER}
    asked = said(("user", QUESTION), ("assistant", CALLED), ("tool", answered(BOTH)))
    request = one(
        entry, span("b", "a", 1, attributes=named | work), model("m", "b", 2, asked, said(("assistant", "x")))
    )
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


# -------------------------------------------------------------------------------------------------------------- prompts


@pytest.mark.parametrize(
    "prompt",
    [
        f"Use the context information below to assist the user.\n--------------------\n{BOTH}\n--------------------",
        f"Relevant documents:\n\n{BOTH}\n\nInstruction: Based on the above documents, answer.\nSay so if not.",
    ],
)
def test_what_closes_a_context_is_no_part_of_it(prompt: str) -> None:
    assert context_block([Message("system", prompt), Message("user", QUESTION)]) == BOTH
