"""Which passages the model was given: documents that reached the prompt, tool results, or the prompt itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from monitor.records import ContextsSource, Passage, PassageKind
from monitor.traces.documents import distinct, with_texts
from monitor.traces.messages import whole_text
from monitor.traces.placing import place_all
from monitor.traces.prompts import context_block, without_question
from monitor.traces.reading import DOCUMENTS, RESULT, Document, Message, Role
from monitor.traces.requests import Request
from monitor.traces.tree import Node, above_any, outermost

_RETRIEVAL = (Role.RETRIEVER, Role.RERANKER)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The documents that spans show. None: no span says; empty: a retriever ran and returned nothing."""

    documents: tuple[Document, ...] | None

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the documents that have one."""
        return tuple(document.text for document in self.documents or () if document.text is not None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages of one request, and where they were found."""

    passages: tuple[Passage, ...]
    source: ContextsSource


def find_documents(request: Request) -> Retrieved:
    """The documents of the last reranker, else of the outermost retrievers, else of tools, else passed on by steps."""
    for read in (_reranked, _retrieved, _from_tools, _handed_on):
        found = read(request)
        if found is not None:
            return Retrieved(distinct(_completed(found, request)))
    return Retrieved(None)


def gather(
    request: Request, found: Retrieved, prompt: Sequence[Message], variables: Mapping[str, str], question: str | None
) -> Evidence:
    """The passages that the final model call was given."""
    tools = tuple(Passage(text, kind=PassageKind.TOOL) for text in _tool_results(request))
    documents = found.documents
    if documents is None or (documents and not found.texts):
        block = context_block(prompt, variables)
        if not block and documents is not None:  # there were documents: whatever the prompt holds beside the question
            block = without_question(prompt, question)
        if block:
            only = documents[0] if documents and len(documents) == 1 else Document()
            return Evidence((Passage(block, only.id, only.score), *tools), ContextsSource.PROMPT)
        return Evidence(tools, ContextsSource.SPAN if tools else ContextsSource.UNKNOWN)
    seen = _seen(documents, whole_text(prompt))
    return Evidence((*map(_passage, seen), *tools), ContextsSource.SPAN)


def has_context(prompt: Sequence[Message], variables: Mapping[str, str]) -> bool:
    """Whether the prompt was filled with a context, by its frames."""
    return bool(context_block(prompt, variables))


def _passage(document: Document) -> Passage:
    return Passage(document.text or "", document.id, document.score)


def _reranked(request: Request) -> tuple[Document, ...] | None:
    """What the last of the rerankers side by side gave; those of several searches are united."""
    last = {node.parent: node for node in sorted(request.having(Role.RERANKER), key=_end)}
    return _united(sorted(last.values(), key=lambda node: node.order))


def _end(node: Node) -> tuple[int, tuple[int, int, str]]:
    return (node.span.end_ns, node.order)


def _united(nodes: Iterable[Node]) -> tuple[Document, ...] | None:
    """The documents of all spans that show any; None when none does."""
    given = [documents for node in nodes if (documents := node.get(DOCUMENTS)) is not None]
    return tuple(document for documents in given for document in documents) if given else None


def _retrieved(request: Request) -> tuple[Document, ...] | None:
    """Of nested retrievers the outermost that says what it returned: inside it others may have found more."""
    speaking: list[Node] = []
    waiting = outermost(request.having(*_RETRIEVAL))[::-1]
    while waiting:
        retriever = waiting.pop()
        if retriever.get(DOCUMENTS) is not None:
            speaking.append(retriever)
        else:
            waiting += sorted(_next_below(retriever), key=lambda node: node.order, reverse=True)
    return _united(speaking)


def _next_below(retriever: Node) -> list[Node]:
    """The retrievers below one, without those below them in turn."""
    found, waiting = [], list(retriever.children)
    while waiting:
        node = waiting.pop()
        if node.role in _RETRIEVAL:
            found.append(node)
        else:
            waiting += node.children
    return found


def _from_tools(request: Request) -> tuple[Document, ...] | None:
    return _united(request.having(Role.TOOL))


def _handed_on(request: Request) -> tuple[Document, ...] | None:
    """Documents in the input or output of the first step that shows some, where no retriever has a span."""
    if request.having(*_RETRIEVAL):
        return None
    return next((documents for node in request.having(Role.CHAIN) if (documents := node.get(DOCUMENTS))), None)


def _completed(documents: Sequence[Document], request: Request) -> Sequence[Document]:
    """Missing texts from other spans by id; missing documents from a step that was handed all of them.

    SDKs drop a span's oldest attributes over their limit, and those are the best documents.
    """
    retrievers = request.having(*_RETRIEVAL)
    damaged = any(node.span.dropped_attributes for node in retrievers)
    if not damaged and all(document.text is not None for document in documents):
        return documents
    others = [node.get(DOCUMENTS) or () for node in request.members]
    if damaged:
        texts = {document.text for document in documents}
        fuller = [listed for listed in others if texts < {document.text for document in listed}]
        documents = max(fuller, key=len, default=documents)
    return with_texts(documents, (document for listed in others for document in listed))


def _tool_results(request: Request) -> Iterable[str]:
    """Results of tools that are no documents; a tool with a retriever inside only repeats what that found."""
    repeating = above_any(
        (node for node in request.having(*_RETRIEVAL, Role.TOOL) if node.get(DOCUMENTS)), request.members
    )
    for node in request.having(Role.TOOL):
        result = node.get(RESULT)
        if result and result.strip() and node not in repeating:
            yield result


def _seen(documents: Sequence[Document], prompt: str) -> Sequence[Document]:
    """The documents whose text stands in the prompt, by place; all when none does (the prompt was cut or reformatted).

    Where that leaves some out or moves them, a reranker without a span has chosen: its scores are not on the wire, and
    the retriever's are not those that the choice was made by.
    """
    known = [document for document in documents if document.text is not None]
    places = place_all([document.text or "" for document in known], prompt)
    placed = sorted((pair for pair in zip(places, known, strict=True) if pair[0] is not None), key=itemgetter(0))
    chosen = [document for _, document in placed]
    if not chosen or chosen == known:
        return known
    return [replace(document, score=None) for document in chosen]
