"""Finding texts inside a prompt that may have wrapped, escaped, quoted or shortened them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

_FILLER = re.compile(r"[\W_]+")
_LONG = 200
"""Letters and digits from which on the first half of a text is as good as the whole: prompts have a budget."""
_HEAD = 64
"""Characters of a text that are looked for before the whole."""
_SEARCHED = 200_000_000
"""Characters, of all searches together, beyond which nothing is looked for."""


def place_all(texts: Sequence[str], prompt: str) -> list[int | None]:
    """Where each text stands in the prompt, as places that can be compared; None for a text that is not there.

    Only letters and digits are compared, so white space, bullets and quotation marks do not count. JSON-escaped texts
    and texts that were cut after their first half are found, too. So many texts in so long a prompt that the search
    would take seconds (texts times characters over 200 million) count as not there.
    """
    if not prompt or len(texts) * len(prompt) > _SEARCHED:
        return [None] * len(texts)
    as_they_are = [_find(text, prompt) for text in texts]
    if all(at >= 0 and any(map(str.isalnum, text)) for text, at in zip(texts, as_they_are, strict=True)):
        return list(as_they_are)  # the usual case, found without rewriting anything
    body = _FILLER.sub("", prompt)
    return [next((at for form in _forms(text) if (at := body.find(form)) >= 0), None) for text in texts]


def _find(text: str, prompt: str) -> int:
    """As `prompt.find(text)`, which takes a while to prepare for a long text: the first place of its head is tried."""
    at = prompt.find(text[:_HEAD])
    return at if at < 0 or prompt.startswith(text, at) else prompt.find(text, at)


def _forms(text: str) -> Iterator[str]:
    plain = _FILLER.sub("", text)
    if not plain:
        return
    yield plain
    for ascii_only in () if _is_alike(text) else (False, True):
        yield _FILLER.sub("", json.dumps(text, ensure_ascii=ascii_only))
    if len(plain) >= _LONG:
        yield plain[: len(plain) // 2]


def _is_alike(text: str) -> bool:
    """Whether a text is the same in JSON."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text
