"""Numbers, percentages and dates as English and Chinese write them, rewritten in one canonical form."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from monitor.judges.text.numbers.dates import (
    MONTH,
    MONTH_WORDS,
    fold_chinese_months,
    fold_dates,
    fold_english_months,
)
from monitor.judges.text.numbers.notation import (
    READ_WORDS,
    decimal_of,
    fold_notation,
    fold_ordinals,
    without_separators,
)
from monitor.judges.text.numbers.units import UNIT_WORDS, fold_parts
from monitor.judges.text.numbers.word_patterns import rest_of, start_of

NEGATIVE = "\ue001"
"""Stands before a negative number, which is another number than the positive one: `-5 °C`, `minus 5`, `零下5度`."""
MAX_DIGITS = 30
"""Longer digit runs (keys, serial numbers) are compared as text."""

_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "bn": 10**9, "trillion": 10**12}
_SCALES |= {"dozen": 12}
_SCALES |= {"百": 100, "千": 1000, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12}
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_SHORT_SCALES = {"k": "thousand", "K": "thousand", "M": "million", "m": "million", "B": "billion"}
_ONLY_OF_MONEY = frozenset("mB")  # 25m is a length and 40B a house number, $25m and $40B are amounts
_CURRENCY = frozenset("$€£¥")
_PLAN_401K = "401"  # a 401k is a pension plan, not an amount

_UNIT_NAMES = "one two three four five six seven eight nine".split()  # noqa: SIM905 - a word list reads as text
_UNITS = dict(zip(_UNIT_NAMES, range(1, 10), strict=True))
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905 - a word list reads as text
_TEN_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905 - a word list reads as text
_TENS = dict(zip(_TEN_NAMES, range(20, 100, 10), strict=True))
_WORDS = _UNITS | dict(zip(_TEENS, range(10, 20), strict=True)) | _TENS
_ALONE = [word for word in _WORDS if word != "one"]  # a lone `one` is a pronoun more often than a number

_HAN_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_FINANCIAL = re.compile("[零壹贰貳叁叄參参肆伍陆陸柒捌玖拾佰仟万亿]{2,}")
_OF_FINANCE = str.maketrans("壹贰貳叁叄參参肆伍陆陸柒捌玖拾佰仟", "一二二三三三三四五六六七八九十百千")
"""Numerals of cheques and contracts; alone most of them are other words."""
_HAN = "零〇一二两三四五六七八九十百千万亿"
_HAN_DIGIT = "零〇一二三四五六七八九"
_HAN_ALONE = "二两三四五六七八九十"  # a lone 一 is an article or a part of an idiom more often than a number
MEASURES = (
    "[个只名人位天年月日岁次元块米吨台家项条件种层级号倍时届款辆周期秒斤克升杯瓶碗盒箱袋折章页楼张套份站篇首集组批步遍趟枚座栋册度]"
    "|成(?![为立功员本人果就年长分绩品熟交型群都])|小时|分钟|刻钟|钟头|星期|礼拜|季度|世纪|公[里斤分顷尺]|英[里尺寸镑]|海里|[毫厘]米|毫[升克]|平方|立方|[美欧日港]元|学[分期]|课时"
)
"""Measure words after which a lone numeral counts; none that idioms use as a noun (门 of 五花八门, 头 of 三头六臂)."""
_MEASURES_NOT_OF_WEEKDAYS = "[点本间]|晚(?![上会间餐饭宴])"
"""Those that may follow the name of a weekday, whose numeral counts nothing: 周三点名, 周五晚."""


# Each pattern that looks for something begins with the class of its first characters, as a search skips all others many
# times as fast as it tries branches. What has to stand before is looked at behind that character: `(?<!\w.)` for `\b`.
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,9}(?:\.[0-9]{1,20})?")
_ENGLISH_WORDS = re.compile(
    rf"{start_of(_WORDS)}(?:{rest_of(_TENS)}[- ](?ai:{'|'.join(_UNITS)})|{rest_of(_ALONE)}"
    rf"|{rest_of(['one'])}(?=[ ](?ai:{_SCALE})\b))\b"
)
_ANY_WORD = f"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS)}))?|{'|'.join(_ALONE)}|one)"
_HUNDREDS = re.compile(
    rf"\b(?<!between[ ])(an?|{_ANY_WORD})[- ]hundred(?:[- ](?:and[- ])?({_ANY_WORD})(?![- ]hundred\b))?\b"
    rf"|\b(an?|{_ANY_WORD})[- ]hundred\b",
    re.IGNORECASE | re.ASCII,
)
_THOUSANDS = re.compile(
    rf"\b(an?|{_ANY_WORD})[- ]thousand,?[- ](?:and[- ])?({_ANY_WORD}|[1-9][0-9]{{2}}(?<!\w...))"
    rf"(?![\w-]|[.,][0-9]|[- ](?:{_SCALE})\b)",
    re.IGNORECASE | re.ASCII,
)
"""Hundreds and thousands in words with what is added to them: `one hundred and fifty`, `two thousand five hundred`."""
_HAN_FRACTION = f"点[{_HAN_DIGIT}]{{1,8}}+(?![十百分刻])"  # 三点十分 and 三点五分 are times of day
_CHINESE_WORDS = re.compile(
    rf"[{_HAN}](?:(?<=[零〇一二两三四五六七八九十])(?<![{_HAN}][{_HAN}])[{_HAN}]{{1,15}}(?:{_HAN_FRACTION})?"
    rf"|(?<=[零一二三四五六七八九十]){_HAN_FRACTION}|(?<=百分之[{_HAN}])|(?<=点[{_HAN_DIGIT}十])(?=分(?!之))"
    rf"|(?<=[{_HAN_ALONE}])(?:(?={MEASURES})|(?<![周期拜].)(?={_MEASURES_NOT_OF_WEEKDAYS})))"
)
_ROUGHLY = re.compile(
    f"(?<![{_HAN_DIGIT}])(?:一一|一二|二三|两三|三四|三五|四五|五六|六七|七八|八九)(?![{_HAN_DIGIT}])"
)
"""Two numerals in a row without a unit mean about as many: 四五月间 is no 45, and 唯一一名 no 11."""
_CHINESE_FRACTION = re.compile(f"([{_HAN_DIGIT}十]{{1,3}})分之([{_HAN_DIGIT}十]{{1,3}})")
_TWO_MONTHS = re.compile(f"(?<![{_HAN}0-9])两月(?!份)")
"""February is 二月."""
_CHINESE_ORDINAL = re.compile(rf"第([{_HAN_ALONE}])(?![{_HAN}])(?:(?<=\w第.)|(?![，,、：:]))")
"""The first is a superlative more often, and alone before a pause it counts the points of an answer."""
_MINUS = re.compile(
    # no sign after a digit or a letter (3-5, COVID-19) nor before a percentage, where `-5%` and `fell by 5%` agree
    r"[-\u2212mM零](?:(?<=[-\u2212])(?:(?<=^.)|(?<=[\s(:=：\0到至为是达约].)"
    r"|(?<=[\u4e00-\u9fff].)(?=[0-9.]{1,6}[ ]?(?:度|摄氏|°)))(?<![0-9][ ].)"
    r"|(?<=[mM])(?<!\w.)(?<![0-9][ ].)(?ai:inus)[ ]|(?<=零)下[ ]?)(?=[0-9])(?![0-9.,]{1,30}[ ]?%)"
)
_DIGITS = re.compile(
    rf"([0-9][0-9]*(?:[.,][0-9]+)*)(?:[ ]?((?a:{_SCALE}))(?![a-z分])(?!(?<=千)[米克瓦卡赫])"
    r"|(?-i:([kKMmB]))(?![a-z0-9]))?",
    re.IGNORECASE,
)
NUMBER_WORDS = (
    READ_WORDS
    | MONTH_WORDS
    | UNIT_WORDS
    | frozenset((*_ALONE, "minus", "twice", "thrice"))
    | {scale for scale in _SCALES if scale.isascii()}
)
"""English words that `fold_numbers` may read together with what stands before or behind; a lone `one` never counts."""


_TIMES = re.compile(
    r"[tT](?<!\w.)(?ai:(?P<twice>wice)|hrice)\b(?![ ](?:as|the|that|over)\b)"
    r"|(?<![\w.,:/-])(?P<many>[1-9][0-9]?)[x×](?![\w×]|[ ]?[0-9])"
)
"""How many times: `twice`, `2x a week`; `twice as far` is worked out from other numbers more often."""


def fold_numbers(text: str) -> str:
    """`text` with every number in plain digits and every month as `MONTH` and its number.

    Expects NFKC text. `1,234.50` becomes `1234.5`; `3.5 million` and `350万` become `3500000`; `twenty-five` and
    `二十五` become `25`; `百分之十` becomes `百分之10`; `12k` becomes `12000`; `twice` becomes `2 times`. `NEGATIVE`
    stands before a negative number. What is no single number (`10.0.0.1`) stays as it is.
    """
    text = fold_notation(fold_dates(text))
    if "undred" in text or "housand" in text:
        text = _THOUSANDS.sub(_sum_of(1000), _HUNDREDS.sub(_sum_of(100), text))
    text = _ENGLISH_WORDS.sub(_english_number, _TIMES.sub(_times, text))
    text = fold_ordinals(fold_english_months(text), MONTH)
    if not text.isascii():
        text = _FINANCIAL.sub(lambda m: m[0].translate(_OF_FINANCE), text)
        text = _CHINESE_FRACTION.sub(lambda m: decimal_of(Fraction(_han_integer(m[2]), _han_integer(m[1]))), text)
        text = _CHINESE_ORDINAL.sub(lambda m: f"第{_han_integer(m[1])}", text)
        text = _TWO_MONTHS.sub("2个月", text)
        text = _CHINESE_WORDS.sub(lambda m: m[0] if _ROUGHLY.search(m[0]) else han_number(m[0]), text)
        text = fold_chinese_months(text)
    text = _MINUS.sub(NEGATIVE, text)
    return _DIGITS.sub(_digits, fold_parts(text))


def _sum_of(scale: int) -> Callable[[re.Match[str]], str]:
    def number(match: re.Match[str]) -> str:
        first, *added = (part.lower() for part in match.groups() if part)
        count = 1 if first in {"a", "an"} else _value(first)
        return str(count * scale + sum(int(part) if part.isdecimal() else _value(part) for part in added))

    return number


def _times(match: re.Match[str]) -> str:
    return f"{match['many'] or (2 if match['twice'] else 3)} times"


def _value(words: str) -> int:
    return sum(_WORDS[name] for name in re.split("[- ]", words))


def _english_number(match: re.Match[str]) -> str:
    return str(_value(match[0].lower()))


def _digits(match: re.Match[str]) -> str:
    digits, scale, short = match.groups()
    if not short:
        return plain_number(digits, (scale or "").lower())
    of_money = match.string[match.start() - 1 : match.start()] in _CURRENCY
    if digits == _PLAN_401K or (short in _ONLY_OF_MONEY and not of_money):
        return plain_number(digits) + short
    return plain_number(digits, _SHORT_SCALES[short])


def plain_number(digits: str, scale: str = "") -> str:
    """Canonical text of a number in digits, times a scale word; what is no number is given back."""
    if not scale and digits.isdecimal() and len(digits) <= MAX_DIGITS:
        return digits.lstrip("0") or "0"
    text = digits.replace(",", "") if _GROUPED.fullmatch(digits) else digits
    if text == digits and ("," in digits or not scale):  # 1.500 is a thousand and a half, 1.500 million less than two
        text = without_separators(digits)
    if len(text) > MAX_DIGITS:
        return text
    try:
        return _canonical(Decimal(text) * _SCALES.get(scale, 1))
    except InvalidOperation:
        return text


def han_number(text: str) -> str:
    """Canonical text of a number in Chinese characters: `二十五` gives `25`, `三点五` `3.5`, `二〇二四` `2024`."""
    whole, _, part = text.partition("点")
    digits = "".join(str(_HAN_DIGITS[character]) for character in part if character in _HAN_DIGITS)
    return _canonical(Decimal(f"{_han_integer(whole)}.{digits or 0}"))


def _han_integer(text: str) -> int:
    """Value of a whole number; a run of digits without units is read digit by digit."""
    if all(character in _HAN_DIGITS for character in text):
        return int("".join(str(_HAN_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif character in _HAN_UNITS:
            section, digit = section + (digit or 1) * _HAN_UNITS[character], 0
        elif character == "万":
            total, section, digit = total + (section + digit) * 10**4, 0, 0
        else:  # 亿 multiplies also what stands before a 万: 一万亿
            total, section, digit = (total + section + digit) * 10**8, 0, 0
    return total + section + digit


def _canonical(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
