"""What is missing of a request though nothing was cut: spans above its parts, texts of documents, the rest of a stream.

Nobody counts it, as SDKs count the attributes that they drop: the parts that did arrive tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from monitor.traces import semconv
from monitor.traces.afterwards import rewritings
from monitor.traces.answers import Calls
from monitor.traces.damage import SENTENCE_ENDS, Damage
from monitor.traces.exchange import is_envelope
from monitor.traces.masks import is_withheld
from monitor.traces.reading import ANSWER, DOCUMENTS, OUTPUT, QUERY, QUESTION, Document, Role
from monitor.traces.requests import Request, lost_its_parent
from monitor.traces.tree import Node
from monitor.traces.values import as_json


def find_losses(request: Request, calls: Calls, answer: str | None) -> Iterator[Damage]:
    """Signs that spans, or the rest of the answer, did not arrive. `answer`: None when it is unknown."""
    yield from _fragment(request)
    yield from _mixture(request)
    yield from _abandoned(request, calls, answer)
    yield from _rewritten(request, calls)


def find_textless(documents: Sequence[Document] | None, node: Node) -> Iterator[Damage]:
    """Of documents that have texts those without: what the model was given is known in part only.

    Where none has a text, ids are what the convention writes, and the prompt has the texts.
    """
    texts = [(document.text or "").strip() for document in documents or ()]
    without = sum(not text or is_withheld(text) for text in texts)
    if 0 < without < len(texts):
        yield Damage(node, "", f"{without} of {len(texts)} documents have no text")


def find_wrapped(said: Iterable[str | None], passages: Iterable[str], node: Node) -> Iterator[Damage]:
    """Texts that are still JSON around a text: encoded once more than their convention has it, or in another shape.

    Of passages only the former: a document may well hold JSON.
    """
    wrapped = any(_is_wrapped(text) or _is_envelope(text) for text in said if text is not None)
    if wrapped or any(map(_is_wrapped, passages)):
        yield Damage(node, "", "a text of it is JSON around a text, in a form that its convention does not have")


def _fragment(request: Request) -> Iterator[Damage]:
    """A chain whose output may be that of any step: no model call arrived, and what stood above it did not.

    A parent that may be in another process is not lost. What only carries the parts, side by side, says no answer.
    Where nothing was found a framework may answer by itself.
    """
    entry = request.entry
    if request.having(Role.MODEL) or entry.role is not Role.CHAIN or entry.find(ANSWER) is None:
        return
    if request.searches and all(node.get(DOCUMENTS) == () for node in request.searches):
        return
    if request.searches and entry.roles.isdisjoint((Role.RETRIEVER, Role.RERANKER)):
        yield Damage(entry, "", "it stands beside the retrieval, and no model call arrived: spans were lost")
    elif entry.parent is None and entry.span.flags & semconv.PARENT_KNOWN and lost_its_parent(entry):
        yield Damage(entry, "", "neither its parent nor a model call arrived: spans were lost")


def _mixture(request: Request) -> Iterator[Damage]:
    """Parts without a common span of the application that were asked different things: they may be of several requests.

    In a trace whose spans all arrived they are the steps of one, of which some rewrite the question.
    """
    asked = {text.strip() for part in request.pieces for node in part.subtree() if (text := _asked(node)) is not None}
    if len(asked) > 1:
        yield Damage(request.entry, "", "spans above its parts were lost, and the parts were asked different things")


def _asked(node: Node) -> str | None:
    return node.get(QUESTION) if node.role is Role.CHAIN else node.get(QUERY)


def _abandoned(request: Request, calls: Calls, answer: str | None) -> Iterator[Damage]:
    """A stream that nobody read to its end: a chain shows the beginning of the reply only, broken off.

    Its status is good, and the model's span shows the whole reply.
    """
    reply = None if calls.final is None else calls.final.get(OUTPUT)
    if reply is None or not reply.text:
        return
    shown = [(request.entry, answer), *((node, node.get(ANSWER)) for node in request.having(Role.CHAIN))]
    for node, text in shown:
        if text is not None and _breaks_off(text.strip(), reply.text.strip()):
            yield Damage(node, "", "it shows the beginning of the model's reply only: the stream was abandoned")
            return


def _rewritten(request: Request, calls: Calls) -> Iterator[Damage]:
    """A call after the answer, which may have been given to the user in its place: a translation, a shorter form."""
    for node in () if calls.final is None else rewritings(request, calls.final):
        yield Damage(node, "", "it was told the answer, and may have rewritten it: nothing says which the user got")


def _breaks_off(text: str, whole: str) -> bool:
    """Whether it is a beginning that ends within a sentence; what an application cuts off ends with one."""
    return bool(text) and len(text) < len(whole) and whole.startswith(text) and not text.endswith(SENTENCE_ENDS)


def _is_wrapped(text: str) -> bool:
    """Whether it is JSON in JSON, which nobody types."""
    return text[:2] in {'"\\', '"{', '"['} and as_json(text, layers=1) is not text


def _is_envelope(text: str) -> bool:
    return text[:1] in {"{", "["} and is_envelope(as_json(text, layers=1))
