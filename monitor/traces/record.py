"""One request of a trace, read into a RagTrace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from monitor.records import Passage, RagTrace
from monitor.traces import semconv
from monitor.traces.answers import answers, find_calls, questions, search_queries, template_variables
from monitor.traces.candidates import Candidate, accepted, first
from monitor.traces.contexts import NOTHING, Documents, Evidence, document_lists, evidence, has_context, texts_of
from monitor.traces.conventions.keys import names_retrieval
from monitor.traces.damage import Damage, find_cuts
from monitor.traces.facts import Facts
from monitor.traces.failure import find_error
from monitor.traces.hosted import searches_files
from monitor.traces.language import detect
from monitor.traces.lazy import lazy
from monitor.traces.losses import find_losses, find_textless, find_wrapped
from monitor.traces.prompts import is_grading
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    ENVIRONMENT,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT_TOKENS,
    PROMPT_VERSION,
    QUESTION,
    RESPONSE_ID,
    RESPONSE_MODEL,
    SESSION_ID,
    TENANT,
    USER_ID,
    Role,
)
from monitor.traces.requests import Request
from monitor.traces.text import is_fit, repair
from monitor.traces.tracestate import adjusted_count, has_entry, has_threshold, sampling_state
from monitor.traces.tree import Node

_UNNAMED_SERVICE = "unknown_service"


class RequestReader:
    """Reads one request.

    `trace_state` is the sampling state of the whole trace, for requests without their own: some samplers mark the root
    span only. `hidden` says that contents must not be used.
    """

    def __init__(self, request: Request, trace_state: str, *, hidden: bool) -> None:
        self.request = request
        self.hidden = hidden
        self.calls = find_calls(request)
        self.error = find_error(request, hidden=hidden)
        self._fallback_state = trace_state
        self._facts = Facts(request, self.calls)

    @lazy
    def is_rag(self) -> bool:
        """Whether something was retrieved, or a model was called with tools, documents or a context at hand.

        A model call whose prompt was cut may have had a context: it counts, and is marked as truncated. So may one of a
        workflow whose contents are hidden: it counts, and is marked as redacted. A call that a service answers from a
        knowledge base counts, too: what it found may not be on the wire.
        """
        if self.request.having(Role.RETRIEVER, Role.RERANKER) or any(map(_asks_knowledge_base, self.calls.inner)):
            return True
        if not self.calls.inner:
            entry = self.request.entry
            found = self.documents.found if self.documents.value else ()
            # a step alone may only put them together, and one of another name load them
            searched = any(one.span is not entry.span and names_retrieval(one.span.name) for one in found)
            fed = searched or bool(self.request.having(Role.TOOL)) or has_context(self.calls, {})
            return _tells_all(entry) or (fed and _has_answered(entry))
        if self.hidden and self.request.entry.role is Role.CHAIN:
            return True
        if self.request.having(Role.TOOL) or self.documents.value or self._is_cut:
            return True
        is_asked = has_context(self.calls, self._variables.value or {}) and self._question is not None
        return is_asked and not self.grades

    @property
    def grades(self) -> bool:
        """Whether its call was asked to judge an answer or a passage: an evaluator's, though no span says so."""
        return is_grading(self.calls.prompt)

    @property
    def is_chat(self) -> bool:
        """Whether a model was called at all."""
        return bool(self.calls.inner)

    def record(self, trace_id: str) -> RagTrace:
        """The request as a record, without feedback."""
        entry = self.request.entry.span
        question, answer = (None, None) if self.hidden else (self._question, self._answer)
        passages = NOTHING if self.hidden else first(self._evidence()) or NOTHING
        trace_state = self._trace_state()
        said: dict[str, Any] = {name: first(candidates) for name, candidates in self._said().items()}
        return RagTrace(
            trace_id=trace_id,
            request_id=entry.span_id,
            question=_fit(question),
            answer=_fit(answer),
            contexts=tuple(map(_fit_passage, passages.passages)),
            contexts_source=passages.source,
            search_query=None if self.hidden else _fit(first(self._search_queries())),
            error=self.error,
            language=detect(question or "", answer or ""),
            truncated=self._truncated,
            redacted=self.hidden,
            trace_state=trace_state,
            adjusted_count=adjusted_count(trace_state),
            start_ns=entry.start_ns,
            end_ns=entry.end_ns,
            convention=self._convention(),
            **said,
        )

    def explain(self) -> Mapping[str, Iterator[Candidate[Any]]]:
        """All candidates for each field of the record that spans say, by its name: the record has the first taken."""
        texts: dict[str, Iterator[Candidate[Any]]] = {}
        if not self.hidden:
            texts = {
                "question": self._questions(),
                "answer": self._answers(),
                "contexts": chain(self._evidence(), document_lists(self.request)),
                "search_query": self._search_queries(),
            }
        return texts | self._said()

    def _said(self) -> dict[str, Iterator[Candidate[Any]]]:
        """Candidates for what the request says besides its texts, by the names of the record's fields."""
        facts = self._facts
        return {
            "model": facts.of_model(MODEL),
            "response_model": facts.of_model(RESPONSE_MODEL),
            "response_id": facts.of_model(RESPONSE_ID),
            "session_id": facts.around(SESSION_ID),
            "user_id": facts.around(USER_ID),
            "tenant": chain(facts.around(TENANT), facts.resource(*semconv.TENANT_KEYS)),
            "app": self._apps(),
            "app_version": chain(facts.around(APP_VERSION), facts.resource(*semconv.VERSION_KEYS)),
            "environment": chain(facts.around(ENVIRONMENT), facts.resource(*semconv.ENVIRONMENT_KEYS)),
            "prompt_version": chain(facts.of_model(PROMPT_VERSION), facts.around(PROMPT_VERSION)),
            "knowledge_base": facts.around(KNOWLEDGE_BASE),
            "input_tokens": facts.total(INPUT_TOKENS),
            "output_tokens": facts.total(OUTPUT_TOKENS),
        }

    @lazy
    def documents(self) -> Candidate[Documents]:
        """The documents that spans show; its value is None when no span says."""
        return accepted(document_lists(self.request))

    @lazy
    def _variables(self) -> Candidate[Mapping[str, str]]:
        return accepted(template_variables(self.request, self.calls))

    @lazy
    def _question(self) -> str | None:
        return first(self._questions())

    def _questions(self) -> Iterator[Candidate[str]]:
        return questions(self.request, self.calls, self._variables, texts_of(self.documents.value))

    @lazy
    def _answer(self) -> str | None:
        return first(self._answers())

    def _answers(self) -> Iterator[Candidate[str]]:
        texts = texts_of(self.documents.value)
        return answers(self.request, self.calls, self._question, texts, failed=self.error is not None)

    def _evidence(self) -> Iterator[Candidate[Evidence]]:
        return evidence(self.request, self.calls, self.documents, self._variables, self._question)

    def _search_queries(self) -> Iterator[Candidate[str]]:
        return search_queries(self.request, self._question)

    def _apps(self) -> Iterator[Candidate[str]]:
        """The service; SDKs make up a name for one that has none."""
        for candidate in self._facts.resource(semconv.SERVICE_NAME):
            made_up = (candidate.value or "").startswith(_UNNAMED_SERVICE)
            yield candidate._replace(passed_over="made up by the SDK") if made_up else candidate

    def damages(self) -> Iterator[Damage]:
        """Signs that something of the request was cut, dropped or lost on the way, the cheapest to see first."""
        yield from find_cuts(self.request.members)
        yield from self._losses()

    def _losses(self) -> Iterator[Damage]:
        """Of hidden contents none: what is missing there is missing on purpose."""
        if not self.hidden:
            entry = self.request.entry
            yield from find_losses(self.request, self.calls, self._answer)
            yield from find_textless(self.documents.value, entry)
            yield from find_wrapped((self._question, self._answer), texts_of(self.documents.value), entry)

    @lazy
    def _is_cut(self) -> bool:
        return next(find_cuts(self.request.members), None) is not None

    @lazy
    def _truncated(self) -> bool:
        return self._is_cut or next(self._losses(), None) is not None

    def _trace_state(self) -> str:
        """Of the nearest span that has one, from the entry up."""
        if not self._fallback_state:
            return ""  # the usual case: no span has any
        entry = self.request.entry
        marked = (entry.nearest(_has_threshold), entry.nearest(_has_entry))
        return sampling_state([*(node.span.trace_state for node in marked if node is not None), self._fallback_state])

    def _convention(self) -> str:
        """The convention of the entry, else of the call that answered, else of the first span that has one.

        Mappings that only added fields stand in front of it.
        """
        nodes = (self.request.entry, self.calls.final, *self.request.members)
        found = next((node.convention for node in nodes if node is not None and node.convention), "unknown")
        mapped = [node.conventions for node in self.request.members if node.is_mapped]
        added = {one.name: None for conventions in mapped for one in conventions if one.matches is not None}
        return "+".join([*(name for name in added if name != found), found])


def _has_answered(entry: Node) -> bool:
    """Whether an agent tells question and answer, or failed over the question: its model calls may have no spans."""
    if entry.role is not Role.CHAIN or entry.find(QUESTION) is None:
        return False
    return entry.failed or entry.find(ANSWER) is not None


def _asks_knowledge_base(call: Node) -> bool:
    """Whether a model call names the knowledge base that its service answers from."""
    attributes = call.span.attributes
    is_named = semconv.DATA_SOURCE_ID in attributes or semconv.BEDROCK_KNOWLEDGE_BASE_ID in attributes
    return is_named or searches_files(call.span)


def _tells_all(entry: Node) -> bool:
    """Whether one span alone tells question, answer and documents, each in a place of its own: written by hand."""
    found = [entry.find(field) for field in (QUESTION, ANSWER, DOCUMENTS)]
    return all(found) and len({one.where for one in found if one is not None}) == len(found)


def _fit(text: str | None) -> str | None:
    """Text that can be written down: decoders give no other, but a structure within a value may hold some."""
    return None if text is None else repair(text)


def _fit_passage(passage: Passage) -> Passage:
    return passage if is_fit(passage.text) else replace(passage, text=repair(passage.text))


def _has_threshold(node: Node) -> bool:
    return has_threshold(node.span.trace_state)


def _has_entry(node: Node) -> bool:
    return has_entry(node.span.trace_state)
