"""What OpenInference's packages write of calls beside messages: plain completions, documents, answers handed over.

Some of it is only one package's: the tasks of CrewAI, the results of tools that Haystack prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from monitor.traces import attachments, hosted, semconv
from monitor.traces.conventions.keys import count_of, gives_answer, numbered, text_of
from monitor.traces.documents import read_documents
from monitor.traces.exchange import SYSTEM_KEYS, instructions, read_failure, read_prompt, read_reply
from monitor.traces.literals import printed_argument
from monitor.traces.messages import read_message
from monitor.traces.reading import DOCUMENTS, FAILURE, Document, Message, Rule, says
from monitor.traces.shapes import answer_in
from monitor.traces.values import as_list, as_mapping
from monitor.wire import AttributeValue, Span

PACKAGES: Final = "openinference.instrumentation."
"""What the scopes of the Python packages begin with."""
_OTHERS: Final = ("opentelemetry.instrumentation.", "traceloop.", "openlit")
_OF_LITELLM: Final = "redacted-by-litellm"
_HEAD: Final = 100
"""Characters in which an error says that it is one."""
CREW_TASKS: Final = "crew_tasks"
ANSWERED_CALL: Final = "message.tool_call_id"
"""In a message with a tool's result; Anthropic's are the user's."""
PART_TYPE: Final = "message_content.type"
PART_TEXT: Final = "message_content.text"
TEXT_TYPES: Final = frozenset({None, "text", "input_text", "output_text"})
"""Types of the parts of a message that are text."""


def with_printed_results(span: Span, messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages; what a tool gave back is read from the input where they leave it out.

    Haystack prints the messages there; in the body of Bedrock's calls instructions are not among them.
    """
    if not any(_says_nothing(message) for message in messages):
        return tuple(messages)  # the usual case
    listed = as_list(as_mapping(span.attributes.get(semconv.OI_INPUT)).get("messages"))
    apart = len(messages) - len(listed)
    if not listed or apart < 0 or any(message.role != "system" for message in messages[:apart]):
        return tuple(messages)
    given = [*[()] * apart, *map(_results_in, listed)]
    return tuple(
        replace(message, results=results) if _says_nothing(message) and results else message
        for message, results in zip(messages, given, strict=True)
    )


def _results_in(message: AttributeValue) -> tuple[str, ...]:
    """What a tool gave back, in a message as it is or as Python prints it."""
    if isinstance(message, str):
        printed = printed_argument(message, "result")
        return (printed,) if isinstance(printed, str) else ()
    read = read_message(message)
    return () if read is None else read.results


def _says_nothing(message: Message) -> bool:
    return message.role == "tool" and not message.text and not any(message.results)


def is_translated(span: Span) -> bool:
    """Whether a processor wrote the span's attributes, from those of another instrumentation which stand there, too.

    Those say more: any step of OpenLLMetry becomes a tool, the parts of a message become its JSON.
    """
    return span.scope.startswith(_OTHERS)


def is_task(span: Span) -> bool:
    """Whether a tool is a step of OpenLLMetry's, of which its translation leaves nothing else but the name."""
    return is_translated(span) and (span.name.startswith("execute_task ") or span.name.endswith(".task"))


def tokens(key: str, other: str) -> Rule[int]:
    """The rule for a count of tokens. None on either side is what stands for counts that nobody knows."""

    def read(span: Span) -> int | None:
        count = count_of(span.attributes, key)
        return None if count == 0 and not count_of(span.attributes, other) else count

    return Rule(key, read, key)


def hides(span: Span) -> bool:
    """Whether it shows that contents are hidden: by the mark of these packages or of LiteLLM, or by what is missing."""
    values = span.attributes.values()
    if semconv.OI_REDACTED in values or leaves_out_messages(span):
        return True
    return span.scope == "litellm" and _OF_LITELLM in values


def leaves_out_messages(span: Span) -> bool:
    """Whether the messages that a call was given were left out, which alone leaves no mark.

    The packages write both sides apart from the values: of a call with messages in its input and a reply's, but none of
    the input's, they were told not to.
    """
    attributes = span.attributes
    if attributes.get(semconv.OI_KIND) != "LLM" or not span.scope.startswith(PACKAGES) or span.dropped_attributes:
        return False
    if attributes.get(semconv.OI_INPUT_TYPE) != semconv.OI_JSON or not _has(span, semconv.OI_OUTPUT_MESSAGES):
        return False
    if _has(span, semconv.OI_INPUT_MESSAGES) or _has(span, semconv.OI_PROMPTS):
        return False
    return read_prompt(as_mapping(attributes.get(semconv.OI_INPUT))) is not None


def _has(span: Span, prefix: str) -> bool:
    return any(key.startswith(prefix) for key in span.attributes)


def with_instructions(span: Span, messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages, with the instructions that stand beside them in the body of the call (Anthropic in JavaScript)."""
    body = span.attributes.get(semconv.OI_INPUT)
    if not messages or not isinstance(body, str) or not any(f'"{key}"' in body for key in SYSTEM_KEYS):
        return tuple(messages)  # the usual case
    if any(message.role in {"system", "developer"} for message in messages):
        return tuple(messages)
    return (*instructions(as_mapping(body)), *messages)


def prompts(span: Span) -> tuple[Message, ...] | None:
    """The prompt of a plain completion; of several, which get an answer each, the first."""
    texts = (text_of(item, "prompt.text") for item in numbered(span.attributes, semconv.OI_PROMPTS))
    return next(((Message("user", text),) for text in texts if text is not None), None)


def completion(span: Span) -> Message | None:
    """The first of the replies to a plain prompt."""
    texts = (text_of(item, "completion.text") for item in numbered(span.attributes, semconv.OI_CHOICES))
    return next((Message("assistant", text) for text in texts if text is not None), None)


def attached(span: Span) -> tuple[Document, ...] | None:
    """Documents among the parts of the messages, each as JSON in the place of its text."""
    parts = [
        as_mapping(part.get(PART_TEXT))
        for message in numbered(span.attributes, semconv.OI_INPUT_MESSAGES)
        for part in numbered(message, "message.contents")
        if part.get(PART_TYPE) not in TEXT_TYPES
    ]
    return tuple([found for part in parts if (found := attachments.in_part(part)) is not None]) or None


def attached_in_input(span: Span) -> tuple[Document, ...] | None:
    """Documents among the messages in the body of the call, where the flattened ones leave them out."""
    body = span.attributes.get(semconv.OI_INPUT)
    if not attachments.may_hold(body):
        return None  # the usual case
    return attachments.in_messages(as_mapping(body).get("messages"))


def found_by_service(span: Span) -> tuple[Document, ...] | None:
    """What the model's service found itself, in the body of the response: the flattened messages leave it out."""
    body = span.attributes.get(semconv.OI_OUTPUT)
    if not isinstance(body, str) or not any(mark in body for mark in hosted.MARKS):
        return None  # the usual case
    reply = read_reply(as_mapping(body))
    found = [read_documents(result) or () for result in (() if reply is None else reply.results)]
    return tuple([document for documents in found for document in documents]) or None


def documents_parameter(span: Span) -> tuple[Document, ...] | None:
    """The documents that Cohere's chat takes beside its messages."""
    return attachments.in_parameter(as_mapping(span.attributes.get(semconv.OI_PARAMETERS)).get("documents"))


def _error_in_stream(span: Span) -> str | None:
    """The error that a call was sent in place of a reply, or of its next piece (Mastra)."""
    body = span.attributes.get(semconv.OI_OUTPUT)
    if not isinstance(body, str) or '"error"' not in body[:_HEAD] or span.attributes.get(semconv.OI_KIND) != "LLM":
        return None  # the usual case
    return read_failure(body)


def handed_over(span: Span) -> str | None:
    """The answer that an agent hands over through a tool made for that: an argument of it."""
    if not gives_answer(text_of(span.attributes, semconv.OI_TOOL_NAME)):
        return None
    called = as_mapping(span.attributes.get(semconv.OI_INPUT))
    return answer_in(next((as_mapping(called[key]) for key in ("kwargs", "input") if key in called), called))


def only_task(span: Span) -> str | None:
    """What a crew of a single task is told to do; a description with places for values is only its template."""
    tasks = as_list(span.attributes.get(CREW_TASKS))
    said = text_of(as_mapping(tasks[0]), "description") if len(tasks) == 1 else None
    return None if said is None or "{" in said else said


FAILED: Final = says(FAILURE, Rule(semconv.OI_OUTPUT, _error_in_stream, semconv.OI_OUTPUT))
ATTACHED: Final = says(
    DOCUMENTS,
    Rule(f"{semconv.OI_PARAMETERS}: documents", documents_parameter, semconv.OI_PARAMETERS),
    Rule(f"{semconv.OI_INPUT_MESSAGES}.N", attached),
    Rule(semconv.OI_INPUT, attached_in_input, semconv.OI_INPUT),
    Rule(semconv.OI_OUTPUT, found_by_service, semconv.OI_OUTPUT),
)
