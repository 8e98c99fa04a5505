"""Typed, numbered placeholders such as `<EMAIL_1>`: consistent within one request, meaningless outside it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from monitor.privacy.patterns import Span

_PLACEHOLDER = re.compile(r"<([A-Z][A-Z0-9_]{0,30})_([0-9]{1,9})>")


class Placeholders:
    """The placeholders of one request: the same value gets the same one."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}
        for text in texts:  # a text may hold placeholders already, of an earlier redaction or typed by somebody
            for kind, number in _PLACEHOLDER.findall(text):
                self._last[kind] = max(self._last.get(kind, 0), int(number))

    def replace(self, text: str, spans: Iterable[Span]) -> str:
        """The text with a placeholder for each span. Spans are in order and do not overlap."""
        pieces, done = [], 0
        for span in spans:
            pieces += [text[done : span.start], self._of(span)]
            done = span.end
        return "".join(pieces) + text[done:]

    def _of(self, span: Span) -> str:
        kind = span.kind.upper().replace(".", "_")
        name = self._known.get((kind, span.value))
        if name is None:
            self._last[kind] = self._last.get(kind, 0) + 1
            name = self._known[kind, span.value] = f"<{kind}_{self._last[kind]}>"
        return name
