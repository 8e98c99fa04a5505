"""What the tests of the adapters ask, and how they look at what would be sent."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from monitor.config import judges as judge_settings
from monitor.judges.reasons import Lesson
from monitor.judges.servers.dialect import Dialect
from monitor.judges.servers.providers import first_dialect, provider_of
from monitor.judges.servers.registry import server_of
from monitor.judges.servers.wire import Ask, Said

SCHEMA: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score"],
    "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 5}},
}
SCHEMA_WITHOUT_RANGES: dict[str, object] = SCHEMA | {"properties": {"score": {"type": "integer"}}}


@dataclass(frozen=True, slots=True)
class Words:
    system: str = "Judge. Reply with JSON."
    user: str = "Is it good?"


ASK = Ask(Words(), "criterion", SCHEMA, 300)


def config(**changes: object) -> judge_settings.LlmJudge:
    given: dict[str, object] = {"base_url": "https://judge.example/v1", "model": "m-1"}
    return judge_settings.LlmJudge.model_validate(given | changes)


def dialect_of(settings: judge_settings.LlmJudge, *lessons: Lesson) -> Dialect:
    dialect = first_dialect(settings, provider_of(settings))
    for lesson in lessons:
        after = dialect.after(lesson)
        assert after is not None
        dialect = after
    return dialect


def sent(*lessons: Lesson, ask: Ask = ASK, wants_logprobs: bool = False, **changes: object) -> dict[str, Any]:
    """The body of a call after some lessons."""
    settings = config(**changes)
    ask = dataclasses.replace(ask, wants_logprobs=wants_logprobs)
    body = json.loads(server_of(settings).encode(ask, dialect_of(settings, *lessons)))
    assert isinstance(body, dict)
    return body


def said(body: dict[str, Any], **changes: object) -> Said:
    read = server_of(config(**changes)).read(body, wants_logprobs=True)
    assert read is not None
    return read
