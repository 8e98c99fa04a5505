"""Whether a request failed, where, and of what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, takewhile

from monitor.records import RequestError
from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, text_of
from monitor.traces.reading import FAILURE, Role
from monitor.traces.requests import Request
from monitor.traces.tree import Node
from monitor.wire import SpanEvent, SpanStatus

_SERVER = 2
_SERVER_ERROR = 500
_MAX_TYPE = 200
_MAX_MESSAGE = 2000
_ANY = "Exception"
_CLASS = re.compile(r"([A-Za-z_][\w.]{0,100}(?:Error|Exception|Timeout|Exceeded|Denied|Interrupt|Exit))\(")
_KIND = re.compile(
    r"(Error code: [0-9]{3})\b|An error occurred \(([A-Za-z]{1,100})\) when calling "
    r"|([A-Za-z_][\w.]{0,100}(?:Error|Exception|Timeout|Exceeded|Denied))(?:\(|: )"
)
"""How messages of clients begin: OpenAI's and Anthropic's, AWS's, and those with a class in front."""
_PRINTED = re.compile(r"<class '([\w.]+)'>")
_STACK = "Traceback (most recent call last)"
_STAGES = {Role.RETRIEVER: "retrieval", Role.RERANKER: "retrieval", Role.MODEL: "generation"}


def find_error(request: Request, *, hidden: bool) -> RequestError | None:
    """The error of a failed request. `hidden` leaves out free texts, which may quote contents.

    It failed when its entry or the server span above it failed, or when a retriever or model call failed and no later
    one succeeded: a failed call before a good one is a retry.
    """
    failed = [node for node in request.members if node.failed]
    server = request.entry.nearest(_server_failed)
    if not request.entry.failed and server is None and not _unrepaired(request, failed):
        return None
    if not failed:
        return _server_error(server, hidden=hidden)
    deepest = max(failed, key=lambda node: (node.depth, node.order))
    return RequestError(
        type=_type(deepest, request, hidden=hidden)[:_MAX_TYPE],
        stage=_STAGES.get(deepest.role, "request"),
        message="" if hidden else _message(deepest)[:_MAX_MESSAGE],
    )


def _server_failed(node: Node) -> bool:
    if node.span.kind != _SERVER:
        return False
    status = count_of(node.span.attributes, semconv.HTTP_STATUS, semconv.HTTP_STATUS_OLD) or 0
    return node.span.status is SpanStatus.ERROR or status >= _SERVER_ERROR


def _server_error(server: Node | None, *, hidden: bool) -> RequestError:
    if server is None:
        return RequestError("error", "request")
    attributes = server.span.attributes
    kind = text_of(attributes, semconv.ERROR_TYPE, semconv.HTTP_STATUS, semconv.HTTP_STATUS_OLD)
    return RequestError((kind or "error")[:_MAX_TYPE], "request", "" if hidden else _message(server)[:_MAX_MESSAGE])


def _unrepaired(request: Request, failed: Sequence[Node]) -> bool:
    """Whether a retriever or model call failed and none of its kind succeeded later."""
    for roles in ((Role.RETRIEVER, Role.RERANKER), (Role.MODEL,)):
        broken = [node for node in failed if node.role in roles]
        if broken:
            last = max(node.span.start_ns for node in broken)
            later = (node for node in request.having(*roles) if node.span.start_ns >= last)
            if all(node.failed for node in later):
                return True
    return False


def _type(node: Node, request: Request, *, hidden: bool) -> str:
    """Of the failed span, else of the nearest one above it in the request."""
    inside = frozenset(request.members)
    for candidate in chain((node,), takewhile(inside.__contains__, node.ancestors())):
        if (kind := text_of(candidate.span.attributes, semconv.ERROR_TYPE)) is not None:
            printed = _PRINTED.fullmatch(kind)
            return printed[1] if printed else kind
        for event in candidate.span.events:
            if event.name == semconv.EXCEPTION_EVENT and (kind := text_of(event.attributes, semconv.EXCEPTION_TYPE)):
                return _named_in(event) if kind == _ANY else kind
        if candidate is request.entry:
            break
    return "error" if hidden else _kind_in(_own_words(node)) or "error"


def _kind_in(words: str) -> str:
    """The kind of an error that only has a message: what clients begin theirs with, else all of it.

    The rest quotes the reply of a service, which is another one each time.
    """
    match = _KIND.match(words)
    return next(kind for kind in match.groups() if kind) if match else words


def _named_in(event: SpanEvent) -> str:
    """The class that the message of a bare `Exception` begins with: LangSmith packs an error's repr into one."""
    match = _CLASS.match(text_of(event.attributes, semconv.EXCEPTION_MESSAGE) or "")
    return match[1] if match else _ANY


def _message(node: Node) -> str:
    for event in node.span.events:
        if event.name == semconv.EXCEPTION_EVENT and (text := text_of(event.attributes, semconv.EXCEPTION_MESSAGE)):
            return text.partition(_STACK)[0].rstrip()
    return _own_words(node)


def _own_words(node: Node) -> str:
    """The first line of its message: LangChain puts the whole stack trace into the status message."""
    return (node.span.status_message or node.get(FAILURE) or "").strip().partition("\n")[0]
