"""When two questions are the same question: their normalised text, and the words that carry what is asked.

A wrong match costs a wrong score, a missed one costs nothing but a score, so the rules are strict: questions that are
no more than alike ("the refund in 2023", "the refund in 2024") are different questions.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from monitor.judges.grounding.rarity import common_words, rarity_of
from monitor.judges.reference.chinese import Person, without_grammar
from monitor.judges.reference.small_words import IGNORED, PERSONS, stands_as_name
from monitor.judges.text.memo import Memo
from monitor.judges.text.scripts import SPACED, UNSPACED
from monitor.judges.text.tokens import normalise, pairs
from monitor.judges.text.words import NAMES, NEGATIONS, is_number, is_run, stem_of

_NUMERALS = str.maketrans("壹贰貳叁參肆伍陆陸柒捌玖拾佰仟萬億兩", "一二二三三四五六六七八九十百千万亿两")
"""Numerals as banks and traditional script write them. 大陆 becomes 大六 in both questions, which changes nothing."""
_TRADITIONAL = str.maketrans(
    "請問嗎麼為這個們裡裏幾時還沒後會無該對開間與長錢", "请问吗么为这个们里里几时还没后会无该对开间与长钱"
)
"""Of traditional script only the characters of the grammar of questions, which `chinese` knows."""
_LETTER = "(?<=(?<![a-zA-Z0-9])[a-zA-Z])"
_PIECE = re.compile(
    rf"[\ue000\ue001]?[0-9]+(?:[.,:][0-9]+)*|[{SPACED}]+(?:'[{SPACED}]+)*|[{UNSPACED}]+|[^\W\d_]+"
    rf"|[+#%‰$€£¥&@°<>=/^±×÷‹›\u2190-\u2211\u2213-\u22ff]"
    rf"|(?:{_LETTER}|(?<=(?<![a-zA-Z])AB))[-\u2212](?![a-zA-Z0-9])|(?:(?<=[0-9])|(?<=[0-9]\s))[-\u2212](?=\s?[0-9])"
    r"|(?:(?<=[\w)])|(?<=[0-9]\s))\*(?!\*)"
)
"""Words, numbers, and the signs that tell `C` from `C++` and `A-`, `$5` from `5%`, and `x < 5` from `x > 5`."""

_BETWEEN_CHARACTERS = re.compile(rf"(?<=[{UNSPACED}])\s+(?=[{UNSPACED}])")

_COURTESY = re.compile(
    r"""\b(?:(?:hi|hello|hey|dear|good[ ](?:morning|afternoon|evening))(?:[ ](?:there|all|team))?(?=[ ]*[,!.:-])
      |please|pls|plz|kindly|thanks(?:[ ]a[ ]lot)?|thank[ ]you(?:[ ](?:so|very)[ ]much)?|thx
      |(?:can|could|would|will)[ ]you(?:[ ]please)?[ ](?:tell|explain|show|help|inform|remind)
        (?:[ ](?:to[ ])?(?:me|us))?
      |(?:please[ ])?(?:tell|show)[ ](?:me|us)(?:[ ]about)?|let[ ]me[ ]know|(?:do[ ]you|does[ ]anyone|anybody)[ ]know
      |i(?:'d|[ ]would)[ ]like[ ]to[ ](?:know|ask|understand)|i[ ](?:want|need|wish)[ ]to[ ](?:know|ask|understand)
      |i(?:'m|[ ]am|[ ]was)[ ](?:just[ ])?wondering|(?:just[ ])?wondering|any[ ]idea|quick[ ]question)\b
      |\bwhat(?:'?s|[ ]is|[ ]are)\b|\bwhat\b(?=[^?!.]{0,400}\b(?:is|are)[ ]*(?:[?!.]|$))""",
    re.IGNORECASE | re.VERBOSE,
)
"""What is said around a question; the `what` of `what is`, but not of `what do you ship`, which is no `do you ship`."""
_SAME_EN = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (r"\bcan(?:no|'?)t\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|should|would|could|must)n'?t\b", r"\1 not"),
        (r"(?<=[a-z])'(?:s|m|re|ve|d|ll)\b|(?<=s)'(?=\s|$)", ""),
        (r"\b(when|where|how|who)s\b", r"\1"),
        (r"\bwhich\b", "what"),
    )
)
_ANY_EN = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _SAME_EN), re.IGNORECASE)
_SHORTEST_MOVED = 4
"""Words; of fewer a new order is a new question."""
_SHORTEST_SLIP = 5
"""Letters; of a shorter word each letter counts."""


@dataclass(frozen=True, slots=True)
class Gist:
    """The words of a question that carry what is asked, in order: stems, numbers, pairs of characters, signs.

    `names` are those of them that are written like names. `persons` are left out of the words; where both questions
    have some, they must have the same roles.
    """

    words: tuple[str, ...]
    names: frozenset[str]
    persons: tuple[Person, ...] = ()


def key_of(question: str) -> str:
    """The question without case, width, punctuation and spaces that mean nothing, its numbers in plain digits."""
    return _key(_asked(question))


def key_of_answer(answer: str) -> str:
    """As `key_of`, for what is no question: `1.50` is 1.5 in it."""
    return _key(_folded(answer))


def gist_of(question: str) -> Gist:
    """What is asked. The gist of `How can I reset my password, please?` is `how reset password`."""
    return _gist(_asked(question))


def key_and_gist(question: str) -> tuple[str, Gist]:
    """Both, in three quarters of the time."""
    folded = _asked(question)
    return _key(folded), _gist(folded)


def _key(folded: str) -> str:
    plain = " ".join(_PIECE.findall(folded)).casefold()
    if acronyms := _acronyms_at(folded):
        found = _PIECE.finditer(folded)
        plain = " ".join(one[0].upper() if one.start() in acronyms else one[0].casefold() for one in found)
    return _BETWEEN_CHARACTERS.sub("", plain)


def _acronyms_at(text: str) -> frozenset[int]:
    """Where `US`, `IT` and `WHO` stand: in capitals among small letters, or behind `the`, where no pronoun can."""
    found = list(_ACRONYM.finditer(text))
    capitals = bool(found) and _UNCAPITALISED.search(text) is not None
    return frozenset(one.start() for one in found if capitals or text[: one.start()].endswith(_THE))


def _gist(folded: str) -> Gist:
    text, persons = _alike(_COURTESY.sub(" ", folded))
    pieces = list(_PIECE.finditer(text))
    capitals = _UNCAPITALISED.search(text) is not None
    acronyms = _acronyms_at(text)
    words: list[str] = []
    names: set[str] = set()
    met: list[tuple[int, str]] = []
    for place, found in enumerate(pieces):
        piece = found[0]
        if is_run(piece):
            words += pairs(piece)
            continue
        if is_number(piece):
            words.append(piece)
            continue
        if found.start() in acronyms:
            words.append(piece.upper())
            names.add(piece.upper())
            continue
        word = _WORDS[piece]
        if word in IGNORED:
            before = pieces[place - 1][0] if place else ""
            after = pieces[place + 1][0] if place + 1 < len(pieces) else ""
            starts = not place or _SENTENCE_END.search(text, pieces[place - 1].end(), found.start()) is not None
            if not stands_as_name(piece, before, after, starts=starts, capitals=capitals):
                met += [(len(words), PERSONS[word])] if word in PERSONS else []
                continue
            names.add(word)
        words.append(word)
        names.update([word] if NAMES[piece] else [])
    around = ["", *words, ""]
    persons += [(around[at], around[at + 1], role) for at, role in met]
    return Gist(tuple(words), frozenset(names), tuple(persons))


_THE = ("the ", "The ", "THE ")
_ACRONYM = re.compile(r"\b(?:US|IT|WHO|(?:(?<=\bthe )|(?<=\bThe ))(?:us|it|who))\b")
"""Spelled like pronouns: where case or `the` tells them, they are other words than these."""
_UNCAPITALISED = re.compile(r"\b[a-z]{4,}")
"""Without such a word capitals tell no names."""
_SENTENCE_END = re.compile(r"[.?!:\n]")

_PLAIN_NEGATIONS = NEGATIONS - {"without"}


def _word_of(piece: str) -> str:
    word = stem_of(piece)
    return "not" if word in _PLAIN_NEGATIONS else word


_SIGNS = str.maketrans("’\u2212", "'-")
_WORDS = Memo(_word_of)


_NUMBERED = re.compile(r"(?<![\d.,$€£¥])[0-9]{1,4}\.[1-9]0(?![\d.,%])", re.ASCII)
"""A version or a section, perhaps: 1.10 is none of 1.1."""


def _asked(question: str) -> str:
    """The folded question, with a sign behind the numbers whose last zero may count."""
    return _folded(_NUMBERED.sub(r"\g<0>‹", question))


def _folded(question: str) -> str:
    return normalise(_BETWEEN_CHARACTERS.sub("", question.translate(_NUMERALS))).translate(_SIGNS)


def _alike(text: str) -> tuple[str, list[Person]]:
    """The text with one wording for what is said in several, and its persons in Chinese; case is kept for names."""
    persons: list[Person] = []
    if _ANY_EN.search(text):
        for pattern, word in _SAME_EN:
            text = pattern.sub(word, text)
    if not text.isascii():
        text, persons = without_grammar(_BETWEEN_CHARACTERS.sub("", text.translate(_TRADITIONAL)))
    return text, persons


def alikeness(live: Gist, golden: Gist, known: Collection[str]) -> float:
    """How much of the longer gist the shorter one holds, 0 to 1; 0 where they may ask different things.

    Words may stand in one question only where they add nothing (`current`), not be exchanged or change places (but a
    clause may move from one end to the other). Persons may be missing in one question, not swap roles.
    A word of the live question that nobody knows (it is not among the `known` ones of the golden file nor common) may
    be a slip of a common one.
    """
    if _swapped(live.persons, golden.persons):
        return 0.0
    asked = tuple(word if word in known else _spelled(word, live, golden) for word in live.words)
    names = live.names | golden.names
    if _moved(asked, golden.words, names):
        return 1.0
    shorter, longer = sorted((asked, golden.words), key=len)
    if not shorter:
        return 0.0
    at = 0
    more: list[str] = []
    for word in longer:
        if at < len(shorter) and word == shorter[at]:
            at += 1
        else:
            more.append(word)
    if at < len(shorter) or any(word in names or word not in _ADD_NOTHING for word in more):
        return 0.0
    return len(shorter) / len(longer)


def _swapped(ours: tuple[Person, ...], theirs: tuple[Person, ...]) -> bool:
    """Whether different persons stand beside the same word, or they come in another order."""
    for side in (0, 1):
        here, there = (
            {word: {person[2] for person in persons if person[side] == word} for word in {one[side] for one in persons}}
            for persons in (ours, theirs)
        )
        if any(here[word].isdisjoint(there[word]) for word in here.keys() & there.keys()):
            return True
    few, many = sorted(([role for _, _, role in persons] for persons in (ours, theirs)), key=len)
    rest = iter(many)
    return not all(role in rest for role in few)


def _moved(asked: tuple[str, ...], meant: tuple[str, ...], names: Collection[str]) -> bool:
    """Whether one is the other with its beginning put at its end; names, numbers and signs keep their order."""
    if len(asked) != len(meant) or len(meant) < _SHORTEST_MOVED or asked[0] not in meant:
        return False
    at = meant.index(asked[0])
    fixed = (
        [word for word in words if word in names or is_number(word) or not word[0].isalnum()]
        for words in (asked, meant)
    )
    return asked == meant[at:] + meant[:at] and next(fixed) == next(fixed)


def _spelled(word: str, live: Gist, golden: Gist) -> str:
    """The common word of the golden question that an unknown word is a slip of; the word itself when there is none.

    What is rare itself is a term, and the next term may be one letter away. So may another word that is only not so
    common (`casual`, `causal`): a slip has letters together that no common word has (`polciy`).
    """
    if word in live.names or not word.isalpha() or is_run(word) or rarity_of(word) < 1.0 or _may_be_a_word(word):
        return word
    meant = (other for other in golden.words if len(other) >= _SHORTEST_SLIP and other not in golden.names)
    return next((other for other in meant if rarity_of(other) < 1.0 and _is_slip(word, other)), word)


def _is_slip(typed: str, meant: str) -> bool:
    """Whether one letter was left out, added, exchanged, or changed places with its neighbour."""
    short, long = sorted((typed, meant), key=len)
    if len(long) - len(short) > 1:
        return False
    at = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = long[:at] + long[at + 1 : at + 2] + long[at : at + 1] + long[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or short == swapped


def _may_be_a_word(word: str) -> bool:
    return all(word[at : at + _TOGETHER] in _sequences() for at in range(len(word) - _TOGETHER + 1))


_TOGETHER = 3
"""Letters in a sequence."""


@cache
def _sequences() -> frozenset[str]:
    """The sequences of letters of common words."""
    return frozenset(word[at : at + _TOGETHER] for word in common_words() for at in range(len(word) - _TOGETHER + 1))


_ADD_NOTHING = frozenset(map(stem_of, "current now own precise proper detailed respective various".split()))  # noqa: SIM905
"""Words that one of two questions may have more; any other decides, whatever else they say."""
