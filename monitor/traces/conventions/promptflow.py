"""Prompt flow of Azure: traced functions with `inputs` and `output`, and a type each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import counted, member, text_of, texted
from monitor.traces.conventions.recorded import Recorded, decoded
from monitor.traces.documents import read_documents
from monitor.traces.exchange import read_reply
from monitor.traces.reading import (
    DOCUMENTS,
    INPUT_TOKENS,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    QUERY,
    RESPONSE_MODEL,
    Convention,
    Entry,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.wire import Span

KIND: Final = "span_type"
_FRAMEWORK: Final = "framework"
_FOUND: Final = "retrieval.documents"
_QUERY: Final = "retrieval.query"
_SPOKEN: Final = "llm.generated_message"
"""What a streamed reply came to."""
_VALUES: Final = Recorded("inputs", "output")
_ROLES: Mapping[str, Role] = {"LLM": Role.MODEL, "Retrieval": Role.RETRIEVER, "Embedding": Role.STEP}
"""All other types are functions of the application."""


def _owns(span: Span) -> bool:
    """The type is a plain word: the framework says whose it is."""
    return span.attributes.get(_FRAMEWORK) == "promptflow"


def _role(span: Span) -> Role | None:
    kind = text_of(span.attributes, KIND)
    return None if kind is None else _ROLES.get(kind) or _VALUES.role(span)


def _texts() -> dict[Role, tuple[Entry, ...]]:
    texts = {role: tuple(entries) for role, entries in _VALUES.texts().items()}
    (prompt, output), (query, found) = texts[Role.MODEL], texts[Role.RETRIEVER]
    spoken = Rule(_SPOKEN, lambda span: read_reply(decoded(span, _SPOKEN)), _SPOKEN)
    retrieval = (
        says(QUERY, texted(_QUERY), *query.rules),
        says(DOCUMENTS, attribute(_FOUND, read_documents), *found.rules),
    )
    return {**texts, Role.MODEL: (prompt, says(OUTPUT, spoken, *output.rules)), Role.RETRIEVER: retrieval}


PROMPTFLOW = Convention(
    name="promptflow",
    version="1.18",
    heads=frozenset({KIND}),
    role=_role,
    owns=_owns,
    texts=_texts(),
    facts=(
        says(MODEL, member(_VALUES.asked, "model")),
        says(RESPONSE_MODEL, texted("llm.response.model")),
        says(INPUT_TOKENS, counted("llm.usage.prompt_tokens")),
        says(OUTPUT_TOKENS, counted("llm.usage.completion_tokens")),
    ),
    contents=(_VALUES.asked, _VALUES.returned, _FOUND, _SPOKEN),
    is_json=lambda _span, key: key in {_VALUES.asked, _VALUES.returned, _FOUND},
)
"""Spans with `span_type`."""
