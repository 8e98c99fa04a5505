"""The question in an application's input, and the answer in its output, in the JSON shapes that libraries write."""

from __future__ import annotations

from monitor.traces.documents import is_repr
from monitor.traces.messages import last_text, read_message, read_messages
from monitor.traces.values import as_json
from monitor.wire import AttributeValue

_QUESTION_KEYS = (
    "question",
    "query",
    "user_query",
    "user_question",
    "user_input",
    "query_str",
    "input",
    "inputs",
    "message",
    "str_or_query_bundle",
    "query_bundle",
    "qb",
)
_ANSWER_KEYS = ("answer", "response", "output", "outputs", "result")
_MAX_NESTING = 4


def question_in(value: AttributeValue, depth: int = 0) -> str | None:
    """The user's text in an input that was already unwrapped; None when no known shape fits."""
    if isinstance(value, str):
        return value if value.strip() and not is_repr(value) else None
    if depth > _MAX_NESTING:
        return None
    if isinstance(value, list):
        return last_text(read_messages(value) or (), "user")
    return _question_in_mapping(value, depth) if isinstance(value, dict) else None


def _question_in_mapping(value: dict[str, AttributeValue], depth: int) -> str | None:
    for key in _QUESTION_KEYS:
        if key in value and (found := question_in(_structured(value[key]), depth + 1)) is not None:
            return found
    if messages := read_messages(value):
        return last_text(messages, "user")
    if isinstance(args := value.get("args"), list) and (texts := [arg for arg in args if isinstance(arg, str)]):
        return question_in(texts[0])
    if isinstance(kwargs := value.get("kwargs"), dict) and (found := question_in(kwargs, depth + 1)) is not None:
        return found
    return _one_question_of(value.get("data"), depth)


def _one_question_of(components: AttributeValue, depth: int) -> str | None:
    """A pipeline's input by component: the question that all components agree on."""
    if not isinstance(components, dict):
        return None
    found = {question_in(part, depth + 1) for part in components.values() if isinstance(part, dict)} - {None}
    return found.pop() if len(found) == 1 else None


def answer_in(value: AttributeValue, depth: int = 0) -> str | None:
    """The answer in an output that was already unwrapped; None when no known shape fits."""
    if isinstance(value, str):
        return None if is_repr(value) else value
    if depth > _MAX_NESTING or not isinstance(value, list | dict):
        return None
    message = read_message(value)
    messages = (message,) if message is not None else read_messages(value)
    if messages is not None or isinstance(value, list):
        return last_text(messages or (), "assistant")
    read = (answer_in(_structured(value[key]), depth + 1) for key in _ANSWER_KEYS if key in value)
    return next((found for found in read if found is not None), None)


def _structured(value: AttributeValue) -> AttributeValue:
    """Members are read as they are: text inside an object is text, even when it looks like JSON."""
    return value if isinstance(value, str) else as_json(value)
