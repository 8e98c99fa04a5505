"""Contents that a library writes into its log: a log record of text that names its span, read as an event of the span.

Spring AI since 1.0 does so where it is told to (`spring.ai.chat.observations.log-prompt`, `log-completion`, the same of
`spring.ai.chat.client.observations`, and `spring.ai.vectorstore.observations.log-query-response`): a line that says
what follows, then the texts in brackets. A logging bridge for OpenTelemetry sends it with the ids of the observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from monitor.traces import semconv
from monitor.wire import AttributeValue, SpanEvent

CLIENT_PROMPT: Final = "spring.ai.chat.client.prompt"
CLIENT_COMPLETION: Final = "spring.ai.chat.client.completion"
FOUND_EVENT: Final = "db.vector.content.query.response"
FOUND: Final = "db.vector.query.response.documents"


class _Place(NamedTuple):
    """The event, and its attribute, that hold what follows a line."""

    event: str
    key: str


_LINES: Mapping[str, _Place] = {
    "Chat Model Prompt Content:": _Place(semconv.PROMPT_EVENT, semconv.WHOLE_PROMPT),
    "Chat Model Completion:": _Place(semconv.COMPLETION_EVENT, semconv.WHOLE_COMPLETION),
    "Chat Client Prompt Content:": _Place(CLIENT_PROMPT, semconv.WHOLE_PROMPT),
    "Chat Client Completion:": _Place(CLIENT_COMPLETION, semconv.WHOLE_COMPLETION),
    "Vector Store Query Response:": _Place(FOUND_EVENT, FOUND),
}


def event_in(body: AttributeValue, time_ns: int) -> SpanEvent | None:
    """The event that the body of a log record stands for; None for any other text.

    A layout may have put time, level and logger before the line.
    """
    if not isinstance(body, str):
        return None
    line, _, content = body.partition("\n")
    line = line.rstrip()
    place = next((place for said, place in _LINES.items() if line.endswith(said)), None)
    return None if place is None else SpanEvent(place.event, time_ns, {place.key: content.strip()})
