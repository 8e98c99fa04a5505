"""Checksums that tell a real number from any other digits. Callers hand in ASCII digits without separators."""

from __future__ import annotations

import datetime as dt

_LUHN_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_RESIDENT_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_RESIDENT_CHECKS = "10X98765432"
_RESIDENT_LENGTH = 18
_PROVINCES = frozenset(
    f"{zone}{number}"
    for zone, numbers in (
        ("1", "12345"),
        ("2", "123"),
        ("3", "1234567"),
        ("4", "123456"),
        ("5", "01234"),
        ("6", "12345"),
    )
    for number in numbers
) | {"71", "81", "82", "83"}
_EARLIEST, _LATEST = 1900, 2099
_IBAN_REMAINDER = 1
_IBAN_LENGTHS = range(15, 35)


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others (ISO/IEC 7812-1 annex B); False for the empty text."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = ord(digit) - 48
        total += _LUHN_DOUBLED[value] if place % 2 else value
    return bool(digits) and total % 10 == 0


def resident_id(text: str) -> bool:
    """Whether 18 characters are a Chinese resident id: region, a real birth date, check character (GB 11643-1999)."""
    if len(text) != _RESIDENT_LENGTH or text[:2] not in _PROVINCES or not _is_date(text[6:14]):
        return False
    total = sum(weight * (ord(digit) - 48) for weight, digit in zip(_RESIDENT_WEIGHTS, text, strict=False))
    return _RESIDENT_CHECKS[total % 11] == text[-1].upper()


def iban(text: str) -> bool:
    """Whether upper-case letters and digits without spaces are an IBAN: remainder 1 modulo 97 (ISO 13616-1)."""
    if len(text) not in _IBAN_LENGTHS:
        return False
    turned = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == _IBAN_REMAINDER


def _is_date(text: str) -> bool:
    """Whether YYYYMMDD is a day that a living person can be born on."""
    try:
        day = dt.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return False
    return _EARLIEST <= day.year <= _LATEST
