"""The agents of Azure AI: a span for each call of the service, with messages in events whose content is JSON.

The user's words stand in the call that creates a message, the answer in the one that lists them, or in the events of a
streamed run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.messages import read_message
from monitor.traces.reading import (
    DOCUMENTS,
    OUTPUT,
    PROMPT,
    RESULT,
    SESSION_ID,
    STATED_ANSWER,
    STATED_QUESTION,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.values import as_float, as_list, as_mapping
from monitor.wire import AttributeValue, Span

_SYSTEM: Final = "az.ai.agents"
_STEPS_EVENT: Final = "gen_ai.run_step.tool_calls"
_CREATES: Final = "create_message"
_LISTS: Final = "list_messages"
_RUNS = frozenset({"process_thread_run", "start_thread_run"})
_STEPS = frozenset(
    {_CREATES, _LISTS, "create_agent", "create_thread", "get_thread_run", "list_run_steps", "submit_tool_outputs"}
)


def _role(span: Span) -> Role | None:
    """By the operation; a call that hands over what tools gave, or lists what a search found, is evidence."""
    if span.attributes.get(semconv.SYSTEM) != _SYSTEM:
        return None
    operation = _operation(span)
    if operation in _RUNS:
        return Role.MODEL
    if operation not in _STEPS:
        return None
    if operation == "submit_tool_outputs" and _given_back(span) is not None:
        return Role.TOOL
    return Role.RETRIEVER if operation == "list_run_steps" and _found(span) is not None else Role.STEP


def _operation(span: Span) -> str | None:
    return text_of(span.attributes, semconv.OPERATION)


def _messages(span: Span, *names: str) -> Iterator[Message]:
    """The messages in events of these names, oldest first."""
    for event in span.events:
        if event.name in names:
            held = _held(event.attributes)
            role = event.name.removeprefix("gen_ai.").removesuffix(".message")
            message = read_message({"role": role, "content": _text(held.get("content"))})
            if message is not None and (message.text.strip() or any(message.results)):
                yield message


def _held(attributes: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    return as_mapping(attributes.get(semconv.EVENT_CONTENT))


def _text(content: AttributeValue) -> AttributeValue:
    """A text, which may stand as the value of the part of that type."""
    parts = as_mapping(content) if isinstance(content, dict) else {}
    return as_mapping(parts.get("text")).get("value", "") if parts else content


def _asked(span: Span) -> str | None:
    """The words of the user in the message that was created."""
    if _operation(span) != _CREATES:
        return None
    return next((one.text for one in _messages(span, semconv.USER_EVENT)), None)


def _answered(span: Span) -> str | None:
    """The agent's words among the messages that were listed; of several it is not known which are new."""
    if _operation(span) != _LISTS:
        return None
    said = [one.text for one in _messages(span, semconv.ASSISTANT_EVENT)]
    return said[0] if len(said) == 1 else None


def _prompt(span: Span) -> tuple[Message, ...] | None:
    return tuple(_messages(span, semconv.SYSTEM_EVENT, semconv.USER_EVENT)) or None


def _reply(span: Span) -> Message | None:
    said = [one for one in _messages(span, semconv.ASSISTANT_EVENT) if one.text.strip()]
    return said[-1] if said else None


def _given_back(span: Span) -> str | None:
    texts = [text for message in _messages(span, semconv.TOOL_EVENT) for text in message.results if text.strip()]
    return "\n".join(texts) or None


def _found(span: Span) -> tuple[Document, ...] | None:
    """What searches in files found, each passage with the name of its file; None without a search that says it."""
    calls = [
        as_mapping(as_mapping(call).get("file_search"))
        for event in span.events
        if event.name in {semconv.ASSISTANT_EVENT, _STEPS_EVENT}
        for call in as_list(_held(event.attributes).get("tool_calls"))
    ]
    listed = [call["results"] for call in calls if isinstance(call.get("results"), list)]
    return tuple([_passage(as_mapping(one)) for results in listed for one in as_list(results)]) if listed else None


def _passage(result: Mapping[str, AttributeValue]) -> Document:
    parts = (text_of(as_mapping(part), "text") for part in as_list(result.get("content")))
    text = "\n".join(part for part in parts if part is not None) or None
    return Document(text, text_of(result, "file_id"), as_float(result.get("score")), text_of(result, "file_name"))


def _of_agents(read: Callable[[Span], T | None]) -> Callable[[Span], T | None]:
    """Only of spans of this service: others have such events as well."""
    return lambda span: read(span) if span.attributes.get(semconv.SYSTEM) == _SYSTEM else None


_SEARCHED = says(
    DOCUMENTS, Rule(f"{_SYSTEM}: events {_STEPS_EVENT}, {semconv.ASSISTANT_EVENT}", _of_agents(_found), semconv.SYSTEM)
)

AZURE_AGENTS = Convention(
    name="azure_agents",
    version="1",
    heads=frozenset({"gen_ai"}),
    role=_role,
    marks=(semconv.SYSTEM,),
    texts={
        Role.MODEL: (
            says(PROMPT, Rule(f"{_SYSTEM}: events {semconv.SYSTEM_EVENT}", _of_agents(_prompt), semconv.SYSTEM)),
            says(OUTPUT, Rule(f"{_SYSTEM}: events {semconv.ASSISTANT_EVENT}", _of_agents(_reply), semconv.SYSTEM)),
            _SEARCHED,
        ),
        Role.RETRIEVER: (_SEARCHED,),
        Role.TOOL: (
            says(RESULT, Rule(f"{_SYSTEM}: events {semconv.TOOL_EVENT}", _of_agents(_given_back), semconv.SYSTEM)),
        ),
    },
    facts=(
        says(STATED_QUESTION, Rule(f"{_SYSTEM}: event {semconv.USER_EVENT}", _of_agents(_asked), semconv.SYSTEM)),
        says(STATED_ANSWER, Rule(f"{_SYSTEM}: event {semconv.ASSISTANT_EVENT}", _of_agents(_answered), semconv.SYSTEM)),
        says(SESSION_ID, texted("gen_ai.thread.id")),
    ),
)
"""Spans whose `gen_ai.system` is `az.ai.agents`."""
