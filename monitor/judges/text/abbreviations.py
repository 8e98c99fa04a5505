"""Abbreviations: which full stops belong to a word and end no sentence."""

from __future__ import annotations

import re

_NEVER_LAST = frozenset(
    """mr mrs ms dr prof st rev gen gov sen rep col lt sgt capt hon vs v e.g i.e cf viz fig figs ref refs messrs mt u.s
    u.k u.n a.k.a""".split()  # noqa: SIM905 - a word list reads as text
)
"""Abbreviations that something always follows."""
_ABBREVIATIONS = frozenset(
    """sr jr pres etc al approx dept est inc corp co ltd bros ca c ph.d a.m p.m b.c a.d d.c max min incl excl avg ext
    tel jan feb mar apr jun jul aug sep sept oct nov
    dec hr hrs mins secs yr yrs wk wks mo mos ft oz lb lbs sq cu esp resp
    misc assoc assn asst govt intl univ orig temp ave blvd hwy bldg apt""".split()  # noqa: SIM905 - as above
)
"""Abbreviations that end a sentence when a capital follows."""
_INCLUDING = frozenset(("incl", "excl"))
"""Of these what is written in capitals goes on: `incl. VAT`."""
_LOCATING = frozenset(
    """no nos nr nrs vol vols ed eds pp p reg regs art arts sec sect sects subsec ch chs chap eq eqs app tab doc docs
    para paras par cl cls pt pts sched annex s ss""".split()  # noqa: SIM905 - as above
)
"""Abbreviations in front of a number, be it Roman or a letter."""
_WORDS_TOO = frozenset("art arts app tab doc docs par annex".split())  # noqa: SIM905 - as above
"""Those that end sentences as words: they locate with a capital, in brackets and behind "see"."""
_OF_ACTS = frozenset(("s", "ss"))
"""Sections of acts, or seconds."""
_DETERMINED = re.compile(r"\b(?:the|an?|this|that|your|our|my|his|her|its|their|every|any|new)\s+\Z", re.IGNORECASE)
_REFERRING = re.compile(r"(?:\b(?:see|also|under|per|cf\.?)\s+|[(\[,;&]\s?)\Z", re.IGNORECASE)
_INITIALS = re.compile(r"[A-Z](?:\.[A-Z]){1,3}")
"""`J.K.`, which a name follows."""
LONGEST = max(map(len, _NEVER_LAST | _ABBREVIATIONS | _LOCATING))
"""Characters of the longest one."""

_BLANK = r"[^\S\n\r]{0,2}"
_SMALL = re.compile(rf"{_BLANK}(?=[^\W\d_])[^A-Z]")
_NUMBER = re.compile(rf"{_BLANK}[0-9#]")
_AMOUNT = re.compile(
    rf"{_BLANK}(?:[€$£¥₹+~≈±<>§-][ ]?[0-9]|\([+0-9]|[A-Z]{{2,3}}[$€£ ]?[0-9]"
    r"|(?:No|Nr|Art|Sec|Ch|Cl|Para|Pt)s?\.[ ]?[0-9])"
)
"""Numbers behind signs, currencies and what numbers in turn: `max. EUR 20`, `Tel. +44`, `Reg. No. 5`."""
_CAPITALS = re.compile(rf"{_BLANK}[A-Z]{{2,5}}\b")
_CODE = re.compile(rf"{_BLANK}[A-Z]{{1,3}}[.-]?[0-9]")
_NUMERAL = re.compile(rf"{_BLANK}(?:[IVXLC]{{2,6}}\b|[A-Z](?=[),;:.\]])|[B-HJ-Z](?=\s+[a-z]))")
"""`Art. IV`, `App. B`; `A` and `I` in front of words begin sentences."""


def goes_on(text: str, word: str, before: str, end: int) -> bool:
    """Whether the full stop behind `word` and in front of `end` belongs to an abbreviation that something follows.

    `before` is what stands in front of the word.
    """
    last = word.lower()
    if last in _NEVER_LAST or (len(last) == 1 and word.isupper() and last != "i"):
        return True
    if last in _LOCATING:
        return _locates(text, word, before, end)
    if last not in _ABBREVIATIONS:
        return _INITIALS.fullmatch(word) is not None
    return any(
        follows.match(text, end)
        for follows in (_SMALL, _NUMBER, _AMOUNT, *((_CAPITALS,) if last in _INCLUDING else ()))
    )


def goes_on_behind_brackets(text: str, word: str, end: int) -> bool:
    """Whether a sentence goes on behind an abbreviation and the bracket or quote that closes in front of `end`."""
    return word.lower() in _ABBREVIATIONS | _LOCATING and _SMALL.match(text, end) is not None


def _locates(text: str, word: str, before: str, end: int) -> bool:
    """Whether a number or a letter behind `word` says which section, volume, rule or document."""
    last = word.lower()
    if last == "no":  # or an answer
        within = bool(before.strip(" \t*_("))
        return any(follows.match(text, end) for follows in (_SMALL, _NUMBER, *((_CODE,) if within else ())))
    if last in _OF_ACTS:
        return _NUMBER.match(text, end) is not None and not before.rstrip()[-1:].isdecimal()
    refers = _REFERRING.search(before) or before.rfind("(") > before.rfind(")")
    if last in _WORDS_TOO and not refers and (word.islower() or _DETERMINED.search(before)):
        return False
    return any(follows.match(text, end) for follows in (_SMALL, _NUMBER, _AMOUNT, _CODE, _NUMERAL))
