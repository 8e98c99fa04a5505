"""The vocabulary of `conventions/`: the roles of spans, the fields that spans can hold, and the rules that read them.

A convention is data: for each role of a span a table of fields, for each field the rules that find it, best first. The
same tables give the value and say where it stood, so `ragmon extract --explain` cannot tell another story than the
extraction itself.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

from monitor.wire import AttributeValue, Span

T = TypeVar("T")


class Role(enum.StrEnum):
    """The part that a span plays in a request."""

    CHAIN = "chain"
    """A chain, agent or workflow: what the application calls one request, or a step that wraps others."""
    RETRIEVER = "retriever"
    RERANKER = "reranker"
    MODEL = "model"
    TOOL = "tool"
    STEP = "step"
    """Known, but no part of the evidence: embedding, prompt filling, parsing."""
    GUARDRAIL = "guardrail"
    """A check around a request; model calls below it may be checks, too."""
    EVALUATOR = "evaluator"
    """Somebody judging an answer: dropped with everything below it."""
    OTHER = "other"
    """No convention knows it: HTTP servers, databases, the application's own spans."""


WORK: frozenset[Role] = frozenset({Role.RETRIEVER, Role.RERANKER, Role.MODEL, Role.TOOL})
"""Roles whose spans do something for an answer; chains only wrap them."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a span shows it. `text` is None where only its id was recorded."""

    text: str | None = None
    id: str | None = None
    score: float | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message. `role` is `system`, `user`, `assistant` or `tool`, else the sender's own word."""

    role: str
    text: str = ""
    """Its text parts; reasoning, images and tool calls are left out."""
    calls_tool: bool = False
    results: tuple[str, ...] = ()
    """What tools gave back, where the message carries that."""


@dataclass(frozen=True, slots=True, eq=False)
class Field(Generic[T]):
    """Something that a span can say; `T` is the type of its value. Fields are told apart by identity."""

    name: str

    def __repr__(self) -> str:
        return self.name


# texts: what the span itself holds. None means that it does not say; an empty tuple of documents is an empty result
QUESTION: Final[Field[str]] = Field("question")
ANSWER: Final[Field[str]] = Field("answer")
QUERY: Final[Field[str]] = Field("query")
"""What a retriever was asked."""
DOCUMENTS: Final[Field[tuple[Document, ...]]] = Field("documents")
PROMPT: Final[Field[tuple[Message, ...]]] = Field("prompt")
OUTPUT: Final[Field[Message]] = Field("output")
"""What a model replied."""
VARIABLES: Final[Field[Mapping[str, str]]] = Field("variables")
"""Values that were filled into a prompt template, by name."""
RESULT: Final[Field[str]] = Field("result")
"""What a tool gave back, when it is no list of documents."""
TEXTS: Final[tuple[Field[Any], ...]] = (QUESTION, ANSWER, QUERY, DOCUMENTS, PROMPT, OUTPUT, VARIABLES, RESULT)
PASSAGES: Final[Field[tuple[Document, ...]]] = Field("passages")
"""Texts that a step returned as a list: documents when a model was given them. No mapping names them: it says which."""

# facts: what a span says besides, whatever its role
MODEL: Final[Field[str]] = Field("model")
"""The requested model."""
RESPONSE_MODEL: Final[Field[str]] = Field("response_model")
RESPONSE_ID: Final[Field[str]] = Field("response_id")
SESSION_ID: Final[Field[str]] = Field("session_id")
USER_ID: Final[Field[str]] = Field("user_id")
TENANT: Final[Field[str]] = Field("tenant")
APP_VERSION: Final[Field[str]] = Field("app_version")
"""Where a span says it; else the resource's `service.version`."""
ENVIRONMENT: Final[Field[str]] = Field("environment")
"""Where a span says it; else the resource's `deployment.environment.name`."""
PROMPT_VERSION: Final[Field[str]] = Field("prompt_version")
KNOWLEDGE_BASE: Final[Field[str]] = Field("knowledge_base")
INPUT_TOKENS: Final[Field[int]] = Field("input_tokens")
OUTPUT_TOKENS: Final[Field[int]] = Field("output_tokens")
STATED_QUESTION: Final[Field[str]] = Field("stated_question")
"""What the application named as the input of the whole trace, on whichever span."""
STATED_ANSWER: Final[Field[str]] = Field("stated_answer")
FAILURE: Final[Field[str]] = Field("failure")
"""Why the span failed, where its status does not tell: set only on a span that failed."""
FACTS: Final[tuple[Field[Any], ...]] = (
    MODEL,
    RESPONSE_MODEL,
    RESPONSE_ID,
    SESSION_ID,
    USER_ID,
    TENANT,
    APP_VERSION,
    ENVIRONMENT,
    PROMPT_VERSION,
    KNOWLEDGE_BASE,
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    STATED_QUESTION,
    STATED_ANSWER,
    FAILURE,
)


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """One place where a field may stand, and how it is read there."""

    where: str
    """For a person: an attribute key, `llm.input_messages.N`, `event gen_ai.choice`."""
    read: Callable[[Span], T | None]
    """Pure; never raises, whatever the span holds. None when the field does not stand there."""
    needs: str | tuple[str, ...] = ()
    """An attribute, or several, or how some begin or end (`gen_ai.prompt.*`, `*.question`): a span that has none of
    them is not asked, but for `events`. Empty, and no `events`: any span may say it."""
    events: tuple[str, ...] = ()
    """Names of events that may hold it as well: a span that has one of them is asked."""
    lacks: Callable[[Span], str | None] | None = None
    """Of a mapping of the user: what is not where it says, in words; None when all is there. For explanations only."""
    key: Callable[[Span], str | None] | None = None
    """Of a rule that looks at whatever key ends with some name: the one that it read in a span. None: `where` tells."""

    def place(self, span: Span) -> str:
        """Where it found the value in a span."""
        return self.where if self.key is None else self.key(span) or self.where

    @property
    def keys(self) -> tuple[str, ...]:
        """What it needs, as a tuple."""
        return (self.needs,) if isinstance(self.needs, str) else self.needs

    def may_find(self, keys: frozenset[str], events: frozenset[str]) -> bool:
        """Whether it need be asked of a span with these attributes and events."""
        needs_nothing = not self.needs and not self.events
        return needs_nothing or not keys.isdisjoint(self.keys) or not events.isdisjoint(self.events)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a convention's table: a field and its rules, best first. Made by `says`, which checks the types."""

    field: Field[Any]
    rules: tuple[Rule[Any], ...]


def says(field: Field[T], *rules: Rule[T]) -> Entry:
    """The field is found by these rules: the first value that is not None counts."""
    return Entry(field, rules)


def attribute(key: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """One attribute of the span, read as `read` does; unset ones are passed over."""

    def read_it(span: Span) -> T | None:
        value = span.attributes.get(key)
        return None if value is None else read(value)

    return Rule(key, read_it, key)


def _never(_span: Span) -> bool:
    return False


def _says_nothing(_span: Span) -> None:
    return None


def _no_json(_span: Span, _key: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, eq=False)
class Convention:
    """One way of writing LLM applications into spans."""

    name: str
    """Bounded word, as it stands in `RagTrace.convention`."""
    version: str
    """Of the mapping: raised with each change of what it reads."""
    heads: frozenset[str]
    """First parts of attribute keys and event names (`gen_ai` of `gen_ai.request.model`) that its spans carry: it is
    asked about no other span. Empty: about every span."""
    role: Callable[[Span], Role | None]
    """The role of the span; None when the convention does not know it. Pure; never raises."""
    texts: Mapping[Role, Sequence[Entry]] = field(default_factory=dict)
    """What spans of a role hold, the role being the settled one (maybe by another convention)."""
    facts: Sequence[Entry] = ()
    """What spans of any role say besides."""
    contents: tuple[str, ...] = ()
    """Prefixes of the attribute keys that hold contents: a limit may have cut those."""
    is_json: Callable[[Span, str], bool] = _no_json
    """Whether a content under this key is JSON by the convention, so that it is damaged when it breaks off."""
    hides: Callable[[Span], bool] = _never
    """Whether the span shows that its producer hides contents on purpose."""
    marks: tuple[str, ...] = ()
    """Attributes, or how some begin (`gen_ai.prompt.*`): the role of a span without any of them, whether it hides its
    contents and whether it runs beside another one are never told by this convention. Empty: of any span they may be.
    """
    runs_beside: Callable[[Span, Span], bool] | None = None
    """Whether a span, the first one, hangs below the other though both ran side by side. None: spans hang rightly."""
    owns: Callable[[Span], bool] | None = None
    """Whether the span is its library's, by its scope or by marks that only the library sets. For a convention whose
    heads or keys others write as well (`input`, `events`, `entity.*`): it is asked nothing about what is not its own.
    None: the heads tell.
    """
    rivals: frozenset[str] = frozenset()
    """Heads of others whose spans some processors translate into this convention."""
    disowns: Callable[[Span], bool] = _never
    """Whether a span with such a head is another's, and what it holds of this convention only a translation."""
    adds_up: Callable[[Span], bool] = _never
    """Whether each of the model calls right below the span counts the tokens of those before it, too."""
    matches: Callable[[Span], bool] | None = None
    """Of a mapping of the user: whether the span is meant. Others have `heads` only."""
    shows: Callable[[Span], bool | None] = _says_nothing
    """For conventions that write contents unless they are told not to: whether they stand in the span. False is a span
    that should hold some and does not, None one that may well be without. A trace with a False and no True hides them.
    """

    @property
    def may_hide(self) -> bool:
        """Whether it has anything to say on contents that are hidden on purpose."""
        return self.hides is not _never

    @property
    def may_show(self) -> bool:
        """Whether it has anything to say on contents that are missing."""
        return self.shows is not _says_nothing

    def rules(self, role: Role, field: Field[T]) -> tuple[Rule[T], ...]:
        """The rules for a field of a span of this role; empty when the convention does not have it there."""
        for entry in (*self.texts.get(role, ()), *self.facts):
            if entry.field is field:
                return entry.rules
        return ()

    def all_rules(self) -> Iterator[Rule[Any]]:
        """Those of all fields and roles."""
        return (rule for entries in (*self.texts.values(), self.facts) for entry in entries for rule in entry.rules)


class Found(NamedTuple, Generic[T]):
    """A value, and where it stood. A tuple, as thousands are made each second."""

    value: T
    span: Span
    where: str
    """The rule's words."""
    convention: str
    """Name of the convention that has the rule; empty for what stands in the resource."""
    field: Field[Any] | None = None
    """What was looked for; None for what no rule of a convention reads."""
