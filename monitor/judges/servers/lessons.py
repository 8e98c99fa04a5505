"""What a refused request should have said otherwise: from the words of an error to one lesson.

Read as a table, in its order: an error that names two things means the first one. A server's words are searched, never
kept.
"""

from __future__ import annotations

import re

from monitor.judges.reasons import Lesson, Reason

_REFUSES = re.compile(
    r"not (?:be )?(?:supported|allowed|permitted|available|enabled|compatible|possible)|may not|no longer|cannot"
    r"|un(?:supported|known|recognized|expected|available)|n[o']t support|deprecated"
    r"|extra[_ ](?:inputs|forbidden|fields)"
    r"|only (?:be set|the default|\S+ is allowed|supports?|works?)|must (?:alternate|be one of)|not one of"
    r"|instead\b|requires|incompatible|不支持|不允许|不能",
    re.IGNORECASE,
)
_ANYTHING = re.compile("")
_RANGE = r"\b(?:minimum|maximum|exclusiveM(?:in|ax)imum|multipleOf|(?:min|max)(?:Items|Length))\b"
_TABLE: tuple[tuple[Lesson, str, re.Pattern[str]], ...] = (
    (Lesson.FORCED_TOOL, r"tool[_ ]choice|forces? tool|function_call\b", _REFUSES),
    (Lesson.OUTPUT_LIMIT, r"\bmax_tokens\b|use '?max_completion_tokens", _REFUSES),
    (Lesson.LOGPROBS, r"logprobs", _ANYTHING),
    (Lesson.TEMPERATURE, r"\btemperature\b", _REFUSES),
    (Lesson.SEED, r"\b(?:random_)?seed\b", _REFUSES),
    (Lesson.SYSTEM_ROLE, r"messages(?:\[0\]|\.0)\.role|\broles?\b.{0,40}(?:system|developer|alternate)", _REFUSES),
    (Lesson.SYSTEM_ROLE, r"(?:system|developer) (?:role|message|prompt|instruction)", _REFUSES),
    (Lesson.STRUCTURED, r"json[ _](?:mode|object)|word .?json|support tools\b|tool use", _ANYTHING),
    (Lesson.REASONING, r"\beffort|reasoning|\bthinking|budget_tokens|enable_thinking|chat_template_kwargs", _REFUSES),
    (Lesson.RANGES, rf"(?s:\A(?=.*?{_RANGE}).*?schema)", _REFUSES),
    (Lesson.STRUCTURED, r"response_format|json[ _]?schema|guided_json|structured[ _]output|output_config", _ANYTHING),
    (Lesson.STRUCTURED, r"guided decoding|grammar|output_format|\btools\b|\bfunction call", _ANYTHING),
)
_COMPILED = tuple((lesson, re.compile(subject, re.IGNORECASE), refuses) for lesson, subject, refuses in _TABLE)
_TEACHING = frozenset({400, 403, 404, 422, 500, 501})
"""Some servers answer 500 to a response format or a role; OpenAI 403 to log probabilities, OpenRouter 404 to tools."""


def lesson_of(status: int, reason: Reason, said: str) -> Lesson | None:
    """The lesson in an error that `reason` stands for until then; `said` is all of it that may name a parameter."""
    if status not in _TEACHING or reason not in {Reason.BAD_REQUEST, Reason.SERVER_ERROR, Reason.AUTH}:
        return None
    found = (
        lesson for lesson, subject, refuses in _COMPILED if subject.search(said) is not None and refuses.search(said)
    )
    lesson = next(found, None)
    return None if reason is Reason.AUTH and lesson is not Lesson.LOGPROBS else lesson
