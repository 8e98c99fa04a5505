"""The shape of the plain record, as `docs/plain-records.md` and `docs/schemas/plain-record.schema.json` tell users.

Every field but `trace_id` may be missing or null. Unknown keys are ignored, wrong types are refused.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

MAX_ID = 128
"""Characters of an id at most."""
MAX_COUNT = 10**6
"""Requests that one record may stand for; `sampling.max_upstream_count` says how many are believed."""

Label = Annotated[str, Meta(max_length=1024)] | int | None
"""A short text; a whole number is taken as its digits."""
Time = str | int | float | None
TokenCount = Annotated[int, Meta(ge=0, le=2**53)] | None


class PlainPassage(Struct):
    """A passage with more than its text."""

    text: str
    id: Label = None
    score: Annotated[float | None, Meta(description="The retriever's own number, in its own scale and direction.")] = (
        None
    )
    source: Annotated[Label, Meta(description="Name of the document: a path, file name, title or address.")] = None


class PlainError(Struct):
    """A failed request in detail."""

    type: Annotated[str, Meta(description="Class name or status, such as `TimeoutError`.")] = "error"
    stage: Annotated[str | None, Meta(description="`retrieval`, `generation` or `request`.")] = None
    message: str | None = None


class PlainFeedback(Struct):
    """What a person said about the answer."""

    name: str | None = None
    score: Annotated[
        bool | float | None,
        Meta(description="A number in your own scale; 0, -1 and false read as negative, 1 as positive."),
    ] = None
    label: Annotated[str | None, Meta(description="A word such as `thumbs_down` or `negative`.")] = None
    comment: str | None = None
    negative: Annotated[bool | None, Meta(description="Says plainly whether it is a complaint.")] = None
    human: Annotated[bool | None, Meta(description="False for the word of an evaluator; default true.")] = None
    response_id: Label = None


class PlainRecord(Struct):
    """One request to a RAG service; or feedback on an earlier one, then without question, answer, contexts, error.

    The setting `source.plain_fields` reads a field from another key or from a dotted path.
    """

    trace_id: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_ID)] | int,
        Meta(
            description="Names the request for good; the same record may come twice. A number is taken as its digits."
        ),
    ]
    question: Annotated[str | None, Meta(description="What the user asked, as typed.")] = None
    answer: Annotated[str | None, Meta(description="What the user was shown.")] = None
    contexts: Annotated[
        list[str | PlainPassage] | UnsetType | None,
        Meta(description="The passages that the model was given, best first. `[]`: nothing found; missing: unknown."),
    ] = UNSET
    search_query: Annotated[str | None, Meta(description="The retriever's query where it is not the question.")] = None
    model: Annotated[Label, Meta(description="The requested model.")] = None
    response_model: Annotated[Label, Meta(description="The model as the server named it.")] = None
    response_id: Annotated[Label, Meta(description="The model's reply; later feedback may name it.")] = None
    error: Annotated[
        bool | str | PlainError | None, Meta(description="Why the request failed; null or false: it did not.")
    ] = None
    session_id: Label = None
    user_id: Label = None
    tenant: Label = None
    app: Annotated[Label, Meta(description="Name of the service.")] = None
    app_version: Label = None
    environment: Label = None
    prompt_version: Label = None
    knowledge_base: Annotated[Label, Meta(description="Name or version of the knowledge base.")] = None
    language: Annotated[
        Annotated[str, Meta(max_length=35)] | None,
        Meta(description="Language tag such as `en` or `zh-CN`; else it is detected."),
    ] = None
    feedback: Annotated[
        bool | float | str | PlainFeedback | list[PlainFeedback] | None,
        Meta(description="One or several, or in short a label, a score, or true (good) and false (bad)."),
    ] = None
    adjusted_count: Annotated[
        Annotated[float, Meta(ge=1, le=MAX_COUNT)] | None,
        Meta(description="Requests that this one stands for after your own sampling."),
    ] = None
    tracestate: Annotated[str | None, Meta(description="W3C tracestate; `ot=th:` gives the sampling rate.")] = None
    truncated: Annotated[bool | None, Meta(description="A text was cut before it came here.")] = None
    redacted: Annotated[bool | None, Meta(description="Texts were hidden on purpose; none of them is used.")] = None
    input_tokens: TokenCount = None
    output_tokens: TokenCount = None
    start_time: Annotated[Time, Meta(description="ISO 8601 (without zone: UTC) or epoch seconds, ms, us or ns.")] = None
    end_time: Annotated[Time, Meta(description="As `start_time`; missing: the record's own timestamp.")] = None
