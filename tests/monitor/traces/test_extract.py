from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from monitor.config.settings import Assembly
from monitor.records import ContextsSource, Passage, PassageKind
from monitor.traces import semconv
from monitor.traces.decode import make_decoder
from monitor.traces.extract import REASONS, Extractor
from monitor.wire import Assembled, AttributeValue, CloseReason, Span, SpanEvent
from tests.monitor.traces.spans import (
    ANSWER,
    PROMPT,
    QUESTION,
    TRACE,
    chat,
    extract,
    failed,
    messages,
    only,
    retrieval,
    span,
    workflow,
)

CASES = Path(__file__).parents[2] / "data" / "field-cases.jsonl"


def _field_case(name: str) -> list[Span]:
    """All spans of a field case, in order of delivery."""
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").split("\n") if line]
    (case,) = (row for row in rows if row["id"] == name)
    decoder = make_decoder("otlp_json")
    records = case["input"]["records"]
    return [found for record in records for found in decoder.decode(json.dumps(record["value"]).encode()).spans]


def _evaluation(**more: AttributeValue) -> SpanEvent:
    attributes = {
        "gen_ai.evaluation.name": "user_feedback",
        "gen_ai.evaluation.score.label": "thumbs_down",
        "gen_ai.evaluation.explanation": "wrong",
    }
    return SpanEvent(semconv.EVALUATION_EVENT, 5, attributes | more)


# ---------------------------------------------------------------------------------------------------- field cases


def test_a_tools_result_is_evidence() -> None:
    """FC-017."""
    request = only(extract(*_field_case("FC-017")))
    assert (request.question, request.answer) == ("What is 17% of 2,340?", "17% of 2,340 is 397.8.")
    assert request.contexts == (Passage("397.8", kind=PassageKind.TOOL),)
    assert request.contexts_source is ContextsSource.SPAN


def test_a_prompt_that_was_cut_makes_a_marked_request_of_what_can_be_read() -> None:
    """FC-018."""
    (whole,) = _field_case("FC-018")
    text = whole.attributes["gen_ai.input.messages"]
    assert isinstance(text, str)
    cut = replace(whole, attributes=dict(whole.attributes) | {"gen_ai.input.messages": text[:900]})
    request = only(extract(cut))
    assert (request.question, request.answer, request.truncated) == (None, "You need form B.", True)


def test_what_was_evicted_before_its_entry_came_is_no_whole_request() -> None:
    """Memory cut it off, so nobody knows what is missing; not so where only the quiet time was cut short."""
    half, whole = (retrieval("a", "e"), chat("b", "e")), (workflow("e"), retrieval("a", "e"), chat("b", "e"))
    for spans, reason, truncated in (
        (half, CloseReason.EVICTED, True),
        (half, CloseReason.TIMEOUT, False),
        (whole, CloseReason.EVICTED, False),
    ):
        assembled = Assembled(TRACE, spans, (), reason)
        assert only(Extractor(Assembly(), ()).extract(assembled)).truncated is truncated


def test_children_may_come_before_their_root_and_twice() -> None:
    """FC-021."""
    deliveries = _field_case("FC-021")
    found = [extract(*order) for order in itertools.permutations(deliveries)]
    assert all(extracted == found[0] for extracted in found)
    request = only(found[0])
    assert (request.request_id, request.question, request.answer) == (
        "d1d1d1d1d1d1d1d1",
        "When does the desk close?",
        "At 18:00.",
    )
    assert request.contexts == (Passage("The desk closes at 18:00.", "k1"),)


# -------------------------------------------------------------------------------------------- what is no request


def test_nothing_is_no_request() -> None:
    assert dict(extract().dropped) == {"no_request": 1}


def test_our_own_spans_are_dropped_with_all_below_them_in_whatever_service() -> None:
    """Reliability promise 24: the judge's model calls pass through gateways with spans of their own."""
    own = span("a", attributes={}, resource={"service.name": "ragmon"})
    assert dict(extract(own, retrieval("b", "a"), chat("c", "b")).dropped) == {"own_service": 1}


@pytest.mark.parametrize(
    "attributes",
    [
        {"openinference.span.kind": "EVALUATOR"},
        {"gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.value": 0.4},
        {"gen_ai.operation.name": "evaluate"},
    ],
)
def test_evaluators_are_dropped_with_their_model_calls(attributes: dict[str, AttributeValue]) -> None:
    assert dict(extract(span("a", attributes=attributes), chat("b", "a")).dropped) == {"evaluator": 1}


def test_an_evaluator_inside_a_request_leaves_the_request() -> None:
    judge = span("d", "a", 9, attributes={"openinference.span.kind": "EVALUATOR"})
    request = only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a"), judge, chat("e", "d", 10, reply="0.2")))
    assert (request.answer, request.input_tokens) == (ANSWER, None)


def test_a_request_that_carries_its_own_score_is_no_evaluator() -> None:
    scored = span("a", attributes={"gen_ai.evaluation.score.value": 0.4})
    assert only(extract(scored, retrieval("b", "a"), chat("c", "a"))).answer == ANSWER


def test_a_plain_chat_is_a_request_only_when_configured() -> None:
    spans = [chat("a", prompt="Hello!", reply="Hi.")]
    assert dict(extract(*spans).dropped) == {"plain_chat": 1}
    assert only(extract(*spans, plain_chat=True)).answer == "Hi."


def test_reasons_are_those_of_the_accounting() -> None:
    accounting = (Path(__file__).parents[3] / "monitor" / "accounting.py").read_text()
    assert all(f'Reason("{reason}"' in accounting for reason in REASONS)


# ---------------------------------------------------------------------------------------------------- requests


def test_without_a_chain_the_span_above_retriever_and_model_is_the_entry() -> None:
    request = only(extract(span("a", kind=2), retrieval("b", "a"), chat("c", "a")))
    assert (request.request_id, request.question, request.answer) == ("a", QUESTION, ANSWER)


def test_a_retriever_beside_the_only_chain_feeds_it() -> None:
    chain = replace(workflow("b", "a"), attributes=dict(workflow("b").attributes))
    request = only(extract(span("a", kind=2), retrieval("r", "a"), chain, chat("c", "b", 3)))
    assert (request.request_id, [p.id for p in request.contexts]) == ("b", ["d-1", "d-2"])


def test_a_retriever_beside_a_chain_that_retrieves_itself_feeds_it_too() -> None:
    other = [{"id": "d-3", "content": "Helmets cost 25 euros."}]
    spans = [retrieval("r", "h", 1), workflow("b", "h", 2), retrieval("q", "b", 3, other), chat("c", "b", 4, "Who?")]
    request = only(extract(span("h", kind=2), *spans))
    assert (request.request_id, [p.id for p in request.contexts]) == ("b", ["d-1", "d-2", "d-3"])


def test_a_search_beside_whole_requests_is_none_unless_it_failed() -> None:
    parts = [
        node
        for n in range(2)
        for node in (workflow(f"w{n}", "job", n), retrieval(f"r{n}", f"w{n}", n), chat(f"c{n}", f"w{n}", n + 1))
    ]
    search = [workflow("w2", "job", 5), retrieval("r2", "w2", 6)]
    assert [request.request_id for request in extract(span("job"), *parts, *search).requests] == ["w0", "w1"]
    search[1] = retrieval("r2", "w2", 6, None, **failed())
    assert [request.request_id for request in extract(span("job"), *parts, *search).requests] == ["w0", "w1", "w2"]


def test_wrappers_of_a_model_call_do_not_count_its_tokens_again() -> None:
    tokens = {"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2}
    calls = [chat("c", "a", 2), chat("d", "c", 3)]
    counted = [replace(call, attributes=dict(call.attributes) | tokens) for call in calls]
    request = only(extract(workflow("a"), retrieval("b", "a"), *counted))
    assert (request.input_tokens, request.output_tokens) == (5, 2)


def test_requests_side_by_side_are_told_apart() -> None:
    parts = [
        node
        for n in range(3)
        for node in (workflow(f"w{n}", "job", n), retrieval(f"r{n}", f"w{n}", n), chat(f"c{n}", f"w{n}", n + 1))
    ]
    assert [request.request_id for request in extract(span("job"), *parts).requests] == ["w0", "w1", "w2"]


def test_items_of_a_batch_need_no_chains() -> None:
    parts = [
        node
        for n in range(2)
        for node in (span(f"i{n}", "job", n), retrieval(f"r{n}", f"i{n}", n), chat(f"c{n}", f"i{n}", n + 1))
    ]
    assert [request.request_id for request in extract(span("job"), *parts).requests] == ["i0", "i1"]


def test_a_chain_without_question_and_answer_may_be_a_batch_of_requests() -> None:
    batch = span("job", attributes={"gen_ai.operation.name": "invoke_workflow"})
    parts = [
        node
        for n in range(2)
        for node in (workflow(f"w{n}", "job", n), retrieval(f"r{n}", f"w{n}", n), chat(f"c{n}", f"w{n}", n + 1))
    ]
    broken = [workflow("w2", "job", 5, **failed()), retrieval("r2", "w2", 6, None, **failed())]
    assert [r.request_id for r in extract(batch, *parts, *broken).requests] == ["w0", "w1", "w2"]


def test_an_agent_with_sub_agents_is_one_request() -> None:
    parts = [
        node
        for n in range(2)
        for node in (workflow(f"w{n}", "top", n), retrieval(f"r{n}", f"w{n}", n), chat(f"c{n}", f"w{n}", n + 1))
    ]
    assert only(extract(workflow("top"), *parts)).request_id == "top"


def test_orphans_make_a_request_of_what_is_there() -> None:
    request = only(extract(retrieval("b", "gone"), chat("c", "gone too")))
    assert (request.request_id, request.question, request.answer) == ("c", QUESTION, ANSWER)


def test_spans_of_several_conventions_mix() -> None:
    llm = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "chat-1",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": ANSWER,
    }
    request = only(extract(span("a"), retrieval("b", "a"), span("c", "a", 5, attributes=llm)))
    assert (request.answer, request.model, [p.id for p in request.contexts]) == (ANSWER, "chat-1", ["d-1", "d-2"])


# --------------------------------------------------------------------------------------------- question and answer


def test_a_model_call_before_the_retrieval_does_not_answer() -> None:
    spans = [chat("x", "a", 0, "Rewrite: and on Sundays?", "When open on Sundays?"), retrieval("b", "a", 5)]
    assert only(extract(span("a"), *spans)).answer is None
    assert only(extract(span("a"), *spans, chat("c", "a", 9))).answer == ANSWER


def test_a_model_call_inside_a_retriever_does_not_answer() -> None:
    spans = [retrieval("b", "a", 5), chat("x", "b", 6, "Make up a passage.", "Riders are ten."), chat("c", "a", 4)]
    assert only(extract(span("a"), *spans[:2])).answer is None


def test_a_tool_call_is_no_answer() -> None:
    called = json.dumps([{"role": "assistant", "parts": [{"type": "tool_call", "name": "search"}]}])
    first = span("x", "a", 3, attributes={"gen_ai.operation.name": "chat", "gen_ai.output.messages": called})
    tool = span("t", "a", 4, attributes={"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "[]"})
    assert only(extract(span("a"), first, tool)).answer is None
    assert only(extract(span("a"), chat("c", "a", 2), tool, first)).answer == ANSWER


def test_a_model_call_below_a_guardrail_answers_only_when_there_is_no_other() -> None:
    guard = span("g", "a", 8, attributes={"openinference.span.kind": "GUARDRAIL"})
    spans = [span("a"), retrieval("b", "a"), guard, chat("x", "g", 9, reply="safe")]
    assert only(extract(*spans, chat("c", "a", 5))).answer == ANSWER
    assert only(extract(*spans)).answer == "safe"


def test_a_model_span_around_the_whole_request_has_its_question_and_answer() -> None:
    inner = chat("c", "a", 5, reply="A draft.")
    request = only(extract(chat("a", at=0, prompt="And who may ride?"), retrieval("b", "a"), inner))
    assert (request.question, request.search_query, request.answer) == ("And who may ride?", QUESTION, ANSWER)


def test_a_query_that_a_model_made_up_is_not_the_question() -> None:
    """A call before the search rewrites the question: the prompt has the user's words."""
    search = retrieval("s", "e", 3)
    query = dict(search.attributes) | {"gen_ai.retrieval.query.text": "riding age"}
    rewriting = chat("w", "e", 1, prompt="Rewrite it.", reply="riding age")
    request = only(extract(span("e"), rewriting, span("s", "e", 3, attributes=query), chat("m", "e", 5)))
    assert (request.question, request.search_query) == (QUESTION, "riding age")


def test_of_several_rewritten_queries_none_is_the_question() -> None:
    spans = [retrieval("b", "a", 1), retrieval("d", "a", 2)]
    other = dict(spans[1].attributes) | {"gen_ai.retrieval.query.text": "riding age"}
    spans[1] = replace(spans[1], attributes=other)
    request = only(extract(span("a"), *spans, chat("c", "a", 5, PROMPT.replace(QUESTION, "How old?"))))
    assert (request.question, request.search_query) == ("How old?", None)


def test_one_trailing_newline_is_no_part_of_the_answer() -> None:
    assert only(extract(span("a"), retrieval("b", "a"), chat("c", "a", reply="Now.\n\n"))).answer == "Now.\n"


def test_the_entrys_answer_counts_more_than_the_models() -> None:
    """The reader of a stream may have gone away."""
    assert only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a", reply=ANSWER + " More."))).answer == ANSWER


def test_a_failed_request_has_no_answer_from_its_model() -> None:
    spans = [span("a", **failed("parser broke\nTraceback")), retrieval("b", "a"), chat("c", "a")]
    request = only(extract(*spans))
    assert request.answer is None
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("parser broke", "request")


# ------------------------------------------------------------------------------------------------------- the rest


def test_user_and_session_may_stand_on_the_span_above() -> None:
    above = span("h", attributes={"session.id": "s-1", "enduser.id": 42, "tenant.id": "acme"}, kind=2)
    request = only(extract(above, workflow("a", "h"), retrieval("b", "a"), chat("c", "a")))
    assert (request.session_id, request.user_id, request.tenant) == ("s-1", "42", "acme")


def test_an_unnamed_service_is_no_app() -> None:
    unnamed = {"service.name": "unknown_service:python", "deployment.environment": "staging"}
    request = only(extract(workflow("a", resource=unnamed), retrieval("b", "a"), chat("c", "a")))
    assert (request.app, request.environment) == (None, "staging")


def test_the_weight_comes_from_the_entry_or_any_span_that_has_it() -> None:
    request = only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a", trace_state="x=1,ot=th:c")))
    assert (request.trace_state, request.adjusted_count) == ("x=1,ot=th:c", 4.0)
    request = only(extract(workflow("a", trace_state="ot=rv:abcdefabcdefab"), chat("c", "a", trace_state="ot=th:8")))
    assert (request.trace_state, request.adjusted_count) == ("ot=th:8", 2.0)
    assert only(extract(workflow("a"), retrieval("b", "a"))).adjusted_count == 1.0


def test_feedback_on_one_of_several_requests_is_found_by_response_id() -> None:
    def one(n: int) -> list[Span]:
        model = chat(f"c{n}", f"w{n}", n + 1)
        model = replace(model, attributes=dict(model.attributes) | {"gen_ai.response.id": f"id-{n}"})
        return [workflow(f"w{n}", "job", n), retrieval(f"r{n}", f"w{n}", n), model]

    job = span("job", events=(_evaluation(**{"gen_ai.response.id": "id-1"}),))
    requests = extract(job, *one(0), *one(1)).requests
    assert [len(request.feedback) for request in requests] == [0, 1]
    loose = extract(replace(job, events=(_evaluation(),)), *one(0), *one(1))
    assert ([len(request.feedback) for request in loose.requests], len(loose.feedback)) == ([0, 0], 1)


def test_a_carrier_without_a_link_names_its_answer_by_response_id() -> None:
    extracted = extract(span("f", events=(_evaluation(**{"gen_ai.response.id": "id-1"}),)))
    (said,) = extracted.feedback
    assert (said.trace_id, said.response_id, said.carrier_trace_id) == (None, "id-1", TRACE)
    assert dict(extracted.dropped) == {"feedback": 1}


def test_feedback_of_a_redacted_trace_has_no_comment() -> None:
    hidden = span("a", attributes={"openinference.span.kind": "RETRIEVER", "input.value": "__REDACTED__"})
    request = only(extract(replace(hidden, events=(_evaluation(),))))
    assert [(said.label, said.comment) for said in request.feedback] == [("thumbs_down", None)]


def test_an_answer_may_quote_a_document_but_not_be_all_of_them_put_together() -> None:
    """A chain whose other spans are lost leaves the step that joined the documents; a service may answer by quoting."""
    documents = [{"id": "d-1", "content": "Riders are sixteen."}, {"id": "d-2", "content": "Open daily."}]
    for said, answer in (("Open daily.", "Open daily."), ("Riders are sixteen.\n\nOpen daily.", None)):
        entry = workflow("a")
        entry = replace(entry, attributes={**entry.attributes, semconv.OUTPUT_MESSAGES: messages("assistant", said)})
        assert only(extract(entry, retrieval("b", "a", documents=documents))).answer == answer
