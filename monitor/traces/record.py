"""One request of a trace, read into a RagTrace."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from monitor.records import ContextsSource, RagTrace
from monitor.traces import semconv
from monitor.traces.answers import (
    Facts,
    find_answer,
    find_calls,
    find_question,
    find_search_query,
    variables_of,
)
from monitor.traces.contexts import Evidence, Retrieved, find_documents, gather, has_context
from monitor.traces.conventions.keys import text_of
from monitor.traces.damage import is_cut
from monitor.traces.failure import find_error
from monitor.traces.language import detect
from monitor.traces.reading import (
    APP_VERSION,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT_TOKENS,
    PROMPT_VERSION,
    RESPONSE_ID,
    RESPONSE_MODEL,
    SESSION_ID,
    TENANT,
    USER_ID,
    Found,
    Role,
    T,
)
from monitor.traces.requests import Request
from monitor.traces.tracestate import adjusted_count, has_entry, has_threshold, sampling_state
from monitor.traces.tree import Node

_UNNAMED_SERVICE = "unknown_service"
_NOTHING = Evidence((), ContextsSource.UNKNOWN)


class RequestReader:
    """Reads one request.

    `trace_state` is the sampling state of the whole trace, for requests without their own: some samplers mark the root
    span only. `hidden` says that contents must not be used.
    """

    def __init__(self, request: Request, trace_state: str, *, hidden: bool) -> None:
        self.request = request
        self._fallback_state = trace_state
        self._hidden = hidden
        self._calls = find_calls(request)
        self._error = find_error(request, hidden=hidden)

    @cached_property
    def is_rag(self) -> bool:
        """Whether something was retrieved, or a model was called with tools, documents or a context at hand.

        A model call whose prompt was cut may have had a context: it counts, and is marked as truncated.
        """
        if self.request.having(Role.RETRIEVER, Role.RERANKER):
            return True
        if not self._calls.inner:
            return False
        if self.request.having(Role.TOOL) or self._documents.documents or self._truncated:
            return True
        return has_context(self._calls.prompt, self._variables) and self._question is not None

    @property
    def is_chat(self) -> bool:
        """Whether a model was called at all."""
        return bool(self._calls.inner)

    def record(self, trace_id: str) -> RagTrace:
        """The request as a record, without feedback."""
        entry = self.request.entry.span
        facts = Facts(self.request, self._calls)
        question = None if self._hidden else self._question
        answer = None if self._hidden else find_answer(self.request, self._calls, failed=self._error is not None)
        evidence = _NOTHING if self._hidden else self._evidence
        trace_state = self._trace_state()
        return RagTrace(
            trace_id=trace_id,
            request_id=entry.span_id,
            question=question,
            answer=answer,
            contexts=evidence.passages,
            contexts_source=evidence.source,
            search_query=None if self._hidden else find_search_query(self.request, question),
            model=_value(facts.of_model(MODEL)),
            response_model=_value(facts.of_model(RESPONSE_MODEL)),
            response_id=_value(facts.of_model(RESPONSE_ID)),
            error=self._error,
            session_id=_value(facts.around(SESSION_ID)),
            user_id=_value(facts.around(USER_ID)),
            tenant=_value(facts.around(TENANT)) or text_of(entry.resource, *semconv.TENANT_KEYS),
            app=self._app(),
            app_version=_value(facts.around(APP_VERSION)) or text_of(entry.resource, semconv.SERVICE_VERSION),
            environment=text_of(entry.resource, semconv.ENVIRONMENT, semconv.ENVIRONMENT_OLD),
            prompt_version=_value(facts.of_model(PROMPT_VERSION) or facts.around(PROMPT_VERSION)),
            knowledge_base=_value(facts.around(KNOWLEDGE_BASE)),
            language=detect(question or "", answer or ""),
            truncated=self._truncated,
            redacted=self._hidden,
            trace_state=trace_state,
            adjusted_count=adjusted_count(trace_state),
            input_tokens=facts.total(INPUT_TOKENS),
            output_tokens=facts.total(OUTPUT_TOKENS),
            start_ns=entry.start_ns,
            end_ns=entry.end_ns,
            convention=self._convention(),
        )

    @cached_property
    def _documents(self) -> Retrieved:
        return find_documents(self.request)

    @cached_property
    def _variables(self) -> Mapping[str, str]:
        return variables_of(self.request, self._calls)

    @cached_property
    def _question(self) -> str | None:
        return find_question(self.request, self._calls, self._variables, self._documents.texts)

    @cached_property
    def _evidence(self) -> Evidence:
        return gather(self.request, self._documents, self._calls.prompt, self._variables, self._question)

    @cached_property
    def _truncated(self) -> bool:
        return is_cut(self.request.members)

    def _trace_state(self) -> str:
        """Of the nearest span that has one, from the entry up."""
        entry = self.request.entry
        marked = (entry.nearest(_has_threshold), entry.nearest(_has_entry))
        return sampling_state([*(node.span.trace_state for node in marked if node is not None), self._fallback_state])

    def _app(self) -> str | None:
        name = text_of(self.request.entry.span.resource, semconv.SERVICE_NAME)
        return None if name is None or name.startswith(_UNNAMED_SERVICE) else name

    def _convention(self) -> str:
        """The convention of the entry, else of the call that answered, else of the first span that has one."""
        nodes = (self.request.entry, self._calls.final, *self.request.members)
        return next((node.convention for node in nodes if node is not None and node.convention), "unknown")


def _value(found: Found[T] | None) -> T | None:
    return None if found is None else found.value


def _has_threshold(node: Node) -> bool:
    return has_threshold(node.span.trace_state)


def _has_entry(node: Node) -> bool:
    return has_entry(node.span.trace_state)
