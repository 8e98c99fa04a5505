"""Mappings of the user come before every convention, and read what they say and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from monitor.config.mapping import MappedFields, TracerMapping
from monitor.config.settings import Assembly
from monitor.records import ContextsSource
from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.explain import explain
from monitor.traces.extract import Extracted, Extractor
from monitor.traces.mapped_spans import unmatched
from monitor.traces.mappings import compile_mappings
from monitor.traces.reading import FACTS, TEXTS, Message, Role
from monitor.wire import Assembled, AttributeValue, CloseReason, Span, SpanEvent
from tests.monitor.traces.spans import ANSWER, QUESTION, TRACE, chat, only, retrieval, span, told, workflow

ALWAYS = {"name": "*"}


def mapping(**fields: object) -> TracerMapping:
    """A mapping of all spans, without a role."""
    return tracer({"when": ALWAYS, "fields": fields})


def tracer(*spans: Mapping[str, object]) -> TracerMapping:
    return TracerMapping.model_validate({"name": "own", "version": 3, "spans": spans})


def extractor(*mappings: TracerMapping) -> Extractor:
    return Extractor(Assembly(), ("ragmon",), (*compile_mappings(mappings), *CONVENTIONS))


def extract(mapped: TracerMapping, *spans: Span) -> Extracted:
    return extractor(mapped).extract(Assembled(TRACE, spans, (), CloseReason.QUIET))


def read(place: object, value: AttributeValue, field: str = "question", role: Role = Role.CHAIN) -> object:
    """What a mapping of one field finds in a span whose attribute `own.key` holds a value."""
    (convention,) = compile_mappings([mapping(**{field: place})])
    return told(convention, span("a", attributes={"own.key": value}), role).get(field)


def test_every_field_that_a_span_can_say_can_be_mapped() -> None:
    assert {field.name for field in (*TEXTS, *FACTS)} == set(MappedFields.model_fields)


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        (QUESTION, "", QUESTION),
        ('{"looks": "like JSON"}', "", '{"looks": "like JSON"}'),
        ({"question": QUESTION}, "", QUESTION),
        (json.dumps({"body": {"q": QUESTION}}), "body.q", QUESTION),
        (json.dumps({"body": json.dumps({"q": QUESTION})}), "body.q", QUESTION),
        ({"items": ["x", {"t": QUESTION}]}, "items.-1.t", QUESTION),
        ({"a.b": {"c.d": QUESTION}}, "a.b.c.d", QUESTION),
        ({"a": {"c.d": QUESTION}}, "a.c.d", QUESTION),
        ({"items": ["x"]}, "items.7", None),
        ("no JSON", "body.q", None),
        ("  ", "", None),
        (None, "", None),
        (7, "", "7"),
    ],
)
def test_a_path_leads_into_the_value(value: AttributeValue, path: str, found: str | None) -> None:
    assert read({"attribute": "own.key", "path": path}, value) == found


def test_of_several_places_the_first_that_holds_a_value_counts() -> None:
    assert read(["missing", {"attribute": "own.key", "path": "x"}, "own.key"], QUESTION) == QUESTION


@pytest.mark.parametrize(
    ("value", "keys", "found"),
    [
        ([{"ref": 4, "body": "One.", "rank": {"s": "0.5"}}], {}, [("One.", "4", 0.5)]),
        (json.dumps([json.dumps({"ref": "r", "body": "One."})]), {}, [("One.", "r", None)]),
        ([{"ref": "r"}], {}, [(None, "r", None)]),
        ([], {}, []),
        ([{"other": "One."}], {}, None),
        ("text", {}, None),
        (["One.", "Two."], {"text": "", "id": "", "score": ""}, [("One.", None, None), ("Two.", None, None)]),
        ([{"content": "One.", "id": "d"}], {"text": "", "id": "", "score": ""}, [("One.", "d", None)]),
    ],
)
def test_documents_are_read_by_their_keys(value: AttributeValue, keys: dict[str, str], found: object) -> None:
    place = {"attribute": "own.key", "text": "body", "id": "ref", "score": "rank.s"} | keys
    documents: Any = read(place, value, "documents", Role.RETRIEVER)
    assert (documents if documents is None else [(one.text, one.id, one.score) for one in documents]) == found


def test_a_flattened_list_is_read_by_number() -> None:
    (convention,) = compile_mappings([mapping(documents={"attribute": "hit.*", "text": "doc.text", "id": "id"})])
    attributes: dict[str, AttributeValue] = {"hit.10.doc.text": "Two.", "hit.2.doc.text": "One.", "hit.2.id": "d-1"}
    documents: Any = told(convention, span("a", attributes=attributes), Role.RETRIEVER)["documents"]
    assert [(one.text, one.id) for one in documents] == [("One.", "d-1"), ("Two.", None)]


def test_events_and_the_resource_can_be_read() -> None:
    mapped = mapping(
        prompt={"event": "asked", "attribute": "text"}, knowledge_base={"resource": True, "attribute": "index.rev"}
    )
    (convention,) = compile_mappings([mapped])
    event = SpanEvent("asked", 0, {"text": "Why?"})
    one = span("a", events=(event,), resource={"index.rev": "kb-4"})
    assert told(convention, one, Role.MODEL)["prompt"] == (Message("user", "Why?"),)
    assert told(convention, one) == {"knowledge_base": "kb-4"}


@pytest.mark.parametrize(
    ("when", "fits"),
    [
        ({"service": "help*"}, True),
        ({"service": "shop-*"}, False),
        ({"name": "ask ?"}, True),
        ({"name": "ask [1]"}, False),
        ({"scope": "own.tracer", "service": "helpdesk"}, True),
        ({"scope": "own.tracer", "service": "other"}, False),
        ({"attributes": {"own.kind": "ask", "own.round": 2, "own.last": True}}, True),
        ({"attributes": {"own.kind": "search"}}, False),
        ({"attributes": {"own.kind": "*"}}, True),
        ({"attributes": {"own.missing": "*"}}, False),
    ],
)
def test_a_condition_holds_when_all_of_it_does(when: object, fits: bool) -> None:  # noqa: FBT001 - a table
    attributes: dict[str, AttributeValue] = {"own.kind": "ask", "own.round": 2, "own.last": True}
    one = span("a", name="ask 1", scope="own.tracer", attributes=attributes)
    (convention,) = compile_mappings([tracer({"when": when, "role": "tool"})])
    assert convention.matches is not None
    assert convention.matches(one) == fits


def test_a_mapped_role_comes_before_that_of_a_convention() -> None:
    forget = tracer({"when": {"name": "b"}, "role": "other"})
    spans = (workflow("a"), retrieval("b", "a"), chat("c", "a", prompt="Hello!"))
    assert only(extract(mapping(session_id="x"), *spans)).contexts_source is ContextsSource.SPAN
    assert dict(extract(forget, *spans).dropped) == {"plain_chat": 1}


def test_fields_are_added_to_spans_of_a_known_library() -> None:
    mapped = mapping(prompt_version="own.prompt", tenant={"attribute": "own.customer", "path": "id"})
    entry = workflow("a")
    own = {**entry.attributes, "own.prompt": "p-7", "own.customer": '{"id": "acme"}'}
    request = only(extract(mapped, span("a", attributes=own), retrieval("b", "a"), chat("c", "a")))
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert (request.prompt_version, request.tenant, request.convention) == ("p-7", "acme", "own@3+otel_genai")


def test_a_mapped_evaluator_goes_with_all_below_it() -> None:
    judges = tracer({"when": {"name": "j"}, "role": "evaluator"})
    spans = (span("j"), workflow("a", "j"), retrieval("b", "a"), chat("c", "a"))
    assert dict(extract(judges, *spans).dropped) == {"evaluator": 1}


def test_a_value_that_breaks_off_marks_the_request() -> None:
    mapped = tracer(
        {"when": {"name": "b"}, "role": "retriever", "fields": {"documents": {"attribute": "own.hits", "text": "t"}}}
    )
    hits = span("b", "a", 1, attributes={"own.hits": '[{"t": "Riders are six'})
    assert only(extract(mapped, workflow("a"), hits, chat("c", "a"))).truncated


def test_the_explanation_names_the_mapping_and_what_it_could_not_read() -> None:
    mapped = tracer(
        {
            "when": {"name": "a"},
            "role": "chain",
            "fields": {"question": {"attribute": "own.ask", "path": "q"}, "answer": "own.reply"},
        }
    )
    entry = span("a", attributes={"own.ask": "no JSON", "own.reply": ANSWER})
    spans = (entry, retrieval("b", "a"), chat("c", "a"))
    (one,) = explain(extractor(mapped).read(Assembled(TRACE, spans, (), CloseReason.QUIET)))
    answer = one.choices["answer"].taken
    assert answer is not None
    assert [(place.where, place.convention) for place in answer.places] == [("own.reply", "own@3")]
    (unread,) = [other for other in one.choices["question"].passed_over if other.places[0].where == "own.ask: q"]
    assert (unread.value, unread.why) == ("no JSON", "nothing stands at the path q: there is no JSON")


def reasons(mapped: TracerMapping, name: str, *spans: Span) -> list[str]:
    """Why values of a field were passed over for the mapping's own places."""
    (one,) = explain(extractor(mapped).read(Assembled(TRACE, spans, (), CloseReason.QUIET)))
    return [other.why for other in one.choices[name].passed_over if other.places[0].convention == "own@3"]


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("own.ask", []),
        ("own.aks", ["the span has no attribute own.aks"]),
        ({"attribute": "own.ask", "resource": True}, ["its resource has no attribute own.ask"]),
        ({"attribute": "q", "event": "own"}, ["its event own has no attribute q"]),
        (
            {"attribute": "own.body", "path": "reply.0.txt"},
            ["nothing stands at the path reply.0.txt: below reply.0 there are text, id"],
        ),
        (
            {"attribute": "own.body", "path": "replies"},
            ["nothing stands at the path replies: there are reply"],
        ),
        (["own.aks", "own.ask"], []),
    ],
)
def test_a_place_where_nothing_stands_is_named_with_what_is_there(place: object, why: list[str]) -> None:
    mapped = tracer({"when": {"name": "a"}, "role": "chain", "fields": {"question": place, "answer": "own.reply"}})
    body = json.dumps({"reply": [{"text": QUESTION, "id": 1}]})
    entry = span("a", attributes={"own.ask": QUESTION, "own.reply": ANSWER, "own.body": body})
    assert reasons(mapped, "question", entry, retrieval("b", "a"), chat("c", "a")) == why


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([{"id": "k", "body": "Six."}], "no item has the text txt: in the first one there are id, body"),
        ([{"txt": "Six."}, {"id": "k"}], None),
        ({"hits": []}, "a list of documents is wanted, and there are hits"),
    ],
)
def test_documents_without_the_key_of_their_texts_are_a_problem_that_is_told(given: object, why: str | None) -> None:
    documents = {"attribute": "own.hits", "text": "txt", "id": "id"}
    mapped = tracer({"when": {"name": "b"}, "role": "retriever", "fields": {"documents": documents}})
    found = span("b", "a", 1, attributes={"own.hits": json.dumps(given)})
    assert (why in reasons(mapped, "contexts", workflow("a"), found, chat("c", "a"))) == (why is not None)


def test_documents_that_have_ids_only_are_not_shown_as_an_empty_retrieval() -> None:
    documents = {"attribute": "own.hits", "text": "txt", "id": "id"}
    mapped = tracer({"when": {"name": "b"}, "role": "retriever", "fields": {"documents": documents}})
    for given, is_known in (([{"id": "k"}], False), ([], True)):
        found = span("b", "a", 1, attributes={"own.hits": json.dumps(given)})
        spans = (workflow("a"), found, chat("c", "a", prompt=QUESTION))
        (one,) = explain(extractor(mapped).read(Assembled(TRACE, spans, (), CloseReason.QUIET)))
        assert (one.record.contexts_source is not ContextsSource.UNKNOWN) == is_known
        assert (one.choices["contexts"].taken is not None) == is_known


def test_a_fact_that_is_mapped_and_stands_nowhere_is_told() -> None:
    mapped = mapping(tenant=["own.tenant", {"attribute": "own.body", "path": "who"}])
    told_of = reasons(mapped, "tenant", workflow("a"), retrieval("b", "a"), chat("c", "a"))
    assert set(told_of) == {"the span has no attribute own.tenant", "the span has no attribute own.body"}
    assert len(told_of) == 3  # of many spans the first few


def test_what_a_mapping_has_used_is_passed_over_by_nobody() -> None:
    ask = {"question": {"attribute": "input.value", "path": "q"}, "answer": {"attribute": "own.reply", "path": "text"}}
    find = {"documents": {"attribute": "output.value", "path": "hits", "text": "body"}}
    mapped = tracer(
        {"when": {"name": "ask"}, "role": "chain", "fields": ask},
        {"when": {"name": "find"}, "role": "retriever", "fields": find},
    )
    asked: dict[str, AttributeValue] = {
        "input.value": json.dumps({"q": QUESTION, "question": "Else?"}),
        "own.reply": json.dumps({"text": ANSWER, "answer": "Otherwise."}),
    }
    found: dict[str, AttributeValue] = {
        "output.value": json.dumps({"hits": [{"body": "It is 25 euros.", "text": "A title"}]}),
    }
    spans = (span("a", name="ask", attributes=asked), span("b", "a", 1, name="find", attributes=found))
    (one,) = explain(extractor(mapped).read(Assembled(TRACE, spans, (), CloseReason.QUIET)))
    taken = {name: choice.taken.value for name, choice in one.choices.items() if choice.taken is not None}
    assert (taken["question"], taken["answer"]) == (QUESTION, ANSWER)
    assert [passage.text for passage in taken["contexts"]] == ["It is 25 euros."]
    assert {name: choice.passed_over for name, choice in one.choices.items() if choice.passed_over} == {}


SPANS = (
    span("ask", attributes={"own.kind": "ask"}, resource={"service.name": "acme-guide"}),
    span("find", attributes={"own.kind": "find"}, resource={"service.name": "acme-guide"}),
)


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ({"service": "acme-*"}, None),
        ({"service": "acne-*"}, "service is never 'acne-*'; there are: acme-guide"),
        ({"service": "acme-*", "attributes": {"own.kind": "reply"}}, "own.kind is never 'reply'; there are: ask, find"),
        ({"attributes": {"own.kin": "*"}}, "no span has own.kin"),
        ({"name": "ask", "attributes": {"own.kind": "find"}}, "each of its conditions holds for some span"),
    ],
)
def test_a_mapping_that_matches_no_span_says_which_condition_never_holds(
    when: dict[str, object], why: str | None
) -> None:
    lines = list(unmatched([tracer({"when": ALWAYS, "role": "step"}, {"when": when, "role": "step"})], SPANS))
    assert len(lines) == (why is not None)
    assert why is None or lines[0].startswith(f"mapping own: spans[1] matches no span: {why}")


@pytest.mark.parametrize(
    "spans",
    [
        {"when": {}, "role": "chain"},
        {"when": {"name": "x"}},
        {"when": {"name": "x"}, "role": "chian"},
        {"when": {"name": "x"}, "fields": {"questoin": "x"}},
        {"when": {"name": "x"}, "fields": {"question": []}},
        {"when": {"name": "x"}, "fields": {"question": {"attribute": "x", "event": "e", "resource": True}}},
        {"when": {"name": "x"}, "fields": {"question": {"attribute": "x", "text": "y"}}},
        {"when": {"name": "x"}, "fields": {"documents": {"attribute": "x", "path": "a..b"}}},
    ],
)
def test_what_cannot_be_meant_is_refused(spans: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        tracer(spans)


HOSTILE: list[AttributeValue] = [
    *("[" * 5000, '{"a":' * 200, "\x00\ud800", 2**70, float("nan"), b"\xff", True),
    [[[]]],
    {"messages": 3},
]


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("path", ["", "a.0.-1"])
def test_hostile_values_break_nothing(value: AttributeValue, path: str) -> None:
    fields = {name: {"attribute": "own.key", "path": path} for name in MappedFields.model_fields}
    mapped = tracer({"when": ALWAYS, "role": "chain", "fields": fields})
    extracted = extract(mapped, span("a", attributes={"own.key": value}), retrieval("b", "a"), chat("c", "a"))
    assert bool(extracted.requests) != bool(extracted.dropped)


def test_a_mapped_question_wins_over_what_langfuse_states_of_the_trace() -> None:
    stated: dict[str, AttributeValue] = {
        "own.key": QUESTION,
        "own.out": ANSWER,
        "langfuse.observation.type": "span",
        "langfuse.trace.input": "Another?",
        "langfuse.trace.output": "Another.",
    }
    root = span("a", attributes=stated)
    request = only(extract(mapping(question="own.key", answer="own.out"), root, retrieval("b", "a"), chat("c", "a")))
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    unmapped = only(extract(mapping(tenant="own.tenant"), root, retrieval("b", "a"), chat("c", "a")))
    assert (unmapped.question, unmapped.answer) == ("Another?", "Another.")


@pytest.mark.parametrize(("said", "hidden"), [("[REDACTED]", True), ("Ask [REDACTED].", False)])
def test_a_mark_in_a_mapped_place_hides_the_contents(said: str, hidden: bool) -> None:  # noqa: FBT001 - the expectation
    mapped = mapping(question={"attribute": "own.key", "path": "q"})
    asked = replace(workflow("a"), attributes={**workflow("a").attributes, "own.key": json.dumps({"q": said})})
    assert only(extract(mapped, asked, retrieval("b", "a"), chat("c", "a"))).redacted is hidden
