"""The fallback: what any span may say, whatever wrote it, and hand-written spans under the plainest names.

Of a key such as `helpdesk.rag.question` the last part counts; keys that begin as those of a convention are left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import names_retrieval, text_of, texted
from monitor.traces.documents import is_repr, read_documents
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PASSAGES,
    PROMPT,
    QUERY,
    QUESTION,
    SESSION_ID,
    TENANT,
    USER_ID,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

_QUESTIONS: Final = ("question", "user_question", "user_query", "user_message", "user_input", "query", "input")
_ANSWERS: Final = ("answer", "final_answer", "generated_answer", "response", "reply", "output", "return")
_PROMPTS: Final = ("prompt",)
_REPLIES: Final = ("completion", "response", "output")
_DOCUMENTS: Final = (
    "documents", "contexts", "retrieved_documents", "retrieved_docs", "retrieved_chunks", "retrieved_contexts",
    "source_documents", "search_results", "passages", "docs", "chunks", "hits", "results", "context", "return",
)  # fmt: skip
_ANY_SERVICES: Final = frozenset({"query", "input", "response", "output", "return"})
"""Of the names of questions and answers, those that a search or a plain function has as well."""
_VAGUE: Final = frozenset({"docs", "chunks", "hits", "results", "context", "return"})
"""Of these, names of other things as well."""
_PLAIN: Final = tuple([name for name in _DOCUMENTS if name not in _VAGUE])
_ELSEWHERE: Final = frozenset(
    {"cypher", "db", "graphql", "http", "messaging", "mongo", "mongodb", "redis", "rpc", "sql", "url"}
)
_NAMES: Final = frozenset({*_QUESTIONS, *_ANSWERS, *_PROMPTS, *_REPLIES, *_DOCUMENTS})
_JOINED: Final = frozenset({"context", "contexts"})
"""Keys of a request whose text is all passages together."""
_HEADS: Final = frozenset(
    {
        "ai", "code", "db", "embedding", "error", "event", "exception", "gcp", "gen_ai", "haystack", "http", "input",
        "langfuse", "langsmith", "langwatch", "llm", "logfire", "mastra", "messaging", "metadata", "mlflow", "net",
        "network", "openinference", "output", "pydantic_ai", "reranker", "rpc", "server", "spring", "tool", "traceloop",
        "url",
    }
)  # fmt: skip
"""First parts of keys that belong to a convention: what it did not take for a question is none."""
_SENTENCE = 2
"""Words that make one of several texts a passage: ids and names of files have one."""


def _keys(span: Span, names: tuple[str, ...]) -> Iterator[str]:
    """The keys that end with one of the names, in the order of the names."""
    found = {name: key for key in span.attributes if (name := _last(key)) in names}
    return (found[name] for name in names if name in found)


def _named(span: Span, names: tuple[str, ...]) -> Iterator[AttributeValue]:
    """The values of these keys."""
    return (span.attributes[key] for key in _keys(span, names))


def _last(key: str) -> str:
    head, _, rest = key.partition(".")
    return "" if rest and head in _HEADS else key.rpartition(".")[2]


def _text(span: Span, names: tuple[str, ...], read: Callable[[AttributeValue], str | None] = answer_in) -> str | None:
    """The first text under the names; of an object or a list what `read` finds in it."""
    return next((text for value in _named(span, names) if (text := _spoken(value, read)) is not None), None)


def _spoken(value: AttributeValue, read: Callable[[AttributeValue], str | None]) -> str | None:
    structured = as_json(value)
    return read(structured) if isinstance(structured, dict | list) else text_of({"": value}, "")


def _documents(span: Span, names: tuple[str, ...] = _DOCUMENTS) -> tuple[Document, ...] | None:
    return next((found for value in _named(span, names) if (found := _listed(value)) is not None), None)


def _listed(value: AttributeValue) -> tuple[Document, ...] | None:
    """A list of documents, or of passages in plain text."""
    read = as_json(value)
    found = read_documents(read)
    if found is not None or not isinstance(read, list):
        return found
    texts = [item for item in read if isinstance(item, str)]
    is_prose = len(texts) == len(read) and any(len(text.split()) >= _SENTENCE for text in texts)
    return tuple(map(Document, texts)) if is_prose else None


def _handed(span: Span) -> tuple[Document, ...] | None:
    """The documents of a whole request, or their text as one; under a vague name beside a question or answer only.

    `query`, `results` and `response` are what any search has: what it found may still have been given to a model.
    """
    is_own = _text(span, _QUESTIONS, question_in) is not None and not _is_anything(span)
    found = _documents(span, _DOCUMENTS if is_own else _PLAIN)
    if found is not None or not is_own:
        return found
    joined = (value for key, value in span.attributes.items() if _last(key) in _JOINED)
    return next(
        ((Document(text),) for value in joined if isinstance(text := as_json(value), str) and text.strip()), None
    )


def _is_anything(span: Span) -> bool:
    """Whether neither its question nor its answer has a name that only those have."""
    said = {_last(key) for key in span.attributes}.intersection((*_QUESTIONS, *_ANSWERS))
    return said <= _ANY_SERVICES


def _found(span: Span) -> tuple[Document, ...] | None:
    return _documents(span) if _is_anything(span) else None


def _role(span: Span) -> Role | None:
    """A chain when it shows question and answer, a model call a prompt and a reply, a retriever documents."""
    if _NAMES.isdisjoint(map(_last, span.attributes)):
        return None  # the usual case
    if _text(span, _PROMPTS) is not None and _text(span, _REPLIES) is not None:
        return Role.MODEL
    if _text(span, _QUESTIONS, question_in) is not None and _text(span, _ANSWERS) is not None:
        return Role.CHAIN
    return Role.RETRIEVER if _documents(span, _PLAIN) is not None or _finds(span) else None


def _finds(span: Span) -> bool:
    """Whether vague names mean documents: beside a query, on no span of a server or a database, and not for nothing."""
    heads = {key.partition(".")[0] for key in span.attributes}
    if _text(span, _QUESTIONS, query_in) is None or not _ELSEWHERE.isdisjoint(heads):
        return False
    found = _documents(span)
    is_said = names_retrieval(span.name)
    return found is not None and (is_said or any(document.text for document in found))


def _texts(names: tuple[str, ...], read: Callable[[AttributeValue], str | None]) -> Rule[str]:
    return _rule(names, lambda span: _text(span, names, read), lambda value: _spoken(value, read))


def _rule(
    names: tuple[str, ...], read: Callable[[Span], T | None], look: Callable[[AttributeValue], object]
) -> Rule[T]:
    """`look` reads one value: the first key under which it finds something is the place."""

    def key(span: Span) -> str | None:
        keys = list(_keys(span, names))
        told = (one for one in keys if look(span.attributes[one]) is not None)
        return next(told, next(iter(keys), None))

    return Rule(", ".join(names), read, tuple([f"*.{name}" for name in names]), key=key)


def _said(value: AttributeValue) -> str | None:
    return _spoken(value, answer_in)


def _prompt(span: Span) -> tuple[Message, ...] | None:
    text = _text(span, _PROMPTS)
    return None if text is None else (Message("user", text),)


def _reply(span: Span) -> Message | None:
    text = _text(span, _REPLIES)
    return None if text is None or is_repr(text) else Message("assistant", text)


GENERIC = Convention(
    name="generic",
    version="3",
    heads=frozenset(),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, _texts(_QUESTIONS, question_in)),
            says(ANSWER, _texts(_ANSWERS, answer_in)),
            says(DOCUMENTS, _rule(_DOCUMENTS, _handed, _listed)),
            says(PASSAGES, _rule(_DOCUMENTS, _found, _listed)),
        ),
        Role.MODEL: (
            says(PROMPT, _rule(_PROMPTS, _prompt, _said)),
            says(OUTPUT, _rule(_REPLIES, _reply, _said)),
        ),
        Role.RETRIEVER: (
            says(QUERY, _texts(_QUESTIONS, query_in)),
            says(DOCUMENTS, _rule(_DOCUMENTS, _documents, _listed)),
        ),
    },
    facts=(
        says(SESSION_ID, texted(semconv.SESSION_ID)),
        says(USER_ID, texted(semconv.USER_ID), texted(semconv.END_USER_ID)),
        says(TENANT, *map(texted, semconv.TENANT_KEYS)),
    ),
    contents=("rag.", "document", "context"),
)
"""Spans with a question and an answer, with documents, and who asked."""
