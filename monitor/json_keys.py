"""Finds a key that stands twice in an object of JSON: decoders take the last one, and the other is lost."""

from __future__ import annotations

import json
from collections import Counter

_SHOWN = 40


def key_twice(content: bytes) -> str:
    """What is wrong with what is JSON, when a key stands twice in one of its objects; empty when none does.

    Raises RecursionError for objects nested too deep.
    """
    twice: list[str] = []

    def look(pairs: list[tuple[str, None]]) -> None:
        if len(dict(pairs)) < len(pairs):
            twice.append(Counter(name for name, _ in pairs).most_common(1)[0][0])

    json.loads(content.decode(errors="replace"), object_pairs_hook=look, parse_int=str, parse_float=str)
    return f"the key `{twice[0][:_SHOWN]}` stands twice in it; which one counts cannot be told" if twice else ""
