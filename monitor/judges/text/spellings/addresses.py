"""Web addresses, which passages write with a scheme, `www.` or a path more, or without: `acme.com`, `https://acme.com/`.

Only what names the same place is the same: another host, a path that the passages do not give and another port are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LABEL = "[a-z0-9][a-z0-9-]{0,62}"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL}){{0,7}}\.[a-z][a-z0-9-]{{1,62}}|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}|localhost)"
_ADDRESS = re.compile(
    rf"(?<![a-z0-9.@/_-])(?:https?://(?:www\.)?(?:{_HOST}|{_LABEL})|(?:www\.)?{_HOST})"
    r"(?::[0-9]{1,5})?(?:[/?#][!#-;=?-Z_a-z~]{0,300})?",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"(?:https?://)?(?:www\.)?", re.IGNORECASE)
_AT_THE_END = ".,;:!?)'*_/"
"""What stands behind an address and is none of it; a stroke at the end says nothing."""


class Address(NamedTuple):
    """An address as a text writes it, and a pattern for what else writes it."""

    written: str
    pattern: str


def addresses_in(text: str) -> Iterator[Address]:
    """The addresses of a text, also without a scheme (`acme.com/help`, `192.168.0.1`, and names of files)."""
    for match in _ADDRESS.finditer(text) if "." in text or "://" in text or "localhost" in text else ():
        written = match[0].rstrip(_AT_THE_END)
        named = written[len(_SCHEME.match(written)[0]) :]  # type: ignore[index]  # every part of it is optional
        further = r"\.[a-z0-9]|:[0-9]" if re.fullmatch("[^/?#]+", named) else r"/?[.?#&=%:]?[a-z0-9]"
        if named:
            pattern = rf"(?i:(?<![a-z0-9.@_-])(?:www\.)?{re.escape(named)}(?![a-z0-9_-]|{further}))"
            yield Address(written, pattern)
