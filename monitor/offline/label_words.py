"""A label as people write it: a number from 0 to 1, true or false, or a word, in English or Chinese."""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Mapping

GOOD = (
    "faithful, supported, fully supported, grounded, correct, right, accurate, yes, y, true, good, pass, passed, ok, "
    "relevant, complete, safe, no hallucination, not hallucinated, entailed, entailment, ✓, ✔, √, "
    "忠实, 支持, 有支持, 得到支持, 有依据, 有根据, 正确, 准确, 是, 对, 真, 好, 通过, 合格, "
    "相关, 完整, 安全, 无幻觉, 没有幻觉, 可信, 真实, 属实"
)
PARTIAL = (
    "partial, partly, partially, mixed, partially supported, partly supported, partially faithful, partially correct, "
    "部分, 部分忠实, 部分支持, 部分正确, 部分相关"
)
BAD = (
    "unfaithful, not faithful, unsupported, not supported, contradicted, ungrounded, not grounded, hallucinated, "
    "hallucination, incorrect, not correct, wrong, inaccurate, no, n, false, bad, fail, failed, irrelevant, "
    "not relevant, incomplete, not complete, unsafe, not safe, not ok, contradiction, fabricated, "
    "✗, ✘, ×, "
    "不忠实, 不支持, 无支持, 没有支持, 无依据, 没有依据, 无根据, 没有根据, 不正确, 错误, 不准确, 否, 不是, 错, "
    "不对, 假, 不好, 差, 坏, 不通过, 不合格, 不相关, 无关, 不完整, 不安全, 幻觉, 有幻觉, "
    "不可信, 虚假, 不真实, 不属实, 编造, 捏造"
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?", re.ASCII)
_SHOWN = 40
_EXAMPLES = "write a number from 0 to 1, or a word such as faithful, unfaithful"


def _by_word(words: str, score: float) -> dict[str, float]:
    return dict.fromkeys(words.split(", "), score)


WORDS: Mapping[str, float] = _by_word(GOOD, 1.0) | _by_word(PARTIAL, 0.5) | _by_word(BAD, 0.0)
"""What each word says of the answer: 1 good, 0.5 in part, 0 bad."""


def read_label(given: object) -> float | None:
    """The label as a number from 0 (bad) to 1 (good); None for a blank one. Raises ValueError with what is wrong.

    Upper case, full-width characters, `_` and `-` between words make no difference.
    """
    match given:
        case None:
            return None
        case bool():
            return float(given)
        case int() | float():
            return _in_range(given, str(given))
        case str():
            return _read_text(given)
        case _:
            raise ValueError("is no label; write a number from 0 to 1, true, false or a word such as faithful")


def _read_text(given: str) -> float | None:
    text = " ".join(re.split(r"[\s_-]+", unicodedata.normalize("NFKC", given).casefold())).strip()
    if not text:
        return None
    if text in WORDS:
        return WORDS[text]
    # a comma is a decimal one: the range has no thousands
    number = unicodedata.normalize("NFKC", given).strip().replace(",", ".")
    if _NUMBER.fullmatch(number):
        return _in_range(float(number), given)
    near = difflib.get_close_matches(text[:_SHOWN], WORDS, n=1, cutoff=0.7)
    hint = f"did you mean `{near[0]}`?" if near else _EXAMPLES
    raise ValueError(f"{given[:_SHOWN]!r} is no label; {hint}")


def _in_range(number: float, given: str) -> float:
    if math.isfinite(number) and 0 <= number <= 1:
        return float(number)
    raise ValueError(f"{given[:_SHOWN]} is outside 0 to 1; a grade g of a to b is (g - a) / (b - a)")
