"""Retrieved documents in the JSON shapes that libraries write.

A value is taken for documents only when its shape says so: a list of chat messages, of plain numbers or of Python
reprs is none. A distance is not read as a score: smaller is better there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from monitor.traces.document_keys import document_text, snaked
from monitor.traces.literals import read_literal
from monitor.traces.messages import flat_text, read_message
from monitor.traces.reading import Document, T
from monitor.traces.values import as_float, as_json, as_text
from monitor.wire import AttributeValue

_Held = TypeVar("_Held")
_CONTAINERS = (
    "documents", "hits", "results", "matches", "nodes", "outputs", "docs", "chunks", "source_documents",
    "source_nodes", "sources", "context", "contexts", "result", "records", "retrieved_documents", "retrievalResults",
    "search_results",
)  # fmt: skip
_TEXT_LISTS = ("context", "contexts", "passages", "documents", "docs", "chunks", "context_windows")
"""Keys under which a list of plain strings is a list of passages."""
_WRAPPERS = ("kwargs", "node", "_source", "payload", "document", "record", "retrieved_context")
"""Members that hold the document itself, beside its id or score."""
_AROUND = frozenset((*_WRAPPERS, "metadata"))
_ID_KEYS = ("id", "id_", "chunk_id", "segment_id", "doc_id", "document_id", "file_id", "_id", "uuid")
"""Those of a passage first: several of one document have its id in common."""
_NAMING = (str, int)
_SOURCE_KEYS = (
    "source", "doc_uri", "file_name", "filename", "file_path", "url", "source_url", "uri", "link", "path", "title",
)  # fmt: skip
"""Names of the document in metadata, else beside its text; the one that libraries set by themselves first."""
_SOURCES = frozenset(_SOURCE_KEYS)
_LONGEST_SOURCE = 1024
_SCORE_KEYS = ("score", "similarity", "relevance_score", "_score", "@search.score")
_METADATA_SCORE_KEYS = ("relevance_score", "score", "similarity")
"""In metadata the reranker's number stands beside the retriever's; the later one counts."""
_MESSAGE_TYPES = ("human", "ai", "system", "tool", "function", "AIMessageChunk", "tool_call")
_REPR = re.compile(
    r"<.*>|\[[Oo]bject(?: Object)?\]|[A-Z]\w*\(\w+=.*|[A-Z]\w* ?\{ ?\w+ ?=.*\}"
    r"|(?:page_content|content|text|node|id_?)=['\"\[].*",
    re.DOTALL,
)
"""Also of models of data that print their fields only (`content='Open.' additional_kwargs={}`), and objects of
JavaScript and Java: `[object Object]`, `UserMessage { name = null, contents = [] }`."""
_ELEMENT = re.compile(r"<(\w[\w.-]{0,100})(?:\s[^<>]*)?>.*</\1>", re.DOTALL)
_FUNCTION_RESPONSE = frozenset({"id", "name", "response", "parts", "scheduling", "will_continue"})
"""What Gemini puts around a tool's result."""
_TEXT_PART = frozenset({"type", "text", "annotations"})
"""The members of a part of a tool's result that is text."""
_TYPED_CONTENT = frozenset({"type", "content"})
"""The same under Traceloop's MCP."""
_STAMPS = frozenset({"id", "created_at", "finished_at"})
"""What AgentScope adds to each part: a document has an id as well, but no such times."""
_SENTENCE = 20
"""Bytes of UTF-8 from which on a text may be a passage: names and ids are shorter."""
_MAX_NESTING = 4
_PAIR = 2


def is_repr(text: str) -> bool:
    """Whether text is a Python object printed by mistake, such as `<generator object>` or `Document(id=..., ...)`.

    Text in a pair of tags is none: prompts and answers may be written so.
    """
    stripped = text.strip()
    return _REPR.fullmatch(stripped) is not None and _ELEMENT.fullmatch(stripped) is None


def read_documents(value: AttributeValue, *, lenient: bool = False) -> tuple[Document, ...] | None:
    """The documents that a value lists, in its order; empty for an empty list; None when it lists no documents.

    `lenient` also takes objects without text and id: the OTel convention allows them, and they too were retrieved.
    """
    return _read(as_json(value), lenient=lenient, depth=0)


def _read(value: AttributeValue, *, lenient: bool, depth: int) -> tuple[Document, ...] | None:
    if depth > _MAX_NESTING:
        return None
    if isinstance(value, list):
        return _from_list(value, lenient=lenient)
    if isinstance(value, dict):
        for key in _CONTAINERS:
            if key in value and (found := _member(key, as_json(value[key]), lenient, depth)) is not None:
                return _numbered(found, as_json(value.get("ids")))
        for key in _TEXT_LISTS:
            if (texts := _texts(as_json(value.get(key)))) is not None:
                return texts
    return None


def read_retrieved(value: AttributeValue) -> tuple[Document, ...] | None:
    """What a function returned that is known to retrieve; None when it is in no known shape.

    Besides lists of documents: plain strings, pairs of a document and a number (which may be a distance, so it is no
    score), and one text that holds them all.
    """
    read = as_json(value)
    if isinstance(read, dict) and read.keys() == {"output"}:
        read = as_json(read["output"])  # what LangSmith calls a value that is no mapping
    read = _alone(read)
    if isinstance(read, str):
        return (Document(read),) if read.strip() and not is_repr(read) else None
    listed = read_documents(read)
    if listed is not None or not isinstance(read, list):
        return listed
    texts = _texts(read)
    return texts if texts is not None else read_documents([_without_number(item) for item in read])


def read_passages(value: AttributeValue, least: int = 2) -> tuple[Document, ...] | None:
    """A list of sentences that a step returned, itself or as its only member: maybe documents; None when it is none.

    Of fewer than `least` texts none is taken: one alone may be all the documents, put together for a prompt.
    """
    read = as_json(value)
    if isinstance(read, dict) and len(read) == 1:
        read = as_json(next(iter(read.values())))
    texts = _texts(read)
    is_prose = any(len((one.text or "").encode(errors="replace")) >= _SENTENCE for one in texts or ())
    return texts if texts and len(texts) >= least and is_prose else None


def _alone(read: AttributeValue) -> AttributeValue:
    """The list in a list that holds nothing else, perhaps as JSON; any other value, and a pair with a number, as it is.

    Some wrap a result once more than their convention has it.
    """
    for _ in range(_MAX_NESTING):
        inner = as_json(read[0]) if isinstance(read, list) and len(read) == 1 else None
        if not isinstance(inner, list) or _without_number(inner) is not inner:
            break
        read = inner
    return read


def _without_number(item: AttributeValue) -> AttributeValue:
    read = as_json(item)
    if isinstance(read, list) and len(read) == _PAIR and as_float(read[1]) is not None:
        return read[0]
    return read


def hands_documents(value: AttributeValue) -> bool:
    """Whether an input holds a list of documents: a retriever that is handed some chooses among them."""
    waiting: list[tuple[AttributeValue, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        read = as_json(item)
        if read_documents(read):
            return True
        if depth < _MAX_NESTING and isinstance(read, list | dict):
            waiting.extend((member, depth + 1) for member in (read.values() if isinstance(read, dict) else read))
    return False


def read_result(value: AttributeValue) -> tuple[tuple[Document, ...] | None, str | None]:
    """What a tool gave back: its documents, or else its text; both None when it gave nothing.

    A result may come as a list of text or JSON parts (MCP, Strands); the documents are then in those, as JSON or as
    Python prints them.
    """
    read = as_json(value)
    if isinstance(read, dict) and read.keys() == {"output"}:
        read = as_json(read["output"])  # how LangChain in JavaScript is recorded
    if (message := read_message(read)) is not None and message.role == "tool":
        read = _artifact(read) or as_json("\n".join(message.results))
    if isinstance(read, dict) and read.keys() <= _FUNCTION_RESPONSE:
        read = as_json(read.get("response"))
    for key in ("toolResult", "content"):
        if isinstance(read, dict) and isinstance(inner := as_json(read.get(key)), list | dict):
            read = inner
    read = _alone(read)
    texts = [_part_text(part) for part in read] if isinstance(read, list) else []
    if texts and None not in texts:
        read = as_json("\n".join(text for text in texts if text is not None))
    elif isinstance(read, list) and len(read) == 1 and isinstance(only := read[0], dict) and only.keys() == {"json"}:
        read = as_json(only["json"])
    if isinstance(read, str) and read.lstrip()[:1] in {"[", "{", "("}:
        printed = read_literal(read)
        read = read if printed is None else printed
    documents = read_documents(read)
    documents = _prose(read) if documents is None else documents
    return documents, None if documents is not None or read is None else flat_text(read)


def _prose(value: AttributeValue) -> tuple[Document, ...] | None:
    """Several passages as plain texts; None for words, names and numbers."""
    texts = _texts(value) or ()
    is_prose = len(texts) > 1 and all(len((one.text or "").encode(errors="replace")) >= _SENTENCE for one in texts)
    return texts if is_prose else None


def _artifact(message: AttributeValue) -> AttributeValue:
    """The documents that a LangChain tool hands over beside the text that the model is given; None without any."""
    held = message if isinstance(message, dict) else {}
    layers = (held, as_json(held.get("kwargs")), as_json(held.get("data")))
    found = (as_json(layer.get("artifact")) for layer in layers if isinstance(layer, dict))
    return next((artifact for artifact in found if read_documents(artifact)), None)


def _part_text(part: AttributeValue) -> str | None:
    """The text of a part of a result that is nothing but text; None for any other."""
    if not isinstance(part, dict):
        return None
    if part.keys() == _TYPED_CONTENT and part["type"] == "text":
        text = part["content"]
    else:
        is_part = part.keys() - (_STAMPS if part.keys() >= _STAMPS else frozenset()) <= _TEXT_PART
        text = part.get("text") if is_part else None
    return text if isinstance(text, str) else None


def _member(key: str, value: AttributeValue, lenient: bool, depth: int) -> tuple[Document, ...] | None:  # noqa: FBT001 - passed through
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # a vector store answers several queries at once; here it was one
    found = _read(value, lenient=lenient, depth=depth + 1)
    return found if found is not None or key not in _TEXT_LISTS else _texts(value)


def _numbered(documents: tuple[Document, ...], ids: AttributeValue) -> tuple[Document, ...]:
    """Documents with the ids that stand beside them as a list of their own."""
    if isinstance(ids, list) and len(ids) == 1 and isinstance(ids[0], list):
        ids = ids[0]
    if not isinstance(ids, list) or len(ids) != len(documents):
        return documents
    return tuple(
        replace(document, id=number) if document.id is None and isinstance(number, str) else document
        for document, number in zip(documents, ids, strict=True)
    )


def _from_list(items: Sequence[AttributeValue], *, lenient: bool) -> tuple[Document, ...] | None:
    found = []
    for item in items:
        read = as_json(item)
        document = _document(snaked(read)) if isinstance(read, dict) else None
        if document is None and not (lenient and isinstance(read, dict)):
            return None
        found.append(document or Document())
    return tuple(found)


def _texts(value: AttributeValue) -> tuple[Document, ...] | None:
    if not isinstance(value, list):
        return None
    texts = [item for item in value if isinstance(item, str) and not is_repr(item)]
    return tuple(Document(text) for text in texts) if len(texts) == len(value) else None


def _document(item: Mapping[str, AttributeValue]) -> Document | None:
    if "role" in item or item.get("type") in _MESSAGE_TYPES or _is_message_class(item.get("id")):
        return None
    if _AROUND.isdisjoint(item) and not isinstance(item.get("content"), dict):  # the usual case: it is all there is
        text, name = document_text(item), _id(item)
        return None if text is None and name is None else Document(text, name, _score(item), _source(item))
    layers = [item]
    while len(layers) <= _MAX_NESTING and (inner := _inner(layers[0])) is not None:
        layers.insert(0, inner)
    if len(layers) > 1 and any("role" in layer for layer in layers):
        return None
    metadata = _metadata(layers)
    held_by = [*layers, *metadata] if metadata else layers
    text = _first(document_text, held_by)
    name = _first(_id, held_by)
    if text is None and name is None:
        return None
    score = _first(_score, layers)
    score = _first(metadata_score, metadata) if score is None else score
    return Document(text, name, score, _first(_source, [*metadata, *layers]))


def _first(read: Callable[[_Held], T | None], held_by: Iterable[_Held]) -> T | None:
    """What the first of these says that says anything."""
    for held in held_by:
        found = read(held)
        if found is not None:
            return found
    return None


def _inner(held: Mapping[str, AttributeValue]) -> Mapping[str, AttributeValue] | None:
    """The document itself in a member of what stands around it; None when nothing does."""
    for key in _WRAPPERS:
        if key in held and isinstance(read := as_json(held[key]), dict):
            return snaked(read)
    content = held.get("content")
    return content if isinstance(content, dict) else None  # Bedrock's text stands beside its type


def _metadata(layers: Iterable[Mapping[str, AttributeValue]]) -> list[dict[str, AttributeValue]]:
    """Vector stores keep the text beside the vector, in its metadata."""
    return [read for layer in layers if "metadata" in layer and isinstance(read := as_json(layer["metadata"]), dict)]


def _is_message_class(class_path: AttributeValue) -> bool:
    return isinstance(class_path, list) and "messages" in class_path


def _id(held: Mapping[str, AttributeValue]) -> str | None:
    for key in _ID_KEYS:
        value = held.get(key)
        if value is not None and isinstance(value, _NAMING) and not isinstance(value, bool) and value != "":
            return as_text(value)
    return None


def _score(held: Mapping[str, AttributeValue]) -> float | None:
    for key in _SCORE_KEYS:
        if key in held and (score := as_float(held[key])) is not None:
            return score
    return None


def metadata_score(metadata: AttributeValue) -> float | None:
    """The score that a document's metadata holds, if any."""
    read = as_json(metadata)
    if not isinstance(read, dict):
        return None
    return next((score for key in _METADATA_SCORE_KEYS if (score := as_float(read.get(key))) is not None), None)


def metadata_source(metadata: AttributeValue) -> str | None:
    """The name of the document that a document's metadata holds, if any."""
    read = as_json(metadata)
    return _source(read) if isinstance(read, dict) else None


def _source(held: Mapping[str, AttributeValue]) -> str | None:
    if _SOURCES.isdisjoint(held):
        return None  # the usual case
    found = [held.get(key) for key in _SOURCE_KEYS]
    named = (name.strip() for name in found if isinstance(name, str) and len(name) <= _LONGEST_SOURCE)
    return next((name for name in named if name), None)
