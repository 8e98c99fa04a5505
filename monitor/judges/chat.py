"""The chat completions protocol: the body of a call, and what its reply says before any verdict is read."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from monitor import judge_settings
from monitor.judges.failures import classify_error
from monitor.judges.pricing import Prices, usage_of
from monitor.judges.prompts.frame import Prompt
from monitor.judges.reasons import Failure, Reason
from monitor.judges.strict_json import Json, strict_json
from monitor.judges.transport import HttpReply
from monitor.records import Usage

_LENGTH = frozenset({"length", "max_tokens", "model_length"})
_FILTERED = frozenset({"content_filter", "safety", "sensitive", "refusal", "recitation", "prohibited_content"})
_MODEL_NAME = re.compile(r"[!-~]{1,128}")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What this server understands; learned from its refusals, remembered for the life of the judge."""

    schema: bool
    """Ask for JSON by `response_format`; else by the prompt alone."""
    limit_key: str = "max_tokens"
    """Newer models know `max_completion_tokens` only."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A finished reply. `model` is the snapshot that the server named, None when it named none."""

    text: str
    model: str | None
    usage: Usage
    usage_known: bool


def encode_call(
    config: judge_settings.LlmJudge,
    prompt: Prompt,
    name: str,
    schema: Mapping[str, object],
    dialect: Dialect,
    output_limit: int,
) -> bytes:
    """The request body: UTF-8 JSON without NaN."""
    body: dict[str, object] = {
        "model": config.model,
        "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
        "temperature": config.temperature,
        dialect.limit_key: output_limit,
        "stream": False,
    }
    if config.seed is not None:
        body["seed"] = config.seed
    if dialect.schema:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": name, "strict": True, "schema": schema},
        }
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def read_reply(reply: HttpReply, prices: Prices, now_s: float, max_wait_s: float) -> ChatReply | Failure:
    """The finished text, or why there is none. The finish reason is looked at before the text.

    `now_s` is the local clock in seconds since the Unix epoch, `max_wait_s` bounds the server's wish to wait.
    """
    body = _object(reply.body)
    if not 200 <= reply.status < 300 or _has_error(body):  # noqa: PLR2004 - success by HTTP
        return classify_error(reply, body, now_s, max_wait_s)
    if body is None:
        return Failure(Reason.PARSE, "not_json", endpoint=True)
    usage, usage_known = usage_of(body.get("usage"), prices)
    model = _model(body.get("model"))
    said = _read_choice(_first_choice(body))
    if isinstance(said, Failure):
        return dataclasses.replace(said, usage=usage, usage_known=usage_known, model=model)
    return ChatReply(said, model, usage, usage_known)


def _read_choice(choice: Mapping[str, Json] | None) -> str | Failure:
    message = None if choice is None else choice.get("message")
    if choice is None or not isinstance(message, dict):
        return Failure(Reason.PARSE, "no_choice", endpoint=True)
    finish = str(choice.get("finish_reason") or "").lower()
    if finish in _FILTERED or (isinstance(message.get("refusal"), str) and message["refusal"]):
        return Failure(Reason.REFUSED)
    if finish in _LENGTH:
        return Failure(Reason.TRUNCATED)
    if finish == "error":
        return Failure(Reason.SERVER_ERROR, "finish_error")
    text = _text(message.get("content"))
    return text if text.strip() else Failure(Reason.PARSE, "empty")


def _object(body: bytes) -> Mapping[str, Json] | None:
    """The body as one JSON object, or None. Any of JSON's encodings, with or without a byte order mark."""
    try:
        value = strict_json(body.decode(json.detect_encoding(body)).removeprefix("\ufeff"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _has_error(body: Mapping[str, Json] | None) -> bool:
    """An error under a success status; some gateways put it into the first choice."""
    if body is None:
        return False
    choice = _first_choice(body)
    return bool(body.get("error")) or (choice is not None and bool(choice.get("error")))


def _first_choice(body: Mapping[str, Json]) -> Mapping[str, Json] | None:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    return choices[0]


def _model(value: Json) -> str | None:
    return value if isinstance(value, str) and _MODEL_NAME.fullmatch(value) else None


def _text(content: Json) -> str:
    """The text of a message; some servers give a list of typed parts. Reasoning parts are no source of a verdict."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and part.get("type") in ("text", "output_text")]
    return "".join(text for part in parts if isinstance(text := part.get("text"), str))
