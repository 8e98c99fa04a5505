"""What an error reply means: from status, codes and message to one of the bounded reasons.

Providers say the same thing in many ways; what is known stands in the tables below. A server's free text is searched,
never kept: it may quote the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from monitor.judges.lessons import lesson_of
from monitor.judges.reasons import Failure, Reason
from monitor.judges.retry_after import wait_wish
from monitor.judges.strict_json import Json
from monitor.judges.transport import HttpReply
from monitor.records import Usage

_FILTER_CODES = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "data_inspection_failed",
        "datainspectionfailed",
        "moderation_blocked",
        "1301",
    }
)
_QUOTA_CODES = frozenset(
    {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_error",
        "insufficient_balance",
        "insufficient_user_quota",
        "arrearage",
        "budget_exceeded",
    }
)
_MODEL_CODES = frozenset({"model_not_found", "invalid_model", "modelnotfound", "deploymentnotfound", "unknown_model"})
_TOO_LONG_CODES = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "request_too_large"}
)
_NO_JSON_CODES = frozenset({"json_validate_failed"})
"""The server itself saw that the model's reply was no JSON (Groq): an unreadable reply, not a bad request."""
_FILTER_TEXT = re.compile(
    r"requires moderation|content management policy|flagged by (?:our |the )?moderation|content filtering policy"
    r"|ContentPolicyViolation|\b(?:input|output|prompt|response|content) (?:(?:was|is|has been) )?"
    r"(?:flagged|filtered|blocked)\b"
    r"|\bour safety system\b|\binappropriate content\b|敏感内容",
    re.IGNORECASE,
)
_QUOTA_TEXT = re.compile(
    r"insufficient (?:balance|credits?|funds|quota)|billing hard limit|credit balance is too low"
    r"|budget has been exceeded",
    re.IGNORECASE,
)
_TOO_LONG_TEXT = re.compile(
    r"maximum context length|context (?:window|length|size|limit)|prompt is too long|input is too long"
    r"|too many input tokens|`inputs` (?:tokens \+|must have less)|max_model_len"
    r"|exceeds? the model'?s? (?:maximum|context)",
    re.IGNORECASE,
)
_MODEL_TEXT = re.compile(
    r"\bmodel\b.{0,100}?\b(?:does(?: not|n't) exist|not exist|not (?:be )?found|is not a valid model)"
    r"|\b(?:invalid|unknown|no such) model\b|^model: |^no endpoints found for\b",
    re.IGNORECASE | re.DOTALL,
)
_MODEL_SAID_WITHIN = 200
"""Characters: further on a message may quote the request."""
_WORD = re.compile(r"[A-Za-z0-9_.\-]{1,48}")
_CATEGORIES = frozenset(
    {
        "hate",
        "sexual",
        "violence",
        "self_harm",
        "profanity",
        "jailbreak",
        "indirect_attack",
        "protected_material_text",
        "protected_material_code",
    }
)
_LEVELS = frozenset({"safe", "low", "medium", "high"})
_STATUS_REASONS = {
    401: Reason.AUTH,
    403: Reason.AUTH,
    408: Reason.TIMEOUT,
    409: Reason.SERVER_ERROR,
    425: Reason.SERVER_ERROR,
    429: Reason.RATE_LIMITED,
    499: Reason.SERVER_ERROR,
}
_STATUS_WORDS = tuple(
    (status, re.compile(words))
    for status, words in (
        (429, r"rate_?limit|throttl|too_?many_?requests|resource_?exhausted|^limit_|quota"),
        (
            401,
            r"api_?key|authenticat|^auth_error|unauthori[sz]ed|(?:invalid|expired)_?token|token_?(?:invalid|expired)",
        ),
        (403, r"permission|forbidden|access_?denied"),
        (404, r"not_?found"),
        (400, r"invalid_?(?:request|argument|parameter|value)|bad_?request|unsupported|validation|unknown_parameter"),
    )
)
"""The status that the words of a code stand for, where none is said; the first one that fits, as OpenAI's codes have
the type `invalid_request_error` beside them."""
_WAITS = frozenset({Reason.RATE_LIMITED, Reason.SERVER_ERROR})
_NO_SUCH_ENDPOINT = frozenset({404, 405, 410})
_NO_SUCH_MODEL = frozenset({400, 403, 404, 422})
_STATUS_KEYS = ("code", "status", "statusCode", "status_code")
PROVIDER_FILTER = "provider_filter"
"""Label of a refusal by the provider's filter."""


@dataclass(frozen=True, slots=True)
class _Error:
    """The parts of an error body that decide."""

    status: int
    codes: frozenset[str]
    message: str
    param: str
    categories: str

    @property
    def said(self) -> str:
        """Everything in it that may name a parameter."""
        return " ".join((self.param, *sorted(self.codes), self.message))


def classify_error(reply: HttpReply, body: Mapping[str, Json] | None, now_s: float, max_wait_s: float) -> Failure:
    """The failure that an error reply stands for; `body` is its JSON object, None when it has none."""
    error = _read(reply.status, body)
    reason = _reason(error)
    lesson = lesson_of(error.status, reason, error.said)
    if lesson is not None:
        reason = Reason.BAD_REQUEST
    elif reason in {Reason.BAD_REQUEST, Reason.AUTH} and _names_no_model(error):
        reason = Reason.UNKNOWN_MODEL
    text = error.message or reply.body[:4000].decode("utf-8", "replace")
    return Failure(
        reason,
        detail=_detail(error, reason),
        label=PROVIDER_FILTER if reason is Reason.REFUSED else "",
        wait_s=wait_wish(reply.headers, text, now_s, max_wait_s) if reason in _WAITS else 0.0,
        usage=Usage(calls=1),
        endpoint=lesson is None and reason is Reason.BAD_REQUEST and error.status in _NO_SUCH_ENDPOINT,
        lesson=lesson,
    )


def is_bare_error(body: Mapping[str, Json]) -> bool:
    """Whether a body that is no reply is itself an error: a message with a code (vLLM, DashScope, proxies)."""
    is_named = "error" in (body.get("object"), body.get("type"))
    return isinstance(body.get("message"), str) and (is_named or any(body.get(key) for key in _STATUS_KEYS))


def _reason(error: _Error) -> Reason:
    """Content first, account second, status last: a filter may answer 400 or 403, an empty account 402 or 429."""
    if error.codes & _FILTER_CODES or _FILTER_TEXT.search(error.message):
        return Reason.REFUSED
    if error.codes & _NO_JSON_CODES:
        return Reason.PARSE
    if error.status == 402 or error.codes & _QUOTA_CODES or _QUOTA_TEXT.search(error.message):  # noqa: PLR2004 - payment
        return Reason.QUOTA
    if _is_too_long(error):
        return Reason.TOO_LONG
    return _by_status(error.status)


def _is_too_long(error: _Error) -> bool:
    if error.status == 413 or error.codes & _TOO_LONG_CODES:  # noqa: PLR2004 - content too large
        return True
    return error.status not in {429, 401, 403} and _TOO_LONG_TEXT.search(error.message) is not None


def _names_no_model(error: _Error) -> bool:
    if error.status not in _NO_SUCH_MODEL:
        return False
    return bool(error.codes & _MODEL_CODES) or _MODEL_TEXT.search(error.message[:_MODEL_SAID_WITHIN]) is not None


def _by_status(status: int) -> Reason:
    known = _STATUS_REASONS.get(status)
    if known is not None:
        return known
    return {3: Reason.REDIRECT, 4: Reason.BAD_REQUEST}.get(status // 100, Reason.SERVER_ERROR)


def _read(status: int, body: Mapping[str, Json] | None) -> _Error:
    if body is None:
        return _Error(status, frozenset(), "", "", "")
    error = _error_object(body)
    codes = frozenset(word.lower() for word in _codes(error))
    message = next((text for key in ("message", "msg", "detail") if (text := _text(error.get(key)))), "")
    return _Error(
        status=_inner_status(status, error, codes),
        codes=codes,
        message=message[:4000],
        param=_word(error.get("param")),
        categories=_categories(error),
    )


def _text(value: Json) -> str:
    """A message, also out of the lists in which validators tell where (`loc`) and what; never what was sent."""
    match value:
        case str():
            return value
        case list():
            return " ".join(_text(item) for item in value[:20])
        case dict():
            return " ".join(_text(value.get(key)) for key in ("type", "loc", "msg", "message", "detail"))
        case _:
            return ""


def _error_object(body: Mapping[str, Json]) -> Mapping[str, Json]:
    """The error in its usual places: under `error`, in the first choice, or the body itself."""
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    for place in (body.get("error"), choice.get("error")):
        if isinstance(place, dict):
            return place
        if isinstance(place, str) and place:
            return {"message": place, "code": place}  # it may be one word
    return body


def _codes(error: Mapping[str, Json]) -> Iterator[str]:
    inner, more = error.get("innererror"), error.get("metadata")
    if isinstance(more, dict) and "flagged_input" in more:
        yield "moderation_blocked"  # OpenRouter says it by this key alone
    for place in (error, inner if isinstance(inner, dict) else {}):
        for key in ("code", "type", "status"):
            value = place.get(key)
            if isinstance(value, str | int) and not isinstance(value, bool) and _WORD.fullmatch(str(value)):
                yield str(value)


def _inner_status(status: int, error: Mapping[str, Json], codes: frozenset[str]) -> int:
    """The error's own status where the outer one says success, by number or by word; 500 when it has none."""
    if not 200 <= status < 300:  # noqa: PLR2004 - success by HTTP
        return status
    for key in _STATUS_KEYS:
        value = error.get(key)
        number = int(value) if isinstance(value, str) and re.fullmatch(r"[0-9]{3}", value) else value
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600:  # noqa: PLR2004 - errors
            return number
    return next((number for number, words in _STATUS_WORDS if any(map(words.search, codes))), 500)


def _detail(error: _Error, reason: Reason) -> str:
    words = [f"status {error.status}", *sorted(error.codes)[:4]]
    if error.param:
        words.append(f"param {error.param}")
    if reason is Reason.REFUSED and error.categories:
        words.append(f"filtered {error.categories}")
    return ", ".join(words)


def _categories(error: Mapping[str, Json]) -> str:
    """The filtered categories with their severity, such as `violence (medium)`; known words only."""
    inner = error.get("innererror")
    results = [
        place.get(key)
        for place in (error, inner if isinstance(inner, dict) else {})
        for key in ("content_filter_result", "content_filter_results")
    ]
    found = [
        f"{name} ({_level(result.get('severity'))})"
        for group in results
        if isinstance(group, dict)
        for name, result in group.items()
        if name in _CATEGORIES and isinstance(result, dict) and result.get("filtered") is True
    ]
    return ", ".join(sorted(set(found)))


def _level(value: Json) -> str:
    return value if isinstance(value, str) and value in _LEVELS else "unknown"


def _word(value: Json) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""
