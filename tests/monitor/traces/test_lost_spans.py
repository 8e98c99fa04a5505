"""What is left of a request when some of its spans were lost gives no wrong question and no wrong answer."""

from __future__ import annotations

from monitor.traces.prompts import context_block
from monitor.traces.reading import Message
from monitor.wire import Span
from tests.monitor.traces.spans import ANSWER, PROMPT, QUESTION, chat, extract, only, span

TEXTS = ["Riders are sixteen or older.", "Open daily."]


def step(span_id: str, parent: str, given: str, output: str) -> Span:
    attributes = {"openinference.span.kind": "CHAIN", "input.value": given, "output.value": output}
    return span(span_id, parent, attributes=attributes)


def retriever(span_id: str, parent: str, query: str) -> Span:
    flat = {f"retrieval.documents.{n}.document.content": text for n, text in enumerate(TEXTS)}
    return span(span_id, parent, 1, attributes={"openinference.span.kind": "RETRIEVER", "input.value": query, **flat})


def test_a_step_that_hands_on_the_question_does_not_answer_it() -> None:
    request = only(extract(step("a", "lost", QUESTION, QUESTION), retriever("b", "a", QUESTION)))
    assert (request.question, request.answer) == (QUESTION, None)


def test_a_step_that_puts_the_documents_together_does_not_answer() -> None:
    request = only(extract(step("a", "lost", QUESTION, "\n\n".join(TEXTS)), retriever("b", "a", QUESTION)))
    assert (request.answer, [passage.text for passage in request.contexts]) == (None, TEXTS)


def test_a_model_may_answer_with_a_document_or_the_question() -> None:
    for said in (TEXTS[0], QUESTION):
        request = only(
            extract(step("a", "", QUESTION, said), retriever("b", "a", QUESTION), chat("c", "a", reply=said))
        )
        assert request.answer == said


def test_a_query_inside_a_tool_is_not_what_the_user_asked() -> None:
    """An agent's model made it up; the model's span and those above it are lost."""
    tool = span("t", "lost", attributes={"openinference.span.kind": "TOOL", "input.value": "price of a helmet"})
    request = only(extract(tool, retriever("b", "t", "price of a helmet")))
    assert (request.question, request.search_query) == (None, "price of a helmet")


def test_a_filled_prompt_is_not_the_question_but_holds_it() -> None:
    """Its span has lost what it was, and looks like a step of the application."""
    request = only(extract(step("a", "lost", PROMPT, ANSWER), retriever("b", "a", QUESTION)))
    assert (request.question, request.answer) == (QUESTION, ANSWER)


def test_the_placeholders_of_a_template_are_no_context() -> None:
    """DSPy's system message shows the fields; the user's message with the values was lost."""
    template = "[[ ## context ## ]]\n{context}\n\n[[ ## question ## ]]\n{question}"
    assert context_block([Message("system", template)]) is None


def test_dspys_own_sentence_behind_the_question_is_not_of_it() -> None:
    fields = "[[ ## context ## ]]\n[1] «Open daily.»\n\n[[ ## question ## ]]\nWho may ride?"
    asked = f"{fields}\n\nRespond with the corresponding output fields, starting with the field `[[ ## answer ## ]]`."
    assert only(extract(chat("c", "lost", 0, asked))).question == QUESTION
