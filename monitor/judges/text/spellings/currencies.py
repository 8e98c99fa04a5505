"""Currencies by code, sign and word: `EUR 45`, `€45` and `45 euros` name the same one."""

from __future__ import annotations

_OTHERS = r"(?<!canadian[ ])(?<!australian[ ])(?<!singapore[ ])(?<!hong[ ]kong[ ])(?<!new[ ]zealand[ ])(?<!taiwan[ ])"
_YUAN = r"\bRMB\b|\bCNY\b|¥|\byuan\b|\brenminbi\b|人民币|(?<![美欧日港韩澳加币单百千公纪状])元(?![旦素件老宵气凶])"
_CROWNS = r"\bkr\b|\bkron(?:er?|a|or)\b"
CURRENCIES: dict[str, str] = {
    "eur": r"€|\bEUR\b|\beuros?\b|欧元",
    "usd": rf"(?<![A-Z])\$|\bUS\$|\bUSD\b|{_OTHERS}\bdollars?\b|美元|美金",
    "gbp": r"£|\bGBP\b|\bpounds?\b(?! of\b)|英镑",
    "chf": r"\bCHF\b|\bS?Fr\.|\bfrancs?\b|瑞士法郎|瑞郎",
    "jpy": r"¥|\bJPY\b|\byen\b|日元|日圆",
    "cny": _YUAN,
    "rmb": _YUAN,
    "cad": r"\bCA?\$|\bCAD\b|\bcanadian dollars?\b|加元",
    "aud": r"\bAU?\$|\bAUD\b|\baustralian dollars?\b|澳元",
    "hkd": r"\bHK\$|\bHKD\b|\bhong kong dollars?\b|港元|港币",
    "sgd": r"\bS\$|\bSGD\b|\bsingapore dollars?\b|新加坡元|新元",
    "inr": r"₹|\bINR\b|\bRs\b|\brupees?\b|卢比",
    "krw": r"₩|\bKRW\b|\bwon\b(?<=[0-9] won)|韩元",
    "nok": rf"\bNOK\b|{_CROWNS}",
    "sek": rf"\bSEK\b|{_CROWNS}",
    "dkk": rf"\bDKK\b|{_CROWNS}",
    "pln": r"\bPLN\b|\bzł|\bzlot(?:y|ys|ies)\b",
    "brl": r"R\$|\bBRL\b|\breais\b",
    "try": r"₺|\bTRY\b|\bliras?\b",
    "rub": r"₽|\bRUB\b|\brubles?\b|\broubles?\b|卢布",
    "mxn": r"\bMXN\b|\bpesos\b",
    "czk": r"\bCZK\b|\bKč\b|\bkoruna\b",
}
"""Codes in small letters, each with a pattern of what names the currency; a crown may be one of three countries."""
