"""What is missing of a request, though nobody counted it, marks it as truncated: see `monitor/traces/losses.py`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import ANSWER, QUESTION, chat, extract, only, retrieval, span, workflow

QUERY = "gen_ai.retrieval.query.text"
LOCAL, REMOTE = 0x100, 0x300
"""Span flags: the parent is of this process, of another."""
Documents = dict[int, dict[str, AttributeValue]]
"""Flattened documents by their numbers."""
TEXTS = ["Riders are sixteen or older.", "Open daily."]


def chain(span_id: str, parent: str, output: AttributeValue, at: int = 0) -> Span:
    attributes = {"openinference.span.kind": "CHAIN", "input.value": QUESTION, "output.value": output}
    return span(span_id, parent, at, attributes=attributes)


def listed(span_id: str, parent: str, documents: Documents, output: object = None) -> Span:
    """A retriever of OpenInference, with flattened documents and maybe the same as JSON."""
    flat = {f"retrieval.documents.{n}.document.{key}": v for n, one in documents.items() for key, v in one.items()}
    whole = {} if output is None else {"output.value": json.dumps(output), "output.mime_type": "application/json"}
    return span(span_id, parent, 1, attributes={"openinference.span.kind": "RETRIEVER", **flat, **whole})


def flagged(span: Span, flags: int) -> Span:
    return replace(span, flags=flags)


# ------------------------------------------------------------------------------------------------------------ fragments


def test_a_chain_beside_the_retrieval_without_any_model_call_is_a_fragment() -> None:
    """A step that puts documents together, of which a reranker without a span chose some."""
    request = only(extract(retrieval("b", "lost"), chain("c", "other", TEXTS[0], at=5)))
    assert request.truncated


@pytest.mark.parametrize(("flags", "truncated"), [(LOCAL, True), (REMOTE, False), (0, False)])
def test_a_chain_whose_parent_is_known_to_be_lost_is_a_fragment(flags: int, truncated: bool) -> None:  # noqa: FBT001 - a parameter
    """A parent in another process may never come; older SDKs and other encodings do not say where it is."""
    request = only(extract(flagged(chain("a", "lost", "Anyone."), flags), retrieval("b", "a")))
    assert (request.answer, request.truncated) == ("Anyone.", truncated)


def test_a_chain_with_its_model_call_is_whole_whatever_was_above_it() -> None:
    root = flagged(chain("a", "lost", ANSWER), LOCAL)
    assert not only(extract(root, retrieval("b", "a"), chat("c", "a"))).truncated


def test_parts_that_were_asked_different_things_may_be_of_several_requests() -> None:
    """What held them together was lost: two requests of a batch, or one whose question was rewritten."""
    of_another = replace(retrieval("b", "lost"), attributes={**retrieval("b").attributes, QUERY: "When is it open?"})
    parts = (of_another, chain("c", "other", "Anyone.", at=5), chat("d", "third", at=6))
    assert only(extract(*parts)).truncated
    agreed = (retrieval("b", "lost"), *parts[1:])
    assert not only(extract(*agreed)).truncated


def test_steps_of_a_trace_that_is_whole_may_be_asked_different_things() -> None:
    root = span("a", attributes={"http.route": "/ask"})
    rewritten = replace(retrieval("b", "a"), attributes={**retrieval("b").attributes, QUERY: "age of riders"})
    assert not only(extract(root, rewritten, chain("c", "a", "Anyone.", at=5), chat("d", "a", at=6))).truncated


def test_chains_of_a_batch_whose_model_calls_have_no_spans_are_requests_of_their_own() -> None:
    def one(name: str, question: str) -> tuple[Span, Span]:
        attributes = {"openinference.span.kind": "CHAIN", "input.value": question, "output.value": name}
        return span(name, "batch", attributes=attributes), retrieval(f"r{name}", name)

    batch = span("batch", attributes={"job": "nightly"})
    extracted = extract(batch, *one("a", "Who?"), *one("b", "When?"))
    assert [(request.question, request.answer) for request in extracted.requests] == [("Who?", "a"), ("When?", "b")]


def test_parts_without_a_chain_are_no_fragment() -> None:
    """Engine spans of a stream may never end: the retriever and the model call are the whole of it."""
    assert not only(extract(retrieval("b", "lost"), chat("c", "other"))).truncated


# ------------------------------------------------------------------------------------------------------------ documents


def test_a_number_missing_in_a_list_was_dropped() -> None:
    documents: Documents = {0: {"content": TEXTS[0]}, 2: {"content": TEXTS[1]}}
    assert only(extract(chain("a", "", ANSWER), listed("b", "a", documents))).truncated


def test_a_document_without_its_text_among_others_makes_the_contexts_uncertain() -> None:
    documents: Documents = {0: {"content": TEXTS[0]}, 1: {"id": "d-2"}}
    assert only(extract(chain("a", "", ANSWER), listed("b", "a", documents))).truncated


def test_documents_of_which_none_has_a_text_are_as_the_convention_writes_them() -> None:
    bare = [{"id": "d-1"}, {"id": "d-2"}]
    assert not only(extract(workflow("a"), retrieval("b", "a", documents=bare), chat("c", "a"))).truncated


def test_a_text_lost_from_the_list_is_taken_from_the_output() -> None:
    documents: Documents = {0: {"content": TEXTS[0], "score": 0.5}, 1: {"id": "d-2"}}
    output = {"documents": [{"page_content": text, "id": f"d-{n}"} for n, text in enumerate(TEXTS, 1)]}
    request = only(extract(chain("a", "", ANSWER), listed("b", "a", documents, output)))
    assert [(passage.text, passage.id, passage.score) for passage in request.contexts] == [
        (TEXTS[0], "d-1", 0.5),
        (TEXTS[1], "d-2", None),
    ]
    assert not request.truncated


# -------------------------------------------------------------------------------------------------------------- streams


@pytest.mark.parametrize("shown", ["Anyone aged six", "Anyone"])
def test_an_abandoned_stream_shows_the_beginning_of_the_reply(shown: str) -> None:
    root = chain("a", "", shown)
    request = only(extract(root, retrieval("b", "a"), chat("c", "a")))
    assert (request.answer, request.truncated) == (shown, True)


def test_a_step_that_saw_a_part_tells_of_an_abandoned_stream_where_the_entry_is_silent() -> None:
    """Then the model's whole reply is the answer, though the user read less."""
    root = span("a", attributes={"openinference.span.kind": "CHAIN", "input.value": QUESTION})
    parts = (root, retrieval("b", "a"), chat("c", "a"), chain("d", "a", "Anyone aged", at=5))
    request = only(extract(*parts))
    assert (request.answer, request.truncated) == (ANSWER, True)


def langfuse(kind: str, given: str, output: str | None) -> dict[str, AttributeValue]:
    said = {} if output is None else {"langfuse.observation.output": output}
    return {"langfuse.observation.type": kind, "langfuse.observation.input": given, **said}


def langsmith(kind: str, given: str, output: str | None) -> dict[str, AttributeValue]:
    kinds = {"generation": "llm", "span": "chain"}
    said = {} if output is None else {"gen_ai.completion": json.dumps({"output": output})}
    return {"langsmith.span.kind": kinds.get(kind, kind), "gen_ai.prompt": json.dumps({"input": given}), **said}


@pytest.mark.parametrize("convention", [langfuse, langsmith])
@pytest.mark.parametrize("output", ["Anyone aged", None])
def test_an_abandoned_stream_of_langchain_is_marked_in_each_convention(
    convention: Callable[[str, str, str | None], dict[str, AttributeValue]], output: str | None
) -> None:
    """The entry shows what was read; a function around the chain returned a generator, and shows nothing."""
    root = span("a", attributes=convention("span", QUESTION, output))
    found = span("b", "a", 1, attributes=convention("retriever", QUESTION, json.dumps([{"page_content": TEXTS[0]}])))
    call = span(
        "c", "a", 2, attributes=convention("generation", f"Context:\n{TEXTS[0]}\n\nQuestion: {QUESTION}", ANSWER)
    )
    parser = span("d", "a", 3, attributes=convention("chain", "", "Anyone aged"))
    request = only(extract(root, found, call, parser))
    assert (request.answer, request.truncated) == (output or ANSWER, True)


@pytest.mark.parametrize("shown", ["Anyone.", ANSWER + "\n", "Nobody", ""])
def test_an_application_may_cut_off_sentences_or_say_something_else(shown: str) -> None:
    reply = "Anyone. Sources: faq." if shown == "Anyone." else ANSWER
    assert not only(extract(chain("a", "", shown), retrieval("b", "a"), chat("c", "a", reply=reply))).truncated


def test_an_abandoned_chat_without_retrieval_is_still_no_request() -> None:
    assert dict(extract(chain("a", "", "Anyone aged"), chat("c", "a", prompt=QUESTION)).dropped) == {"plain_chat": 1}


# ---------------------------------------------------------------------------------------------------------------- forms


@pytest.mark.parametrize(
    "said",
    [
        {"role": "assistant", "content": ANSWER},
        {"choices": [{"message": {"role": "assistant", "content": ANSWER}}]},
        {"outputs": ANSWER, "kwargs": {"tags": []}},
        [{"role": "assistant", "content": ANSWER}],
        {"type": "ai", "data": {"content": ANSWER}},
        {"messages": [{"type": "ai", "content": ANSWER}]},
    ],
)
def test_an_answer_that_is_still_json_around_a_text_is_uncertain(said: object) -> None:
    text = json.dumps(said)
    assert only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a"))).truncated is False
    root = replace(workflow("a"), attributes={"gen_ai.operation.name": "invoke_workflow"})
    request = only(extract(root, retrieval("b", "a"), chat("c", "a", reply=text)))
    assert (request.answer, request.truncated) == (text, True)


@pytest.mark.parametrize("said", ['{"answer": "Anyone.", "sources": ["d-1"]}', '["a", "b"]', '"Anyone."', '{"role"'])
def test_json_that_a_model_was_told_to_write_is_an_answer(said: str) -> None:
    root = replace(workflow("a"), attributes={"gen_ai.operation.name": "invoke_workflow"})
    assert not only(extract(root, retrieval("b", "a"), chat("c", "a", reply=said))).truncated


def test_hidden_contents_stay_hidden_where_the_kind_of_their_spans_is_lost() -> None:
    hidden = {"input.value": "__REDACTED__", "output.value": "__REDACTED__"}
    request = only(extract(span("a", attributes=hidden), retrieval("b", "a"), chat("c", "a")))
    assert (request.redacted, request.question, request.answer, request.contexts) == (True, None, None, ())


def test_hidden_contents_are_missing_on_purpose() -> None:
    hidden = {"openinference.span.kind": "CHAIN", "input.value": "__REDACTED__", "output.value": "__REDACTED__"}
    request = only(extract(retrieval("b", "lost"), span("c", "other", 5, attributes=hidden)))
    assert (request.redacted, request.truncated) == (True, False)
