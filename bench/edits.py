"""Training pairs made from the passages themselves: a sentence of a passage, and the same with one thing made wrong.

A number, name, word or polarity is exchanged for one from the same passages (`..._inside`: all that is said stands
there, in other places) or from elsewhere; in English and Chinese.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import partial

from monitor.judges.text.names.places import places_in
from monitor.judges.text.words import is_function_word

_OPPOSITES_EN = """
    increase decrease, increased decreased, rise fall, rose fell, more less, higher lower, before after, first last,
    win lose, won lost, always never, largest smallest, best worst, male female, man woman, north south, east west,
    early late, open closed, buy sell, bought sold, old new, over under, above below, allowed banned,
    accepted rejected, agreed refused, began ended, start end, good bad, high low, left right, married divorced,
    born died, father mother, son daughter, brother sister, husband wife, he she, his her"""
_OPPOSITES_ZH = """
    增长 下降, 上升 下降, 提高 降低, 增加 减少, 高于 低于, 支持 反对, 同意 拒绝, 成功 失败, 之前 之后, 首次 再次,
    允许 禁止, 进口 出口, 超过 不足, 扩大 缩小, 最大 最小, 东部 西部, 南部 北部"""
_NEGATED_ZH = {"没有": "", "不能": "能", "不得": "可以", "可以": "不得", "是": "不是", "将": "不会", "能": "不能"}
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[一二三四五六七八九十百千万]{2,}")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_WORD = re.compile(r"\b[a-z][a-z-]{2,}\b")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|can|will|does|did)\b(?! not|n't)")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]{4,}")
_STEPS = (-9, -7, -5, -3, -2, 2, 3, 5, 7, 9, 10, 20)


def _pairs(text: str) -> dict[str, str]:
    both = [tuple(pair.split()) for pair in text.split(",")]
    return {a: b for one, other in both for a, b in ((one, other), (other, one))}


_OPPOSITES = _pairs(_OPPOSITES_EN)
_HAN_OPPOSITES = _pairs(_OPPOSITES_ZH)


def wrong_versions(text: str, own: Sequence[str], other: Sequence[str], rng: random.Random) -> dict[str, str]:
    """Each kind of edit that `text` allows, made once: kind and wrong text.

    `own` are the sentences of its passages, `other` those of another request. A kind that finds nothing is left out.
    """
    here, elsewhere = "\n".join(own), "\n".join(other)
    found = {
        "number": _changed_number(text, here, rng),
        "number_inside": _swapped(_NUMBER.findall, text, here, rng),
        "name": _swapped(_names, text, elsewhere, rng),
        "name_inside": _swapped(_names, text, here, rng),
        "role": _exchanged(text, rng),
        "word": _swapped(_content_words, text, elsewhere, rng),
        "word_inside": _swapped(_content_words, text, here, rng),
        "run": _swapped(partial(_runs, rng), text, elsewhere, rng),
        "run_inside": _swapped(partial(_runs, rng), text, here, rng),
        "opposite": _opposite(text, rng),
        "negation": _negated(text),
    }
    return {kind: wrong for kind, wrong in found.items() if wrong and wrong != text}


def _names(text: str) -> list[str]:
    return _NAME.findall(text) or sorted(places_in(text))


def _content_words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if not is_function_word(word)]


def _runs(rng: random.Random, text: str) -> list[str]:
    """Two to four characters out of each run of Chinese ones."""
    found = []
    for run in _HAN_RUN.findall(text):
        length = rng.choice((2, 2, 3, 4))
        start = rng.randrange(len(run) - length + 1)
        found.append(run[start : start + length])
    return found


def _swapped(find: Callable[[str], list[str]], text: str, source: str, rng: random.Random) -> str:
    """`text` with one of what is found in it replaced by one that is found in `source` and not in it."""
    old = find(text)
    new = [piece for piece in find(source) if piece not in text]
    return text.replace(rng.choice(old), rng.choice(new), 1) if old and new else ""


def _changed_number(text: str, here: str, rng: random.Random) -> str:
    """`text` with one number of up to four digits changed to one that `here` lacks."""
    found = list(re.finditer(r"(?<![0-9.,])[0-9]{1,4}(?![0-9.,])", text))
    if not found:
        return ""
    old = rng.choice(found)
    for step in rng.sample(_STEPS, len(_STEPS)):
        new = str(max(2, int(old[0]) + step))
        if new not in here:
            return text[: old.start()] + new + text[old.end() :]
    return ""


def _exchanged(text: str, rng: random.Random) -> str:
    """`text` with two of its names in each other's place: who did it to whom."""
    names = list(_NAME.finditer(text))
    if len(names) < 2:  # noqa: PLR2004 - a pair
        return ""
    first, second = sorted(rng.sample(names, 2), key=lambda match: match.start())
    return text[: first.start()] + second[0] + text[first.end() : second.start()] + first[0] + text[second.end() :]


def _opposite(text: str, rng: random.Random) -> str:
    words = [word for word in re.findall(r"[a-z]+", text) if word in _OPPOSITES]
    if words:
        word = rng.choice(words)
        return re.sub(rf"\b{word}\b", _OPPOSITES[word], text, count=1)
    runs = [run for run in _HAN_OPPOSITES if run in text]
    return text.replace(run, _HAN_OPPOSITES[run], 1) if runs and (run := rng.choice(runs)) else ""


def _negated(text: str) -> str:
    """`text` with a negation added or taken away."""
    if " not " in text:
        return text.replace(" not ", " ", 1)
    match = _AUXILIARY.search(text)
    if match:
        return f"{text[: match.end()]} not{text[match.end() :]}"
    return next((text.replace(old, new, 1) for old, new in _NEGATED_ZH.items() if old in text), "")
