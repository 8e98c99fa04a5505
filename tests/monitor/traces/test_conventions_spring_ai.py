from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.spring_ai import SPRING_AI
from monitor.traces.log_lines import event_in
from monitor.traces.reading import Document, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.spans import ANSWER, QUESTION, Fields, extract, failed, only, span, told

RULE = "-" * 21
TEXTS = ["Riders are sixteen or older.", "Open daily."]
FILLED = (
    f"{QUESTION}\n\nContext information is below, surrounded by {RULE}\n\n{RULE}\n" + "\n".join(TEXTS) + f"\n{RULE}\n\n"
    "Given the context and provided history information and not prior knowledge,\nreply to the user comment. "
    "If the answer is not in the context, inform\nthe user that you can't answer the question.\n"
)
AUGMENTED = (
    f"Context information is below.\n\n{RULE}\n" + "\n".join(TEXTS) + f"\n{RULE}\n\n"
    "Given the context information and no prior knowledge, answer the query.\n\n"
    f"Query: {QUESTION}\n\nAnswer:\n"
)


def joined(*texts: str) -> str:
    """As Spring AI joins texts: no JSON when they hold quotation marks or line breaks."""
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"


def observed(kind: str, span_id: str, parent: str, at: int, **attributes: AttributeValue) -> Span:
    """An observation; Micrometer writes all values as text."""
    held: dict[str, AttributeValue] = {"spring.ai.kind": kind, "error": "none"}
    if kind != "vector_store":
        held |= {"gen_ai.operation.name": "framework", "gen_ai.system": "spring_ai"}
    return span(span_id, parent, at, attributes={**held, **attributes})


def client(**attributes: AttributeValue) -> Span:
    conversation: dict[str, AttributeValue] = {"spring.ai.chat.client.conversation.id": "c-7"}
    return observed("chat_client", "client", "http", 1, **{**conversation, **attributes})


def advisor() -> Span:
    return observed("advisor", "advisor", "client", 2, **{"spring.ai.advisor.name": "QuestionAnswerAdvisor"})


def store(operation: str = "query", /, **attributes: AttributeValue) -> Span:
    held: dict[str, AttributeValue] = {
        "db.system": "pg_vector",
        "db.operation.name": operation,
        "db.collection.name": "faq",
        "db.vector.query.top_k": "4",
    }
    return observed("vector_store", "store", "advisor", 3, **{**held, **attributes})


def model(*events: SpanEvent, **attributes: AttributeValue) -> Span:
    held: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.system": "openai",
        "gen_ai.request.model": "chat-1",
        "gen_ai.response.model": "none",
        "gen_ai.usage.input_tokens": "60",
        "gen_ai.usage.output_tokens": "7",
    }
    return span("model-20", "advisor", 20, attributes={**held, **attributes}, events=events)


def http() -> Span:
    return span("http", kind=2)


@pytest.mark.parametrize(
    ("attributes", "role"),
    [
        ({"spring.ai.kind": "chat_client"}, Role.CHAIN),
        ({"spring.ai.kind": "advisor"}, Role.STEP),
        ({"spring.ai.kind": "tool_call"}, Role.TOOL),
        ({"spring.ai.kind": "vector_store", "db.operation.name": "query"}, Role.RETRIEVER),
        ({"spring.ai.kind": "vector_store", "db.operation.name": "add"}, Role.STEP),
        ({"spring.ai.kind": "image"}, None),
        ({"gen_ai.operation.name": "chat", "spring.ai.model.request.tool.names": "[]"}, None),
    ],
)
def test_the_kind_gives_the_role(attributes: dict[str, AttributeValue], role: Role | None) -> None:
    assert SPRING_AI.role(span("a", attributes=attributes)) is role


@pytest.mark.parametrize("prompt", [FILLED, AUGMENTED])
@pytest.mark.parametrize("in_events", [False, True])
def test_documents_come_from_the_prompt_where_the_store_shows_none(prompt: str, in_events: bool) -> None:  # noqa: FBT001 - a case
    """Attributes hold texts that are joined by hand, events of OpenTelemetry a list of them."""
    if in_events:
        asked = SpanEvent("gen_ai.content.prompt", 21, {"gen_ai.prompt": ["You help.", prompt]})
        replied = SpanEvent("gen_ai.content.completion", 22, {"gen_ai.completion": [ANSWER]})
        call = model(asked, replied)
    else:
        call = model(**{"gen_ai.prompt": joined("You help.", prompt), "gen_ai.completion": joined(ANSWER)})
    request = only(extract(http(), client(), advisor(), store(), call))
    assert (request.request_id, request.question, request.answer) == ("client", QUESTION, ANSWER)
    assert [passage.text for passage in request.contexts] == ["\n".join(TEXTS)]
    assert (request.contexts_source, request.session_id, request.knowledge_base) == (
        ContextsSource.PROMPT,
        "c-7",
        "faq",
    )
    assert (request.model, request.response_model, request.input_tokens) == ("chat-1", None, 60)
    assert request.convention == "spring_ai"


@pytest.mark.parametrize(
    ("attributes", "events"),
    [
        ({"db.vector.query.response.documents": joined(*TEXTS)}, ()),
        (
            {},
            (SpanEvent("db.vector.content.query.response", 5, {"db.vector.query.response.documents": [*TEXTS]}),),
        ),
    ],
)
def test_a_store_may_show_what_it_found(attributes: dict[str, AttributeValue], events: tuple[SpanEvent, ...]) -> None:
    shown = store(**{"db.vector.query.content": "age of riders", **attributes})
    read = span("store", "advisor", 3, attributes=shown.attributes, events=events)
    assert told(SPRING_AI, read, Role.RETRIEVER) == {
        "query": "age of riders",
        "documents": (Document(TEXTS[0]), Document(TEXTS[1])),
    }
    answered = model(**{"gen_ai.prompt": joined(FILLED), "gen_ai.completion": joined(ANSWER)})
    asked = client(**{"spring.ai.chat.client.user.text": QUESTION})
    request = only(extract(http(), asked, advisor(), read, answered))
    assert [passage.text for passage in request.contexts] == TEXTS
    assert (request.contexts_source, request.search_query) == (ContextsSource.SPAN, "age of riders")


def test_texts_that_cannot_be_told_apart_are_no_documents() -> None:
    unclear = store(**{"db.vector.query.response.documents": '["Say "yes", "no".", "Open daily."]'})
    assert "documents" not in told(SPRING_AI, unclear, Role.RETRIEVER)


@pytest.mark.parametrize(
    ("attributes", "question"),
    [
        ({"spring.ai.chat.client.user.text": QUESTION}, QUESTION),
        ({"spring.ai.chat.client.user.text": "Answer {question} now"}, None),
        ({"gen_ai.prompt": f'["system":"You help.", "user":"{QUESTION}"]'}, QUESTION),
        ({"gen_ai.prompt": f'["user":"Say "{QUESTION}""]'}, f'Say "{QUESTION}"'),
        ({"gen_ai.prompt": json.dumps(["You help.", FILLED])}, None),
        ({"gen_ai.prompt": '["user":"cut'}, None),
        ({"gen_ai.prompt": "[]"}, None),
        ({}, None),
    ],
)
def test_a_chat_client_may_show_what_the_user_typed(
    attributes: dict[str, AttributeValue], question: str | None
) -> None:
    assert told(SPRING_AI, client(**attributes), Role.CHAIN).get("question") == question


def test_without_contents_a_request_counts_with_its_query() -> None:
    """The default: contents are logged when they are asked for, not traced."""
    request = only(extract(http(), client(), advisor(), store(**{"db.vector.query.content": QUESTION}), model()))
    assert (request.question, request.answer, request.contexts) == (QUESTION, None, ())
    assert request.contexts_source is ContextsSource.UNKNOWN


@pytest.mark.parametrize("conversation", ["default", "none"])
def test_the_conversation_that_nobody_named_is_no_session(conversation: str) -> None:
    assert "session_id" not in told(SPRING_AI, client(**{"spring.ai.chat.client.conversation.id": conversation}))


def test_a_tools_result_is_evidence() -> None:
    found = [{"id": "d-1", "text": TEXTS[0], "metadata": {"source": "faq"}}]
    tool = observed("tool_call", "tool", "model-20", 25, **{"spring.ai.tool.call.result": json.dumps(found)})
    last = span("model-40", "advisor", 40, attributes={**model().attributes, "gen_ai.completion": joined(ANSWER)})
    asked = client(**{"spring.ai.chat.client.user.text": QUESTION})
    request = only(extract(http(), asked, advisor(), model(), tool, last))
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [(passage.id, passage.text) for passage in request.contexts] == [("d-1", TEXTS[0])]


def test_a_tools_text_stands_in_json_quotes() -> None:
    tool = observed("tool_call", "tool", "", 1, **{"spring.ai.tool.call.result": json.dumps("Open daily.")})
    assert told(SPRING_AI, tool, Role.TOOL) == {"result": "Open daily."}


def test_a_client_that_rewrites_the_query_does_not_answer() -> None:
    rewriter = observed("chat_client", "rewriter", "advisor", 2)
    rewriting = span("rewriting", "rewriter", 2, attributes={**model().attributes, "gen_ai.completion": joined("Age?")})
    call = model(**{"gen_ai.prompt": joined(AUGMENTED), "gen_ai.completion": joined(ANSWER)})
    asked = store(**{"db.vector.query.content": "Age?"})
    read = span("store", "advisor", 13, attributes=asked.attributes)
    request = only(extract(http(), client(), advisor(), rewriter, rewriting, read, call))
    assert (request.question, request.answer, request.search_query) == (QUESTION, ANSWER, "Age?")


def test_a_failed_store_is_an_error_of_the_retrieval() -> None:
    thrown: Fields = {"events": (SpanEvent("exception", 5, {"exception.type": "java.net.ConnectException"}),)}
    thrown.update(failed("refused"))
    broken = span("store", "advisor", 3, attributes={**store().attributes, "error": "ConnectException"}, **thrown)
    request = only(extract(http(), client(error="ConnectException"), advisor(), broken))
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("java.net.ConnectException", "retrieval")


def test_filling_a_store_is_no_request() -> None:
    embedding = span("e", "http", 2, attributes={"gen_ai.operation.name": "embedding", "gen_ai.system": "openai"})
    assert dict(extract(http(), store("add"), embedding).dropped) == {"ingestion": 1}


# ----------------------------------------------------------------------------------------------- texts in log records


def logged(line: str, content: str) -> SpanEvent:
    """A log record of Spring AI, as an event of its span."""
    event = event_in(f"{line}\n{content}", 30)
    assert event is not None
    return event


def with_log(read: Span, line: str, content: str) -> Span:
    return replace(read, events=(*read.events, logged(line, content)))


def test_texts_that_are_logged_are_read() -> None:
    """Spring AI since 1.0 with log-prompt, log-completion and log-query-response."""
    found = with_log(store(**{"db.vector.query.content": QUESTION}), "Vector Store Query Response:", joined(*TEXTS))
    call = with_log(model(), "Chat Model Prompt Content:", joined("You help.", AUGMENTED))
    call = with_log(call, "Chat Model Completion:", joined(ANSWER))
    request = only(extract(http(), client(), advisor(), found, call))
    assert (request.question, request.answer, [one.text for one in request.contexts]) == (QUESTION, ANSWER, TEXTS)
    assert (request.contexts_source, request.truncated) == (ContextsSource.SPAN, False)


def test_a_chat_client_may_log_what_it_was_asked_and_gave_back() -> None:
    asked = with_log(client(), "Chat Client Prompt Content:", f'["system":"You help.", "user":"{QUESTION}"]')
    asked = with_log(asked, "Chat Client Completion:", joined(ANSWER))
    assert told(SPRING_AI, asked, Role.CHAIN) == {"question": QUESTION, "answer": ANSWER}
    assert only(extract(http(), asked, advisor(), store(), model())).answer == ANSWER


@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        (joined('Say "yes".'), 'Say "yes".'),
        (joined("Two\nlines."), "Two\nlines."),
        (joined("One.", "Another."), None),
        (joined('Say "yes", "no".', "Or nothing."), None),
        ("[]", None),
        ('["cut', None),
    ],
)
def test_a_client_answers_with_the_only_text(completion: str, answer: str | None) -> None:
    asked = with_log(client(), "Chat Client Completion:", completion)
    assert told(SPRING_AI, asked, Role.CHAIN).get("answer") == answer


def test_an_empty_response_is_an_empty_retrieval() -> None:
    found = with_log(store(**{"db.vector.query.content": QUESTION}), "Vector Store Query Response:", "[]")
    assert told(SPRING_AI, found, Role.RETRIEVER)["documents"] == ()
