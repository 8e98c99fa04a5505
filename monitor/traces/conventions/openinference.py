"""OpenInference: flattened `llm.*` and `retrieval.*` attributes beside `input.value` and `output.value`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.traces import semconv
from monitor.traces.conventions import openinference_calls as calls
from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    gives_answer,
    member,
    numbered,
    text_of,
    texted,
)
from monitor.traces.documents import (
    is_repr,
    metadata_score,
    metadata_source,
    read_documents,
    read_passages,
    read_result,
    read_retrieved,
)
from monitor.traces.exchange import Answering, read_answering, read_prompt, read_reply
from monitor.traces.messages import handed_over, read_message, read_messages
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PASSAGES,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESPONSE_ID,
    RESPONSE_MODEL,
    RESULT,
    SESSION_ID,
    TENANT,
    USER_ID,
    VARIABLES,
    Convention,
    Document,
    Entry,
    Message,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.twins import enriched
from monitor.traces.values import as_float, as_json, as_mapping, as_text
from monitor.wire import AttributeValue, Span

_ROLES: Mapping[str, Role] = {
    "LLM": Role.MODEL,
    "RETRIEVER": Role.RETRIEVER,
    "RERANKER": Role.RERANKER,
    "CHAIN": Role.CHAIN,
    "AGENT": Role.CHAIN,
    "TOOL": Role.TOOL,
    "EVALUATOR": Role.EVALUATOR,
    "EMBEDDING": Role.STEP,
    "GUARDRAIL": Role.GUARDRAIL,
    "PROMPT": Role.STEP,
}

_METADATA = "metadata"
_LOGGED = "Execution logs:"
_LAST_OUTPUT = "Last output from code snippet:\n"
"""What smolagents shows as the output of a streamed run: the log of its last step, which ends with the answer."""
_STARTED, _COMPLETED = "Execution Started", "Execution Completed"
"""What stands for the input and the output of LangChain4j's services."""
_NO_TOOLS = ".instructor"
"""Scope of the instrumentor that calls its client, and the schema that it hands over, tools."""
_NO_EVIDENCE = frozenset({"moderation", "suggested_question"})
"""What Dify calls a tool besides: a check of the question, and questions that may come next."""
_KNOWLEDGE_BASE_ID = "knowledgeBaseId"


def _role(span: Span) -> Role | None:
    """By `openinference.span.kind`."""
    kind = span.attributes.get(semconv.OI_KIND)
    role = _ROLES.get(kind.upper()) if isinstance(kind, str) else None
    if role is Role.TOOL and calls.is_task(span):
        return Role.CHAIN
    if role is Role.TOOL and span.scope.endswith(_NO_TOOLS):
        return Role.MODEL if semconv.OI_PARAMETERS in span.attributes else Role.STEP
    if role is Role.TOOL and text_of(as_mapping(span.attributes.get(_METADATA)), "trace_entity_type") in _NO_EVIDENCE:
        return Role.STEP
    is_answer = role is Role.TOOL and gives_answer(text_of(span.attributes, semconv.OI_TOOL_NAME))
    return Role.STEP if is_answer else role


def _asked_model(span: Span) -> str | None:
    parameters = as_json(span.attributes.get(semconv.OI_PARAMETERS))
    return text_of(parameters, "model", "model_name") if isinstance(parameters, dict) else None


def _answering_model(span: Span) -> str | None:
    """`llm.model_name` is the answering model in plain calls, the requested one in others."""
    asked, named = _asked_model(span), text_of(span.attributes, semconv.OI_MODEL)
    return named if asked is not None and asked != named else None


def _of_response(read: Callable[[Answering], str | None]) -> Rule[str]:
    """A part of the response of a client, where that is a model's output as it came."""

    def said(span: Span) -> str | None:
        return read(read_answering(_output(span))) if span.attributes.get(semconv.OI_KIND) == "LLM" else None

    return Rule(semconv.OI_OUTPUT, said, semconv.OI_OUTPUT)


def _value(span: Span, key: str, type_key: str) -> AttributeValue:
    """Input or output: JSON only where the mime type says so, for a user's text may look like JSON."""
    value = span.attributes.get(key)
    return as_json(value) if _is_json(span, type_key) else value


def _text_in(span: Span, key: str, read: Callable[[AttributeValue], str | None]) -> str | None:
    """The question or the answer; of a span written by hand, without a type, also out of an object in a known shape."""
    type_key = _TYPE_KEYS[key]
    if type_key not in span.attributes:
        structured = as_json(span.attributes.get(key))
        if isinstance(structured, dict | list) and (found := read(structured)) is not None:
            return found
    return read(_value(span, key, type_key))


def _question(span: Span) -> str | None:
    question = _text_in(span, semconv.OI_INPUT, question_in)
    return None if question == _STARTED else question


def _output(span: Span) -> AttributeValue:
    return _value(span, semconv.OI_OUTPUT, semconv.OI_OUTPUT_TYPE)


def _is_json(span: Span, type_key: str) -> bool:
    return span.attributes.get(type_key) == semconv.OI_JSON


def _chain_question(span: Span) -> str | None:
    return None if _input_is_cut(span) else _question(span)


def _chain_answer(span: Span) -> str | None:
    output = _output(span)
    cut = _is_json(span, semconv.OI_OUTPUT_TYPE) and isinstance(output, str) and output[:1] in {"{", "["}
    answer = None if cut else _text_in(span, semconv.OI_OUTPUT, answer_in)
    if answer is not None and answer.startswith(_LOGGED):
        return answer.partition(_LAST_OUTPUT)[2].strip() or None
    return None if answer == _COMPLETED else answer


def _handed(key: str, type_key: str) -> Rule[tuple[Document, ...]]:
    """Documents that a step returns or is handed."""
    return Rule(
        key, lambda span: read_documents(_value(span, key, type_key)) or None if _is_json(span, type_key) else None
    )


def _input_is_cut(span: Span) -> bool:
    value = _value(span, semconv.OI_INPUT, semconv.OI_INPUT_TYPE)
    return _is_json(span, semconv.OI_INPUT_TYPE) and isinstance(value, str) and value[:1] in {"{", "["}


def _prompt(span: Span) -> tuple[Message, ...] | None:
    messages = flat_messages(span, semconv.OI_INPUT_MESSAGES)
    if any(is_repr(message.text) for message in messages):
        return None  # LangChain4j's messages as Java prints them: their texts stand in the input
    return calls.with_instructions(span, calls.with_printed_results(span, messages)) or None


def _prompt_in_input(span: Span) -> tuple[Message, ...] | None:
    """The messages in a model's input value, or in the body of the call; a text without a type is the prompt."""
    if _is_json(span, semconv.OI_INPUT_TYPE):
        body = as_json(span.attributes.get(semconv.OI_INPUT))
        return read_prompt(body) if isinstance(body, dict) else read_messages(body)
    text = text_of(span.attributes, semconv.OI_INPUT)
    return None if text is None else read_messages(text) or (Message("user", text),)


def _reply(span: Span) -> Message | None:
    """The first message with a text, else the first: what OpenAI's service searched stands before what it says."""
    replies = flat_messages(span, semconv.OI_OUTPUT_MESSAGES)
    return next((one for one in replies if one.text.strip()), next(iter(replies), None))


def flat_messages(span: Span, prefix: str) -> tuple[Message, ...]:
    """The messages that are flattened under a prefix; empty without any."""
    return tuple(map(_message, numbered(span.attributes, prefix)))


def _spoken(span: Span) -> Message | None:
    """A model's output value, where its messages are not recorded."""
    output = _output(span)
    answer = answer_in(output)
    if answer is None and isinstance(output, dict):
        return read_reply(output)
    if answer is None or (_is_json(span, semconv.OI_OUTPUT_TYPE) and answer[:1] in {"{", "["}):
        return None
    return Message("assistant", answer.removeprefix("assistant: "))


def _generated(span: Span) -> str | None:
    """The answer of a call that retrieved and generated at once (Bedrock): it names a model and replies with a text."""
    if semconv.OI_MODEL not in span.attributes or _is_json(span, semconv.OI_OUTPUT_TYPE):
        return None
    answer = text_of(span.attributes, semconv.OI_OUTPUT)
    return None if answer is None or is_repr(answer) else answer


def _knowledge_base(span: Span) -> str | None:
    """Bedrock's, among the parameters of a retrieval."""
    parameters = as_mapping(span.attributes.get(semconv.OI_PARAMETERS))
    configured = as_mapping(parameters.get("retrieveAndGenerateConfiguration"))
    return text_of({**as_mapping(configured.get("knowledgeBaseConfiguration")), **parameters}, _KNOWLEDGE_BASE_ID)


def _message(item: Mapping[str, AttributeValue]) -> Message:
    """One flattened message; of several contents the texts."""
    role = text_of(item, "message.role") or ""
    text = as_text(item.get("message.content"))
    if text is None:
        parts = numbered(item, "message.contents")
        texts = [as_text(part.get(calls.PART_TEXT)) for part in parts if part.get(calls.PART_TYPE) in calls.TEXT_TYPES]
        text = "\n".join(part for part in texts if part)
    has_calls = any(key.startswith("message.tool_calls.") for key in item)
    if has_calls and not text and role == "assistant":
        called = [part.get("tool_call.function.arguments") for part in numbered(item, "message.tool_calls")]
        text = "".join(handed_over([{"arguments": arguments} for arguments in called]))
    if role == "tool" or (role == "user" and calls.ANSWERED_CALL in item):
        return Message("tool", "", has_calls, (text,))
    return Message(role, text, has_calls)


def _documents(span: Span, prefix: str) -> tuple[Document, ...] | None:
    """Flattened documents, completed from the output's JSON: LangChain has ids only there, and nothing is dropped."""
    output = read_documents(_output(span)) if _is_json(span, semconv.OI_OUTPUT_TYPE) else None
    flat = flat_documents(span, prefix)
    if flat:
        fuller = {one.text or None for one in flat} - {None} < {one.text or None for one in output or ()} - {None}
        return enriched(output or (), flat) if fuller else enriched(flat, output or ())
    listed = read_documents(span.attributes.get(prefix))
    if listed is None and output is None and not _is_json(span, semconv.OI_OUTPUT_TYPE):
        return _untyped_documents(span)
    return listed if listed is not None else output


def _untyped_documents(span: Span) -> tuple[Document, ...] | None:
    """The documents in a retriever's output by hand: a list of them without its type, or one text that holds all.

    Where a model is named it is the answer.
    """
    return None if semconv.OI_MODEL in span.attributes else read_retrieved(span.attributes.get(semconv.OI_OUTPUT))


def flat_documents(span: Span, prefix: str) -> tuple[Document, ...]:
    """The documents that are flattened under a prefix; empty without any."""
    return tuple(map(_document, numbered(span.attributes, prefix)))


def _document(item: Mapping[str, AttributeValue]) -> Document:
    score = as_float(item.get("document.score"))
    return Document(
        text=as_text(item.get("document.content")),
        id=text_of(item, "document.id"),
        score=score if score is not None else metadata_score(item.get("document.metadata")),
        source=metadata_source(item.get("document.metadata")),
    )


def _tool_output(span: Span) -> AttributeValue:
    output = _output(span)
    message = read_message(output)
    return output if message is None or message.role == "tool" else "\n".join((message.text, *message.results)).strip()


def _variables(span: Span) -> Mapping[str, str] | None:
    read = as_json(span.attributes.get(semconv.OI_TEMPLATE_VARIABLES))
    if not isinstance(read, dict):
        return None
    return {
        name: text for name, value in read.items() if isinstance(value, str) and (text := as_text(value)) is not None
    }


def _is_json_key(span: Span, key: str) -> bool:
    type_key = _TYPE_KEYS.get(key)
    return key == semconv.OI_TEMPLATE_VARIABLES if type_key is None else _is_json(span, type_key)


_TYPE_KEYS = {semconv.OI_INPUT: semconv.OI_INPUT_TYPE, semconv.OI_OUTPUT: semconv.OI_OUTPUT_TYPE}


def _retrieval(prefix: str, *queries: Rule[str]) -> tuple[Entry, ...]:
    where = f"{prefix}.N, {semconv.OI_OUTPUT}"
    return (
        says(QUERY, *queries, Rule(semconv.OI_INPUT, _question)),
        says(DOCUMENTS, Rule(where, lambda span: _documents(span, prefix))),
    )


_VARIABLES = says(VARIABLES, Rule(semconv.OI_TEMPLATE_VARIABLES, _variables))
_ANSWERING = Rule(semconv.OI_MODEL, _answering_model)

OPENINFERENCE = Convention(
    name="openinference",
    version="2026-10",
    heads=frozenset({"openinference"}),
    role=_role,
    owns=lambda span: semconv.OI_KIND in span.attributes,
    texts={
        Role.CHAIN: (
            says(
                QUESTION,
                Rule(semconv.OI_INPUT, _chain_question),
                Rule(calls.CREW_TASKS, calls.only_task, calls.CREW_TASKS),
            ),
            says(ANSWER, Rule(semconv.OI_OUTPUT, _chain_answer)),
            says(
                DOCUMENTS,
                Rule(f"{semconv.OI_DOCUMENTS}.N", lambda span: flat_documents(span, semconv.OI_DOCUMENTS) or None),
                _handed(semconv.OI_OUTPUT, semconv.OI_OUTPUT_TYPE),
                _handed(semconv.OI_INPUT, semconv.OI_INPUT_TYPE),
            ),
            says(PASSAGES, attribute(semconv.OI_OUTPUT, read_passages)),
        ),
        Role.MODEL: (
            says(
                PROMPT,
                Rule(f"{semconv.OI_INPUT_MESSAGES}.N", _prompt),
                Rule(f"{semconv.OI_PROMPTS}.N", calls.prompts),
                Rule(semconv.OI_INPUT, _prompt_in_input),
            ),
            says(
                OUTPUT,
                Rule(f"{semconv.OI_OUTPUT_MESSAGES}.N", _reply),
                Rule(f"{semconv.OI_CHOICES}.N", calls.completion),
                Rule(semconv.OI_OUTPUT, _spoken),
            ),
            calls.ATTACHED,
            _VARIABLES,
        ),
        Role.RETRIEVER: (
            *_retrieval(semconv.OI_DOCUMENTS),
            says(ANSWER, Rule(semconv.OI_OUTPUT, _generated, semconv.OI_MODEL)),
        ),
        Role.RERANKER: _retrieval(semconv.OI_RERANKED, texted(semconv.OI_RERANK_QUERY)),
        Role.TOOL: (
            says(DOCUMENTS, Rule(semconv.OI_OUTPUT, lambda span: read_result(_tool_output(span))[0])),
            says(RESULT, Rule(semconv.OI_OUTPUT, lambda span: read_result(_tool_output(span))[1])),
        ),
        Role.STEP: (_VARIABLES, says(ANSWER, Rule(semconv.OI_INPUT, calls.handed_over, semconv.OI_TOOL_NAME))),
    },
    facts=(
        says(
            MODEL,
            Rule(semconv.OI_PARAMETERS, _asked_model),
            texted(semconv.OI_REQUEST_MODEL),
            texted(semconv.OI_MODEL),
        ),
        says(RESPONSE_MODEL, texted(semconv.OI_RESPONSE_MODEL), _of_response(lambda said: said.model), _ANSWERING),
        says(RESPONSE_ID, _of_response(lambda said: said.response_id)),
        says(PROMPT_VERSION, texted(semconv.OI_TEMPLATE_VERSION), member(_METADATA, *PROMPT_NAMES)),
        says(APP_VERSION, member(_METADATA, *APP_VERSION_NAMES)),
        says(SESSION_ID, texted(semconv.SESSION_ID), member(_METADATA, *SESSION_NAMES)),
        says(USER_ID, texted(semconv.USER_ID), member(_METADATA, *USER_NAMES)),
        says(TENANT, member(_METADATA, *TENANT_NAMES)),
        says(
            KNOWLEDGE_BASE,
            member(_METADATA, *KNOWLEDGE_BASE_NAMES),
            Rule(semconv.OI_PARAMETERS, _knowledge_base, semconv.OI_PARAMETERS),
        ),
        says(INPUT_TOKENS, calls.tokens(semconv.OI_INPUT_TOKENS, semconv.OI_OUTPUT_TOKENS)),
        says(OUTPUT_TOKENS, calls.tokens(semconv.OI_OUTPUT_TOKENS, semconv.OI_INPUT_TOKENS)),
        calls.FAILED,
    ),
    rivals=frozenset({"gen_ai", "traceloop"}),
    disowns=calls.is_translated,
    contents=("llm.", "retrieval.", "reranker.", "input.", "output."),
    is_json=_is_json_key,
    hides=calls.hides,
)
"""Spans with `openinference.span.kind`."""
