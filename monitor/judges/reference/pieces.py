"""The parts of a sentence that a negation may belong to: `as CSV but not as PDF` denies one of two.

A cut leaves two parts that say something each. Where one part only goes on about the other (`CSV is wanted by all, but
it is not there`) there is none: the negation is of both.
"""

from __future__ import annotations

import re

from monitor.judges.text.tokens import Tokens, tokenize

_CUT = re.compile(
    r"[;；]\s*+"
    r"|(?:[,，—–]\s*+|(?<!\s)\s++)(?=(?:but|while|whereas|although|though|yet)\b"
    r"(?!\s++(?:it|they|this|that|these|those|which)\b))"
    r"|[,，—–]\s*+(?=(?:only|just|not|no|never|you|we|users?)\b)"
    r"|[,，]?(?=但|却|而不|而是|不过)",
    re.IGNORECASE,
)
_COMMA = re.compile("[,，]")
_STATES = re.compile(
    r"支持|提供|允许|包含|包括|开放|适用|[可能有是只仅会在为用要不没无未]"
    r"|\b(?:is|are|was|were|do|does|did|can|could|may|might|will|would|must|should|has|have)(?:n['’]t|not)?\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    "支持|提供|允许|包含|包括|开放|适用|可以|[可能有是只仅会在为用要不没无未但却也都还并暂它这其的了。！!]|目前|现在|尚"
)
"""What a Chinese part may be made of that says no more than yes or no of the one before it: 但目前还不支持。"""
_ABOUT_IT = re.compile(
    r"\s*(?:(?:and|but|yet|though|although|while|so|or|as|like|for|when|if|since|because)\s+)?(?:it|they|this|that|these|those|which|who|is|are|was|were|"
    r"do|does|did|can|could|may|might|will|would|must|should|has|have)(?:n['’]t|not)?\b",
    re.IGNORECASE,
)
"""The beginning of what goes on about the same in English."""
_HAN = re.compile("[\u4e00-\u9fff]")


def pieces(sentence: str) -> tuple[Tokens, ...]:
    """The tokens of each part of a sentence, in order."""
    found: list[str] = []
    for part in _CUT.split(sentence):
        for piece in _of_commas(part):
            if found and _HAN.search(piece) and not _GOES_ON.sub("", piece).strip():
                found[-1] += piece
            elif piece.strip():
                found.append(piece)
    return tuple(map(tokenize, found))


def _of_commas(part: str) -> list[str]:
    """A part, cut at the commas on both sides of which something is stated, and of something else."""
    found: list[str] = []
    states = False
    for piece in _COMMA.split(part):
        here = _STATES.search(piece) is not None
        if found and not (states and here and not _ABOUT_IT.match(piece)):
            found[-1] += f", {piece}"
            states = states or here
        else:
            found.append(piece)
            states = here
    return found
