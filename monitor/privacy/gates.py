"""The gates of the privacy patterns: what stands in the way of nearly every text that holds nothing sensitive.

A gate reads the ASCII form of a text with whole classes of characters made one, so that one plain search decides.
Each is open for every text that a pattern behind it matches, and open for few others.
"""

from __future__ import annotations

import re
from string import ascii_letters, ascii_uppercase, digits

from monitor.privacy.outline import Gate, Holds, Outline

_ALNUM = ascii_letters + digits


def _classes(**members: str) -> bytes:
    """A table for `bytes.translate`: the members of a class become its name, everything else a blank."""
    table = bytearray(b" " * 256)
    for name, characters in members.items():
        for char in characters:
            table[ord(char)] = ord(name)
    return bytes(table)


LONG = 15
"""Characters of the shortest key that is known by its prefix."""
_BEFORE_TOKEN = 64
"""A prefix may end with another sign, and then is no part of the token: `SG.`, `AccountKey=`, the URL of a webhook."""
_TOKENS = _classes(t=_ALNUM + "_-+/")
_HEX = _classes(h="0123456789abcdef")
_UPPER_DIGITS = _classes(u=ascii_uppercase, d=digits)
SIGNS = "!@#$%^&*"
_SIGNED = _classes(a=_ALNUM, s=SIGNS)
_HANDLES = Holds("微信", "echat", "eChat", "eixin")
_DOTTED = re.compile(r"\.[0-9]{1,3}\.[0-9]")
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")


def always(outline: Outline) -> bool:
    """Open for every text."""
    del outline
    return True


def named_number(*names: Gate) -> Gate:
    """Five digits with at most blanks, brackets, dots, dashes and plus signs between them, and one of some names."""
    return lambda outline: b"ddddd" in outline.joined_digits and any(named(outline) for named in names)


def seven_digits(outline: Outline) -> bool:
    """Seven digits with as little between them."""
    return b"ddddddd" in outline.joined_digits


def at_sign(outline: Outline) -> bool:
    """An at sign."""
    return "@" in outline.text


def url_with_login(outline: Outline) -> bool:
    """An at sign, and the colon and slashes of a URL."""
    return "@" in outline.text and "://" in outline.text


def dotted_digits(outline: Outline) -> bool:
    """Three numbers with dots between them."""
    return _DOTTED.search(outline.text) is not None


def two_colons(outline: Outline) -> bool:
    """Two colons with a group of an IPv6 address between them."""
    return _COLONS.search(outline.text) is not None


def bank_account(outline: Outline) -> bool:
    """Two capitals and two digits, or the word IBAN, without which small letters are none."""
    return b"uudd" in outline.octets.translate(_UPPER_DIGITS) or b"iban" in outline.latin


def handle(outline: Outline) -> bool:
    """A name of WeChat as it is spelled most."""
    latin = outline.latin
    return (b"echat" in latin or b"eixin" in latin or "微" in outline.text) and _HANDLES(outline)


def around_long_tokens(outline: Outline) -> str:
    """The parts of the text that hold `LONG` letters, digits and signs of keys in a row, and what stands before them.

    Empty for a text without any.
    """
    tokens, parts = outline.octets.translate(_TOKENS), []
    start = tokens.find(b"t" * LONG)
    while start >= 0:
        end = tokens.find(b" ", start)
        end = len(tokens) if end < 0 else end
        parts.append(outline.text[max(0, start - _BEFORE_TOKEN) : end + 1])
        start = tokens.find(b"t" * LONG, end)
    return "\n".join(parts)


def hex_run(outline: Outline) -> bool:
    """Thirty-two hexadecimal digits in a row."""
    return b"h" * 32 in outline.octets.translate(_HEX)


def sign_inside(outline: Outline) -> bool:
    """One to three signs between letters or digits."""
    if not any(map(outline.text.__contains__, SIGNS)):
        return False
    classes = outline.octets.translate(_SIGNED)
    return b"asa" in classes or b"assa" in classes or b"asssa" in classes
