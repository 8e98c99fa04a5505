"""OpenAI's chat completions, the API that most servers speak."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from monitor.config import judges as judge_settings
from monitor.judges.reasons import Lesson
from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.dialect import Dialect, Structured
from monitor.judges.servers.logprobs import tokens_of
from monitor.judges.servers.providers import Provider, reasoning_fields
from monitor.judges.servers.wire import (
    Ask,
    End,
    Said,
    encoded,
    end_of,
    is_any_of,
    is_count,
    list_of,
    mapping_of,
    merged,
    said_and_called,
    sent_schema,
)

_REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking")
_TEXT_PARTS = frozenset({"text", "output_text"})
_REASONING_PARTS = frozenset({"thinking", "reasoning", "reasoning_text", "redacted_thinking"})


class ChatCompletions:
    """`Server` for `/chat/completions`."""

    def __init__(self, config: judge_settings.LlmJudge, provider: Provider) -> None:
        """Raises ValueError for a reasoning budget that the provider does not take."""
        self._config = config
        self._provider = provider
        self._reasoning = reasoning_fields(config, provider)

    def encode(self, ask: Ask, dialect: Dialect) -> bytes:
        """See `Server`."""
        limit = "max_completion_tokens" if Lesson.OUTPUT_LIMIT in dialect.learned else "max_tokens"
        body: dict[str, object] = {"model": self._config.model, "messages": _messages(ask, dialect), "stream": False}
        body[limit] = ask.output_limit
        if Lesson.TEMPERATURE not in dialect.learned:
            body["temperature"] = self._config.temperature
        if self._provider.seed and self._config.seed is not None and Lesson.SEED not in dialect.learned:
            body[self._provider.seed] = self._config.seed
        if ask.wants_logprobs and dialect.alternatives:
            body |= {"logprobs": True, "top_logprobs": dialect.alternatives}
        if Lesson.REASONING not in dialect.learned:
            body |= self._reasoning
        return encoded(merged(body | self._format(ask, dialect), self._config.extra_body))

    def _format(self, ask: Ask, dialect: Dialect) -> dict[str, object]:
        schema = sent_schema(ask.schema, ranges=Lesson.RANGES not in dialect.learned)
        match dialect.structured:
            case Structured.JSON_SCHEMA if self._provider.schema == "value":
                return {"response_format": {"type": "json_object", "value": schema}}
            case Structured.JSON_SCHEMA:
                named = {"name": ask.name, "strict": True, "schema": schema}
                return {"response_format": {"type": "json_schema", "json_schema": named}}
            case Structured.JSON_OBJECT:
                return {"response_format": {"type": "json_object"}}
            case Structured.TOOL:
                function = {"name": ask.name, "description": "Give the verdict.", "parameters": schema}
                forced = {"type": "function", "function": {"name": ask.name}}
                choice = "auto" if Lesson.FORCED_TOOL in dialect.learned else forced
                return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
            case Structured.PROMPT:
                return {}

    def read(self, body: Mapping[str, Json], *, wants_logprobs: bool) -> Said | None:
        """See `Server`."""
        choices = list_of(body.get("choices"))
        choice = mapping_of(choices[0]) if choices else {}
        message = mapping_of(choice.get("message"))
        end = self._end(choices)
        if end in {End.DONE, End.UNSAID} and not isinstance(choice.get("message"), dict):
            return None  # one that was filtered, or cut before it began, may have none
        text = _texts(choices)
        return Said(
            end=End.REFUSED if end in {End.DONE, End.UNSAID} and not text and _is_filtered(choice) else end,
            text=text,
            reasoned=_reasoned(message) or _reasoning_tokens(body.get("usage")) > 0,
            usage=self.usage(body),
            tokens=tokens_of(choice.get("logprobs"), text) if wants_logprobs else (),
        )

    def _end(self, choices: list[Json]) -> End:
        """Why the model stopped. Of several choices, which nobody asked for, each has to be finished."""
        words: list[Json] = []
        for choice in map(mapping_of, choices):
            refusal = _refusal(mapping_of(choice.get("message")))
            words += [refusal, choice.get("finish_reason"), choice.get("native_finish_reason")]
        end = end_of(*words)
        return End.BROKEN if end is End.UNSAID and self._provider.says_its_end else end

    def usage(self, body: Mapping[str, Json]) -> Json:
        """See `Server`."""
        return _whole_usage(body.get("usage"))


def _refusal(message: Mapping[str, Json]) -> str | None:
    """The word for a refusal in a place of its own."""
    parts = (mapping_of(part) for part in list_of(message.get("content")))
    is_there = bool(message.get("refusal")) or any(part.get("type") == "refusal" for part in parts)
    return "refusal" if is_there else None


def _is_filtered(choice: Mapping[str, Json]) -> bool:
    """Whether a filter says of a reply that it took it away (Azure, by category)."""
    results = mapping_of(choice.get("content_filter_results")).values()
    return any(mapping_of(result).get("filtered") is True for result in results)


def _messages(ask: Ask, dialect: Dialect) -> list[Mapping[str, str]]:
    system, user = ask.prompt.system, ask.prompt.user
    if Lesson.SYSTEM_ROLE in dialect.learned:
        return [{"role": "user", "content": f"{system}\n\n{user}"}]
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _texts(choices: list[Json]) -> str:
    """The text of the choice; of several, which nobody asked for, all that differ: the parser takes no side."""
    messages = (mapping_of(mapping_of(choice).get("message")) for choice in choices)
    return "\n".join(dict.fromkeys(filter(None, map(_text, messages))))


def _text(message: Mapping[str, Json]) -> str:
    return said_and_called(_content(message.get("content")), "\n".join(_arguments(message)))


def _content(content: Json) -> str:
    """The text of a message; some servers give a list of typed parts. Reasoning parts are no source of a verdict."""
    parts = content if isinstance(content, list) else [content]
    return "".join(map(_part, parts))


def _part(part: Json) -> str:
    if isinstance(part, str):
        return part
    typed = mapping_of(part)
    text = typed.get("text") if is_any_of(typed.get("type"), _TEXT_PARTS) else None
    return text if isinstance(text, str) else ""


def _arguments(message: Mapping[str, Json]) -> Iterator[str]:
    """The arguments of each call: a text that holds JSON; a few servers give the object itself."""
    calls = [mapping_of(call).get("function") for call in list_of(message.get("tool_calls"))]
    for call in (*calls, message.get("function_call")):
        arguments = mapping_of(call).get("arguments")
        if isinstance(arguments, str):
            yield arguments
        elif isinstance(arguments, dict):
            yield encoded(arguments).decode()


def _reasoned(message: Mapping[str, Json]) -> bool:
    parts = (mapping_of(part) for part in list_of(message.get("content")))
    return any(message.get(name) for name in _REASONING_FIELDS) or any(
        is_any_of(part.get("type"), _REASONING_PARTS) for part in parts
    )


def _reasoning_tokens(usage: Json) -> int:
    counted = mapping_of(usage)
    details = mapping_of(counted.get("completion_tokens_details"))
    counts = (details.get("reasoning_tokens"), counted.get("reasoning_tokens"))
    return max((count for count in counts if is_count(count)), default=0)


def _whole_usage(usage: Json) -> Json:
    """The usage with reasoning in the completion tokens, for servers that count it in the total alone."""
    if not isinstance(usage, dict):
        return usage
    total, asked, said = (usage.get(f"{name}_tokens") for name in ("total", "prompt", "completion"))
    if is_count(total) and is_count(asked) and is_count(said) and total - asked > said:
        return usage | {"completion_tokens": total - asked}
    return usage
