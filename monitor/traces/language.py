"""The language of a request, by script and, for Latin script, by a few function words. Cheap and modest: else `und`."""

from __future__ import annotations

import re

UNDETERMINED = "und"
MAX_CHARS = 2000
"""Characters looked at; a language shows early."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d]")
_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]")
_LETTERS = "".join([chr(byte).lower() if chr(byte).isalpha() else " " for byte in range(128)]).encode() + bytes(128)
"""For each byte of ASCII its letter in lower case, else a blank."""
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:'[a-z]+)?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH = _words(
    "the and of what which how does did with you your this that these those are were where when why who can could "
    "would should will have has been there their they from my our we it's don't doesn't what's i'm isn't"
)
"""Words that are frequent in English and in no other language of Latin script."""
_MAYBE_ENGLISH = _words("is it on to for at as be or by a i in not do no if so an")
_OTHER = _words(
    "der die das und ist nicht ein eine mit für von zu wie was le la les des est et une du que qui dans pour el los "
    "las del es una con por cómo qué het een van niet voor il che di per sono não um uma os em och att som är det og "
    "er på ve bir ile jest nie się na je"
)
"""Words that are frequent in other such languages."""
_WEIGHTS = {
    word: 2 * (word in _ENGLISH) + (word in _MAYBE_ENGLISH) - 2 * (word in _OTHER)
    for word in _ENGLISH | _MAYBE_ENGLISH | _OTHER
}
"""How much a word speaks for English."""
_MIN_SHARE = 0.15
_CHARS_PER_WORD = 1.5
"""A Chinese word has about one and a half characters."""
_MIN_KANA_SHARE = 0.2
"""Japanese writes about half of its text in kana; Chinese quotes a の now and then."""


def detect(text: str | None, *more: str | None) -> str:
    """`zh`, `en`, `ja` or `ko`, from the first text that tells, else `und`: question first, then answer, passages."""
    for candidate in (text, *more):
        if candidate and (language := _of(candidate[:MAX_CHARS])) != UNDETERMINED:
            return language
    return UNDETERMINED


def _of(text: str) -> str:
    words = _words_in(text)
    if text.isascii():
        return _latin(words)
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    if (han + kana + hangul) / _CHARS_PER_WORD < max(1, len(words)):
        return _latin(words)
    if hangul > han + kana:
        return "ko"
    return "ja" if kana > _MIN_KANA_SHARE * (han + kana) else "zh"


def _words_in(text: str) -> list[str]:
    """The words of Latin script, in lower case."""
    if text.isascii() and "'" not in text:  # the usual case: what is no letter parts words
        return text.encode().translate(_LETTERS).decode().split()
    return _WORD.findall(text.lower())


def _latin(words: list[str]) -> str:
    """`en` when English function words are frequent enough and outweigh those of its neighbours."""
    if not words:
        return UNDETERMINED
    evidence = sum([_WEIGHTS[word] for word in words if word in _WEIGHTS])
    return "en" if evidence >= max(2, _MIN_SHARE * len(words)) else UNDETERMINED
