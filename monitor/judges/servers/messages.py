"""Anthropic's messages API: the system text stands alone, the reply is a list of typed blocks, without logprobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from monitor.config import judges as judge_settings
from monitor.judges.reasons import Lesson
from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.dialect import Dialect, Structured
from monitor.judges.servers.providers import Provider, reasoning_fields
from monitor.judges.servers.wire import (
    Ask,
    Said,
    encoded,
    end_of,
    is_any_of,
    is_count,
    mapping_of,
    merged,
    said_and_called,
    sent_schema,
)

_REASONING_BLOCKS = frozenset({"thinking", "redacted_thinking"})
_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Messages:
    """`Server` for `/v1/messages`."""

    def __init__(self, config: judge_settings.LlmJudge, provider: Provider) -> None:
        """Raises ValueError for a reasoning budget that the provider does not take."""
        self._config = config
        self._reasoning = reasoning_fields(config, provider)

    def encode(self, ask: Ask, dialect: Dialect) -> bytes:
        """See `Server`."""
        body: dict[str, object] = {"model": self._config.model, "max_tokens": ask.output_limit, "stream": False}
        if Lesson.SYSTEM_ROLE in dialect.learned:
            user = f"{ask.prompt.system}\n\n{ask.prompt.user}"
        else:
            # the instructions are the same in every call: what stands before the mark is cached by the server
            cached = {"type": "text", "text": ask.prompt.system, "cache_control": {"type": "ephemeral"}}
            body["system"] = [cached]
            user = ask.prompt.user
        body["messages"] = [{"role": "user", "content": user}]
        if Lesson.TEMPERATURE not in dialect.learned:
            body["temperature"] = min(1.0, self._config.temperature)
        reasoning = {} if Lesson.REASONING in dialect.learned else self._reasoning
        body |= merged(merged(reasoning, _format(ask, dialect)), self._config.extra_body)
        return encoded(body)

    def read(self, body: Mapping[str, Json], *, wants_logprobs: bool) -> Said | None:
        """See `Server`. This API gives no probabilities."""
        del wants_logprobs
        content = body.get("content")
        if body.get("type") != "message" or not isinstance(content, list | str):
            return None
        listed = content if isinstance(content, list) else [content]
        blocks: list[Mapping[str, Json]] = [
            {"type": "text", "text": block} if isinstance(block, str) else mapping_of(block) for block in listed
        ]
        return Said(
            end=end_of(body.get("stop_reason") or "unexpected"),  # by this API each reply has one
            text=said_and_called("".join(_texts(blocks)), "\n".join(_inputs(blocks))),
            reasoned=any(is_any_of(block.get("type"), _REASONING_BLOCKS) for block in blocks),
            usage=self.usage(body),
        )

    def usage(self, body: Mapping[str, Json]) -> Json:
        """See `Server`."""
        return _usage(body.get("usage"))


def _format(ask: Ask, dialect: Dialect) -> Mapping[str, object]:
    schema = sent_schema(ask.schema, ranges=Lesson.RANGES not in dialect.learned)
    match dialect.structured:
        case Structured.JSON_SCHEMA:
            return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
        case Structured.TOOL:
            tool = {"name": ask.name, "description": "Give the verdict.", "input_schema": schema}
            forced = Lesson.FORCED_TOOL not in dialect.learned
            return {"tools": [tool], "tool_choice": {"type": "tool", "name": ask.name} if forced else {"type": "auto"}}
        case Structured.JSON_OBJECT | Structured.PROMPT:  # this API has no JSON mode
            return {}


def _texts(blocks: list[Mapping[str, Json]]) -> Iterator[str]:
    for block in blocks:
        if block.get("type") == "text" and isinstance(text := block.get("text"), str):
            yield text


def _inputs(blocks: list[Mapping[str, Json]]) -> Iterator[str]:
    """The input of each call: an object; a few servers give it as a text."""
    for block in blocks:
        given = block.get("input") if block.get("type") == "tool_use" else None
        if isinstance(given, dict):
            yield encoded(given).decode()
        elif isinstance(given, str):
            yield given


def _usage(usage: Json) -> Json:
    """The counts under the names of chat completions: cached tokens belong to the input, too."""
    counts = mapping_of(usage)
    asked, written, read = (counts.get(name) for name in _INPUT_COUNTS)
    if not is_count(asked):
        return {"completion_tokens": counts.get("output_tokens")}
    written, read = written if is_count(written) else 0, read if is_count(read) else 0
    return {
        "prompt_tokens": asked + written + read,
        "prompt_tokens_details": {"cached_tokens": read, "cache_write_tokens": written},
        "completion_tokens": counts.get("output_tokens"),
    }
