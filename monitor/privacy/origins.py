"""Where a sensitive text in an answer comes from: the question, a passage, or neither."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from monitor.records import Provenance, RagTrace

_SEARCHED = 50_000_000
"""Characters that are searched for the values of one answer; then only whole words are compared."""
_WORD = re.compile(r"[^\s,;:!?()\[\]<>\"'`*，。；：！？、（）【】《》“”‘’]+")
_BETWEEN = "\0"


class Origins:
    """Looks values up by what was found in question and passages (`known`), else word for word in their texts.

    A cue such as `password:` may stand in one text only, so a value can be found in the answer and not in the passage
    that it was copied from. An answer may list thousands of values, and each would be searched in all passages: after
    50 million characters a value counts as copied only where it is a word of its own.
    """

    def __init__(self, trace: RagTrace, known: Mapping[str, Provenance]) -> None:
        self._known = dict(known)
        self._question = _BETWEEN.join(text for text in (trace.question, trace.search_query) if text)
        self._contexts = _BETWEEN.join(passage.text for passage in trace.contexts)
        self._left = _SEARCHED

    def of(self, value: str) -> Provenance:
        """The origin of one value; each is looked up once."""
        if value not in self._known:
            self._known[value] = self._search(value)
        return self._known[value]

    def _search(self, value: str) -> Provenance:
        self._left -= len(self._question) + len(self._contexts)
        question, contexts = (self._question, self._contexts) if self._left >= 0 else self._words
        if value in question:
            return Provenance.QUESTION
        return Provenance.CONTEXT if value in contexts else Provenance.NOVEL

    @cached_property
    def _words(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(_words_of(self._question)), frozenset(_words_of(self._contexts))


def _words_of(text: str) -> list[str]:
    return [word.rstrip(".") for word in _WORD.findall(text.replace(_BETWEEN, " "))]
