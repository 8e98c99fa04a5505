"""TruLens: `ai.observability.*`, the kind of a span beside what its function was called with and returned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.flattened import gathered
from monitor.traces.conventions.keys import counted, gives_answer, prompt_version, text_of, texted
from monitor.traces.conventions.recorded import Recorded, decoded
from monitor.traces.documents import is_repr, read_retrieved
from monitor.traces.exchange import read_reply
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    FAILURE,
    INPUT_TOKENS,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    SESSION_ID,
    Convention,
    Document,
    Entry,
    Message,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.twins import enriched
from monitor.traces.values import as_float, as_json, as_list
from monitor.wire import AttributeValue, Span

_SCOPE: Final = "ai.observability."
KIND: Final = _SCOPE + "span_type"
ROOT_INPUT: Final = _SCOPE + "record_root.input"
ROOT_OUTPUT: Final = _SCOPE + "record_root.output"
_OLD_ROOT: Final = (_SCOPE + "record_root.main_input", _SCOPE + "record_root.main_output")
"""Up to 1.3."""
QUERY_TEXT: Final = _SCOPE + "retrieval.query_text"
CONTEXTS: Final = _SCOPE + "retrieval.retrieved_contexts"
RERANK_QUERY: Final = _SCOPE + "reranking.query_text"
RERANKED: Final = _SCOPE + "reranking.output_context_texts"
RERANK_SCORES: Final = _SCOPE + "reranking.output_context_scores"
_ARGUMENTS: Final = _SCOPE + "call.kwargs"
_RETURNED: Final = _SCOPE + "call.return"
_TOOL_RESULT: Final = _SCOPE + "mcp.output_content"
_PROMPT: Final = _SCOPE + "prompt."
_COST_MODEL: Final = _SCOPE + "cost.model"
_STREAMING: Final = _SCOPE + "generation.is_streaming"

_ROLES: Mapping[str, Role] = {
    "record_root": Role.CHAIN,
    "nested_record_root": Role.CHAIN,
    "agent": Role.CHAIN,
    "graph_task": Role.CHAIN,
    "graph_node": Role.CHAIN,
    "workflow_step": Role.CHAIN,
    "retrieval": Role.RETRIEVER,
    "reranking": Role.RERANKER,
    "generation": Role.MODEL,
    "tool": Role.TOOL,
    "mcp": Role.TOOL,
    "guardrail": Role.GUARDRAIL,
    "eval": Role.EVALUATOR,
    "eval_root": Role.EVALUATOR,
    "eval_decision": Role.EVALUATOR,
}
"""All other types are functions of the application."""


def _value(span: Span, where: str) -> AttributeValue:
    if KIND not in span.attributes:
        return None
    return decoded(span, where) if where == _RETURNED else gathered(span.attributes, where, _argument)


def _argument(value: AttributeValue) -> AttributeValue:
    return as_json(value, layers=1)


_VALUES: Final = Recorded(_ARGUMENTS, _RETURNED, _value, is_keyed=False)


def _role(span: Span) -> Role | None:
    """By the type; a function without one that a model was paid for called it."""
    kind = text_of(span.attributes, KIND)
    if kind is None:
        return None
    known = _ROLES.get(kind.lower())
    if known is Role.TOOL and gives_answer(span.name.rpartition(".")[2]):
        return Role.STEP
    if known is not None:
        return known
    role = _VALUES.role(span)
    return Role.MODEL if role is Role.CHAIN and _COST_MODEL in span.attributes else role


def _streams(span: Span) -> bool:
    return span.attributes.get(_STREAMING) is True


def _output(span: Span) -> str | None:
    """What the whole request gave back. Of a stream the last piece stands there: its pieces say what it was."""
    if _streams(span):
        return _joined(span)
    value = span.attributes.get(ROOT_OUTPUT, span.attributes.get(_OLD_ROOT[1]))
    return _VALUES.on_returned(answer_in).read(span) if value is None else answer_in(as_json(value, layers=1))


def _reply(span: Span) -> Message | None:
    if not _streams(span):
        return _VALUES.on_returned(read_reply).read(span)
    text = _joined(span)
    return None if text is None else Message("assistant", text)


def _joined(span: Span) -> str | None:
    """The pieces of a streamed text; None where they are objects that were printed."""
    pieces = [piece for piece in as_list(span.attributes.get(_RETURNED)) if isinstance(piece, str)]
    return None if not pieces or any(map(is_repr, pieces)) else "".join(pieces)


def _found(span: Span) -> tuple[Document, ...] | None:
    """The texts that the application named as found, with what its function returned of them besides."""
    named = read_retrieved(span.attributes.get(CONTEXTS))
    returned = _VALUES.on_returned(read_retrieved).read(span)
    return returned if named is None else enriched(named, returned or ())


def _reranked(span: Span) -> tuple[Document, ...] | None:
    """The texts that were kept, with their scores where there is one for each."""
    found = read_retrieved(span.attributes.get(RERANKED))
    scores = [as_float(score) for score in as_list(span.attributes.get(RERANK_SCORES))]
    if found is None or len(scores) != len(found):
        return found
    return tuple([Document(one.text, one.id, score, one.source) for one, score in zip(found, scores, strict=True)])


def _with(role: Role, *entries: Entry) -> tuple[Entry, ...]:
    """The table for any function, with these fields read otherwise."""
    own = {entry.field for entry in entries}
    return (*entries, *[entry for entry in _VALUES.texts()[role] if entry.field not in own])


TRULENS = Convention(
    name="trulens",
    version="2.16",
    heads=frozenset({"ai"}),
    role=_role,
    texts={
        **_VALUES.texts(),
        Role.CHAIN: _with(
            Role.CHAIN,
            says(
                QUESTION,
                *(
                    attribute(key, lambda value: question_in(as_json(value, layers=1)))
                    for key in (ROOT_INPUT, _OLD_ROOT[0])
                ),
                _VALUES.on_asked(question_in),
            ),
            says(ANSWER, Rule(f"{ROOT_OUTPUT}, {_RETURNED}", _output)),
        ),
        Role.MODEL: _with(Role.MODEL, says(OUTPUT, Rule(_RETURNED, _reply))),
        Role.RETRIEVER: _with(
            Role.RETRIEVER,
            says(QUERY, texted(QUERY_TEXT), _VALUES.on_asked(query_in)),
            says(DOCUMENTS, Rule(f"{CONTEXTS}, {_RETURNED}", _found)),
        ),
        Role.RERANKER: _with(
            Role.RERANKER,
            says(QUERY, texted(RERANK_QUERY), _VALUES.on_asked(query_in)),
            says(DOCUMENTS, Rule(RERANKED, _reranked, RERANKED), _VALUES.on_returned(read_retrieved)),
        ),
    },
    facts=(
        says(MODEL, texted(_COST_MODEL)),
        says(SESSION_ID, texted(_SCOPE + "conversation_id")),
        says(APP_VERSION, texted(_SCOPE + "app_version")),
        says(PROMPT_VERSION, prompt_version(_PROMPT + "slug", _PROMPT + "version_id")),
        says(INPUT_TOKENS, counted(_SCOPE + "cost.num_prompt_tokens")),
        says(OUTPUT_TOKENS, counted(_SCOPE + "cost.num_completion_tokens")),
        says(FAILURE, texted(_SCOPE + "record_root.error"), texted(_SCOPE + "call.error")),
    ),
    contents=(
        ROOT_INPUT,
        ROOT_OUTPUT,
        *_OLD_ROOT,
        _RETURNED,
        _ARGUMENTS,
        _SCOPE + "retrieval.",
        _SCOPE + "reranking.",
        _TOOL_RESULT,
    ),
)
"""Spans with `ai.observability.span_type`."""
