"""What every wire API has in common: what is asked, what a reply says, and the Protocol of an adapter."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeGuard

from monitor.judges.replies.doubts import supposes, takes_back
from monitor.judges.replies.strict_json import Json
from monitor.judges.replies.thoughts import spoken
from monitor.judges.servers.dialect import Dialect
from monitor.judges.servers.logprobs import Token
from monitor.records import Usage

_MODEL_NAME = re.compile(r"[!-~]{1,128}")
_DECIDES = re.compile(r"\{|\b(?:verdict|score|rating|severity)\b|判定|评分|得分|结论", re.IGNORECASE)
_RANGES = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "minLength"}
    | {"maxLength", "pattern"}
)
"""Keywords of JSON Schema that some decoders do not know."""


class Prompt(Protocol):
    """What the model is told."""

    @property
    def system(self) -> str:
        """The instructions, the same in every call."""
        ...

    @property
    def user(self) -> str:
        """What they are to be followed on."""
        ...


@dataclass(frozen=True, slots=True)
class Ask:
    """What one call wants: an object of `schema` in answer to `prompt`, which describes the object in words, too."""

    prompt: Prompt
    name: str
    """Name of the schema: letters, digits, `_` and `-`."""
    schema: Mapping[str, object]
    """JSON Schema of the object."""
    output_limit: int
    """Tokens of the reply at most, without room for reasoning."""
    wants_logprobs: bool = False
    """Ask for the probabilities of the reply's tokens; whether they come depends on the server."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A finished reply. `model` is the snapshot that the server named, None when it named none."""

    text: str
    model: str | None
    usage: Usage
    usage_known: bool
    tokens: tuple[Token, ...] = ()
    """The tokens of `text` with their probabilities; empty when they were not wanted, not given or not sound."""


class End(enum.Enum):
    """Why a model stopped, in the words of no provider."""

    DONE = enum.auto()
    LENGTH = enum.auto()
    """The output limit."""
    CONTEXT = enum.auto()
    """The model's context was full."""
    REFUSED = enum.auto()
    BROKEN = enum.auto()
    """The server gave up, or has not finished."""
    UNSAID = enum.auto()
    """The server does not say."""


_ENDS: tuple[tuple[End, re.Pattern[str]], ...] = (
    (End.CONTEXT, re.compile(r"context")),
    (
        End.REFUSED,
        re.compile(
            r"filter|guardrail|safety|sensitive|refus|recitation|block(?:list|ed)|spii|prohibit|toxic|moderat"
            r"|polic|violat|unsafe|harmful|censor|denied|declin|language|敏感|违规|审核|拦截|屏蔽"
        ),
    ),
    (End.LENGTH, re.compile(r"length|max|limit|truncat|incomplete|exceed|exhaust|budget|超长|截断|长度")),
    (
        End.BROKEN,
        re.compile(
            r"error|abort|cancel|malformed|insufficient|fail|time_?out|pause|interrupt|preempt|repetition|unload|kill"
            r"|shut_?down|disconnect|unexpected|exception|overload|compact"
            r"|partial|progress|pending|running|queue|processing|generating|streaming|ongoing|unfinished|not_?(?:done|fin|com)"
            r"|错误|失败|中断|超时|取消|未完成|进行中|生成中"
        ),
    ),
)
"""By a part of the word, as every provider has words of its own (`MAX_TOKENS`, `maxTokens`, `max_new_tokens`). Any
other one is the normal end: the text has to stand on its own anyway."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the body of a success says, before any of it is judged."""

    end: End
    text: str
    """The reply itself: never reasoning."""
    reasoned: bool
    """Whether the model reasoned in a place of its own."""
    usage: Json
    """Token counts under the names of chat completions, everything that is charged included."""
    tokens: tuple[Token, ...] = ()


class Server(Protocol):
    """One wire API as one provider speaks it. Synchronous and pure."""

    def encode(self, ask: Ask, dialect: Dialect) -> bytes:
        """The request body: UTF-8 JSON without NaN."""
        ...

    def read(self, body: Mapping[str, Json], *, wants_logprobs: bool) -> Said | None:
        """What a success says; None for a body that is no reply of this API.

        Probabilities that nobody asked for are not read.
        """
        ...

    def usage(self, body: Mapping[str, Json]) -> Json:
        """The token counts of a body, be it a success or an error; see `Said.usage`."""
        ...


def end_of(*words: Json) -> End:
    """The reason that the finish words of a reply stand for; the first known one counts. What is no word is no end."""
    plain = [word.get("type") if isinstance(word, dict) else word for word in words]  # an object: SGLang
    given = [word for word in plain if word is not None and word != ""]
    lowered = [word.lower() if isinstance(word, str) else "unexpected" for word in given]
    known = (end for word in lowered for end, part in _ENDS if part.search(word))
    return next(known, End.DONE if given else End.UNSAID)


def said_and_called(said: str, called: str) -> str:
    """The arguments of a function call where there is one, else the text.

    What a model says beside a call is commentary, unless it holds an object, speaks of a verdict, or would take one
    back or make it a supposition: then both are shown to the parser, which does not choose between two verdicts.
    """
    if not called:
        return said
    spoken_of = spoken(said)
    if takes_back(spoken_of):
        return f"{called}\n{spoken_of}"
    return f"{said}\n{called}" if _DECIDES.search(said) or supposes(spoken_of) else called


def encoded(body: Mapping[str, object]) -> bytes:
    """An object as UTF-8 JSON; half of a character becomes a question mark. Raises ValueError for NaN."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def merged(fields: Mapping[str, object], more: Mapping[str, object]) -> dict[str, object]:
    """Both, objects inside merged as well; where they disagree `more` counts."""
    together = dict(fields)
    for key, value in more.items():
        inside = together.get(key)
        if isinstance(inside, Mapping) and isinstance(value, Mapping):
            together[key] = merged(inside, value)
        else:
            together[key] = value
    return together


def snapshot_of(value: Json) -> str | None:
    """A model's name as a server says it, None for anything that is none."""
    return value if isinstance(value, str) and _MODEL_NAME.fullmatch(value) else None


def mapping_of(value: Json) -> Mapping[str, Json]:
    """The object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def list_of(value: Json) -> list[Json]:
    """The list, or an empty one for anything else."""
    return value if isinstance(value, list) else []


def is_any_of(value: Json, words: frozenset[str]) -> bool:
    """Whether it is one of these words; what is a list or an object is none."""
    return isinstance(value, str) and value in words


def is_count(value: Json) -> TypeGuard[int]:
    """Whether the value can be a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def sent_schema(schema: object, *, ranges: bool) -> object:
    """The schema as it is sent: without ranges for decoders that know none. They are checked on the verdict anyway."""
    match schema:
        case Mapping() if ranges:
            return schema
        case Mapping():
            return {
                key: {name: sent_schema(item, ranges=False) for name, item in value.items()}
                if key == "properties" and isinstance(value, Mapping)
                else sent_schema(value, ranges=False)
                for key, value in schema.items()
                if key not in _RANGES
            }
        case list() | tuple():
            return [sent_schema(item, ranges=ranges) for item in schema]
        case _:
            return schema
