"""Units beside numbers that are read with them: halves and dozens, and names of one unit in Chinese.

Nothing is converted here (`amounts/` finds them in other units), and no sign of money is a value: a range, or a table
with the unit in its head, has none beside a number, so a true answer that says it would look wrong. Times of day are
left as they are for the same reason.
"""

from __future__ import annotations

import re

_KILO = re.compile("(?<=[0-9])千(?=[米克])")
_AND_A_HALF = re.compile(r"\b([0-9]{1,3}|one)[ ]and[ ]a[ ]half\b|([0-9]{1,2}|一)个半(?=小时)", re.IGNORECASE | re.ASCII)
_HALF_AN_HOUR = re.compile(r"\bhalf(?:[ ]an|-an)?[ -]hour\b", re.IGNORECASE | re.ASCII)
_HAN_HALF_AN_HOUR = re.compile("(?<![0-9个一])半个?小时")
_DOZEN = re.compile(r"\b(half[ ])?a[ ]dozen\b", re.IGNORECASE | re.ASCII)
UNIT_WORDS = frozenset(("half", "dozen"))
"""English words that `fold_parts` may read together with what stands before or behind."""


def fold_parts(text: str) -> str:
    """Halves and dozens as numbers, and one name for a kilometre and a kilogram. Expects numbers in plain digits.

    `one and a half hours` becomes `1.5 hours`, `half an hour` `30 minutes`, `a dozen` `12`, `10千米` `10公里`.
    """
    if "half" in text or "dozen" in text or "Half" in text:
        text = _AND_A_HALF.sub(_and_a_half, text)
        text = _HALF_AN_HOUR.sub("30 minutes", text)
        text = _DOZEN.sub(lambda m: "6" if m[1] else "12", text)
    if "半" in text:
        text = _HAN_HALF_AN_HOUR.sub("30分钟", _AND_A_HALF.sub(_and_a_half, text))
    if "千" in text:
        text = _KILO.sub("公", text).replace("公米", "公里").replace("公克", "公斤")
    return text.replace("摄氏度", "°C") if "摄氏" in text else text


def _and_a_half(match: re.Match[str]) -> str:
    count = match[1] or match[2]
    return f"{count if count.isdecimal() else 1}.5"
