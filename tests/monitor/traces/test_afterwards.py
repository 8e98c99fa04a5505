"""Of several model calls after the search the one that was given the documents answers, unless a later one goes on."""

from __future__ import annotations

import json

import pytest

from monitor.wire import Span
from tests.monitor.traces.spans import (
    ANSWER,
    DOCUMENTS,
    PROMPT,
    QUESTION,
    chat,
    extract,
    messages,
    only,
    retrieval,
    span,
)

RIDERS = "Riders are sixteen or older."
TOLD = f"User: {QUESTION}\nAssistant: {ANSWER}"
HTTP = {"http.request.method": "POST"}
AGENT = {"gen_ai.operation.name": "invoke_agent"}


def _request(*later: Span, reply: str = ANSWER) -> tuple[Span, ...]:
    return (span("h", attributes=HTTP), retrieval("b", "h", 1), chat("c", "h", 2, reply=reply), *later)


def _answer(*spans: Span) -> tuple[str | None, bool]:
    """The answer, and whether it is uncertain."""
    request = only(extract(*spans))
    return request.answer, request.truncated


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        (f"Name this chat:\n{TOLD}", "Riding ages"),
        (f"Suggest what to ask next:\n{TOLD}", '{"follow_ups": ["What does it cost?"]}'),
        (f"Suggest what to ask next:\n{TOLD}", "- What does it cost?\n- When is it open?"),
        ("Name this chat:\n" + json.dumps([{"said": "\u201cRide?\u201d"}, {"said": ANSWER}]), "Riding ages"),
        (f"Suggest what to ask next:\n{TOLD}", '```json\n["What does it cost?"]\n```'),
        (f"Is this text safe?\n{ANSWER}", "safe"),
        (f"Rate this answer from 1 to 5:\n{ANSWER}", "5"),
        (f"Rate this answer:\n{ANSWER}", '{"score": 5, "reason": "It is short and says all that matters."}'),
        (f"Is the answer grounded in the facts?\nFacts: {RIDERS}\nAnswer: {ANSWER}", "Yes."),
        (f"Is the answer grounded in the facts?\nFacts: {RIDERS}\nAnswer: {ANSWER}", '{"grounded": true}'),
        ("Name this chat: riding", "Riding ages of visitors in the park"),
    ],
)
def test_what_is_said_about_an_answer_is_none(prompt: str, reply: str) -> None:
    assert _answer(*_request(chat("d", "h", 20, prompt, reply))) == (ANSWER, False)


@pytest.mark.parametrize(
    "reply", ["Alle ab sechzehn Jahren.", "You have to be sixteen, or older than that.", "16岁以上可以骑行。"]
)
def test_a_reply_that_may_have_taken_the_answers_place_makes_it_uncertain(reply: str) -> None:
    """A translation, a rewriting: nothing says which the user got. The documents are held against what they made."""
    assert _answer(*_request(chat("d", "h", 20, f"Put it in other words:\n{ANSWER}", reply))) == (ANSWER, True)


LONG = "Anyone aged sixteen or older may ride, as long as they have signed the form at the entrance and wear a helmet."
CHINESE = "根据园区规定，年满十六周岁的游客均可乘坐，但须在入口处签署同意书，并且全程佩戴头盔，不得中途摘下。"


@pytest.mark.parametrize(
    ("asked", "answer", "reply"),
    [
        ("Condense this for a phone screen", LONG, "16+ with signed form and helmet"),
        ("请精简以下回答", CHINESE, "满十六岁、签字并戴头盔即可。"),
        ("请精简以下回答", CHINESE, "满十六岁、签字并戴头盔"),
        ("Put this into our widget format", LONG, '{"headline": "Riding", "paragraphs": ["You may ride from 16."]}'),
        ("In one number", LONG, "16"),
        ("Make it shorter", LONG, "Sechzehn"),
    ],
)
def test_a_short_form_of_the_answer_makes_it_uncertain(asked: str, answer: str, reply: str) -> None:
    assert _answer(*_request(chat("d", "h", 20, f"{asked}:\n{answer}", reply), reply=answer)) == (answer, True)


def test_a_word_that_an_answer_is_refined_to_is_the_answer_but_uncertain() -> None:
    """It may be a grade that the prompt asks for in words that nobody knows."""
    told = f"Existing answer: {ANSWER}\nRefine it with this context:\n{RIDERS}\nQuestion: {QUESTION}"
    assert _answer(*_request(chat("d", "h", 20, told, "16"))) == ("16", True)
    assert _answer(*_request(chat("d", "h", 20, told, "Correct."))) == (ANSWER, False)


@pytest.mark.parametrize("reply", ['{"age": 16}', '{"helmet_required": true}', '{"headline": "From sixteen on."}'])
def test_data_of_unknown_names_may_be_the_answer_in_another_form(reply: str) -> None:
    told = f"Existing answer: {ANSWER}\nContext: {RIDERS}\nQuestion: {QUESTION}"
    assert _answer(*_request(chat("d", "h", 20, told, reply)))[1]
    assert _answer(*_request(chat("d", "h", 20, f"As data:\n{ANSWER}", reply)))[1]


def test_a_number_beside_documents_is_a_grade_or_the_answer() -> None:
    told = f"Existing answer: {ANSWER}\nContext: {RIDERS}\n"
    assert _answer(*_request(chat("d", "h", 20, told + "Rate it from 0 to 1", "0.9"))) == (ANSWER, True)


@pytest.mark.parametrize(("checks", "uncertain"), [(8, False), (9, True), (30, True), (50, True)])
def test_more_checks_than_are_looked_into_make_the_answer_uncertain(checks: int, uncertain: bool) -> None:  # noqa: FBT001 - a table
    later = [chat(f"d{n}", "h", 20 + 20 * n, f"Check {n}: is it safe?\n{ANSWER}", "safe") for n in range(checks)]
    assert _answer(*_request(*later))[1] is uncertain


def test_documents_and_answers_are_known_in_other_forms() -> None:
    """Prompts wrap the lines of documents, and hold chats as JSON."""
    reply = "Anyone may ride who is\n- sixteen, or\n- older."
    wrapped = chat("c", "h", 2, PROMPT.replace(" or", "\n  or").replace("Open daily", "Open\ndaily"), reply)
    title = chat("d", "h", 20, "Name this chat: " + json.dumps({"assistant": reply}), "Riding ages")
    assert _answer(span("h", attributes=HTTP), retrieval("b", "h", 1), wrapped, title) == (reply, False)


def test_an_answer_that_is_put_together_of_several_replies_comes_last() -> None:
    parts = (chat("c", "h", 2, PROMPT, ANSWER), chat("d", "h", 3, f"Context: {RIDERS}", "Riders are at least sixteen."))
    last = chat("e", "h", 20, f"Put together:\n{ANSWER}\nRiders are at least sixteen.", "From sixteen on.")
    assert _answer(span("h", attributes=HTTP), retrieval("b", "h", 1), *parts, last) == ("From sixteen on.", False)


def test_an_answer_that_is_refined_with_documents_comes_last() -> None:
    last = chat("d", "h", 20, f"Existing answer: {ANSWER}\nContext: {RIDERS}", "Anyone of sixteen years.")
    assert _answer(*_request(last)) == ("Anyone of sixteen years.", False)


def test_another_agent_that_writes_as_much_answers() -> None:
    writer = (
        span("g", "h", 20, attributes=AGENT),
        chat("d", "g", 21, f"Write it down:\n{ANSWER}", "All from sixteen on may."),
    )
    assert _answer(*_request(*writer)) == ("All from sixteen on may.", False)


def test_a_conversation_that_goes_on_ends_with_the_answer() -> None:
    said = json.loads(messages("user", QUESTION)) + json.loads(messages("assistant", ANSWER))
    call = chat("d", "h", 20, reply="From sixteen.")
    told = {**call.attributes, "gen_ai.input.messages": json.dumps(said + json.loads(messages("user", "Shorter!")))}
    last = span("d", "h", 20, attributes=told)
    assert _answer(*_request(last)) == ("From sixteen.", False)


def test_an_entry_that_says_the_answer_is_believed() -> None:
    entry = span("h", attributes={**AGENT, "gen_ai.output.messages": messages("assistant", "Ab sechzehn darf man.")})
    later = chat("d", "h", 20, f"Translate:\n{ANSWER}", "Ab sechzehn darf man.")
    assert _answer(entry, *_request(later)[1:]) == ("Ab sechzehn darf man.", False)


def test_a_call_that_replied_what_the_entry_says_answered() -> None:
    """Else a title's model and response id would stand for the answer's."""
    entry = span("h", attributes={**AGENT, "gen_ai.output.messages": messages("assistant", ANSWER + "\n")})
    call = chat("c", "h", 2)
    named = span("c", "h", 2, attributes={**call.attributes, "gen_ai.response.id": "r-1"})
    title = chat("d", "h", 20, "Name this chat.", "Riding ages")
    assert only(extract(entry, retrieval("b", "h", 1), named, title)).response_id == "r-1"


def _tool() -> Span:
    found = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": json.dumps(DOCUMENTS)}
    return span("b", "h", 1, attributes=found)


def test_what_a_tool_gave_back_is_evidence_too() -> None:
    agent = span("h", attributes={**AGENT, "gen_ai.input.messages": messages("user", QUESTION)})
    assert (
        _answer(agent, _tool(), chat("c", "h", 2), chat("d", "h", 20, f"Name it:\n{TOLD}", "Riding ages"))[0] == ANSWER
    )


def test_what_a_call_inside_a_tool_said_is_evidence_not_the_answer() -> None:
    agent = span("h", attributes={**AGENT, "gen_ai.input.messages": messages("user", QUESTION)})
    last = chat("d", "h", 20, f"The helper said: {ANSWER}", "From sixteen.")
    assert _answer(agent, _tool(), chat("c", "b", 2), last)[0] == "From sixteen."
