"""Cut text into sentences with character offsets, in spaced and unspaced scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from monitor.judges.text.abbreviations import LONGEST, goes_on, goes_on_behind_brackets

MAX_SENTENCE = 500
"""Characters; a longer stretch without any stop is cut at a blank where there is one."""

_CLOSING = r"""(?:["'”’)\]»」』*_`~]|</[a-z][a-z0-9]{0,9}>){0,8}"""
"""What may close behind a stop: quotes, brackets, Markdown, tags."""
_BOUNDARY = re.compile(
    # the class first: a search skips whatever is not in it many times as fast as it tries branches
    rf"""[\n\r\u2028\u2029\x0b\x0c。！？；｡︒!?….](?:
        (?<=[\n\r\u2028\u2029\x0b\x0c])\s*                              # line ends, blank lines
      | (?<=\.)\.{{0,7}}{_CLOSING}(?=\s|$|</?[a-z])                       # a full stop before a blank or a tag
      | (?<=[!?…])[!?…]{{0,7}}{_CLOSING}(?=\s|$|</?[a-z]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])
      | (?<=[。！？；｡︒])[。！？；｡︒]{{0,7}}                               # stops that need no blank
        (?:[」』”’）】》"'*_]|</[a-z][a-z0-9]{{0,9}}>){{0,8}}
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_MARKUP = re.compile(r"[*_`~]{1,3}")
_QUOTED = re.compile(r"[.\"'”’)\]»」』]")
_LONGEST_EMPHASIS = 1000
"""Characters of a line in which the beginning of an emphasis is looked for."""
_LONGEST_WORD = 24
"""Characters before a full stop in which an abbreviation is looked for."""
_OPENING = re.compile(r"""[(\["'“‘*_`~>]""")
RINGED = "".join(
    chr(code)
    for first, last in ((0x2460, 0x249B), (0x24EA, 0x24FF), (0x2776, 0x2793), (0x3220, 0x3229), (0x3280, 0x3289))
    for code in range(first, last + 1)
)
"""Numbers in rings or brackets, or with a full stop, that are one character: `①❶⑴⒈㈠`."""
_PICTURES = "✓✔☑✅➔➜➡➤→⇒▶►▸⭐✨⚠🌟💡📌📍📝🔑👉🔵🔶🔷🔸🔹🟠🟡🟢🟣"
"""In front of items; what denies is none of them: ❌."""
_HAN = "\u3400-\u9fff"
LIST_MARK = re.compile(
    r"(?:[-*+•·‣◦▪–—]|#{1,6}|>|[*_]{0,3}\(?[0-9]{1,3}[.)、][*_]{0,3}|[0-9]{1,3}[\uff0e\uff09]|[a-z]\)|\([a-z]\)|\(?[ivx]{2,4}\)"
    r"|[*_]{0,3}(?:[a-h]|[ivx]{1,4}|[IVX]{2,4})\.[*_]{0,3}|\#[0-9]{1,2}[.:：)]"
    rf"|[*_]{{0,3}}(?:[{RINGED}]|(?:[0-9]\ufe0f?\u20e3){{1,2}}|\U0001f51f)[.、]?[*_]{{0,3}}|[{_PICTURES}]\ufe0f?"
    r"|\[[ xX✓]\]|[（(](?:[一二三四五六七八九十]{1,3}|[0-9]{1,2})[）)]"
    rf"|[一二三四五六七八九十]{{1,3}}、)(?:\s+|(?<=[、）){RINGED}\u20e3\U0001f51f])|(?<=[•·]))"
    rf"|[*_]{{0,3}}[0-9]{{1,2}}\.(?:(?=[{_HAN}]|[A-Z][a-z])|[*_]{{1,3}}(?=[{_HAN}]))"
)
_MARK_STARTS = frozenset(
    "-*_+•·‣◦▪–—#>[(（0123456789abcdefghijklmnopqrstuvwxyzIVX\U0001f51f一二三四五六七八九十" + RINGED + _PICTURES
)
"""First characters of list marks."""
_LIST_NUMBER = re.compile(
    rf"[\s*_#>•·\ufe0f{_PICTURES}-]*(?:(?:(?i:step)[ ]?|步骤[ ]?)?[0-9]{{1,3}}|[a-h]|[ivx]{{1,4}}|[IVX]{{2,4}})"
)
"""What stands in front of the full stop of a list mark."""
_LONGEST_MARK = 24
"""Characters."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of a text: `text` is exactly the characters from `start` to `end` (half-open)."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text` in order, without surrounding blanks and list marks; none of them is empty.

    A text without any stop is one sentence. Decimals, web addresses, initials and common abbreviations do not end
    one. Runs in time linear in the length of the text.
    """
    return tuple(iter_sentences(text))


def iter_sentences(text: str) -> Iterator[Sentence]:
    """`split_sentences` for a caller who may stop after the first few."""
    start = 0
    for end in _ends(text):
        yield from _pieces(text, start, end)
        start = end


def sentence_ends(text: str) -> Iterator[int]:
    """Where each sentence of `split_sentences` ends, for a fraction of its cost."""
    start = 0
    for end in _ends(text):
        if end - start > MAX_SENTENCE:
            yield from (piece.end for piece in _pieces(text, start, end))
        else:
            last = end
            while last > start and text[last - 1].isspace():
                last -= 1
            if last > start:
                yield last
        start = end


def _ends(text: str) -> Iterator[int]:
    """Offsets after which a new sentence begins, the end of the text last."""
    start = 0
    for match in _BOUNDARY.finditer(text):
        first, end = match.span()
        if text[first] == "." and not _ends_sentence(text, start, first, end):
            continue
        end = _closed(text, first, end)
        yield end
        start = end
    if start < len(text):
        yield len(text)


def _closed(text: str, stop: int, end: int) -> int:
    """`end`, or where Markdown behind the stop begins if it opens an emphasis: `好。**新**` against `**好。**新`."""
    if end - stop == 1 or text[end : end + 1].strip() in {"", "<"}:
        return end
    mark = _MARKUP.search(text, stop, end)
    if mark is None:
        return end
    earliest = max(0, stop - _LONGEST_EMPHASIS)
    line = max(earliest, text.rfind("\n", earliest, stop))
    return end if text.count(mark[0], line, stop) % 2 else mark.start()


def _ends_sentence(text: str, start: int, stop: int, end: int) -> bool:
    """Whether the full stop at `stop` ends the sentence from `start` rather than a list number or an abbreviation.

    `end` is behind what closes there. A stop before dots, quotes or brackets is no part of an abbreviation.
    """
    before = text[max(start, stop - _LONGEST_WORD) : stop]
    if stop - start <= _LONGEST_MARK and _LIST_NUMBER.fullmatch(text, start, stop) is not None:
        return False
    if not before or before[-1].isspace():
        return True
    word = before.rsplit(None, 1)[-1]
    if len(word) > LONGEST and word.isalpha():
        return True
    if not word.isalpha():
        word = _OPENING.split(word)[-1]
    if end > stop + 1 and _QUOTED.search(text, stop + 1, end):
        return not goes_on_behind_brackets(text, word, end)
    return not goes_on(text, word, before[: len(before) - len(word)], end)


def _pieces(text: str, start: int, end: int) -> Iterator[Sentence]:
    """The stretch from `start` to `end`, trimmed, in pieces of at most `MAX_SENTENCE` characters."""
    while True:
        while start < end and text[start].isspace():
            start += 1
        mark = LIST_MARK.match(text, start, end) if text[start : start + 1] in _MARK_STARTS else None
        if mark is None or mark.end() == end:
            break
        start = mark.end()
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_SENTENCE:
        cut = _cut(text, start)
        yield Sentence(text[start:cut].rstrip(), start, start + len(text[start:cut].rstrip()))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield Sentence(text[start:end], start, end)


_LONGEST_CLUSTER = 32  # characters that a reader sees as one; the longest emoji have about ten


def _cut(text: str, start: int) -> int:
    """Where to cut a stretch that is too long: after the last blank of its second half, else between characters."""
    limit = start + MAX_SENTENCE
    blank = max(text.rfind(" ", start + MAX_SENTENCE // 2, limit), text.rfind("，", start + MAX_SENTENCE // 2, limit))
    if blank >= 0:
        return blank + 1
    cut, lowest = limit, limit - _LONGEST_CLUSTER
    while cut > lowest and (
        unicodedata.combining(text[cut]) or text[cut] in "\u200d\ufe0f" or text[cut - 1] == "\u200d"
    ):
        cut -= 1
    return (
        cut if cut > lowest else limit
    )  # no end in sight: this is no text, and walking on would cost time without end
