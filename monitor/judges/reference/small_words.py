"""English words that change nothing of what is asked, and where words that are spelled like them stand as names."""

from __future__ import annotations

from monitor.judges.reference.chinese import FIRST, SECOND
from monitor.judges.text.words import is_function_word, is_number, is_run, stem_of

_SMALL = """
    a an the this that these those i me my mine we us our ours you your yours it its there any some is are am be been
    being do does can could would may of for in on at to about with regarding concerning actually basically exactly
    generally just normally really simply typically usually
"""
IGNORED = frozenset(map(stem_of, _SMALL.split()))
"""Not among them: tense (`was`), direction (`from`, `before`), `or`."""
PERSONS = dict.fromkeys(map(stem_of, "i me my mine we us our ours".split()), FIRST) | dict.fromkeys(  # noqa: SIM905
    map(stem_of, "you your yours".split()),  # noqa: SIM905 - a word list reads as text
    SECOND,
)
_LETTERED = frozenset(
    """annex appendix article block building category class exhibit form gate grade group hepatitis level line model
    option part phase plan row schedule section series step team terminal tier type unit version vitamin war zone
    """.split()  # noqa: SIM905 - a word list reads as text
)
"""Words that a letter or numeral follows."""
_PREPOSITIONS = frozenset("in of for by since until before after during on from to through and or".split())  # noqa: SIM905
_OF_NOUNS = _PREPOSITIONS | frozenset("the was were is are this last next".split())  # noqa: SIM905
_BEHIND_NOUNS = _PREPOSITIONS | frozenset("is are was were at with do does have has vs".split())  # noqa: SIM905
_UNCLEAR = frozenset(("us", "it", "may"))
_SIGNS = "+-*#/=<>^"


def stands_as_name(piece: str, before: str, after: str, *, starts: bool, capitals: bool) -> bool:
    """Whether a small word is a name where it stands: `US`, `IT`, `in May`, `plan A`, `World War I`.

    `before` and `after` are its neighbours, empty when there is none; it `starts` a sentence, and `capitals` say
    something (not where every word has some). What may be a name is one.
    """
    lower, before, after = piece.lower(), before.lower(), after.lower()
    if lower in {"a", "i"}:
        return after[:1] in set(_SIGNS) or before in _LETTERED or _is_letter(piece, before, after, starts=starts)
    if lower == "may" and not piece.isupper():
        return _is_month(piece, before, after, starts=starts)
    if lower == "the":
        return False
    if piece[0].isupper() and (len(piece) > 1 if piece.isupper() else not starts):
        return capitals or lower in _UNCLEAR
    return (
        (lower == "us" and (before in {"the", "in", "outside", "within", "across"} or _is_content(after)))
        or (lower == "it" and before in {"the", "of", "in", "for"})
        or (lower == "am" and bool(before) and is_number(before))
    )


def _is_letter(piece: str, before: str, after: str, *, starts: bool) -> bool:
    if piece in {"i", "I"}:
        return not starts and _is_content(before)
    return not after or after in _BEHIND_NOUNS or (piece == "A" and not starts)


def _is_month(piece: str, before: str, after: str, *, starts: bool) -> bool:
    if starts or not before:
        return stem_of(after or ".") not in PERSONS and after not in {"the", "a", "an", "it"}
    return piece == "May" or before in _OF_NOUNS or is_number(before) or (bool(after) and is_number(after))


def _is_content(word: str) -> bool:
    """Whether it is a word that carries more than grammar."""
    return word.isalpha() and not is_run(word) and stem_of(word) not in IGNORED and not is_function_word(word)
