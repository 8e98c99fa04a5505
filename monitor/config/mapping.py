"""The settings of mappings: how spans of a tracer that no convention knows are read. `traces/mappings.py` uses them.

Each field of `MappedFields` is one of `traces/reading.py`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from monitor.config.section import Section

_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$"
_MAX_KEY = 256
_MAX_STEPS = 16

Key = Annotated[str, Field(min_length=1, max_length=_MAX_KEY)]
Pattern = Annotated[str, Field(min_length=1, max_length=_MAX_KEY)]
"""Text in which `*` stands for any characters and `?` for one."""


def parse_path(value: object) -> object:
    """The steps of a path: `reply.0.text` is the member `text` of the first item of the member `reply`.

    A position alone is a number in YAML, and so it is taken; `1.10` is another number there and has to be in quotes.
    """
    match value:
        case None | "":
            return ()
        case bool() | float():
            msg = "is no path as YAML reads it; put it in quotes"
            raise ValueError(msg)
        case str() | int():
            return tuple(str(value).split("."))
        case _:
            return value


def parse_places(value: object) -> object:
    """A list of places from one place or a list; an attribute key alone is a place."""
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(item if isinstance(item, dict | Section) else {"attribute": item} for item in listed)


Steps = Annotated[tuple[Key, ...], BeforeValidator(parse_path), Field(max_length=_MAX_STEPS)]


class Place(Section):
    """Where a field stands: an attribute, and maybe a path into its value."""

    attribute: Key = Field(description="Key of the attribute. `KEY.*` reads the flattened list `KEY.0.a`, `KEY.1.a`.")
    path: Steps = Field((), description="Path in its JSON: names and positions with dots, such as `reply.0.text`.")
    event: Key | None = Field(None, description="Name of an event that has the attribute; the last of that name.")
    resource: bool = Field(default=False, description="Whether it is an attribute of the resource, not of the span.")

    @model_validator(mode="after")
    def _one_holder(self) -> Place:
        if self.event is not None and self.resource:
            msg = "give event or resource, not both"
            raise ValueError(msg)
        return self


class DocumentPlace(Place):
    """Where a list of documents stands. Without `text`, `id` and `score` the usual shapes of documents are known."""

    text: Steps = Field((), description="Path of the text in each item; items that are texts need none.")
    id: Steps = Field((), description="Path of the id in each item.")
    score: Steps = Field((), description="Path of the score in each item; larger must be better.")


Places = Annotated[tuple[Place, ...], BeforeValidator(parse_places), Field(min_length=1, max_length=10)]
DocumentPlaces = Annotated[tuple[DocumentPlace, ...], BeforeValidator(parse_places), Field(min_length=1, max_length=10)]


class When(Section):
    """Which spans are meant: those that fulfil all that is given. `*` in a text stands for any characters."""

    service: Pattern | None = Field(None, description="`service.name` of the resource.")
    name: Pattern | None = Field(None, description="Name of the span.")
    scope: Pattern | None = Field(None, description="Name of the instrumentation scope.")
    attributes: dict[Key, StrictStr | StrictBool | StrictInt | StrictFloat] = Field(
        {}, description="Attributes with their values; `*` alone: whatever the value."
    )

    @model_validator(mode="after")
    def _something(self) -> When:
        if self.service is self.name is self.scope is None and not self.attributes:
            msg = "give at least one of service, name, scope, attributes; a mapping of all spans would hide conventions"
            raise ValueError(msg)
        return self


class MappedFields(Section):
    """Where the fields stand: an attribute key, a place, or a list of those, best first."""

    question: Places | None = Field(None, description="The user's words; of a chain.")
    answer: Places | None = Field(None, description="What the user got; of a chain.")
    stated_question: Places | None = Field(None, description="As `question`, but said by any span of the request.")
    stated_answer: Places | None = Field(None, description="As `answer`, but said by any span of the request.")
    query: Places | None = Field(None, description="What a retriever was asked.")
    documents: DocumentPlaces | None = Field(
        None,
        description="What a retriever, reranker or tool gave, a chain handed on, or a model was given beside its "
        "prompt; [] is nothing.",
    )
    prompt: Places | None = Field(None, description="What a model was given: messages or one text.")
    output: Places | None = Field(None, description="What a model replied: a message or a text.")
    variables: Places | None = Field(None, description="What was filled into a prompt, by name; of a model or step.")
    result: Places | None = Field(None, description="What a tool gave that is no list of documents.")
    model: Places | None = Field(None, description="The requested model.")
    response_model: Places | None = Field(None, description="The model that answered.")
    response_id: Places | None = Field(None, description="Id of the model's reply, which feedback may name.")
    session_id: Places | None = Field(None, description="Conversation.")
    user_id: Places | None = Field(None, description="User.")
    tenant: Places | None = Field(None, description="Customer, for slices.")
    app_version: Places | None = Field(None, description="Version of the application, before `service.version`.")
    environment: Places | None = Field(None, description="Environment, before `deployment.environment.name`.")
    prompt_version: Places | None = Field(None, description="Version of the prompt.")
    knowledge_base: Places | None = Field(None, description="Name or version of the knowledge base.")
    input_tokens: Places | None = Field(None, description="Tokens that a model call read.")
    output_tokens: Places | None = Field(None, description="Tokens that a model call wrote.")
    failure: Places | None = Field(None, description="Why the span failed; only a span that failed may have it.")


class MappedSpans(Section):
    """One kind of spans: which they are, the part that they play, and where their fields stand."""

    when: When = Field(description="Which spans are meant.")
    role: (
        Literal["chain", "retriever", "reranker", "model", "tool", "step", "guardrail", "evaluator", "other"] | None
    ) = Field(None, description="The part that they play; none: as the conventions say, and only fields are added.")
    fields: MappedFields = Field(MappedFields(), description="Where their fields stand.")

    @model_validator(mode="after")
    def _something(self) -> MappedSpans:
        if self.role is None and not self.fields.model_fields_set:
            msg = "give a role, fields, or both"
            raise ValueError(msg)
        return self


def _as_text(value: Any) -> Any:  # noqa: ANN401 - as it stands in the file
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class TracerMapping(Section):
    """How one tracer writes requests into spans: tried before every convention that ragmon knows."""

    name: str = Field(pattern=_NAME, description="Bounded word; requests carry `NAME@VERSION` as their convention.")
    version: Annotated[str, BeforeValidator(_as_text)] = Field(
        pattern=_NAME, description="Of the mapping: raise it with each change of what it reads."
    )
    spans: tuple[MappedSpans, ...] = Field(min_length=1, max_length=100, description="The kinds of spans.")


class MappingFile(Section):
    """What a file of `mapping_files` holds."""

    mappings: tuple[TracerMapping, ...] = Field(min_length=1, description="Mappings, as in the configuration itself.")


_READ_OF: Mapping[str, tuple[str, ...]] = {
    "query": ("retriever", "reranker"),
    "documents": ("retriever", "reranker", "tool", "chain", "model"),
    "prompt": ("model", "chain"),
    "output": ("model", "chain"),
    "variables": ("model", "chain", "step"),
    "result": ("tool",),
}
"""The roles of whose spans these fields are looked at; all others are of the spans of any role."""


def unread_fields(mappings: Sequence[TracerMapping]) -> Iterator[str]:
    """A sentence for each field that is mapped in spans of a role of which nobody reads it."""
    for mapping in mappings:
        for number, kind in enumerate(mapping.spans):
            for name in sorted(kind.fields.model_fields_set):
                roles = _READ_OF.get(name, ())
                if kind.role is not None and roles and kind.role not in roles:
                    readers = " or ".join(roles)
                    yield (
                        f"mapping {mapping.name}: spans[{number}] gives `{name}` of a {kind.role}, and it is only read "
                        f"of a {readers}"
                    )
