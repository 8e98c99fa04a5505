from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monitor.records import ContextsSource, Passage
from monitor.wire import Span
from tests.monitor.traces.spans import QUESTION, chat, extract, only, retrieval, span, workflow

A = {"id": "d-1", "content": "Riders are sixteen or older.", "score": 0.9}
B = {"id": "d-2", "content": "Open daily.", "score": 0.5}
C = {"id": "d-3", "content": "Helmets cost 25 euros.", "score": 0.1}


def _prompt(*documents: dict[str, object]) -> str:
    return "\n\n".join(str(document["content"]) for document in documents) + "\nQuestion: Who?\nAnswer:"


def _ids(*spans: Span) -> list[str | None]:
    return [passage.id for passage in only(extract(workflow("a"), *spans)).contexts]


def test_documents_that_reached_the_prompt_are_kept_in_its_order() -> None:
    assert _ids(retrieval("b", "a", documents=[A, B, C]), chat("c", "a", prompt=_prompt(C, A))) == ["d-3", "d-1"]


def test_white_space_does_not_hide_a_document() -> None:
    wrapped = chat("c", "a", prompt="Riders are\n  sixteen or older.\nQuestion: Who?")
    assert _ids(retrieval("b", "a", documents=[A, B]), wrapped) == ["d-1"]


def test_escapes_and_quotation_marks_do_not_hide_a_document() -> None:
    quoted = {"id": "d-7", "content": 'Say "hi"\nto Zoë & me.'}
    written = json.dumps([A["content"], quoted["content"]])
    assert _ids(retrieval("b", "a", documents=[quoted, A, B]), chat("c", "a", prompt=written)) == ["d-1", "d-7"]


def test_a_long_document_that_the_prompt_cut_short_was_seen() -> None:
    long = {"id": "d-8", "content": " ".join(f"word{number}" for number in range(200))}
    prompt = str(long["content"])[:900] + "...\nQuestion: Who?"
    assert _ids(retrieval("b", "a", documents=[A, long]), chat("c", "a", prompt=prompt)) == ["d-8"]


def test_all_documents_are_kept_when_none_is_in_the_prompt() -> None:
    assert _ids(retrieval("b", "a", documents=[A, B]), chat("c", "a", prompt="Who?")) == ["d-1", "d-2"]


def test_scores_go_when_a_step_without_a_span_chose() -> None:
    spans = [retrieval("b", "a", documents=[A, B]), chat("c", "a", prompt=_prompt(B))]
    assert only(extract(workflow("a"), *spans)).contexts == (Passage("Open daily.", "d-2", None),)
    spans = [retrieval("b", "a", documents=[A, B]), chat("c", "a", prompt=_prompt(A, B))]
    assert [passage.score for passage in only(extract(workflow("a"), *spans)).contexts] == [0.9, 0.5]


def test_several_retrievers_are_united_without_repetition() -> None:
    assert _ids(retrieval("b", "a", 1, [A, B]), retrieval("d", "a", 2, [B, C])) == ["d-1", "d-2", "d-3"]


def test_of_nested_retrievers_the_outermost_that_speaks_counts() -> None:
    assert _ids(retrieval("b", "a", 1, [B]), retrieval("d", "b", 2, [A, C])) == ["d-2"]
    assert _ids(retrieval("b", "a", 1, "none"), span("s", "b", 1), retrieval("d", "s", 2, [A])) == ["d-1"]


def test_the_last_reranker_decides() -> None:
    flat = {"openinference.span.kind": "RERANKER", "reranker.output_documents.0.document.id": "d-9"}
    flat |= {"reranker.output_documents.0.document.content": "Chosen."}
    assert _ids(retrieval("b", "a", 1, [A, B]), span("r", "a", 5, attributes=flat)) == ["d-9"]


def test_rerankers_of_several_searches_are_united() -> None:
    def reranker(span_id: str, parent: str, at: int, number: int) -> Span:
        flat = {f"reranker.output_documents.0.document.{key}": f"{key}-{number}" for key in ("id", "content")}
        return span(span_id, parent, at, attributes={"openinference.span.kind": "RERANKER"} | flat)

    searches = [span("s", "a", 1), span("t", "a", 4)]
    rerankers = [reranker("r1", "s", 2, 1), reranker("r2", "s", 3, 2), reranker("r3", "t", 5, 3)]
    assert _ids(retrieval("b", "s", 1, [A, B]), *searches, *rerankers) == ["id-2", "id-3"]


def test_retrieved_documents_without_text_and_id_are_not_an_empty_retrieval() -> None:
    bare = [{"id": None, "score": None}]
    assert only(extract(workflow("a"), retrieval("b", "a", 1, bare))).contexts_source is ContextsSource.UNKNOWN
    assert only(extract(workflow("a"), retrieval("b", "a", 1, bare), chat("c", "a"))).contexts == (
        Passage("Riders are sixteen or older.\n---\nOpen daily."),
    )


def test_texts_come_from_another_span_with_the_same_id() -> None:
    bare = [{"id": "d-1", "score": 0.7}]
    handed = {"openinference.span.kind": "CHAIN", "input.mime_type": "application/json", "input.value": json.dumps([A])}
    spans = [retrieval("b", "a", 1, bare), span("f", "a", 2, attributes=handed)]
    assert only(extract(workflow("a"), *spans)).contexts == (Passage("Riders are sixteen or older.", "d-1", 0.7),)


def test_ids_without_text_give_the_prompts_block_as_one_passage() -> None:
    bare = [{"id": "d-1"}, {"id": "d-2"}]
    request = only(extract(workflow("a"), retrieval("b", "a", 1, bare), chat("c", "a")))
    assert request.contexts == (Passage("Riders are sixteen or older.\n---\nOpen daily."),)
    assert request.contexts_source is ContextsSource.PROMPT


def test_documents_without_text_anywhere_are_unknown_not_empty() -> None:
    request = only(extract(workflow("a"), retrieval("b", "a", 1, [{"id": "d-1"}])))
    assert (request.contexts, request.contexts_source) == ((), ContextsSource.UNKNOWN)


def test_an_empty_retrieval_is_empty_though_the_prompt_has_a_frame() -> None:
    spans = [retrieval("b", "a", 1, []), chat("c", "a", prompt="Context:\nNothing found.\nQuestion: Who?")]
    request = only(extract(workflow("a"), *spans))
    assert (request.contexts, request.contexts_source) == ((), ContextsSource.SPAN)


def test_dropped_documents_come_from_the_step_that_was_handed_all() -> None:
    handed = {"openinference.span.kind": "CHAIN", "input.mime_type": "application/json"}
    handed["input.value"] = json.dumps([A, B, C])
    damaged = replace(retrieval("b", "a", 1, [B, C]), dropped_attributes=4)
    assert _ids(damaged, span("f", "a", 3, attributes=handed)) == ["d-1", "d-2", "d-3"]
    assert _ids(retrieval("b", "a", 1, [B, C]), span("f", "a", 3, attributes=handed)) == ["d-2", "d-3"]


def test_a_tool_that_only_repeats_its_retriever_is_no_evidence_of_its_own() -> None:
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "[d-1] Riders are sixteen or older."}
    spans = [span("t", "a", 1, attributes=tool), retrieval("b", "t", 2, [A])]
    assert [passage.kind.value for passage in only(extract(workflow("a"), *spans, chat("c", "a", 5))).contexts] == [
        "document"
    ]


def test_a_search_tools_documents_are_documents() -> None:
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": json.dumps([A, B])}
    assert _ids(span("t", "a", 1, attributes=tool), chat("c", "a", 5, "Who?")) == ["d-1", "d-2"]


@pytest.mark.parametrize("rules", ["You are the museum's helper. Be brief.", "请简短回答。", ""])
def test_instructions_are_no_passage_where_documents_have_ids_only(rules: str) -> None:
    """Judged against them every right answer would be unsupported."""
    ids_only = retrieval("b", "a", documents=[{"id": "d-1", "score": 0.9}])
    request = only(extract(workflow("a"), ids_only, chat("c", "a", prompt=f"{rules}\n{QUESTION}")))
    assert (request.contexts, request.contexts_source) == ((), ContextsSource.UNKNOWN)


def test_a_prompt_without_frames_is_the_passage_where_it_can_hold_the_documents() -> None:
    ids_only = retrieval("b", "a", documents=[{"id": "d-1", "score": 0.9}])
    text = "Riders are sixteen or older. " * 8
    request = only(extract(workflow("a"), ids_only, chat("c", "a", prompt=f"{text}\n{QUESTION}")))
    assert [(p.text, p.id) for p in request.contexts] == [(text.strip(), "d-1")]
    assert request.contexts_source is ContextsSource.PROMPT


def test_a_call_that_both_its_ends_traced_gives_one_result() -> None:
    """A client and a server of tools each have a span of it."""
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "Riders are sixteen or older."}
    ends = [span("t", "a", 1, attributes=tool), span("s", "t", 2, attributes=tool)]
    request = only(extract(workflow("a"), *ends, chat("c", "a", 5, "Who?")))
    assert [(one.kind.value, one.text) for one in request.contexts] == [("tool", "Riders are sixteen or older.")]


def test_a_result_that_repeats_a_document_is_left_out() -> None:
    same = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": str(A["content"])}
    request = only(
        extract(workflow("a"), retrieval("b", "a", 1, [A]), span("t", "a", 2, attributes=same), chat("c", "a", 5))
    )
    assert [one.id for one in request.contexts] == ["d-1"]
