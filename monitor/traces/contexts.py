"""Which passages the model was given: documents that reached the prompt, tool results, or the prompt itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from monitor.records import ContextsSource, Passage, PassageKind
from monitor.traces.answers import Calls
from monitor.traces.candidates import Candidate, said
from monitor.traces.documents import read_documents
from monitor.traces.messages import whole_text
from monitor.traces.placing import place_all
from monitor.traces.prompts import context_block, evident_context, named_context, passages_beside, without_question
from monitor.traces.reading import ANSWER, DOCUMENTS, OUTPUT, PASSAGES, PROMPT, RESULT, Document, Found, Role
from monitor.traces.requests import Request
from monitor.traces.tree import Node, above_any
from monitor.traces.twins import distinct, with_ids, with_texts

_RETRIEVAL = (Role.RETRIEVER, Role.RERANKER)
_LEAST_BYTES = 200
"""Of a prompt without known frames, less the question, to be taken for documents: a short instruction is shorter. Bytes
of UTF-8, as a Chinese character says about as much as three Latin ones."""

_MOST_FEEDING = 64
"""Calls before the final one that are looked into for what it repeats of them."""
_MOST_LOOKED_FOR = 1000
"""Texts of a step that are looked for in prompts."""
_SENTENCE = 20
"""Characters from which on a reply that stands in a prompt is no chance."""

Documents = tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages of one request, and where they were found."""

    passages: tuple[Passage, ...]
    source: ContextsSource


NOTHING = Evidence((), ContextsSource.UNKNOWN)


def document_lists(request: Request) -> Iterator[Candidate[Documents]]:
    """The documents of the last reranker, else of the outermost retrievers, else those that a model was handed as such.

    Else those of tools, else those handed on by steps, else plain texts that a step returned.

    An empty list: a retriever ran and returned nothing. No list at all: no span says. Lists without any text come last.
    """
    textless = []
    for read in (_reranked, _retrieved, _attached, _from_tools, _handed_on, _passed_on):
        for candidate in read(request):
            if candidate.value is None or candidate.passed_over:
                yield candidate
                continue
            documents = distinct(_completed(candidate.value, request))
            if documents and not texts_of(documents):
                textless.append(candidate._replace(value=documents))
            else:
                yield candidate._replace(value=documents)
    yield from textless


def texts_of(documents: Documents | None) -> tuple[str, ...]:
    """The texts of the documents that have one."""
    return tuple([document.text for document in documents or () if document.text is not None])


def evidence(
    request: Request,
    calls: Calls,
    listed: Candidate[Documents],
    variables: Candidate[Mapping[str, str]],
    question: str | None,
) -> Iterator[Candidate[Evidence]]:
    """What the final model call was given: of the `listed` documents those that its prompt holds, else that prompt.

    Results of tools that are no documents belong to it wherever the rest comes from.
    """
    results = tuple(_tool_results(request, calls, listed))
    if not results and listed.value is None:
        results = tuple(_results_in_call(calls))
    told = dict.fromkeys(chain.from_iterable(_given_back(found.value) for found in results))
    listed_texts = {text.strip() for text in texts_of(listed.value)}  # one call may have a span at either end
    tools = tuple([tool for tool in told if tool.text.strip() not in listed_texts])
    documents = listed.value
    if documents is not None:
        unread = "they have no text, only ids" if documents and not texts_of(documents) else ""
        seen = () if unread else _seen_by(documents, calls, request.entry.get(ANSWER) or "")
        given = Evidence((*map(_passage, seen), *tools), ContextsSource.SPAN)
        yield Candidate(given, (*listed.found, *results), unread)
    only = documents[0] if documents and len(documents) == 1 else Document()
    for block in _blocks(calls, variables, question, is_known=documents is not None):
        text = block.value or ""
        written = [document for document in read_documents(text) or () if document.text] if text[:1] in "[{" else []
        passages = tuple(map(_passage, written)) or (replace(_passage(only), text=text),)
        given = Evidence((*passages, *tools), ContextsSource.PROMPT)
        repeated = any(text in tool.text for tool in tools)
        reason = block.passed_over or ("the result of a tool, repeated" if repeated else "")
        yield Candidate(given, (*block.found, *results), reason)
    if tools:
        by_spans = all(found.field is RESULT for found in results)
        yield Candidate(Evidence(tools, ContextsSource.SPAN if by_spans else ContextsSource.PROMPT), results)


def _blocks(
    calls: Calls, variables: Candidate[Mapping[str, str]], question: str | None, *, is_known: bool
) -> Iterator[Candidate[str]]:
    """The context in the prompt; where it `is_known` that there was one, at last all that is not the question."""
    prompt = calls.asked
    places = () if prompt is None else (prompt,)
    named = named_context(variables.value or {})
    if named:
        yield Candidate(named, variables.found)
    elif named is None and (block := context_block(calls.prompt)):
        yield Candidate(block, places)
    if is_known and (rest := without_question(calls.prompt, question)):
        # instructions would be judged as if they were the evidence, and every right answer be unsupported by them
        little = len(rest.encode(errors="replace")) < _LEAST_BYTES
        if little and (passages := passages_beside(calls.prompt, question)) is not None:
            yield Candidate(passages, places)
        yield Candidate(rest, places, "too little beside the question: instructions, not documents" if little else "")


def has_context(calls: Calls, variables: Mapping[str, str]) -> bool:
    """Whether the final prompt was filled with a context, by its frames, or holds what tools gave back."""
    named = named_context(variables)
    filled = evident_context(calls.prompt) if named is None else named
    return bool(filled) or next(_results_in_call(calls), None) is not None


def _passage(document: Document) -> Passage:
    return Passage(document.text or "", document.id, document.score, source=document.source)


def _reranked(request: Request) -> Iterator[Candidate[Documents]]:
    """What the last of the rerankers side by side gave; those of several searches are united."""
    rerankers = sorted(request.having(Role.RERANKER), key=_end)
    if not rerankers:
        return
    last = sorted({node.parent: node for node in rerankers}.values(), key=lambda node: node.order)
    yield from _united(last)
    yield from _others(rerankers, last, "a later reranker chose again")


def _end(node: Node) -> tuple[int, tuple[int, int, str]]:
    return (node.span.end_ns, node.order)


def _united(nodes: Iterable[Node]) -> Iterator[Candidate[Documents]]:
    """The documents of all spans that show any; none when none does."""
    given = [found for node in nodes if (found := node.find(DOCUMENTS)) is not None]
    if given:
        yield Candidate(tuple([document for found in given for document in found.value]), tuple(given))


def _others(nodes: Iterable[Node], taken: Iterable[Node], why: str) -> Iterator[Candidate[Documents]]:
    """The spans that were not asked, or that show nothing."""
    asked = frozenset(taken)
    for node in nodes:
        found = node.find(DOCUMENTS)
        if found is None:
            nowhere = Found(None, node.span, "", node.convention)
            yield Candidate(None, (nowhere,), "the span shows no documents in a form that is known")
        elif node not in asked:
            yield Candidate(found.value, (found,), why)


def _retrieved(request: Request) -> Iterator[Candidate[Documents]]:
    """Of nested retrievers the outermost that says what it returned: inside it others may have found more."""
    speaking: list[Node] = []
    retrievers = request.having(*_RETRIEVAL)
    waiting = list(request.searches[::-1])
    while waiting:
        retriever = waiting.pop()
        if retriever.get(DOCUMENTS) is not None:
            speaking.append(retriever)
        else:
            waiting += sorted(_next_below(retriever), key=lambda node: node.order, reverse=True)
    yield from _united(speaking)
    yield from _others(retrievers, speaking, "inside a retriever that says what it returned")


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


def _attached(request: Request) -> Iterator[Candidate[Documents]]:
    """Documents that a model call was handed beside its prompt, the last such call's."""
    for node in reversed(request.having(Role.MODEL)):
        yield from (candidate for candidate in said(node, DOCUMENTS) if candidate.value)


def _from_tools(request: Request) -> Iterator[Candidate[Documents]]:
    yield from _united(request.having(Role.TOOL))


def _handed_on(request: Request) -> Iterator[Candidate[Documents]]:
    """Documents in the input or output of the first step that shows some, where no retriever has a span."""
    own_span = "handed on by a step; a retriever has a span of its own" if request.having(*_RETRIEVAL) else ""
    for node in request.having(Role.CHAIN):
        for candidate in said(node, DOCUMENTS):
            if candidate.value:
                yield candidate._replace(passed_over=own_span)


def _passed_on(request: Request) -> Iterator[Candidate[Documents]]:
    """The plain texts that a step returned as a list, where a model call after it was given all of them."""
    steps = () if request.having(*_RETRIEVAL) else request.having(Role.CHAIN)
    returned = list(islice(((node, found) for node in steps if (found := node.find(PASSAGES))), _MOST_FEEDING))
    models = request.having(Role.MODEL)[-_MOST_FEEDING:] if returned else []
    prompts = [(node.span.start_ns, whole_text(prompt)) for node in models if (prompt := node.get(PROMPT))]
    for node, found in returned:
        texts = texts_of(found.value)[:_MOST_LOOKED_FOR]
        is_given = any(at >= node.span.start_ns and all(text in prompt for text in texts) for at, prompt in prompts)
        yield Candidate(found.value, (found,), "" if is_given else "no model call was given all of these texts")


def _completed(documents: Sequence[Document], request: Request) -> Sequence[Document]:
    """Missing texts from other spans by id, and ids by text; missing documents from a step that was handed all of them.

    SDKs drop a span's oldest attributes over their limit, and those are the best documents.
    """
    retrievers = request.having(*_RETRIEVAL)
    damaged = any(node.span.dropped_attributes for node in retrievers)
    if not damaged and all(document.text is not None and document.id is not None for document in documents):
        return documents
    others = [node.get(DOCUMENTS) or () for node in request.members]
    if damaged:
        texts = {document.text for document in documents}
        fuller = [listed for listed in others if texts < {document.text for document in listed}]
        documents = max(fuller, key=len, default=documents)
    known = [document for listed in others for document in listed]
    return with_ids(with_texts(documents, known), known)


def _given_back(result: str) -> tuple[Passage, ...]:
    """What a tool gave back: the documents that it lists as JSON, else the text."""
    documents = [one for one in read_documents(result) or () if one.text] if result.lstrip()[:1] in {"[", "{"} else []
    return tuple(map(_passage, documents)) or (Passage(result, kind=PassageKind.TOOL),)


def _tool_results(request: Request, calls: Calls, listed: Candidate[Documents]) -> Iterator[Found[str]]:
    """Results of tools that are no documents; a tool with a retriever inside only repeats what that found.

    So it does when the `listed` documents are those of a step inside it. Not so where the retriever shows ids without
    texts. A tool around the final call (a prompt that is a function, in Semantic Kernel) gives back the answer.
    """
    tools = request.having(Role.TOOL)
    if not tools:
        return
    telling = [node for node in request.having(*_RETRIEVAL, Role.TOOL) if texts_of(node.get(DOCUMENTS))]
    taken = {found.span.span_id for found in listed.found} if texts_of(listed.value) else set()
    telling += [node for node in request.having(Role.CHAIN) if node.span.span_id in taken]
    repeating = above_any(telling if calls.final is None else [*telling, calls.final], request.members)
    for node in tools:
        result = node.find(RESULT)
        if result is not None and result.value.strip() and node not in repeating:
            yield result


def _results_in_call(calls: Calls) -> Iterator[Found[str]]:
    """What tools gave back since the user's last words, as the final call shows it: they may have no spans."""
    if calls.final is None:
        return
    if (output := calls.final.find(OUTPUT)) is not None:  # the model's own service ran those
        yield from (_replaced(output, result) for result in output.value.results if result.strip())
    prompt = calls.asked
    messages = () if prompt is None else prompt.value
    asked = max(
        (at for at, one in enumerate(messages) if one.role == "user" and one.text.strip()), default=len(messages)
    )
    for message in messages[asked + 1 :]:
        for result in message.results:
            if prompt is not None and result.strip():
                yield _replaced(prompt, result)


def _replaced(found: Found[Any], text: str) -> Found[str]:
    return Found(text, found.span, found.where, found.convention, found.field)


def _seen_by(documents: Sequence[Document], calls: Calls, answer: str) -> Sequence[Document]:
    """The documents that the answer was made from: in the final prompt, else also in those of the calls it repeats.

    A call may sum up a part of the documents for the next one, or answer a tool's question from them.
    """
    prompt = whole_text(calls.prompt)
    seen = _seen(documents, prompt)
    if not prompt or len(seen) == len(documents):
        return seen
    prompts = [prompt, answer]
    for node in reversed(calls.inner[-_MOST_FEEDING:]):
        output = node.get(OUTPUT)
        reply = "" if output is None else output.text.strip()
        if node is not calls.final and len(reply) >= _SENTENCE and any(reply in text for text in prompts):
            given = node.find(PROMPT)
            prompts.append("" if given is None else whole_text(given.value))
    return _seen(documents, "\n".join(reversed(prompts))) if len(prompts) > 2 else seen  # noqa: PLR2004 - the two above


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
