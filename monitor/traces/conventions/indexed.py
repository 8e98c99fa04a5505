"""Numbered attributes of a model call: `gen_ai.prompt.N.role`, `gen_ai.completion.N.content` and their older names.

OpenLLMetry wrote them up to about 0.4x, and libraries that follow it still do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from monitor.traces import attachments, hosted
from monitor.traces.conventions.keys import numbered
from monitor.traces.messages import read_message
from monitor.traces.reading import Document, Message
from monitor.traces.values import as_float, as_json, as_text
from monitor.wire import AttributeValue, Span

PROMPTS = ("gen_ai.prompt", "llm.prompts")
COMPLETIONS = ("gen_ai.completion", "llm.completions")
CONTENTS = tuple(prefix + "." for prefix in (*PROMPTS, *COMPLETIONS))
"""What the keys of contents begin with."""
KEYS = tuple(start + "*" for start in CONTENTS)
"""What a span needs to hold any, see `Rule.needs`."""

_KEY = re.compile(r"(?:gen_ai\.(?:prompt|completion)|llm\.(?:prompts|completions))\.(?:[0-9]+\.|content$)")
_THOUGHTS = frozenset({"thinking", "reasoning"})
_RANKED = re.compile(r"Doc (\d{1,6}), Score: ([^\n]{1,40})(?:\n(.*))?", re.DOTALL)
_MAX_RANKED = 10_000


def is_indexed(span: Span) -> bool:
    """Whether the span holds a numbered prompt or completion."""
    return any(map(_KEY.match, span.attributes))


def read_prompt(span: Span) -> tuple[Message, ...] | None:
    """The numbered prompt; None when there is none."""
    if not is_indexed(span):
        return None  # the usual case
    messages = [message for item in _items(span, PROMPTS) if (message := _message(item, "user")) is not None]
    return tuple(messages) or None


def read_reply(span: Span) -> Message | None:
    """The first completion that is no thought; None when none is recorded."""
    if not is_indexed(span):
        return None  # the usual case
    items = _items(span, COMPLETIONS) or [_unnumbered(span)]
    replies = (_message(item, "assistant") for item in items)
    return next((reply for reply in replies if reply is not None and reply.role not in _THOUGHTS), None)


def read_attached(span: Span) -> tuple[Document, ...] | None:
    """Documents among the parts of the messages of a numbered prompt; None without any."""
    contents = [item.get("content") for item in _items(span, PROMPTS)] if is_indexed(span) else []
    found = [attachments.in_messages([{"content": as_json(one)}]) for one in contents if attachments.may_hold(one)]
    return tuple([document for one in found for document in one or ()]) or None


def read_ranked(span: Span) -> tuple[Document, ...] | None:
    """What a reranker chose: its completions name documents of its prompt by number; None when none does."""
    found = []
    for item in _items(span, COMPLETIONS)[:_MAX_RANKED]:
        chosen = _RANKED.fullmatch(as_text(item.get("content")) or "")
        if chosen is None:
            return None
        given = chosen[3] or as_text(span.attributes.get(f"{PROMPTS[0]}.{int(chosen[1])}.content"))
        found.append(Document(given, None, as_float(chosen[2])))
    return tuple(found) or None


def read_ranked_query(span: Span) -> str | None:
    """What a reranker was asked: the last message of its prompt, after the documents."""
    prompt = read_prompt(span)
    return prompt[-1].text or None if prompt and prompt[-1].role == "user" else None


def _items(span: Span, prefixes: Sequence[str]) -> list[dict[str, AttributeValue]]:
    return next((items for prefix in prefixes if (items := numbered(span.attributes, prefix))), [])


def _unnumbered(span: Span) -> dict[str, AttributeValue]:
    """A single completion without a number, as LlamaIndex spans have it."""
    keys = ("role", "content")
    return {key: value for key in keys if (value := span.attributes.get(f"{COMPLETIONS[0]}.{key}")) is not None}


def _message(item: Mapping[str, AttributeValue], speaker: str) -> Message | None:
    """One message; None when neither text nor a tool call is recorded. Some providers' text stands under the role."""
    role = as_text(item.get("role")) or speaker
    content = item.get("content", item.get(role))
    calls = any(key.startswith(("tool_calls.", "function_call.")) for key in item)
    if content is None and not calls:
        return None
    message = read_message({"role": role, "content": [*_parts(content), *_hosted(item)]})
    return (
        None if message is None else Message(message.role, message.text, calls or message.calls_tool, message.results)
    )


def _hosted(item: Mapping[str, AttributeValue]) -> Iterator[AttributeValue]:
    """Calls of tools that the service ran itself: they stand whole in the place of their arguments."""
    for key, value in item.items():
        if key.endswith(".arguments") and isinstance(value, str) and any(mark in value for mark in hosted.MARKS):
            part = as_json(value)
            if isinstance(part, dict) and hosted.is_hosted(part):
                yield part


def _parts(content: AttributeValue) -> Iterator[AttributeValue]:
    """The text, or the parts that are written as JSON; content that is not text is JSON, too, so `""` is empty."""
    if isinstance(content, str) and content[:1] in {"[", '"'}:
        read = as_json(content, 1)
        if isinstance(read, list) and all(isinstance(part, dict) and "type" in part for part in read):
            yield from read
            return
        if read == "":
            return
    if (text := as_text(content)) is not None:
        yield text
