"""Marks that an application's own mask, a span processor or a Collector puts in place of contents.

Libraries let the application replace values by a function, and a Collector replaces them by a rule of its own, so there
is no mark of any convention to look for, only the usual words. A mark inside a longer text is no hidden content: there
a name or a number was taken out. Nor is one among other documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
_WORDS = ("redacted", "masked", "hidden", "scrubbed", "filtered", "omitted")
_MARK = re.compile(
    r"<fully masked due to failed mask function>|(?i:redacted-by-litellm|hidden:(?:non-)?empty)|\*{3,}|█{3,}"
    r"|[\[<({*_]*(?:CONTENT[ _])?(?:REDACTED|MASKED)[\]>)}*_]*"
    r"|(?i:(?:[*_]{0,3}[\[<({]{1,4}|\*{2,3}|_{2,3})[*_]{0,3}(?:content[ _])?(?:redacted|masked)"
    r"(?:[*_]{0,3}[\]>)}]{1,4}[*_]{0,3}|\*{2,3}|_{2,3}))"
    r"|(?i:[\[<(](?:contents? )?(?:hidden|filtered|omitted)[\]>)])"
    r"|(?i:[\[<](?:redacted|scrubbed)(?:[\s_:-]+[^\s\[\]<>?？_:-]{1,40}){0,5}[\]>])"
    r"|(?i:[\[<](?:[^\s\[\]<>?？_:-]{1,40}[\s_:-]+){0,2}(?:redacted|scrubbed)[\]>])"
)
_NESTED = (list, dict)
_WEAK = frozenset("*")
"""What a scene break or a rule of Markdown is made of, too."""
_LONGEST = 120
"""Characters that no mark is longer than."""


def may_hold_mark(values: Iterable[AttributeValue]) -> bool:
    """Whether a mark may stand somewhere in these values, by a plain search: the reason to read them.

    Their texts are searched as one: to begin a search takes as long as to go through a hundred characters.
    """
    texts: list[str] = []
    level: Sequence[AttributeValue] = list(values)
    while level:  # no recursion: a hostile value may be nested deeply
        texts += [one for one in level if isinstance(one, str)]
        level = [inner for one in level if isinstance(one, _NESTED) for inner in _members(one)]
    whole = "\n".join(texts)
    if ("*" in whole and "***" in whole) or (not whole.isascii() and "███" in whole):  # the former is found far sooner
        return True
    folded = whole.lower()  # then plain searches: a pattern that ignores case takes ten times as long
    return bool([True for word in _WORDS if word in folded])  # a list is made faster than asked for one by one


def _members(value: list[AttributeValue] | dict[str, AttributeValue]) -> Iterable[AttributeValue]:
    return value if isinstance(value, list) else value.values()


def is_masked(value: AttributeValue) -> bool:
    """Whether a mark stands for a whole content, or for the question, the answer or all documents in it."""
    if not isinstance(value, str) or not may_hold_mark((value,)):
        return False
    read = as_json(value)
    if any(map(_is_mark, (value, read, question_in(read), answer_in(read)))):
        return True
    return _are_marks(document.text for document in read_retrieved(read) or ())


def any_masked(key: str, values: Sequence[AttributeValue]) -> bool:
    """Whether marks stand for the values of a key, of which each is a message, a document or a content of its own.

    One document may be no more than a scene break, or the one secret that a rule took out: the others are shown.
    """
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    if texts and all(map(is_masked, texts)):
        return True
    return "document" not in key and any(is_masked(text) and not _is_weak(text) for text in texts)


def stands_for(value: str | Message | Iterable[Message | Document]) -> bool:
    """Whether a mark stands for a text, for one of several messages or for all documents, as they were read.

    Asterisks alone are one only as the last words of a user, or as all that was said.
    """
    if isinstance(value, str):
        return _is_mark(value)
    items = (value,) if isinstance(value, Message) else tuple(value)
    messages = [item for item in items if isinstance(item, Message)]
    texts = [text for message in messages for text in (message.text, *message.results)]
    if any(_is_mark(text) and not _is_weak(text) for text in texts) or _are_marks(texts):
        return True
    asked = [message.text for message in messages if message.role == "user" and message.text.strip()]
    return _are_marks(asked[-1:]) or _are_marks(item.text for item in items if isinstance(item, Document))


def hides(texts: Iterable[str | None], passages: Iterable[str]) -> bool:
    """Whether a mark stands for one of the texts of a request that says them plainly, or for all its passages."""
    return any(map(_is_mark, texts)) or _are_marks(passages)


def is_withheld(text: str) -> bool:
    """Whether a document's text is a mark that says so, and no rule between two passages."""
    return _is_mark(text) and not _is_weak(text)


def _is_weak(text: str) -> bool:
    """Whether it may be a rule or a scene break."""
    return _WEAK.issuperset(text.strip())


def _are_marks(texts: Iterable[str | None]) -> bool:
    """Whether there are texts, and all of them are marks."""
    said = [text for text in texts if text is not None and text.strip()]
    return bool(said) and all(map(_is_mark, said))


def _is_mark(text: object) -> bool:
    return isinstance(text, str) and len(text) < _LONGEST and _MARK.fullmatch(text.strip()) is not None
