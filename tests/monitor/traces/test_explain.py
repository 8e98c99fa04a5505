"""The explanation tells the story of the extraction, and what it passed over."""

from __future__ import annotations

import json

import pytest

from monitor.config.settings import Assembly
from monitor.traces.explain import Choice, Explained, explain
from monitor.traces.extract import Extractor
from monitor.wire import Assembled, AttributeValue, CloseReason, Span
from tests.monitor.traces.captures import EXTRACTOR, NAMES, load
from tests.monitor.traces.spans import ANSWER, PROMPT, QUESTION, TRACE, chat, failed, retrieval, span, workflow

DERIVED = {"contexts", "model_call", "error", "app"}


def explained(*spans: Span) -> Explained:
    """The one request that the spans must give."""
    reading = Extractor(Assembly(), ("ragmon",)).read(Assembled(TRACE, spans, (), CloseReason.QUIET))
    (one,) = explain(reading)
    return one


def reasons(choice: Choice) -> dict[str, str]:
    """Why each span's candidate was passed over, by the span's id; of several candidates of a span the last."""
    return {place.span_id: one.why for one in choice.passed_over for place in one.places}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_explained_is_what_was_extracted(name: str) -> None:
    for trace in load(name).traces:
        reading = EXTRACTOR.read(trace)
        for one, record in zip(explain(reading), reading.extracted.requests, strict=True):
            assert one.record == record
            told = {field: choice.taken.value if choice.taken else None for field, choice in one.choices.items()}
            kept = {field: getattr(record, field) for field in told if field not in DERIVED}
            assert {field: told[field] for field in kept} == kept
            assert (told["contexts"] or ()) == record.contexts
            assert (told["app"], bool(told["error"])) == (record.app, record.error is not None)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_stands_in_a_span_of_its_trace(name: str) -> None:
    for trace in load(name).traces:
        known = {span.span_id for span in trace.spans}
        for one in explain(EXTRACTOR.read(trace)):
            for field, choice in one.choices.items():
                if choice.taken is not None and field not in {"truncated", "redacted"}:
                    assert choice.taken.places, field
                    assert {place.span_id for place in choice.taken.places} <= known
                assert all(other.why for other in choice.passed_over)


@pytest.mark.parametrize("name", NAMES)
def test_what_one_reader_could_use_is_not_told_as_unreadable_by_another(name: str) -> None:
    for trace in load(name).traces:
        for one in explain(EXTRACTOR.read(trace)):
            fields = [choice for field, choice in one.choices.items() if field != "model_call"]
            taken = [choice.taken for choice in fields if choice.taken is not None]
            used = {(place.span_id, place.where) for what in taken for place in what.places}
            mute = [other for choice in fields for other in choice.passed_over if "not in a form" in other.why]
            assert not used & {(place.span_id, place.where) for other in mute for place in other.places}


def test_a_value_names_its_span_and_attribute() -> None:
    one = explained(workflow("a"), retrieval("b", "a"), chat("c", "a"))
    taken = one.choices["question"].taken
    assert taken is not None
    (place,) = taken.places
    assert (taken.value, place.span_id, place.where, place.convention) == (
        QUESTION,
        "a",
        "gen_ai.input.messages",
        "otel_genai",
    )


def test_a_document_that_is_not_in_the_prompt_is_told() -> None:
    documents = [{"content": "Riders are sixteen or older."}, {"content": "Helmets cost 25 euros."}]
    one = explained(workflow("a"), retrieval("b", "a", documents=documents), chat("c", "a"))
    absent = [other.value[0].text for other in one.choices["contexts"].passed_over if "not in the prompt" in other.why]
    assert absent == ["Helmets cost 25 euros."]


def test_a_rewriting_call_and_a_call_in_a_retriever_are_told() -> None:
    one = explained(
        workflow("a"),
        chat("r", "a", 0, reply="rewritten"),
        retrieval("b", "a", 3),
        chat("i", "b", 4),
        chat("c", "a", 9),
    )
    assert one.choices["model_call"].taken is not None
    assert reasons(one.choices["model_call"]) == {
        "r": "before the retrieval began: it prepares the question",
        "i": "inside a retriever: it makes up search queries",
    }


def test_an_output_that_is_a_printed_object_is_told() -> None:
    attributes = {
        "openinference.span.kind": "CHAIN",
        "input.value": QUESTION,
        "output.value": "<generator object ask at 0x7f>",
    }
    one = explained(span("a", attributes=attributes), retrieval("b", "a"), chat("c", "a"))
    assert one.choices["answer"].taken is not None
    assert one.choices["answer"].taken.value == ANSWER
    assert reasons(one.choices["answer"])["a"] == "a Python object that was printed, not its contents"


def test_documents_that_were_cut_are_told() -> None:
    cut = json.dumps([{"id": "d-1", "content": "Riders are sixteen or older."}])[:-9]
    attributes = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": cut}
    one = explained(workflow("a"), span("b", "a", 1, attributes=attributes), chat("c", "a"))
    whys = {other.why for other in one.choices["contexts"].passed_over}
    assert "JSON that breaks off: it was cut upstream" in whys
    taken = one.choices["truncated"].taken
    assert taken is not None
    assert (taken.value, [place.where for place in taken.places]) == (
        True,
        ["gen_ai.retrieval.documents: JSON that breaks off"],
    )


def test_a_failed_call_that_was_repaired_is_no_error() -> None:
    one = explained(workflow("a"), retrieval("b", "a"), chat("c", "a", 2, **failed("boom")), chat("d", "a", 5))
    assert one.choices["error"].taken is None
    assert list(reasons(one.choices["error"])) == ["c"]


def test_nothing_hidden_is_shown() -> None:
    (reading,) = [EXTRACTOR.read(trace) for trace in load("openinference-langchain-redacted").traces]
    (one,) = explain(reading)
    assert "25 euros" not in repr(one.choices)
    assert {other.why for other in one.choices["question"].passed_over} == {"contents are hidden on purpose"}


def test_the_questions_of_a_prompt_are_passed_over_for_those_of_the_entry() -> None:
    asked = workflow("a")
    one = explained(asked, retrieval("b", "a"), chat("c", "a", prompt=PROMPT.replace(QUESTION, "Rewritten?")))
    others = {other.value: other.why for other in one.choices["question"].passed_over}
    assert others == {"Rewritten?": "a better one came first"}


@pytest.mark.timeout(20)
def test_thousands_of_documents_are_explained_in_linear_time() -> None:
    documents = [{"id": str(number), "content": f"d{number}"} for number in range(20_000)]
    choice = explained(workflow("a"), retrieval("b", "a", documents=documents), chat("c", "a"))
    assert choice is not None


def test_a_plain_name_is_told_by_the_key_that_it_ended() -> None:
    found: list[AttributeValue] = ["Riders are sixteen or older.", "Open daily."]
    attributes: dict[str, AttributeValue] = {
        "desk.input": "",
        "desk.rag.question": QUESTION,
        "desk.answer": "Anyone.",
        "desk.passages": found,
    }
    one = explained(span("a", attributes=attributes))
    taken = {name: one.choices[name].taken for name in ("question", "answer", "contexts")}
    places = {name: what.places[0].where for name, what in taken.items() if what is not None}
    assert places == {"question": "desk.rag.question", "answer": "desk.answer", "contexts": "desk.passages"}
