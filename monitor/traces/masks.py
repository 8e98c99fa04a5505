"""Marks that an application's own mask, a span processor or a Collector puts in place of contents.

Libraries let the application replace values by a function, and a Collector replaces them by a rule of its own, so there
is no mark of any convention to look for, only the usual words. A mark inside a longer text is no hidden content: there
a name or a number was taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from monitor.traces.documents import read_retrieved
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PASSAGES,
    PROMPT,
    QUERY,
    QUESTION,
    RESULT,
    STATED_ANSWER,
    STATED_QUESTION,
    Document,
    Field,
    Message,
)
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue

TEXT_FIELDS: tuple[Field[Any], ...] = (
    STATED_QUESTION, STATED_ANSWER, QUESTION, ANSWER, QUERY, DOCUMENTS, PASSAGES, PROMPT, OUTPUT, RESULT,
)  # fmt: skip
"""The fields of a span that a mark can stand in place of."""
_WORDS = ("redacted", "masked", "***", "hidden", "scrubbed", "filtered", "omitted", "███")
_MARK = re.compile(
    r"<fully masked due to failed mask function>|redacted-by-litellm|hidden:(?:non-)?empty|\*{3,}|█{3,}"
    r"|[\[<({*_]*(?:content[ _])?(?:redacted|masked)[\]>)}*_]*|[\[<(](?:contents? )?(?:hidden|filtered|omitted)[\]>)]"
    r"|[\[<][^\[\]<>]{0,40}(?:redacted|scrubbed)[^\[\]<>]{0,40}[\]>]",
    re.IGNORECASE,
)
_LONGEST = 120
"""Characters that no mark is longer than."""


def may_hold_mark(value: AttributeValue) -> bool:
    """Whether a mark may stand somewhere in a value, by a plain search: the reason to read it."""
    waiting = [value]
    while waiting:  # no recursion: a hostile value may be nested deeply
        one = waiting.pop()
        if isinstance(one, str):
            folded = one.lower()  # then plain searches: a pattern that ignores case takes ten times as long
            if [True for word in _WORDS if word in folded]:  # a list is made faster than asked for one by one
                return True
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
    return False


def is_masked(value: AttributeValue) -> bool:
    """Whether a mark stands for a whole content, or for the question, the answer or a document in it."""
    if not isinstance(value, str) or not may_hold_mark(value):
        return False
    read = as_json(value)
    texts = [value, read, question_in(read), answer_in(read)]
    texts += [document.text for document in read_retrieved(read) or ()]
    return _holds_mark(texts)


def stands_for(value: str | Message | Iterable[Message | Document]) -> bool:
    """Whether a mark stands for a text, or for one of several messages or documents, as they were read."""
    return _holds_mark(_texts(value))


def _texts(value: str | Message | Iterable[Message | Document]) -> Iterator[str | None]:
    match value:
        case str():
            yield value
        case Message():
            yield from (value.text, *value.results)
        case _:
            for item in value:
                yield from _texts(item) if isinstance(item, Message) else (item.text,)


def _holds_mark(texts: Iterable[object]) -> bool:
    return any(
        isinstance(text, str) and len(text) < _LONGEST and _MARK.fullmatch(text.strip()) is not None for text in texts
    )
