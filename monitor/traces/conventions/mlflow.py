"""MLflow tracing: its own attributes, each of them JSON, and what its translation to OTel GenAI leaves of them.

The translation (`MLFLOW_ENABLE_OTEL_GENAI_SEMCONV`) drops inputs and outputs of all spans but model and tool calls and
keeps the span's type as operation name where OTel has none; it names the answering model as the requested one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    counted_member,
    member,
    named,
    quoted,
    text_of,
    versioned,
    word,
)
from monitor.traces.documents import hands_documents, read_documents, read_passages, read_result, read_retrieved
from monitor.traces.exchange import read_answering, read_prompt, read_reply
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
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

TYPE: Final = "mlflow.spanType"
INPUTS: Final = "mlflow.spanInputs"
OUTPUTS: Final = "mlflow.spanOutputs"
NAMED_MODEL: Final = "mlflow.llm.model"
PROVIDER: Final = "mlflow.llm.provider"
USAGE: Final = "mlflow.chat.tokenUsage"
LINKED_PROMPTS: Final = "mlflow.linkedPrompts"
TRACE_TAG: Final = "mlflow.traceTag."
SCOPE: Final = "mlflow."
ARGUMENTS: Final = "template_arguments"
"""LlamaIndex' template variables; this key and the following ones are given by integrations, without a prefix."""
METADATA: Final = "metadata"
_ASKED_KEYS = ("model", "model_name")
_PARAMETERS: Final = "invocation_params"

_ROLES: Mapping[str, Role] = {
    "CHAT_MODEL": Role.MODEL,
    "LLM": Role.MODEL,
    "RETRIEVER": Role.RETRIEVER,
    "RERANKER": Role.RERANKER,
    "TOOL": Role.TOOL,
    "EVALUATOR": Role.EVALUATOR,
    "GUARDRAIL": Role.GUARDRAIL,
    "EMBEDDING": Role.STEP,
    "PARSER": Role.STEP,
    "MEMORY": Role.STEP,
}
"""All other types, an application's own among them, wrap steps: functions have the type UNKNOWN by default."""


def _role(span: Span) -> Role | None:
    """By the span's type. A retriever that is handed documents chooses among them."""
    kind = word(as_json(span.attributes.get(TYPE)))
    if kind is None:
        return Role.CHAIN if INPUTS in span.attributes else None
    role = _ROLES.get(kind.upper(), Role.CHAIN)
    if role is Role.RETRIEVER and hands_documents(_value(span.attributes.get(INPUTS))):
        return Role.RERANKER
    return role


def _translated_role(span: Span) -> Role | None:
    """By an operation that is a span type of MLflow; OTel's own operations are left to its convention."""
    operation = span.attributes.get(semconv.OPERATION)
    if not span.scope.startswith(SCOPE) or not isinstance(operation, str) or operation != operation.upper():
        return None
    return _ROLES.get(operation, Role.CHAIN)


def _value(value: AttributeValue) -> AttributeValue:
    """What the JSON of a value stands for, unwrapped once: a text in it is text. None when it was cut."""
    read = as_json(value, layers=1)
    if read is value and isinstance(value, str):
        return None if value[:1] in {'"', "{", "["} or value == "null" else value
    return read


def _question(value: AttributeValue) -> str | None:
    return question_in(_value(value))


def _answer(value: AttributeValue) -> str | None:
    return answer_in(_value(value))


def _handed_on(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(_value(value)) or None


def _bare(span: Span, model: str) -> str:
    """A model's name without the provider that LiteLLM has in front."""
    provider = quoted(PROVIDER).read(span) or text_of(span.attributes, semconv.PROVIDER)
    return model.removeprefix(f"{provider}/")


def _named_model(span: Span) -> str | None:
    """MLflow's own word: the answering model where a response named it."""
    model = quoted(NAMED_MODEL).read(span) or text_of(span.attributes, semconv.REQUEST_MODEL)
    return None if model is None else _bare(span, model)


def _asked_model(span: Span) -> str | None:
    """What the client was told to use."""
    rules = (*map(quoted, _ASKED_KEYS), member(_PARAMETERS, *_ASKED_KEYS), member(METADATA, "ls_model_name"))
    rules = (*rules, member(INPUTS, *_ASKED_KEYS, "modelId"))
    model = next((found for rule in rules if (found := rule.read(span)) is not None), None)
    return _named_model(span) if model is None else _bare(span, model)


def _answering_model(span: Span) -> str | None:
    """As the response names it, else MLflow's own word where that is another than the requested one."""
    answered = read_answering(span.attributes.get(OUTPUTS)).model or text_of(span.attributes, semconv.RESPONSE_MODEL)
    named = _named_model(span)
    return answered or (named if named != _asked_model(span) else None)


def _linked_prompt(value: AttributeValue) -> str | None:
    """The prompt that was loaded, with its version; None when there were several: which one was filled is unknown."""
    linked = [as_mapping(item) for item in as_list(value)]
    return versioned(text_of(linked[0], "name"), text_of(linked[0], "version")) if len(linked) == 1 else None


def _variables(span: Span) -> Mapping[str, str] | None:
    """What fills a prompt, under a plain word."""
    if not span.scope.startswith(SCOPE) and TYPE not in span.attributes:
        return None
    arguments = as_mapping(span.attributes.get(ARGUMENTS))
    return {name: text for name, text in arguments.items() if isinstance(text, str)} or None


_RETRIEVAL = (
    says(QUERY, attribute(INPUTS, lambda value: query_in(_value(value)))),
    says(DOCUMENTS, attribute(OUTPUTS, lambda value: read_retrieved(_value(value)))),
)
_ASKED = Rule(f"{', '.join(_ASKED_KEYS)}, {_PARAMETERS}, {METADATA}, {NAMED_MODEL}", _asked_model)
_VARIABLES = says(VARIABLES, Rule(ARGUMENTS, _variables, ARGUMENTS))

MLFLOW = Convention(
    name="mlflow",
    version="3.17",
    heads=frozenset({"mlflow"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(INPUTS, _question)),
            says(ANSWER, attribute(OUTPUTS, _answer)),
            says(DOCUMENTS, attribute(OUTPUTS, _handed_on), attribute(INPUTS, _handed_on)),
            says(PASSAGES, attribute(OUTPUTS, lambda value: read_passages(_value(value)))),
        ),
        Role.MODEL: (
            says(PROMPT, attribute(INPUTS, lambda value: read_prompt(_value(value)))),
            says(OUTPUT, attribute(OUTPUTS, lambda value: read_reply(_value(value)))),
            _VARIABLES,
        ),
        Role.RETRIEVER: _RETRIEVAL,
        Role.RERANKER: _RETRIEVAL,
        Role.TOOL: (
            says(DOCUMENTS, attribute(OUTPUTS, lambda value: read_result(_value(value))[0])),
            says(RESULT, attribute(OUTPUTS, lambda value: read_result(_value(value))[1])),
        ),
    },
    facts=(
        says(MODEL, _ASKED),
        says(RESPONSE_MODEL, Rule(f"{OUTPUTS}, {NAMED_MODEL}", _answering_model)),
        says(RESPONSE_ID, attribute(OUTPUTS, lambda value: read_answering(value).response_id)),
        says(SESSION_ID, quoted("session.id"), quoted("mlflow.trace.session"), member(METADATA, *SESSION_NAMES)),
        says(USER_ID, quoted("user.id"), quoted("mlflow.trace.user"), member(METADATA, *USER_NAMES)),
        says(TENANT, *named(TRACE_TAG, TENANT_NAMES), member(METADATA, *TENANT_NAMES)),
        says(
            APP_VERSION,
            *named(TRACE_TAG, APP_VERSION_NAMES),
            member(METADATA, *APP_VERSION_NAMES),
            quoted("mlflow.modelId"),  # of a logged model, which since MLflow 3 is a version of the application
        ),
        says(PROMPT_VERSION, attribute(LINKED_PROMPTS, _linked_prompt), *named(TRACE_TAG, PROMPT_NAMES)),
        says(KNOWLEDGE_BASE, *named(TRACE_TAG, KNOWLEDGE_BASE_NAMES), member(METADATA, *KNOWLEDGE_BASE_NAMES)),
        says(INPUT_TOKENS, counted_member(USAGE, "input_tokens")),
        says(OUTPUT_TOKENS, counted_member(USAGE, "output_tokens")),
    ),
    contents=(INPUTS, OUTPUTS),
    is_json=lambda _span, key: key in {INPUTS, OUTPUTS},
)
"""Spans with `mlflow.spanType`."""

_MODEL_KEYS = (*_ASKED_KEYS, _PARAMETERS, METADATA, INPUTS, NAMED_MODEL, semconv.REQUEST_MODEL)
"""Where `_asked_model` looks."""


def _translated(read: Callable[[Span], str | None]) -> Callable[[Span], str | None]:
    """What MLflow's own reader finds, in its scope only."""
    return lambda span: read(span) if span.scope.startswith(SCOPE) else None


MLFLOW_TRANSLATED = Convention(
    name="mlflow_genai",
    version="3.17",
    heads=frozenset({"gen_ai"}),
    role=_translated_role,
    texts={Role.MODEL: (_VARIABLES,)},
    facts=(
        says(MODEL, Rule(_ASKED.where, _translated(_asked_model), _MODEL_KEYS)),
        says(
            RESPONSE_MODEL,
            Rule(semconv.REQUEST_MODEL, _translated(_answering_model), (*_MODEL_KEYS, OUTPUTS, semconv.RESPONSE_MODEL)),
        ),
    ),
)
"""Spans of MLflow after its translation to `gen_ai.*`."""
