"""From the spans of one trace to its requests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from monitor.config.settings import Assembly
from monitor.feedback import Feedback
from monitor.records import RagTrace
from monitor.traces import semconv
from monitor.traces.asking import Known
from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.damage import find_hidden
from monitor.traces.feedback import find_feedback, is_carrier, share_out
from monitor.traces.reading import Convention, Role
from monitor.traces.record import RequestReader
from monitor.traces.requests import find_requests
from monitor.traces.tracestate import sampling_state
from monitor.traces.tree import Forest, Node, grow
from monitor.wire import Assembled, CloseReason, Span

NO_REQUEST = "no_request"
PLAIN_CHAT = "plain_chat"
HIDDEN_CONTENT = "hidden_content"
NO_PROMPT = "no_prompt"
INGESTION = "ingestion"
OWN_SERVICE = "own_service"
EVALUATOR = "evaluator"
FEEDBACK = "feedback"
REASONS = (NO_REQUEST, PLAIN_CHAT, HIDDEN_CONTENT, NO_PROMPT, INGESTION, OWN_SERVICE, EVALUATOR, FEEDBACK)
"""Why a trace gives no request: the words of the stage `extract` in `monitor/accounting.py`."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one trace held.

    A trace gives at least one request, or it is dropped for exactly one reason: then `dropped` holds that reason with
    the count 1 (a word of REASONS). `feedback` speaks of other traces, or of no single request of this one; feedback on
    a request stands in the request.
    """

    requests: tuple[RagTrace, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A trace as it was read: its spans in place, the requests that were found, and those that count."""

    forest: Forest
    hidden: bool
    readers: tuple[RequestReader, ...]
    kept: tuple[RequestReader, ...]
    extracted: Extracted


class Extractor:
    """Turns assembled traces into requests. Pure: the order of the spans changes nothing; never raises for content.

    `conventions` are tried in their order: mappings of the user stand in front.
    """

    def __init__(
        self, settings: Assembly, own_services: Collection[str], conventions: Sequence[Convention] = CONVENTIONS
    ) -> None:
        self._plain_chat = settings.plain_chat
        self._own_services = frozenset(own_services)
        self._known = Known(conventions)

    def extract(self, assembled: Assembled) -> Extracted:
        """The requests of a trace, in time order, and the feedback that it carries for others.

        A trace that was evicted before its entry span came lacks spans: its requests are marked as truncated.
        """
        extracted = self.read(assembled).extracted
        if assembled.reason is CloseReason.EVICTED and _lacks_parents(assembled.spans):
            return replace(extracted, requests=tuple([replace(one, truncated=True) for one in extracted.requests]))
        return extracted

    def read(self, assembled: Assembled) -> Reading:
        """As `extract`, with all that led to it.

        Our own spans and those of evaluators go first, with all below them: there stand the judge's own model calls,
        maybe in another service, and judging those would never end.
        """
        forest = grow(assembled.spans, self._is_foreign, self._known)
        if forest.cut and not forest.roots:
            reason = OWN_SERVICE if any(map(self._is_own, forest.cut)) else EVALUATOR
            return Reading(forest, False, (), (), Extracted(dropped={reason: 1}))  # noqa: FBT003 - nothing is left to hide
        nodes = forest.nodes
        hidden = next(find_hidden(nodes), None) is not None
        state = sampling_state([state for node in nodes if (state := node.span.trace_state)])
        found = [request for request in find_requests(forest.roots) if not is_carrier(request.entry)]
        readers = tuple([RequestReader(request, state, hidden=hidden) for request in found])
        kept = tuple([one for one in readers if one.is_rag or (self._plain_chat and one.is_chat)])
        records = [reader.record(assembled.trace_id) for reader in kept]
        said = find_feedback(nodes, assembled.trace_id, hidden=hidden)
        requests, loose = share_out(said, [reader.request for reader in kept], records)
        if requests:
            return Reading(forest, hidden, readers, kept, Extracted(requests, loose))
        reason = _why_none(nodes, readers, hidden=hidden)
        # spans that show nothing but feedback are a late part of the trace of an earlier request
        late = reason == NO_REQUEST
        carried = tuple(feedback for feedback in loose if late or feedback.carrier_trace_id is not None)
        reason = FEEDBACK if carried else reason
        return Reading(forest, hidden, readers, kept, Extracted(feedback=carried, dropped={reason: 1}))

    def _is_foreign(self, node: Node) -> bool:
        if self._is_own(node):
            return True
        return node.role is Role.EVALUATOR and not _scores_itself(node) and not is_carrier(node)

    def _is_own(self, node: Node) -> bool:
        service = node.span.resource.get(semconv.SERVICE_NAME)
        return isinstance(service, str) and service in self._own_services


def _lacks_parents(spans: Collection[Span]) -> bool:
    ids = {span.span_id for span in spans}
    parents = {span.parent_id for span in spans if span.parent_id and not span.flags & semconv.PARENT_REMOTE}
    return not parents <= ids


def _why_none(nodes: Sequence[Node], readers: Sequence[RequestReader], *, hidden: bool) -> str:
    """Why a trace without feedback and without foreign spans only gives no request.

    A model call whose prompt nobody can see is no plain chat: there may have been a context in it.
    """
    chats = [reader for reader in readers if reader.is_chat]
    if chats and hidden:
        return HIDDEN_CONTENT
    if chats and all(reader.grades for reader in chats):
        return EVALUATOR
    if chats:
        return PLAIN_CHAT if all(reader.calls.asked for reader in chats) else NO_PROMPT
    return INGESTION if any(node.role is Role.STEP for node in nodes) else NO_REQUEST


def _scores_itself(node: Node) -> bool:
    """Whether a span above a whole request only carries its score: no evaluator, though it shows nothing else."""
    declared = semconv.OI_KIND in node.span.attributes or semconv.OPERATION in node.span.attributes
    declared = declared or any(one.matches is not None and one.name == node.convention for one in node.conventions)
    return not declared and Role.RETRIEVER in node.roles
