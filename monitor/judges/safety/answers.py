"""When the words of a whole answer tell that none of its sentences is worth a look."""

from __future__ import annotations

from monitor.judges.text.sentences import MAX_SENTENCE
from monitor.privacy.outline import Gate, Outline, odd_case


def holds_none(text: str, folded: str, gate: Gate) -> bool:
    """Whether no sentence of `text` can be one that `gate` is open for; `folded` is the text as the gate reads it.

    For patterns that ignore case. False where that cannot be told from the words: a sentence without blanks that is
    too long is cut anywhere, and the end of a word can be a word.
    """
    outline = Outline(folded)
    return not (gate(outline) or odd_case(outline) or _cut_inside_words(text))


def _cut_inside_words(text: str) -> bool:
    return len(text) > MAX_SENTENCE and max(map(len, text.split(" "))) >= MAX_SENTENCE // 2
