"""Marks that an application's own mask, anonymiser or span processor puts in place of contents.

Langfuse, LangSmith and MLflow let the application replace values by a function, so there is no mark of theirs to look
for, only the usual words. LiteLLM has one. A mark inside a longer text is no hidden content: there a name or a number
was taken out.
"""

from __future__ import annotations

import re

from monitor.traces.documents import read_retrieved
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue

_WORDS = ("redacted", "masked", "***")
_MARK = re.compile(
    r"<fully masked due to failed mask function>|redacted-by-litellm|[\[<(*_]*(?:redacted|masked)[\]>)*_]*|\*{3,}",
    re.IGNORECASE,
)


def is_masked(value: AttributeValue) -> bool:
    """Whether a mark stands for a whole content, or for the question, the answer or a document in it."""
    if not isinstance(value, str):
        return False
    folded = value.lower()  # then plain searches: a pattern that ignores case takes ten times as long
    if not any(word in folded for word in _WORDS):
        return False
    read = as_json(value)
    texts = [value, read, question_in(read), answer_in(read)]
    texts += [document.text for document in read_retrieved(read) or ()]
    return any(isinstance(text, str) and _MARK.fullmatch(text.strip()) is not None for text in texts)
