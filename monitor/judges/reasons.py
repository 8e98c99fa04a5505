"""Why an LLM judge gave no score: the closed set of reasons, and what each one means for the next call."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from monitor.records import Usage


class Reason(enum.StrEnum):
    """Bounded words of `judge_error{reason}`, `skipped{reason}` and `not_scorable{reason}`."""

    TIMEOUT = "timeout"
    """No reply within the connect, read or total timeout."""
    CONNECT = "connect"
    """No connection (refused, broken in the handshake), or it broke before the reply was whole."""
    DNS = "dns"
    """The name of the endpoint is not known."""
    TLS = "tls"
    """No agreement on TLS: mostly the certificate of the endpoint is not to be trusted."""
    RATE_LIMITED = "rate_limited"
    """429; also `skipped` when the server, or a limit of ours, lets no call be made before the deadline."""
    OVER_BUDGET = "over_budget"
    """`skipped`: one more call would pass a limit of money of ours."""
    QUOTA = "quota"
    """The account has no credit left."""
    SERVER_ERROR = "server_error"
    """5xx, or an error body under a status of 200."""
    REFUSED = "refused"
    """The provider's filter or the model itself refused; says nothing about the judged text."""
    TOO_LONG = "too_long"
    """The input does not fit: our own limit, or the model's context."""
    TRUNCATED = "truncated"
    """The reply hit the output limit, also after one retry with a larger one."""
    PARSE = "parse"
    """The reply is not the verdict that was asked for, or not a single one."""
    INVALID_SCORE = "invalid_score"
    """The verdict holds a number that JSON does not have, such as NaN, or one that no verdict has."""
    AUTH = "auth"
    """401 or 403."""
    UNKNOWN_MODEL = "unknown_model"
    """The server does not know the model, or not for this account."""
    BAD_REQUEST = "bad_request"
    """Any other 4xx."""
    TOO_LARGE = "too_large"
    """The reply is larger than `max_reply_bytes`, also after decompression."""
    REDIRECT = "redirect"
    """The server wanted to send us elsewhere; not followed."""
    FORBIDDEN_ADDRESS = "forbidden_address"
    """The endpoint's name leads to an address that the settings do not allow."""
    DEADLINE = "deadline"
    """The request's own deadline came first; `skipped` when the judge was not asked at all."""
    CIRCUIT_OPEN = "circuit_open"
    """`skipped`: the judge failed just before, too often or in a way that a person must mend."""
    SELF_JUDGED = "self_judged"
    """`skipped`: the answer is of a model of the judge's own family, and `self_judging` is `refuse`."""
    NO_CLAIMS = "no_claims"
    """The judge found nothing to check: `not_scorable` for a short answer, else `judge_error`."""


class Lesson(enum.StrEnum):
    """What a reply says about the next request; each is learned once."""

    STRUCTURED = "structured"
    """Ask for JSON in the next weaker way: this one is refused, or ignored."""
    RANGES = "ranges"
    """Leave ranges out of the schema."""
    FORCED_TOOL = "forced_tool"
    """Offer the function instead of forcing its call."""
    OUTPUT_LIMIT = "output_limit"
    """The limit of the reply goes by its newer name."""
    TEMPERATURE = "temperature"
    """Send no temperature."""
    SEED = "seed"
    """Send no seed."""
    LOGPROBS = "logprobs"
    """Ask for fewer alternatives of each token, or for none."""
    SYSTEM_ROLE = "system_role"
    """Say the instructions in the user's message."""
    REASONING = "reasoning"
    """Say nothing about reasoning."""


RETRYABLE = frozenset({Reason.TIMEOUT, Reason.CONNECT, Reason.RATE_LIMITED, Reason.SERVER_ERROR})
"""The same call may succeed a moment later."""

OVERLOAD = RETRYABLE
"""Signs of too much load: the concurrency limit falls."""

PERMANENT = frozenset({Reason.QUOTA, Reason.AUTH, Reason.UNKNOWN_MODEL, Reason.DNS, Reason.TLS})
"""A person must act, mostly: the circuit opens at once, and is tried at growing intervals."""

ENDPOINT = (
    RETRYABLE
    | PERMANENT
    | {
        Reason.REDIRECT,
        Reason.TOO_LARGE,
        Reason.FORBIDDEN_ADDRESS,
    }
)
"""Failures of the endpoint, not of one request: they count towards an open circuit. Unreadable, refused and truncated
replies do not (the judge is alive), nor does a cut by our own deadline."""

REASONING_BUDGET = "reasoning_budget"
"""Detail of `truncated`: the whole output limit went into reasoning."""

EMPTY = "empty"
"""Detail of `parse`: there is no text in the reply."""

TOO_MUCH = "too_much_text"
"""Detail of `parse`: there is more text than the limit that was asked for can hold."""

_ONE_CALL = Usage(calls=1)


@dataclass(frozen=True, slots=True)
class Failure:
    """A call without a usable reply.

    `asked` is False when no call was made. `wait_s` is the server's own wish before the next call, 0 without one.
    `detail` holds bounded words only (codes, parameter names), never a server's free text: that may quote the request.
    """

    reason: Reason
    detail: str = ""
    label: str = ""
    asked: bool = True
    wait_s: float = 0.0
    usage: Usage = _ONE_CALL
    endpoint: bool = False
    """Counts towards the open circuit whatever the reason (HTML instead of JSON, unknown path)."""
    model: str | None = None
    """Snapshot that the server named, when it named one."""
    usage_known: bool = True
    lesson: Lesson | None = None
    """What the same request should leave out or say otherwise, when that is what the server says."""

    @property
    def counts(self) -> bool:
        """Whether the failure speaks against the endpoint."""
        return self.endpoint or self.reason in ENDPOINT
