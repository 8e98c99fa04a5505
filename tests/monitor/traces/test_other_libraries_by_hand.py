"""Requests of tracers that people wrote themselves, of clients alone, and of conversations."""

from __future__ import annotations

import json

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import (
    CALLED,
    FILLED,
    JSON,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    agent,
    answered,
    dotted,
    dropped,
    filled,
    model,
    one,
    said,
    told,
    tool,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, span

FOUND = f"{RIDERS}\n{OPEN}"
WITHOUT_MODEL = RIGHT._replace(model=None)


def _root(**attributes: AttributeValue) -> Span:
    return span("k", name="ask", attributes=dotted(**attributes))


def _step(**attributes: AttributeValue) -> Span:
    return span("r", "k", 1, name="step", attributes=dotted(**attributes))


# ------------------------------------------------------------------------------------------------------- obvious names


@pytest.mark.parametrize(
    ("asked", "returned"),
    [
        ("question", "answer"),
        ("query", "response"),
        ("input", "output"),
        ("rag.query", "rag.response"),
        ("app.question", "app.answer"),
        ("user.query", "final_answer"),
        ("chat.user_message", "chat.reply"),
        ("helpdesk.rag.question", "helpdesk.rag.generated_answer"),
        ("input.value", "output.value"),
    ],
)
def test_question_and_answer_under_obvious_names(asked: str, returned: str) -> None:
    root = span("k", attributes={asked: QUESTION, returned: ANSWER})
    assert told(one(root, _step(query=QUESTION, documents=json.dumps(LISTED)), filled("m", "k", 2))) == RIGHT


@pytest.mark.parametrize(
    "key",
    [
        "documents", "rag.documents", "retriever.documents", "retrieval.documents", "retrieved_docs", "search.results",
        "rag.retrieved_chunks", "app.contexts", "passages", "hits", "rag.context", "chunks",
    ],
)  # fmt: skip
def test_documents_under_obvious_names(key: str) -> None:
    step = span("r", "k", 1, attributes={"query": QUESTION, key: json.dumps(LISTED)})
    assert told(one(_root(question=QUESTION, answer=ANSWER), step)) == WITHOUT_MODEL


@pytest.mark.parametrize("value", [[RIDERS, OPEN], json.dumps([RIDERS, OPEN])])
def test_passages_may_be_plain_texts(value: AttributeValue) -> None:
    request = one(_root(question=QUESTION, answer=ANSWER), _step(query=QUESTION, rag__contexts=value))
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span", None)


def test_an_empty_list_of_documents_is_an_empty_retrieval() -> None:
    request = one(_root(question=QUESTION, answer="I do not know."), _step(query=QUESTION, documents="[]"))
    assert told(request) == Told(QUESTION, "I do not know.", (), "span", None)


@pytest.mark.parametrize("held", [json.dumps([RIDERS, OPEN]), json.dumps([{"text": RIDERS}, {"text": OPEN}])])
def test_one_span_may_tell_all(held: str) -> None:
    request = one(_root(question=QUESTION, answer=ANSWER, contexts=held))
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span", None)


def test_a_context_may_be_one_text() -> None:
    request = one(_root(question=QUESTION, answer=ANSWER, context=FOUND))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "span", None)


@pytest.mark.parametrize(
    "attributes",
    [
        {"app.results": "[]"},
        {"hits": "[]"},
        {"query": "select 1", "results": "[]"},
        {"http.route": "/shop", "query": "shoes", "results": json.dumps([{"id": 1, "text": "Red shoes."}])},
        {
            "db.system": "postgresql",
            "query": "select name from shoes",
            "results": json.dumps([{"id": 1, "text": "Red"}]),
        },
        {"documents": ["a.pdf", "b.pdf"]},
        {"context": "production"},
        {"metadata.question": "When?", "metadata.answer": "Now."},
        {"tool.input": "x", "tool.output": "y"},
        {"http.request.query": "a=b", "http.response": "ok"},
    ],
)
def test_other_things_of_such_names_are_no_requests(attributes: dict[str, AttributeValue]) -> None:
    assert dropped(span("k"), span("r", "k", 1, attributes=attributes)) == {"no_request": 1}


def test_a_prompt_beside_its_completion_is_a_model_call() -> None:
    request = one(
        _root(question=QUESTION, answer=ANSWER),
        _step(query=QUESTION, documents=json.dumps([{"text": "Closed."}, *LISTED])),
        span("m", "k", 2, attributes=dotted(app__prompt=FILLED, app__completion=ANSWER)),
    )
    assert [passage.text for passage in request.contexts] == [RIDERS, OPEN]


def test_keys_of_openinference_need_no_kind() -> None:
    request = one(
        _root(input__value=QUESTION, output__value=ANSWER),
        _step(input__value=QUESTION, retrieval__documents__0__document__content=RIDERS),
        span("m", "k", 2, attributes=dotted(input__value=FILLED, output__value=ANSWER)),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS,), "span", None)
    listed = _step(input__value=QUESTION, output__value=json.dumps(LISTED), output__mime_type=JSON)
    assert told(one(_root(input__value=QUESTION, output__value=ANSWER), listed)) == WITHOUT_MODEL


# ------------------------------------------------------------------------------------------------ several, and others


def _whole(number: int, parent: str, *, entry: bool) -> list[Span]:
    """A request of a batch; without an entry only its retrieval and its model call stand there."""
    asked, reply, text = f"Which is {number}?", f"It is {number}.", f"Number {number} is it."
    start = number * 10
    named = dotted(gen_ai__operation__name="invoke_workflow") if entry else {}
    spoken = dotted(gen_ai__input__messages=said(("user", asked)), gen_ai__output__messages=said(("assistant", reply)))
    found = dotted(
        gen_ai__operation__name="retrieval",
        gen_ai__retrieval__query__text=asked,
        gen_ai__retrieval__documents=json.dumps([{"id": f"d-{number}", "content": text}]),
    )
    return [
        span(f"k{number}", parent, start, attributes=named | (spoken if entry else {})),
        span(f"r{number}", f"k{number}", start + 1, attributes=found),
        model(
            f"m{number}",
            f"k{number}",
            start + 2,
            said(("user", f"Context: {text}\nQuestion: {asked}")),
            said(("assistant", reply)),
        ),
    ]


@pytest.mark.parametrize("entry", [True, False])
def test_each_request_of_a_batch_is_told_for_itself(entry: bool) -> None:  # noqa: FBT001 - both are tried
    extracted = extract(span("job"), *[one for number in range(3) for one in _whole(number, "job", entry=entry)])
    assert [told(request) for request in extracted.requests] == [
        Told(f"Which is {n}?", f"It is {n}.", ((f"Number {n} is it.", f"d-{n}"),), "span") for n in range(3)
    ]


def test_embeddings_alone_are_no_request() -> None:
    assert dropped(span("k", attributes=dotted(gen_ai__operation__name="embeddings"))) == {"ingestion": 1}


# ------------------------------------------------------------------------------------------------------- conversations

_EARLIER = ("Context:\nHelmets cost 5.\n\nQuestion: How much is a helmet?", "It costs 5.")


def test_earlier_turns_of_a_prompt_are_neither_question_nor_context() -> None:
    asked = said(("system", "Answer."), ("user", _EARLIER[0]), ("assistant", _EARLIER[1]), ("user", FILLED))
    assert told(one(model("m", "", 0, asked, said(("assistant", ANSWER))))) == Told(
        QUESTION, ANSWER, (FOUND,), "prompt"
    )


def _turns(*after: tuple[str, object]) -> str:
    earlier: list[tuple[str, object]] = [
        ("user", "How much is a helmet?"),
        ("assistant", CALLED),
        ("tool", answered("Helmets cost 5.")),
        ("assistant", _EARLIER[1]),
        ("user", QUESTION),
    ]
    return said(*earlier, *after)


def test_what_tools_gave_back_in_earlier_turns_is_no_context() -> None:
    request = one(
        agent("a", gen_ai__input__messages=_turns(), gen_ai__output__messages=said(("assistant", ANSWER))),
        model("m1", "a", 1, _turns(), said(("assistant", CALLED))),
        tool("t", "a", 2, gen_ai__tool__call__result=json.dumps(LISTED)),
        model("m2", "a", 3, _turns(("assistant", CALLED), ("tool", answered(LISTED))), said(("assistant", ANSWER))),
    )
    assert told(request) == RIGHT


def test_a_client_alone_shows_what_tools_gave_back_in_this_turn() -> None:
    request = one(
        span("http", kind=2),
        model("m1", "http", 1, _turns(), said(("assistant", CALLED))),
        model("m2", "http", 3, _turns(("assistant", CALLED), ("tool", answered(RIDERS))), said(("assistant", ANSWER))),
    )
    assert told(request) == Told(QUESTION, ANSWER, (RIDERS,), "prompt")


def test_a_chat_that_used_a_tool_in_an_earlier_turn_is_a_chat() -> None:
    assert dropped(model("m", "", 0, _turns(), said(("assistant", "Hello.")))) == {"plain_chat": 1}


_SEARCH = dotted(gen_ai__operation__name="retrieval", gen_ai__retrieval__documents=json.dumps(LISTED))


@pytest.mark.parametrize("prompt", [f"Name this chat: {QUESTION}", "Suggest three questions about bicycles."])
def test_a_call_that_saw_no_document_after_one_that_did_is_not_the_answer(prompt: str) -> None:
    request = one(
        span("http", kind=2),
        span("r", "http", 1, attributes=_SEARCH),
        filled("m", "http", 2),
        model("n", "http", 3, said(("user", prompt)), said(("assistant", "Riding age"))),
    )
    assert told(request)[1:3] == (ANSWER, RIGHT.contexts)


def test_a_call_that_is_given_the_replies_of_others_sums_them_up() -> None:
    parts = [f"By the first: {RIDERS}", f"By the second: {OPEN}"]
    request = one(
        span("http", kind=2),
        span("r", "http", 1, attributes=_SEARCH),
        model("m1", "http", 2, said(("user", RIDERS)), said(("assistant", parts[0]))),
        model("m2", "http", 2, said(("user", OPEN)), said(("assistant", parts[1]))),
        model("m3", "http", 3, said(("user", "Sum up: " + " ".join(parts))), said(("assistant", ANSWER))),
    )
    assert request.answer == ANSWER


# -------------------------------------------------------------------------------------------------------------- frames


@pytest.mark.parametrize(
    "prompt",
    [
        f"# Context\n{FOUND}\n\n# Question\n{QUESTION}",
        f"### Documents\n{FOUND}\n\n### Question\n{QUESTION}\n\n### Answer",
        f"**Context**\n{FOUND}\n\n**Question**\n{QUESTION}",
        f"[Context]\n{FOUND}\n\n[Question]\n{QUESTION}",
        f"=== CONTEXT ===\n{FOUND}\n\n=== QUESTION ===\n{QUESTION}",
        f"<context>\n{FOUND}\n</context>\n\n{QUESTION}",
        f'CONTEXT:\n"""\n{FOUND}\n"""\n\nQUESTION:\n"""\n{QUESTION}\n"""',
        f"Answer the question based only on the following context:\n{FOUND}\n\nQuestion: {QUESTION}",
        f"Use the following pieces of context to answer.\n\n{FOUND}\n\nQuestion: {QUESTION}\nHelpful Answer:",
        f"Kontext:\n{FOUND}\n\nFrage: {QUESTION}\nAntwort:",
        f"Contexto:\n{FOUND}\n\nPregunta: {QUESTION}\nRespuesta:",
        f"{QUESTION}\n\nAnswer using the following information:\n{FOUND}",
        f"コンテキスト:\n{FOUND}\n\n質問: {QUESTION}",
    ],
)
def test_prompts_are_cut_by_the_frames_of_common_templates(prompt: str) -> None:
    request = one(model("m", "", 0, said(("user", prompt)), said(("assistant", ANSWER))))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "prompt")


def test_instructions_may_announce_the_context_of_a_system_message() -> None:
    system = f"You are an assistant. Use the following pieces of retrieved context to answer. Be brief.\n\n{FOUND}"
    request = one(model("m", "", 0, said(("system", system), ("user", QUESTION)), said(("assistant", ANSWER))))
    assert told(request) == Told(QUESTION, ANSWER, (FOUND,), "prompt")


_PARTED = f"{RIDERS}\n\n{OPEN}"
_USE = "Use the following pieces of context to answer the user's question. \nIf you don't know, just say so."


@pytest.mark.parametrize(
    ("system", "prompt"),
    [
        (f"{_USE}\n----------------\n{_PARTED}", QUESTION),
        (f"Answer any questions based solely on the context below:\n\n<context>\n{_PARTED}\n</context>", QUESTION),
        (f"Inside <context></context> XML tags.\n\n<context>\n{_PARTED}\n</context>\n\nAnswer briefly.", QUESTION),
        (f"Here is the knowledge base:\n{_PARTED}\nThe above is the knowledge base.", QUESTION),
        ("", f"Use the context below to answer.\n\n{_PARTED}\n\nQuestion: {QUESTION}"),
        ("", f"You are a chatbot.\n\nUser's question is: {QUESTION}\n\nContext is: {_PARTED}\n"),
        ("", f"{QUESTION}\n\nUse the following information to complete your task:\n{_PARTED}"),
        ("", f"<context>\n{_PARTED}\n</context>\n\n<user_query>\n{QUESTION}\n</user_query>"),
        ("", f"已知信息：\n{_PARTED}\n\n根据上述已知信息，简洁地回答用户的问题。\n问题：{QUESTION}"),
    ],
    ids=["langchain", "retrieval chain", "dify", "ragflow", "kernel", "autogen", "genkit", "open webui", "chatglm"],
)
def test_prompts_of_frameworks_are_cut_by_their_frames(system: str, prompt: str) -> None:
    request = one(model("m", "", 0, said(("system", system), ("user", prompt)), said(("assistant", ANSWER))))
    assert told(request) == Told(QUESTION, ANSWER, (_PARTED,), "prompt")


@pytest.mark.parametrize("asked", ["What are sources of light?", "Write a heading: ## Context", "Hello!\n\nContext"])
def test_a_plain_question_has_no_frame(asked: str) -> None:
    assert dropped(model("m", "", 0, said(("user", asked)), said(("assistant", "Sure.")))) == {"plain_chat": 1}
