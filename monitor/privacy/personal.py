"""Patterns of personal data: numbers and addresses that lead to one person. English and Chinese."""

from __future__ import annotations

import ipaddress
import re

from monitor.privacy import checksums, gates
from monitor.privacy.outline import Holds, Latin
from monitor.privacy.patterns import Pattern, after, before, digits

_PHONE_CUE = (
    r"(?i:(?<![a-z])(?:phone|telephone|tel|mobile|cell|fax|whatsapp|call|dial|hotline|sms|text me|"
    r"messages? to|reach (?:me|us|him|her|them) (?:at|on))(?![a-z])|"
    r"电话|手机|座机|热线|传真|致电|拨打|联系方式|号码)"
)
_CARD_CUE = re.compile(r"(?i:card|visa|mastercard|amex|卡|账号|账户)")
_VERSION_CUE = re.compile(r"(?i:version|release|build|版本|v)[ :\uff1a]{0,2}$")
_DATE = re.compile(r"(?:19|20)[0-9]{2}[ .-](?:[01]?[0-9]|(?:19|20)[0-9]{2})(?![0-9])")

_TOLL_FREE = re.compile(r"(?:\+?1[ .-]?)?\(?8(?:00|33|44|55|66|77|88)\)?[ .-]?[2-9][0-9]{2}[ .-]?[0-9]{4}$")
"""North American toll-free numbers are a business's, never a person's."""

_PHONE_LENGTHS = range(7, 16)
_NEVER_PERSONAL = (
    ipaddress.ip_network("127.0.0.0/8"),
    ipaddress.ip_network("0.0.0.0/8"),
    ipaddress.ip_network("255.0.0.0/8"),
)
_IPV6_LEAST_GROUPS = 3

# first digits and lengths in use (ISO/IEC 7812); any other number has to be called a card
_CARDS = re.compile(
    r"4(?:[0-9]{15}|[0-9]{18})"  # Visa
    r"|(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"  # Mastercard
    r"|3[47][0-9]{13}"  # American Express
    r"|3(?:0[0-5]|[689][0-9])[0-9]{11}"  # Diners Club
    r"|35(?:2[89]|[3-8][0-9])[0-9]{12}"  # JCB
    r"|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}"  # Discover
    r"|62[0-9]{14,17}"  # UnionPay
    r"|9558[0-9]{15}"  # older Chinese debit cards
)


def _is_card(match: re.Match[str]) -> bool:
    number = digits(match[0])
    if not checksums.luhn(number):
        return False
    return bool(_CARDS.fullmatch(number) or _CARD_CUE.search(before(match, 24)))


def _is_resident_id(match: re.Match[str]) -> bool:
    return checksums.resident_id(match[0].replace(" ", "").replace("-", ""))


def _is_iban(match: re.Match[str]) -> bool:
    number = match[0].replace(" ", "")
    called = number.isupper() or "iban" in before(match, 16).lower()
    return called and checksums.iban(number)


def _is_phone(match: re.Match[str]) -> bool:
    number = match["hit"]
    return len(digits(number)) in _PHONE_LENGTHS and not _DATE.match(number) and not _TOLL_FREE.match(number)


def _is_ipv4(match: re.Match[str]) -> bool:
    if _VERSION_CUE.search(before(match, 10)):
        return False
    address = ipaddress.IPv4Address(match[0])
    return not any(address in network for network in _NEVER_PERSONAL)


def _is_ipv6(match: re.Match[str]) -> bool:
    text = match[0]
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return sum(map(bool, text.split(":"))) >= _IPV6_LEAST_GROUPS and any("0" <= char <= "9" for char in text)


def _is_handle(match: re.Match[str]) -> bool:
    return not after(match, 1).startswith(("@", "."))


def _phone_digits(text: str) -> str:
    """A phone number without punctuation and, for Chinese ones, without the country code."""
    number = digits(text).removeprefix("00")
    return number.removeprefix("86") if len(number) == 13 else number  # noqa: PLR2004 - 86 and 11 digits


def _compact(text: str) -> str:
    return text.replace(" ", "").replace("-", "").upper()


_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_NOT_AFTER = r"(?<![0-9A-Za-z])(?<![0-9][.-])"
_NOT_BEFORE = r"(?![0-9A-Za-z])"


def _phone(regex: str, lead: int = 8) -> Pattern:
    return Pattern("phone", re.compile(regex), accept=_is_phone, normalise=_phone_digits, lead=lead)


EMAIL = Pattern(
    "email",
    re.compile(
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9_%+-][A-Za-z0-9._%+-]{0,63}+@"
        r"(?:[A-Za-z0-9-]{1,63}+\.){1,8}[A-Za-z]{2,24}(?![A-Za-z])"
    ),
    normalise=str.lower,
    gate=gates.at_sign,
)

NUMBERS = (
    Pattern(
        "resident_id",
        re.compile(rf"{_NOT_AFTER}[1-9][0-9]{{5}}[ -]?(?:19|20)[0-9]{{6}}[ -]?[0-9]{{3}}[0-9Xx]{_NOT_BEFORE}"),
        accept=_is_resident_id,
        normalise=_compact,
    ),
    Pattern(
        "card",
        re.compile(rf"{_NOT_AFTER}[1-9](?:[ -]?[0-9]){{11,18}}{_NOT_BEFORE}"),
        accept=_is_card,
        normalise=digits,
    ),
    Pattern(
        "us_ssn",
        re.compile(rf"{_NOT_AFTER}(?!000|666|9)[0-9]{{3}}-(?!00)[0-9]{{2}}-(?!0000)[0-9]{{4}}(?!-?[0-9A-Za-z])"),
        normalise=digits,
    ),
    # Chinese mobile, landline and service numbers
    _phone(rf"{_NOT_AFTER}(?P<hit>(?:(?:\+|00)?86[ -]?)?1[3-9][0-9](?:[ -]?[0-9]{{4}}){{2}}){_NOT_BEFORE}"),
    _phone(rf"(?<![0-9A-Za-z+])(?P<hit>\+86[ -]?1[3-9][0-9](?:[ -]?[0-9]{{4}}){{2}}){_NOT_BEFORE}"),
    _phone(
        rf"{_NOT_AFTER}(?P<hit>(?:\(0[1-9][0-9]{{1,2}}\)[ -]?|0[1-9][0-9]{{1,2}}-)[2-8][0-9]{{6,7}}"
        rf"(?:(?:-|转)[0-9]{{1,6}})?){_NOT_BEFORE}(?!-[0-9])"
    ),
    _phone(rf"{_NOT_AFTER}(?P<hit>[48]00(?:-[0-9]{{3}}-[0-9]{{4}}|-[0-9]{{7}}| [0-9]{{3}} [0-9]{{4}})){_NOT_BEFORE}"),
    # international, North American
    _phone(rf"(?<![0-9A-Za-z+])(?P<hit>\+[1-9](?:[ .()-]{{0,3}}[0-9]){{6,14}}){_NOT_BEFORE}"),
    _phone(
        rf"{_NOT_AFTER}(?P<hit>(?:(?:00)?1[ .-])?(?:\([2-9][0-9]{{2}}\)[ .-]?|[2-9][0-9]{{2}}[.-])"
        rf"[2-9][0-9]{{2}}[ .-][0-9]{{4}}(?: ?(?:x|ext\.?) ?[0-9]{{1,6}})?){_NOT_BEFORE}(?![.-][0-9])"
    ),
    _phone(rf"{_NOT_AFTER}(?P<hit>00[1-9](?:[ .()-]{{1,2}}[0-9]{{2,8}}){{2,5}}){_NOT_BEFORE}"),
    # any other number that is called one
    _phone(
        rf"{_PHONE_CUE}[^0-9\n(+]{{0,16}}(?P<hit>[(+]{{0,2}}[0-9][0-9 ().-]{{4,18}}[0-9])(?![0-9A-Za-z]|-[0-9])",
        lead=48,
    ),
    _phone(
        rf"{_NOT_AFTER}(?P<hit>\(?[0-9][0-9 ().-]{{4,18}}[0-9])"
        r"(?= ?(?i:office|fax|mobile|cell|home|work)(?![A-Za-z]))"
    ),
)
"""They need many digits close together; see `numbers.py`."""

ADDRESSES = (
    Pattern(
        "ip",
        re.compile(rf"(?<![0-9A-Za-z.])(?:{_OCTET}\.){{3}}{_OCTET}(?![0-9A-Za-z]|\.[0-9])"),
        accept=_is_ipv4,
        gate=gates.dotted_digits,
    ),
    Pattern(
        "ip",
        re.compile(r"(?<![0-9A-Za-z:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![0-9A-Za-z:])"),
        accept=_is_ipv6,
        normalise=str.lower,
        gate=gates.two_colons,
    ),
    Pattern(
        "iban",
        re.compile(
            r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])"
        ),
        accept=_is_iban,
        normalise=_compact,
        gate=gates.bank_account,
    ),
    Pattern(
        "wechat",
        re.compile(
            r"(?:微信|(?i:wechat|weixin))(?:号|账号|ID|id)?"
            r"[ 是为:\uff1a]{0,4}(?P<hit>[A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])"
        ),
        accept=_is_handle,
        normalise=str.lower,
        gate=gates.handle,
    ),
    Pattern(
        "qq",
        re.compile(
            r"(?<![A-Za-z])[Qq]{2}(?:号|号码|账号)?[ 是为:\uff1a]{0,4}(?P<hit>[1-9][0-9]{4,10})(?![0-9A-Za-z@])"
        ),
        gate=gates.named_number(Holds("QQ", "qq")),
    ),
    Pattern(
        "driver_license",
        re.compile(
            r"(?i:driver'?s? licen[cs]e|驾驶证|驾照)(?:(?i: number| no\.?)|号|号码)?"
            r"[ ]{0,2}(?:is|=|是|为|:|\uff1a|#)[ ]{0,2}"
            r"(?P<hit>[A-Z]{0,2}[0-9](?:-?[0-9]){5,15}[0-9Xx]?)(?![0-9A-Za-z])"
        ),
        normalise=_compact,
        gate=gates.named_number(Latin("licen"), Holds("驾驶证", "驾照")),
    ),
    Pattern(
        "passport",
        re.compile(r"护照(?:号|号码)?[ 是为:\uff1a]{0,4}(?P<hit>[A-Z]{1,2}[0-9]{7,8})(?![0-9A-Za-z])"),
        gate=gates.named_number(Holds("护照")),
    ),
)
"""What leads to a person without being a long number."""
