"""Where an error stands in the body of a reply: its codes, its message and its own status, from whatever API.

Errors come under `error`, in the first choice, as the body itself, in MiniMax's `base_resp`, and as a text inside
another error (gateways). Nothing of a server's free text is kept beyond the classification.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from monitor.judges.replies.strict_json import Json, strict_object
from monitor.judges.servers.wire import list_of, mapping_of

_WORD = re.compile(r"[A-Za-z0-9_.\-]{1,48}")
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
_NO_SUCH_PATH = re.compile(r"unexpected endpoint|no route\b", re.IGNORECASE)
"""What is said under a success for a path that is none (LM Studio, Cloudflare)."""
_STATUS_KEYS = ("code", "status", "statusCode", "status_code")
_CODE_KEYS = ("code", "type", "status", "error_code")
_MESSAGE_KEYS = ("message", "msg", "detail", "error_msg", "status_msg")
_MINIMAX = {
    **dict.fromkeys((1002, 1039, 1041, 2045), 429),
    **dict.fromkeys((1004, 2049), 401),
    **dict.fromkeys((1008, 1028, 1030, 2056), 402),
    **dict.fromkeys((1042, 2013), 400),
    1001: 408,
}
"""The statuses of MiniMax's numbers, which other providers use for other things; any other one is 500."""
_MINIMAX_WORDS = {1026: "content_filter", 1027: "content_filter", 2061: "model_not_available"}


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The parts of an error body that decide. `codes` are lower-case words."""

    status: int
    codes: frozenset[str]
    message: str
    param: str
    filter_results: tuple[Mapping[str, Json], ...]
    """Azure's results of each category."""

    @property
    def said(self) -> str:
        """Everything in it that may name a parameter."""
        return " ".join((self.param, *sorted(self.codes), self.message))


def has_error(body: Mapping[str, Json]) -> bool:
    """Whether a body under a success status says that it is an error."""
    return bool(body.get("error")) or next(_elsewhere(body), None) is not None


def is_bare_error(body: Mapping[str, Json]) -> bool:
    """Whether a body that is no reply is itself an error: a message with a code (vLLM, DashScope, proxies)."""
    is_named = "error" in (body.get("object"), body.get("type"))
    has_code = any(body.get(key) for key in (*_STATUS_KEYS, "error_code"))
    return any(isinstance(body.get(key), str) for key in ("message", "error_msg")) and (is_named or has_code)


def read_error(status: int, body: Mapping[str, Json] | None) -> ErrorBody:
    """The error in a body; `body` is None where there is no JSON object."""
    if body is None:
        return ErrorBody(status, frozenset(), "", "", ())
    error = _error_object(body)
    errors = [error, *_inside(error)]
    codes = frozenset(word.lower() for one in errors for word in _codes(one))
    message = " ".join(filter(None, map(_message, errors)))[:4000]
    return ErrorBody(
        status=_inner_status(status, error, codes, message),
        codes=codes,
        message=message,
        param=_word(error.get("param")),
        filter_results=tuple(
            result
            for place in errors
            for key in ("content_filter_result", "content_filter_results")
            if isinstance(result := place.get(key), dict)
        ),
    )


def _elsewhere(body: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Errors in places of their own, beside what may look like a reply."""
    choices = list_of(body.get("choices"))
    yield from (_as_object(error) for choice in choices if (error := mapping_of(choice).get("error")))
    minimax = mapping_of(body.get("base_resp"))
    if (code := minimax.get("status_code")) and isinstance(code, int):
        word = _MINIMAX_WORDS.get(code, "")
        yield {"status": 400 if word else _MINIMAX.get(code, 500), "code": word, "message": minimax.get("status_msg")}
    errors = list_of(body.get("errors"))
    if errors and body.get("success") is False:
        yield _as_object(errors[0])


def _error_object(body: Mapping[str, Json]) -> Mapping[str, Json]:
    """The error in its usual places, or the body itself."""
    error = body.get("error")
    if isinstance(error, dict) or (isinstance(error, str) and error):
        return _as_object(error)
    return next(_elsewhere(body), body)


def _as_object(error: Json) -> Mapping[str, Json]:
    """An error that is a text may be one word."""
    return {"message": error, "code": error} if isinstance(error, str) else mapping_of(error)


def _inside(error: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """The errors that an error says it is made of: Azure's inner one, and what a provider told OpenRouter."""
    yield mapping_of(error.get("innererror"))
    raw = mapping_of(error.get("metadata")).get("raw")
    if isinstance(raw, str):
        try:
            yield _error_object(strict_object(raw) or {})
        except ValueError:
            return


def _message(error: Mapping[str, Json]) -> str:
    return next((text for key in _MESSAGE_KEYS if (text := _text(error.get(key)))), "")


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


def _codes(error: Mapping[str, Json]) -> Iterator[str]:
    if "flagged_input" in mapping_of(error.get("metadata")):
        yield "moderation_blocked"  # OpenRouter says it by this key alone
    for key in _CODE_KEYS:
        value = error.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and _WORD.fullmatch(str(value)):
            yield str(value)


def _inner_status(status: int, error: Mapping[str, Json], codes: frozenset[str], message: str) -> int:
    """The error's own status where the outer one says success, by number or by word; 500 when it has none."""
    if not 200 <= status < 300:  # noqa: PLR2004 - success by HTTP
        return status
    for key in _STATUS_KEYS:
        value = error.get(key)
        number = int(value) if isinstance(value, str) and re.fullmatch(r"[0-9]{3}", value) else value
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600:  # noqa: PLR2004 - errors
            return number
    if _NO_SUCH_PATH.search(message[:200]):
        return 404
    return next((number for number, words in _STATUS_WORDS if any(map(words.search, codes))), 500)


def _word(value: Json) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""
