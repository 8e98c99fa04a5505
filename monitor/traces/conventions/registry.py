"""The conventions in use, in order: the first that knows a span gives its role, the first that has a value gives it.

To add one: write its file with a `Convention`, and name it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from monitor.traces.conventions.agenta import AGENTA
from monitor.traces.conventions.agentops import AGENTOPS
from monitor.traces.conventions.aws_distro import AWS_DISTRO
from monitor.traces.conventions.aws_knowledge import AWS_KNOWLEDGE
from monitor.traces.conventions.azure_agents import AZURE_AGENTS
from monitor.traces.conventions.braintrust import BRAINTRUST
from monitor.traces.conventions.confident import CONFIDENT
from monitor.traces.conventions.cozeloop import COZELOOP
from monitor.traces.conventions.datadog import DATADOG
from monitor.traces.conventions.fiddler import FIDDLER
from monitor.traces.conventions.future_agi import FUTURE_AGI, FUTURE_AGI_OLD
from monitor.traces.conventions.galileo import GALILEO
from monitor.traces.conventions.generic import GENERIC
from monitor.traces.conventions.genkit import GENKIT
from monitor.traces.conventions.google_adk import GOOGLE_ADK
from monitor.traces.conventions.haystack import HAYSTACK
from monitor.traces.conventions.honeyhive import HONEYHIVE
from monitor.traces.conventions.input_output import INPUT_OUTPUT
from monitor.traces.conventions.judgment import JUDGMENT
from monitor.traces.conventions.laminar import LAMINAR
from monitor.traces.conventions.langfuse import LANGFUSE
from monitor.traces.conventions.langsmith import LANGSMITH
from monitor.traces.conventions.langtrace import LANGTRACE
from monitor.traces.conventions.langwatch import LANGWATCH
from monitor.traces.conventions.livekit import LIVEKIT
from monitor.traces.conventions.llama_index import LLAMA_INDEX
from monitor.traces.conventions.llama_stack import LLAMA_STACK
from monitor.traces.conventions.mastra import MASTRA
from monitor.traces.conventions.mirascope import MIRASCOPE
from monitor.traces.conventions.mlflow import MLFLOW, MLFLOW_TRANSLATED
from monitor.traces.conventions.monocle import MONOCLE
from monitor.traces.conventions.netra import NETRA
from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.conventions.openlit import OPENLIT
from monitor.traces.conventions.otel_genai import OTEL_GENAI
from monitor.traces.conventions.pipecat import PIPECAT
from monitor.traces.conventions.promptflow import PROMPTFLOW
from monitor.traces.conventions.pydantic_ai import PYDANTIC_AI
from monitor.traces.conventions.quarkus import QUARKUS
from monitor.traces.conventions.spring_ai import SPRING_AI
from monitor.traces.conventions.strands import STRANDS
from monitor.traces.conventions.traceloop import TRACELOOP
from monitor.traces.conventions.traceloop_sequences import TRACELOOP_SEQUENCES
from monitor.traces.conventions.trulens import TRULENS
from monitor.traces.conventions.vector_stores import VECTOR_STORES
from monitor.traces.conventions.vercel import VERCEL
from monitor.traces.conventions.voltagent import VOLTAGENT
from monitor.traces.reading import FACTS, PASSAGES, TEXTS, Convention, Field, Found, Role, Rule, T
from monitor.wire import Span

Rules = Sequence[tuple[Rule[Any], frozenset[str], str]]
"""Rules for one field, best first, each with the attributes that it needs and the name of its convention."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What some conventions read in spans of a role."""

    rules: Mapping[Field[Any], Rules]
    anywhere: frozenset[Field[Any]]
    """Fields with a rule that no key gives away."""
    by_key: Mapping[str, frozenset[Field[Any]]]
    """The other fields, by the attributes that their rules need."""
    beside: tuple[Callable[[Span, Span], bool], ...] = ()
    """What tells whether such a span runs beside the one that it hangs below, of the conventions that have it."""

    def sayable(self, span: Span) -> frozenset[Field[Any]]:
        """The fields that the span may hold, by the keys of its attributes: it need not be asked for others."""
        found = [fields for key in span.attributes if (fields := self.by_key.get(key)) is not None]
        return self.anywhere.union(*found) if found else self.anywhere


CONVENTIONS: tuple[Convention, ...] = (
    AWS_DISTRO,
    OPENINFERENCE,
    FUTURE_AGI_OLD,
    DATADOG,
    TRULENS,
    HAYSTACK,
    MLFLOW,
    LANGFUSE,
    LANGSMITH,
    MLFLOW_TRANSLATED,
    TRACELOOP_SEQUENCES,
    TRACELOOP,
    OPENLIT,
    VERCEL,
    SPRING_AI,
    PYDANTIC_AI,
    STRANDS,
    GOOGLE_ADK,
    GENKIT,
    LANGTRACE,
    LANGWATCH,
    LAMINAR,
    BRAINTRUST,
    MASTRA,
    VOLTAGENT,
    LLAMA_INDEX,
    LLAMA_STACK,
    LIVEKIT,
    PIPECAT,
    AGENTOPS,
    MIRASCOPE,
    NETRA,
    MONOCLE,
    HONEYHIVE,
    AGENTA,
    CONFIDENT,
    COZELOOP,
    PROMPTFLOW,
    GALILEO,
    AZURE_AGENTS,
    FUTURE_AGI,
    JUDGMENT,
    QUARKUS,
    OTEL_GENAI,
    FIDDLER,
    VECTOR_STORES,
    AWS_KNOWLEDGE,
    INPUT_OUTPUT,
    GENERIC,
)


def conventions_of(span: Span, known: Sequence[Convention] = CONVENTIONS) -> tuple[Convention, ...]:
    """Those of the conventions that may have written the span, in their order: by the heads of its keys."""
    heads = {key.partition(".")[0] for key in span.attributes}
    if span.events:
        heads.update([event.name.partition(".")[0] for event in span.events])
    index = _index_of(tuple(known))
    listed = index.listed(index.heads & heads)
    foreign = [one for one, is_meant in listed.choosy if not is_meant(span)]
    return tuple([one for one in listed.conventions if one not in foreign]) if foreign else listed.conventions


@dataclass(frozen=True, slots=True)
class _Listed:
    """The conventions for spans of some heads; `choosy`: those of them that are for some of these spans only."""

    conventions: tuple[Convention, ...]
    choosy: tuple[tuple[Convention, Callable[[Span], bool]], ...]
    """Each with what tells whether a span is meant."""


class _Index:
    """Some conventions by the heads of their spans."""

    def __init__(self, known: tuple[Convention, ...]) -> None:
        self._known = known
        self.heads: frozenset[str] = frozenset().union(*[one.heads | one.rivals for one in known])
        """Those that tell anything: a span may hold any others."""
        self.listed = lru_cache(maxsize=1024)(self._listed)  # a bound, as a hostile span may claim any mixture

    def _listed(self, heads: frozenset[str]) -> _Listed:
        chosen = tuple([one for one in self._known if not one.heads or not one.heads.isdisjoint(heads)])
        return _Listed(chosen, tuple([(one, told) for one in chosen for told in _tellers(one, heads)]))


def _tellers(one: Convention, heads: frozenset[str]) -> Iterator[Callable[[Span], bool]]:
    """What tells of spans with these heads whether the convention is meant; nothing where the heads tell."""
    yield from (told for told in (one.matches, one.owns) if told is not None)
    if not one.rivals.isdisjoint(heads):
        yield lambda span: not one.disowns(span)


@lru_cache(maxsize=16)
def _index_of(known: tuple[Convention, ...]) -> _Index:
    return _Index(known)


def read_role(span: Span, conventions: Sequence[Convention]) -> tuple[Role, str]:
    """The role of a span and the name of the convention that gave it; `other` and an empty name when none did."""
    for convention in conventions:
        role = convention.role(span)
        if role is not None:
            return role, convention.name
    return Role.OTHER, ""


def look(span: Span, field: Field[T], rules: Rules) -> Found[T] | None:
    """The first value of a field that one of its rules finds."""
    present = span.attributes.keys()
    for rule, needed, convention in rules:
        if not needed or not present.isdisjoint(needed):
            value = rule.read(span)
            if value is not None:
                return Found(value, span, rule.place(span), convention, field)
    return None


@lru_cache(maxsize=1024)  # a bound, as a hostile span may claim any mixture of conventions
def plan_of(conventions: tuple[Convention, ...], role: Role) -> Plan:
    """What these conventions read in spans of a role, by field, best first."""
    rules: dict[Field[Any], list[tuple[Rule[Any], frozenset[str], str]]] = {}
    for convention in conventions:
        for field in (*TEXTS, PASSAGES, *FACTS):
            listed = [(rule, frozenset(rule.keys), convention.name) for rule in convention.rules(role, field)]
            rules.setdefault(field, []).extend(listed)
    by_key: dict[str, frozenset[Field[Any]]] = {}
    anywhere = set()
    for field, found in rules.items():
        for _, needed, _ in found:
            if not needed:
                anywhere.add(field)
            for key in needed:
                by_key[key] = by_key.get(key, frozenset()) | {field}
    beside = tuple([one.runs_beside for one in conventions if one.runs_beside is not None])
    return Plan({field: tuple(found) for field, found in rules.items() if found}, frozenset(anywhere), by_key, beside)
