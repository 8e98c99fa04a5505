"""When two questions are the same question: their normalised text, and the words that carry what is asked.

A wrong match costs a wrong score, a missed one costs nothing but a score, so the rules are strict: questions that are
no more than alike ("the refund in 2023", "the refund in 2024") are different questions.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from monitor.judges.grounding.rarity import rarity_of
from monitor.judges.text.memo import Memo
from monitor.judges.text.scripts import SPACED, UNSPACED
from monitor.judges.text.tokens import normalise, pairs
from monitor.judges.text.words import NAMES, NEGATIONS, is_function_word, is_number, is_run, stem_of

_NUMERALS = str.maketrans("壹贰貳叁參肆伍陆陸柒捌玖拾佰仟萬億兩", "一二二三三四五六六七八九十百千万亿两")
"""Numerals as banks and traditional script write them. 大陆 becomes 大六 in both questions, which changes nothing."""
_TRADITIONAL = str.maketrans(
    "請問嗎麼為這個們裡裏幾時還沒後會無該對開間與長錢", "请问吗么为这个们里里几时还没后会无该对开间与长钱"
)
"""Of traditional script only the characters of the grammar of questions, which `_SAME_ZH` knows."""
_PIECE = re.compile(
    rf"[\ue000\ue001]?[0-9]+(?:[.,:][0-9]+)*|[{SPACED}]+(?:'[{SPACED}]+)*|[{UNSPACED}]+|[^\W\d_]+|[+#%$€£¥&@°]"
)
"""Words, numbers, and the signs that tell `C` from `C++` and `C#`, or `$5` from `5%`."""

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
_SMALL = """
    a an the this that these those i me my mine we us our ours you your yours it its there any some is are am be been
    being do does can could would may of for in on at to about with regarding concerning actually basically exactly
    generally just normally really simply typically usually
"""
_IGNORED = frozenset(map(stem_of, _SMALL.split()))
"""Words that change nothing of what is asked. Not among them: tense (`was`), direction (`from`, `before`), `or`."""
_SAME_ZH = (
    (re.compile(r"([能会要行好对是有该])[不没]\1|可不可以|可以|能否|可否"), lambda m: m[1] or "能"),
    (re.compile("是否"), ""),
    (
        re.compile(
            "请问(?:一下)?|[您你]好|哈喽|麻烦|劳驾|谢谢|多谢|感谢|(?:请|能)?告诉我|[我]?想(?:知道|了解|问|咨询)"
            "|(?:请|帮我)(?:查|看|说|介绍|解释)(?=一下)|一下|是什么|什么是|^请|一般|通常|大概|具体|到底|究竟"
        ),
        "",
    ),
    (re.compile("(?:怎样|怎么样|怎么|如何|咋样?)(?:才?能(?:够)?)?"), "怎么"),
    (re.compile("多长时间|多少时间"), "多久"),
    (re.compile("什么时[候间]|啥时候?|几时"), "何时"),
    (re.compile("哪儿|何处|什么地方"), "哪里"),
    (re.compile("为什么|为啥"), "为何"),
    (re.compile("哪些|哪个|哪种|啥"), "什么"),
    (re.compile("需要"), "要"),
    (re.compile("我们|咱们|你们|您们|[我你您吗呢呀啊吧哦嘛的了是]"), ""),
)
_NEGATIVE = frozenset("不没无未非别勿免禁")
_SHORTEST_MOVED = 4
"""Words; of fewer a new order is a new question."""
_SHORTEST_SLIP = 5
"""Letters; of a shorter word each letter counts."""


@dataclass(frozen=True, slots=True)
class Gist:
    """The words of a question that carry what is asked, in order: stems, numbers, pairs of characters, signs.

    `names` are those of them that are written like names.
    """

    words: tuple[str, ...]
    names: frozenset[str]


def key_of(question: str) -> str:
    """The question without case, width, punctuation and spaces that mean nothing, its numbers in plain digits."""
    return _key(_folded(question))


def gist_of(question: str) -> Gist:
    """What is asked. The gist of `How can I reset my password, please?` is `how reset password`."""
    return _gist(_folded(question))


def key_and_gist(question: str) -> tuple[str, Gist]:
    """Both, in three quarters of the time."""
    folded = _folded(question)
    return _key(folded), _gist(folded)


def _key(folded: str) -> str:
    return _BETWEEN_CHARACTERS.sub("", " ".join(_PIECE.findall(folded)).casefold())


def _gist(folded: str) -> Gist:
    text = _COURTESY.sub(" ", folded)
    words: list[str] = []
    names: set[str] = set()
    for piece in _PIECE.findall(_alike(text)):
        if is_run(piece):
            words += pairs(piece)
        elif is_number(piece):
            words.append(piece)
        else:
            word = _WORDS[piece]
            if word not in _IGNORED:
                words.append(word)
                names.update([word] if NAMES[piece] else [])
    return Gist(tuple(words), frozenset(names))


_PLAIN_NEGATIONS = NEGATIONS - {"without"}


def _word_of(piece: str) -> str:
    word = stem_of(piece)
    return "not" if word in _PLAIN_NEGATIONS else word


_WORDS = Memo(_word_of)


def _folded(question: str) -> str:
    return normalise(_BETWEEN_CHARACTERS.sub("", question.translate(_NUMERALS))).replace("’", "'")


def _alike(text: str) -> str:
    """The text with one wording for what is said in several; case is kept, as it tells names."""
    if _ANY_EN.search(text):
        for pattern, word in _SAME_EN:
            text = pattern.sub(word, text)
    if not text.isascii():
        text = _BETWEEN_CHARACTERS.sub("", text.translate(_TRADITIONAL))
        for pattern, same in _SAME_ZH:
            text = pattern.sub(same, text)
    return text


def alikeness(live: Gist, golden: Gist, known: Collection[str]) -> float:
    """How much of the longer gist the shorter one holds, 0 to 1; 0 where they may ask different things.

    Words may stand in one question only, not be exchanged or change places (but a clause may move from one end to the
    other), and none of them may be a number, a name, a negation, a sign, or a word of grammar that was not ignored.
    A word of the live question that nobody knows (it is not among the `known` ones of the golden file nor common) may
    be a slip of a common one.
    """
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
    if at < len(shorter) or any(word in names or _decides(word) for word in more):
        return 0.0
    return len(shorter) / len(longer)


def _moved(asked: tuple[str, ...], meant: tuple[str, ...], names: Collection[str]) -> bool:
    """Whether one is the other with its beginning put at its end; names and numbers keep their order."""
    if len(asked) != len(meant) or len(meant) < _SHORTEST_MOVED or asked[0] not in meant:
        return False
    at = meant.index(asked[0])
    fixed = ([word for word in words if word in names or is_number(word)] for words in (asked, meant))
    return asked == meant[at:] + meant[:at] and next(fixed) == next(fixed)


def _spelled(word: str, live: Gist, golden: Gist) -> str:
    """The common word of the golden question that an unknown word is a slip of; the word itself when there is none.

    What is rare itself is a term, and the next term may be one letter away.
    """
    if word in live.names or not word.isalpha() or is_run(word) or rarity_of(word) < 1.0:
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


def _decides(word: str) -> bool:
    """Whether a word that only one of two questions holds makes them different, whatever else they say."""
    if is_run(word):
        return not _NEGATIVE.isdisjoint(word)
    return is_number(word) or is_function_word(word) or word in _TURNS or not word[0].isalnum()


_TURNS = NEGATIONS | {"when", "where", "why", "who", "whose", "how", "what", "many", "much", "long", "often", "need"}
