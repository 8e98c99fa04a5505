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
    text_of,
    texted,
)
from monitor.traces.conventions.openinference_documents import documents_of, flat_documents, handed
from monitor.traces.conventions.openinference_messages import prompt, prompt_in_input, reply, spoken
from monitor.traces.conventions.openinference_values import (
    chain_answer,
    chain_question,
    is_json,
    is_json_key,
    output_of,
    question,
)
from monitor.traces.documents import is_repr, read_passages, read_result
from monitor.traces.exchange import Answering, read_answering
from monitor.traces.messages import read_message
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
    Entry,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.values import as_json, as_mapping, as_text
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
        return read(read_answering(output_of(span))) if span.attributes.get(semconv.OI_KIND) == "LLM" else None

    return Rule(semconv.OI_OUTPUT, said, semconv.OI_OUTPUT)


def _generated(span: Span) -> str | None:
    """The answer of a call that retrieved and generated at once (Bedrock): it names a model and replies with a text."""
    if semconv.OI_MODEL not in span.attributes or is_json(span, semconv.OI_OUTPUT):
        return None
    answer = text_of(span.attributes, semconv.OI_OUTPUT)
    return None if answer is None or is_repr(answer) else answer


def _knowledge_base(span: Span) -> str | None:
    """Bedrock's, among the parameters of a retrieval."""
    parameters = as_mapping(span.attributes.get(semconv.OI_PARAMETERS))
    configured = as_mapping(parameters.get("retrieveAndGenerateConfiguration"))
    return text_of({**as_mapping(configured.get("knowledgeBaseConfiguration")), **parameters}, _KNOWLEDGE_BASE_ID)


def _tool_output(span: Span) -> AttributeValue:
    output = output_of(span)
    message = read_message(output)
    return output if message is None or message.role == "tool" else "\n".join((message.text, *message.results)).strip()


def _variables(span: Span) -> Mapping[str, str] | None:
    read = as_json(span.attributes.get(semconv.OI_TEMPLATE_VARIABLES))
    if not isinstance(read, dict):
        return None
    return {
        name: text for name, value in read.items() if isinstance(value, str) and (text := as_text(value)) is not None
    }


def _retrieval(prefix: str, *queries: Rule[str]) -> tuple[Entry, ...]:
    where = f"{prefix}.N, {semconv.OI_OUTPUT}"
    return (
        says(QUERY, *queries, Rule(semconv.OI_INPUT, question)),
        says(DOCUMENTS, Rule(where, lambda span: documents_of(span, prefix))),
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
                Rule(semconv.OI_INPUT, chain_question),
                Rule(calls.CREW_TASKS, calls.only_task, calls.CREW_TASKS),
            ),
            says(ANSWER, Rule(semconv.OI_OUTPUT, chain_answer)),
            says(
                DOCUMENTS,
                Rule(f"{semconv.OI_DOCUMENTS}.N", lambda span: flat_documents(span, semconv.OI_DOCUMENTS) or None),
                handed(semconv.OI_OUTPUT),
                handed(semconv.OI_INPUT),
            ),
            says(PASSAGES, attribute(semconv.OI_OUTPUT, read_passages)),
        ),
        Role.MODEL: (
            says(
                PROMPT,
                Rule(f"{semconv.OI_INPUT_MESSAGES}.N", prompt),
                Rule(f"{semconv.OI_PROMPTS}.N", calls.prompts),
                Rule(semconv.OI_INPUT, prompt_in_input),
            ),
            says(
                OUTPUT,
                Rule(f"{semconv.OI_OUTPUT_MESSAGES}.N", reply),
                Rule(f"{semconv.OI_CHOICES}.N", calls.completion),
                Rule(semconv.OI_OUTPUT, spoken),
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
    is_json=is_json_key,
    hides=calls.hides,
)
"""Spans with `openinference.span.kind`."""
