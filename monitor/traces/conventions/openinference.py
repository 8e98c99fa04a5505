"""OpenInference: flattened `llm.*` and `retrieval.*` attributes beside `input.value` and `output.value`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, numbered, text_of
from monitor.traces.documents import enriched, metadata_score, read_documents, read_result
from monitor.traces.messages import read_message, read_messages
from monitor.traces.reading import Content, Document, Facts, Message, Role
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_float, as_json, as_text
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


class OpenInference:
    """Spans with `openinference.span.kind`."""

    name = "openinference"

    def role(self, span: Span) -> Role | None:
        """By `openinference.span.kind`."""
        kind = span.attributes.get(semconv.OI_KIND)
        return _ROLES.get(kind.upper()) if isinstance(kind, str) else None

    def content(self, span: Span, role: Role) -> Content:
        """Input and output of the span, by its role."""
        reader = _READERS.get(role)
        if reader is None or not isinstance(span.attributes.get(semconv.OI_KIND), str):
            return Content()
        return reader(span)

    def facts(self, span: Span) -> Facts:
        """Model and tokens; `llm.model_name` is the answering model in plain calls, the requested one in others."""
        attributes = span.attributes
        named = text_of(attributes, semconv.OI_MODEL)
        parameters = as_json(attributes.get(semconv.OI_PARAMETERS))
        asked = text_of(parameters, "model", "model_name") if isinstance(parameters, dict) else None
        return Facts(
            model=asked or named,
            response_model=named if asked is not None and asked != named else None,
            prompt_version=text_of(attributes, semconv.OI_TEMPLATE_VERSION),
            input_tokens=count_of(attributes, semconv.OI_INPUT_TOKENS),
            output_tokens=count_of(attributes, semconv.OI_OUTPUT_TOKENS),
        )


def _value(span: Span, key: str, type_key: str) -> AttributeValue:
    """Input or output: JSON only where the mime type says so, for a user's text may look like JSON."""
    value = span.attributes.get(key)
    return as_json(value) if span.attributes.get(type_key) == semconv.OI_JSON else value


def _question(span: Span) -> str | None:
    return question_in(_value(span, semconv.OI_INPUT, semconv.OI_INPUT_TYPE))


def _output(span: Span) -> AttributeValue:
    return _value(span, semconv.OI_OUTPUT, semconv.OI_OUTPUT_TYPE)


def _is_json(span: Span, type_key: str) -> bool:
    return span.attributes.get(type_key) == semconv.OI_JSON


def _chain(span: Span) -> Content:
    """A step that is handed documents or returns them shows them, too."""
    sides = ((semconv.OI_OUTPUT, semconv.OI_OUTPUT_TYPE), (semconv.OI_INPUT, semconv.OI_INPUT_TYPE))
    listed = (read_documents(_value(span, *side)) for side in sides if _is_json(span, side[1]))
    output = _output(span)
    cut = _is_json(span, semconv.OI_OUTPUT_TYPE) and isinstance(output, str) and output[:1] in {"{", "["}
    return Content(
        question=None if _input_is_cut(span) else _question(span),
        answer=None if cut else answer_in(output),
        documents=next((documents for documents in listed if documents), None),
    )


def _input_is_cut(span: Span) -> bool:
    value = _value(span, semconv.OI_INPUT, semconv.OI_INPUT_TYPE)
    return _is_json(span, semconv.OI_INPUT_TYPE) and isinstance(value, str) and value[:1] in {"{", "["}


def _model(span: Span) -> Content:
    attributes = span.attributes
    prompt = tuple(map(_message, numbered(attributes, semconv.OI_INPUT_MESSAGES)))
    replies = list(map(_message, numbered(attributes, semconv.OI_OUTPUT_MESSAGES)))
    output = replies[0] if replies else None
    return Content(
        prompt=prompt
        or (read_messages(attributes.get(semconv.OI_INPUT)) if _is_json(span, semconv.OI_INPUT_TYPE) else None),
        output=output if output is not None else _spoken(span),
        variables=_variables(span),
    )


def _spoken(span: Span) -> Message | None:
    """A model's output value, where its messages are not recorded."""
    answer = answer_in(_output(span))
    if answer is None or (_is_json(span, semconv.OI_OUTPUT_TYPE) and answer[:1] in {"{", "["}):
        return None
    return Message("assistant", answer.removeprefix("assistant: "))


def _message(item: Mapping[str, AttributeValue]) -> Message:
    """One flattened message; of several contents the texts."""
    role = text_of(item, "message.role") or ""
    text = as_text(item.get("message.content"))
    if text is None:
        parts = numbered(item, "message.contents")
        texts = [as_text(part.get("message_content.text")) for part in parts]
        text = "\n".join(part for part in texts if part)
    calls = any(key.startswith("message.tool_calls.") for key in item)
    return Message(role, "", calls, (text,)) if role == "tool" else Message(role, text, calls)


def _documents(span: Span, prefix: str) -> tuple[Document, ...] | None:
    """Flattened documents, completed from the output's JSON: LangChain has ids only there."""
    output = read_documents(_output(span)) if _is_json(span, semconv.OI_OUTPUT_TYPE) else None
    flat = tuple(map(_document, numbered(span.attributes, prefix)))
    if flat:
        return enriched(flat, output or ())
    listed = read_documents(span.attributes.get(prefix))
    return listed if listed is not None else output


def _document(item: Mapping[str, AttributeValue]) -> Document:
    score = as_float(item.get("document.score"))
    return Document(
        text=as_text(item.get("document.content")),
        id=text_of(item, "document.id"),
        score=score if score is not None else metadata_score(item.get("document.metadata")),
    )


def _retriever(span: Span) -> Content:
    return Content(query=_question(span), documents=_documents(span, semconv.OI_DOCUMENTS))


def _reranker(span: Span) -> Content:
    query = text_of(span.attributes, semconv.OI_RERANK_QUERY) or _question(span)
    return Content(query=query, documents=_documents(span, semconv.OI_RERANKED))


def _step(span: Span) -> Content:
    return Content(variables=_variables(span))


def _tool(span: Span) -> Content:
    output = _output(span)
    message = read_message(output)
    if message is not None:
        output = "\n".join((message.text, *message.results)).strip()
    documents, result = read_result(output)
    return Content(documents=documents, result=result)


def _variables(span: Span) -> Mapping[str, str] | None:
    read = as_json(span.attributes.get(semconv.OI_TEMPLATE_VARIABLES))
    if not isinstance(read, dict):
        return None
    return {
        name: text for name, value in read.items() if isinstance(value, str) and (text := as_text(value)) is not None
    }


_READERS: Mapping[Role, Callable[[Span], Content]] = {
    Role.CHAIN: _chain,
    Role.MODEL: _model,
    Role.RETRIEVER: _retriever,
    Role.RERANKER: _reranker,
    Role.TOOL: _tool,
    Role.STEP: _step,
}
