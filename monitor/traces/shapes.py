"""The question in an application's input, and the answer in its output, in the JSON shapes that libraries write."""

from __future__ import annotations

import re

from monitor.traces.documents import is_repr
from monitor.traces.exchange import read_reply
from monitor.traces.messages import last_text, read_message, read_messages
from monitor.traces.reading import Message
from monitor.traces.values import as_json, as_member
from monitor.wire import AttributeValue

_QUESTION_KEYS = (
    "question",
    "query",
    "user_query",
    "user_question",
    "user_input",
    "query_str",
    "sys.query",
    "input",
    "inputs",
    "message",
    "str_or_query_bundle",
    "query_bundle",
    "qb",
    "q",
    "user_message",
    "user_msg",
    "user_prompt",
    "chat_input",
    "human_input",
    "utterance",
    "new_message",
    "input_value",
)
_QUERY_KEYS = ("search_query",)
"""Names of a query that are none of the question."""
_MAYBE_QUESTION_KEYS = ("task", "prompt")
"""Names of the question in some libraries, of a component in pipelines: only a text counts."""
_REQUEST_KEYS = ("request", "req", "body", "payload", "state")
"""Arguments that hold what came in as a whole."""
_ANSWER_KEYS = (
    "answer", "final_answer", "final_output", "response", "reply", "output", "outputs", "result", "generation",
    "completion", "text", "raw", "content",
)  # fmt: skip
_STRUCTURED = "structured_response"
"""Where LangChain's agents put what they were told to answer in; their last message may only call a tool for it."""
_IDENTIFIER = re.compile(r"(?=[^\d_/@:-]*[\d_/@:-])[\w./@:-]{1,200}", re.ASCII)
"""A session's or a user's id, a path: one word of ASCII with a digit or a mark in it."""
_SETTINGS = frozenset(
    {
        "collection", "collection_name", "embedding_model", "filter", "filters", "index", "index_name", "lang",
        "language", "locale", "mode", "model", "namespace", "search_type", "session_id", "table", "tenant", "tenant_id",
        "thread_id", "user", "user_id",
    }
)  # fmt: skip
"""Arguments of a retriever that say where and how it looks, and for whom."""
_MAX_NESTING = 4


def question_in(value: AttributeValue, depth: int = 0) -> str | None:
    """The user's text in an input that was already unwrapped; None when no known shape fits."""
    if isinstance(value, str):
        if (structured := _encoded_again(value)) is not None:
            return question_in(structured, depth + 1)
        return value if value.strip() and not is_repr(value) else None
    if depth > _MAX_NESTING:
        return None
    if isinstance(value, list):
        return last_text(read_messages(value) or (), "user")
    return _question_in_mapping(value, depth) if isinstance(value, dict) else None


def _question_in_mapping(value: dict[str, AttributeValue], depth: int) -> str | None:
    for key in _QUESTION_KEYS:
        if key in value and (found := question_in(as_member(value[key]), depth + 1)) is not None:
            return found
    messages = read_messages(value) or ((message,) if (message := read_message(value)) is not None else ())
    if messages:
        return last_text(messages, "user")
    spoken = (text for key in _MAYBE_QUESTION_KEYS if isinstance(text := value.get(key), str))
    found = next((text for text in spoken if question_in(text) is not None), None) or _question_in_call(value, depth)
    return found or _question_in_whole(value, depth)


def _question_in_call(value: dict[str, AttributeValue], depth: int) -> str | None:
    """The question in what a function was called with."""
    if isinstance(args := value.get("args"), list) and (found := _question_in_arguments(args, depth)) is not None:
        return found
    kwargs = value.get("kwargs")
    if not isinstance(kwargs, dict):
        return None
    return question_in(kwargs, depth + 1) or (_question_in_named(kwargs) if "args" in value else None)


def _question_in_whole(value: dict[str, AttributeValue], depth: int) -> str | None:
    """The question in what came in as a whole, or in what all components of a pipeline were given."""
    for key in _REQUEST_KEYS:
        inner = as_json(value.get(key))
        if isinstance(inner, dict) and (found := question_in(inner, depth + 1)) is not None:
            return found
    return _one_question_of(value.get("data"), depth)


def _question_in_arguments(args: list[AttributeValue], depth: int) -> str | None:
    """The first text that is not only an id, or the question in the only argument."""
    texts = [arg for arg in args if isinstance(arg, str)]
    if texts:
        spoken = [text for text in texts if _IDENTIFIER.fullmatch(text) is None]
        return question_in((spoken or texts)[0])
    return question_in(as_member(args[0]), depth + 1) if len(args) == 1 else None


def _question_in_named(kwargs: dict[str, AttributeValue]) -> str | None:
    """The only text among a function's named arguments that is no setting and no id, whatever its name."""
    only = _only_text(kwargs)
    return None if only is None or _IDENTIFIER.fullmatch(only) else only


def query_in(value: AttributeValue) -> str | None:
    """The query in a retriever's input that was already unwrapped: as a question, else its only text."""
    found = question_in(value)
    if found is not None or not isinstance(value, dict):
        return found
    named = (text for key in _QUERY_KEYS if isinstance(text := value.get(key), str) and text.strip())
    return next(named, None) or _only_text(value)


def _only_text(arguments: dict[str, AttributeValue]) -> str | None:
    """The only argument that is a text and no setting."""
    named = ((name, text) for name, text in arguments.items() if name not in _SETTINGS)
    texts = [text for _, text in named if isinstance(text, str) and text.strip()]
    return texts[0] if len(texts) == 1 and not is_repr(texts[0]) else None


def question_of(components: AttributeValue) -> str | None:
    """The question in the input of a pipeline, by component: the one that all of them agree on."""
    read = as_json(components)
    return question_in(read) or _one_question_of(read, 0)


def answer_of(components: AttributeValue) -> str | None:
    """The answer in the output of a pipeline, by component: the only one there is."""
    read = as_json(components)
    parts = [as_json(part) for part in read.values()] if isinstance(read, dict) else []
    built = {_built_answer(part) for part in parts} - {None}
    found = built or {reply.text for part in parts if (reply := _reply_of(part)) is not None and reply.text}
    return found.pop() if len(found) == 1 else None


def _built_answer(part: AttributeValue) -> str | None:
    """The first of the answers that Haystack's answer builder gives."""
    answers = part.get("answers") if isinstance(part, dict) else None
    first = as_json(answers[0]) if isinstance(answers, list) and answers else None
    data = first.get("data") if isinstance(first, dict) else None
    return data if isinstance(data, str) else None


def _reply_of(part: AttributeValue) -> Message | None:
    if not isinstance(part, dict):
        return None
    if "replies" in part:
        return read_reply(part)
    if part.get("last_message") is not None:
        return read_message(part["last_message"])
    text = last_text(read_messages(part) or (), "assistant")
    return None if text is None else Message("assistant", text)


def _one_question_of(components: AttributeValue, depth: int) -> str | None:
    """A pipeline's input by component: the question that all components agree on."""
    if not isinstance(components, dict):
        return None
    found = {question_in(part, depth + 1) for part in components.values() if isinstance(part, dict)} - {None}
    return found.pop() if len(found) == 1 else None


def answer_in(value: AttributeValue, depth: int = 0) -> str | None:
    """The answer in an output that was already unwrapped; None when no known shape fits."""
    if isinstance(value, str):
        if (structured := _encoded_again(value)) is not None:
            return answer_in(structured, depth + 1)
        return None if is_repr(value) else value
    if depth > _MAX_NESTING or not isinstance(value, list | dict):
        return None
    if isinstance(value, dict) and (found := answer_in(as_json(value.get(_STRUCTURED)), depth + 1)) is not None:
        return found
    message = read_message(value)
    messages = (message,) if message is not None else read_messages(value)
    if messages is not None or isinstance(value, list):
        return last_text(messages or (), "assistant")
    read = (answer_in(as_member(value[key]), depth + 1) for key in _ANSWER_KEYS if key in value)
    return next((found for found in read if found is not None), None)


def _encoded_again(text: str) -> AttributeValue:
    """The object or list in a text that is JSON in JSON: nobody types that. None for any other text."""
    structured = as_json(text) if text[:2] in {'"{', '"[', '"\\'} else None
    return structured if isinstance(structured, list | dict) else None
