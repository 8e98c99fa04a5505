"""How much of the question each passage holds: what tells a relevant passage where nobody judged it.

It sees words, not meaning: a passage that answers in other words looks irrelevant, one on the same subject relevant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.text.scripts import HAN, is_unspaced
from monitor.judges.text.tokens import read_words, tokenize

MAX_QUESTION = 2000
"""Characters of a question, or of another text, that are read."""

_END = r"(?=[？?！!。，,；;\s]|$)"
_ASKING = re.compile(
    "(?:(?:请|請|想|麻烦|麻煩)[问問]|告[诉訴]我)(?:一?下)?|是否|[能可]否|可不可以|可以|([能会會是要])不\\1|有[没沒]有"
    "|[有是在]?(?:怎[么麼](?:[样樣办辦])?|怎[样樣]|如何|咋|[为為](?:什[么麼]|何|啥)|什[么麼](?:[时時]候|地方)?|啥"
    "|何(?:[时時][候间間]?|[处處])|多少|(?<![许許很众眾最更])多(?:[长長](?:[时時][间間])?|[久大高远遠重])"
    "|[几幾](?:[点點][钟鐘]?|分[钟鐘]|[天个個种種次年月周号號岁歲位元块塊折])|哪(?!吒)[些个個里裡儿兒种種家位天]?|[谁誰])"
    f"|[吗嗎](?![啡丁])|(?<![这這那多要])[么麼]{_END}|[呢嘛呀啊]{_END}|(?<![酒网網贴貼水茶书書])吧{_END}"
    "|(?<![功可性技智才节節职職机機芸热熱核产產潜潛动動官效储儲电電太])能(?![力量源耗效级級见見登动動])够?"
    "|[你您我咱][们們]?的?|[这這那](?:[个個]|些)|(?<!目)的(?![确確士])"
)
"""What makes a Chinese sentence a question, and small words; the pairs of these characters are words of no passage."""
_GAP = "\3"
_LEFT = re.compile(f"(?<={_GAP})[{HAN}](?![{HAN}])|(?<![{HAN}])[{HAN}](?={_GAP})")
"""A character that is no word of a passage any more, as it is in no pair."""


def relevance_by_words(question: str, passages: Sequence[str]) -> tuple[float, ...] | None:
    """For each passage the share of the question's content words that it holds, weighted by rarity, 0 to 1.

    None when the question has no such words, or no passage is in its script: then words say nothing. Time is linear in
    the length of the passages.
    """
    return _held(_content(question[:MAX_QUESTION]), passages, unspaced=is_unspaced(question))


def words_held(text: str, passages: Sequence[str]) -> tuple[float, ...] | None:
    """The same of a text that asks nothing, such as an answer: all of its words count."""
    return _held(text[:MAX_QUESTION], passages, unspaced=is_unspaced(text))


def _held(text: str, passages: Sequence[str], *, unspaced: bool) -> tuple[float, ...] | None:
    wanted = sorted({word for word in tokenize(text).words if WEIGHTS[word] > 0.0})
    whole = sum(map(WEIGHTS.__getitem__, wanted))
    if not whole or (passages and all(is_unspaced(passage) is not unspaced for passage in passages)):
        return None
    return tuple(_share(wanted, passage) / whole for passage in passages)


def _content(question: str) -> str:
    """A question without what makes it one, where that stands between words without a blank."""
    return question if question.isascii() else _LEFT.sub(_GAP, _ASKING.sub(_GAP, question)).replace(_GAP, " ")


def _share(wanted: Sequence[str], passage: str) -> float:
    held = frozenset(read_words([passage]))
    return sum(WEIGHTS[word] for word in wanted if word in held)
