"""What one token is: its word (a stem, a number, a pair of characters), and whether it names or negates something."""

from __future__ import annotations

import re

from monitor.judges.text.memo import Memo
from monitor.judges.text.names.nations import COUNTRIES, UNITED_STATES
from monitor.judges.text.numbers.dates import MONTH
from monitor.judges.text.numbers.folding import NEGATIVE
from monitor.judges.text.scripts import UNSPACED

BREAK = "\0"
"""Token that ends each text."""
NEGATION = "\1"
"""Token beside those of a text that negates something."""
_ORDINAL_LETTERS = "stndrhSTNDRH"
"""Letters of the endings of ordinals, which are no part of the number."""

_CONTRACTED = frozenset(
    f"{word}'{ending}"
    for words, endings in (
        ("i you he she it we they this that these those there here who what when where why how", "m s re ve d ll"),
        ("could might must should would", "ve d"),
        ("let", "s"),
    )
    for word in words.split()
    for ending in endings.split()
) | frozenset(
    f"{verb}n't"
    for verb in """ai are ca could did do does had has have is might must need ought sha should was were wo
    would""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words of grammar with a verb or a negation behind the apostrophe."""
_STOP_WORDS = _CONTRACTED | frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but by
    can cannot could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just may me might more most must my myself no nor not now
    of off on once only or other our ours out over own percent cent per s same shall she should so some such t than that
    the their theirs them themselves then there these they this those through to too under until up upon us very was we
    were what when where which while who whom why will with would you your yours yourself""".split()  # noqa: SIM905 - a word list reads as text
)
NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot"))
DENYING = frozenset(
    """fail unable lack refuse prohibit forbid forbidden ban exclude avoid hardly rarely seldom unlikely impossible
    invalid ineligible illegal unavailable prevent deny reject stop cease missing absent absence unknown uncertain
    unclear unchanged unsuitable incompatible exempt""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words with which a passage may say that something is not so."""
LIMITING = frozenset(("except", "rather", "instead", "only", "unless", "until"))
"""Words with which it may say so of all but what it names."""
_FUNCTION_CHARACTERS = frozenset("的了和与及是在有对为以等之其这那也都就而但或被把将从到由于并上中下年月日个着过们地得")
_KANA_GLUE = frozenset("はがをにのでともへやかられるたてしですますいうくさせ")
_GRAMMAR = _FUNCTION_CHARACTERS | _KANA_GLUE
_NUMBER = re.compile(f"[{MONTH}{NEGATIVE}0-9]")
_RUN = re.compile(f"[{UNSPACED}]")
_ENDING = re.compile(r"['’](?:s|t|d|m|ll|ve|re)$", re.IGNORECASE)
"""Of possessives and contractions, which make no name of `they'll`."""
_BEFORE_RUNS = "\u0dff"
"""No character up to this one is of a script without blanks."""


def is_address(token: str) -> bool:
    """Whether a token is a web or mail address."""
    return "@" in token or "://" in token


def is_number(token: str) -> bool:
    """Whether a token is a number or a month."""
    return _NUMBER.match(token) is not None and not is_address(token)


def is_run(token: str) -> bool:
    """Whether a token is of a script without blanks: a run of characters, or a pair of them."""
    return token[0] > _BEFORE_RUNS and _RUN.match(token) is not None


def is_function_word(word: str) -> bool:
    """Whether a word carries grammar rather than content."""
    return word in _STOP_WORDS or (not word.isascii() and _GRAMMAR.issuperset(word))


def is_like_a_name(token: str, *, first: bool = False) -> bool:
    """Whether a token is written like a name: capitalised inside a sentence, or with inner capitals or digits."""
    if len(token) < 2 or is_number(token) or is_address(token):  # noqa: PLR2004 - an initial
        return False
    token = _ENDING.sub("", token)
    if token in UNITED_STATES:
        return True
    inner = token[1:]
    capitals = (token[0].isupper() and not first) or inner != inner.lower() or not inner.isalpha()
    return capitals and token.lower() not in _STOP_WORDS


def _word_of(token: str) -> str:
    if is_address(token):
        return token.casefold().rstrip(".,;:!?)'*_/")
    if is_number(token):
        return token.rstrip(_ORDINAL_LETTERS)
    stem = stem_of("usa" if token in UNITED_STATES else token)
    return _SAME.get(stem, stem)


def _negates(token: str) -> bool:
    lower = token.lower().replace("’", "'")
    return lower in NEGATIONS or (lower.endswith("n't") and not is_address(token))


WORDS = Memo(_word_of)
"""The word of a token."""
NEGATES = Memo(_negates)
"""Whether an English word negates."""
NUMBERS = Memo(is_number)
"""Whether a token is a number or a month."""
NAMES = Memo(is_like_a_name)
"""Whether a token is written like a name when it is not the first of its text."""


def stem_of(word: str) -> str:
    """A light English stem, case-folded: possessives, plurals, `-ed`, `-ing`, `-ly`; other languages pass unchanged."""
    stem = word.casefold().replace("’", "'")
    if stem in _STOP_WORDS:
        return stem
    stem = stem.removesuffix("'s").removesuffix("'")
    if stem[-1:] not in _LAST_OF_SUFFIXES:
        return stem
    for suffix, replacement, least in _SUFFIXES:
        if stem.endswith(suffix) and len(stem) - len(suffix) >= least:
            return _undouble(stem[: len(stem) - len(suffix)] + replacement)
    return stem


_SAME = {"meter": "metr", "kilometer": "kilometr", "km": "kilometr", "kg": "kilogram", "lb": "pound", "hr": "hour"}
_SAME |= {"min": "minut", "mins": "minut", "liter": "litr", "foot": "feet", "ft": "feet", "utd": "unit"}
_SAME |= {"gov": "governor", "sen": "senator", "rep": "representativ", "prof": "professor", "lt": "lieutenant"}
_SAME |= {"sgt": "sergeant", "capt": "captain", "dr": "doctor", "dept": "department", "fahrenheit": "f", "celsius": "c"}
"""Stems that are written in several ways."""


_SUFFIXES = (
    ("ies", "y", 2),
    ("sses", "ss", 1),
    ("ingly", "", 3),
    ("edly", "", 3),
    ("ing", "", 3),
    ("ed", "", 3),
    ("es", "", 3),
    ("ss", "ss", 0),
    ("us", "us", 0),
    ("s", "", 3),
    ("ly", "", 3),
    ("e", "", 3),
)
_LAST_OF_SUFFIXES = frozenset(suffix[-1] for suffix, _, _ in _SUFFIXES)


def _undouble(stem: str) -> str:
    """`stopp` to `stop`, so that `stopped` meets `stop`."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":  # noqa: PLR2004 - `add`, `egg` stay
        return stem[:-1]
    return stem


_SAME |= {stem_of(one): stem_of(country) for one, country in COUNTRIES.items()}
