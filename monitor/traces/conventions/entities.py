"""What an entity of Traceloop (a workflow, task or tool) was called with, and what it returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from monitor.traces.documents import read_documents, read_result
from monitor.traces.exchange import is_envelope
from monitor.traces.messages import read_message
from monitor.traces.reading import Document
from monitor.traces.shapes import answer_in, answer_of, question_in, question_of
from monitor.traces.values import MAX_UNWRAPS, as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

INPUTS = ("traceloop.entity.input", "gen_ai.task.input")
OUTPUTS = ("traceloop.entity.output", "gen_ai.task.output")
_RETURNED = frozenset({"outputs", "output", "kwargs", "tags"})
"""What LangChain's callbacks put around the value that a run returned."""
_OBJECTS_IN_JSON = ".llamaindex"
"""Scope of the instrumentation that writes an object as its own JSON in a JSON text."""
_TOOL_RESULT_KEYS = ("tool_output", "blocks", "content")


def decoded(value: AttributeValue, layers: int = 1) -> AttributeValue:
    """The value of JSON text, which was encoded once, or a call that was once more; None when it breaks off."""
    read = as_json(value, layers)
    if isinstance(read, str) and read is value and value[:1] in {"{", "[", '"'}:
        return None
    again = as_json(read) if isinstance(read, str) else read
    return again if is_envelope(again) else read


def value_at(span: Span, key: str) -> AttributeValue:
    """The value under a key. LlamaIndex's objects are JSON in JSON: no other text of it stands alone."""
    return decoded(span.attributes.get(key), MAX_UNWRAPS if span.scope.endswith(_OBJECTS_IN_JSON) else 1)


def input_of(span: Span) -> AttributeValue:
    """The arguments, as the library wrapped them."""
    return next((read for key in INPUTS if (read := value_at(span, key)) is not None), None)


def returned(span: Span) -> AttributeValue:
    """The value that came back."""
    return _unwrapped(next((read for key in OUTPUTS if (read := value_at(span, key)) is not None), None))


def _unwrapped(output: AttributeValue) -> AttributeValue:
    if isinstance(output, dict) and output.keys() <= _RETURNED:
        return output.get("outputs", output.get("output", output))
    return output


def run_inputs(span: Span) -> AttributeValue:
    """What a run of LangChain was called with. Of a streamed one that stands beside its output."""
    late = next((inputs for key in OUTPUTS if (inputs := _late(value_at(span, key))) is not None), None)
    return as_mapping(input_of(span)).get("inputs") if late is None else late


def _late(output: AttributeValue) -> AttributeValue:
    return as_mapping(as_mapping(output).get("kwargs")).get("inputs")


def read_question(arguments: AttributeValue) -> str | None:
    """The user's text in an input; Haystack's is an argument with a member for each component, or one for each."""
    called = arguments if isinstance(arguments, dict) else {}
    named = as_mapping(called.get("kwargs"))
    components = [*as_list(called.get("args")), named.get("data"), named]
    asked = (question_of(part) for part in components if isinstance(part, dict))
    return question_in(arguments) or next((question for question in asked if question is not None), None)


def read_late_question(output: AttributeValue) -> str | None:
    """The question of a streamed run, from its output."""
    return question_in(_late(output))


def read_answer(output: AttributeValue) -> str | None:
    """The answer in an output."""
    value = _unwrapped(output)
    answer = answer_in(value)
    return answer_of(value) if answer is None else answer


def documents_given(span: Span) -> tuple[Document, ...] | None:
    """Documents that it returned, if any."""
    return read_documents(returned(span)) or None


def documents_handed(span: Span) -> tuple[Document, ...] | None:
    """Documents that it was handed, if any."""
    return next((found for value in _arguments(span) if (found := read_documents(value))), None)


def _arguments(span: Span) -> Iterator[AttributeValue]:
    """The arguments as a whole, and each for itself."""
    value = input_of(span)
    yield value
    yield run_inputs(span)
    called = value if isinstance(value, dict) else {}
    for group in (called.get("args"), called.get("kwargs")):
        if isinstance(group, list | dict):
            yield group
            yield from group.values() if isinstance(group, dict) else group


def is_tool_result(value: AttributeValue) -> bool:
    """Whether it is what LlamaIndex makes of a tool's result, or a step that returns that."""
    return isinstance(value, dict) and "tool_name" in value and not value.keys().isdisjoint(_TOOL_RESULT_KEYS)


def read_tool(output: AttributeValue) -> tuple[tuple[Document, ...] | None, str | None]:
    """The documents or the text in a tool's output."""
    value = _unwrapped(output)
    inner = as_mapping(value).get("tool_output")
    value = value if inner is None else as_json(inner)
    if is_tool_result(value):
        held = as_mapping(value)
        message = read_message({"role": "tool", "content": held.get("content", held.get("blocks"))})
        value = None if message is None else "\n".join(message.results)
    return read_result(value)


def only_texts(values: Mapping[str, AttributeValue]) -> Mapping[str, str] | None:
    """The members that are text; None without one."""
    return {name: value for name, value in values.items() if isinstance(value, str)} or None
