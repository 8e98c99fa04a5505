"""Edits of a request that change nothing of what its answer says; all are functions of the request alone.

Its passages stand in another order, its answer has another form, or more words that claim nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from monitor.judges.text.scripts import is_unspaced
from monitor.judges.text.sentences import split_sentences
from monitor.records import RagTrace

_LIST = re.compile(r"^[^\S\n]*(?:[-*•]|\d+[.)、])\s", re.MULTILINE)
_FORMATTED = re.compile(r"\n|^\s*(?:#{1,6}\s|[|>]|```|~~~|<|[-*•+]\s|\d+[.)、]\s|\*\*|__)")
"""Several lines, or one that is a heading, an item, a row, a quotation, code, or begins in bold."""
_UNFINISHED = re.compile(r"[^.!?。！？…\s\"”’')）】」][^\S\n]*$", re.MULTILINE)
"""A line that does not end as a sentence does: a heading, a row, code."""
_SHORT = {
    "do not": "don't",
    "does not": "doesn't",
    "did not": "didn't",
    "is not": "isn't",
    "are not": "aren't",
    "was not": "wasn't",
    "were not": "weren't",
    "will not": "won't",
    "cannot": "can't",
    "it is": "it's",
    "you will": "you'll",
    "that is": "that's",
}
_LONG = {short: long for long, short in _SHORT.items()}
_WORDS = re.compile(rf"\b(?:{'|'.join(map(re.escape, [*_SHORT, *_LONG]))})\b", re.IGNORECASE)
_WIDE = str.maketrans("，；：？！（）", ",;:?!()")
"""Not the full stop: half-width ones end no sentence where no blank follows."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit. `make` gives None for a request that it does not apply to."""

    kind: str
    """`order`, `length`, `style` or `paraphrase`."""
    name: str
    says: str
    """What it does, for a reader."""
    make: Callable[[RagTrace], RagTrace | None]


def _reversed(trace: RagTrace) -> RagTrace | None:
    contexts = trace.contexts[::-1]
    return replace(trace, contexts=contexts) if contexts != trace.contexts else None


def _shuffled(trace: RagTrace) -> RagTrace | None:
    contexts = list(trace.contexts)
    random.Random(len(trace.answer or "")).shuffle(contexts)  # noqa: S311 - an order that stays the same, no secret
    return replace(trace, contexts=tuple(contexts)) if contexts != list(trace.contexts) else None


def _answered(change: Callable[[str], str]) -> Callable[[RagTrace], RagTrace | None]:
    """An edit of the answer; not applied where it changes nothing."""

    def make(trace: RagTrace) -> RagTrace | None:
        answer = trace.answer or ""
        changed = change(answer) if answer.strip() else answer
        return replace(trace, answer=changed) if changed != answer else None

    return make


def _in(answer: str, english: str, chinese: str) -> str:
    return chinese if is_unspaced(answer) else english


def _between(answer: str) -> str:
    """What stands between an answer and a sentence beside it: on the line of a heading it would be a part of that."""
    return "\n\n" if _FORMATTED.search(answer.strip()) else _in(answer, " ", "")


def _polite(answer: str) -> str:
    return _in(answer, "Thank you for your question.", "感谢您的提问。") + _between(answer) + answer


def _padded(answer: str) -> str:
    before = _in(answer, "Here is what I found for you.", "以下是我为您找到的信息。")
    after = _in(
        answer,
        "I hope this helps! Let me know if you have any questions.",
        "希望对您有所帮助！如有其他问题，请随时告诉我。",
    )
    return before + (between := _between(answer)) + answer + between + after


def _listed(answer: str) -> str:
    if _LIST.search(answer) or _UNFINISHED.search(answer):
        return answer
    sentences = [sentence.text.strip() for sentence in split_sentences(answer)]
    return "\n".join(f"- {sentence}" for sentence in sentences) if len(sentences) > 1 else answer


def _bold(answer: str) -> str:
    if "**" in answer or _LIST.search(answer) or _FORMATTED.match(answer):
        return answer
    sentences = split_sentences(answer)
    if not sentences:
        return answer
    first = sentences[0]
    return f"{answer[: first.start]}**{answer[first.start : first.end].rstrip()}**{answer[first.end :]}"


def _reworded(answer: str) -> str:
    """Contracts what is written out and writes out what is contracted; Chinese gets half-width marks."""
    return answer.translate(_WIDE) if is_unspaced(answer) else _WORDS.sub(_other_form, answer)


def _other_form(found: re.Match[str]) -> str:
    text = found[0]
    other = _SHORT.get(text.lower()) or _LONG.get(text.lower(), text)
    return other[0].upper() + other[1:] if text[0].isupper() else other


EDITS = (
    Edit("order", "reversed", "passages last to first", _reversed),
    Edit("order", "shuffled", "passages in a fixed other order", _shuffled),
    Edit("length", "padded", "sentences that claim nothing before and after", _answered(_padded)),
    Edit("style", "polite", "thanks for the question in front", _answered(_polite)),
    Edit("style", "list", "each sentence as an item of a list", _answered(_listed)),
    Edit("style", "bold", "the first sentence in bold", _answered(_bold)),
    Edit("paraphrase", "reworded", "contractions, in Chinese half-width marks", _answered(_reworded)),
)
"""All edits, in the order in which they are reported."""
