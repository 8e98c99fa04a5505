"""What a text says to cost nothing: that it is free, or that nothing is charged for it."""

from __future__ import annotations

import re

from monitor.judges.text.scripts import HAN

_NOT = r"(?:\b(?:no|not|never|cannot|without|nothing)\b|\b[a-z]{2,6}n['’]t\b)"
_MONEY = r"(?:charge[sd]?|costs?|fees?|pay|paid|payments?|payable|interest|price|bill(?:ed)?|surcharges?)"
_DENIED = rf"{_NOT}(?:\s[a-z-]{{1,20}}){{0,4}}?\s{_MONEY}\b|\b(?:costs?|pays?|charged?)\snothing\b|\bnothing\sto\spay\b"
_FREE = rf"""\b(?:interest|charge|fee|rent|commission|postage|cost)-free\b|(?<![\w-])(?<!feel\s)free\b(?!-)
    (?:\s(?:of|from)\s(?:[a-z-]{{1,20}}\s){{0,2}}{_MONEY}|(?!\s(?:to|from|of|time|will|choice|hand|spaces?|seats?|days?|rooms?)\b))
    |\b(?:complimentary|gratis|waive[sd]?)\b"""
_FEE_ZH = f"(?:任何|额外|其他|相关|另外)*+(?:费用?|钱|利息|押金|[{HAN}]{{1,4}}?费|票)"
_GIVE_ZH = "(?:收取?|加收|计|产生|支付|付|缴纳?|交|花|购买?|买)"
_DENIED_ZH = (
    rf"(?:不(?:再|另|会|需要?|用|必|额外)*+|无[需须](?:再|另|额外)*+){_GIVE_ZH}{_FEE_ZH}|(?:没有|不含|无){_FEE_ZH}"
    "|不[要花]钱|不计息"
)
_FREE_ZH = f"免(?:费|票|息|押金?|[收除征缴交付]{_FEE_ZH}|[{HAN}]{{1,4}}?费)|包邮|零(?:费用|利息|手续费)"
_EITHER = re.compile(f"{_DENIED}|{_DENIED_ZH}|{_FREE}|{_FREE_ZH}", re.VERBOSE | re.IGNORECASE)
AMOUNT = re.compile(
    r"[$€£¥]\s?[0-9][0-9.,]*+|(?<![0-9.,])[0-9][0-9.,]*+\s?(?:[$€£¥]|(?:euros?|dollars?|pounds?|cents?|usd|eur|gbp|rmb|percent)\b|%|[美欧]?元|块)",
    re.IGNORECASE,
)
"""Sums of money, and shares: what has one may be charged beside what is free."""


def without_unpaid(text: str) -> str:
    """`text` without the words that say that it costs nothing; `text` itself where none do."""
    found = _EITHER.search(text)
    if found is None:
        return text
    return text[: found.start()] + " " * found[0].isascii() + text[found.end() :]
