"""Future AGI's traceAI: from 1.0 on `gen_ai.*` with messages taken apart, before that OpenInference under its own kind.

What it writes as the input of a model call is the first message only: the numbered ones go before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.entities import only_texts
from monitor.traces.conventions.keys import member, text_of, texted
from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.conventions.openinference_messages import flat_messages
from monitor.traces.reading import (
    MODEL,
    OUTPUT,
    PROMPT,
    PROMPT_VERSION,
    RESPONSE_MODEL,
    VARIABLES,
    Convention,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.values import as_mapping
from monitor.wire import Span

KIND: Final = semconv.SPAN_KIND
PARAMETERS: Final = "gen_ai.request.parameters"
TEMPLATE_VARIABLES: Final = "gen_ai.prompt.template.variables"
OLD_KIND: Final = "fi.span.kind"
_NAMES: Final = ("model", "model_name")

_ROLES: Mapping[str, Role] = {
    "GUARDRAIL": Role.GUARDRAIL,
    "EVALUATOR": Role.EVALUATOR,
    "CONVERSATION": Role.CHAIN,
    "A2A_CLIENT": Role.CHAIN,
    "A2A_SERVER": Role.CHAIN,
}
"""The kinds that only traceAI has; the others are known to `otel_genai.py`."""


def _role(span: Span) -> Role | None:
    """By the kind; a prompt template has none that is known."""
    kind = text_of(span.attributes, KIND)
    known = _ROLES.get((kind or "").upper())
    return Role.STEP if kind is not None and known is None and TEMPLATE_VARIABLES in span.attributes else known


def _answering_model(span: Span) -> str | None:
    """What stands as the requested model is the answering one, where the parameters name another."""
    asked = text_of(as_mapping(span.attributes.get(PARAMETERS)), *_NAMES)
    named = text_of(span.attributes, semconv.REQUEST_MODEL)
    return named if asked is not None and asked != named else None


def _old_role(span: Span) -> Role | None:
    kind = text_of(span.attributes, OLD_KIND)
    named = replace(span, attributes={**span.attributes, semconv.OI_KIND: kind}) if kind is not None else None
    return None if named is None else OPENINFERENCE.role(named)


FUTURE_AGI = Convention(
    name="future_agi",
    version="1.1",
    heads=frozenset({"gen_ai"}),
    role=_role,
    texts={
        Role.MODEL: (
            says(
                PROMPT,
                Rule(
                    f"{semconv.INPUT_MESSAGES}.N",
                    lambda span: flat_messages(span, semconv.INPUT_MESSAGES) or None,
                    KIND,
                ),
            ),
            says(
                OUTPUT,
                Rule(
                    f"{semconv.OUTPUT_MESSAGES}.N",
                    lambda span: next(iter(flat_messages(span, semconv.OUTPUT_MESSAGES)), None),
                    KIND,
                ),
            ),
        ),
        Role.STEP: (
            says(VARIABLES, attribute(TEMPLATE_VARIABLES, lambda value: only_texts(as_mapping(value)) or None)),
        ),
    },
    facts=(
        says(MODEL, member(PARAMETERS, *_NAMES)),
        says(RESPONSE_MODEL, Rule(semconv.REQUEST_MODEL, _answering_model, PARAMETERS)),
        says(PROMPT_VERSION, texted("gen_ai.prompt.template.version")),
    ),
    marks=(KIND,),
    contents=(f"{semconv.INPUT_MESSAGES}.", f"{semconv.OUTPUT_MESSAGES}.", TEMPLATE_VARIABLES),
    is_json=lambda _span, key: key == TEMPLATE_VARIABLES,
)
"""Spans with `gen_ai.span.kind` and numbered messages."""


def _is_old(span: Span) -> bool:
    return OLD_KIND in span.attributes


FUTURE_AGI_OLD = replace(
    OPENINFERENCE, name="future_agi_old", version="0.1", heads=frozenset({"fi"}), owns=_is_old, role=_old_role
)
"""Spans with `fi.span.kind`."""
