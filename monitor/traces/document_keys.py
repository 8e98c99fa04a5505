"""Under which keys the text of a retrieved document stands, in whatever case a language writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from monitor.wire import AttributeValue

TEXT_KEYS: Final = (
    "page_content", "pageContent", "content", "text", "chunk", "body", "document", "passage", "snippet", "chunk_text",
    "text_content", "raw_text", "contents", "excerpt",
)  # fmt: skip
_VALUE: Final = "value"
"""A word for anything: Semantic Kernel's text of a search, beside its link; others' beside an id or a score."""
_BESIDE_VALUE: Final = frozenset({"link", "id", "score"})
_SENTENCE: Final = 20
"""Bytes of UTF-8 from which on a text may be a passage."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snaked(held: Mapping[str, AttributeValue]) -> Mapping[str, AttributeValue]:
    """The members under lower-case names with underscores: .NET writes `PageContent`, JavaScript `textContent`."""
    if all(map(str.islower, held)):
        return held  # the usual case
    return {_HUMP.sub("_", key).lower(): value for key, value in held.items()}


def document_text(held: Mapping[str, AttributeValue]) -> str | None:
    """The text of a document among its members, whose names are in lower case; None when none is known for one."""
    for key in TEXT_KEYS:
        if (text := held.get(key)) is not None and isinstance(text, str):
            return text  # most names are asked for in vain
    text = held.get(_VALUE)
    is_prose = isinstance(text, str) and len(text.encode(errors="replace")) >= _SENTENCE
    return text if isinstance(text, str) and is_prose and not _BESIDE_VALUE.isdisjoint(held) else None
