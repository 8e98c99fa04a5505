"""Reads questions that the answer would answer, and compares them with the real one.

Score = mean over the questions of the Dice coefficient (Dice, 1945) of their content words with those of the real
question: stems of words, pairs of characters where a script has no blanks. RAGAS (arXiv 2309.15217) takes the cosine of
embeddings instead; without a second model, wordings that share no word are as far apart as two subjects are. So the
level says little, and its changes much.
"""

from __future__ import annotations

from typing import Literal

from monitor.config.section import Section
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.reading import Reading, Said, reject
from monitor.judges.replies.strict_json import Json
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_function_word
from monitor.records import Evidence


class Questions(Section):
    """See the module's docstring. Another number of questions than asked for, or an empty one, is `parse`."""

    kind: Literal["questions"]
    count: int

    def read(self, said: Said, material: Material) -> Reading:
        """See the module's docstring for the formula. Raises JudgeRejected."""
        given = said.verdict["questions"]
        if not isinstance(given, list) or len(given) != self.count:
            reject("questions")
        questions = [_question(text) for text in given]
        real = material.text("question")
        evidence = tuple(Evidence(text, similarity(text, real), label="question") for text in questions)
        score = sum(piece.score for piece in evidence) / len(evidence)
        return Reading(score, explanation=f"Asked back: {'; '.join(questions)}", evidence=evidence)


def similarity(left: str, right: str) -> float:
    """From 0 (no content word in common) to 1 (the same content words); symmetric."""
    ours, theirs = _content(left), _content(right)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 0.0


def _content(text: str) -> frozenset[str]:
    """The content words; all words of a text that has none ("who are you?")."""
    words = frozenset(tokenize(text).words)
    return frozenset(word for word in words if not is_function_word(word)) or words


def _question(value: Json) -> str:
    if not isinstance(value, str) or not any(map(str.isalnum, value)):
        reject("questions")
    return value.strip()
