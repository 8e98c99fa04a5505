"""What a reply says before any verdict is read: an error, an end that is none, or a finished text."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping

from monitor.judges.reasons import EMPTY, REASONING_BUDGET, TOO_MUCH, Failure, Reason
from monitor.judges.replies.strict_json import Json, strict_json
from monitor.judges.replies.thoughts import spoken
from monitor.judges.servers.error_bodies import has_error, is_bare_error
from monitor.judges.servers.failures import classify_error
from monitor.judges.servers.pricing import Bounds, Tariff
from monitor.judges.servers.prompt_cut import is_cut
from monitor.judges.servers.refusing import refuses_in_words
from monitor.judges.servers.transport import HttpReply
from monitor.judges.servers.wire import (
    Ask,
    ChatReply,
    End,
    Said,
    Server,
    is_count,
    mapping_of,
    snapshot_of,
)

_CHARSET = re.compile(
    r"""\bcharset\s*=\s*["']?((?:iso-?8859|latin|us-ascii|windows|cp|gb|big5|shift|s?jis|euc|koi8|utf)[\w.:-]{0,24})""",
    re.IGNORECASE,
)
"""A declared encoding of texts; Python knows others under such names, that do more than decode."""
_CHARACTERS_PER_TOKEN, _ANY_LIMIT = 16, 10_000
"""Three times what a token has at most on average: a longer text is not within the limit that was asked for, whatever
else it is, and to read it would take its time."""
_EVENT = re.compile(rb"\s*(?:data|event):|:")


def read_reply(
    server: Server, reply: HttpReply, ask: Ask, tariff: Tariff, now_s: float, max_wait_s: float
) -> ChatReply | Failure:
    """The finished text, or why there is none. The finish reason is looked at before the text.

    `ask` is what was sent, with the limit that the call had; `now_s` is the local clock in seconds since the Unix
    epoch; `max_wait_s` bounds the server's wish to wait.
    """
    body = _object(reply)
    model = snapshot_of(body.get("model")) if body else None
    bounds = Bounds.of(4 * (len(ask.prompt.system) + len(ask.prompt.user)), ask.output_limit)

    def failed() -> Failure:
        failure = classify_error(reply, body, now_s, max_wait_s)
        counts = _some_counts(server.usage(body)) if body else None
        if counts is None:
            return failure
        usage, usage_known = tariff.usage_of(counts, model, bounds)
        return dataclasses.replace(failure, usage=usage, usage_known=usage_known, model=model)

    if not 200 <= reply.status < 300 or (body and has_error(body)):  # noqa: PLR2004 - success by HTTP
        return failed()
    if body is None:
        return Failure(Reason.PARSE, "stream" if _is_stream(reply) else "not_json", endpoint=True, usage_known=False)
    said = server.read(body, wants_logprobs=ask.wants_logprobs)
    if said is None and is_bare_error(body):
        return failed()
    if said is None:
        usage, usage_known = tariff.usage_of(server.usage(body), model, bounds)
        return Failure(Reason.PARSE, "no_choice", usage=usage, usage_known=usage_known, endpoint=True)
    usage, usage_known = tariff.usage_of(said.usage, model, bounds)
    reason, detail = _end(said, ask)
    if reason is not None:
        return Failure(reason, detail, usage=usage, usage_known=usage_known, model=model)
    counted = usage_known and usage.output_tokens > 0  # a text has some
    return ChatReply(said.text, model, usage, counted, said.tokens)


def _some_counts(usage: Json) -> dict[str, Json] | None:
    """The token counts of an error, which mostly has none as it costs nothing; a reply that it lacks has no tokens."""
    counts = {name: count for name, count in mapping_of(usage).items() if not name.endswith("_tokens") or count}
    is_charged = any(counts.get(f"{name}_tokens") for name in ("prompt", "completion"))
    return {"completion_tokens": 0} | counts if is_charged else None


def _end(said: Said, ask: Ask) -> tuple[Reason | None, str]:
    """Why a success is none, with its detail; no reason for a finished text."""
    mute = not spoken(said.text).strip()
    reasoned = mute and (said.reasoned or bool(said.text.strip()))
    used_up = REASONING_BUDGET if reasoned else ""
    is_used_up = _count(said, "completion_tokens") >= ask.output_limit
    match said.end:
        case End.REFUSED:
            return Reason.REFUSED, ""
        case End.BROKEN:
            return Reason.SERVER_ERROR, "finish_error"
        case End.CONTEXT:
            return Reason.TOO_LONG, "context_full"
        case End.LENGTH:
            return Reason.TRUNCATED, used_up
        case End.DONE | End.UNSAID if (reasoned or said.end is End.UNSAID) and is_used_up:
            return Reason.TRUNCATED, used_up  # some servers call a used up limit a normal end, or say nothing of it
        case End.DONE | End.UNSAID:
            return _finished(said, ask, "only_reasoning" if reasoned else EMPTY if mute else "")


def _finished(said: Said, ask: Ask, lacks: str) -> tuple[Reason | None, str]:
    """`lacks` is what the reply is without a text, empty for one that has it."""
    if is_cut(ask.prompt, _count(said, "prompt_tokens")):
        return Reason.TOO_LONG, "prompt_cut"
    text = spoken(said.text)
    if len(text) > max(_ANY_LIMIT, _CHARACTERS_PER_TOKEN * ask.output_limit):
        return Reason.PARSE, TOO_MUCH
    if not lacks and refuses_in_words(text):
        return Reason.REFUSED, ""
    return Reason.PARSE if lacks else None, lacks


def _count(said: Said, name: str) -> int:
    """A count of the usage, 0 when there is none."""
    count = mapping_of(said.usage).get(name)
    return count if is_count(count) else 0


def _object(reply: HttpReply) -> Mapping[str, Json] | None:
    """The body as one JSON object, or None.

    A number that JSON does not have is null: servers write `-Infinity` as a log probability, and no number of the
    body is a score. Google wraps an error into a list of one.
    """
    try:
        value = strict_json(_text(reply).removeprefix("\ufeff"), odd_numbers=True)
    except ValueError:
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) else None


def _text(reply: HttpReply) -> str:
    """The body in any of JSON's encodings, else in the declared one: many declare one and write UTF-8.

    Raises ValueError.
    """
    try:
        return reply.body.decode(json.detect_encoding(reply.body))
    except UnicodeDecodeError:
        declared = _CHARSET.search(reply.headers.get("content-type", ""))
        if declared is None:
            raise
        try:
            return reply.body.decode(declared[1])
        except LookupError:
            raise ValueError from None


def _is_stream(reply: HttpReply) -> bool:
    """Whether it is server-sent events, which nobody asked for."""
    return "text/event-stream" in reply.headers.get("content-type", "").lower() or bool(_EVENT.match(reply.body))
