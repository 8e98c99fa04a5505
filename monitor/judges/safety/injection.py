"""Signs of an attack on the model or on the judge: phrases, hidden characters, forged frames.

They say that somebody attacks, not that the answer obeyed. Phrase lists know known wording only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from monitor.judges.safety.finding import Family, Finding, Severity, texts_of
from monitor.judges.safety.forged import FORGED_FRAME
from monitor.judges.safety.phrases import PHRASES
from monitor.judges.safety.wording import Phrase
from monitor.privacy.folding import Folded, fold
from monitor.privacy.outline import Outline
from monitor.records import RagTrace, SensitiveHit

_FLAG_EMOJI = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_TAGS = re.compile("[\U000e0000-\U000e007f]{2,}")
_SELECTORS = re.compile("[\U000e0100-\U000e01ef]{4,}|[\ufe00-\ufe0f]{4,}")
_ZERO_WIDTH_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]{4,}")
_SPLIT_WORD = re.compile("(?<=[A-Za-z])[\u200b-\u200d\u2060\ufeff](?=[A-Za-z])")
_OVERRIDES = re.compile("[\u202d\u202e]")
_MANY_SPLITS = 3


def injections(trace: RagTrace, hits: Sequence[SensitiveHit]) -> Iterator[Finding]:
    """Attacks in question and passages; forged frames and hidden text in the answer, too, as that is judged next.

    A phrase in a question is a fact about the user, so only `controversial`; in a passage it is `unsafe`.
    """
    del hits
    texts = [(target, passage, text, fold(text)) for target, passage, text in texts_of(trace)]
    together = Outline.of_all(folded.text for _, _, _, folded in texts)
    phrases = [phrase for phrase in (wanted.worth(together) for wanted in PHRASES) if phrase]
    forged = FORGED_FRAME.worth(together)
    frames = [forged] if forged else []
    for target, passage, text, folded in texts:
        severity = Severity.CONTROVERSIAL if target == "question" else Severity.UNSAFE
        for kind, start, end in _signs(text, folded, frames if target == "answer" else phrases + frames):
            yield Finding(Family.INJECTION, kind, target, severity, start, end, passage)


def _signs(text: str, folded: Folded, phrases: Sequence[Phrase]) -> Iterator[tuple[str, int, int]]:
    """The first sign of each kind, as kind, start, end."""
    hidden = _hidden(text) if folded.is_cut else None
    if hidden is not None:
        yield "hidden_text", *hidden.span()
    outline = Outline(folded.text)
    for phrase in phrases:
        found = phrase.search(outline)
        if found:
            yield phrase.kind, *folded.span(*found.span())


def _hidden(text: str) -> re.Match[str] | None:
    """Characters that a reader does not see and that can carry text; joiners of scripts and of emoji pass.

    Folding cuts all of them out.
    """
    plain = _FLAG_EMOJI.sub(lambda flag: " " * len(flag[0]), text)
    splits = _SPLIT_WORD.findall(plain)
    found = _TAGS.search(plain) or _SELECTORS.search(plain) or _ZERO_WIDTH_RUN.search(plain) or _OVERRIDES.search(plain)
    return found or (_SPLIT_WORD.search(plain) if len(splits) >= _MANY_SPLITS else None)
