"""Fingerprints: the identity of whatever gave a verdict."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

FINGERPRINT_LENGTH = 12


def fingerprint(*parts: str | float | Mapping[str, object]) -> str:
    """12 lower-case hex characters of SHA-256 over the canonical JSON of `parts`.

    The order of the parts counts, the order of a mapping's keys does not. No part at all has a fingerprint too.
    Raises ValueError for NaN and infinities, TypeError for what JSON cannot hold.
    """
    plain = [dict(part) if isinstance(part, Mapping) else part for part in parts]
    canonical = json.dumps(plain, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:FINGERPRINT_LENGTH]
