"""Why a trace, or a part of it, gave no request: what its spans are, and what was missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from monitor.feedback import Feedback
from monitor.traces import extract
from monitor.traces.damage import find_hidden
from monitor.traces.extract import Reading
from monitor.traces.omissions import left_out
from monitor.traces.prompts import context_mark, evident_context
from monitor.traces.reading import Role
from monitor.traces.record import RequestReader
from monitor.traces.tree import Node

_MOST_KEYS = 12


def why_none(reading: Reading) -> list[str]:
    """Sentences for a person, for a trace without requests: what it holds and what was looked for in vain."""
    (reason,) = reading.extracted.dropped
    return [_spans(reading), *_SAID[reason](reading), *_left_out(reading)]


def why_not_counted(reading: Reading) -> list[str]:
    """A sentence for each part of a trace that has requests which is none itself, and for what these may lack."""
    kept = set(reading.kept)
    chats = [_chat(reader) for reader in reading.readers if reader not in kept and reader.is_chat]
    return [*chats, *_left_out(reading)]


def _left_out(reading: Reading) -> Iterator[str]:
    return left_out(reading.forest.nodes, reading.kept, reading.extracted.requests)


def _spans(reading: Reading) -> str:
    """How many spans of which role."""
    nodes = [*reading.forest.nodes, *reading.forest.cut]
    roles = Counter(node.role.value for node in nodes)
    return f"{len(nodes)} spans: " + ", ".join(f"{count} {role}" for role, count in sorted(roles.items()))


def _own(_reading: Reading) -> Iterator[str]:
    yield "its service is one of source.own_services: ragmon never judges its own judge"


def _evaluator(reading: Reading) -> Iterator[str]:
    for node in reading.forest.cut:
        yield f"{_named(node)} is an evaluator: it and all below it are left out"
    for reader in reading.readers:
        if reader.calls.final is not None:
            yield f"{_named(reader.calls.final)} asks for a judgement: its prompt holds an answer, or ends with a grade"


def _feedback(reading: Reading) -> Iterator[str]:
    yield from dict.fromkeys(map(_target, reading.extracted.feedback))


def _target(said: Feedback) -> str:
    """What one feedback is joined by."""
    if said.carrier_trace_id is None:
        return (
            "it carries feedback that names no other trace (by one span link) and no reply (by gen_ai.response.id): "
            "it can only be joined to an earlier request of this same trace"
        )
    reply = None if said.response_id is None else f"the reply {said.response_id}"
    trace = None if said.trace_id is None else f"trace {said.trace_id}"
    named = ", else ".join(name for name in (trace, reply) if name is not None)
    return f"it carries feedback on {named}; that is joined to the request it speaks of"


def _hidden_chat(reading: Reading) -> Iterator[str]:
    yield from {sign.node: f"{_named(sign.node)}: {sign.what}" for sign in find_hidden(reading.forest.nodes)}.values()
    yield "whether a context stood in a prompt that is hidden nobody can say"


def _plain_chat(reading: Reading) -> Iterator[str]:
    for reader in reading.readers:
        if reader.is_chat:
            yield _chat(reader)
    unknown = [node for node in reading.forest.nodes if node.role is Role.OTHER]
    yield from _to_map("the other spans'", unknown)
    yield "assembly.plain_chat: true takes such calls as requests, too"


def _chat(reader: RequestReader) -> str:
    call = reader.calls.final or reader.calls.inner[-1]
    missing = "no retriever, no reranker, no tool, no documents"
    if reader.calls.asked is None:
        return f"{_named(call)} is a model call with {missing}; its prompt is not on the wire: are contents recorded?"
    return f"{_named(call)} is a model call with {missing}, and {_frameless(reader)}"


def _frameless(reader: RequestReader) -> str:
    """What of context and question its prompt lacks."""
    prompt = reader.calls.prompt
    mark = context_mark(prompt)
    if mark is None:
        return "its prompt shows no context by any known label or tag"
    if evident_context(prompt):
        return f"its prompt shows a context ({mark!r}), but no label or tag that parts the question from it"
    return f"what stands in its prompt at {mark!r} is empty, or reads as the user's own words and not as passages"


def _ingestion(reading: Reading) -> Iterator[str]:
    steps = [node for node in reading.forest.nodes if node.role is Role.STEP]
    names = ", ".join(dict.fromkeys(node.span.name for node in steps[:_MOST_KEYS]))
    yield f"only steps such as embedding or parsing ({names}), no retrieval and no model call"


def _nothing(reading: Reading) -> Iterator[str]:
    nodes = reading.forest.nodes
    known = sorted({node.role.value for node in nodes} - {Role.OTHER.value})
    if known:
        yield f"there are spans of the roles {', '.join(known)}, but no retriever and no model call"
    else:
        yield "no span is known to any convention"
    yield from _to_map("their", nodes)
    if reading.hidden:
        yield "contents are hidden on purpose"


def _to_map(whose: str, nodes: Sequence[Node]) -> Iterator[str]:
    """What a mapping could read of these spans."""
    heads = dict.fromkeys(key.partition(".")[0] for node in nodes for key in node.span.attributes)
    if heads:
        shown = ", ".join(list(heads)[:_MOST_KEYS])
        yield f"{whose} attributes begin with: {shown}; if a tracer of your own writes them, map them: docs/mappings.md"


_SAID = {
    extract.OWN_SERVICE: _own,
    extract.EVALUATOR: _evaluator,
    extract.FEEDBACK: _feedback,
    extract.PLAIN_CHAT: _plain_chat,
    extract.NO_PROMPT: _plain_chat,
    extract.HIDDEN_CONTENT: _hidden_chat,
    extract.INGESTION: _ingestion,
    extract.NO_REQUEST: _nothing,
}


def _named(node: Node) -> str:
    return f"span {node.span.name!r} ({node.span.span_id})"
