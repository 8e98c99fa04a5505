"""What an error reply means: from status, codes and message to one of the bounded reasons.

Providers say the same thing in many ways; what is known stands in the tables below. A server's free text is searched,
never kept: it may quote the request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from monitor.judges.reasons import Failure, Reason
from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.error_bodies import ErrorBody, read_error
from monitor.judges.servers.lessons import lesson_of
from monitor.judges.servers.retry_after import wait_wish
from monitor.judges.servers.transport import HttpReply
from monitor.records import Usage

_SAID_WITHIN = 400
"""Characters of a message that are searched for what decides: further on it may quote the request."""


def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE | re.VERBOSE)


_FILTER_CODES = _compiled(
    r"""content_?filter | content_?policy | responsible_?ai | inspection_?failed | moderation_blocked
    | sensitive_?content | \A1301\Z"""
)
_FILTER_TEXT = _compiled(
    r"""requires\ moderation | content\ management\ policy | flagged\ by\ (?:our\ |the\ )?moderation
    | content\ filtering\ policy | ContentPolicyViolation | \bour\ safety\ system\b | \binappropriate\ content\b
    | \b(?:input|output|prompt|response|content)\ (?:(?:was|is|has\ been)\ )?(?:flagged|filtered|blocked)\b
    | 敏感内容"""
)
_NO_JSON_CODES = _compiled(r"\A(?:json_validate|tool_use)_failed\Z")
"""The server itself saw that the model's reply was no JSON (Groq): an unreadable reply, not a bad request."""
_QUOTA_CODES = _compiled(
    r"""insufficient_(?:user_)?(?:quota|balance|credits?) | current_quota | billing | arrear | overdue
    | budget_?exceeded | credit_limit | spend_limit | free_?tier | \Ablocked_api_access\Z | \A1113\Z"""
)
_QUOTA_TEXT = _compiled(
    r"""insufficient\ (?:account\ )?(?:balance|credits?|funds|quota) | balance\ is\ (?:insufficient|too\ low)
    | credit\ balance\ is\ too\ low | billing\ hard\ limit | budget\ has\ been\ exceeded | ExceededBudget
    | overdue\ balance | (?:doesn't|does\ not)\ have\ any\ credits | \b(?:key|credit)\ limit\ exceeded
    | spend(?:ing)?\ limit | free\ tier\ .{0,40}\bexhausted | \baccount\b.{0,60}\bis\ suspended
    | 欠费 | 余额不足 | 额度(?:不足|已用[尽完])"""
)
_TOO_LONG_CODES = _compiled(
    r"context_length_exceeded | exceed_context_size | string_above_max_length | request_too_large"
)
_TOO_LONG_TEXT = _compiled(
    r"""maximum\ context\ length | context[ _]?(?:window|length|size|limit) | (?:prompt|input)\ is\ too\ long
    | too\ many\ input\ tokens | `inputs`\ (?:tokens\ \+|must\ have\ less) | max_model_len | max_seq_len
    | exceeds?\ the\ model'?s?\ (?:maximum|context) | exceeds?\ the\ maximum\ number\ of\ (?:input\ )?tokens
    | exceed(?:s|ed)?\ (?:the\ )?(?:model\ token\ limit|max(?:imum)?\ message\ tokens) | range\ of\ input\ length
    | too\ large\ for\ model | prompt\ ?超长 | 输入.{0,10}(?:过长|超长|超出)"""
)
_KEY_TEXT = _compiled(
    r"""api[ _-]?key\ (?:is\ |has\ )?(?:not\ valid|invalid|expired) | (?:incorrect|invalid)\ api[ _-]?key
    | invalid\ authorization"""
)
_KEY_CODES = _compiled(r"\Aorganization_restricted\Z | invalid_?api_?key")
"""What some say of a key under 400 (Google, xAI, Groq)."""
_MODEL_CODES = _compiled(
    r"""model_?(?:is_?)?not_?(?:found|exists?|open|supported|available) | (?:invalid|unknown)_?model
    | deployment_?not_?found | endpoint_not_found | endpointormodel | model_decommissioned | model[._]?access_?denied
    | model_terms_required | model_permission_blocked"""
)
_MODEL_TEXT = _compiled(
    r"""\bmodels?\b.{0,100}?\b(?:does(?:\ not|n't)\ exist|not\ exist|not\ (?:be\ )?found|is\ not\ a\ valid\ model)
    | \b(?:invalid|unknown|no\ such|not\ found\ the)\ model\b | \Amodel:\  | \Ano\ endpoints\ found\b
    | \bno\ allowed\ providers\b | \bmodel\ \S{1,80}\ is\ not\ supported\b | \bmodel\ not\ supported\b
    | \bnot\ a\ chat\ model\b | \bmodel\ is\ only\ supported\ in\b | \bmodel\ identifier\ is\ invalid\b
    | \b(?:access\ to|(?:allowed|unable)\ to\ access)\ (?:the\ )?model\b
    | \bnot\ activated\ the\ model\b | \bwith\ the\ specified\ model\b
    | \AInvocation\ of\ model\b | \bllm\ provider\ not\ provided\b | \bgiven\ endpoint\ does\ not\ exist\b
    | 模型不存在"""
)
_MODEL_SAID_WITHIN = 200
_WAITS = frozenset({Reason.RATE_LIMITED, Reason.SERVER_ERROR})
_NO_SUCH_ENDPOINT = frozenset({404, 405, 410})
_NO_SUCH_MODEL = frozenset({400, 403, 404, 422})
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
PROVIDER_FILTER = "provider_filter"
"""Label of a refusal by the provider's filter."""


def classify_error(reply: HttpReply, body: Mapping[str, Json] | None, now_s: float, max_wait_s: float) -> Failure:
    """The failure that an error reply stands for; `body` is its JSON object, None when it has none."""
    error = read_error(reply.status, body)
    reason = _reason(error)
    lesson = lesson_of(error.status, reason, error.said)
    if lesson is not None:
        reason = Reason.BAD_REQUEST
    elif reason in {Reason.BAD_REQUEST, Reason.AUTH} and _names_no_model(error):
        reason = Reason.UNKNOWN_MODEL
    elif reason is Reason.BAD_REQUEST and _says(error, _KEY_CODES, _KEY_TEXT):
        reason = Reason.AUTH
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


def _reason(error: ErrorBody) -> Reason:
    """Content first, account second, status last: a filter may answer 400 or 403, an empty account 402 or 429."""
    if _says(error, _FILTER_CODES, _FILTER_TEXT):
        return Reason.REFUSED
    if any(map(_NO_JSON_CODES.search, error.codes)):
        return Reason.PARSE
    if error.status == 402 or _says(error, _QUOTA_CODES, _QUOTA_TEXT):  # noqa: PLR2004 - payment
        return Reason.QUOTA
    if _is_too_long(error):
        return Reason.TOO_LONG
    return _by_status(error.status)


def _says(error: ErrorBody, codes: re.Pattern[str], text: re.Pattern[str]) -> bool:
    return any(map(codes.search, error.codes)) or text.search(error.message[:_SAID_WITHIN]) is not None


def _is_too_long(error: ErrorBody) -> bool:
    if error.status == 413 or any(map(_TOO_LONG_CODES.search, error.codes)):  # noqa: PLR2004 - content too large
        return True
    return error.status not in {429, 401, 403} and _TOO_LONG_TEXT.search(error.message) is not None


def _names_no_model(error: ErrorBody) -> bool:
    if any(map(_MODEL_CODES.search, error.codes)):
        return True
    return error.status in _NO_SUCH_MODEL and _MODEL_TEXT.search(error.message[:_MODEL_SAID_WITHIN]) is not None


def _by_status(status: int) -> Reason:
    known = _STATUS_REASONS.get(status)
    if known is not None:
        return known
    return {3: Reason.REDIRECT, 4: Reason.BAD_REQUEST}.get(status // 100, Reason.SERVER_ERROR)


def _detail(error: ErrorBody, reason: Reason) -> str:
    words = [f"status {error.status}", *sorted(error.codes)[:4]]
    if error.param:
        words.append(f"param {error.param}")
    if reason is Reason.REFUSED and (categories := _categories(error)):
        words.append(f"filtered {categories}")
    return ", ".join(words)


def _categories(error: ErrorBody) -> str:
    """The filtered categories with their severity, such as `violence (medium)`; known words only."""
    found = {
        f"{name} ({_level(result.get('severity'))})"
        for group in error.filter_results
        for name, result in group.items()
        if name in _CATEGORIES and isinstance(result, dict) and result.get("filtered") is True
    }
    return ", ".join(sorted(found))


def _level(value: Json) -> str:
    return value if isinstance(value, str) and value in _LEVELS else "unknown"
