"""Keyed pseudonyms of user, session and tenant ids: the same id stays the same, and nobody without the key gets back.

A plain hash would not do, as phone numbers and account numbers can be tried one by one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

_LENGTH = 32
_KEY_ID_LENGTH = 8


class Pseudonyms:
    """Pseudonyms under one key (any non-empty bytes; 32 random ones are right)."""

    def __init__(self, key: bytes) -> None:
        if not key:
            msg = "the pseudonym key is empty"
            raise ValueError(msg)
        self._key = key
        self.key_id = self._digest("key id")[:_KEY_ID_LENGTH]
        """Which key made a pseudonym: 8 hex characters that stand in front of it. They do not help to guess the key."""
        self._made_here = re.compile(rf"{self.key_id}\.[0-9a-f]{{{_LENGTH}}}")

    def of(self, purpose: str, identifier: str) -> str:
        """`<key id>.<32 hex>` of an id; ids of different purposes cannot be linked. Unicode forms of one id are one."""
        if self._made_here.fullmatch(identifier):
            return identifier  # redacting twice must not change what was redacted
        normalised = unicodedata.normalize("NFKC", identifier).strip()
        digest = self._digest(f"{purpose}\0{normalised}")
        return f"{self.key_id}.{digest[:_LENGTH]}"

    def _digest(self, message: str) -> str:
        return hmac.new(self._key, message.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
