from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.langfuse import LANGFUSE
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import ANSWER, DOCUMENTS, PROMPT, QUESTION, extract, is_hidden, only, span, told

OBSERVED = json.dumps({"args": [QUESTION], "kwargs": {}})


def observation(kind: str, span_id: str = "a", parent: str = "", at: int = 0, **attributes: AttributeValue) -> Span:
    """An observation of a type; attributes without their prefix, `__` for a dot."""
    values = {f"langfuse.observation.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return span(span_id, parent, at, attributes={"langfuse.observation.type": kind, **values})


def traced(**attributes: AttributeValue) -> Span:
    values = {key.replace("__", "."): value for key, value in attributes.items()}
    return span("a", attributes={"langfuse.observation.type": "span", **values})


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("generation", Role.MODEL),
        ("retriever", Role.RETRIEVER),
        ("span", Role.CHAIN),
        ("chain", Role.CHAIN),
        ("AGENT", Role.CHAIN),
        ("tool", Role.TOOL),
        ("evaluator", Role.EVALUATOR),
        ("guardrail", Role.GUARDRAIL),
        ("embedding", Role.STEP),
        ("event", Role.STEP),
        ("unheard", None),
        (3, None),
    ],
)
def test_the_type_gives_the_role(kind: AttributeValue, role: Role | None) -> None:
    assert LANGFUSE.role(span("a", attributes={"langfuse.observation.type": kind})) is role


def test_a_retriever_that_is_handed_documents_is_a_reranker() -> None:
    handed = json.dumps({"args": [QUESTION, DOCUMENTS], "kwargs": {}})
    assert LANGFUSE.role(observation("retriever", input=handed)) is Role.RERANKER
    assert LANGFUSE.role(observation("retriever", input=OBSERVED)) is Role.RETRIEVER
    assert LANGFUSE.role(span("cohere-rerank", attributes={"langfuse.observation.type": "retriever"})) is Role.RERANKER


@pytest.mark.parametrize(
    ("given", "question"),
    [
        (OBSERVED, QUESTION),
        (json.dumps({"args": [], "kwargs": {"question": QUESTION}}), QUESTION),
        (json.dumps({"args": [{"question": QUESTION}], "kwargs": {}}), QUESTION),
        (json.dumps({"messages": [["user", QUESTION]]}), QUESTION),
        (QUESTION, QUESTION),
        ("[1] is what?", "[1] is what?"),
        ('{"args": ["Who m', None),
        (None, None),
    ],
)
def test_an_input_is_text_or_the_json_of_arguments(given: AttributeValue, question: str | None) -> None:
    assert told(LANGFUSE, observation("span", input=given), Role.CHAIN).get("question") == question


@pytest.mark.parametrize(
    ("given", "documents"),
    [
        (json.dumps(DOCUMENTS), (Document("Riders are sixteen or older.", "d-1", 0.9), Document("Open daily.", "d-2"))),
        ('["Open daily."]', (Document("Open daily."),)),
        ("Open daily.", (Document("Open daily."),)),
        ("[]", ()),
        ('[{"id": "d-1", "text": "Ri', None),
    ],
)
def test_a_retriever_returns_documents_texts_or_nothing(given: str, documents: object) -> None:
    read = told(LANGFUSE, observation("retriever", input=OBSERVED, output=given), Role.RETRIEVER)
    assert (read.get("query"), read.get("documents")) == (QUESTION, documents)


def test_a_generation_is_read_from_a_clients_messages() -> None:
    asked = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": PROMPT}])
    read = told(
        LANGFUSE, observation("generation", input=asked, output='{"role": "assistant", "content": "Now."}'), Role.MODEL
    )
    assert read == {
        "prompt": (Message("system", "Be brief."), Message("user", PROMPT)),
        "output": Message("assistant", "Now."),
    }


def test_a_tool_gives_its_result_without_the_messages_frame() -> None:
    message = {"content": "Rain.", "type": "tool", "name": "weather", "tool_call_id": "1", "status": "success"}
    assert told(LANGFUSE, observation("tool", output=json.dumps(message)), Role.TOOL) == {"result": "Rain."}


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"input": 30, "output": 4, "total": 34}, (30, 4)),
        ({"input": 20, "input_cache_read": 10, "output": 4, "output_reasoning": 2, "total": 36}, (30, 6)),
        ({"prompt_tokens": 30, "completion_tokens": 4, "prompt_tokens_details": None}, (30, 4)),
        ({"input_tokens": 30, "input_tokens_details": {"cached_tokens": 9}, "output_tokens": 4}, (30, 4)),
        ({"characters": 7}, (None, None)),
    ],
)
def test_usage_is_read_in_the_words_of_clients_and_of_langfuse(
    usage: dict[str, object], tokens: tuple[int | None, int | None]
) -> None:
    read = told(LANGFUSE, observation("generation", usage_details=json.dumps(usage)))
    assert (read.get("input_tokens"), read.get("output_tokens")) == tokens


@pytest.mark.parametrize("quote", [str, json.dumps])
def test_the_requested_model_is_in_langchains_metadata_plain_up_to_v4_and_quoted_since(quote: object) -> None:
    asked = quote("chat-1") if callable(quote) else None
    read = told(LANGFUSE, observation("generation", model__name="chat-1-2026", metadata__ls_model_name=asked))
    assert read == {"model": "chat-1", "response_model": "chat-1-2026"}


def test_without_langchain_the_only_name_of_the_model_counts_as_the_requested_one() -> None:
    assert told(LANGFUSE, observation("generation", model__name="chat-1")) == {"model": "chat-1"}


def test_versions_people_and_tenants_are_read() -> None:
    read = told(
        LANGFUSE,
        traced(
            session__id="s-1",
            langfuse__user__id="u-1",
            langfuse__trace__metadata__tenant='"acme"',
            langfuse__release="7",
            langfuse__version="2",
            langfuse__observation__prompt__name="faq",
            langfuse__observation__prompt__version=3,
            langfuse__trace__metadata__knowledge_base="handbook-9",
        ),
    )
    assert read == {
        "session_id": "s-1",
        "user_id": "u-1",
        "tenant": "acme",
        "app_version": "7",
        "prompt_version": "faq:3",
        "knowledge_base": "handbook-9",
    }


@pytest.mark.parametrize(
    ("level", "message", "failure"),
    [("ERROR", "index gone", "index gone"), ("ERROR", None, "error"), ("WARNING", "slow", None), (None, None, None)],
)
def test_an_error_level_is_a_failure_whatever_the_status_says(
    level: str | None, message: str | None, failure: str | None
) -> None:
    read = told(LANGFUSE, observation("span", level=level, status_message=message))
    assert read.get("failure") == failure


@pytest.mark.parametrize(
    ("given", "hides"),
    [
        ("[REDACTED]", True),
        ("<fully masked due to failed mask function>", True),
        ("***", True),
        ('{"args": ["[REDACTED]"], "kwargs": {}}', True),
        ("Call me at [REDACTED], please.", False),
        ('{"question": "Who?", "email": "[REDACTED]"}', False),
        (QUESTION, False),
    ],
)
def test_a_mask_over_a_whole_content_hides_it(given: str, hides: bool) -> None:  # noqa: FBT001 - the expectation
    assert is_hidden(observation("span", input=given)) is hides


def _request(output: str = ANSWER) -> tuple[Span, ...]:
    return (
        observation("span", "a", input=OBSERVED, output=output),
        observation("retriever", "b", "a", 1, input=OBSERVED, output=json.dumps(DOCUMENTS)),
        observation("generation", "c", "a", 2, input=json.dumps([{"role": "user", "content": PROMPT}]), output=ANSWER),
    )


def test_a_decorated_function_is_a_request() -> None:
    request = only(extract(*_request()))
    assert (request.question, request.answer, request.convention) == (QUESTION, ANSWER, "langfuse")
    assert [passage.id for passage in request.contexts] == ["d-1", "d-2"]


def test_what_the_trace_states_wins_over_the_entrys_own_values() -> None:
    """`update_current_trace` writes on whichever span is current."""
    root, found, said = _request('{"status": 200}')
    stated: dict[str, AttributeValue] = {"langfuse.trace.input": "Who, please?", "langfuse.trace.output": "All."}
    said = span("c", "a", 2, attributes={**said.attributes, **stated})
    request = only(extract(root, found, said))
    assert (request.question, request.answer) == ("Who, please?", "All.")


def test_spans_that_do_not_agree_on_the_traces_input_are_passed_over() -> None:
    root, found, said = _request()
    one: dict[str, AttributeValue] = {**found.attributes, "langfuse.trace.input": "One?"}
    two: dict[str, AttributeValue] = {**said.attributes, "langfuse.trace.input": "Two?"}
    spans = (root, span("b", "a", 1, attributes=one), span("c", "a", 2, attributes=two))
    assert only(extract(*spans)).question == QUESTION


def test_an_evaluator_beside_the_answer_is_no_request() -> None:
    judge = observation("evaluator", "d", "a", 3, input=OBSERVED, output='{"score": 1}')
    judged = observation("generation", "e", "d", 4, input='[["user", "Is it good?"]]', output="Yes.")
    assert only(extract(*_request(), judge, judged)).answer == ANSWER


def test_a_cut_value_marks_the_request() -> None:
    root, found, said = _request()
    cut = {**found.attributes, "langfuse.observation.output": '[{"id": "d-1", "content": "Ri'}
    request = only(extract(root, span("b", "a", 1, attributes=cut), said))
    assert request.truncated
    assert request.contexts_source is ContextsSource.PROMPT


def test_a_masked_trace_gives_no_contents() -> None:
    request = only(extract(*_request("[REDACTED]")))
    assert request.redacted
    assert (request.question, request.answer, request.contexts) == (None, None, ())


def _batch_run(at: int, parent: str, question: str) -> tuple[Span, ...]:
    """A run of a batch: all of them are roots for LangChain."""
    root, found, said = (f"{kind}{at}" for kind in "abc")
    asked = json.dumps([{"role": "user", "content": PROMPT}])
    return (
        span(
            root,
            parent,
            at,
            name="rag",
            attributes={
                "langfuse.observation.type": "chain",
                "langfuse.observation.metadata.is_langchain_root": "true",
                "langfuse.observation.input": question,
                "langfuse.observation.output": ANSWER,
            },
        ),
        observation("retriever", found, root, at + 1, input=question, output=json.dumps(DOCUMENTS)),
        observation("generation", said, root, at + 2, input=asked, output=ANSWER),
    )


@pytest.mark.parametrize("above", [(), (observation("span", "job", input='{"args": [], "kwargs": {}}', output="[]"),)])
def test_the_runs_of_a_batch_are_requests_of_their_own_though_they_hang_below_each_other(
    above: tuple[Span, ...],
) -> None:
    runs = (*_batch_run(1, "job", "One?"), *_batch_run(10, "a1", "Two?"), *_batch_run(20, "a10", "Three?"))
    requests = extract(*above, *runs).requests
    assert [(request.question, len(request.contexts)) for request in requests] == [
        ("One?", 2),
        ("Two?", 2),
        ("Three?", 2),
    ]


def test_runs_that_hang_below_each_other_in_a_ring_are_read() -> None:
    ring = (*_batch_run(1, "a10", "One?"), *_batch_run(10, "a1", "Two?"))
    assert {request.question for request in extract(*ring).requests} <= {"One?", "Two?"}


def test_before_there_were_types_for_retrievers_their_documents_were_a_spans() -> None:
    root, found, said = _request()
    untyped = {**found.attributes, "langfuse.observation.type": "span"}
    request = only(extract(root, span("b", "a", 1, attributes=untyped), said))
    assert (request.question, [passage.id for passage in request.contexts]) == (QUESTION, ["d-1", "d-2"])


@pytest.mark.parametrize("place", ["span", "resource"])
def test_environment_and_release_stand_on_the_spans_or_in_the_resource(place: str) -> None:
    """The resource has them in Python, the spans have them in JavaScript and wherever the application names another."""
    said: dict[str, AttributeValue] = {"langfuse.environment": "staging", "langfuse.release": "2.1"}
    root, *rest = _request()
    shown = {**root.attributes, **(said if place == "span" else {})}
    resource = {"service.name": "helpdesk", **(said if place == "resource" else {})}
    request = only(extract(span("a", attributes=shown, resource=resource), *rest))
    assert (request.environment, request.app_version) == ("staging", "2.1")


def test_what_a_span_says_of_the_environment_is_nearer_than_the_resource() -> None:
    root, *rest = _request()
    shown = {**root.attributes, "langfuse.environment": "canary"}
    resource: dict[str, AttributeValue] = {"deployment.environment.name": "prod", "langfuse.environment": "staging"}
    request = only(extract(span("a", attributes=shown, resource=resource), *rest))
    assert request.environment == "canary"
