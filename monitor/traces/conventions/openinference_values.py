"""OpenInference's `input.value` and `output.value`: JSON where their type says so, and what a chain says in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from monitor.traces import semconv
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

_TYPE_KEYS: Final = {semconv.OI_INPUT: semconv.OI_INPUT_TYPE, semconv.OI_OUTPUT: semconv.OI_OUTPUT_TYPE}
_LOGGED: Final = "Execution logs:"
_LAST_OUTPUT: Final = "Last output from code snippet:\n"
"""What smolagents shows as the output of a streamed run: the log of its last step, which ends with the answer."""
_STARTED, _COMPLETED = "Execution Started", "Execution Completed"
"""What stands for the input and the output of LangChain4j's services."""


def is_json(span: Span, key: str) -> bool:
    """Whether the type beside the input or output, named by its key, says that it is JSON."""
    return span.attributes.get(_TYPE_KEYS[key]) == semconv.OI_JSON


def is_json_key(span: Span, key: str) -> bool:
    """Whether a text under the key, any one of a span's, is JSON."""
    return key == semconv.OI_TEMPLATE_VARIABLES or (key in _TYPE_KEYS and is_json(span, key))


def value_of(span: Span, key: str) -> AttributeValue:
    """Input or output: JSON only where the mime type says so, for a user's text may look like JSON."""
    value = span.attributes.get(key)
    return as_json(value) if is_json(span, key) else value


def output_of(span: Span) -> AttributeValue:
    """The output, as `value_of` reads it."""
    return value_of(span, semconv.OI_OUTPUT)


def question(span: Span) -> str | None:
    """The question in the input; None without any, and where only a mark stands for it."""
    text = _text_in(span, semconv.OI_INPUT, question_in)
    return None if text == _STARTED else text


def chain_question(span: Span) -> str | None:
    """The question that a chain was asked; None where its JSON is cut."""
    return None if _is_cut(span, semconv.OI_INPUT) else question(span)


def chain_answer(span: Span) -> str | None:
    """The answer that a chain gave; None where its JSON is cut, or only a mark stands for it."""
    answer = None if _is_cut(span, semconv.OI_OUTPUT) else _text_in(span, semconv.OI_OUTPUT, answer_in)
    if answer is not None and answer.startswith(_LOGGED):
        return answer.partition(_LAST_OUTPUT)[2].strip() or None
    return None if answer == _COMPLETED else answer


def _text_in(span: Span, key: str, read: Callable[[AttributeValue], str | None]) -> str | None:
    """The question or the answer; of a span written by hand, without a type, also out of an object in a known shape."""
    if _TYPE_KEYS[key] not in span.attributes:
        structured = as_json(span.attributes.get(key))
        if isinstance(structured, dict | list) and (found := read(structured)) is not None:
            return found
    return read(value_of(span, key))


def _is_cut(span: Span, key: str) -> bool:
    """Whether the value is no JSON although its type says so, but begins like some."""
    value = value_of(span, key)
    return is_json(span, key) and isinstance(value, str) and value[:1] in {"{", "["}
